"""The page of `barnum serve` in Chromium: servers that can be started again on their port, windows that have logged in, and
the check that nothing went wrong in them."""

import json
import os
import re

from harness import browser, require, wait_until
from harness.browser import javascript
from harness.environment import npm_tools
from harness.ports import free_address
from harness.runs import RunsCase

LINK = re.compile(r"(http://[^/\s]+/)#token=(\S+)")
# Without `preload`, for which axe itself makes inline styles.
AUDIT = """(rules) => axe.run(document, { runOnly: rules, preload: false }).then(({ violations, passes }) => ({ passes: passes.length,
    violations: violations.map((one) => one.id + ': ' + one.help + ': ' + one.nodes.map((node) =>
        node.html.slice(0, 200) + ' ' + (node.any[0]?.message ?? node.failureSummary)).join(' | ')) }))"""
FIGURES = """(list) => [...list.querySelectorAll('dt')].filter((one) => one.checkVisibility())
    .map((one) => [one.innerText, one.nextElementSibling.innerText])"""
TABLE = """(table) => {
    const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    return [...table.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, i) => [titles[i], cell.textContent])));
}"""
ROWS = """(rows) => rows.sort((one, other) => one.ariaRowIndex - other.ariaRowIndex)
    .map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.innerText)).filter((row) => row.length)"""
WATCH_SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((one) =>
        [one.value, ...one.sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 200))]))).observe({ type: 'layout-shift' });
}"""
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 2560, "height": 1300}
OPEN = ("waiting", "at pool", "running", "for people")  # columns of the table of steps
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What Chromium itself writes to the console while the server is away.
AWAY = r"net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)"


class Server:
    """`barnum serve`. `start()` after `stop()` or `kill()` is on the same port."""

    def __init__(self, case, *options):
        self.case, self.options, self.listen = case, options, free_address()
        self.start()

    def start(self):
        self.process = self.case.start("barnum", "serve", "--listen", self.listen, *self.options)
        self.link = wait_until(lambda: LINK.search(self.process.out) or not self.process.running, "the link that serve prints")
        self.case.assert_running(self.process)
        self.url, self.origin, self.token = self.link.group(0), self.link.group(1), self.link.group(2)

    def kill(self):
        self.process.kill()

    def stop(self):
        self.process.terminate()
        self.case.assert_exit(self.process.result(), 0)


class PageCase(RunsCase):
    tolerated = None  # an expression of problems that the test expects

    @classmethod
    def setUpClass(cls):
        require(browser.is_there(), "the page in Chromium; scripts/install-deps --browser brings what it needs")
        cls.browser = browser.of_this_case()

    def setUp(self):
        super().setUp()
        self.windows = []

    def tearDown(self):
        try:
            self.close_windows()
        finally:
            self.end_runs()
            super().tearDown()

    def serve(self, *options):
        return Server(self, *options)

    def open(self, server, hash_="#/runs", **options):
        """A new window, logged in, at that address of the page."""
        page = self.window(server.url, server.origin, **options)
        page.get_by_role("heading", name="Runs", exact=True).wait_for()
        page.go(hash_)
        return page

    def window(self, address, origin, **options):
        self.windows.append(self.browser.open(address, origin, **options))
        return self.windows[-1]

    def close_windows(self):
        windows, self.windows = self.windows, []
        for page in windows:
            self.keep_picture(page)
            found = list(dict.fromkeys(page.problems(self.tolerated)))
            page.context().close()
            self.assertFalse(found, "\n".join(["went wrong in the page:", *found])[:4000])

    def at(self, server, hash_="#/runs"):
        """That address of the page in the first window, which is opened if there is none."""
        if not self.windows:
            return self.open(server, hash_)
        self.windows[0].go(hash_)
        return self.windows[0]

    def one_after_the_other(self, *parts):
        """Runs the parts of a test, which may share windows. For what is slow to set up, and what no part changes."""
        try:
            for part in parts:
                with self.subTest(part.__name__):
                    part()
        finally:
            self.close_windows()

    def keep_picture(self, page, name="end"):
        """For who looks at what a test has seen."""
        if os.environ.get("BARNUM_E2E_KEEP"):
            page.screenshot(path=str(self.home / f"window-{page.number}-{name}.png"))

    def inspect(self, run):
        return json.loads(self.barnum("inspect", run, "--json").out)

    def figures(self, page):
        """{label: text} of what stands above the views of a run."""
        found = page.get_by_role("region", name="Run", exact=True).locator("dl").evaluate(javascript(FIGURES))
        return dict(found)

    def wait_for_figures(self, page, **wanted):
        self.wait_for_value(lambda: {key: self.figures(page).get(key) for key in wanted}, wanted)

    def wait_for_value(self, value, wanted):
        """Until value() is that; for the message, what it was instead."""
        try:
            wait_until(lambda: value() == wanted, f"{wanted}")
        except AssertionError as error:
            raise AssertionError(f"{error}; it is {value()}") from None

    def steps(self, page):
        """What the table of steps beside the graph says: {step: {column: number}}, a `finally` as "List finally"."""
        rows = page.get_by_role("table", name="Steps").evaluate(javascript(TABLE))
        numbers = (*OPEN, "done", "dropped", "retries")
        return {row["step"]: {key: int(row[key].replace(",", "") or 0) for key in numbers} for row in rows}

    def steps_of_log(self, run):
        """The same as steps(), by `barnum inspect`, to which all is pending that has not ended."""
        rows = self.inspect(run)["steps"]
        return {row["step"] + (" finally" if row["is_finally"] else ""):
                {"open": row["pending"], "done": row["done"] + row["waiting"], "dropped": row["dropped"], "retries": row["retried"]}
                for row in rows}

    def wait_for_numbers_of_log(self, page, run):
        """Until the graph's table says what the log says."""
        self.wait_for_value(lambda: {step: {"open": sum(row[key] for key in OPEN),
                                            **{key: row[key] for key in ("done", "dropped", "retries")}}
                                     for step, row in self.steps(page).items()}, self.steps_of_log(run))

    def rows(self, page, label):
        """The rows in sight of a table from above, each a list of its cells' texts."""
        return page.get_by_role("grid", name=label).get_by_role("row").evaluate_all(javascript(ROWS))

    def row_count(self, page, label):
        """Of all of its rows, also those that are not in sight; -1 until it has any."""
        return int(page.get_by_role("grid", name=label).get_attribute("aria-rowcount") or 0) - 1

    def wait_for_rows(self, page, label, count):
        self.wait_for_value(lambda: self.row_count(page, label), count)

    def assert_accessible(self, page, what):
        """axe-core finds nothing to complain of."""
        if not page.script("() => 'axe' in window"):
            page.evaluate((npm_tools("browser") / "node_modules/axe-core/axe.min.js").read_text())
        found = page.script(AUDIT, RULES)
        self.assertEqual(found["violations"], [], what)
        self.assertGreater(found["passes"], 10, what)

    def assert_fits(self, page, what):
        """Nothing makes the page itself scroll sideways."""
        width, window = page.script("() => [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(width, window, what)

    def watch_shifts(self, page):
        """From now on, for assert_nothing_moved()."""
        page.script(WATCH_SHIFTS)

    def assert_nothing_moved(self, page):
        """Nothing on the page was pushed aside by something else."""
        shifts = page.script("() => shifts")
        # Figures that a run tells of itself come a moment later: a fifth of what counts as bad.
        self.assertLess(sum(value for value, *_ in shifts), 0.02, shifts)
