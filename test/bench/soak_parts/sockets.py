"""Submitters on the socket, by hand: several requests at once on one connection, each with an id of its own. When the
daemon is gone they come back and ask again under the same ids. Now and then one hangs up by itself and comes back, or
takes a submission back."""

import json
import os
import random
import socket
import time

from .worker import Worker

ANSWER_SECONDS = 60
LOOK_SECONDS = 0.2
YOUNG_SECONDS = 0.5
PAUSE = 0.02


class Connection:
    """Frames: <decimal length>\\n<json>, both ways."""

    def __init__(self, pool):
        directory = os.open(pool, os.O_RDONLY | os.O_DIRECTORY)  # the path may be too long for a socket address
        self._socket = socket.socket(socket.AF_UNIX)
        self._buffer = b""
        try:
            self._socket.connect(f"/proc/self/fd/{directory}/daemon.sock")
        except OSError:
            self._socket.close()
            raise
        finally:
            os.close(directory)

    def send(self, message):
        data = json.dumps(message).encode()
        # As long as an answer may take: a request that is cut short because the daemon is slow to read would be lost.
        self._socket.settimeout(ANSWER_SECONDS)
        try:
            self._socket.sendall(b"%d\n" % len(data) + data)
        except OSError:
            pass  # the end of the connection is seen by receive(), after the answers that came before it

    def receive(self):
        """The answers that have come; [] after a while without any, None at the end of the connection."""
        self._socket.settimeout(LOOK_SECONDS)
        try:
            data = self._socket.recv(1 << 20)
        except socket.timeout:
            return []
        except OSError:
            return None
        if not data:
            return None
        self._buffer += data
        return list(self._frames())

    def close(self):
        self._socket.close()

    def _frames(self):
        while b"\n" in self._buffer:
            header, rest = self._buffer.split(b"\n", 1)
            if len(rest) < int(header):
                return
            yield json.loads(rest[:int(header)])
            self._buffer = rest[int(header):]


class SocketSubmitter(Worker):
    def __init__(self, soak, window, seed):
        super().__init__(soak.ledger)
        self._soak, self._window = soak, window
        self._random = random.Random(seed)
        self._pending = {}  # id → number, request, since when
        self._withdrawn = {}

    def work(self):
        hung_up_in = None
        while not self.stopping.is_set() or self._pending:
            try:
                connection = Connection(self._soak.daemon.pool)
            except OSError:
                time.sleep(PAUSE)
                continue
            life = len(self._soak.daemon.lives)
            if hung_up_in not in (None, life):
                self._soak.ledger.allow_repeat(number for number, _, _ in self._pending.values())
            hung_up_in = life if self._serve(connection) else None
            connection.close()

    def _serve(self, connection):
        """True if it was this side that hung up."""
        for _, request, _ in self._pending.values():
            connection.send(request)
        while not self.stopping.is_set() or self._pending:
            while len(self._pending) < self._window and not self.stopping.is_set():
                self._submit(connection)
            answers = connection.receive()
            if answers is None:
                return False
            for answer in answers:
                self._take(answer)
            self._give_up_late_ones()
            if self._random.random() < 0.005 and self._pending:
                self._withdraw(connection)
            if self._random.random() < 0.003:
                return True
        return True

    def _submit(self, connection):
        wants_failures = self._random.random() < 0.5
        id_, number, content = self._soak.ledger.submit_with_id(wants_failures)
        request = {"kind": "Inline", "id": id_, "wants_failures": wants_failures, "content": content}
        self._pending[id_] = number, request, time.monotonic()
        connection.send(request)

    def _take(self, answer):
        id_ = answer.get("id")
        number, _, _ = self._pending.pop(id_, (None, None, None))
        if number is None:
            number = self._withdrawn.pop(id_, None)  # they crossed
        if number is None:
            return self._soak.ledger.complain(f"an answer that nobody waits for: {json.dumps(answer)[:300]}")
        self._soak.ledger.answer(number, answer)

    # One that was just submitted: else those that wait in vain would be withdrawn in the end, and never missed.
    def _withdraw(self, connection):
        id_ = next(reversed(self._pending))
        number, _, since = self._pending[id_]
        if time.monotonic() > since + YOUNG_SECONDS:
            return
        del self._pending[id_]
        self._withdrawn[id_] = number
        self._soak.ledger.withdraw(number)
        connection.send({"kind": "Withdraw", "id": id_})

    def _give_up_late_ones(self):
        for id_, (number, _, since) in list(self._pending.items()):
            if time.monotonic() > since + ANSWER_SECONDS:
                self._soak.ledger.give_up(number, "socket", ANSWER_SECONDS)
                del self._pending[id_]
