"""Servers of the engine and hosts of a pool over it, for as long as a measurement lasts, and what each of them takes of the processor."""

import json
import shutil
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path

from harness.nats_server import NatsCluster, NatsServer

from .programs import daemon, wait_for


class _Process:
    """What a NatsServer needs of the process that it has started."""

    def __init__(self, command):
        self.popen = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
        self.pid = self.popen.pid

    @property
    def running(self):
        return self.popen.poll() is None

    def end(self):
        self.popen.kill()
        self.popen.wait(30)


class _Place:
    """Takes the place of the test for which a NatsServer is made otherwise."""

    def __init__(self, home):
        self.home, self.processes = home, []

    def start(self, *command):
        self.processes.append(_Process(command))
        return self.processes[-1]

    @staticmethod
    def assert_running(process):
        if not process.running:
            raise SystemExit("nats-server has ended")


class Engine:
    """The servers. `pids`: theirs."""

    def __init__(self, place, servers):
        self.servers, self.pids = servers, [process.pid for process in place.processes]
        self.addresses = ",".join(server.address for server in servers)

    def received(self):
        """Messages that clients have sent so far."""
        return sum(server.received() for server in self.servers)


@contextmanager
def engine(bench, count):
    """New servers with empty stores, on the disk."""
    home = bench.disk / "engine"
    home.mkdir()
    place = _Place(home)
    try:
        servers = NatsCluster(place, count).servers if count > 1 else [NatsServer(place)]
        yield Engine(place, servers)
    finally:
        for process in place.processes:
            process.end()
        shutil.rmtree(home, ignore_errors=True)


class Host:
    """A daemon and its pool. Without an engine it is the whole pool."""

    def __init__(self, bench, root, process, directory):
        self.pid, self.directory = process.pid, directory
        self._status = [bench.troupe, "--root", root, "--log-level", "off", "status", "--pool", "bench", "--json"]

    def status(self):
        done = subprocess.run(self._status, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


@contextmanager
def hosts(bench, count, servers=None, lease=30):
    """So many hosts of a pool, which are connected; without servers, pools of their own."""
    options = []
    if servers:
        options = ["--engine", servers.addresses, "--lease-secs", str(lease), "--engine-replicas", str(len(servers.servers))]
    with ExitStack() as stack:
        started = []
        for number in range(count):
            root = bench.memory / f"host{number}"
            process, directory = stack.enter_context(daemon(bench.troupe, root, *options))
            started.append(Host(bench, root, process, directory))
            if servers:
                wait_for(lambda: started[-1].status()["engine"]["connected"], "the host to be connected")
        yield started


def make_queue(bench, host):
    """A task makes its queue. In a cluster, the first ones of a new queue may wait for five seconds, and so longer than this
    measures, which is no success then."""
    subprocess.run([bench.load("pool_roundtrip"), "--pool-dir", host.directory, "--seconds", "0.2", "--warmup", "0.1"],
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def processor_seconds(pids):
    """That their threads have taken so far, together."""
    return sum(int(path.read_text().split()[0]) for pid in pids for path in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def memory_bytes(pid):
    """The proportional share of it."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
