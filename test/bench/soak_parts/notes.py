"""What the agents note in one file, a line for each event, before they do what it says:

    start NUMBER AGENT    has taken the task
    back NUMBER AGENT     hands it back
    fail NUMBER AGENT     is about to fail at it
    end NUMBER AGENT      is about to write the answer
    leaving AGENT         was told to end, and gives back what it has
    killed AGENT          was killed, and the daemon notices that at once
    lost AGENT            walked away from its task, or was killed, and the daemon does not notice

and whether all that fits together: no task at two agents at a time, none done twice, and none begun again that has
failed and whose submitter is to be told so."""

import os
from collections import Counter, defaultdict

MOST_FAILURES = 3  # of a task whose submitter is not to be told; then it is answered timeout
MOST_DEATHS = 3    # of agents at work on a task; then it is answered agent_lost, or timeout


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

    def __init__(self, lines, ledger):
        self.holder = {}  # number → the agent that took it last
        self.state = {}   # number → the last note about it
        self.counts = Counter()  # of the notes, by kind
        self.problems = []
        self._takers = defaultdict(list)  # number → all agents that have taken it
        self._failures = Counter()        # number → how often it has failed
        self._gone = {"lost": set(), "leaving": set(), "killed": set()}
        self._wants_failures, self._may_repeat = ledger.wants_failures, ledger.may_repeat
        for kind, *fields in lines:
            self.counts[kind] += 1
            if kind in self._gone:
                self._gone[kind].add(fields[0])
            else:
                self._note(kind, *fields)

    def _note(self, kind, number, agent):
        if kind == "start":
            if number in self.holder and not self._may_be_given_on(number):
                self.problems.append(f"task {number} went to {agent} although {self.holder[number]} had it "
                                     f"(its last note: {self.state[number]})")
            self.holder[number] = agent
            self._takers[number].append(agent)
        elif self.holder.get(number) != agent:
            self.problems.append(f"{kind} of task {number} by {agent}, which does not have it")
        self._failures[number] += kind == "fail"
        self.state[number] = kind

    def _may_be_given_on(self, number):
        # One that was told to leave, or killed, may have been stopped between its last note and what follows from it.
        holder, state = self.holder[number], self.state[number]
        return (state == "back" or holder in self._gone["leaving"] or holder in self._gone["killed"] or
                (state == "fail" and number not in self._wants_failures) or
                (state in ("end", "fail") and number in self._may_repeat))

    def misjudged(self, processed, failed):
        """What is wrong with the answers: each must fit the last note."""
        return [f"{number} was answered {answer}, and the last note of {self.holder.get(number)} about it is: "
                f"{self.state.get(number)}"
                for answer, numbers, kind in (("Processed", processed, "end"), ("agent_failed", failed, "fail"))
                for number in numbers if self.state.get(number) != kind]

    def deaths(self, number):
        """How many agents were killed that had begun it; more may have been before they could note it."""
        return sum(agent in self._gone["killed"] for agent in self._takers[number])

    def explains_timeout(self, number):
        """Whether an agent is to blame, or three. Nothing noted: an agent was killed before it could, which the caller
        counts."""
        is_with_lost = self.holder.get(number) in self._gone["lost"] and self.state[number] != "back"
        if number in self._wants_failures:
            return is_with_lost
        return is_with_lost or self._failures[number] >= MOST_FAILURES or self.deaths(number) >= MOST_DEATHS

    def taken_unnoted(self, number):
        return number not in self.holder or self._may_be_given_on(number)
