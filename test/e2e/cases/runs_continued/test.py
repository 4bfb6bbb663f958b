"""A killed run that another run continues: every command says the same of it, and names the run to use."""

import json
import os
import shutil
import signal

from harness import wait_until
from harness.runs import WAITS, RunsCase
from harness.workflow import step

HUMAN = {"kind": "Human", "instructions": "Is it good?"}
CHANGES = (("pause",), ("continue",), ("scale", "--jobs", "2"), ("attach",), ("cancel",))


class Continued(RunsCase):
    def tearDown(self):
        self.end_runs()
        super().tearDown()

    def start_waiting_and_asking(self):
        steps = [step("Wait", WAITS), step("Ask", HUMAN)]
        first = [{"kind": "Wait", "value": None}, {"kind": "Ask", "value": None}]
        return self.start_run(steps, "--initial-state", json.dumps(first), entrypoint=None)

    def killed_and_continued(self):
        """The ids of a killed run, and of the one that continues it, which waits for the file `go`."""
        run = self.start_waiting_and_asking()
        wait_until((self.work / "started").exists, "the task to start")
        self.kill(run)
        first = self.only()["id"]
        (self.work / "started").unlink()
        second = self.barnum("resume", first, "--detach").out.strip()
        wait_until((self.work / "started").exists, "the task to start again")
        return first, second

    def assert_over(self, first, second):
        states = {run["id"]: run["state"] for run in self.ps("-a")}
        self.assertEqual(states[first], "resumed")
        why = f"the run {first} is not running: it was killed, and the run {second} continues it: name that one"
        for command, *options in CHANGES:
            self.assertIn(why, self.barnum(command, first, *options, code=2).err, command)
        refused = self.barnum("answer", first, "1", "--response", "[]", code=2).err
        self.assertIn(f"was resumed by the run {second}", refused)
        self.assertIn("has been resumed already", self.barnum("resume", first, code=2).err)
        self.assertIn("has been resumed", self.barnum("retry", first, code=2).err)
        waited = self.barnum("wait", first, "--json", code=137)
        self.assertIn(f"it was killed, and the run {second} continues it", waited.err)
        self.assertEqual({key: json.loads(waited.out)[key] for key in ("state", "resumed_by")},
                         {"state": "resumed", "resumed_by": second})
        self.assertEqual(self.barnum("wait", first, code=137).out, f"{first} resumed\n")
        shown = self.barnum("inspect", first).out
        self.assertIn(f"1 waiting for a human here; it has been resumed by the run {second}, and that run's log is:", shown)
        self.assertEqual(json.loads(self.barnum("inspect", first, "--json").out)["status"], "stopped")
        self.barnum("logs", first, "-f")

    def test_while_the_other_run_lives_and_after_it_was_killed(self):
        first, second = self.killed_and_continued()
        self.assert_over(first, second)
        (pid,) = [run["pid"] for run in self.ps() if run["id"] == second]
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: [run["state"] for run in self.ps()] == ["lost"], "the second run to be over")
        self.assert_over(first, second)

    def test_the_newest_of_several_runs_is_named(self):
        first, second = self.killed_and_continued()
        self.barnum("cancel", second, "--now")
        (self.work / "started").unlink()
        third = self.barnum("resume", second, "--detach").out.strip()
        wait_until((self.work / "started").exists, "the task to start again")
        self.assert_over(first, third)
        self.assertIn(f"run {third}, which continues run {second} (the first was run {first})\n", self.barnum("inspect", third).out)
        why = self.barnum("attach", second, code=2).err
        self.assertIn(f"is not running: it has ended (interrupted), and the run {third} continues it: name that one", why)
        (self.work / "go").touch()

    def test_a_run_in_the_middle_whose_directory_was_removed_opens_none_before_it(self):
        first, second = self.killed_and_continued()
        self.barnum("cancel", second, "--now")
        (self.work / "started").unlink()
        third = self.barnum("resume", second, "--detach").out.strip()
        wait_until((self.work / "started").exists, "the task to start again")
        shutil.rmtree(self.runs / second)
        self.assert_over(first, third)
        self.assertIn("has been resumed already", self.barnum("resume", first, code=2).err)
        (self.work / "go").touch()
