"""The results of 100,000 tasks for a `gather` and for a `finally`, beside jq."""

import json
import statistics

from .figures import Row
from .programs import timed

ROWS = [
    Row("gather", "a gather of 100,000 results: time from its start to its end", "jq -s of a file with the same results", 1.5, True),
    Row("results", "the file of the results for a finally that does nothing: the same time", "jq -s of that file", 1.5, True),
    Row("results memory", "the same: memory of barnum", "the same run without results", 1.5, True),
    Row("gather memory", "the gather: memory of barnum more than that", "the size of the results", 8, True),
]

GATHER = {"gather": {"into": "Sum", "of": ["Note"]}}
FINALLY = {"finally": {"kind": "Command", "script": "echo '[]'"}}


def measure(bench, table):
    count = bench.of(100_000)
    results = bench.disk / "results.ndjson"
    with results.open("w") as file:
        for task in range(1, count + 1):
            row = {"id": task, "parent": 0, "kind": "Note", "value": _value(task), "outcome": "done"}
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
    turns = [[_run(bench, step, count) for step in ({}, FINALLY, GATHER)] + [_jq(results)] for _ in range(5)]
    plain, finallys, gathers, jq = ([turn[i] for turn in turns] for i in range(4))

    def add(key, measured):
        table.add(key, statistics.median(ours / theirs for (ours, _), theirs in zip(measured, jq, strict=True)),
                  f"{statistics.median(ours for ours, _ in measured) * 1000:.0f} ms", f"{statistics.median(jq) * 1000:.0f} ms")

    def memory(measured):
        return statistics.median(peak for _, peak in measured)

    add("gather", gathers)
    add("results", finallys)
    table.add("results memory", memory(finallys) / memory(plain), f"{memory(finallys) / 1e6:.0f} MB", f"{memory(plain) / 1e6:.0f} MB")
    size = results.stat().st_size
    more = memory(gathers) - memory(plain)
    table.add("gather memory", more / size, f"{more / 1e6:.0f} MB", f"{size / 1e6:.0f} MB")


def _value(task):
    return {"file": f"src/part{task % 100}/file{task}.cpp", "lines": task}


def _run(bench, step, count):
    """The resume of a run in which only the last task is left to do: how long its gather or finally took, and its memory."""
    log, resumed = bench.disk / "log.ndjson", bench.disk / "resumed.ndjson"
    _write_log(log, step, count)
    _, memory = bench.measured([bench.barnum, "run", "--resume-from", log, "--state-log", resumed, "--progress", "none"],
                               env={"PATH": "/usr/bin:/bin", "BARNUM_RUNS": str(bench.disk / "runs")})
    ends = [entry for entry in map(json.loads, resumed.read_text().splitlines()[-8:]) if entry["kind"] == "TaskCompleted"]
    last = next((entry for entry in ends if entry["task_id"] == count + 1), ends[-1])
    resumed.unlink()
    return max(last["time"] - last["started"], 1) / 1000, memory


def _write_log(path, step, count):
    def line(kind, **fields):
        return json.dumps({"kind": kind, **fields}, separators=(",", ":")) + "\n"

    def done(task, children=()):
        return line("TaskCompleted", task_id=task, outcome={"kind": "Success", "value": {"spawned_task_ids": list(children)}})

    nothing = {"kind": "Command", "script": "echo '[]'"}
    config = {"entrypoint": "Split", "steps": [{"name": "Split", "action": nothing, "next": ["Note"]} | step,
                                               {"name": "Note", "action": nothing}, {"name": "Sum", "action": nothing}]}
    tasks = range(1, count + 1)
    with path.open("w") as file:
        file.write(line("Config", config=config, directory=str(path.parent), run_id="earlier", initial_tasks=1))
        file.write(line("TaskSubmitted", task_id=0, step="Split", value={}, parent_id=None, origin="Initial"))
        file.write(done(0, tasks))
        for task in tasks:
            file.write(line("TaskSubmitted", task_id=task, step="Note", value=_value(task), parent_id=0, origin="Spawned"))
        for task in tasks[:-1]:
            file.write(done(task))


def _jq(results):
    return timed(["jq", "-cs", "map(select(.kind == \"Note\")) | map({kind, value})", results])
