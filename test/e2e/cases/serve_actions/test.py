"""What can be done through `barnum serve`: pause, continue, scale, cancel, retry, and answers to questions."""

import http.client
import json
import os
import select
import signal
from pathlib import Path

from harness import wait_until
from harness.runs import WAITS, RunsCase
from harness.serve import Page
from harness.workflow import KEEP, emit, step

HUMAN = {"kind": "Human", "instructions": "Is it good?"}
DO = {"name": "Do", "action": {"kind": "Command", "script": KEEP}, "next": [],
      "value_schema": {"type": "object", "required": ["n"]}}


class ActionCase(RunsCase):
    def serve(self):
        self.page = Page(self)

    def act(self, verb, body=None, status=200, run=None):
        """What the action on the run says."""
        got, _, text = self.page.post(f"/api/runs/{run or self.run_id}/{verb}", body)
        self.assertEqual(got, status, text)
        answer = json.loads(text)
        if status != 200:
            self.assertEqual(list(answer), ["error"])
            return answer["error"]
        return answer.get("message") or answer["run"]

    def state(self, run=None):
        return self.page.json(f"/api/runs/{run or self.run_id}")["run"]["state"]

    def wait_for_state(self, state):
        wait_until(lambda: self.state() == state, f"the run to be {state}")

    def waiting_run(self, *args):
        process = self.start_waiting(*args)
        self.run_id = self.only()["id"]
        self.serve()
        return process


class Living(ActionCase):
    def test_pause_and_continue(self):
        process = self.waiting_run()
        self.assertIn("is paused", self.act("pause"))
        self.assertEqual(self.state(), "paused")
        self.assertIn("is paused already", self.act("pause"))
        self.assertIn("continues", self.act("continue"))
        self.assertEqual(self.state(), "running")
        (self.work / "go").touch()
        self.assert_run(process.result())
        self.assertIn("is not running: its state is finished", self.act("pause", status=409))

    def test_more_local_processes(self):
        fan_out = emit(*[("Wait", n) for n in range(3)])
        waits = "echo . >>begun; await go; echo '[]'"
        process = self.start_run([step("Split", fan_out, ["Wait"]), step("Wait", waits)], "--jobs", "1")
        wait_until((self.work / "begun").exists, "the first task")
        self.run_id = self.only()["id"]
        self.serve()
        self.assertIn("has 3 local processes at once", self.act("scale", {"jobs": 3}))
        wait_until(lambda: (self.work / "begun").read_text() == ".\n" * 3, "three at once")
        for body, error in (({"jobs": 0}, "whole number from 1"), ({"agents": 2}, "agents"), ({"jobs": 1, "agents": 10_001}, "10000")):
            self.assertIn(error, self.act("scale", body, status=409))
        self.assertIn("Nothing is to be changed", self.act("scale", {}, status=400))
        for value in ("3", -1, 1.5):
            self.assertIn("`jobs`", self.act("scale", {"jobs": value}, status=400))
        (self.work / "go").touch()
        self.assert_run(process.result())

    def test_cancel(self):
        process = self.waiting_run()
        self.assertIn("is ending", self.act("cancel"))
        self.assert_run(process.result(), 143)
        self.wait_for_state("interrupted")
        self.assertIn("is not running: its state is interrupted", self.act("cancel", status=409))

    def test_cancel_at_once_what_ignores_the_signal(self):
        process = self.start_run([step("Wait", f"trap '' TERM; {WAITS}")])
        wait_until((self.work / "started").exists, "the task to start")
        self.run_id = self.only()["id"]
        self.serve()
        self.act("cancel", {"now": True})
        process.result()
        self.wait_for_state("interrupted")

    def test_who_did_what_is_logged(self):
        process = self.waiting_run()
        self.act("pause")
        self.act("scale", {"jobs": 0}, status=409)
        self.assertRegex(self.page.process.err, rf"INFO +127\.0\.0\.1:\d+: pause \(run {self.run_id}\): .* is paused")
        self.assertRegex(self.page.process.err, rf"WARN +127\.0\.0\.1:\d+: scale \(run {self.run_id}\) failed: ")
        self.act("cancel")
        process.result()

    def test_what_is_no_action(self):
        process = self.waiting_run()
        self.assertEqual(self.act("pause", run="nothing", status=404), "There is no run nothing.")
        for body in ("[]", "{", "null", "1"):
            status, _, text = self.page.request(f"/api/runs/{self.run_id}/pause", "POST", body,
                                                **self.page.bearer, Content_Type="application/json")
            self.assertEqual((status, json.loads(text)["error"]), (400, "The body must be a JSON object."), body)
        self.act("cancel", {"now": "yes"}, status=400)
        self.assertEqual(self.state(), "running")
        self.act("cancel")
        process.result()


class Retrying(ActionCase):
    def failed_run(self):
        fails = "[ -e mended ] && echo '[]' || exit 3"
        result = self.run_workflow([step("Split", emit(("Bad", 1), ("Bad", 2), ("Worse", 3)), ["Bad", "Worse"]),
                                    step("Bad", fails), step("Worse", fails)], "--name", "x")
        self.assert_exit(result, 1)
        (run,) = self.ps("-a")
        self.run_id = run["id"]
        self.serve()
        (self.work / "mended").touch()

    def retried(self, body):
        """(the new run, how many tasks it has dropped)"""
        new = self.act("retry", body)
        self.barnum("wait", new, code=0 if body == {} else 1)
        return new, self.page.json(f"/api/runs/{new}")["run"]["tasks"]["dropped"]

    def test_all_that_was_dropped(self):
        self.failed_run()
        new, dropped = self.retried({})
        self.assertEqual(dropped, 0)
        self.assertEqual(self.page.json(f"/api/runs/{new}")["run"]["retries"], self.run_id)

    def test_it_waits_for_no_explanation(self):
        self.failed_run()
        stopped = set()

        def living():
            return {pid for pid in stopped if Path(f"/proc/{pid}").exists()}

        self.addCleanup(lambda: [os.kill(pid, signal.SIGCONT) for pid in living()])

        def stop_explanations():
            """Whether there were any that went on."""
            pid = self.page.process.pid
            found = set()
            for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
                if child in stopped:
                    continue
                try:
                    if b"\0why\0" in Path(f"/proc/{child}/cmdline").read_bytes():
                        os.kill(child, signal.SIGSTOP)
                        found.add(child)
                except (FileNotFoundError, ProcessLookupError):
                    continue
            stopped.update(found)
            return found

        def all_places_are_taken():
            request = http.client.HTTPConnection(*self.page.address)
            self.addCleanup(request.close)
            request.request("GET", f"/api/runs/{self.run_id}/tasks/0/why", headers=self.page.bearer)
            while len(living()) < 4 and not select.select([request.sock], [], [], 0)[0]:
                if stop_explanations():
                    break
            return len(living()) == 4

        wait_until(all_places_are_taken, "explanations that take long")
        self.retried({})
        self.assertEqual(len(living()), 4)

    def test_one_task(self):
        self.failed_run()
        self.assertEqual(self.retried({"tasks": [2]})[1], 2)

    def test_a_step(self):
        self.failed_run()
        self.assertEqual(self.retried({"step": "Bad"})[1], 1)

    def test_what_cannot_be_retried(self):
        self.failed_run()
        self.assertIn("99", self.act("retry", {"tasks": [99]}, status=409))
        self.assertIn("Nothing", self.act("retry", {"step": "Nothing"}, status=409))
        self.assertIn("--help", self.act("retry", {"step": "--help"}, status=409), "it is a name, and no option")
        self.act("retry", {"tasks": "1"}, status=400)
        self.act("retry", {"tasks": [-1]}, status=400)
        self.act("retry", {"step": 1}, status=400)
        self.assertIn("names no task", self.act("retry", {"tasks": []}, status=400))
        self.assertIn("U+0000", self.act("retry", {"step": "Bad\0x"}, status=400))
        new, _ = self.retried({})
        self.assertIn("nothing to retry", self.act("retry", status=409, run=new))


class Questions(ActionCase):
    def asks(self, *args, expires=None):
        human = HUMAN | ({"expires": expires} if expires else {})
        process = self.start_run([step("Start", emit(("Ask", {"n": 1}), ("Ask", "two")), ["Ask"]),
                                  step("Ask", human, ["Do"]), DO], *args)
        wait_until(lambda: [run for run in self.ps("-a") if run["tasks"]["done"] or run["tasks"].get("waiting_for_human")], "the run")
        self.run_id = self.ps("-a")[0]["id"]
        self.serve()
        wait_until(lambda: len(self.questions()) == 2, "the questions")
        return process

    def questions(self):
        return self.page.json("/api/questions")["questions"]

    def test_what_waits_is_told_with_what_an_answer_needs(self):
        self.asks("--name", "nightly", expires=3600)
        one, two = self.questions()
        self.assertEqual({name: one[name] for name in ("run", "run_name", "task", "row", "step", "value", "instructions", "answerable")},
                         {"run": self.run_id, "run_name": "nightly", "task": 1, "row": 1, "step": "Ask", "value": '{"n":1}',
                          "instructions": "Is it good?", "answerable": True})
        self.assertEqual(one["expires"] - one["since"], 3_600_000)
        self.assertEqual(one["next"], [{"name": "Do", "value_schema": DO["value_schema"]}])
        (todo,) = [task for task in json.loads(self.barnum("todo", "--json").out) if task["task_id"] == 2]
        self.assertEqual((todo["since"], json.dumps(todo["value"])), (two["since"], two["value"]))
        self.assertEqual(self.page.json(f"/api/runs/{self.run_id}/tasks/1")["state"], "human")

    def test_an_answer_and_a_rejection(self):
        process = self.asks()
        self.assertIn("Do", self.act("answer", {"task": 1, "response": '[{"kind":"Do","value":{}}]'}, status=409), "it must fit")
        self.assertIn("the response", self.act("answer", {"task": 1, "response": "[x"}, status=400))
        self.assertIn("task 1 is answered", self.act("answer", {"task": 1, "response": '[{"kind": "Do", "value": {"n": 1.50}}]'}))
        self.assertIn("task 1 was answered by", self.act("answer", {"task": 1, "response": "[]"}, status=409))
        self.assertEqual([question["task"] for question in self.questions()], [2])
        self.assertIn("task 2 is rejected", self.act("answer", {"task": 2, "reject": "--no; \"never\""}))
        self.assert_run(process.result(), 1)
        self.assertEqual(self.seen_text(), ['{"kind":"Do","value":{"n":1.50}}'])
        rejected = self.page.json(f"/api/runs/{self.run_id}/tasks/2")["attempts"][0]
        self.assertIn('--no; "never"', rejected["failure"]["message"])
        self.assertEqual(self.questions(), [])

    def test_a_long_answer(self):
        process = self.asks()
        long = "x" * 500_000
        self.act("answer", {"task": 1, "response": json.dumps([{"kind": "Do", "value": {"n": long}}])})
        self.act("answer", {"task": 2, "response": "[]"})
        self.assert_run(process.result())
        self.assertEqual(self.seen(), [("Do", {"n": long})])

    def test_a_run_that_is_not_running_keeps_the_answer(self):
        process = self.asks("--exit-when-waiting")
        process.result()
        self.assertEqual(len(self.questions()), 2)
        self.assertIn("that counts when the run is resumed", self.act("answer", {"task": 1, "response": "[]"}))
        self.assertEqual([question["task"] for question in self.questions()], [2])
        self.act("answer", {"task": 2, "response": "[]"})
        self.assertEqual(self.questions(), [])

    def test_a_damaged_answer_is_warned_of_once(self):
        self.asks("--exit-when-waiting").result()
        answers = self.runs / self.run_id / "answers"
        answers.mkdir(mode=0o700)
        (answers / "1.json").write_text("{")
        for _ in range(3):
            self.assertEqual(len(self.questions()), 2)
        (answers / "2.json").write_text("{")
        self.questions()
        wait_until(lambda: "2.json: the answer cannot be used" in self.page.process.err, "the second warning")
        self.assertEqual(self.page.process.err.count("1.json: the answer cannot be used"), 1)

    def test_what_is_no_answer(self):
        self.asks()
        for body, error in (({}, "`task`"), ({"task": 1}, "`response`"), ({"task": -1, "response": "[]"}, "`task`"),
                            ({"task": 1, "reject": ""}, "`response`"), ({"task": 1, "response": []}, "`response`"),
                            ({"task": 1, "response": "[]", "reject": "no"}, "not both")):
            self.assertIn(error, self.act("answer", body, status=400))
        self.assertIn("there is no task 99", self.act("answer", {"task": 99, "response": "[]"}, status=409))
        self.assertIn("not a Human step", self.act("answer", {"task": 0, "response": "[]"}, status=409))
        self.assertEqual(len(self.questions()), 2)
