"""What a run's state log says of its tasks."""

import json
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Task:
    """All attempts at one task."""
    step: str
    is_finally: bool
    number: int
    attempts: int = 0
    done: list = field(default_factory=list)  # when it has succeeded, in seconds since 1970
    failures: Counter = field(default_factory=Counter)  # of attempts, by the kind of their reason

    def id(self, run):
        return f"{run}/{'Finally' if self.is_finally else self.step}/{self.number}"


class RunLog:
    def __init__(self, path):
        self._of_attempt = {}  # task_id → Task
        self.tasks = []
        self.ended = None  # when the last entry was written
        self._last_end = None  # the task of the last completion
        text = path.read_bytes()
        for line in text[:text.rfind(b"\n") + 1].splitlines():
            entry = json.loads(line)
            self.ended = entry["time"] / 1000
            if entry["kind"] == "TaskSubmitted":
                self._submit(entry)
            elif entry["kind"] == "TaskCompleted":
                self._complete(entry)

    def successes(self):
        """How often each (step, is a finally, number) has succeeded."""
        return Counter({(task.step, task.is_finally, task.number): len(task.done) for task in self.tasks if task.done})

    def settled(self):
        """(task, when) of each that has succeeded and stays so: what belongs to the last completion may be cut off."""
        return [(task, task.done[0]) for task in self.tasks if task.done and task is not self._last_end]

    def _submit(self, entry):
        origin = entry["origin"] if isinstance(entry["origin"], dict) else {}
        if "Retry" in origin:
            task = self._of_attempt[origin["Retry"]["replaces"]]
        else:
            task = Task(entry["step"], "Finally" in origin, entry["value"]["n"])
            self.tasks.append(task)
        task.attempts += 1
        self._of_attempt[entry["task_id"]] = task

    def _complete(self, entry):
        task, outcome = self._of_attempt[entry["task_id"]], entry["outcome"]
        self._last_end = task
        if outcome["kind"] == "Success":
            task.done.append(entry["time"] / 1000)
        else:
            reason = outcome["value"]["reason"]
            task.failures[reason["kind"] if isinstance(reason, dict) else reason] += 1
