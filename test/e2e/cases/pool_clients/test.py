"""Clients on the socket that are silent, slow, or say nonsense cost the others nothing."""

import json
import select
import threading
import time
import uuid
from contextlib import contextmanager

from harness import DEADLINE, HandAgent, Pool, is_sanitized, one_host, wait_until
from harness.pool import inline
from harness.pressure import MB, PressureCase, cpu_nanoseconds, memory, request, result

SILENT = (b"", b"12", b"9" * 16, b'100\n{"kind":"In')  # nothing, half a header, one without an end, half a body
CLAIMS = (b"1000000000000\n", b"abc\n", b"-1\n", b"1" + b"0" * 30 + b"\n")
READ_LIMIT, WRITE_LIMIT = 10, 30  # seconds without progress
CAP = 64 * MB  # the default of --max-message-bytes

# Round trips that are measured at a time, and what of the daemon's CPU time they may take: so many times what they take of a
# daemon that has no other client, and a little (in ns) for what it does besides. Clients that cost something would cost it
# every time, a thousand reads for instance.
ROUND, FACTOR, BESIDES = 100, 2, 20_000_000


class Clients(PressureCase):
    def setUp(self):
        super().setUp()
        self.start_pool()

    def start_undisturbed(self):
        """A daemon of its own that has no other client."""
        self.undisturbed = Pool(self, root=self.work / "undisturbed")
        self.undisturbed.start("--no-heartbeat")
        self.start_agents(self.undisturbed)
        self.undisturbed_client = self.connect(self.undisturbed)

    def costs(self, client):
        """What a round costs the daemon and the undisturbed one, in nanoseconds of CPU time. They take turns: the same work
        takes several times as long on a busy machine."""
        daemons = self.daemon.pid, self.undisturbed.daemon.pid
        before = [cpu_nanoseconds(pid) for pid in daemons]
        for n in range(ROUND):
            self.round_trip(client, n)
            self.round_trip(self.undisturbed_client, n)
        return [cpu_nanoseconds(pid) - earlier for pid, earlier in zip(daemons, before)]

    def assert_cheap(self, rounds):
        """The best of several: what other clients cost, they cost in each."""
        told = ", ".join(f"{cost / 1e6:.1f} (undisturbed {without / 1e6:.1f})" for cost, without in rounds)
        print(f"     ms of CPU time per round: {told}", flush=True)
        self.assertTrue(any(cost < FACTOR * without + BESIDES for cost, without in rounds), told)


@one_host("it is about one daemon")
class Silent(Clients):
    def setUp(self):
        super().setUp()
        self.start_agents()
        self.start_undisturbed()
        self.other = self.connect()
        self.round_trip(self.other, 0)
        self.before = self.settled_descriptors()

    def connect_silent(self, count):
        """{descriptor: (connection, when it was about to send its last byte)}."""
        silent = {}
        for n in range(count):
            since = time.monotonic()
            client = self.connect()
            client.send_raw(SILENT[n % len(SILENT)])
            silent[client.socket.fileno()] = client, since
        self.wait_for_descriptors(self.before + count, "all to be accepted")
        return silent

    def until_they_may_be_closed(self, silent):
        """What rounds cost in which all of these were connected; three at most."""
        rounds, end = [], min(since for _, since in silent.values()) + READ_LIMIT
        while len(rounds) < 3:
            measured = self.costs(self.other)
            if time.monotonic() > end:
                break
            rounds.append(measured)
        return rounds

    def ages_at_the_end(self, silent):
        """How long each of them was silent before it was closed."""
        poll = select.poll()
        for number in silent:
            poll.register(number, select.POLLIN)
        ages = []
        while len(ages) < len(silent):
            ready = poll.poll(DEADLINE * 1000)
            self.assertTrue(ready, f"{len(silent) - len(ages)} silent connections are still open")
            for number, _ in ready:
                client, since = silent[number]
                self.assertEqual(client.socket.recv(100), b"", "the end, and no answer to what was never asked")
                ages.append(time.monotonic() - since)
                poll.unregister(number)
        return ages

    def test_a_thousand_silent_clients_cost_the_others_nothing_and_are_closed_after_ten_seconds(self):
        silent = self.connect_silent(1000)
        rounds = self.until_they_may_be_closed(silent)
        self.assert_idle("a thousand clients say nothing")
        ages = self.ages_at_the_end(silent)
        self.assertGreater(min(ages), READ_LIMIT - 0.1)
        if rounds:  # this test may have been too slow to measure any
            self.assert_cheap(rounds)
        self.wait_for_descriptors(self.before, "no descriptor of theirs is kept")
        self.round_trip(self.other, 1)

    def test_a_client_that_goes_on_in_time_is_not_silent(self):
        slow = self.connect()
        self.before += 1
        data = json.dumps(request(7)).encode()
        slow.send_raw(b"%d\n" % len(data))
        other, since = next(iter(self.connect_silent(1).values()))
        poll = select.poll()
        poll.register(other.socket, select.POLLIN)
        while not poll.poll(500) and len(data) > 1:
            slow.send_raw(data[:1])
            data = data[1:]
        self.assertTrue(poll.poll(DEADLINE * 1000), "the end of the silent one")
        self.assertGreater(time.monotonic() - since, READ_LIMIT - 0.1)
        slow.send_raw(data)
        self.assertEqual(slow.receive()["stdout"], result(7))


class Nonsense(Clients):
    def test_a_header_is_refused_at_its_seventeenth_byte_and_not_before(self):
        client = self.connect()
        for _ in range(16):
            client.send_raw(b"1")
        self.assertFalse(client.has_data(0.3), "sixteen digits may be a header's beginning")
        client.send_raw(b"1")
        self.assert_invalid(client.receive())
        self.assertEqual(client.wait_for_end(), b"")

    def test_what_is_no_length_is_refused_at_its_first_byte(self):
        for start in (b"a", b"-", b" ", b"\n", b"\0", b"{", b"12x"):
            with self.subTest(start=start):
                client = self.connect()
                client.send_raw(start)
                self.assert_invalid(client.receive())
                self.assertEqual(client.wait_for_end(), b"")

    def test_two_thousand_connections_at_once_are_each_answered(self):
        self.start_agents()
        before = self.settled_descriptors()
        clients = [self.connect() for _ in range(2000)]
        good, bad = clients[::2], clients[1::2]
        for n, (asking, claiming) in enumerate(zip(good, bad)):
            claiming.send_raw(CLAIMS[n % len(CLAIMS)])
            asking.send(request(n))
        for client in bad:
            self.assert_invalid(client.receive())
            self.assertEqual(client.wait_for_end(), b"")
        for n, client in enumerate(good):
            self.assertEqual(client.receive(), {"kind": "Processed", "stdout": result(n)})
        self.close_connections()
        self.wait_for_descriptors(before, "no descriptor of theirs is kept")

    @one_host("it is about one daemon")
    def test_memory_grows_with_what_has_come_and_not_with_what_was_claimed(self):
        self.start_agents()
        other = self.connect()
        self.round_trip(other, 0)
        # Memory that was only asked for counts as well; a sanitizer asks for far more of its own.
        fields = ["VmHWM"] if is_sanitized() else ["VmHWM", "VmPeak"]
        before = {field: memory(self.daemon.pid, field) for field in fields}

        def assert_growth(most):
            self.round_trip(other, 1)  # the daemon has been round
            grown = {field: memory(self.daemon.pid, field) - before[field] for field in fields}
            print(f"     grown by {', '.join(f'{f} {g / MB:.1f} MB' for f, g in grown.items())}", flush=True)
            self.assertLess(max(grown.values()), most)

        claiming = [self.connect() for _ in range(20)]
        for client in claiming:
            client.send_raw(b"60000000\n" + b'{"kind":"I')
        assert_growth(16 * MB)
        for client in claiming:
            client.send_raw(b" " * MB)
        assert_growth(16 * MB + (8 if is_sanitized() else 4) * len(claiming) * MB)


class Floods(Clients):
    """Much that is asked, and nothing read."""

    # The daemon's, of what one client has asked for: the backlog of a MiB, and what one buffer of requests adds.
    bound = (400 if is_sanitized() else 10) * MB  # ASan keeps what is freed for a while

    @one_host("it is about one daemon")
    def test_who_asks_and_does_not_read_is_not_read_from_either(self):
        before = memory(self.daemon.pid, "VmRSS")
        for frame in (b"2\n{}", b'17\n{"kind":"Status"}'):
            flood = self.connect()
            flood.socket.setblocking(False)
            sent = self.send_until_blocked(flood, frame, 20 * MB)
            self.assertLess(sent, 20 * MB)
            self.assertLess(memory(self.daemon.pid, "VmRSS"), before + self.bound)
            flood.socket.setblocking(True)
            flood.half_close()
            answers = flood.wait_for_end().count(b'"invalid"' if b"Status" not in frame else b'"kind":"')
            self.assertGreaterEqual(answers, sent // len(frame), "each whole request is answered")

    def send_until_blocked(self, client, frame, most):
        """How much went until the daemon had taken nothing for half a second."""
        data, sent, since = frame * 10_000, 0, time.monotonic()
        while sent < most and time.monotonic() < since + 0.5:
            try:
                sent += client.socket.send(data[sent % len(frame):])
                since = time.monotonic()
            except BlockingIOError:
                select.select([], [client.socket], [], 0.05)
        return sent

    @one_host("a message of the engine is smaller")
    def test_the_same_id_a_thousand_times_on_a_connection_is_answered_once(self):
        pid, id_, answer = self.daemon.pid, str(uuid.uuid4()), json.dumps("x" * MB)
        before = memory(pid, "VmRSS")
        client, last = self.connect(), str(uuid.uuid4())
        for _ in range(1000):
            client.send(inline({"n": 1}, id_))
        agent = HandAgent(self.pool)
        agent.task_text()
        agent.respond(answer)
        wait_until(lambda: agent.files() == [], "the answer to be taken from the agent")
        self.assertLess(memory(pid, "VmHWM"), before + 8 * MB + self.bound)
        self.assertEqual(client.receive()["stdout"], answer)
        self.start_agents()
        client.send(request(1, last))
        self.assertEqual(client.receive()["id"], last)


@one_host("a message of the engine is smaller")
class Unread(Clients):
    """A large answer that its submitter doesn't read, or reads as slowly as it may."""

    def submit_for(self, answer, id_):
        """A client that has submitted, while no other agent waits, and whose answer has been written."""
        client = self.connect()
        agent = HandAgent(self.pool)
        client.send(inline({"n": 1}, id_))
        agent.task_text()
        agent.respond(answer)
        wait_until(lambda: agent.files() == [], "the answer to be taken from the agent")
        return client

    def test_it_is_dropped_after_thirty_seconds_without_progress_and_a_slow_reader_is_not(self):
        pid = self.daemon.pid
        before, id_ = memory(pid, "VmRSS"), str(uuid.uuid4())
        slow_answer, answer = (json.dumps("x" * size) for size in (4_000_000, 50_000_000))
        slow = self.submit_for(slow_answer, str(uuid.uuid4()))
        since = time.monotonic()
        with self.reading_slowly(slow) as taken:
            greedy = self.submit_for(answer, id_)
            self.start_agents()
            self.start_undisturbed()
            other = self.connect()
            rounds = self.until_closed(greedy, other)
            age = time.monotonic() - since
            self.round_trip(other, 0)  # the daemon has done what it does with what it could not deliver
            peak = memory(pid, "VmHWM")
            print(f"     dropped after {age:.1f} s; peak {peak / MB:.0f} MB, {before / MB:.0f} MB before", flush=True)
            self.assertGreater(age, WRITE_LIMIT - 0.1)
            if rounds:  # this test may have been too slow to measure any
                self.assert_cheap(rounds)
            if not is_sanitized():  # whose allocator keeps what is freed
                self.assertLess(peak, 2 * CAP)
                wait_until(lambda: memory(pid, "VmRSS") < before + 10 * MB, "the memory to be given back")
        # The slow one has been at it for longer, and gets all of it.
        self.assertGreater(time.monotonic() - since, WRITE_LIMIT)
        slow.buffer = b"".join(taken)
        self.assertEqual(slow.receive()["stdout"], slow_answer)
        # Nothing is lost for the other one: it was only dropped.
        again = self.connect()
        again.send(inline({"n": 1}, id_))
        self.assertEqual(again.receive()["stdout"], answer)

    @contextmanager
    def reading_slowly(self, client):
        """In here it reads a little each five seconds, whatever else goes on. The pieces."""
        pieces, is_over = [], threading.Event()

        def read():
            while not is_over.wait(5):
                if select.select([client.socket], [], [], 0)[0]:
                    pieces.append(client.socket.recv(1 << 17))

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield pieces
        finally:
            is_over.set()
            reader.join()

    def until_closed(self, greedy, other):
        """Until the daemon has closed `greedy`: what rounds of `other` cost meanwhile."""
        closed = select.poll()
        closed.register(greedy.socket, 0)  # the other end's closing announces itself, read or not
        rounds, end = [], time.monotonic() + DEADLINE
        while not closed.poll(5000):
            self.assertLess(time.monotonic(), end, "a client that does not read is still connected")
            if len(rounds) < 3:
                rounds.append(self.costs(other))
        return rounds
