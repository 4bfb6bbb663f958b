"""A report is opened from its file, with the network off: the same views as of the live page, with the same numbers."""

import re

from harness import review_run
from harness.page import PageCase
from harness.review_run import ALL, CHECKS, FAILED, RETRIED


class Reports(PageCase):
    def setUp(self):
        super().setUp()
        self.run_id = review_run.start(self)

    def report(self):
        """A window with a report of the run, without a network."""
        path = self.work / "report.html"
        self.barnum("report", self.run_id, "-o", path)
        page = self.window(path.as_uri(), path.as_uri(), offline=True)
        page.get_by_role("heading", name="review", exact=True).wait_for()
        return page

    def test_of_a_run_that_goes_on_and_then_ends(self):
        self.one_after_the_other(self.it_goes_on)
        review_run.end(self, self.run_id)
        self.one_after_the_other(self.it_has_ended, self.its_tasks_are_found_and_shown, self.it_is_accessible_in_both_themes)

    def it_has_ended(self):
        page = self.report()
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_numbers_of_log(page, self.run_id)
        self.wait_for_figures(page, done=f"{ALL - FAILED:,} of {ALL:,}", dropped=str(FAILED), retries=str(RETRIED))
        for name in ("Runs", "Pools", "Human"):
            self.assertEqual(page.get_by_role("navigation", name="Views").get_by_role("link", name=name).count(), 0, name)
        for name in ("Pause", "Retry", "Scale", "Cancel"):
            self.assertEqual(page.get_by_role("button", name=re.compile(name)).count(), 0, name)

    def its_tasks_are_found_and_shown(self):
        (page,) = self.windows
        page.get_by_role("link", name="Tasks", exact=True).click()
        self.wait_for_rows(page, "Tasks", ALL)
        page.get_by_role("searchbox", name="Text in value or error").fill("no such file")
        self.wait_for_rows(page, "Tasks", FAILED)
        page.get_by_role("grid", name="Tasks").get_by_role("link").first().click()
        page.get_by_role("article", name="Attempt 2").wait_for_text("CommandFailed.*exit code 3.*error: no such file")
        page.get_by_role("log", name="Output").wait_for_text("reading the file.*error: no such file")
        page.go_back()
        page.get_by_role("searchbox", name="Text in value or error").fill("")
        page.get_by_role("combobox", name="Step").select_option(label="Check")
        self.wait_for_rows(page, "Tasks", CHECKS)

    def it_goes_on(self):
        page = self.report()
        page.get_by_role("table", name="Steps").wait_for()
        self.wait_for_numbers_of_log(page, self.run_id)
        page.get_by_text(re.compile("Report of 2")).wait_for()

    def it_is_accessible_in_both_themes(self):
        (page,) = self.windows
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for view in ("graph", "tasks", "timeline", "task/10"):
                with self.subTest(f"{scheme} {view}"):
                    page.go(f"#/run/{self.run_id}/{view}")
                    page.get_by_text("Check").first().wait_for(state="attached")
                    self.assert_accessible(page, view)
                    self.assert_fits(page, view)
