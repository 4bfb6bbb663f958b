"""A daemon with nothing to do makes no system call."""

from harness import DEADLINE, Case, Pool, wait_until
from harness.tracing import Tracing


class Idle(Tracing, Case):
    def setUp(self):
        super().setUp()
        self.require_strace()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def test_it_makes_no_system_call_for_ten_seconds_while_agents_wait(self):
        agents = [self.pool.get_task(), self.pool.get_task()]
        submitter = self.pool.submit({"n": 1})
        served = wait_until(lambda: next((a for a in agents if not a.running), None), "the agent that was served")
        self.pool.answer(served.json(), "[]")
        self.assert_exit(submitter.result(), 0)
        self.pool.get_task()
        wait_until(lambda: len(self.pool.agent_files()) == 2, "two agents that wait, and nothing else")
        # What was due while there was work wakes it once more, as does the scan of last resort half a minute later.
        calls = next((calls for _ in range(10) if not (calls := self.trace(self.daemon, 10))), "ten times")
        self.assertEqual(calls, [])

    def test_the_tracing_sees_what_a_daemon_does_when_there_is_work(self):
        submitter = self.start("/bin/sh", "-c", f"sleep 2; exec troupe submit_task --data 1 --timeout-secs 1 "
                                                f"--root {self.root}")
        self.assertNotEqual(self.trace(self.daemon, DEADLINE), [])
        self.assert_exit(submitter.result(), 124)
