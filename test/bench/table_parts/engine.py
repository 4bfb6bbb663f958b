"""The workflow engine without the work: its rate with a durable log, wide runs, replay, and schemas."""

import statistics

from .figures import Row

ROWS = [
    Row("engine log 64", "engine, stand-in executor, 64 in flight, --fsync always: tasks/s",
        "raw group commit of the same bytes in its batches", 0.7),
    Row("engine log 512", "the same, 512 in flight", "raw group commit of the same bytes in its batches", 0.7),
    Row("engine rate", "the same, at least 50,000/s or what the raw loop does if less", "", 1),
    Row("fan-out time", "fan-out of 1,000,000 tasks: time of each", "the same at 10,000", 1.3, True),
    Row("fan-out memory", "fan-out of 1,000,000 tasks: memory of a pending one", "", 1024, True, "B"),
    Row("resume", "resume of a run of 1,000,000 tasks: replay of its log", "Boost.JSON parsing its lines", 1.3, True),
    Row("schema", "schema validation of a response of 1 KB: time", "valijson alone", 1.2, True),
]


def measure(bench, table):
    for in_flight in 64, 512:
        rate, = bench.json_lines([bench.load("engine"), "rate", "--rounds", 1, "--in-flight", in_flight,
                                  "--directory", bench.disk, bench.of(200_000)])
        engine, raw = rate["engine_per_second"], rate["raw_per_second"]
        table.add(f"engine log {in_flight}", rate["ratio"], f"{engine:,}/s", f"{raw:,}/s")
    table.add("engine rate", engine / min(50_000, raw), f"{engine:,}/s")
    _fan_out(bench, table)
    for line in bench.json_lines([bench.load("state_log"), "replay", "--rounds", 1, "--directory", bench.disk, "--json",
                                  bench.of(1_000_000)]):
        table.add("resume", line["ratio"], f"{line['replay_seconds']:.2f} s", f"{line['parse_seconds']:.2f} s")
    lines = bench.json_lines([bench.load("schema"), "--rounds", 3])
    usual = [line for line in lines if 1000 < line["bytes"] < 2000]
    typical = min(usual, key=lambda line: abs(line["ratio"] - statistics.median(each["ratio"] for each in usual)))
    table.add("schema", typical["ratio"], f"{typical['ours_us']:.1f} µs", f"{typical['alone_us']:.1f} µs")


def _fan_out(bench, table):
    few, many = bench.json_lines([bench.load("engine"), "fan-out", "--rounds", 1, "--directory", bench.disk,
                                  bench.of(10_000), bench.of(1_000_000)])
    table.add("fan-out time", many["us_per_task"] / few["us_per_task"], f"{many['us_per_task']:.2f} µs",
              f"{few['us_per_task']:.2f} µs")
    table.add("fan-out memory", many["peak_bytes_per_task"])
