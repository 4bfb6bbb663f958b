"""Runs in their directories: those that end at once, that wait, and that are killed."""

import json
import signal

from harness import wait_until
from harness.workflow import KEEP, WorkflowCase, step

WAITS = "touch started; await go; echo '[]'"
QUICK = [step("Quick", "echo '[]'")]


class RunsCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.runs = self.home / ".local/state/barnum/runs"

    def barnum(self, *args, code=0, **how):
        result = self.run_program("barnum", *args, **how)
        self.assert_exit(result, code)
        return result

    def ps(self, *args):
        return json.loads(self.barnum("ps", "--json", *args).out)

    def only(self, *args):
        (run,) = self.ps(*args)
        return run

    def start_waiting(self, *args, **more):
        """A run whose task waits for the file `go`."""
        run = self.start_run([step("Wait", WAITS), step("Next", KEEP)], *args, **more)
        wait_until((self.work / "started").exists, "the task to start")
        return run

    def end_runs(self):
        """For tearDown: ends what still runs, or waits, in the background."""
        for run in self.ps():
            if run["state"] in ("running", "paused"):
                self.run_program("barnum", "cancel", run["id"], "--now")

    def kill(self, run):
        run.signal(signal.SIGKILL)
        run.result()
        wait_until(lambda: self.only()["state"] == "lost", "the guard to let go of the state log")
