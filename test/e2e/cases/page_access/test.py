"""The page for everybody: by keyboard alone, on a phone and on a wide screen, dark and light, for who does not see it."""

import time

from harness import review_run, wait_until
from harness.page import PHONE, WIDE, PageCase
from harness.review_run import FAILED, TASKS

SEQUENCE = 1.5  # seconds within which the letter follows the g
FOCUSED = """() => {
    const { activeElement: at } = document;
    if (!at || at === document.body) return null;
    const style = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    return { name: at.getAttribute('aria-label') ?? at.innerText.trim(), tag: at.tagName.toLowerCase(),
             visible: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && box.width > 0 && box.height > 0 };
}"""


class Everybody(PageCase):
    def setUp(self):
        super().setUp()
        self.run_id = review_run.start(self)
        self.server = self.serve()

    def test_it_is_accessible(self):
        self.one_after_the_other(self.on_a_phone_nothing_scrolls_sideways, self.on_a_wide_screen_nothing_scrolls_sideways)
        self.one_after_the_other(
            self.tab_reaches_everything_in_order_and_shows_where_it_is, self.light, self.dark, self.dialogs,
            self.the_help_lists_the_keys_and_gives_the_focus_back, self.from_the_runs_to_a_task_that_failed_and_back,
            self.a_run_is_paused_by_keyboard, self.the_theme_is_chosen_and_kept)
        self.one_after_the_other(self.the_login)

    def views(self):
        """{what it is: (address, what is there when it is ready)}"""
        task = next(task for task in self.inspect(self.run_id)["tasks"] if task["state"] == "dropped")
        row = self.row_of(task)
        return {"runs": ("#/runs", "review"), "graph": (f"#/run/{self.run_id}/graph", "Summarize"),
                "tasks": (f"#/run/{self.run_id}/tasks", "Summarize"), "timeline": (f"#/run/{self.run_id}/timeline", "Check"),
                "task": (f"#/run/{self.run_id}/task/{row}", "no such file"), "questions": ("#/questions", "May these notes be sent"),
                "question": (f"#/question/{self.run_id}/{self.question()}", "They go to everybody."), "pools": ("#/pools", "busy")}

    def row_of(self, task):
        """Rows are numbered in the order of the log, as tasks are here: nothing has left gaps."""
        return task["id"]

    def question(self):
        return next(task["id"] for task in self.inspect(self.run_id)["tasks"] if task["step"] == "Approve")

    def look_at_each_view(self, page, look):
        """Calls look(name) on each view when it is there."""
        for name, (address, ready) in self.views().items():
            with self.subTest(name):
                page.go(address)
                page.locator("main").wait_for_text(ready)
                look(name)

    def assert_nothing_scrolls_sideways(self, page, what):
        def look(name):
            self.keep_picture(page, f"{what}-{name}")
            self.assert_fits(page, name)
        self.look_at_each_view(page, look)

    def on_a_phone_nothing_scrolls_sideways(self):
        self.assert_nothing_scrolls_sideways(self.open(self.server, viewport=PHONE, has_touch=True), "phone")

    def on_a_wide_screen_nothing_scrolls_sideways(self):
        self.assert_nothing_scrolls_sideways(self.open(self.server, viewport=WIDE), "wide")

    def audit(self, scheme):
        page = self.at(self.server)
        page.emulate_media(color_scheme=scheme)

        def look(name):
            self.keep_picture(page, f"{scheme}-{name}")
            self.assert_accessible(page, name)
        self.look_at_each_view(page, look)
        return page

    def background(self, page):
        return page.script("() => getComputedStyle(document.body).backgroundColor")

    def light(self):
        page = self.audit("light")
        self.assertEqual(self.background(page), "rgb(255, 255, 255)")

    def dark(self):
        page = self.audit("dark")
        self.assertRegex(self.background(page), r"rgb\(\d\d?, \d\d?, \d\d?\)")

    def dialogs(self):
        page = self.at(self.server, f"#/run/{self.run_id}/graph")
        page.get_by_role("table", name="Steps").wait_for()
        for name in ("Scale", "Cancel", "Keys"):
            with self.subTest(name):
                page.get_by_role("button", name=name).click()
                page.get_by_role("dialog").wait_for()
                self.assert_accessible(page, name)
                page.key("Escape")
                page.get_by_role("dialog").wait_for(state="detached")

    def the_login(self):
        self.tolerated = "status of 401"
        login = self.window(self.server.origin, self.server.origin)
        login.get_by_role("button", name="Log in").wait_for()
        self.assert_accessible(login, "login")

    def the_theme_is_chosen_and_kept(self):
        page = self.at(self.server)
        page.emulate_media(color_scheme="light")
        light = self.background(page)
        page.key("d")
        wait_until(lambda: self.background(page) != light, "the dark page")
        page.reload()
        page.get_by_role("grid", name="Runs").wait_for_text("review")
        self.assertNotEqual(self.background(page), light)
        page.get_by_role("button", name="Dark or light").click()
        wait_until(lambda: self.background(page) == light, "the light page")

    def focused(self, page):
        return page.script(FOCUSED)

    def go_by_keys(self, page, letter):
        """Where the browser has taken too long for the two to be a sequence, they are pressed again."""
        before = page.script("() => location.hash")

        def press():
            begun = time.monotonic()
            page.key("g", letter)
            is_quick = time.monotonic() - begun < SEQUENCE
            is_elsewhere = page.script("() => location.hash") != before
            self.assertTrue(is_elsewhere or not is_quick, f"g {letter} led nowhere")
            return is_elsewhere
        wait_until(press, f"g {letter} to lead elsewhere")

    def from_the_runs_to_a_task_that_failed_and_back(self):
        page = self.at(self.server)
        page.get_by_role("grid", name="Runs").wait_for_text("review")
        page.key("/")
        self.assertEqual(self.focused(page)["name"], "Filter runs")
        page.type("review")
        page.key("Enter", "j", "Enter")
        page.get_by_role("table", name="Steps").wait_for()
        self.go_by_keys(page, "t")
        self.wait_for_rows(page, "Tasks", TASKS)
        page.key("/")
        page.type("no such file")
        page.key("Enter")
        self.wait_for_rows(page, "Tasks", FAILED)
        page.key("j", "j", "k", "j")
        selected = page.get_by_role("row", selected=True)
        task = selected.get_by_role("link").text
        page.key("Enter")
        page.get_by_role("heading", name=f"Task {task} ").wait_for()
        page.key("j")
        page.get_by_role("heading", name=f"Task {task} ").wait_for(state="hidden")
        page.key("k")
        page.get_by_role("heading", name=f"Task {task} ").wait_for()
        page.key("b")
        self.wait_for_rows(page, "Tasks", FAILED)

    def the_help_lists_the_keys_and_gives_the_focus_back(self):
        page = self.at(self.server, f"#/run/{self.run_id}/tasks")
        self.wait_for_rows(page, "Tasks", TASKS)
        page.key("?")
        dialog = page.get_by_role("dialog", name="Keys")
        for text in ("filters", "next row", "dark or light", "timeline"):
            dialog.get_by_text(text).first().wait_for()
        page.key("Escape")
        dialog.wait_for(state="detached")

    def tab_reaches_everything_in_order_and_shows_where_it_is(self):
        page = self.at(self.server, f"#/run/{self.run_id}/graph")
        page.get_by_role("table", name="Steps").wait_for()
        seen = []
        for _ in range(80):
            page.key("Tab")
            at = self.focused(page)
            if at is None:
                break
            self.assertTrue(at["visible"], f"one does not see that {at} has the focus")
            seen.append(at["name"])
        order = ["Runs", "Pools", "Human", "Dark or light", "Keys", "Pause", "Scale…", "Cancel…", "Graph", "Tasks", "Timeline"]
        places = [next(i for i, name in enumerate(seen) if name.split("\n")[0] == wanted) for wanted in order]
        self.assertEqual(places, sorted(places), seen)
        for step in ("List", "Check", "Summarize", "Note", "Approve"):
            self.assertTrue(any(step in name for name in seen), f"{step} in {seen}")

    def a_run_is_paused_by_keyboard(self):
        page = self.at(self.server, f"#/run/{self.run_id}/graph")
        page.get_by_role("button", name="Pause").focus()
        page.key("Enter")
        page.get_by_role("button", name="Continue").wait_for()
        self.assertEqual(self.only()["state"], "paused")
        page.get_by_role("button", name="Continue").focus()
        page.key(" ")
        page.get_by_role("button", name="Pause").wait_for()
