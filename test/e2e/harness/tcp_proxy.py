"""A TCP proxy between an edge and a server, which can cut the connections: as a network does that carries nothing any more,
or as one that ends them."""

import selectors
import socket
import struct
import threading
from contextlib import suppress

PIECE = 1 << 16
MOST_HELD = 1 << 20  # bytes of one direction: beyond that the sender has to wait
RESET = struct.pack("ii", 1, 0)  # of SO_LINGER: close() sends a reset


class Side:
    """One of the two ends of a connection through the proxy."""

    def __init__(self, link, is_edge):
        self.link, self.is_edge = link, is_edge
        self.other = None
        self.held = bytearray()  # to be sent to this one
        self.has_ended = False  # it sends no more
        link.setblocking(False)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self):
        return self.link.fileno()


class TcpProxy:
    """Listens on a port of its own until the end of the case. `target`: (host, port)."""

    def __init__(self, case, target):
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        self._sides = set()
        self._carries = {True: True, False: True}  # towards the server; towards the edge
        self._refuses = False
        self._wake, self._waker = socket.socketpair()
        self._lock = threading.Lock()
        self._changes = []  # to be made by the thread; each ends with an event
        self._is_over = False
        self.carried = 0  # bytes, in both directions
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        case.addCleanup(self.end)

    @property
    def address(self):
        return f"nats://127.0.0.1:{self.port}"

    def cut(self, to_server=True, to_edge=True):
        """Silently: connections stay open, and nothing passes in that direction. What is sent meanwhile is late: it passes
        after heal(), as in a network, unless the connection was reset before."""
        self._do(lambda: self._carries.update({True: not to_server, False: not to_edge}))

    def reset(self):
        """Ends all connections, and each new one, until heal()."""
        def change():
            self._refuses = True
            self._reset_all()
        self._do(change)

    def reset_once(self):
        """Ends all connections that there are."""
        self._do(self._reset_all)

    def heal(self):
        def change():
            self._refuses = False
            self._carries.update({True: True, False: True})
            for side in list(self._sides):
                if side in self._sides and side.link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    self._reset_pair(side)  # in a network, what it has sent before would not have come either
        self._do(change)

    def connections(self):
        return len(self._sides) // 2

    def end(self):
        if not self._is_over:
            self._do(lambda: setattr(self, "_is_over", True))
            self._thread.join()
            self._waker.close()

    def _do(self, change):
        """Returns when the thread has made the change."""
        done = threading.Event()
        with self._lock:
            self._changes.append((change, done))
        self._waker.send(b"x")
        done.wait()

    # All that follows is done by the thread.

    def _serve(self):
        while not self._is_over:
            for side, events in self._wait():
                if side is self._wake:
                    self._make_changes()
                elif side is self._listener:
                    self._accept()
                elif side in self._sides:
                    self._go_on(side, events)
        self._reset_all()
        self._listener.close()
        self._wake.close()

    def _wait(self):
        """[(what, events)], of what may go on as things are."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake, selectors.EVENT_READ)
            if self._refuses or all(self._carries.values()):
                selector.register(self._listener, selectors.EVENT_READ)
            for side in self._sides:
                if wanted := self._wanted(side):
                    selector.register(side, wanted)
            return [(key.fileobj, events) for key, events in selector.select()]

    def _wanted(self, side):
        reads = self._passes(side) and not side.has_ended and len(side.other.held) < MOST_HELD
        writes = bool(side.held) and self._passes(side.other)
        return (selectors.EVENT_READ if reads else 0) | (selectors.EVENT_WRITE if writes else 0)

    def _passes(self, side):
        """Whether what this side sends is carried."""
        return self._carries[side.is_edge]

    def _make_changes(self):
        self._wake.recv(PIECE)
        with self._lock:
            changes, self._changes = self._changes, []
        for change, done in changes:
            change()
            done.set()

    def _accept(self):
        with suppress(BlockingIOError):
            link, _ = self._listener.accept()
            server = None if self._refuses else self._connect()
            if not server:
                reset(link)
                return
            edge, server = Side(link, True), Side(server, False)
            edge.other, server.other = server, edge
            self._sides |= {edge, server}

    def _connect(self):
        try:
            return socket.create_connection(self._target, timeout=1)
        except OSError:
            return None

    def _go_on(self, side, events):
        try:
            if events & selectors.EVENT_WRITE:
                del side.held[:side.link.send(side.held)]
            if events & selectors.EVENT_READ:
                self._read(side)
        except BlockingIOError:
            return
        except OSError:
            self._reset_pair(side)
            return
        if side.has_ended and not side.other.held:  # all that it has sent is delivered
            self._reset_pair(side) if side.other.has_ended else end_of_sending(side.other)
        elif side.other.has_ended and not side.held:
            end_of_sending(side)

    def _read(self, side):
        data = side.link.recv(PIECE)
        side.has_ended = not data
        side.other.held += data
        self.carried += len(data)

    def _reset_pair(self, side):
        self._sides -= {side, side.other}
        reset(side.link)
        reset(side.other.link)

    def _reset_all(self):
        for side in list(self._sides):
            if side in self._sides:
                self._reset_pair(side)


def end_of_sending(side):
    with suppress(OSError):
        side.link.shutdown(socket.SHUT_WR)


def reset(link):
    with suppress(OSError):
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    link.close()
