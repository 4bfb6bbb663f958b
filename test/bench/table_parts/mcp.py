"""The servers for models that are open already: their start, what they add to the taking of a task, and what they do when
nothing happens."""

import json
import statistics
import subprocess
import time
import uuid
from contextlib import ExitStack, contextmanager

from .figures import Row
from .programs import daemon, queue_tasks, sleeps_on, timed, wait_for, wake_ups

ROWS = [
    Row("mcp start troupe", "troupe mcp: start to its first answer", "troupe --version", 10, True, "ms"),
    Row("mcp start barnum", "barnum mcp: start to its first answer", "barnum --version", 10, True, "ms"),
    Row("mcp next_task", "next_task, a task at hand: call to result", "the files of an agent, as get_task keeps them", 1, True, "ms more"),
    Row("mcp arrival", "next_task that waits: submission to result", "the same files", 1, True, "ms more"),
    Row("mcp idle", "100 idle sessions of troupe mcp: wake-ups in 10 s", "", 0, True, ""),
    Row("mcp waiting", "the same with a next_task each that waits", "", 0, True, ""),
    Row("mcp idle barnum", "100 idle sessions of barnum mcp: wake-ups in 10 s", "", 0, True, ""),
]


class Session:
    """A client's, over the pipes of a server."""

    def __init__(self, command):
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, bufsize=0)
        self.requests = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})

    def send(self, method, params):
        self.requests += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
        self.process.stdin.write(f"{line}\n".encode())

    def send_call(self, tool, **arguments):
        self.send("tools/call", {"name": tool, "arguments": arguments})

    def receive(self):
        # Without a buffer in this process: what is read first is this answer's.
        line = b""
        while not line.endswith(b"\n"):
            line += self.process.stdout.read(1 << 16) or b"\n"
        return line

    def ask(self, method, params):
        self.send(method, params)
        return self.receive()

    def finish(self, line):
        """The task that this result is."""
        task = json.loads(line)["result"]["structuredContent"]
        if task["kind"] != "Task":
            raise SystemExit(f"next_task has given {task}")
        self.send_call("finish_task", id=task["id"], response=[])
        self.receive()

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


class AgentByHand:
    """The files of an agent, without a program around them; it looks for its task all the time."""

    def __init__(self, directory):
        self.directory, self.name = directory, str(uuid.uuid4())
        self.task = directory / "agents" / f"{self.name}.task.json"

    def announce(self):
        ready = self.directory / "scratch" / self.name
        ready.write_text('{"name":"bench"}')
        ready.rename(self.directory / "agents" / f"{self.name}.ready.json")

    def receive(self):
        while not self.task.exists():
            pass
        return self.task.read_text()

    def finish(self):
        response = self.directory / "scratch" / self.name
        response.write_text("[]")
        response.rename(self.directory / "agents" / f"{self.name}.response.json")


def measure(bench, table):
    troupe = [bench.troupe, "--root", bench.memory / "root", "mcp", "--pool", "bench"]
    _starts(bench, table, "troupe", bench.troupe)
    _starts(bench, table, "barnum", bench.barnum)
    with daemon(bench.troupe, bench.memory / "root") as (_, directory), _session(troupe) as session:
        _at_hand(bench, table, session, directory)
        _arrivals(bench, table, session, directory)
    with daemon(bench.troupe, bench.memory / "root"):
        _idle(bench, table, troupe)
    with _sessions([bench.barnum, "mcp"], bench.of(100)) as sessions:
        _count(bench, table, "mcp idle barnum", sessions)


@contextmanager
def _session(command):
    session = Session(command)
    try:
        yield session
    finally:
        session.end()


@contextmanager
def _sessions(command, count):
    with ExitStack() as stack:
        yield [stack.enter_context(_session(command)) for _ in range(count)]


def _starts(bench, table, name, program):
    ours, theirs = [], []
    for _ in range(bench.of(50)):
        began = time.perf_counter()
        session = Session([program, "mcp"])
        ours.append((time.perf_counter() - began) * 1000)
        session.end()
        theirs.append(timed([program, "--version"]) * 1000)
    table.add(f"mcp start {name}", statistics.median(ours), f"{statistics.median(ours):.2f} ms", f"{statistics.median(theirs):.2f} ms")


def _at_hand(bench, table, session, directory):
    times = bench.of(200)
    queue_tasks(directory, 2 * times)
    time.sleep(0.5)  # the daemon takes them in
    ours, theirs = [], []
    for _ in range(times):
        began = time.perf_counter()
        session.send_call("next_task")
        line = session.receive()
        ours.append((time.perf_counter() - began) * 1000)
        session.finish(line)
        _nobody_left(directory)
        agent = AgentByHand(directory)
        began = time.perf_counter()
        agent.announce()
        agent.receive()
        theirs.append((time.perf_counter() - began) * 1000)
        agent.finish()
        _nobody_left(directory)
    _add(table, "mcp next_task", ours, theirs)


def _arrivals(bench, table, session, directory):
    ours, theirs = [], []
    for _ in range(bench.of(200)):
        session.send_call("next_task")
        _is_announced(directory)
        began = time.perf_counter()
        queue_tasks(directory, 1)
        line = session.receive()
        ours.append((time.perf_counter() - began) * 1000)
        session.finish(line)
        _nobody_left(directory)
        agent = AgentByHand(directory)
        agent.announce()
        _is_announced(directory)
        began = time.perf_counter()
        queue_tasks(directory, 1)
        agent.receive()
        theirs.append((time.perf_counter() - began) * 1000)
        agent.finish()
        _nobody_left(directory)
    _add(table, "mcp arrival", ours, theirs)


def _add(table, key, ours, theirs):
    mine, other = statistics.median(ours), statistics.median(theirs)
    table.add(key, mine - other, f"{mine:.2f} ms", f"{other:.2f} ms")


def _is_announced(directory):
    wait_for(lambda: any((directory / "agents").iterdir()), "an agent")
    time.sleep(0.01)  # the daemon takes it in


def _nobody_left(directory):
    wait_for(lambda: not any((directory / "agents").iterdir()), "the agents' files to go")


def _idle(bench, table, command):
    with _sessions(command, bench.of(100)) as sessions:
        _count(bench, table, "mcp idle", sessions)
        for session in sessions:
            session.send_call("next_task", wait_seconds=45)
        _count(bench, table, "mcp waiting", sessions)


def _count(bench, table, key, sessions):
    pids = [session.process.pid for session in sessions]
    # A time limit that was not reached, of the daemon's greeting, wakes a server once more.
    wait_for(lambda: sleeps_on(pids, bench.of(60) / 10), "the servers to go to sleep")
    before = sum(wake_ups(pid) for pid in pids)
    time.sleep(bench.of(10))  # what is measured is that nothing happens
    table.add(key, sum(wake_ups(pid) for pid in pids) - before)
