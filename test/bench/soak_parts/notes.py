"""What the agents note in one file, a line for each event, before they do what it says:

    start NUMBER AGENT    has taken the task
    back NUMBER AGENT     hands it back
    end NUMBER AGENT      is about to write the answer
    leaving AGENT         was told to end, and gives back what it has
    lost AGENT            was killed, or walked away from its task

and whether all that fits together: no task at two agents at a time, and none done twice."""

import os
from collections import Counter


class Notes:
    def __init__(self, path):
        self.path = path
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, line):
        os.write(self._file, line.encode() + b"\n")  # one call: lines of several writers don't mix

    def close(self):
        os.close(self._file)

    def lines(self):
        return [line.split(" ") for line in self.path.read_text().splitlines()]


class History:
    """The notes, gone through once."""

    def __init__(self, lines, may_repeat):
        self.holder = {}  # number → the agent that took it last
        self.state = {}   # number → the last note about it
        self.lost, self.leaving = set(), set()
        self.backs = Counter()
        self.starts = self.handed_back = 0
        self.problems = []
        self._may_repeat = may_repeat
        for kind, *fields in lines:
            if kind in ("lost", "leaving"):
                (self.lost if kind == "lost" else self.leaving).add(fields[0])
            else:
                self._note(kind, *fields)

    def _note(self, kind, number, agent):
        if kind == "start":
            self.starts += 1
            if number in self.holder and not self._may_be_given_on(number):
                self.problems.append(f"task {number} went to {agent} although {self.holder[number]} had it "
                                     f"(its last note: {self.state[number]})")
            self.holder[number] = agent
        elif self.holder.get(number) != agent:
            self.problems.append(f"{kind} of task {number} by {agent}, which does not have it")
        if kind == "back":
            self.handed_back += 1
            self.backs[number, agent] += 1
        self.state[number] = kind

    def _may_be_given_on(self, number):
        # One that was told to leave may have been stopped between its last note and the response.
        return (self.state[number] == "back" or self.holder[number] in self.leaving or
                (self.state[number] == "end" and number in self._may_repeat))

    def explains_timeout(self, number):
        """Whether an agent is to blame. `troupe agent` keeps a task that failed there three times. Nothing noted: an
        agent was killed before it could, which the caller counts."""
        agent = self.holder.get(number)
        return agent in self.lost or self.backs[number, agent] >= 3

    def taken_unnoted(self, number):
        return self.state.get(number) in (None, "back") or self.holder[number] in self.leaving
