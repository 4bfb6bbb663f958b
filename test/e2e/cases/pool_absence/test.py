"""Submitters on the socket that don't come back: some time after they were lost, or after the start of the daemon that heard
of them from an earlier one, they have gone away."""

import signal
import time
import uuid

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline

RECONNECT_SECONDS = 8  # long enough for a client on a starved machine to be back in time


class Absence(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.start_daemon()

    def start_daemon(self):
        self.started = time.monotonic()
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug", "--reconnect-secs", str(RECONNECT_SECONDS))

    def restart(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()
        self.start_daemon()

    def submit(self, number):
        """By a connection of its own: the id, the connection."""
        id_ = str(uuid.uuid4())
        client = self.pool.connect()
        client.send(inline({"n": number}, id_))
        wait_until(lambda: f"submission {id_} is queued" in self.daemon.err, "the submission to be queued")
        return id_, client

    def agent_with(self, number):
        agent = HandAgent(self.pool)
        self.assertEqual(agent.content(), {"n": number})
        return agent

    def wait_for_withdrawal(self, id_):
        """And when it came, in seconds since the daemon's start."""
        wait_until(lambda: f"submission {id_} was withdrawn" in self.daemon.err, f"{id_} to be withdrawn")
        return time.monotonic() - self.started

    def assert_not_too_early(self, seconds):
        self.assertGreater(seconds, RECONNECT_SECONDS - 0.1)

    def test_who_is_not_back_in_time_after_a_restart_has_gone_away_and_who_is_has_not(self):
        (gone, first), (back, second), (handed_back, third) = (self.submit(n) for n in (1, 2, 3))
        gone_agent, back_agent, leaving = (self.agent_with(n) for n in (1, 2, 3))
        for client in (first, second, third):
            client.close()
        self.restart()
        with self.pool.connect() as client:
            client.send(inline({"n": 2}, back))
            leaving.ready.unlink()  # its task is queued now, for a submitter that is away
            self.assert_not_too_early(self.wait_for_withdrawal(gone))
            self.assert_not_too_early(self.wait_for_withdrawal(handed_back))
            back_agent.respond("[2]")
            self.assertEqual(client.receive(), {"id": back, "kind": "Processed", "stdout": "[2]"})
        self.pool.still(gone_agent.task.exists, "the agent keeps its task: only the answer is nobody's")
        other = HandAgent(self.pool)
        self.pool.still(lambda: not other.has_task(), "nothing is left to do")
        self.restart()  # who has gone away stays away
        gone_agent.respond("[1]")
        wait_until(lambda: gone_agent.files() == [], "the response to be taken")
        self.assertEqual(self.pool.submission_files(), [])
        self.assertFalse(other.has_task())

    def test_who_lost_the_connection_to_a_daemon_that_goes_on_has_as_long(self):
        (gone, first), (back, second) = (self.submit(n) for n in (1, 2))
        lost = time.monotonic()
        first.close()
        second.close()
        with self.pool.connect() as client:
            client.send(inline({"n": 2}, back))
            self.wait_for_withdrawal(gone)
            self.assert_not_too_early(time.monotonic() - lost)
            agent = self.agent_with(2)
            agent.respond("[2]")
            self.assertEqual(client.receive()["stdout"], "[2]")
        other = HandAgent(self.pool)
        self.pool.still(lambda: not other.has_task(), "nothing is left to do")
