"""The binary batches of a trace (docs/serve.md, "A trace"), decoded. What is unknown, NaN there, is None."""

import struct
from base64 import b64decode

MAGIC = 0x31525442
NONE = 0xFFFFFFFF
ROWS = (("submitted", "d"), ("id", "I"), ("parent", "I"), ("of", "I"), ("step", "H"), ("origin", "B"))
ENDS = (("started", "d"), ("ended", "d"), ("usd", "f"), ("row", "I"), ("pre", "I"), ("post", "I"), ("tokens", "I"), ("agent", "H"),
        ("outcome", "B"), ("reason", "B"), ("flags", "B"))


class Trace:
    """What batches have told so far."""

    def __init__(self):
        self.rows, self.ends, self.agents = [], [], []

    @property
    def position(self):
        return f"{len(self.rows)}.{len(self.ends)}"

    def append(self, data):
        """A body with batches, or the data of an event in Base64."""
        data = b64decode(data) if isinstance(data, str) else data
        at = 0
        while at < len(data):
            at = self._batch(data, at)
            at += -at % 8

    def _batch(self, data, start):
        magic, rows, ends, first = struct.unpack_from("<4I", data, start)
        if (magic, first) != (MAGIC, len(self.rows)):
            raise AssertionError(f"a batch that begins at row {first} does not follow {self.position}")
        at = start + 16
        at = self._columns(data, start, at, rows, ROWS, self.rows)
        at = self._columns(data, start, at, ends, ENDS, self.ends)
        (agents,) = struct.unpack_from("<I", data, at)
        at += 4
        for _ in range(agents):
            (length,) = struct.unpack_from("<I", data, at)
            self.agents.append(data[at + 4:at + 4 + length].decode())
            at += 4 + length + -length % 4
        return at

    @staticmethod
    def _columns(data, start, at, count, columns, out):
        values = {}
        for name, kind in columns:
            values[name] = struct.unpack_from(f"<{count}{kind}", data, at)
            at += struct.calcsize(f"<{count}{kind}")
            at += -(at - start) % 8
        out.extend({name: None if column[i] != column[i] else column[i] for name, column in values.items()} for i in range(count))
        return at


def traced(body):
    trace = Trace()
    trace.append(body)
    return trace
