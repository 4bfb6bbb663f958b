"""A run that takes over the results of an earlier one, beside the resume of that run's log."""

import json
import statistics

from .figures import Row
from .programs import timed

ROWS = [
    Row("reuse", "barnum run --reuse of a run of 100,000 tasks, all unchanged: time", "the resume of its log, cut before its last task's end", 1.5, True),
]

STEPS = [{"name": "List", "action": {"kind": "Command", "script": "cat parts.json"}, "next": ["Part"]},
         {"name": "Part", "action": {"kind": "Command", "script": "cat tasks.json"}, "next": ["Task"]},
         {"name": "Task", "action": {"kind": "Command", "script": "echo '[]'"}, "next": []}]
PARTS = 100


def measure(bench, table):
    count = bench.of(100_000)
    config = bench.disk / "reuse.json"
    config.write_text(json.dumps({"entrypoint": "List", "steps": STEPS}))
    log = bench.disk / "earlier.ndjson"
    _write_log(log, count)
    timed([bench.barnum, "inspect", "--accept-edits", log])  # each line gets its checksum
    cut = bench.disk / "cut.ndjson"
    text = log.read_bytes()
    cut.write_bytes(text[:text.rindex(b"\n", 0, -1) + 1])
    turns = []
    for _ in range(5):  # the two take turns, so that both have the same neighbours on the machine
        resumed = _run(bench, "--resume-from", cut)
        turns.append((_run(bench, "--config", config, "--reuse", log), resumed))
    table.add("reuse", statistics.median(ours / theirs for ours, theirs in turns),
              f"{statistics.median(ours for ours, _ in turns):.2f} s", f"{statistics.median(theirs for _, theirs in turns):.2f} s")


def _write_log(path, count):
    """The log of a run of a task with 100 children, each of which has the same share of the others, as Barnum writes it, but
    without checksums."""
    def line(kind, **fields):
        return json.dumps({"kind": kind, **fields}, separators=(",", ":")) + "\n"

    def done(task, children=()):
        return line("TaskCompleted", task_id=task, outcome={"kind": "Success", "value": {"spawned_task_ids": list(children)}},
                    started=1763719591417, time=1763719591831)

    def submitted(task, step, value, parent, origin):
        return line("TaskSubmitted", task_id=task, step=step, value=value, parent_id=parent, origin=origin, time=1763719591417)

    config = {"entrypoint": "List", "steps": STEPS}
    share = count // PARTS
    with path.open("w") as file:
        file.write(line("Config", config=config, directory=str(path.parent), run_id="earlier", initial_tasks=1))
        file.write(submitted(0, "List", {}, None, "Initial"))
        file.write(done(0, range(1, PARTS + 1)))
        for part in range(1, PARTS + 1):
            file.write(submitted(part, "Part", {"number": part}, 0, "Spawned"))
        for part in range(1, PARTS + 1):
            first = PARTS + 1 + (part - 1) * share
            file.write(done(part, range(first, first + share)))
            for task in range(first, first + share):
                file.write(submitted(task, "Task", {"number": task, "file": f"src/part{part}/file{task}.cpp"}, part, "Spawned"))
            for task in range(first, first + share):
                file.write(done(task))


def _run(bench, *args):
    log = bench.disk / "run.ndjson"
    seconds = timed([bench.barnum, "run", *args, "--state-log", log, "--progress", "none"],
                    env={"PATH": "/usr/bin:/bin", "BARNUM_RUNS": str(bench.disk / "runs")})
    log.unlink()
    return seconds
