"""A task's way through the pool: beside the published daemon, and beside the files that it takes anyway."""

import os

from .figures import Row
from .programs import daemon

ROWS = [
    Row("pool p50", "pool, socket, 1 submitter × 1 agent: p50", "published daemon", 25),
    Row("pool rate", "pool, socket, 64 × 64: tasks/s", "published daemon", 8),
    Row("pool files", "pool, file transport, 64 × 64: tasks/s", "published daemon, its socket", 4),
    Row("pool floor", "pool, socket, 64 × 64: tasks/s", "the same files by a loop, no daemon", 0.6),
    Row("pool floor kept", "the same, each submitter with one connection for all its requests", "the same loop", 0.6),
    Row("labels", "the pool's machine, 10,000 agents with 50 sets of labels: time of a task", "the same without labels", 4,
        True),
]


def measure(bench, table):
    one = _load(bench, bench.troupe, 1)
    many = _load(bench, bench.troupe, 64)
    kept = _load(bench, bench.troupe, 64, "--keep-connection")
    files = _load(bench, bench.troupe, 64, "--files")
    floor, = bench.json_lines([bench.load("pool_floor"), "--directory", bench.memory / "floor", "--seconds", bench.of(5)])
    table.add("pool floor", _rate(many) / _rate(floor), _per_second(many), _per_second(floor))
    table.add("pool floor kept", _rate(kept) / _rate(floor), _per_second(kept), _per_second(floor))
    _labels(bench, table)
    if not os.access(bench.published, os.X_OK):
        for row in ROWS[:3]:
            table.skip(row.key, f"{bench.published} is not there. scripts/test fetches it for its own use, or: npm pack "
                       "@barnum/troupe@0.2.3, and --published PATH of its package/artifacts/linux-x64/troupe")
        return
    their_one = _load(bench, bench.published, 1)
    their_many = _load(bench, bench.published, 64)
    table.add("pool p50", their_one["p50_ms"] / one["p50_ms"], _p50(one), _p50(their_one))
    table.add("pool rate", _rate(many) / _rate(their_many), _per_second(many), _per_second(their_many))
    table.add("pool files", _rate(files) / _rate(their_many), _per_second(files), _per_second(their_many))


def _labels(bench, table):
    for line in bench.json_lines([bench.load("labels"), "--rounds", 1]):
        if line["load"] == "tasks":
            table.add("labels", line["ratio"], f"{line['with_us']:.1f} µs", f"{line['without_us']:.1f} µs")


def _load(bench, troupe, count, *more):
    with daemon(troupe, bench.memory / "root") as (_, directory):
        # One that loses requests says so and fails; what it did answer counts all the same.
        result, = bench.json_lines(["sh", "-c", '"$@" || [ $? = 1 ]', "sh", bench.load("pool_roundtrip"), "--pool-dir",
                                    directory, "--submitters", count, "--agents", count, "--seconds", bench.of(10),
                                    "--json", *more], timeout=600)
    return result


def _rate(result):
    return max(result["tasks_per_second"], 0.1)


def _per_second(result):
    return f"{_rate(result):,.0f}/s"


def _p50(result):
    return f"{result['p50_ms']:.3f} ms"
