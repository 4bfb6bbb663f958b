"""Agents whose command is work.sh, and what that notes of its executions."""

import platform
import signal
import sys
from pathlib import Path

from harness import Case, Pool, require, wait_until
from harness.environment import binary

CASES = Path(__file__).resolve().parents[1]
COMMAND = str(CASES / "agent_deaths" / "work.sh")


class Work:
    """In the directory in which the agents run."""

    def __init__(self, directory):
        self.directory = directory

    def hang(self):
        """From now on, what begins hangs."""
        (self.directory / "hang").touch()

    def hang_no_more(self):
        (self.directory / "hang").unlink()

    def close(self):
        """From now on, what begins waits for open()."""
        (self.directory / "closed").touch()

    def open(self):
        (self.directory / "closed").unlink()

    def notes(self, word):
        """The notes that begin with this word, as lists of numbers."""
        path = self.directory / "notes"
        lines = path.read_text().splitlines() if path.exists() else []
        return [[int(number) for number in line.split()[1:]] for line in lines if line.startswith(word + " ")]

    def count(self, word="begin"):
        return len(self.notes(word))

    def pids(self):
        """Of all executions, and of what they left behind."""
        return [note[1] for note in self.notes("begin") + self.notes("child")]

    def alive(self):
        return [pid for pid in self.pids() if is_alive(pid)]


def is_alive(pid):
    """Whether the process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class WorkCase(Case):
    sandboxed = False  # the agents may not use the socket

    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.work_done = Work(self.work)

    def agents(self, count=1, command=COMMAND, name="agent", options=()):
        """`troupe agent`, once all of its agents wait."""
        known = self.pool.waiting_agents()
        args = ["agent", "--root", self.pool.agent_side.root, "--exec", command, "--count", str(count), "--name", name, *options]
        if self.sandboxed:
            require(platform.machine() in ("x86_64", "aarch64"), f"no filter is written for {platform.machine()}")
            agents = self.start(sys.executable, CASES / "pool_sandbox" / "denied.py", "connect", "EPERM",
                                binary("troupe"), *args)
        else:
            agents = self.start("troupe", *args)
        wait_until(lambda: len(self.pool.waiting_agents() - known) == count, "the agents to announce themselves")
        return agents

    def start_pool(self):
        self.daemon = self.pool.start("--no-heartbeat")

    def kill(self, process):
        process.signal(signal.SIGKILL)
        process.result()
