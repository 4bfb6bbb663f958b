"""What a pool over hosts costs while nothing ends: idle agents, and tasks whose leases are extended."""

import time
import uuid

from .engine_hosts import engine, hosts, make_queue, memory_bytes, processor_seconds
from .figures import Row
from .programs import queue_tasks, sleeps_on, wait_for, wake_ups

WITHOUT = "a host without an engine"
ROWS = [
    Row("hosts idle memory", "10,000 idle agents: memory of the host's daemon", WITHOUT, 100, True, "MB"),
    Row("hosts idle wake-ups", "10,000 idle agents: wake-ups in a minute", WITHOUT, 60, True, ""),
    Row("hosts idle processor", "10,000 idle agents: processor in a minute", WITHOUT, None, unit="ms"),
    Row("hosts lease", "1,000 tasks at work: processor of their host for an extension, with the look at the record", "", None, unit="µs"),
    Row("hosts lease server", "the same of the server", "", None, unit="µs"),
    Row("hosts lease submitter", "the same tasks: processor of their submitters' host for a look at record and queue", "", None, unit="µs"),
    Row("hosts lease requests", "the same: messages to the server for an extension, of both hosts together", "", None, unit=""),
]
LEASE = 3  # seconds: extended after a third, and looked at by the submitter's host after each


def measure(bench, table):
    _measure_idle(bench, table)
    _measure_leases(bench, table)


def _announce(host, count):
    for _ in range(count):
        (host.directory / "agents" / f"{uuid.uuid4()}.ready.json").write_text("{}")


def _measure_idle(bench, table):
    count, seconds = bench.of(10_000), bench.of(60)
    with engine(bench, 1) as servers, hosts(bench, 2, servers) as (edge, other):
        make_queue(bench, other)
        with_engine = _idle(edge, count, seconds)
    with hosts(bench, 1) as (host,):
        without = _idle(host, count, seconds)
    for key, unit, digits in (("memory", "MB", 1), ("wake-ups", "", 0), ("processor", "ms", 1)):
        mine, other = with_engine[key], without[key]
        table.add(f"hosts idle {key}", mine, f"{mine:.{digits}f} {unit}".strip(), f"{other:.{digits}f} {unit}".strip())


def _idle(host, count, seconds):
    """What so many agents cost when nothing happens, in a minute."""
    _announce(host, count)
    wait_for(lambda: sleeps_on([host.pid]), "the daemon to have taken all of them in")
    wakes, processor = wake_ups(host.pid), processor_seconds([host.pid])
    time.sleep(seconds)
    minutes = seconds / 60
    found = {"memory": memory_bytes(host.pid) / 1e6, "wake-ups": (wake_ups(host.pid) - wakes) / minutes,
             "processor": 1000 * (processor_seconds([host.pid]) - processor) / minutes}
    if len(host.status()["agents"]) != count:
        raise SystemExit("the daemon does not know all agents")
    return found


def _measure_leases(bench, table):
    count, seconds = bench.of(1000), bench.of(30)
    with engine(bench, 1) as servers, hosts(bench, 2, servers, LEASE) as (submitters, agents):
        _announce(agents, count)
        queue_tasks(submitters.directory, count)
        wait_for(lambda: agents.status()["engine"]["leases"] == count, "the tasks to be at work")
        time.sleep(3 * LEASE)  # until the looks of the submitters' host are as far apart as they get
        groups = ([agents.pid], servers.pids, [submitters.pid])
        before, received = [processor_seconds(group) for group in groups], servers.received()
        time.sleep(seconds)
        used = [processor_seconds(group) - old for group, old in zip(groups, before)]
        received = servers.received() - received
    extensions, looks = count * seconds / (LEASE / 3), count * seconds / LEASE
    for key, spent, times in (("", used[0], extensions), (" server", used[1], extensions), (" submitter", used[2], looks)):
        table.add(f"hosts lease{key}", 1e6 * spent / times, f"{times / seconds:,.0f}/s, {100 * spent / seconds:.1f} % of a core")
    table.add("hosts lease requests", received / extensions, f"{received / seconds:,.0f}/s")
