"""For cases that put a daemon under pressure: agents that answer at once, what /proc tells of the daemon, and how long
the other submitters' round trips take meanwhile."""

import json
import os
import re
import resource
import sys
from pathlib import Path

from harness.case import Case, require
from harness.environment import is_sanitized
from harness.pool import inline
from harness.two_hosts import Pool
from harness.waiting import holds_for, wait_until

MB = 1 << 20


def descriptors(pid):
    """How many files and sockets a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def sockets(pid):
    """How many sockets a process has open."""
    count = 0
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            count += os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:")
        except FileNotFoundError:
            pass  # closed by now
    return count


def pauses(pid):
    """How often a process has waited for something so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\t(\d+)", status, re.MULTILINE)[1])


def memory(pid, field):
    """A line of /proc/PID/status, in bytes: VmRSS (resident), VmHWM (its peak), VmPeak (the address space's peak)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"no {field} of process {pid}")


def cpu_seconds(pid):
    """User and system time of all its threads, in steps of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_nanoseconds(pid):
    """The CPU time of all threads that it has now, exactly."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)


def request(number, id_=None):
    """What the quick agents understand; the answer is result(number)."""
    return inline({"task": {"value": number}}, id_)


def result(number):
    return json.dumps([{"kind": "Keep", "value": number}])


class PressureCase(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.open_connections = []
        self._allow_descriptors(5000)

    def tearDown(self):
        for connection in self.open_connections:
            connection.close()
        super().tearDown()

    def start_pool(self, *options):
        self.pool.start("--no-heartbeat", *options)
        self.daemon = self.pool.daemon

    def start_agents(self, pool=None):
        """Three that answer at once, in a process of their own."""
        pool = pool or self.pool
        known = pool.waiting_agents()
        self.start(sys.executable, self.fixtures.parent / "fanout_10k" / "quick_agents.py", pool.agent_side.path)
        wait_until(lambda: len(pool.waiting_agents() - known) == 3, "the agents to announce themselves")

    def connect(self, pool=None):
        """A connection that is closed at the end at the latest."""
        self.open_connections.append((pool or self.pool).connect())
        return self.open_connections[-1]

    def close_connections(self):
        for connection in self.open_connections:
            connection.close()
        self.open_connections.clear()

    def round_trip(self, client, number):
        client.send(request(number))
        self.assertEqual(client.receive(), {"kind": "Processed", "stdout": result(number)})

    def settled_descriptors(self):
        """Those of the daemon when it is through with files: one that it reads is open for a moment only."""
        seen = [descriptors(self.daemon.pid)]

        def is_settled():
            seen.append(descriptors(self.daemon.pid))
            return len(seen) > 20 and len(set(seen[-20:])) == 1
        wait_until(is_settled, "the daemon's descriptors to stay as they are")
        return seen[-1]

    def wait_for_descriptors(self, count, what):
        wait_until(lambda: descriptors(self.daemon.pid) == count, what)

    def assert_idle(self, what):
        """The daemon uses next to no CPU for a second: a loop that spins uses all of it."""
        most = 0.3 if is_sanitized() else 0.1  # the thread sanitizer has a thread of its own
        before = cpu_seconds(self.daemon.pid)
        holds_for(lambda: cpu_seconds(self.daemon.pid) - before < most, 1, f"the CPU is idle although {what}")

    def assert_invalid(self, answer):
        self.assertEqual((answer["kind"], answer.get("reason")), ("NotProcessed", "invalid"), answer)

    @staticmethod
    def _allow_descriptors(count):
        """For this process, and for the daemon, which inherits it."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        require(hard == resource.RLIM_INFINITY or hard >= count, f"only {hard} open files are allowed")
        if soft != resource.RLIM_INFINITY and soft < count:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
