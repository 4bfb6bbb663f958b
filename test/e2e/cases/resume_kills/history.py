"""What the logs of a run that was killed and resumed say, what its commands say, and what must hold between the two."""

import json
from collections import Counter, defaultdict
from typing import NamedTuple

from flow import WITH_FINALLY


class Line(NamedTuple):
    """One that a command wrote: when it began, or before it printed."""
    life: int
    task: int
    attempt: int
    step: str
    phase: str
    edge: str
    value: str


def read_ran(path):
    """The lines in the order in which they were written."""
    found = []
    for text in path.read_text().splitlines() if path.exists() else []:
        life, task, attempt, step, phase, edge, value = text.split(" ", 6)
        found.append(Line(int(life), int(task), int(attempt), step, phase, edge, value))
    return found


def announced(entry):
    """The ids of the tasks that must follow this completion."""
    outcome = entry["outcome"]["value"]
    return outcome.get("spawned_task_ids") or [i for i in [outcome.get("retry_task_id")] if i is not None]


def committed(text):
    """The part of a log that counts: whole lines, without a group at the end that is not whole."""
    size, counts = 0, 0
    missing = set()
    for line in text[:text.rfind(b"\n") + 1].splitlines(keepends=True):
        entry = json.loads(line)
        if entry["kind"] == "TaskCompleted":
            missing = set(announced(entry))
        elif entry["kind"] == "TaskSubmitted":
            missing.discard(entry["task_id"])
        size += len(line)
        counts = counts if missing else size
    return text[:counts]


class Task:
    """An attempt, as the log has it."""

    def __init__(self, entry, place, replaced):
        self.id, self.step, self.value, self.parent = (entry[k] for k in ("task_id", "step", "value", "parent_id"))
        self.submitted = place
        self.completed = None  # the line, and
        self.outcome = None
        self.replaced = replaced
        self.attempt = replaced.attempt + 1 if replaced else 1
        origin = entry["origin"]
        self.finally_for = origin["Finally"]["finally_for"] if "Finally" in origin else replaced and replaced.finally_for
        self.is_finally = self.finally_for is not None

    @property
    def name(self):
        return (self.step, "finally" if self.is_finally else "task", self.value)

    @property
    def retry(self):
        return self.outcome["value"].get("retry_task_id")


class Log:
    """The committed part of a log; parsed when it is asked for."""

    def __init__(self, text):
        self.text = committed(text)
        self.tasks = {}
        for place, line in enumerate(self.text.splitlines()):
            self._take(place, json.loads(line))

    def _take(self, place, entry):
        if entry["kind"] == "TaskSubmitted":
            assert entry["task_id"] not in self.tasks, f"id {entry['task_id']} is used twice"
            origin = entry["origin"]
            replaced = self.tasks[origin["Retry"]["replaces"]] if "Retry" in origin else None
            self.tasks[entry["task_id"]] = Task(entry, place, replaced)
        elif entry["kind"] == "TaskCompleted":
            task = self.tasks[entry["task_id"]]
            assert task.outcome is None, f"task {task.id} is completed twice"
            task.outcome, task.completed = entry["outcome"], place

    def completed(self):
        return {task.id for task in self.tasks.values() if task.outcome}

    def is_complete(self):
        due = sum(t.step in WITH_FINALLY and not t.is_finally and t.outcome is not None and t.retry is None
                  for t in self.tasks.values())
        done = sum(t.is_finally and t.replaced is None for t in self.tasks.values())
        return bool(self.tasks) and len(self.completed()) == len(self.tasks) and due == done

    def result(self):
        """All that happened, however the ids were given out and in whichever order."""
        def told(task):
            parent = self.tasks[task.parent].name if task.parent is not None else None
            children = sorted(self.tasks[i].name for i in task.outcome["value"].get("spawned_task_ids", []))
            reason = json.dumps(task.outcome["value"].get("reason"), sort_keys=True)
            return (task.name, task.attempt, parent, task.outcome["kind"], reason, tuple(children),
                    task.outcome["kind"] == "Failed" and task.retry is None)
        return Counter(map(told, self.tasks.values()))


class Life:
    """One barnum process: its number, the log that it resumed, and its own, which may never have come to be."""

    def __init__(self, number, before):
        self.number, self.before, self.log = number, before, None

    def completed_before(self):
        return self.before.completed() if self.before else set()


def check(lives, ran):
    """Raises what is wrong with a run that has come to its end."""
    of_life = defaultdict(list)
    for line in ran:
        of_life[line.life].append(line)
    for life in lives:
        check_life(life, of_life[life.number])
    last = next(life.log for life in reversed(lives) if life.log)
    assert last.is_complete(), "the last log is not complete"
    check_ids(last, ran)
    check_finallys(last, ran)


def check_life(life, lines):
    again = [line for line in lines if line.task in life.completed_before()]
    assert not again, f"completed before life {life.number}, and run again in it: {again}"
    twice = [line for line, count in Counter(lines).items() if count > 1]
    assert not twice, f"more than once in one life: {twice}"
    if not life.log:
        assert not lines, f"life {life.number} has no log, and ran {lines}"
        return
    early = [line for line in lines if line.task not in life.log.tasks]
    assert not early, f"ran before it was in the log of its life: {early}"
    edges = defaultdict(lambda: (set(), set()))
    for line in lines:
        edges[line.task][line.edge == "end"].add(line.phase)
    for task in life.log.completed() - life.completed_before():
        begun, ended = edges[task]
        assert begun and begun == ended, f"task {task} is completed in life {life.number}: began {begun}, ended {ended}"


def check_ids(log, ran):
    """An id is one attempt of one task, whoever says it."""
    for line in ran:
        task = log.tasks[line.task]
        said = (line.step, line.value, line.attempt, line.phase == "finally")
        assert said == (task.step, task.value, task.attempt, task.is_finally), f"{line} is {task.name} in the log"


def check_finallys(log, ran):
    """Each ran once, after all that it is for."""
    first, last = {}, {}
    for place, line in enumerate(ran):
        first.setdefault(line.task, place)
        last[line.task] = place
    children = defaultdict(list)
    for task in log.tasks.values():
        children[task.parent].append(task)
    finallys = Counter(t.finally_for for t in log.tasks.values() if t.is_finally and t.replaced is None)
    expected = Counter(t.id for t in log.tasks.values()
                       if t.step in WITH_FINALLY and not t.is_finally and t.retry is None)
    assert finallys == expected, f"finallys not run once each: {finallys - expected} {expected - finallys}"
    for task in log.tasks.values():
        if not task.is_finally:
            continue
        for earlier in [log.tasks[task.finally_for], *descendants(task.finally_for, children)]:
            assert earlier.completed < task.submitted, f"finally {task.id} was submitted before {earlier.id} was over"
            assert last[earlier.id] < first[task.id], f"finally {task.id} began before {earlier.id} ended"


def descendants(top, children):
    waiting = [top]
    while waiting:
        found = children[waiting.pop()]
        yield from found
        waiting += [task.id for task in found]
