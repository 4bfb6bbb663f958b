"""What was submitted, and what became of it. The only place that knows which answers are still owed."""

import itertools
import json
import random
import re
import threading
import uuid

LIMIT_SECONDS = 8  # of each task: far more than an agent needs that lives
FAILURE = re.compile(r"agent \S+: the command exited with code 7: task (\d+) failed")  # by do_task


class Ledger:
    """All calls from any thread. A number is a submission; its id is the submitter's, or None where a program makes
    one up."""

    def __init__(self, seed):
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._random = random.Random(seed)
        self._numbers_of_ids = {}
        self.owed = set()       # numbers whose answer somebody waits for
        self.withdrawn = set()  # by their submitter
        self.abandoned = set()  # whose submitter was killed, until somebody comes back for the answer
        self.lost = set()       # whose submitter has given up waiting
        self.processed = set()
        self.timed_out = {}     # number → place among all answers
        self.failed = set()     # answered agent_failed
        self.outlived = set()   # answered agent_lost
        self.wants_failures = set()  # numbers whose submitter is to be told of failures
        # Its submitter hung up, maybe with the answer unread, and the daemon was killed before it came back: then the
        # answer was delivered, and the next daemon doesn't know.
        self.may_repeat = set()
        self.submitted = self.answered = 0
        self.wrong = []

    def submit(self, wants_failures):
        """A new submission: its number and its content."""
        with self._lock:
            number = str(next(self._numbers))
            self.owed.add(number)
            if wants_failures:
                self.wants_failures.add(number)
            self.submitted += 1
            size = 100_000 if self._random.random() < 0.002 else self._random.randrange(1500)
        return number, json.dumps({"n": number, "timeout_seconds": LIMIT_SECONDS, "padding": "x" * size})

    def submit_with_id(self, wants_failures):
        number, content = self.submit(wants_failures)
        id_ = str(uuid.uuid4())
        with self._lock:
            self._numbers_of_ids[id_] = number
        return id_, number, content

    def number_of(self, id_, answer):
        """Of an answer that nobody waits for; None if it can't be known."""
        if id_ in self._numbers_of_ids:
            return self._numbers_of_ids[id_]
        if failure := FAILURE.fullmatch(answer.get("message", "")):
            return failure[1]
        try:
            return json.loads(answer["stdout"])[0]
        except (KeyError, ValueError, LookupError, TypeError):
            return None

    def settled(self):
        """Numbers whose answer has come, whatever it was."""
        with self._lock:
            return self.processed | self.timed_out.keys() | self.failed | self.outlived

    def answer(self, number, answer):
        """An answer that has come: it must be owed, or withdrawn too late, and be the right one."""
        with self._lock:
            self.answered += 1
            if number not in self.owed and number not in self.withdrawn and number not in self.abandoned:
                self.wrong.append(f"submission {number} was answered twice")
            self.owed.discard(number)
            self.withdrawn.discard(number)
            self.abandoned.discard(number)
            self._judge(number, answer)

    def withdraw(self, number):
        self._move(number, self.withdrawn)

    def abandon(self, number):
        self._move(number, self.abandoned)

    def give_up(self, number, how_submitted, seconds):
        self._move(number, self.lost)
        self.complain(f"no answer to submission {number} ({how_submitted}) within {seconds} s")

    def come_back(self, number):
        """For one that was abandoned, and is waited for again. False if it was not."""
        with self._lock:
            if number not in self.abandoned:
                return False
            self.abandoned.discard(number)
            self.owed.add(number)
            return True

    def allow_repeat(self, numbers):
        with self._lock:
            self.may_repeat.update(numbers)

    def complain(self, problem):
        with self._lock:
            self.wrong.append(problem)

    def _move(self, number, where):
        with self._lock:
            if number in self.owed:
                self.owed.discard(number)
                where.add(number)

    def _judge(self, number, answer):
        if answer.get("kind") == "Processed" and same(answer.get("stdout"), [number]):
            self.processed.add(number)
        elif (answer.get("kind"), answer.get("reason")) == ("NotProcessed", "timeout"):
            self.timed_out[number] = self.answered
        elif number in self.wants_failures and tells_of_failure(answer, number):
            self.failed.add(number)
        elif number in self.wants_failures and answer.get("reason") == "agent_lost":
            self.outlived.add(number)
        else:
            self.wrong.append(f"submission {number} was answered {json.dumps(answer)[:300]}")


def tells_of_failure(answer, number):
    failure = FAILURE.fullmatch(answer.get("message", ""))
    return (failure and failure[1] == number and
            (answer.get("kind"), answer.get("reason"), answer.get("exit_code")) == ("NotProcessed", "agent_failed", 7))


def same(text, value):
    try:
        return json.loads(text) == value
    except (TypeError, ValueError):
        return False
