"""What a person does with the page: pauses, continues, cancels and retries runs, answers and rejects questions."""

import json
import os
import pwd
import re

from harness import wait_until
from harness.page import PageCase
from harness.runs import WAITS
from harness.workflow import KEEP, step

USER = pwd.getpwuid(os.geteuid()).pw_name
NOTE = {"type": "object", "required": ["text"], "additionalProperties": False, "properties": {
    "text": {"type": "string"}, "weight": {"type": "integer", "minimum": 1}, "urgent": {"type": "boolean"},
    "to": {"enum": ["all", "some"]}}}


class ActionsCase(PageCase):
    def detach(self, steps, *options, **more):
        """The id of a new run in the background."""
        return self.barnum("run", "--detach", "--config", self.write_config(steps, **more), *options).out.strip()

    def state(self, run):
        return next(one["state"] for one in self.ps("-a") if one["id"] == run)

    def wait_for_state(self, run, state):
        wait_until(lambda: self.state(run) == state, f"the run to be {state}")

    def header(self, page):
        return page.get_by_role("region", name="Run", exact=True)


class Runs(ActionsCase):
    def test_a_run_is_paused_continued_and_cancelled(self):
        run = self.detach([step("Wait", WAITS), step("Next", KEEP)])
        page = self.open(self.serve(), f"#/run/{run}/graph")
        header = self.header(page)
        header.get_by_role("button", name="Pause").click()
        self.wait_for_state(run, "paused")
        header.wait_for_text("paused")
        header.get_by_role("button", name="Continue").click()
        self.wait_for_state(run, "running")
        header.get_by_role("button", name="Pause").wait_for()
        header.get_by_role("button", name="Cancel").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Back").click()
        self.assertEqual(self.state(run), "running")
        header.get_by_role("button", name="Cancel").click()
        dialog.get_by_role("checkbox").check()
        dialog.get_by_role("button", name="Cancel the run").click()
        self.wait_for_state(run, "interrupted")
        header.wait_for_text("interrupted")

    def test_a_run_is_scaled(self):
        run = self.detach([step("Wait", WAITS)], "--jobs", "1")
        page = self.open(self.serve(), f"#/run/{run}/graph")
        self.header(page).get_by_role("button", name="Scale").click()
        self.assertEqual(page.get_by_label("Agents of its own").count(), 0, "it has none")
        page.get_by_label("Local processes at once").fill("5")
        page.get_by_role("dialog").get_by_role("button", name="Scale").click()
        page.get_by_role("dialog").wait_for(state="hidden")
        page.get_by_text(re.compile("5")).first().wait_for()

    def failing(self):
        run = self.detach([step("List", "echo '[{\"kind\":\"Try\",\"value\":1},{\"kind\":\"Try\",\"value\":2}]'", ["Try"]),
                           step("Try", "test -e mended && echo '[]'")])
        self.barnum("wait", run, code=1)
        return run

    def test_dropped_tasks_are_tried_again_by_a_click(self):
        run = self.failing()
        page = self.open(self.serve(), f"#/run/{run}/graph")
        (self.work / "mended").touch()
        self.header(page).get_by_role("button", name="Retry").click()
        page.get_by_role("dialog").get_by_role("button", name="Retry").click()
        page.wait_for_url(re.compile(r"/run/(?!" + run + ")"))
        self.wait_for_figures(page, done="3 of 3")
        self.header(page).wait_for_text("finished")

    def test_one_task_is_tried_again_by_a_click(self):
        run = self.failing()
        page = self.open(self.serve(), f"#/run/{run}/task/2")
        (self.work / "mended").touch()
        page.get_by_role("button", name="Retry this task").click()
        page.wait_for_url(re.compile(r"/run/(?!" + run + ")"))
        self.wait_for_figures(page, done="2 of 3", dropped="1")

    def test_what_is_refused_is_said_and_what_was_typed_stays(self):
        run = self.detach([step("Wait", WAITS), step("Ask", {"kind": "Pool", "instructions": "Ask."})],
                          "--agents", "1", "--agent-exec", "cat")
        page = self.open(self.serve(), f"#/run/{run}/graph")
        self.header(page).get_by_role("button", name="Scale").click()
        page.get_by_label("Agents of its own").fill("3")
        page.get_by_label("Kind of these agents").fill("<b>codex</b>")
        self.tolerated = "status of 4"
        page.get_by_role("dialog").get_by_role("button", name="Scale").click()
        page.get_by_text("<b>codex</b>").first().wait_for()
        self.assertEqual(page.get_by_label("Agents of its own").input_value(), "3")


class Questions(ActionsCase):
    def ask(self):
        run = self.detach([step("Ask", {"kind": "Human", "instructions": "Is <b>this</b> right?"}, ["Note", "Stop"]),
                           step("Note", KEEP, value_schema=NOTE), step("Stop", KEEP)],
                          "--name", "asks", "--entrypoint-value", '{"text": "as it is"}')
        wait_until(lambda: json.loads(self.barnum("todo", "--json").out), "the question")
        return run

    def question(self, server):
        """A window with the question, found as a person finds it."""
        page = self.open(server)
        page.get_by_role("navigation", name="Views").get_by_role("link", name="Human").click()
        page.get_by_role("link", name=re.compile("Ask|Is <b>this")).first().click()
        page.get_by_text("Is <b>this</b> right?").first().wait_for()
        return page

    def note(self, page, text, weight=None):
        """Fills in the form for a Note."""
        page.get_by_role("button", name="+ Note").click()
        page.get_by_role("textbox", name="text").fill(text)
        if weight is not None:
            page.get_by_role("checkbox", name="weight").check()
            page.get_by_role("textbox", name="weight").fill(weight)

    def test_a_form_is_filled_in_and_the_run_goes_on(self):
        run = self.ask()
        page = self.question(self.serve())
        self.note(page, "as it should be", weight="3")
        page.get_by_role("button", name="Answer with 1 task").click()
        self.barnum("wait", run)
        self.assert_seen(("Note", {"text": "as it should be", "weight": 3}))

    def test_a_question_is_rejected(self):
        run = self.ask()
        page = self.question(self.serve())
        page.get_by_role("button", name="Reject").click()
        page.get_by_label("Reason").fill("too <dear>")
        page.get_by_role("button", name="Reject the task").click()
        self.barnum("wait", run, code=1)
        (task,) = self.inspect(run)["tasks"]
        (attempt,) = task["attempts"]
        self.assertEqual((attempt["failure"]["reason"], attempt["answered_by"]), ("Rejected", USER))
        self.assertIn("too <dear>", attempt["failure"]["message"])

    def test_what_does_not_fit_is_said_and_what_was_typed_stays(self):
        self.ask()
        page = self.question(self.serve())
        self.note(page, "so", weight="0")
        self.tolerated = "status of 409"
        page.get_by_role("button", name="Answer with 1 task").click()
        page.get_by_text(re.compile("weight.*(1|minimum)|does not fit")).first().wait_for()
        self.assertEqual(page.get_by_role("textbox", name="text").input_value(), "so")
        self.assertEqual(len(json.loads(self.barnum("todo", "--json").out)), 1)

    def test_the_second_person_is_told_who_was_first(self):
        run = self.ask()
        server = self.serve()
        first, second = self.question(server), self.question(server)
        self.note(second, "mine")
        self.note(first, "first")
        first.get_by_role("button", name="Answer with 1 task").click()
        self.barnum("wait", run)
        self.tolerated = "status of 4"
        second.get_by_role("button", name="Answer with 1 task").click()
        second.get_by_text(re.compile(f"answered by {USER}")).first().wait_for()
        self.assert_seen(("Note", {"text": "first"}))

    def test_nothing_moves_under_the_pointer_when_somebody_else_answers(self):
        self.ask()
        server = self.serve()
        first, second = self.question(server), self.question(server)
        self.note(second, "mine")
        button = second.get_by_role("button", name="Answer with 1 task")
        place = button.bounding_box()
        self.note(first, "first")
        first.get_by_role("button", name="Answer with 1 task").click()
        second.get_by_text("What you have typed is still here").first().wait_for()
        self.assertEqual(button.bounding_box(), place)
