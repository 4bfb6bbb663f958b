"""A daemon with nothing to do makes no system call."""

from shutil import which

from harness import DEADLINE, Case, Pool, require, sanitizer, wait_until


class Idle(Case):
    def setUp(self):
        super().setUp()
        require(which("strace"), "strace is not installed")
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def trace(self, seconds):
        """The calls of the daemon that return within so many seconds, as strace prints them."""
        # The thread sanitizer has a thread of its own that wakes up; then only the main one is looked at.
        follow = [] if sanitizer() == "thread" else ["-f"]
        out = self.home / "trace"
        strace = self.start("strace", *follow, "-qq", "-o", out, "-p", self.daemon.pid)
        status = f"/proc/{self.daemon.pid}/status"
        wait_until(lambda: self.traced_by(status) == strace.pid or not strace.running, "strace to attach")
        if not strace.running:
            require(False, f"strace may not trace here: {strace.err.strip()}")
        try:
            wait_until(lambda: self.finished_calls(out), "", seconds)
        except AssertionError:
            pass
        strace.terminate()
        strace.result()
        return self.finished_calls(out)

    @staticmethod
    def traced_by(status):
        with open(status, encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("TracerPid"))

    @staticmethod
    def finished_calls(path):
        """Lines of calls with a result: a thread that just goes on waiting has none."""
        if not path.exists():
            return []
        return [line for line in path.read_text().splitlines() if " = " in line and "ERESTART" not in line]

    def test_it_makes_no_system_call_for_ten_seconds_while_agents_wait(self):
        agents = [self.pool.get_task(), self.pool.get_task()]
        submitter = self.pool.submit({"n": 1})
        served = wait_until(lambda: next((a for a in agents if not a.running), None), "the agent that was served")
        self.pool.answer(served.json(), "[]")
        self.assert_exit(submitter.result(), 0)
        self.pool.get_task()
        wait_until(lambda: len(self.pool.agent_files()) == 2, "two agents that wait, and nothing else")
        # What was due while there was work wakes it once more, as does the scan of last resort half a minute later.
        calls = next((calls for _ in range(10) if not (calls := self.trace(10))), "ten times")
        self.assertEqual(calls, [])

    def test_the_tracing_sees_what_a_daemon_does_when_there_is_work(self):
        submitter = self.start("/bin/sh", "-c", f"sleep 2; exec troupe submit_task --data 1 --timeout-secs 1 "
                                                f"--root {self.root}")
        self.assertNotEqual(self.trace(DEADLINE), [])
        self.assert_exit(submitter.result(), 124)
