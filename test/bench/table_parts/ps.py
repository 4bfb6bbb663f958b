"""`barnum ps -a` with many runs, beside reading their records with jq."""

import json
import shutil
import statistics
import subprocess

from .figures import Row
from .programs import timed

ROWS = [Row("ps", "barnum ps -a with 1,000 runs, of which 10 are lost: time", "jq on their records", 50, at_most=True, unit="ms")]

ROUNDS = 21
LOST = 10


def measure(bench, table):
    runs = bench.disk / "runs"
    environment = {"PATH": "/usr/bin:/bin", "BARNUM_RUNS": str(runs)}
    _make_runs(bench, runs, environment)
    records = [str(path) for path in runs.glob("*/run.json")]
    listing, reading = [], []
    for _ in range(ROUNDS):
        listing.append(timed([bench.barnum, "ps", "-a"], env=environment))
        reading.append(timed(["jq", "-c", "[.id, .name, .tasks]", *records], env=environment))
    ours, theirs = statistics.median(listing) * 1000, statistics.median(reading) * 1000
    table.add("ps", ours, f"{ours:.1f} ms", f"{theirs:.1f} ms")
    shutil.rmtree(runs)


def _make_runs(bench, runs, environment):
    """Copies of one run, each with an id of its own."""
    config = json.dumps({"entrypoint": "Once", "steps": [{"name": "Once", "action": {"kind": "Command", "script": "echo '[]'"}}]})
    subprocess.run([bench.barnum, "run", "--config", config, "--progress", "none"], env=environment, check=True,
                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (first,) = runs.iterdir()
    record = json.loads((first / "run.json").read_text())
    for number in range(1, bench.of(1000)):
        path = runs / f"{number:08x}{first.name[8:]}"
        shutil.copytree(first, path)
        own = record | {"id": path.name, "state_log": str(path / "state.ndjson")}
        if number <= LOST:
            own = {name: value for name, value in own.items() if name not in ("ended", "exit_code", "result")}
        (path / "run.json").write_text(json.dumps(own))
