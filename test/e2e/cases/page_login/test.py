"""Who has no token sees nothing; who has it does not leave it in the address."""

from harness.page import PageCase
from harness.runs import QUICK


class Login(PageCase):
    tolerated = "status of 401"  # Chromium writes each refused request to the console

    def setUp(self):
        super().setUp()
        self.assert_exit(self.run_workflow(QUICK, "--name", "secret-run"), 0)
        self.server = self.serve()

    def token_is_asked_for(self, page):
        page.get_by_role("heading", name="This page needs the token").wait_for()
        self.assertNotIn("secret-run", page.content())

    def test_without_the_token_nothing_is_shown(self):
        for hash_ in ("", "#/runs", "#/pools", "#/questions", "#token=wrong"):
            with self.subTest(hash_):
                self.token_is_asked_for(self.window(self.server.origin + hash_, self.server.origin))

    def test_the_token_is_typed(self):
        page = self.window(self.server.origin, self.server.origin)
        self.token_is_asked_for(page)
        field = page.get_by_label("Token")
        field.fill("wrong")
        page.key("Enter")
        page.get_by_role("alert").wait_for_text(r"\w")
        field.fill(self.server.token)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("grid", name="Runs").wait_for_text("secret-run")

    def test_the_token_does_not_stay_in_the_address(self):
        page = self.open(self.server)
        self.assertEqual(page.url(), self.server.origin + "#/runs")
        self.assertEqual(page.script("() => document.cookie"), "", "the cookie is not for scripts")
        page.go_back()
        self.assertNotIn(self.server.token, page.url())

    def test_a_tab_of_the_same_window_needs_no_token_and_a_new_window_does(self):
        page = self.open(self.server)
        page.tab(self.server.origin).get_by_role("grid", name="Runs").wait_for_text("secret-run")
        self.token_is_asked_for(self.window(self.server.origin, self.server.origin))

    def test_a_token_that_counts_no_more_leads_back_to_the_question(self):
        page = self.open(self.server)
        page.get_by_role("grid", name="Runs").wait_for_text("secret-run")
        page.context().clear_cookies()
        page.reload()
        self.token_is_asked_for(page)
