"""A page that is kept open while `serve` is started again, while runs are killed and resumed, and in several tabs."""

import os
import re
import signal

from harness import wait_until
from harness.page import AWAY, PageCase
from harness.workflow import KEEP, emit, step

# A task a tenth of a second, until the file `go` is there: then all at once.
SLOW = """[ -e go ] || sleep 0.1; echo '[]'"""
COUNT = 400
# A driven browser takes all its tabs for seen.
SEEN = """(seen) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !seen });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


class Restarts(PageCase):
    tolerated = AWAY

    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def start_slow(self):
        config = self.write_config([step("List", emit(*[("Work", n) for n in range(COUNT)]), ["Work"]), step("Work", SLOW)])
        return self.barnum("run", "--detach", "--name", "slow", "--config", config, "--jobs", "2").out.strip()

    def done(self, page):
        """As soon as the page knows it."""
        return wait_until(lambda: re.match(r"(\d+) of", self.figures(page)["done"]), "the number of tasks that are done").group(1)

    def wait_for_more(self, page):
        before = self.done(page)
        wait_until(lambda: self.done(page) != before, "more to be done")

    def finish(self, page, run):
        (self.work / "go").touch()
        self.barnum("wait", run)
        self.wait_for_figures(page, done=f"{COUNT + 1} of {COUNT + 1}")
        self.wait_for_numbers_of_log(page, run)
        page.get_by_role("region", name="Run", exact=True).wait_for_text("finished")

    def test_serve_is_killed_and_started_again(self):
        run = self.start_slow()
        page = self.open(self.server, f"#/run/{run}/graph")
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_more(page)
        self.server.kill()
        page.get_by_text("connection lost").wait_for()
        self.server.start()
        page.get_by_text("connection lost").wait_for(state="hidden")
        self.wait_for_more(page)
        self.finish(page, run)

    def test_serve_is_away_while_the_run_ends(self):
        run = self.start_slow()
        page = self.open(self.server, f"#/run/{run}/graph")
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_more(page)
        self.server.stop()
        (self.work / "go").touch()
        self.barnum("wait", run)
        self.server.start()
        self.finish(page, run)

    def test_the_run_is_killed_and_resumed(self):
        run = self.start_slow()
        page = self.open(self.server, f"#/run/{run}/graph")
        runs = page.tab(self.server.origin + "#/runs")
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_more(page)
        os.kill(self.only()["pid"], signal.SIGKILL)
        header = page.get_by_role("region", name="Run", exact=True)
        header.wait_for_text("lost")
        self.wait_for_numbers_of_log(page, run)
        resumed = self.barnum("resume", run, "--detach").out.strip()
        header.wait_for_text("resumed")
        runs.get_by_role("grid", name="Runs").wait_for_text(resumed[:8])
        header.get_by_role("link", name=resumed[:8]).click()
        page.wait_for_url(re.compile(resumed))
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_more(page)
        self.finish(page, resumed)
        self.wait_for_rows(runs, "Runs", 2)

    def test_more_tabs_than_a_browser_has_connections_show_the_same(self):
        run = self.start_slow()
        first = self.open(self.server, f"#/run/{run}/graph")
        tabs = [first]
        for _ in range(6):  # so many connections
            tabs[-1].script(SEEN, False)
            tabs.append(first.tab(self.server.origin + f"#/run/{run}/graph"))
            tabs[-1].get_by_role("table", name="Steps").wait_for()
        (self.work / "go").touch()
        self.barnum("wait", run)
        for tab in tabs:
            tab.script(SEEN, True)
            self.wait_for_figures(tab, done=f"{COUNT + 1} of {COUNT + 1}")
            tab.script(SEEN, False)

    def test_a_run_that_is_removed_is_said_to_be(self):
        self.assert_exit(self.run_workflow([step("Quick", KEEP)], "--name", "short"), 0)
        run = self.only("-a")["id"]
        page = self.open(self.server, f"#/run/{run}/graph")
        page.get_by_role("table", name="Steps").wait_for()
        self.barnum("rm", run)
        page.get_by_text("This run was removed.").first().wait_for()
