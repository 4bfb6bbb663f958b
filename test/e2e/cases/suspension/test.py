"""Programs that are suspended, by Ctrl-Z or in a frozen container: no timeout comes of it."""

import os
import signal
import time
from pathlib import Path

from harness import Case, HandAgent, Pool, let_pass, wait_until
from harness.workflow import WorkflowCase, step

SUSPENDED = "this process was suspended"
HANG = "echo $$ > pid.new; mv pid.new pid; exec sleep 1000"
# Is at work until there is the file `go`, and notes its begin and its end.
WORK = ("echo $$ > pid.new; mv pid.new pid; echo run >> runs; await go; touch done; "
        "echo '[]'")
TIMEOUT = 10  # seconds, within which the test has to suspend what it has started, and what was resumed has to end


def wait_until_idle(process):
    """Until it sleeps, and so has set the time limit of what it has started: before that it would notice no suspension."""
    def sleeps():
        return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    wait_until(sleeps, f"{process.name} to wait for what it has started")


class SuspendedRun(WorkflowCase):
    def start_work(self, script, timeout=TIMEOUT):
        run = self.start_run([step("Work", script, options={"timeout": timeout, "max_retries": 1})])
        wait_until((self.work / "pid").exists, "the command")
        wait_until_idle(run)
        self.began = time.monotonic()
        self.group = int((self.work / "pid").read_text())
        return run

    def go(self):
        (self.work / "go").touch()

    def assert_done_once(self, run):
        self.assert_run(run.result())
        self.assertEqual(self.count("runs"), 1, run.err)

    def test_a_command_that_ended_meanwhile_is_done(self):
        run = self.start_work(WORK)
        run.signal(signal.SIGSTOP)
        self.go()
        wait_until((self.work / "done").exists, "the command's end")
        let_pass(TIMEOUT + 1, self.began)
        run.signal(signal.SIGCONT)
        self.assert_done_once(run)

    def test_a_command_that_was_frozen_too_has_all_of_its_time(self):
        run = self.start_work(WORK)
        run.signal(signal.SIGSTOP)
        os.killpg(self.group, signal.SIGSTOP)
        let_pass(TIMEOUT + 1, self.began)
        os.killpg(self.group, signal.SIGCONT)
        run.signal(signal.SIGCONT)
        wait_until(lambda: SUSPENDED in run.err, "the run to notice")
        self.go()
        self.assert_done_once(run)

    def test_a_command_that_hangs_times_out_after_a_suspension(self):
        run = self.start_work(HANG, 1)
        run.signal(signal.SIGSTOP)
        let_pass(2, self.began)
        run.signal(signal.SIGCONT)
        self.assert_run(run.result(), 1)
        self.assertIn("took longer than its timeout", run.err)


class SuspendedAgent(Case):
    def test_a_response_that_was_done_in_time_counts(self):
        pool = Pool(self)
        daemon = pool.start("--no-heartbeat")
        agent = self.start("troupe", "agent", "--exec", WORK)
        submitter = pool.submit({"n": 0, "timeout_seconds": TIMEOUT})
        wait_until((self.work / "pid").exists, "the command")
        agent.signal(signal.SIGSTOP)
        (self.work / "go").touch()
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

    def suspend_submitters(self):
        """One by socket and one by file that wait for an agent's answer, suspended, and the agents."""
        pairs = []
        for transport in ("socket", "file"):
            submitter = self.pool.submit({"by": transport}, "--timeout-secs", TIMEOUT, transport=transport)
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), {"by": transport})
            wait_until_idle(submitter)
            submitter.signal(signal.SIGSTOP)
            pairs.append((submitter, agent))
        return pairs

    def test_an_answer_that_came_meanwhile_is_printed(self):
        pairs = self.suspend_submitters()
        for _, agent in pairs:
            agent.respond("[1]")
            wait_until(lambda: agent.files() == [], "the daemon to pass the response on")
        let_pass(TIMEOUT + 1)
        for submitter, _ in pairs:
            submitter.signal(signal.SIGCONT)
            self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[1]"})
        self.assertEqual(self.pool.submission_files(), [])

    def test_the_time_goes_on_after_it(self):
        pairs = self.suspend_submitters()
        let_pass(TIMEOUT + 1)
        for submitter, _ in pairs:
            submitter.signal(signal.SIGCONT)
            self.assertEqual(submitter.result().code, 124)
            self.assertIn(SUSPENDED, submitter.err)
