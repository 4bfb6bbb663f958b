"""Every view of a run with 1,000 tasks, of which some failed, while it goes on and when it has ended."""

import re

from harness import review_run, wait_until
from harness.browser import javascript
from harness.page import TABLE, PageCase
from harness.review_run import ALL, CHECKS, DONE, FAILED, HOLD, RETRIED, TASKS

COLOURS = """(canvases) => new Set(canvases.flatMap((canvas) =>
    [...new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)])).size"""

# The promise is kept after the pause that follows a key.
TYPE_AND_CLICK = """(isEntered) => {
    const field = document.querySelector('input[type=search]');
    field.value = 'revi';
    field.dispatchEvent(new Event('input'));
    document.querySelector('.table a').click();
    if (isEntered) field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    return new Promise((done) => setTimeout(done, 200));
}"""


class Views(PageCase):
    def setUp(self):
        super().setUp()
        self.run_id = review_run.start(self)
        self.server = self.serve()

    def show(self, view):
        return self.at(self.server, f"#/run/{self.run_id}/{view}")

    def tasks(self):
        page = self.show("tasks")
        self.wait_for_rows(page, "Tasks", TASKS)
        return page

    def test_of_a_run_that_stands_still_and_then_goes_on(self):
        self.one_after_the_other(
            self.runs_are_listed_filtered_and_lead_to_the_run, self.a_filter_that_is_being_typed_does_not_undo_a_click,
            self.tasks_are_filtered_by_state_step_and_text, self.tasks_are_sorted, self.a_task_that_failed_shows_both_attempts_and_its_output,
            self.instructions_are_those_that_the_agent_has_seen, self.the_timeline_has_each_attempt_in_its_lane,
            self.an_attempt_in_the_timeline_leads_to_its_task, self.pools_show_who_does_what,
            self.the_graph_says_what_the_log_says)
        self.one_after_the_other(self.views_follow_the_run_and_nothing_moves)

    def runs_are_listed_filtered_and_lead_to_the_run(self):
        page = self.at(self.server)
        runs = page.get_by_role("grid", name="Runs")
        runs.wait_for_text("review")
        (row,) = self.rows(page, "Runs")
        self.assertEqual(row[1], "running")
        self.assertIn(f"{TASKS + 1:,}", row)  # the finally counts as left
        self.assertIn(str(FAILED), row)
        page.get_by_role("button", name="finished").click()
        page.get_by_text("No run matches the filter.").wait_for()
        page.get_by_role("button", name="all", exact=True).click()
        page.get_by_role("searchbox", name="Filter runs").fill("revi")
        runs.get_by_role("link", name="review").click()
        page.get_by_role("heading", name="review", exact=True).wait_for()
        self.wait_for_figures(page, done=f"{DONE:,} of {TASKS:,}", dropped=str(FAILED), retries=str(RETRIED))

    def a_filter_that_is_being_typed_does_not_undo_a_click(self):
        for is_entered in (True, False):  # before the page hears of the new address; when the pause after a key is over
            page = self.at(self.server)
            page.get_by_role("grid", name="Runs").wait_for_text("review")
            page.script(TYPE_AND_CLICK, is_entered)
            page.get_by_role("heading", name="review", exact=True).wait_for()
            self.assertEqual(page.script("() => location.hash"), f"#/run/{self.run_id}/graph")
            page = self.tasks()
            page.get_by_role("grid", name="Tasks").get_by_role("link").first().wait_for()
            address = page.script("() => document.querySelector('.table a').hash")
            page.script(TYPE_AND_CLICK, is_entered)
            self.assertEqual(page.script("() => location.hash"), address)
            page.get_by_role("heading", name=re.compile(r"^Task \d")).wait_for()

    def the_graph_says_what_the_log_says(self):
        page = self.show("graph")
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_numbers_of_log(page, self.run_id)
        self.wait_for_value(lambda: self.steps(page)["Check"],
                            {"waiting": 0, "at pool": 0, "running": len(HOLD), "for people": 0, "dropped": FAILED,
                             "done": CHECKS - FAILED - len(HOLD), "retries": RETRIED})

    def tasks_are_filtered_by_state_step_and_text(self):
        page = self.tasks()
        for state, rows in (("dropped", FAILED), ("running", len(HOLD) + 1), ("human", 1), ("retried", RETRIED), ("all", TASKS)):
            page.get_by_role("group", name="State").get_by_role("button", name=state).click()
            self.wait_for_rows(page, "Tasks", rows)
        page.get_by_role("combobox", name="Step").select_option(label="Summarize")
        self.wait_for_rows(page, "Tasks", 4)
        page.get_by_role("combobox", name="Step").select_option(label="all steps")
        for text, rows in (("part-0017", 1), ("NO SUCH FILE", FAILED), ("nowhere", 0)):
            page.get_by_role("searchbox", name="Text in value or error").fill(text)
            self.wait_for_rows(page, "Tasks", rows)
            page.get_by_text(f"{rows} of {TASKS:,} tasks").wait_for()

    def tasks_are_sorted(self):
        page = self.tasks()
        grid = page.get_by_role("grid", name="Tasks")
        grid.get_by_role("button", name="Attempts").click()
        wait_until(lambda: [row[3] for row in self.rows(page, "Tasks")[:RETRIED + 1]] == ["2"] * RETRIED + ["1"],
                   "the tasks with most attempts first")
        grid.get_by_role("button", name="Step").click()
        wait_until(lambda: self.rows(page, "Tasks")[0][1] == "Approve", "the steps in reverse")
        grid.get_by_role("button", name="Step").click()
        wait_until(lambda: self.rows(page, "Tasks")[0][1] == "List", "the steps in their order")

    def a_task_that_failed_shows_both_attempts_and_its_output(self):
        page = self.tasks()
        page.get_by_role("group", name="State").get_by_role("button", name="dropped").click()
        self.wait_for_rows(page, "Tasks", FAILED)
        page.get_by_role("grid", name="Tasks").get_by_role("link").first().click()
        page.get_by_role("heading", name="Check").wait_for()
        for attempt in (1, 2):
            article = page.get_by_role("article", name=f"Attempt {attempt}")
            article.wait_for_text("CommandFailed.*exit code 3.*error: no such file")
        page.get_by_role("group", name="Value").wait_for_text(r"src/part-0\d00\.c")
        page.get_by_role("log", name="Output").wait_for_text("reading the file.*error: no such file")
        page.get_by_text("Parent").wait_for()

    def instructions_are_those_that_the_agent_has_seen(self):
        page = self.tasks()
        page.get_by_role("combobox", name="Step").select_option(label="Summarize")
        self.wait_for_rows(page, "Tasks", 4)
        page.get_by_role("grid", name="Tasks").get_by_role("link").first().click()
        page.get_by_text("Sum the part up in one sentence.").wait_for()
        page.get_by_role("link", name="Note").click()
        page.get_by_role("group", name="Value").wait_for_text("It is fine.")

    def the_timeline_has_each_attempt_in_its_lane(self):
        page = self.show("timeline")
        page.get_by_text("As a table").click()
        lanes = page.get_by_role("table", name="Attempts")
        lanes.wait_for()
        wanted = [("Check", CHECKS - len(HOLD) + RETRIED, FAILED + RETRIED, FAILED, len(HOLD)), ("Summarize", 3, 0, 0, 1)]
        for step, *numbers in wanted:
            self.wait_for_value(lambda step=step: self.lane(lanes, step), numbers)
        page.get_by_role("button", name="by agent").click()
        wait_until(lambda: "agent" in self.lanes(lanes), "lanes of agents")
        self.assertGreater(page.locator("canvas").evaluate_all(javascript(COLOURS)), 5)

    def lanes(self, table):
        return " ".join(row["lane"] for row in table.evaluate(javascript(TABLE)))

    def lane(self, table, step):
        """[attempts, failed, dropped, open] of a lane."""
        row = next(row for row in table.evaluate(javascript(TABLE)) if row["lane"].startswith(step))
        return [int(row[key].replace(",", "") or 0) for key in ("attempts", "failed", "dropped", "running or at pool")]

    def an_attempt_in_the_timeline_leads_to_its_task(self):
        page = self.show("timeline")
        page.reload()  # the keys are for the page, and not for what was clicked last
        page.get_by_role("group", name="Timeline").wait_for()
        page.wait_for_script("() => document.querySelector('canvas').width > 300")
        page.key("+", "-", "0", "ArrowRight", "ArrowRight")
        chosen = page.get_by_role("group", name="Timeline").get_by_role("status")
        task = chosen.wait_for_text(r"task (\d+)")
        page.key("Enter")
        page.get_by_role("heading", name=f"Task {task.group(1)} ").wait_for()

    def pools_show_who_does_what(self):
        page = self.at(self.server, "#/pools")
        agents = page.get_by_role("table", name="Agents")
        wait_until(lambda: sorted(row["state"] for row in agents.evaluate(javascript(TABLE))) == ["busy", "idle"], "an agent that is busy")
        (pool,) = page.get_by_role("region", name=re.compile("^pool ")).all_inner_texts()
        self.assertRegex(pool, r"busy\n1\b")
        self.assertRegex(pool, r"idle\n1\b")

    def views_follow_the_run_and_nothing_moves(self):
        task = self.a_task_that_holds()
        graph, *others = [self.open(self.server, f"#/run/{self.run_id}/{view}") for view in ("graph", "tasks", "timeline")]
        for page in (graph, *others):
            self.wait_for_figures(page, done=f"{DONE:,} of {TASKS:,}")
            self.watch_shifts(page)
        review_run.end(self, self.run_id)
        for page in (graph, *others):
            self.wait_for_figures(page, done=f"{ALL - FAILED:,} of {ALL:,}")
            self.assert_nothing_moved(page)
        task.get_by_role("article", name="Attempt 1").wait_for_text("done")
        graph.get_by_role("region", name="Run", exact=True).wait_for_text(r"\bfailed\b")
        self.wait_for_numbers_of_log(graph, self.run_id)
        graph.get_by_role("table", name="Steps").get_by_role("link", name="Check").click()
        self.wait_for_rows(graph, "Tasks", CHECKS)

    def a_task_that_holds(self):
        """A window with it, where it has written and goes on."""
        page = self.tasks()
        page.get_by_role("searchbox", name="Text in value or error").fill('"hold"')
        self.wait_for_rows(page, "Tasks", len(HOLD))
        page.get_by_role("grid", name="Tasks").get_by_role("link").first().click()
        page.get_by_role("log", name="Output").wait_for_text("holding")
        page.get_by_role("article", name="Attempt 1").wait_for_text("running")
        return page
