"""`barnum run` of many small Commands, beside what starts the same commands without a workflow."""

import json
import shutil

from .figures import Row
from .programs import timed

ROWS = [
    Row("run xargs", "barnum run, 10,000 Commands `echo '[]'`, --jobs 2, log on: rate", "xargs -P2 of sh -c", 0.9),
    Row("run parallel", "the same", "GNU parallel -j2 --joblog", 4),
]

COMMAND = "echo '[]'"


def measure(bench, table):
    count = bench.of(10_000)
    turns = 5  # the two take turns, so that both have the same neighbours on the machine
    each = count // turns
    config = bench.disk / "fan-out.json"
    config.write_text(json.dumps({"steps": [{"name": "Small", "action": {"kind": "Command", "script": COMMAND}, "next": []}]}))
    tasks = bench.disk / "tasks.json"
    tasks.write_text(json.dumps([{"kind": "Small", "value": {}}] * each))
    ours = theirs = 0
    for _ in range(turns):
        ours += _barnum(bench, config, tasks)
        theirs += timed(["sh", "-c", f'seq {each} | xargs -P2 -I% sh -c "{COMMAND}" >/dev/null'])
    table.add("run xargs", theirs / ours, f"{count / ours:,.0f}/s", f"{count / theirs:,.0f}/s")
    if not shutil.which("parallel"):
        table.skip("run parallel", "GNU parallel is not installed: apt-get install parallel")
        return
    log = bench.disk / "joblog"
    parallel = timed(["sh", "-c", f'seq {each} | parallel --will-cite -j2 --joblog {log} "{COMMAND} #" >/dev/null'])
    log.unlink()
    our_rate, their_rate = count / ours, each / parallel
    table.add("run parallel", our_rate / their_rate, f"{our_rate:,.0f}/s", f"{their_rate:,.0f}/s")


def _barnum(bench, config, tasks):
    log = bench.disk / "run.ndjson"
    seconds = timed([bench.barnum, "run", "--config", config, "--initial-state", tasks, "--jobs", "2", "--state-log", log,
                     "--progress", "none"])
    log.unlink()
    return seconds
