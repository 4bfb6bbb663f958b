"""Random faults of everything that takes part in a pool over several hosts, and what they may explain."""

import math
import signal
import time
from collections import Counter
from dataclasses import dataclass

EVERY = 0.8  # seconds from one fault to the next, on average

# Of a host: whether work that was under way there ends, so that it may be done again.
ENDS_WORK = {"kill host": True, "kill agents": True, "end edge": True, "kill edge": False, "suspend edge": False,
             "suspend host": False, "cut": False, "cut one way": False, "reset": False}
OF_SERVERS = ("kill server", "suspend server")
WEIGHTS = {"kill host": 2, "kill agents": 2, "end edge": 1, "kill edge": 3, "suspend edge": 2, "suspend host": 2, "cut": 3,
           "cut one way": 2, "reset": 2, "kill server": 2, "suspend server": 2, "kill run": 1}


@dataclass
class Fault:
    time: float  # seconds since 1970
    kind: str
    host: str  # empty: of a server or a run
    until: float = math.inf  # seconds since 1970: when it was over; infinite while it lasts


class Faults:
    """`stations`: one for each host, with `host`, `proxies`, `kill_agents()` and `start_agents()`. `run`: with `kill()`. A host
    and the servers have one fault at a time."""

    def __init__(self, stations, servers, run, lease, random):
        self._stations, self._servers, self._run = stations, servers, run
        self._lease, self._random = lease, random
        self._undo = []  # (when, what)
        self._busy = set()
        self._next = time.monotonic()
        self.all = []

    def tick(self):
        for entry in [entry for entry in self._undo if entry[0] <= time.monotonic()]:
            self._undo.remove(entry)
            entry[1]()
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._random.expovariate(1 / EVERY)
            self._strike(self._random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0])

    def end(self):
        """Everything runs and is connected again."""
        for _, undo in self._undo:
            undo()
        self._undo.clear()

    def explains_repeat(self, first, second, is_of_run):
        """Whether one execution of a task may follow another: because what did the first was ended, with its host or by it; for a
        task of a run also because that was told that it is lost, and has tried again, or was killed itself."""
        # What a fault ends may note its begin only while the fault lasts: it was assigned before, or is slow to die.
        kinds = {kind for kind, ends in ENDS_WORK.items() if ends or is_of_run}
        return any(fault.time <= second.begun and first.begun - 1 <= fault.until and
                   (fault.kind in kinds and fault.host == first.host or is_of_run and fault.kind in (*OF_SERVERS, "kill run"))
                   for fault in self.all)

    def may_explain_lost_record(self, execution):
        """Whether the servers may have lost the record of a task before this execution began."""
        return any(fault.kind in OF_SERVERS and fault.time <= execution.begun for fault in self.all)

    def counts(self):
        return ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(fault.kind for fault in self.all).items()))

    def _strike(self, kind):
        if kind == "kill run":
            self._note(kind, "")
            self._run.kill()
            self._is_over()
        elif kind in OF_SERVERS:
            self._strike_server(kind)
        else:
            station = self._random.choice(self._stations)
            if station not in self._busy:
                self._note(kind, station.host.host)
                self._strike_host(kind, station)

    def _strike_server(self, kind):
        server = self._random.choice(self._servers)
        if "servers" in self._busy:
            return
        self._note(kind, "")
        if kind == "kill server":
            server.kill()
            self._later("servers", self._random.uniform(0, self._lease), lambda: server.start(waits=False))
        else:
            server.suspend()
            self._later("servers", self._long(), server.resume)

    def _strike_host(self, kind, station):
        host, away = station.host, self._random.choice([0, self._random.uniform(0, 3 * self._lease)])
        to_server = self._random.random() < 0.5
        actions = {
            "kill edge": lambda: (host.kill_edge(), self._later(station, away, host.start)),
            "end edge": lambda: (host.edge.signal(signal.SIGTERM), host.edge.result(), self._later(station, away, host.start)),
            "suspend edge": lambda: (host.suspend_edge(), self._later(station, self._long(), host.resume_edge)),
            "kill host": lambda: (host.kill(), self._later(station, away, station.start)),
            "suspend host": lambda: (host.suspend(), self._later(station, self._long(), host.resume)),
            "kill agents": lambda: (station.kill_agents(), self._is_over()),
            "cut": lambda: (station.each_proxy("cut"), self._later(station, self._long(), lambda: station.each_proxy("heal"))),
            "cut one way": lambda: (station.each_proxy("cut", to_server=to_server, to_edge=not to_server),
                                    self._later(station, self._long(), lambda: station.each_proxy("heal"))),
            "reset": lambda: (station.each_proxy("reset_once"), self._is_over()),
        }
        actions[kind]()

    def _long(self):
        """Longer than a lease, or not."""
        return self._random.uniform(0.5, 3) * self._lease

    def _later(self, busy, seconds, undo):
        fault = self.all[-1]

        def act():
            self._busy.discard(busy)
            undo()
            fault.until = time.time()
        self._busy.add(busy)
        self._undo.append((time.monotonic() + seconds, act))

    def _note(self, kind, host):
        self.all.append(Fault(time.time(), kind, host))

    def _is_over(self):
        self.all[-1].until = time.time()
