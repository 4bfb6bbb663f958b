"""What a stranger may do to an HTTP server, whatever it serves: it must go on working, with bounded memory."""

import resource

from harness.environment import is_sanitized
from harness.http import connect, read_all
from harness.pressure import memory


class HttpAttacks:
    """For a Case that sets `address`, `server` (the process) and `path`, and has assert_it_works()."""

    most_memory = 20 << 20  # bytes that an attack may cost
    crowd = 200             # more connections than the server keeps

    def setUp(self):
        super().setUp()
        self.open = []

    def tearDown(self):
        for connection in self.open:
            connection.close()
        super().tearDown()

    def connect(self):
        self.open.append(connect(self.address))
        return self.open[-1]

    def get(self):
        return f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    def memory(self):
        """Of the server, in bytes, at most so far."""
        return memory(self.server.pid, "VmHWM")

    def assert_unharmed(self, before):
        self.assert_it_works()
        if not is_sanitized():
            self.assertLess(self.memory() - before, self.most_memory)

    def raise_descriptors(self):
        """As many as this process may have; returns how many."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        return hard

    def connect_a_crowd(self):
        for _ in range(min(10_000, self.raise_descriptors() - 200)):
            self.connect()

    def test_thousands_of_idle_connections(self):
        before = self.memory()
        self.connect_a_crowd()
        self.assert_unharmed(before)

    def test_the_connection_that_was_silent_for_longest_makes_room(self):
        busy = self.connect()
        silent = self.connect()
        for _ in range(self.crowd):
            busy.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertTrue(busy.recv(4096).startswith(b"HTTP/1.1 200"))
            self.connect()
        self.assertEqual(read_all(silent), b"")

    def test_half_requests(self):
        before = self.memory()
        for _ in range(60):
            self.connect().sendall(self.get()[:-15])
        self.assert_unharmed(before)
        self.assertEqual(read_all(self.open[0]), b"", "a request that is not complete after 10 s ends the connection")

    def test_half_bodies(self):
        before = self.memory()
        for _ in range(60):
            self.connect().sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        self.assert_unharmed(before)
        self.assertEqual(read_all(self.open[0]), b"")

    def test_headers_without_an_end(self):
        before = self.memory()
        connection = self.connect()
        sent = 0
        try:
            connection.sendall(self.get()[:-2])
            while sent < 1 << 30:
                connection.sendall(b"X-Filler: " + b"x" * 100_000 + b"\r\n")
                sent += 100_012
        except (ConnectionResetError, BrokenPipeError):
            pass
        self.assertLess(sent, 100 << 20)
        self.assert_unharmed(before)

    def test_bodies_without_an_end(self):
        before = self.memory()
        connection = self.connect()
        sent = 0
        try:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            while sent < 1 << 30:
                connection.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                sent += 0x10000
        except (ConnectionResetError, BrokenPipeError):
            pass
        self.assertLess(sent, 100 << 20)
        self.assert_unharmed(before)

    def test_a_header_or_a_body_that_is_too_long_is_told(self):
        connection = self.connect()
        connection.sendall(self.get()[:-2] + b"X: " + b"x" * 20_000 + b"\r\n\r\n")
        self.assertTrue(read_all(connection).startswith(b"HTTP/1.1 431 "))
        connection = self.connect()
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
        self.assertTrue(read_all(connection).startswith(b"HTTP/1.1 413 "))
        connection = self.connect()
        connection.sendall(b'17\n{"kind":"Status"}\r\n\r\n')
        self.assertTrue(read_all(connection).startswith(b"HTTP/1.1 400 "))

    def test_requests_whose_responses_are_never_read(self):
        before = self.memory()
        for _ in range(20):
            connection = self.connect()
            connection.setblocking(False)
            try:
                while True:
                    connection.send(self.get() * 100)
            except BlockingIOError:
                pass
        self.assert_unharmed(before)
