"""Cheap agents, many in one process, which keep the file protocol by hand: they make the load. Some hand their task
back, some walk away from it, some come and go while they are idle.

fleet.py POOL-DIRECTORY COUNT NOTES SEED: until SIGTERM, which ends what is at work and takes the others away."""

import json
import os
import random
import signal
import sys
import time
import uuid
from pathlib import Path

from notes import Notes  # beside this file

LONGEST_WORK = 0.05  # seconds


class Agent:
    def __init__(self, fleet):
        self.fleet = fleet
        self.announce()

    def announce(self):
        self.uuid = str(uuid.uuid4())
        self.number = self.due = None
        self.is_new = True
        self.file("ready").write_text("{}")

    def file(self, kind):
        return self.fleet.agents / f"{self.uuid}.{kind}.json"

    def look(self, names):
        """`names`: what was in agents/ a moment ago. One that has announced itself since then isn't among them."""
        if self.due is not None:
            if time.monotonic() >= self.due:
                self.finish()
        elif f"{self.uuid}.task.json" in names:
            self.begin()
        elif not self.is_new and (f"{self.uuid}.ready.json" not in names or self.fleet.random.random() < 0.0002):
            self.file("ready").unlink(missing_ok=True)
            self.announce()
        self.is_new = False

    def begin(self):
        try:
            task = json.loads(self.file("task").read_text())
        except OSError:
            return  # removed meanwhile
        if task.get("kind") == "Kicked":
            return self.announce()
        if "n" not in task:  # a heartbeat
            self.file("response").write_text("[]")
            return self.announce()
        self.number = task["n"]
        self.note("start")
        fate = self.fleet.random.random()
        if fate < 0.01:
            self.note("back")
            self.file("ready").unlink(missing_ok=True)
            self.announce()
        elif fate < 0.0102:
            self.fleet.notes.write(f"lost {self.uuid}")
            self.announce()
        else:
            self.due = time.monotonic() + self.fleet.random.random() * LONGEST_WORK

    def finish(self):
        self.note("end")
        with open(self.file("response"), "w", encoding="ascii") as file:
            file.write(json.dumps([self.number]))
        self.announce()

    def note(self, kind):
        self.fleet.notes.write(f"{kind} {self.number} {self.uuid}")


class Fleet:
    def __init__(self, pool, count, notes, seed):
        self.agents = Path(pool) / "agents"
        self.notes = Notes(Path(notes))
        self.random = random.Random(seed)
        self.told_to_end = False
        signal.signal(signal.SIGTERM, self._end)
        self.members = [Agent(self) for _ in range(count)]

    def work(self):
        while self.members:
            names = set(os.listdir(self.agents))
            for agent in self.members:
                agent.look(names)
            if self.told_to_end:
                self._let_go()
            time.sleep(0.002)

    def _let_go(self):
        for agent in self.members:
            if agent.due is None:
                agent.file("ready").unlink(missing_ok=True)  # a task that has come just now goes back by that
        self.members = [agent for agent in self.members if agent.due is not None]

    def _end(self, *_):
        self.told_to_end = True


if __name__ == "__main__":
    Fleet(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]).work()
