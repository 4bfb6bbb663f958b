"""More than the daemon has room for: more connections than descriptors, and more requests than the kernel announces."""

import json
import resource
import select
import signal
import uuid
from concurrent.futures import ThreadPoolExecutor

from harness import require, scaled, wait_until
from harness.pool import most_queued_events
from harness.pressure import PressureCase, pauses, request, result, sockets

LIMIT = 64  # descriptors of the daemon


class Descriptors(PressureCase):
    def setUp(self):
        super().setUp()
        self.start_pool()
        _, self.most = resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, (LIMIT, self.most))
        self.start_agents()

    def submit(self, number):
        client = self.connect()
        client.send(request(number))
        return client

    def shortage(self):
        """Clients that take all descriptors which the daemon gives to clients, and those that wait outside."""
        pid = self.daemon.pid
        before = sockets(pid)
        clients = list(enumerate([self.submit(n) for n in range(2 * LIMIT)]))
        served, since = 0, 0

        def is_short():
            """It has tried a few times more since it could accept the last one, and all before that are answered."""
            nonlocal served, since
            for n, client in clients[served:sockets(pid) - before]:
                self.assertEqual(client.receive()["stdout"], result(n))
                served, since = n + 1, pauses(pid)
            return pauses(pid) >= since + 10
        wait_until(is_short, "the shortage")
        self.assertLess(served, len(clients), "there are more clients than descriptors")
        return [client for _, client in clients[:served]], clients[served:]

    def test_more_submitters_than_descriptors_are_all_served(self):
        waiting = [self.submit(n) for n in range(4 * LIMIT)]
        by_file = {self.pool.request_by_file(request(n)): n for n in range(20)}
        for n, client in enumerate(waiting):
            self.assertEqual(client.receive()["stdout"], result(n))
            client.close()
        for id_, n in by_file.items():
            self.assertEqual(self.pool.response_by_file(id_)["stdout"], result(n))

    def test_files_are_served_while_connections_take_all_descriptors_there_are_for_them(self):
        _, waiting = self.shortage()
        by_file = {self.pool.request_by_file(request(n)): n for n in range(100)}
        for id_, n in by_file.items():
            self.assertEqual(self.pool.response_by_file(id_)["stdout"], result(n))
        self.assertFalse(waiting[0][1].has_data(0.1), "the shortage lasts")

    def test_the_cpu_is_idle_during_a_shortage_and_all_is_served_after_it(self):
        served, waiting = self.shortage()
        self.assert_idle("connections wait that can't be accepted")
        self.assertLess(self.daemon.err.count("cannot accept"), 3, "told once, not ten times a second")
        for client in served:
            client.close()
        for n, client in waiting:
            self.assertEqual(client.receive()["stdout"], result(n))
            client.close()

    def test_a_raised_limit_is_relief_too(self):
        _, waiting = self.shortage()
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, (self.most, self.most))
        for n, client in waiting:
            self.assertEqual(client.receive()["stdout"], result(n))


class Stopped(PressureCase):
    def request_ids(self, client, numbers):
        """Sends them all at once, each with an id. {id: number}"""
        ids = {str(uuid.uuid4()): n for n in numbers}
        frames = (json.dumps(request(n, id_)).encode() for id_, n in ids.items())
        client.send_raw(b"".join(b"%d\n%s" % (len(frame), frame) for frame in frames))
        return ids

    @staticmethod
    def answers(client, count):
        """The next answers on a connection, [(id, answer)]."""
        taken = (client.receive() for _ in range(count))
        return [(answer.pop("id"), answer) for answer in taken]

    def test_thousands_of_requests_while_the_daemon_is_stopped_are_each_answered_once(self):
        require(most_queued_events() <= 200_000, "the kernel keeps more events than a test should cause")
        by_file, connections, each = scaled(1500), 40, scaled(40)
        self.start_pool("--log-level", "debug")
        self.start_agents()
        self.daemon.signal(signal.SIGSTOP)
        clients = [self.connect() for _ in range(connections)]
        by_socket = [self.request_ids(client, range(k * each, (k + 1) * each)) for k, client in enumerate(clients)]
        self.pool.fill_event_queue()
        files = {self.pool.request_by_file(request(n)): n for n in range(by_file)}
        self.daemon.signal(signal.SIGCONT)
        with ThreadPoolExecutor(connections + 1) as readers:
            from_sockets = [readers.submit(self.answers, client, each) for client in clients]
            from_files = readers.submit(lambda: {id_: self.pool.response_by_file(id_) for id_ in files})
            self.assertEqual(from_files.result(), {id_: self.processed(n) for id_, n in files.items()})
            for ids, answers in zip(by_socket, from_sockets):
                self.assertEqual(sorted(answers.result()), sorted((id_, self.processed(n)) for id_, n in ids.items()))
        # Their requests were looked for at once, and not only by the scan of last resort.
        self.assertIn(f"the kernel has dropped events: looking through {self.pool.path}/submissions", self.daemon.err)
        wait_until(lambda: self.pool.submission_files() == [], "nothing to be left")
        more_answers, _, _ = select.select([client.socket for client in clients], [], [], 0)
        self.assertEqual((more_answers, [client.buffer for client in clients if client.buffer]), ([], []))

    @staticmethod
    def processed(number):
        return {"kind": "Processed", "stdout": result(number)}
