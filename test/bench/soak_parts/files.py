"""Submitters by files, by hand, and whoever comes back for the answers of submitters that were killed."""

import json
import os
import random
import time
import uuid
from collections import Counter
from pathlib import Path

from .sockets import Connection
from .worker import Worker

ANSWER_SECONDS = 60
YOUNG_SECONDS = 0.5
LEFT_ALONE_SECONDS = 3  # without a request; then nobody is about to fetch it


def read_json(path):
    """None if there is nothing, or nothing whole yet."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


class FileSubmitter(Worker):
    def __init__(self, soak, window, seed):
        super().__init__(soak.ledger)
        self._soak, self._window = soak, window
        self._random = random.Random(seed)
        self._submissions = soak.daemon.pool / "submissions"
        self._pending = {}  # id → number, since when

    def work(self):
        while not self.stopping.is_set() or self._pending:
            while len(self._pending) < self._window and not self.stopping.is_set():
                self._submit()
            names = set(os.listdir(self._submissions))
            for id_ in [id_ for id_ in self._pending if f"{id_}.response.json" in names]:
                self._take(id_)
            self._give_up_late_ones()
            if self._random.random() < 0.003:
                self._withdraw()
            time.sleep(0.005)

    def _submit(self):
        wants_failures = self._random.random() < 0.5
        number, content = self._soak.ledger.submit(wants_failures)
        id_ = str(uuid.uuid4())
        scratch = self._soak.daemon.pool / "scratch" / f"{id_}.tmp"
        scratch.write_text(json.dumps({"kind": "Inline", "wants_failures": wants_failures, "content": content}))
        self._pending[id_] = number, time.monotonic()
        scratch.rename(self._submissions / f"{id_}.request.json")

    def _take(self, id_):
        number, _ = self._pending.pop(id_)
        self._soak.ledger.answer(number, fetch(self._submissions, id_))

    # One that was just submitted: else those that wait in vain would be withdrawn in the end, and never missed.
    def _withdraw(self):
        id_, (number, since) = max(self._pending.items(), key=lambda item: item[1][1], default=(None, (None, 0)))
        if time.monotonic() > since + YOUNG_SECONDS:
            return
        del self._pending[id_]
        self._soak.ledger.withdraw(number)
        (self._submissions / f"{id_}.request.json").unlink()
        (self._submissions / f"{id_}.response.json").unlink(missing_ok=True)  # it may just have come

    def _give_up_late_ones(self):
        for id_, (number, since) in list(self._pending.items()):
            if time.monotonic() > since + ANSWER_SECONDS:
                self._soak.ledger.give_up(number, "file", ANSWER_SECONDS)
                del self._pending[id_]


def fetch(submissions, id_):
    """The answer that is there; both files go, in the order that a submitter has them go."""
    response = submissions / f"{id_}.response.json"
    answer = read_json(response) or {"kind": "unreadable"}
    (submissions / f"{id_}.request.json").unlink(missing_ok=True)
    response.unlink(missing_ok=True)
    return answer


class Returner(Worker):
    """Looks through submissions/ for what belongs to submitters that are gone. It takes the place of a killed one, as
    its owner would who runs it again under the same id, and asks for the answers that the daemon keeps."""

    def __init__(self, soak):
        super().__init__(soak.ledger)
        self._soak = soak
        self._submissions = soak.daemon.pool / "submissions"
        self._adopted = {}  # id → number
        self._seen_alone = {}  # id → since when
        self.kept = Counter()  # answers that were kept, by whose they were

    def is_idle(self):
        return not self._adopted and not self._seen_alone

    def work(self):
        while not self.stopping.wait(0.3):
            names = set(os.listdir(self._submissions))
            for name in names:
                id_ = name.split(".")[0]
                if name.endswith(".request.json"):
                    self._adopt(id_)
            for id_ in [id_ for id_ in self._adopted if f"{id_}.response.json" in names]:
                self._soak.ledger.answer(self._adopted.pop(id_), fetch(self._submissions, id_))
            alone = {name.split(".")[0] for name in names if name.endswith(".response.json")}
            alone -= {name.split(".")[0] for name in names if name.endswith(".request.json")}
            self._look_at_alone(alone)

    def _adopt(self, id_):
        if id_ in self._adopted:
            return
        request = read_json(self._submissions / f"{id_}.request.json")
        if request and request["kind"] == "FileReference":
            content = read_json(Path(request["path"]))
        else:
            content = request and json.loads(request["content"])
        number = content and content["n"]
        if number and self._soak.ledger.come_back(number):
            self._adopted[id_] = number

    def _look_at_alone(self, ids):
        now = time.monotonic()
        self._seen_alone = {id_: self._seen_alone.get(id_, now) for id_ in ids}
        for id_, since in self._seen_alone.items():
            if now > since + LEFT_ALONE_SECONDS:
                self._ask_for(id_)

    def _ask_for(self, id_):
        kept = read_json(self._submissions / f"{id_}.response.json")
        if kept is None:
            return
        number = self._soak.ledger.number_of(id_, kept)
        answer = self._ask(id_)
        if answer is None:
            return  # the daemon was killed; next time
        if {**answer, "id": id_} != {**kept, "id": id_}:
            self._soak.ledger.complain(f"kept was {json.dumps(kept)[:300]}, given out {json.dumps(answer)[:300]}")
        self.kept[self._whose(number)] += 1
        if number in self._soak.ledger.abandoned:
            self._soak.ledger.answer(number, answer)

    def _whose(self, number):
        ledger = self._soak.ledger
        if number in ledger.owed:
            ledger.complain(f"the answer to {number} is kept although its submitter waits for it")
            return "waiting"
        for whose, numbers in (("withdrawn", ledger.withdrawn), ("killed", ledger.abandoned),
                               ("had it already", ledger.settled())):
            if number in numbers:
                return whose
        return "unknown"

    def _ask(self, id_):
        try:
            connection = Connection(self._soak.daemon.pool)
        except OSError:
            return None
        connection.send({"kind": "Inline", "id": id_, "content": "{}"})
        end = time.monotonic() + 5
        answers = []
        while answers == [] and time.monotonic() < end:
            answers = connection.receive()
        connection.close()
        return answers[0] if answers else None
