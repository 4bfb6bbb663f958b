"""A --wake script that is ended, and what it leaves behind: the one goes, the other stays."""

import os
import signal

from harness import wait_until
from harness.process import marked_processes
from harness.workflow import WorkflowCase, step

STAY = "sh -c 'trap \"\" TERM INT; echo $$ > {0}.tmp; mv {0}.tmp {0}; exec sleep 1000'"
STEPS = [step("Stay", "touch began; sleep 1000")]


class Wake(WorkflowCase):
    def pid(self, name):
        path = self.work / name
        wait_until(path.exists, f"the process {name}")
        return int(path.read_text())

    def start_waking(self, script):
        return self.start_run(STEPS, "--wake", script)

    def assert_gone(self, pid):
        wait_until(lambda: pid not in marked_processes(self.mark), f"the end of {pid}")

    def assert_stays(self, pid):
        self.assertIn(pid, marked_processes(self.mark))
        os.kill(pid, signal.SIGKILL)

    def test_an_interrupt_ends_a_script_that_ignores_sigterm(self):
        run = self.start_waking("exec " + STAY.format("script"))
        pid = self.pid("script")
        run.signal(signal.SIGINT)
        self.assertEqual(run.result().code, 130)
        self.assert_gone(pid)

    def test_a_second_interrupt_ends_it_at_once(self):
        run = self.start_waking("exec " + STAY.format("script"))
        pid = self.pid("script")
        run.signal(signal.SIGINT)
        wait_until(lambda: "once more" in run.err, "the first interrupt to be noticed")
        wait_until(lambda: run.signal(signal.SIGINT) or not run.running, "the second one to end it")
        self.assertEqual(run.result().code, 130)
        self.assert_gone(pid)

    def test_a_script_dies_with_a_killed_run(self):
        run = self.start_waking(STAY.format("script") + " & wait")
        pid = self.pid("script")
        run.signal(signal.SIGKILL)
        run.result()
        self.assert_gone(pid)

    def test_what_it_left_behind_stays_when_the_run_is_interrupted(self):
        run = self.start_waking(STAY.format("agent") + " &")
        wait_until((self.work / "began").exists, "the first task")
        run.signal(signal.SIGINT)
        self.assertEqual(run.result().code, 130)
        self.assert_stays(self.pid("agent"))

    def test_what_it_left_behind_stays_when_the_run_is_killed(self):
        run = self.start_waking(STAY.format("agent") + " &")
        wait_until((self.work / "began").exists, "the first task")
        began = [pid for pid, line in marked_processes(self.mark).items() if "touch began" in line]
        run.signal(signal.SIGKILL)
        run.result()
        for pid in began:
            self.assert_gone(pid)
        self.assert_stays(self.pid("agent"))

    def test_what_moved_to_a_session_of_its_own_stays_when_the_script_is_ended(self):
        run = self.start_waking(f"setsid {STAY.format('agent')} & sleep 1000")
        pid = self.pid("agent")
        run.signal(signal.SIGINT)
        self.assertEqual(run.result().code, 130)
        self.assert_stays(pid)
