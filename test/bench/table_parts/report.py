"""`barnum report` of 100,000 tasks, beside jq and gzip on its log."""

import statistics

from harness import made_log

from .figures import Row
from .programs import timed

ROWS = [
    Row("report", "barnum report of a run of 100,000 tasks: time", "jq on its log", 3, at_most=True, unit="s"),
    Row("report-size", "the page of that report: size", "gzip -6 of the log", 15, at_most=True, unit="MB"),
    Row("report-csv", "barnum report --csv of that run: time", "jq on its log", 3, at_most=True, unit="s"),
]

ROUNDS = 5
MB = 1_000_000


def measure(bench, table):
    log, page = bench.disk / "reported.ndjson", bench.disk / "page.html"
    made_log.write(log, bench.of(100_000) // 2)  # and about as many that follow
    timed([bench.barnum, "inspect", "--accept-edits", log])  # each line gets its checksum
    environment = {"PATH": "/usr/bin:/bin", "BARNUM_RUNS": str(bench.disk / "runs")}
    pages, tables, reading = [], [], []
    for _ in range(ROUNDS):
        pages.append(timed([bench.barnum, "report", log, "-o", page], env=environment))
        tables.append(timed([bench.barnum, "report", log, "--csv", bench.disk / "trace.csv"], env=environment))
        reading.append(timed(["jq", "-c", "[.kind, .task_id, .time]", log], env=environment))
    compressed = log.with_suffix(".gz")
    timed(["sh", "-c", 'gzip -6n <"$1" >"$2"', "sh", log, compressed])
    theirs = f"{statistics.median(reading):.2f} s"
    for key, times in (("report", pages), ("report-csv", tables)):
        ours = statistics.median(times)
        table.add(key, ours, f"{ours:.2f} s", theirs)
    size, least = page.stat().st_size / MB, compressed.stat().st_size / MB
    table.add("report-size", size, f"{size:.1f} MB", f"{least:.1f} MB")
    for path in (log, page, compressed, bench.disk / "trace.csv"):
        path.unlink()
