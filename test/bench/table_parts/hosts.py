"""A pool over hosts: beside the calls to the engine that it needs at least, and beside one host without an engine."""

import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field

from . import hosts_upkeep
from .engine_hosts import engine, hosts, make_queue, processor_seconds
from .figures import Row

SIZES = (1, 64, 1000)  # of submitters with one task each under way, and of agents
LOOP = "the calls of a task by a loop, no pool"


def _rows():
    for servers in (1, 3):
        on = "one server" if servers == 1 else "three servers"
        for size in SIZES:
            for count in (1, 2):
                target = 0.8 if (servers, size, count) == (1, 64, 1) else None
                of = "one host" if count == 1 else "two hosts, submitters on one, agents on the other"
                yield Row(_key(servers, size, count), f"{on}, {size:,} × {size:,}, {of}", LOOP, target)
    for size in SIZES:
        yield Row(_key(0, size, 1), f"one server, {size:,} × {size:,}, one host", "a host without an engine", None)
    yield Row("hosts rate", "one server, 64 × 64, one host: at least 11,600 tasks/s", "", 11_600, unit="/s")
    yield Row("hosts steady", "the same while what is done is removed: leases of 2 s, after 10 s", LOOP, None)
    yield Row("hosts processor", "one server, 64 × 64: the host's processor for a task", "a host without an engine", None, unit="µs more")
    yield Row("hosts servers' processor", "the same of the server", LOOP, None)


def _key(servers, size, count):
    return f"hosts {servers} {size} {count}"


ROWS = [*_rows(), *hosts_upkeep.ROWS]


@dataclass
class Rate:
    per_second: float
    p50: float  # milliseconds
    p99: float
    of_servers: float = 0  # microseconds of processor for a task
    of_hosts: list = field(default_factory=list)
    of_load: float = 0

    def __str__(self):
        return f"{self.per_second:,.0f}/s; {self.p50:.3g}, {self.p99:.3g} ms"

    def processor(self):
        parts = [f"load {self.of_load:.0f}", *[f"host {used:.0f}" for used in self.of_hosts], f"servers {self.of_servers:.0f}"]
        return f"{', '.join(parts)} µs of processor a task"


def measure(bench, table):
    if not _has_server(table):
        return
    for size in SIZES:
        _measure_size(bench, table, size, size if size < 100 else bench.of(size))
    hosts_upkeep.measure(bench, table)


def _measure_size(bench, table, size, count):
    alone = _pool(bench, 0, count, 1)
    for servers in (1, 3):
        loop = _loop(bench, servers, count)
        rates = [_pool(bench, servers, count, running) for running in (1, 2)]
        for running, rate in enumerate(rates, 1):
            _compare(table, _key(servers, size, running), rate, loop)
        if servers == 1:
            _compare(table, _key(0, size, 1), rates[0], alone)
        if (servers, size) == (1, 64):
            _add_main_figures(bench, table, rates[0], loop, alone)


def _has_server(table):
    if shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin"):
        return True
    for row in ROWS:
        table.skip(row.key, "nats-server is missing: scripts/install-deps --tests")
    return False


def _add_main_figures(bench, table, rate, loop, alone):
    table.add("hosts rate", rate.per_second, f"{rate.p50:.3g}, {rate.p99:.3g} ms")
    _compare(table, "hosts steady", _pool(bench, 1, 64, 1, lease=2, warmup=10), loop)
    mine, without = rate.of_hosts[0], alone.of_hosts[0]
    table.add("hosts processor", mine - without, f"{mine:.1f} µs", f"{without:.1f} µs")
    table.add("hosts servers' processor", rate.of_servers / loop.of_servers, f"{rate.of_servers:.1f} µs", f"{loop.of_servers:.1f} µs")


def _compare(table, key, ours, theirs):
    table.add(key, ours.per_second / theirs.per_second, str(ours), str(theirs))


def _loop(bench, servers, size):
    with engine(bench, servers) as running:
        command = [bench.load("nats_loop"), running.addresses, "--workers", size, "--seconds", bench.of(5), "--replicas", servers]
        rate = _measured(bench, command, running.pids, [])
    _tell(f"{servers} servers, {size} × {size}, the loop", rate)
    return rate


def _pool(bench, servers, size, count, lease=30, warmup=1):
    """The agents are on the last host, and the submitters on the first."""
    if servers == 0:
        with hosts(bench, count) as running:
            rate = _load(bench, running, [], size, warmup)
    else:
        with engine(bench, servers) as of_servers, hosts(bench, count, of_servers, lease) as running:
            rate = _load(bench, running, of_servers.pids, size, warmup)
    _tell(f"{servers} servers, {size} × {size}, {count} hosts", rate)
    return rate


def _load(bench, running, servers, size, warmup):
    first, last = running[0], running[-1]
    command = [bench.load("pool_roundtrip"), "--pool-dir", first.directory, "--submitters", size, "--keep-connection", "--json",
               "--warmup", warmup if not bench.quick else 0.2, "--seconds", bench.of(5)]
    if servers:
        make_queue(bench, first)
    pids = [host.pid for host in running]
    if first is last:
        return _measured(bench, [*command, "--agents", size], servers, pids)
    with _agents(bench, last.directory, size):
        return _measured(bench, [*command, "--agents", 0], servers, pids)


@contextmanager
def _agents(bench, directory, count):
    command = [bench.load("pool_roundtrip"), "--pool-dir", directory, "--submitters", 0, "--agents", count, "--seconds", 600]
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def _measured(bench, command, servers, running):
    """The processor's time is that of all tasks, also of those before and after the window."""
    before = [processor_seconds(servers), *map(processor_seconds, [[pid] for pid in running]), _children_seconds()]
    result, = bench.json_lines(command, timeout=600)
    after = [processor_seconds(servers), *map(processor_seconds, [[pid] for pid in running]), _children_seconds()]
    of_servers, *of_hosts, of_load = [1e6 * (new - old) / result["sent"] for new, old in zip(after, before)]
    return Rate(max(result["tasks_per_second"], 0.1), result["p50_ms"], result["p99_ms"], of_servers, of_hosts, of_load)


def _children_seconds():
    """Of those that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tell(what, rate):
    print(f"    {what}: {rate}; {rate.processor()}", file=sys.stderr, flush=True)
