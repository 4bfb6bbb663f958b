"""What a run has to do: its workflow, the tasks that its first one leads to, and what must be in its log at the end."""

import json
import shlex
from collections import Counter

from .world import DO_TASK

RETRIES = 40  # more than all faults together cost one task
HANG_SECONDS = 1
MOODS = {  # how often each: what do_task makes of it
    "Cmd": {"quick": 6, "stubborn": 2, "background": 1, "detached": 1, "fail": 2},
    "CmdHang": {"hang": 1},
    "Ask": {"quick": 8, "stubborn": 2, "background": 1, "detached": 1, "fail": 1, "back": 0.06},
    "AskHang": {"hang": 1},
}
KINDS = {"Cmd": 8, "CmdHang": 1, "Ask": 10, "AskHang": 1}
LONGEST_MILLIS = 500


def value(run, number, mood="quick", millis=0):
    """In the form that do_task finds in its input."""
    return {"run": run, "n": number, "mood": mood, "millis": millis}


def draw_task(run, number, random, kinds=None):
    kinds = kinds or KINDS
    kind = random.choices(list(kinds), list(kinds.values()))[0]
    moods = MOODS[kind]
    mood = random.choices(list(moods), list(moods.values()))[0]
    millis = 0 if mood == "hang" else random.randrange(LONGEST_MILLIS)
    return {"kind": kind, "value": value(run, number, mood, millis)}


class Plan:
    def __init__(self, run, size, random, answer_seconds):
        """`answer_seconds`: the time that an agent has; None where the death of one needs no deadline to be noticed."""
        self.run = run
        self.answer_seconds = answer_seconds
        self.first = value(run, 0)
        self.tasks = [draw_task(run, number, random) for number in range(1, size + 1)]

    def write(self, folder):
        """flow.json, and plan.json, which its first task prints."""
        folder.mkdir()
        (folder / "plan.json").write_text(compact(self.tasks))
        (folder / "flow.json").write_text(json.dumps(self._config()))

    def expected(self):
        """How often (step, is a finally, number) has to have succeeded: once each."""
        tasks = [(task["kind"], False, task["value"]["n"]) for task in self.tasks]
        checks = [("Check", False, number) for kind, _, number in tasks if kind.startswith("Ask")]
        return Counter([("Plan", False, 0), ("Plan", True, 0), *tasks, *checks])

    def _config(self):
        do = {"kind": "Command", "script": shlex.quote(str(DO_TASK))}
        ask = {"kind": "Pool", "instructions": "Do it."}
        limit = {"timeout": self.answer_seconds} if self.answer_seconds else {}
        finish = {"kind": "Command", "script": f"{shlex.quote(str(DO_TASK))} Finally"}
        steps = [{"name": "Plan", "action": do, "finally": finish, "next": list(KINDS)},
                 {"name": "Cmd", "action": do, "next": []},
                 {"name": "CmdHang", "action": do, "next": [], "options": {"timeout": HANG_SECONDS}},
                 {"name": "Ask", "action": ask, "next": ["Check"], "options": limit},
                 {"name": "AskHang", "action": ask, "next": ["Check"], "options": {"timeout": HANG_SECONDS}},
                 {"name": "Check", "action": do, "next": []}]
        return {"entrypoint": "Plan", "options": {"max_retries": RETRIES}, "steps": steps}


def compact(tasks):
    return json.dumps(tasks, separators=(",", ":"))
