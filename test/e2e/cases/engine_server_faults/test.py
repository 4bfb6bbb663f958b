"""A pool over several hosts when the server is killed, suspended, emptied, late or none at all: nothing is lost or done twice."""

import signal
import socket
import threading
from contextlib import suppress

from harness import let_pass, nats_client, wait_until
from harness.engine_case import LONGER_THAN_A_LEASE, PROCESSED, TRANSPORTS, FaultsCase
from harness.pool import inline

NONSENSE = b'INFO {"max_payload":-1,"headers":[]}\r\nMSG x 1 99999999999999999999\r\n\0\xff\r\n'


class Server(FaultsCase):
    """What becomes of the pool when the server dies, is replaced, or was never there."""

    def setUp(self):
        super().setUp()
        self.server = self.serve(starts=False)

    def start_load(self, host, ids):
        """Submits them all, half over the socket. The answers come from answers_of()."""
        client = host.connect()
        self.addCleanup(client.close)
        half = len(ids) // 2
        for id_ in ids[:half]:
            client.send(inline({"id": id_, "ms": 50}, id_))
        files = [host.request_by_file(inline({"id": id_, "ms": 50}), id_) for id_ in ids[half:]]
        return client, half, files

    def assert_all_answered(self, host, load):
        client, half, files = load
        answers = {}
        for _ in range(half):
            answer = client.receive()
            self.assertNotIn(answer["id"], answers, "answered twice")
            answers[answer["id"]] = answer
        for id_ in files:
            answers[id_] = host.response_by_file(id_)
        wrong = {id_: answer for id_, answer in answers.items()
                 if (answer["kind"], answer.get("stdout")) != (PROCESSED, f'["{id_}"]\n')}
        self.assertEqual(wrong, {})
        self.assertFalse(client.has_data(0.1), "nothing is answered twice")

    def begun_at_least(self, count):
        wait_until(lambda: len(self.executions.all()) >= count, f"{count} tasks to be begun")

    def start_pool(self):
        self.server.start()
        self.a, self.b = self.start_hosts(self.server, "a", "b")
        for host in (self.a, self.b):
            wait_until(lambda: host.status()["engine"]["connected"], "a connection to the server")

    def test_it_is_killed_and_restarted_under_load(self):
        self.start_pool()
        self.b.agent(count=4)
        ids = [f"t{n}" for n in range(120)]
        load = self.start_load(self.a, ids)
        for count in (20, 60):
            self.begun_at_least(count)
            self.server.restart()
        self.assert_all_answered(self.a, load)
        self.assert_once(ids)

    def test_its_store_is_wiped_under_load(self):
        self.start_pool()
        self.b.agent(count=4)
        ids = [f"t{n}" for n in range(60)]
        load = self.start_load(self.a, ids)
        self.begun_at_least(20)
        self.server.kill()
        self.server.wipe()
        self.server.start()
        self.assert_all_answered(self.a, load)
        self.assert_once(ids)

    def test_its_store_is_wiped_while_an_agent_works(self):
        self.start_pool()
        self.b.agent(count=2)
        submitter = self.a.submit(self.waiting_task("working"))
        self.wait_begun("working")
        self.server.kill()
        self.server.wipe()
        self.server.start()
        self.wait_served(self.a)
        let_pass(LONGER_THAN_A_LEASE)
        self.flag().touch()
        self.assert_answered(submitter, "working")
        self.assertEqual(len(self.executions.of("working")), 1)

    def test_a_lost_connection_is_told_once_and_work_goes_on(self):
        self.start_pool()
        self.b.agent()
        submitter = self.a.submit(self.waiting_task("kept"))
        self.wait_begun("kept")
        self.server.kill()
        address = rf"127\.0\.0\.1:{self.server.port}"
        for host in (self.a, self.b):
            host.wait_complaint(address)
        self.flag().touch()
        wait_until(lambda: self.executions.of("kept")[0].ended, "the agent to end its work")
        queued = self.a.submit({"id": "queued"})
        let_pass(LONGER_THAN_A_LEASE)
        for host in (self.a, self.b):
            self.assert_repeats_nothing(host)
            self.assert_running(host.edge)
        self.server.start()
        self.assert_answered(submitter, "kept")
        self.assert_answered(queued, "queued")
        self.assert_once(["kept", "queued"])

    def test_an_edge_starts_without_it_says_so_once_and_works_when_it_comes(self):
        self.a, self.b = self.start_hosts(self.server, "a", "b")
        self.b.agent()
        submitters = [(transport, self.a.submit({"id": transport}, transport=transport)) for transport in TRANSPORTS]
        for host in (self.a, self.b):
            host.wait_complaint(rf"127\.0\.0\.1:{self.server.port}")
        let_pass(LONGER_THAN_A_LEASE)
        for host in (self.a, self.b):
            self.assert_repeats_nothing(host)
        self.server.start()
        for id_, submitter in submitters:
            self.assert_answered(submitter, id_)
        self.assert_once(TRANSPORTS)

    def test_a_queued_task_that_it_does_not_deliver_any_more_is_published_again(self):
        """Clusters have forgotten to deliver what they had in a queue. Here a limit of deliveries has the same effect."""
        self.start_pool()
        submitter = self.a.submit({"id": "forgotten"})
        wait_until(lambda: self.server.messages().get("TROUPE_reviews_Q"), "the task to be queued")
        consumers = "$JS.API.CONSUMER.{}.TROUPE_reviews_Q"
        (name,) = nats_client.request(self.server, consumers.format("NAMES"))["consumers"]

        def info():
            return nats_client.request(self.server, f"{consumers.format('INFO')}.{name}")

        def limit_deliveries(most):
            config = info()["config"] | {"max_deliver": most}
            nats_client.request(self.server, f"{consumers.format('DURABLE.CREATE')}.{name}",
                                {"stream_name": "TROUPE_reviews_Q", "config": config})
        limit_deliveries(1)
        nats_client.request(self.server, f"{consumers.format('MSG.NEXT')}.{name}", {"batch": 1})
        self.b.agent()  # the limit is looked at when somebody pulls
        wait_until(lambda: info()["num_ack_pending"] == 0, "the delivery to be given up")
        limit_deliveries(-1)
        self.assert_answered(submitter, "forgotten")
        self.assert_once(["forgotten"])
        self.assertIn("the engine does not deliver the task ", self.a.edge.err)

    def test_an_edge_can_be_stopped_while_the_server_is_away(self):
        self.start_pool()
        self.b.agent()
        submitter = self.a.submit(self.waiting_task("left"))
        execution = self.wait_begun("left")
        self.server.suspend()
        for host in (self.b, self.a):
            host.edge.signal(signal.SIGTERM)
            self.assert_exit(host.edge.result(), 0)
        self.assertEqual(submitter.result().json["reason"], "stopped")
        self.wait_killed(execution)

    def test_a_drain_waits_until_the_engine_has_the_answers(self):
        submitter, stopping = self.drain_without_the_server()
        told = "pool reviews is draining: the daemon waits until the engine has 1 answer\n"
        wait_until(lambda: told in stopping.err, "the command to say what the daemon waits for")
        self.assertEqual(self.b.status()["engine"]["kept_answers"], 1)
        self.server.start()
        self.assert_exit(stopping.result(), 0)
        self.assert_answered(submitter, "done")
        self.assert_exit(self.b.edge.result(), 0)
        self.assert_once(["done"])

    def test_a_stop_ends_such_a_drain_and_says_what_is_kept(self):
        submitter, draining = self.drain_without_the_server()
        stopped = self.b.command("stop").result()
        self.assert_exit(stopped, 0)
        self.assert_exit(self.b.edge.result(), 0)
        self.assert_exit(draining.result(), 1)
        for told in (self.b.edge, stopped, draining):
            self.assertIn("the engine has not got 1 answer of agents here, which this host keeps", told.err)
        self.b.start()
        self.server.start()
        self.assert_answered(submitter, "done")

    def drain_without_the_server(self):
        """(the submitter of the task "done", the draining), when the agent of b has done that."""
        self.start_pool()
        self.b.agent()
        submitter = self.a.submit(self.waiting_task("done"))
        self.wait_begun("done")
        self.server.kill()
        self.b.wait_complaint("agents go on with what they have")
        stopping = self.b.command("stop", "--drain")
        self.flag().touch()
        wait_until(lambda: "draining: the engine has not got 1 answer yet" in self.b.edge.err, "the answer to be kept")
        return submitter, stopping

    def test_what_was_submitted_without_the_server_is_not_lost_when_its_host_starts_again(self):
        self.start_pool()
        self.server.kill()
        self.a.wait_complaint("agents go on with what they have")
        self.a.request_by_file(inline({"id": "noted"}, "noted"), "noted")
        wait_until(lambda: self.a.status()["engine"]["submissions"] == 1, "the submission")
        self.a.kill_edge()
        self.server.start()
        self.a.start()
        self.b.agent()
        self.assertEqual(self.a.response_by_file("noted")["stdout"], '["noted"]\n')
        self.assertNotIn("the engine had lost what it knew", self.a.edge.err)
        self.assert_once(["noted"])

    def test_a_task_goes_on_for_who_has_submitted_it_while_the_server_was_away(self):
        self.start_pool()
        self.b.agent()
        task = inline(self.waiting_task("joined"), "joined")
        self.a.request_by_file(task, "joined")
        self.wait_begun("joined")
        self.server.kill()
        for host in (self.a, self.b):
            host.wait_complaint("agents go on with what they have")
        self.b.request_by_file(task, "joined")
        wait_until(lambda: self.b.status()["engine"]["submissions"] == 1, "the second submission")
        (self.a.path / "submissions" / "joined.request.json").unlink()
        wait_until(lambda: self.a.status()["engine"]["submissions"] == 0, "the withdrawal")
        self.server.start()
        let_pass(LONGER_THAN_A_LEASE)
        self.flag().touch()
        self.assertEqual(self.b.response_by_file("joined")["stdout"], '["joined"]\n')
        self.assert_once(["joined"])

    def test_a_suspended_server_is_an_absent_one(self):
        self.start_pool()
        self.b.agent(count=4)
        ids = [f"t{n}" for n in range(40)]
        load = self.start_load(self.a, ids)
        self.begun_at_least(10)
        self.server.suspend()
        let_pass(LONGER_THAN_A_LEASE)
        self.server.resume()
        self.assert_all_answered(self.a, load)
        self.assert_once(ids)

    def test_one_that_answers_nonsense_is_told_and_the_edge_goes_on(self):
        nonsense = Nonsense(self)
        host = self.host("a", nonsense.address)
        host.start()
        host.wait_complaint(rf"127\.0\.0\.1:{nonsense.port}")
        submitter = host.submit({"id": "t"})
        wait_until(lambda: nonsense.served >= 3, "it to try again")
        self.assert_repeats_nothing(host)
        self.assertTrue(submitter.running)
        self.assert_running(host.edge)


class Nonsense:
    """A server that is none of NATS."""

    def __init__(self, case):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.served = self._listener.getsockname()[1], 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        case.addCleanup(self._listener.close)
        case.addCleanup(self._listener.shutdown, socket.SHUT_RDWR)
        self.address = f"nats://127.0.0.1:{self.port}"

    def _serve(self):
        while True:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            self.served += 1
            with link:
                with suppress(OSError):
                    link.sendall(NONSENSE)
