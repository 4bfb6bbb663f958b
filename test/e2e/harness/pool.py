"""One pool as its users see it: the daemon, clients on the command line, and clients by hand over socket and files."""

import json
import os
import socket
import time
import uuid
from pathlib import Path

from harness.waiting import DEADLINE, wait_until


def as_text(content):
    """Content as it is submitted: text as it stands, anything else as JSON."""
    return content if isinstance(content, str) else json.dumps(content)


def most_queued_events():
    return int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())


NONSENSE = {"kind": "Nonsense"}  # a request that is answered at once


class Pool:
    """`program` is the troupe binary that the daemon and the clients use unless told otherwise. Agents are on `agent_side`,
    which is another host for a pool over two of them (harness/two_hosts.py)."""

    def __init__(self, case, name="default", root=None, program="troupe"):
        self.case, self.name, self.program = case, name, program
        self.root = Path(root or case.root)
        self.path = self.root / "pools" / name
        self.agent_side = self
        self.daemon = None  # that start() has started last

    def start(self, *options, program=None, **how):
        """Starts the daemon and waits until it is ready."""
        before = self.status_stamp()
        daemon = self.case.start(program or self.program, "start", "--root", self.root, "--pool", self.name, *options,
                                 **how)
        wait_until(lambda: self.status_stamp() not in (None, before) or not daemon.running,
                   f"the daemon of {self.path} to be ready")
        self.case.assert_running(daemon)
        self.daemon = daemon
        return daemon

    def status_stamp(self):
        try:
            stat = (self.path / "status").stat()
            return stat.st_ino, stat.st_mtime_ns
        except OSError:
            return None

    def command(self, name, *options, program=None, **how):
        """Starts `troupe NAME` on this pool."""
        return self.case.start(program or self.program, name, "--root", self.root, "--pool", self.name, *options, **how)

    def submit(self, content=None, *options, file=None, transport=None, program=None, **how):
        """Starts `troupe submit_task`."""
        payload = ["--file", file] if file else ["--data", as_text(content)]
        notify = ["--notify", transport] if transport else []
        return self.command("submit_task", *payload, *notify, *options, program=program, **how)

    def get_task(self, *options, program=None, **how):
        """Starts `troupe get_task`, and returns when the agent has announced itself or has been served."""
        known = self.waiting_agents()
        agent = self.command("get_task", *options, program=program, **how)
        wait_until(lambda: self.waiting_agents() - known or not agent.running, "an agent to announce itself")
        return agent

    def take(self, *options, deadline=DEADLINE, **how):
        """What `troupe get_task` printed."""
        return self.command("get_task", *options, **how).json(deadline)

    def answer(self, assignment, text):
        """The response to what get_task printed, written in place as `>` does."""
        Path(assignment["response_file"]).write_text(as_text(text))

    def stop(self):
        return self.command("stop").result()

    def status(self):
        """What the daemon tells of this host."""
        return Pool.command(self, "status", "--json").json()

    def queued(self):
        """The number of tasks that wait for an agent."""
        return self.status()["queue"]["length"]

    def wait_tasks_recorded(self, count):
        """Returns when so many tasks were given to an agent or withdrawn, for all who look: on one host at once."""

    def fill_event_queue(self):
        """While the daemon is stopped: gives it so much to do with files of no meaning that the kernel drops the events of
        what is written afterwards. The kernel's limit, which is to be low enough, comes from most_queued_events()."""
        names = [self.path / "submissions" / f"note-{n}" for n in range(2)]  # in turns: two of the same would be one
        for n in range(most_queued_events() + 1):
            os.close(os.open(names[n % 2], os.O_WRONLY | os.O_CREAT, 0o600))
        for name in names:
            name.unlink()

    def make_leases_older(self, seconds):
        """While no daemon runs: as if all agents had been given their tasks so much earlier."""
        def older(line):
            fields = line.split()
            if len(fields) >= 5:
                fields[3] = str(int(fields[3]) - int(1000 * seconds))
            return f"{' '.join(fields):<{len(line)}}"
        leases = self.agent_side.path / "leases"
        leases.write_text("".join(older(line) + "\n" for line in leases.read_text().splitlines()))

    def settle(self):
        """Returns when the daemons have dealt with all that was on their sockets and in their directories before: each has
        answered requests that came after it."""
        for side in (self, self.agent_side, self):
            for _ in range(2):
                with side.connect() as client:
                    client.send(NONSENSE)
                    client.receive()
                side.response_by_file(side.request_by_file(NONSENSE))

    def still(self, condition, what):
        """Fails unless condition() is true when all that could have changed it has happened."""
        self.settle()
        assert condition(), f"no longer true: {what}"

    # The directory.

    def agent_files(self, uuid_=""):
        try:
            return sorted(p.name for p in (self.agent_side.path / "agents").iterdir() if p.name.startswith(uuid_))
        except OSError:
            return []

    def waiting_agents(self):
        """The uuids that have announced themselves."""
        return {n.removesuffix(".ready.json") for n in self.agent_files() if n.endswith(".ready.json")}

    def submission_files(self):
        try:
            return sorted(p.name for p in (self.path / "submissions").iterdir())
        except OSError:
            return []

    # Requests by hand.

    def connect(self):
        return SocketClient(self.path / "daemon.sock")

    def request_by_file(self, request, id_=None):
        """Puts a request file into submissions/, by rename through scratch/, and returns its id."""
        id_ = id_ or str(uuid.uuid4())
        data = request if isinstance(request, bytes) else as_text(request).encode()
        scratch = self.path / "scratch" / f"{id_}.tmp"
        scratch.write_bytes(data)
        scratch.rename(self.path / "submissions" / f"{id_}.request.json")
        return id_

    def response_by_file(self, id_, deadline=DEADLINE):
        """Waits for the response to a request file, and cleans up both as a submitter does."""
        request, response = (self.path / "submissions" / f"{id_}.{kind}.json" for kind in ("request", "response"))
        wait_until(response.exists, f"{response.name}", deadline)
        answer = json.loads(response.read_text())
        request.unlink(missing_ok=True)
        response.unlink()
        return answer


def inline(content, id_=None):
    """A request envelope."""
    return {"kind": "Inline", "content": as_text(content)} | ({"id": id_} if id_ else {})


def file_reference(path, id_=None):
    return {"kind": "FileReference", "path": str(path)} | ({"id": id_} if id_ else {})


class SocketClient:
    """The socket protocol by hand: <decimal length>\\n<json> both ways."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE)
        directory = os.open(Path(path).parent, os.O_RDONLY)  # the path may be too long for a socket address
        try:
            self.socket.connect(f"/proc/self/fd/{directory}/{Path(path).name}")
        finally:
            os.close(directory)
        self.buffer = bytearray()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, message):
        data = message if isinstance(message, bytes) else as_text(message).encode()
        self.send_raw(b"%d\n" % len(data) + data)

    def send_raw(self, data):
        self.socket.sendall(data)

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()

    def receive(self, deadline=DEADLINE):
        """The next answer."""
        end = time.monotonic() + deadline
        while b"\n" not in self.buffer:
            self._more(end, "a frame's header")
        header, self.buffer = self.buffer.split(b"\n", 1)
        while len(self.buffer) < int(header):
            self._more(end, "a frame's body")
        body, self.buffer = self.buffer[:int(header)], self.buffer[int(header):]
        return json.loads(body)

    def wait_for_end(self, deadline=DEADLINE):
        """Reads until the daemon has closed the connection."""
        end = time.monotonic() + deadline
        try:
            while True:
                self._more(end, "the end of the connection")
        except EOFError:
            return self.buffer

    def has_data(self, within):
        self.socket.settimeout(within)
        try:
            self.buffer += self.socket.recv(1 << 20)
            return bool(self.buffer)
        except TimeoutError:
            return False

    def _more(self, end, what):
        self.socket.settimeout(max(0.001, end - time.monotonic()))
        try:
            data = self.socket.recv(1 << 20)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {what}; so far {self.buffer[:200]!r}") from None
        except ConnectionResetError:
            data = b""
        if not data:
            raise EOFError(f"the connection ended before {what}; so far {self.buffer[:200]!r}")
        self.buffer += data


class HandAgent:
    """An agent that keeps the file protocol by hand, as a script of somebody's may."""

    def __init__(self, pool, ready='{"name": "by hand"}', uuid_=None):
        self.pool, self.uuid = pool, uuid_ or str(uuid.uuid4())
        directory = pool.agent_side.path / "agents"
        self.ready, self.task, self.response = (directory / f"{self.uuid}.{kind}.json" for kind in ("ready", "task", "response"))
        self.ready.write_text(ready)

    def task_text(self, deadline=DEADLINE):
        """Waits for a task file, and returns its text."""
        wait_until(self.task.exists, f"{self.task.name}", deadline)
        return self.task.read_text()

    def content(self, deadline=DEADLINE):
        return json.loads(self.task_text(deadline))

    def has_task(self):
        return self.task.exists()

    def respond(self, text):
        self.response.write_text(as_text(text))

    def report(self, **members):
        """Says in its ready file, which is replaced at once, how it gives its task back."""
        new = self.pool.path / "scratch" / self.ready.name
        new.write_text(json.dumps(json.loads(self.ready.read_text()) | members))
        new.rename(self.ready)

    def files(self):
        return self.pool.agent_files(self.uuid)
