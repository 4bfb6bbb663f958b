"""From a program's start to its exit, beyond the wait for others."""

import statistics
import subprocess
from contextlib import contextmanager

from .figures import Row
from .programs import daemon, queue_tasks, timed, wait_for

ROWS = [
    Row("start barnum", "barnum --help: start to exit", "/bin/true", 5, True, "ms more"),
    Row("start submit", "troupe submit_task, an agent at hand: start to exit", "/bin/true", 5, True, "ms more"),
    Row("start get_task", "troupe get_task, a task at hand: start to exit", "/bin/true", 5, True, "ms more"),
]


def measure(bench, table):
    times = bench.of(50)
    _compare(table, "start barnum", [bench.barnum, "--help"], times)
    troupe = [bench.troupe, "--root", bench.memory / "root", "--log-level", "off"]
    with daemon(bench.troupe, bench.memory / "root") as (_, directory):
        queue_tasks(directory, times)
        _compare(table, "start get_task", [*troupe, "get_task", "--pool", "bench"], times)
    with daemon(bench.troupe, bench.memory / "root") as (_, directory), _agents(bench, directory):
        _compare(table, "start submit", [*troupe, "submit_task", "--pool", "bench", "--data", '{"n":1}'], times)


@contextmanager
def _agents(bench, directory):
    """They answer at once, so that there is next to no wait."""
    process = subprocess.Popen([bench.load("pool_roundtrip"), "--pool-dir", directory, "--submitters", "0", "--agents", "4",
                                "--seconds", "600"])
    try:
        wait_for(lambda: any((directory / "agents").iterdir()), "agents")
        yield
    finally:
        process.terminate()
        process.wait(30)


def _compare(table, key, command, times):
    ours, theirs = [], []
    for _ in range(times):
        ours.append(timed(command) * 1000)
        theirs.append(timed(["/bin/true"]) * 1000)
    mine, true = statistics.median(ours), statistics.median(theirs)
    table.add(key, mine - true, f"{mine:.2f} ms", f"{true:.2f} ms")
