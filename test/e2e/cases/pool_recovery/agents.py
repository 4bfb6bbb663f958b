"""Agents that keep the file protocol by hand, many in one process, and go on whatever becomes of the daemon.

agents.py POOL-DIRECTORY COUNT LONGEST-WORK-MS LOG LIMIT: until SIGTERM. Notes `start N AGENT` and `end N AGENT` in LOG, N
being the `n` of the task's content, or of its value. The end is noted before the response is written. LIMIT is a file with
the number of tasks that may end so far; while there is none, all may."""

import json
import os
import random
import sys
import time
import uuid
from pathlib import Path


class Agent:
    def __init__(self, fleet):
        self.fleet = fleet
        self.announce()

    def announce(self):
        self.uuid = str(uuid.uuid4())
        self.number = self.due = None
        (self.fleet.agents / f"{self.uuid}.ready.json").write_text("{}")

    def look(self, names):
        if self.due is not None:
            if time.monotonic() >= self.due and self.fleet.left > 0:
                self.finish()
        elif f"{self.uuid}.task.json" in names:
            self.begin(json.loads((self.fleet.agents / f"{self.uuid}.task.json").read_text()))

    def begin(self, content):
        self.number = content["task"]["value"]["n"] if "task" in content else content["n"]
        self.fleet.note(f"start {self.number} {self.uuid}")
        self.due = time.monotonic() + random.random() * self.fleet.longest

    def finish(self):
        self.fleet.left -= 1
        self.fleet.note(f"end {self.number} {self.uuid}")
        # In two steps, as a command's output comes.
        with open(self.fleet.agents / f"{self.uuid}.response.json", "w", encoding="ascii") as file:
            file.write(" [")
            file.flush()
            file.write("]" if isinstance(self.number, str) else f"{self.number}]")
        self.announce()


class Fleet:
    def __init__(self, pool, count, longest, log, limit):
        self.agents = Path(pool) / "agents"
        self.longest = longest
        self.limit = Path(limit)
        self.ended = self.left = 0
        self.log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.members = [Agent(self) for _ in range(count)]

    def note(self, line):
        os.write(self.log, line.encode() + b"\n")

    def work(self):
        while True:
            left = self.left = self.may_end()
            names = set(os.listdir(self.agents))
            for agent in self.members:
                agent.look(names)
            self.ended += left - self.left
            time.sleep(0.001)

    def may_end(self):
        try:
            return int(self.limit.read_text()) - self.ended
        except FileNotFoundError:
            return len(self.members)


if __name__ == "__main__":
    Fleet(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) / 1000, *sys.argv[4:6]).work()
