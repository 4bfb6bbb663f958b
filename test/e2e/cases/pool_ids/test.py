"""A submission's id: asked twice, done once, and answers that wait for whoever asks again."""

import json
import signal
import uuid

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline


class Ids(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")
        self.request_id = str(uuid.uuid4())

    def assert_processed(self, answer, stdout, id_=None):
        expected = {"kind": "Processed", "stdout": stdout} | ({"id": id_} if id_ else {})
        self.assertEqual(answer, expected)

    def assert_nothing_left_to_do(self):
        """A fresh agent is given nothing."""
        agent = HandAgent(self.pool)
        self.pool.still(lambda: not agent.has_task(), "nobody is given the submission again")
        agent.ready.unlink()

    def have_all_seen(self):
        """Returns when the daemon has seen what happened so far, on sockets and in submissions/."""
        with self.pool.connect() as client:
            client.send({"kind": "odd"})
            client.receive()
        self.pool.response_by_file(self.pool.request_by_file({"kind": "odd"}))

    def serve(self, response="[]"):
        agent = HandAgent(self.pool)
        agent.task_text()
        agent.respond(response)
        wait_until(lambda: agent.files() == [], "the response to be taken")

    def test_the_same_id_twice_over_the_socket_is_one_execution(self):
        with self.pool.connect() as first, self.pool.connect() as second:
            first.send(inline({"n": 1}, self.request_id))
            agent = HandAgent(self.pool)
            agent.task_text()
            second.send(inline({"n": 1}, self.request_id))
            self.assert_nothing_left_to_do()
            agent.respond("[1]")
            self.assert_processed(second.receive(), "[1]", self.request_id)

    def test_the_same_id_twice_while_queued_is_one_execution(self):
        with self.pool.connect() as first, self.pool.connect() as second:
            first.send(inline({"n": 1}, self.request_id))
            second.send(inline({"n": 1}, self.request_id))
            second.send(inline({"last": True}, str(uuid.uuid4())))
            seen = []
            for _ in range(2):
                agent = HandAgent(self.pool)
                seen.append(agent.content())
                agent.respond("[]")
                wait_until(lambda: agent.files() == [], "the response to be taken")
            self.assertCountEqual(seen, [{"n": 1}, {"last": True}])
            self.assert_nothing_left_to_do()

    def test_a_request_file_that_goes_leaves_its_time_to_who_lost_its_connection(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.pool.request_by_file(inline({"n": 1}), self.request_id)
            self.have_all_seen()
        self.have_all_seen()
        (self.pool.path / "submissions" / f"{self.request_id}.request.json").unlink()
        self.have_all_seen()
        agent = HandAgent(self.pool)
        self.assertEqual(agent.content(), {"n": 1})
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent.respond("[1]")
            self.assert_processed(client.receive(), "[1]", self.request_id)

    def test_the_same_id_over_the_socket_and_by_file_is_one_execution(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent = HandAgent(self.pool)
            agent.task_text()
            self.pool.request_by_file(inline({"n": 1}), self.request_id)
            self.assert_nothing_left_to_do()
            agent.respond("[1]")
            answer = self.pool.response_by_file(self.request_id)
            answer.pop("id", None)  # may be there: it is in the file's name
            self.assert_processed(answer, "[1]")
        self.assert_nothing_left_to_do()

    def test_the_same_id_by_file_and_then_over_the_socket_is_one_execution(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = HandAgent(self.pool)
        agent.task_text()
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assert_nothing_left_to_do()
            agent.respond("[1]")
            self.assert_processed(client.receive(), "[1]", self.request_id)

    def test_an_id_asked_again_after_its_answer_was_delivered_is_not_executed_again(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.serve("[1]")
            self.assert_processed(client.receive(), "[1]", self.request_id)
            client.send(inline({"n": 1}, self.request_id))
            self.assert_nothing_left_to_do()

    def test_an_answer_that_nobody_took_waits_for_the_next_one_to_ask(self):
        client = self.pool.connect()
        client.send(inline({"n": 1}, self.request_id))
        agent = HandAgent(self.pool)
        agent.task_text()
        client.close()
        agent.respond("[1]")
        wait_until(lambda: agent.files() == [], "the response to be taken")
        with self.pool.connect() as again:
            again.send(inline({"n": 1}, self.request_id))
            self.assert_processed(again.receive(), "[1]", self.request_id)
        self.assert_nothing_left_to_do()

    def test_a_client_that_reconnects_while_queued_has_not_gone_away(self):
        self.pool.connect().send(inline({"n": 1}, self.request_id))
        with self.pool.connect() as again:
            again.send(inline({"n": 1}, self.request_id))
            self.serve("[1]")
            self.assert_processed(again.receive(), "[1]", self.request_id)
        self.assert_nothing_left_to_do()

    def test_an_answer_that_nobody_took_survives_a_killed_daemon(self):
        client = self.pool.connect()
        client.send(inline({"n": 1}, self.request_id))
        agent = HandAgent(self.pool)
        agent.task_text()
        client.close()
        agent.respond("[1]")
        wait_until(lambda: agent.files() == [], "the response to be taken")
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()
        self.pool.start("--no-heartbeat")
        with self.pool.connect() as again:
            again.send(inline({"n": 1}, self.request_id))
            self.assert_processed(again.receive(), "[1]", self.request_id)

    def test_one_connection_carries_many_requests_each_answered_with_its_id_when_it_finishes(self):
        ids = [str(uuid.uuid4()) for _ in range(3)]
        with self.pool.connect() as client:
            for n, id_ in enumerate(ids):
                client.send(inline({"n": n}, id_))
            agents = []
            for n in range(3):
                agents.append(HandAgent(self.pool))
                self.assertEqual(agents[-1].content(), {"n": n})
            for n in (2, 0, 1):
                agents[n].respond(f"[{n}]")
                self.assert_processed(client.receive(), f"[{n}]", ids[n])

    def test_a_request_without_an_id_is_answered_without_one(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}))
            self.serve("[1]")
            self.assert_processed(client.receive(), "[1]")

    def test_two_equal_requests_without_ids_are_two_submissions(self):
        with self.pool.connect() as first, self.pool.connect() as second:
            for client in (first, second):
                client.send(inline({"n": 1}))
            self.serve("[1]")
            self.serve("[1]")
            for client in (first, second):
                self.assert_processed(client.receive(), "[1]")

    def test_a_file_request_is_answered_in_a_file_of_its_name(self):
        id_ = self.pool.request_by_file(inline({"n": 1}))
        self.serve("[1]")
        response = self.pool.path / "submissions" / f"{id_}.response.json"
        wait_until(response.exists, "the response file")
        answer = json.loads(response.read_text())
        self.assertEqual((answer["kind"], answer["stdout"]), ("Processed", "[1]"))

    def test_requests_with_unusual_names_are_served(self):
        for name in ("a", "Task_1.2-x", "x" * 200):
            self.pool.request_by_file(inline({"n": name}), name)
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), {"n": name})
            agent.respond("[]")
            self.assertEqual(self.pool.response_by_file(name)["kind"], "Processed")
