"""Submitters: `troupe submit_task`, one submission after the other, by the socket or by files."""

import itertools
import json
import signal

from .actors import Actor
from .plan import MOODS, compact, value
from .runs import PLAIN_ANSWER_SECONDS
from .world import PLAIN

NUMBERS = itertools.count(1)
PATIENCE = 3  # agents that may die of one task before it is given up
TIMED_OUT = 124


class Submitter(Actor):
    kind = "submitter"

    def __init__(self, world, name, pool, ways, random):
        super().__init__(world, name, pool)
        self._ways, self._random = ways, random
        self._way = None
        self._content = None

    # An end by SIGKILL of one that goes by files leaves its request there for whoever takes its place: nobody here.
    def disturb(self, number, in_flight):
        super().disturb(signal.SIGTERM if self._way == "file" and number == signal.SIGKILL else number, in_flight)

    def start(self):
        number = next(NUMBERS)
        self.owner = f"s{number}"
        self.world.pools[self.owner] = self.pool
        self._way = self._random.choice(self._ways)
        moods = {mood: often for mood, often in MOODS["Ask"].items() if mood != "fail"}
        mood = self._random.choices(list(moods), list(moods.values()))[0]
        task = {"kind": "Submitted", "value": value(self.owner, 0, mood, self._random.randrange(300))}
        content = {"task": task} | ({"timeout_seconds": PLAIN_ANSWER_SECONDS} if self.pool == PLAIN else {})
        self.world.figures["submissions"] += 1
        return self.world.spawn(self.owner, self.world.troupe, "--log-level", "warn", "submit_task", "--pool", self.pool,
                                "--notify", self._way, "--data", compact(content))

    def ended(self, code):
        lines = self.world.log(self.owner, "out").read_text().splitlines()
        if len(lines) == 1:
            self._judge(code, json.loads(lines[0]))
        elif lines:
            self.world.complain("twice", f"submission {self.owner} got {len(lines)} answers: {lines}")
        elif self.was_told_to_end():
            self.world.figures["submitters told to end before they had an answer"] += 1
        elif not self.may_end(code):
            self.world.complain("lost", f"submission {self.owner} ({self._way}) ended with {code}, without an answer:\n"
                                        f"{self.world.tail(self.owner)}")

    def _judge(self, code, answer):
        how = answer.get("reason", answer["kind"])
        if how == "Processed":
            # A signal may come between the answer and the end.
            is_right = (code == 0 or self.was_told_to_end()) and f"{self.owner}/Submitted/0" in answer["stdout"]
        elif how == "stopped":
            is_right = self.world.was_disturbed_since(self.begun, {f"pool {self.pool}"})
        elif how == "timeout":
            is_right = code == TIMED_OUT and self.pool == PLAIN
        else:
            is_right = self._agents_killed() >= PATIENCE
        self.world.figures[f"answers: {how}"] += 1
        if not is_right:
            self.world.complain("lost", f"submission {self.owner} ({self._way}, exit code {code}) was answered {answer}")

    def _agents_killed(self):
        return sum(fault.time >= self.begun and fault.what in ("SIGKILL of a run", "SIGKILL of an agent")
                   for fault in self.world.faults)
