"""The real agents: processes that come and go, some of them by SIGKILL with a task in their hands."""

import itertools
import os
import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from .worker import Worker

HERE = Path(__file__).parent


class Agents(Worker):
    """`loops` bash loops round get_task, `executors` times `troupe agent --exec` with two agents each, and a fleet of
    simulated ones in a process of their own."""

    def __init__(self, soak, loops, executors, simulated, seed):
        super().__init__(soak.ledger)
        self._soak = soak
        self._seed = seed
        self._random = random.Random(seed)
        self._names = itertools.count(1)
        self._simulated = simulated
        self._kinds = [self._start_loop] * loops + [self._start_executor] * executors
        self._members = []
        self._fleet = None
        self.killed_loops = self.killed_executors = self.ended = 0

    def start(self):
        self._fleet = self._spawn([sys.executable, "-B", HERE / "fleet.py", self._soak.daemon.pool, self._simulated,
                                  self._soak.notes.path, self._seed])
        self._members = [start() for start in self._kinds]
        super().start()

    def end(self):
        """Each may end what it is at; to be called when no task waits any more."""
        self.stop()
        self.join()
        for name, process in self._members:
            self._remove(name, process, with_notice=True)
        self._fleet.terminate()
        if self._fleet.wait(30) != 0:
            self._soak.ledger.complain("the fleet of simulated agents broke down")

    def end_at_once(self):
        self.stop()
        if self.is_alive():
            self.join()
        for process in filter(None, [self._fleet, *(process for _, process in self._members)]):
            kill_group(process)
            process.wait()

    def work(self):
        while not self.stopping.wait(self._random.uniform(0.2, 1.2)):
            if self._fleet.poll() is not None:
                return self._soak.ledger.complain("the fleet of simulated agents broke down")
            place = self._random.randrange(len(self._members))
            name, process = self._members[place]
            if process.poll() is not None:
                self._soak.ledger.complain(f"agent {name} ended by itself with {process.returncode}")
            self._remove(name, process, with_notice=self._random.random() < 0.5)
            self._members[place] = self._kinds[place]()

    # Only `troupe agent` gives a task back when it is told to end, and only its death is noticed at once.
    def _remove(self, name, process, with_notice):
        if not name.startswith("executor"):
            self._soak.notes.write(f"lost {name}")
            kill_group(process)
            self.killed_loops += 1
        elif with_notice:
            self._soak.notes.write(f"leaving {name}")
            process.terminate()
            self.ended += 1
        else:
            self._soak.notes.write(f"killed {name}")
            kill_group(process)
            self.killed_executors += 1
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            self._soak.ledger.complain(f"agent {name} did not end within 20 s of SIGTERM")
            kill_group(process)
            process.wait()

    def _start_loop(self):
        name = f"loop-{next(self._names)}"
        return name, self._spawn([HERE / "get_task_loop", self._soak.troupe, name, self._soak.notes.path])

    def _start_executor(self):
        name = f"executor-{next(self._names)}"
        command = shlex.join([str(HERE / "do_task"), name, str(self._soak.notes.path)])
        return name, self._spawn([self._soak.troupe, "--log-level", "off", "agent", "--count", "2", "--name", name,
                                  "--exec", command])

    def _spawn(self, argv):
        with open(self._soak.work / "agents.log", "ab") as log:
            return subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    env=self._soak.environment, cwd=self._soak.work, start_new_session=True)


def kill_group(process):
    """With what it runs, unless its end has been seen: then the number may be somebody else's."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
