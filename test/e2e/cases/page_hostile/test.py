"""A workflow whose names, values, output and errors contain markup, characters that turn the direction of text, control
characters and endless lines: the page shows them as text, live and in a report."""

import json

from harness import Pool, wait_until
from harness.page import PageCase
from harness.workflow import step

MARKUP = '<x-evil onclick="evil()"></x-evil><img src="x" onerror="window.evil = 1"><script>window.evil = 1</script>"\'`${1}&lt;'
TURNED = "abc\u202edcba\u202c\u2066x\u2069\u200b\ufeff"
CONTROL = "nul\0bell\abackspace\besc\x1b[31mred\x7fc1\x9b"
NAMES = [MARKUP, "<b>{{7*7}}</b>", "__proto__", "constructor", "w" * 200, "مرحبا שלום"]
ASKS = "Ask " + MARKUP
LINE = 10_000_000
FAILS = "cat >/dev/null; cat out; cat err >&2; exit 3"
# What the texts would become if they were taken for markup.
ELEMENTS = ("x-evil, img, iframe, object, embed, base, [onclick], [onerror], a[href^='javascript'], "
            "body script:not([type='application/json'])")
# In any order: what is written first, on stdout, is left out of so much output.
OUTPUT = r"^(?=.*<x-evil onclick=)(?=.*U\+202E)(?=.*NUL)(?=.*ESC)(?=.*last line)"
UNSAFE = r"""() => {
    const named = [...document.querySelectorAll('[title], [aria-label], [placeholder], option')];
    const texts = [document.title, document.body.innerText,
        ...named.flatMap((one) => [one.title, one.getAttribute('aria-label') ?? '', one.text ?? ''])];
    return texts.filter((text) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/.test(text))
        .map((text) => text.slice(0, 200));
}"""


class Hostile(PageCase):
    def setUp(self):
        super().setUp()
        self.folder = self.work / "a<b>&\u202e"
        self.folder.mkdir()
        self.write_texts()
        self.make_run()

    def write_texts(self):
        text = f"{MARKUP}\n{TURNED}\n{CONTROL}\n".encode() + b"not UTF-8: \xff\xfe\xc3\n"
        (self.folder / "out").write_bytes(text + b"y" * LINE + b"\nlast line\n")
        (self.folder / "err").write_bytes(b"first error\n" + text)
        values = [{"text": MARKUP, TURNED: CONTROL, MARKUP: TURNED}, {"long": "y" * LINE}, {"__proto__": {"a": 1}, "constructor": "b"},
                  None, MARKUP, "x"]
        tasks = [{"kind": name, "value": value} for name, value in [*zip(NAMES, values), (ASKS, {"text": MARKUP})]]
        (self.folder / "tasks").write_text(json.dumps(tasks))

    def make_run(self):
        """Six tasks have failed, and a seventh waits for a person."""
        schema = {"type": "object", "title": TURNED, "description": MARKUP,
                  "properties": {"text": {"type": "string", "description": MARKUP, "default": MARKUP}, MARKUP: {"enum": [MARKUP, TURNED]}}}
        steps = [step("List", "cat tasks", [*NAMES, ASKS]), *(step(name, FAILS) for name in NAMES),
                 step(ASKS, {"kind": "Human", "instructions": f"{MARKUP}\n{TURNED}"}, [NAMES[0], NAMES[1]], value_schema=schema)]
        steps[1]["value_schema"] = steps[2]["value_schema"] = schema
        config = self.folder / "<img src=x onerror=evil()>.json"
        config.write_text(json.dumps({"entrypoint": "List", "steps": steps}))
        self.run_id = self.barnum("run", "--detach", "--config", config, cwd=self.folder).out.strip()
        wanted = {"done": 1, "left": 1, "dropped": 6, "waiting_for_human": 1}
        wait_until(lambda: self.only("-a")["tasks"] == wanted, "six failures and a question")

    def assert_only_text(self, page, what):
        self.assertEqual(page.locator(ELEMENTS).count(), 0, what)
        self.assertIsNone(page.script("() => window.evil"), what)
        self.assertEqual(page.script(UNSAFE), [], what)
        self.assertLess(page.locator("*").count(), 5000, f"{what}: too many elements")
        page.key("Escape", "?")
        page.get_by_role("dialog", name="Keys").wait_for()  # it still answers
        page.key("Escape")

    def look(self, page, views, wait_for=MARKUP):
        for view in views:
            with self.subTest(view):
                page.go(view)
                page.locator("main").get_by_text(wait_for).first().wait_for(state="attached")
                self.assert_only_text(page, view)

    def look_at_tasks(self, page):
        for row, name in enumerate([*NAMES, ASKS], 1):
            with self.subTest(name[:40]):
                page.go(f"#/run/{self.run_id}/task/{row}")
                page.get_by_role("heading", name=f"Task {row} ").wait_for()
                if name != ASKS:
                    page.get_by_role("log", name="Output").wait_for_text(OUTPUT)
                    page.get_by_role("article", name="Attempt 1").wait_for_text("CommandFailed.*first error.*<script>.*NUL")
                self.assert_only_text(page, name)

    def test_everything_is_text(self):
        self.server = self.serve()
        self.one_after_the_other(self.every_view_of_the_living_run, self.a_message_of_the_server_is_text,
                                 self.names_of_agents_and_what_they_do)
        self.tolerated = None
        self.one_after_the_other(self.every_view_of_the_report)
        self.one_after_the_other(self.what_is_copied_is_what_was_written)

    def every_view_of_the_living_run(self):
        page = self.at(self.server)
        of_run = [f"#/run/{self.run_id}/{view}" for view in ("graph", "tasks")]
        self.look(page, ["#/runs"], "<img src=x onerror=evil()>.json")
        self.look(page, [*of_run, "#/questions", f"#/question/{self.run_id}/7"])
        self.look(page, [f"#/run/{self.run_id}/timeline"], "w" * 20)
        self.look_at_tasks(page)

    def every_view_of_the_report(self):
        report = self.work / "report.html"
        self.barnum("report", self.run_id, "-o", report)
        page = self.window(report.as_uri(), report.as_uri(), offline=True)
        self.look(page, [f"#/run/{self.run_id}/{view}" for view in ("graph", "tasks")])
        self.look_at_tasks(page)

    def a_message_of_the_server_is_text(self):
        page = self.at(self.server, f"#/run/{self.run_id}/tasks")
        page.get_by_role("searchbox", name="Text in value or error").fill(MARKUP)
        self.wait_for_rows(page, "Tasks", 7)
        self.assert_only_text(page, "search")
        page.go("#/run/<img src=x onerror=evil()>/graph")
        page.get_by_role("heading", name="This run cannot be shown").wait_for()
        self.assert_only_text(page, "an unknown run")
        self.tolerated = "status of 404"

    def names_of_agents_and_what_they_do(self):
        pool = Pool(self, "shared")
        pool.start()
        for name in (MARKUP, TURNED):
            pool.command("agent", "--name", name, "--exec", "sleep 1000")
        wait_until(lambda: len(pool.waiting_agents()) == 2, "the agents")
        page = self.at(self.server)
        self.look(page, ["#/pools"], MARKUP[:60])

    def what_is_copied_is_what_was_written(self):
        page = self.open(self.server, f"#/run/{self.run_id}/task/1", permissions=["clipboard-read", "clipboard-write"])
        page.get_by_role("group", name="Value").wait_for()
        page.get_by_role("button", name="Copy").first().click()
        written = json.loads((self.folder / "tasks").read_text())[0]["value"]
        wait_until(lambda: page.script("() => navigator.clipboard.readText().then((text) => JSON.parse(text))") == written, "the copy")
