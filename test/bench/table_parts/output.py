"""What it costs a run to keep the output of its commands, beside the same run that keeps none; and how far behind
`barnum logs -f` is."""

import json
import shutil
import statistics
import subprocess
import time

from .figures import Row
from .programs import timed

ROWS = [
    Row("output small", "barnum run, 10,000 Commands `echo '[]'`, --jobs 2, with kept output: time", "the same without", 1.05, at_most=True),
    Row("output 1 KiB", "the same, and each Command writes 1 KiB on stderr", "the same without", 1.15, at_most=True),
    Row("output follow", "barnum logs -f, 100 lines, one each 20 ms: from its writing to its reading, p95", "", 100, at_most=True, unit="ms"),
]

SMALL = "echo '[]'"
LARGE = f"echo {'x' * 1023} >&2; {SMALL}"
LINES = 100
CLOCK = f"for i in $(seq {LINES}); do date +%s%N >&2; sleep 0.02; done; {SMALL}"


def measure(bench, table):
    _measure_cost(bench, table, "output small", SMALL)
    _measure_cost(bench, table, "output 1 KiB", LARGE)
    delays = sorted(_delays(bench))
    table.add("output follow", delays[len(delays) * 95 // 100], f"{delays[len(delays) // 2]:.1f} ms at the median")


def _measure_cost(bench, table, key, script):
    turns = 20  # the two take turns, so that both have the same neighbours on the machine
    count = bench.of(10_000) // turns
    kept, none, ratios = 0, 0, []
    for turn in range(turns):
        times = {}
        for keep in ("256K", "none") if turn % 2 else ("none", "256K"):
            times[keep] = timed(_run(bench, script, count, "--keep-output", keep), env=_environment(bench))
            shutil.rmtree(_runs(bench))
        kept, none = kept + times["256K"], none + times["none"]
        ratios.append(times["256K"] / times["none"])
    table.add(key, statistics.median(ratios), f"{count * turns / kept:,.0f}/s", f"{count * turns / none:,.0f}/s")


def _delays(bench):
    """Of each line, in milliseconds."""
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": _environment(bench)}
    run = subprocess.Popen(_run(bench, CLOCK, 1, "--name", "clock"), stdout=subprocess.DEVNULL, **quiet)
    while not any(_runs(bench).glob("*/run.json")):
        time.sleep(0.001)
    with subprocess.Popen([bench.barnum, "logs", "clock", "-f"], stdout=subprocess.PIPE, text=True, **quiet) as viewer:
        for line in viewer.stdout:
            if (word := line.split()[-1]).isdigit():
                yield (time.time_ns() - int(word)) / 1e6
    run.wait()
    shutil.rmtree(_runs(bench))


def _run(bench, script, count, *options):
    config = bench.disk / "output.json"
    config.write_text(json.dumps({"steps": [{"name": "Write", "action": {"kind": "Command", "script": script}, "next": []}]}))
    tasks = bench.disk / "tasks.json"
    tasks.write_text(json.dumps([{"kind": "Write", "value": {}}] * count))
    return [bench.barnum, "run", "--config", config, "--initial-state", tasks, "--jobs", "2", "--progress", "none", *options]


def _runs(bench):
    return bench.disk / "runs"


def _environment(bench):
    return {"PATH": "/usr/bin:/bin", "BARNUM_RUNS": str(_runs(bench))}
