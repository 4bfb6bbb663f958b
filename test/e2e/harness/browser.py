"""Chromium, driven by a test: pages, and in them what a user finds by role and text, with the methods of Playwright under
Python's names. What a user would not see is a problem that fails the test: an error in the console, an exception, a violation
of the Content-Security-Policy, a request to another server than the one under test."""

import functools
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.environment import SOURCE_DIR, npm_tools
from harness.waiting import DEADLINE, wait_until

# The shell has no windows, menus and services of its own, and takes half of the processor time.
PROGRAMS = ("chromium-headless-shell", "chromium")
DRIVER = SOURCE_DIR / "test/e2e/browser/driver.mjs"
# Methods that only say what is meant; the others do something, and are awaited.
FINDERS = {"get_by_role", "get_by_text", "get_by_label", "get_by_title", "get_by_placeholder", "locator", "filter",
           "nth", "first", "last", "context"}
ANSWER = DEADLINE + 60  # seconds


def javascript(text):
    """A function as an argument: javascript("(element) => element.scrollTop")."""
    return {"function": text}


def program():
    """The path of Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def is_there():
    """Whether Chromium is, and what drives it."""
    return bool(npm_tools("browser") and shutil.which("node") and program())


@functools.cache
def of_this_case():
    """One browser for all tests of a case: each has windows of its own, with cookies of their own."""
    home = Path(tempfile.mkdtemp(prefix="be2e-browser-"))
    unittest.addModuleCleanup(shutil.rmtree, home, ignore_errors=True)
    browser = Browser(home, os.environ | {"HOME": str(home)})
    unittest.addModuleCleanup(browser.close)
    return browser


class Browser:
    """`home` is a folder for its files, `env` its environment. Whoever makes one closes it."""

    def __init__(self, home, env):
        self.err_path = home / "browser.err"
        with open(self.err_path, "wb") as errors:
            self.process = subprocess.Popen(["node", DRIVER, npm_tools("browser"), str(DEADLINE), program()], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors, env=env, cwd=home)
        self.buffer = b""
        self._answer()

    def open(self, address, origin=None, **options):
        """A new window with cookies of its own. `options` are those of Playwright's browser.newContext()."""
        origin = origin or address.split("#")[0]
        page = Page(self, self.ask(open={"viewport": {"width": 1280, "height": 800}} | camels(options), origin=origin))
        page.goto(address)
        return page

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self._answer()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(DEADLINE)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def _answer(self):
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], ANSWER)
            more = ready and self.process.stdout.read1(1 << 20)
            if not more:
                raise AssertionError(f"the browser does not answer: {self.err_path.read_text(errors='replace')[-3000:]}")
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\n", 1)
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError(f"in the browser: {answer['error'][:3000]}")
        return answer["value"]


class Locator:
    """Something on a page: locator.get_by_role("button", name="Retry").click()."""

    def __init__(self, page, calls=()):
        self._page, self._calls = page, list(calls)

    def __getattr__(self, name):
        def called(*arguments, **options):
            calls = [*self._calls, [camel(name), *map(plain, arguments), *([camels(options)] if options else [])]]
            if name in FINDERS:
                return Locator(self._page, calls)
            return self._page.browser.ask(page=self._page.number, calls=calls)
        return called

    @property
    def text(self):
        """As it is shown, without the marks that only isolate directions."""
        return self.inner_text()

    def wait_for_text(self, pattern):
        """Until its text matches the expression; returns the match."""
        seen = []

        def matches():
            seen[:] = self.all_inner_texts()
            return re.search(pattern, "\n".join(seen), re.S)
        try:
            return wait_until(matches, pattern)
        except AssertionError as error:
            raise AssertionError(f"{error}; it reads {seen!r:.2000}") from None

    def wait_for_count(self, count):
        return wait_until(lambda: self.count() == count, f"{count} of {self._calls}, and not {self.count()}")


class Page(Locator):
    def __init__(self, browser, number):
        super().__init__(self)
        self.browser, self.number = browser, number

    def tab(self, address):
        """Another tab of the same window."""
        page = Page(self.browser, self.browser.ask(tab=self.number))
        page.goto(address)
        return page

    def go(self, hash_):
        """To another view, by the address."""
        self.script("(hash) => { location.hash = hash; }", hash_)

    def key(self, *keys):
        """Presses keys, one after the other: "j", "Enter", "Shift+Tab"."""
        for key in keys:
            self._page.browser.ask(page=self.number, calls=[["keyboard"], ["press", key]])

    def type(self, text):
        self._page.browser.ask(page=self.number, calls=[["keyboard"], ["insertText", text]])

    def script(self, text, *argument):
        """The value of a JavaScript function in the page: page.script("(n) => n + 1", 1)."""
        return self.evaluate(javascript(text), *argument)

    def wait_for_script(self, text, *argument):
        return wait_until(lambda: self.script(text, *argument), text)

    def problems(self, tolerated=None):
        """What has gone wrong since the last time, without what the expression `tolerated` matches."""
        found = self.browser.ask(problems=self.number)
        return [one for one in found if not (tolerated and re.search(tolerated, one))]


def camel(name):
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def camels(options):
    return {camel(name): plain(value) for name, value in options.items()}


def plain(value):
    if isinstance(value, re.Pattern):
        return {"regexp": value.pattern}
    return value
