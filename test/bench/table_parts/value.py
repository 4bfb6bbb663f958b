"""A value of 40 MB that a Pool step's agent gets, beside copying its file twice."""

import json
import shutil
import subprocess
import time

from .figures import Row
from .programs import daemon

ROWS = [
    Row("value time", "a 40 MB value through a Pool step: time", "copying its file twice", 3, True),
    Row("value memory", "the same: memory of barnum, and of the daemon", "the value's size", 3, True),
]

SIZE = 40_000_000


def measure(bench, table):
    size = bench.of(SIZE)
    value = bench.memory / "value.json"
    line = "a line of a text that is worth forty megabytes\n"
    value.write_text(json.dumps({"text": line * (size // (len(line) + 1))}))
    size = value.stat().st_size
    config = bench.memory / "pool.json"
    config.write_text(json.dumps({"entrypoint": "Read", "steps": [
        {"name": "Read", "action": {"kind": "Pool", "instructions": "Read it."}, "next": []}]}))
    with daemon(bench.troupe, bench.memory / "root") as (process, directory):
        agent = subprocess.Popen([str(part) for part in (
            bench.troupe, "--root", bench.memory / "root", "--log-level", "off", "agent", "--pool", "bench", "--exec",
            "cat >/dev/null; echo '[]'")])
        seconds, memory = _run(bench, config, value)
        daemon_memory = _peak(process.pid)
        agent.terminate()
        agent.wait(30)
    copying = _copy_twice(bench, value)
    value.unlink()
    table.add("value time", seconds / copying, f"{seconds * 1000:.0f} ms", f"{copying * 1000:.0f} ms")
    table.add("value memory", max(memory, daemon_memory) / size, f"{memory / 1e6:.0f} and {daemon_memory / 1e6:.0f} MB",
              f"{size / 1e6:.0f} MB")


def _run(bench, config, value):
    log = bench.memory / "run.ndjson"
    command = (bench.barnum, "run", "--root", bench.memory / "root", "--pool", "bench", "--config", config,
               "--entrypoint-value", value, "--state-log", log, "--progress", "none")
    measured = bench.measured(command)
    log.unlink()
    return measured


def _copy_twice(bench, value):
    began = time.perf_counter()
    for name in ("first", "second"):
        shutil.copyfile(value, bench.memory / name)
    seconds = time.perf_counter() - began
    for name in ("first", "second"):
        (bench.memory / name).unlink()
    return seconds


def _peak(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
