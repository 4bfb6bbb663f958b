"""Submitters that go away."""

import signal

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline

ID = "9d2b7f1e-4c1a-4a53-8f0e-6f3d2c5b7a10"


class Withdraw(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def assert_next_is(self, content):
        """Submits `content`, and a fresh agent is given that and nothing from before."""
        self.pool.settle()
        agent = HandAgent(self.pool)
        self.pool.still(lambda: not agent.has_task(), "nothing is left from before")
        with self.pool.connect() as client:
            client.send(inline(content))
            self.assertEqual(agent.content(), content)
            agent.respond("[]")
            self.assertEqual(client.receive()["kind"], "Processed")

    def test_a_socket_closed_both_ways_withdraws_a_queued_submission(self):
        client = self.pool.connect()
        client.send(inline({"gone": 1}))
        client.close()
        self.assert_next_is({"next": 1})

    def test_a_half_closed_socket_still_gets_its_answer(self):
        with self.pool.connect() as client:
            client.send(inline({"half": 1}))
            client.half_close()
            self.pool.still(lambda: not client.has_data(0.01), "the submission waits")
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), {"half": 1})
            agent.respond("[1]")
            self.assertEqual(client.receive(), {"kind": "Processed", "stdout": "[1]"})

    def test_a_removed_request_file_withdraws_a_queued_submission(self):
        id_ = self.pool.request_by_file(inline({"gone": 1}))
        marker = self.pool.request_by_file({"kind": "Nonsense"})
        self.pool.response_by_file(marker)  # the daemon has read the first by now
        (self.pool.path / "submissions" / f"{id_}.request.json").unlink()
        self.assert_next_is({"next": 1})
        self.assertEqual(self.pool.submission_files(), [])

    def test_the_answer_for_a_submitter_that_left_its_agent_at_work_is_discarded(self):
        client = self.pool.connect()
        client.send(inline({"gone": 1}))
        by_socket = HandAgent(self.pool)
        by_socket.task_text()
        client.close()
        id_ = self.pool.request_by_file(inline({"gone": 2}))
        by_file = HandAgent(self.pool)
        self.assertEqual(by_file.content(), {"gone": 2})
        (self.pool.path / "submissions" / f"{id_}.request.json").unlink()
        for agent in (by_socket, by_file):
            agent.respond("[]")
            wait_until(lambda: agent.files() == [], "the agent's files to go")
        self.assert_next_is({"next": 1})
        self.assertEqual(self.pool.submission_files(), [])

    def test_what_is_withdrawn_as_its_answer_comes_is_kept_for_nobody(self):
        client = self.pool.connect()
        client.send(inline({"gone": 1}, ID))
        agent = HandAgent(self.pool)
        agent.task_text()
        # So that the daemon sees the response first, and its submitter gone only when it sends the answer.
        self.daemon.signal(signal.SIGSTOP)
        agent.respond("[]")
        client.send({"kind": "Withdraw", "id": ID})
        client.close()
        self.daemon.signal(signal.SIGCONT)
        wait_until(lambda: agent.files() == [], "the agent's files to go")
        self.assert_next_is({"next": 1})
        wait_until(lambda: self.pool.submission_files() == [], "the answer to go")

    def test_an_interrupted_submit_task_takes_its_submission_back(self):
        for transport in ("socket", "file"):
            for number in (signal.SIGINT, signal.SIGTERM):
                submitter = self.pool.submit({"gone": transport}, transport=transport)
                if transport == "file":
                    wait_until(self.pool.submission_files, "the request file")
                else:
                    wait_until(lambda: self.pool.queued() == 1, "the submission")
                submitter.signal(number)
                self.assertIn(submitter.result().code, (128 + number, -number))
                self.assert_next_is({"next": transport})
                self.assertEqual(self.pool.submission_files(), [])

    def test_an_agent_whose_submitter_left_serves_the_next_one(self):
        client = self.pool.connect()
        client.send(inline({"gone": 1}))
        assignment = self.pool.take()
        client.close()
        self.pool.answer(assignment, "[]")
        agent = self.pool.get_task()
        submitter = self.pool.submit({"n": 2})
        second = agent.json()
        self.assertEqual(second["content"], {"n": 2})
        self.pool.answer(second, "[]")
        self.assert_exit(submitter.result(), 0)
