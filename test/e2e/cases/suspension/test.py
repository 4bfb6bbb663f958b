"""Programs that are suspended, by Ctrl-Z or in a frozen container: no timeout comes of it."""

import os
import signal
import time

from harness import Case, HandAgent, Pool, slack, wait_until
from harness.workflow import WorkflowCase, step

SUSPENDED = "this process was suspended"
HANG = "echo $$ > pid.new; mv pid.new pid; exec sleep 1000"


def work(ticks):
    """A command that is at work for so many tenths of a second, and notes its begin and its end."""
    return (f"echo $$ > pid.new; mv pid.new pid; echo run >> runs; i=0; while [ $i -lt {ticks} ]; "
            "do sleep 0.1; i=$((i+1)); done; touch done; echo '[]'")


class SuspendedRun(WorkflowCase):
    def start_work(self, script, timeout):
        run = self.start_run([step("Work", script, options={"timeout": timeout, "max_retries": 1})])
        wait_until((self.work / "pid").exists, "the command")
        self.began = time.monotonic()
        self.group = int((self.work / "pid").read_text())
        return run

    def let_time_pass(self, seconds):
        """Until so long after the command's begin: what is tested is what time does."""
        wait_until(lambda: time.monotonic() - self.began > seconds, "the time to pass")

    def assert_done_once(self, run):
        self.assert_run(run.result())
        self.assertEqual(self.count("runs"), 1, run.err)

    def test_a_command_that_ended_meanwhile_is_done(self):
        run = self.start_work(work(10), 2)
        run.signal(signal.SIGSTOP)
        wait_until((self.work / "done").exists, "the command's end")
        self.let_time_pass(slack(2))
        run.signal(signal.SIGCONT)
        self.assert_done_once(run)

    def test_a_command_that_was_frozen_too_has_all_of_its_time(self):
        run = self.start_work(work(slack(20)), slack(3))
        run.signal(signal.SIGSTOP)
        os.killpg(self.group, signal.SIGSTOP)
        self.let_time_pass(slack(5))
        os.killpg(self.group, signal.SIGCONT)
        run.signal(signal.SIGCONT)
        self.assert_done_once(run)
        self.assertIn(SUSPENDED, run.err)

    def test_a_command_that_hangs_times_out_after_a_suspension(self):
        run = self.start_work(HANG, 2)
        run.signal(signal.SIGSTOP)
        self.let_time_pass(slack(2))
        run.signal(signal.SIGCONT)
        self.assert_run(run.result(), 1)
        self.assertIn("took longer than its timeout", run.err)


class SuspendedAgent(Case):
    def test_a_response_that_was_done_in_time_counts(self):
        pool = Pool(self)
        daemon = pool.start("--no-heartbeat")
        agent = self.start("troupe", "agent", "--exec", work(10))
        submitter = pool.submit({"n": 0, "timeout_seconds": 2})
        wait_until((self.work / "pid").exists, "the command")
        agent.signal(signal.SIGSTOP)
        wait_until((self.work / "done").exists, "the command's end")
        wait_until(lambda: "to end its work: Timeout" in daemon.err, "the deadline")
        agent.signal(signal.SIGCONT)
        self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assertEqual((self.work / "runs").read_text(), "run\n")


class SuspendedSubmitter(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.pool.start("--no-heartbeat")

    def start_submitter(self, transport):
        """One that waits for an agent's answer for 2 s, and the agent."""
        submitter = self.pool.submit({"by": transport}, "--timeout-secs", "2", transport=transport)
        agent = HandAgent(self.pool)
        agent.task_text()
        return submitter, agent

    def let_time_pass(self, submitter):
        wait_until(lambda: time.monotonic() - submitter.started > slack(2), "the time to pass")

    def test_an_answer_that_came_meanwhile_is_printed(self):
        for transport in ("socket", "file"):
            submitter, agent = self.start_submitter(transport)
            submitter.signal(signal.SIGSTOP)
            agent.respond("[1]")
            wait_until(lambda: agent.files() == [], "the daemon to pass the response on")
            self.let_time_pass(submitter)
            submitter.signal(signal.SIGCONT)
            self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[1]"})
            self.assertEqual(self.pool.submission_files(), [])

    def test_the_time_goes_on_after_it(self):
        for transport in ("socket", "file"):
            submitter, _ = self.start_submitter(transport)
            submitter.signal(signal.SIGSTOP)
            self.let_time_pass(submitter)
            submitter.signal(signal.SIGCONT)
            self.assertEqual(submitter.result().code, 124)
            self.assertIn(SUSPENDED, submitter.err)
