"""A row of a table of command lines: what is called, and what must come of it."""

import os
import re
import shlex
from dataclasses import dataclass, field

LONG = "x" * 100_000


@dataclass
class Row:
    """`line` is split as a shell would; {work}, {root}, {long} and {latin1} (a byte that is not UTF-8) are replaced.

    `out` and `err` are the whole text, a compiled pattern that must be found, or a function that gets the text and
    asserts; of `err`, None means that it does not matter. `of` is the option that a wrong row is about, if it is not
    the last one of the line."""

    line: str
    code: int = 0
    out: object = ""
    err: object = ""
    of: str = ""
    env: dict = field(default_factory=dict)
    stdout: str = ""  # a path to write to
    with_living_run: bool = False  # called "living", and the only one
    is_verdict: bool = False  # the exit code says what was found, not that the use is wrong
    # or "running", "stopped"; "attended": with an agent; "waiting": with the tasks task-1 and other-2; "asking": with heartbeats
    # all the time
    pool: str = "absent"

    def words(self, **places):
        values = {"{long}": LONG, "{latin1}": os.fsdecode(b"\xff")} | {f"{{{k}}}": str(v) for k, v in places.items()}
        words = shlex.split(self.line)
        for place, value in values.items():
            words = [word.replace(place, value) for word in words]
        return words

    def options(self):
        """The long and short options of the line, without values."""
        return [word.split("=")[0] for word in shlex.split(self.line) if re.match(r"--?[A-Za-z]", word)]

    @property
    def is_wrong(self):
        return self.code != 0 and not self.is_verdict

    @property
    def subject(self):
        """What a wrong row is about."""
        return self.of or (self.options() or [""])[-1]


def found(pattern):
    """Somewhere in the text, over lines."""
    return re.compile(pattern, re.S)


def wrong(line, message, **more):
    """Wrong usage: nothing on stdout, the message (a pattern if compiled) behind the program's name, and the way to
    the help."""
    return Row(line, code=2, err=message if isinstance(message, re.Pattern) else Usage(message), **more)


def refused(line, message, code=1, **more):
    """Well-formed, but it can't be done: the message behind the program's name."""
    return Row(line, code=code, err=message if isinstance(message, re.Pattern) else Line(message), **more)


class Usage(str):
    """The first line's message, with `Try …` as the second line."""


class Line(str):
    """The only line's message."""


@dataclass
class Lasting(Row):
    """Goes on until the test ends it with SIGTERM, once it has told what fits this pattern."""

    until: str = ""
