"""Ten thousand agents that wait: what they take of the daemon when nothing happens."""

import os
import time
import uuid
from pathlib import Path

from .figures import Row
from .programs import daemon, process_status, sleeps_on, wait_for, wake_ups

ROWS = [
    Row("idle memory", "10,000 idle agents: memory of the daemon", "", 100, True, "MB"),
    Row("idle wake-ups", "10,000 idle agents: wake-ups in 10 s", "", 0, True, ""),
    Row("idle inotify", "10,000 idle agents: inotify instances", "", 1, True, ""),
]


def measure(bench, table):
    count, seconds = bench.of(10_000), bench.of(10)
    with daemon(bench.troupe, bench.memory / "root") as (process, directory):
        for _ in range(count):
            (directory / "agents" / f"{uuid.uuid4()}.ready.json").write_text("{}")
        wait_for(lambda: sleeps_on([process.pid]), "the daemon to have taken all of them in")
        before = wake_ups(process.pid)
        time.sleep(seconds)  # what is measured is that nothing happens
        table.add("idle wake-ups", wake_ups(process.pid) - before)
        table.add("idle memory", int(process_status(process.pid)["VmHWM"].split()[0]) * 1024 / 1e6)
        table.add("idle inotify", sum("inotify" in os.readlink(fd) for fd in Path(f"/proc/{process.pid}/fd").iterdir()))

