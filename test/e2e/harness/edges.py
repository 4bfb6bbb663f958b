"""Hosts of one pool over an engine: each has a root of its own and serves the pool there, as an edge. All are on this machine.

What belongs to a host carries its name in its environment, so that the whole host can die or freeze."""

import json
import os
import re
import signal
from contextlib import suppress
from pathlib import Path

from harness.environment import is_sanitized
from harness.pool import HandAgent, Pool
from harness.process import MARKER, processes_with, wait_suspended
from harness.waiting import wait_until

NOTING_AGENT = Path(__file__).resolve().parent / "noting_agent"
HOST = "TROUPE_E2E_HOST"
LEASE = 6 if is_sanitized() else 2  # seconds; instrumented programs are slow
TROUBLE = re.compile(r"\b(WARN|ERROR)\b")


class Host(Pool):
    """`engine`: what --engine is given. `options`: further ones of each start."""

    def __init__(self, case, name, engine, pool="reviews", options=(), lease=LEASE):
        super().__init__(case, pool, root=case.home / name)
        self.host, self.engine, self.options, self.lease = name, engine, options, lease
        self.edge = None
        self.is_suspended = False
        self.edges = []  # all that were started here

    def start(self, *options, env=None, **how):
        """Starts the edge, and returns when it serves the pool on this host: it need not have reached the engine by then."""
        engine = ["--engine", self.engine, "--lease-secs", self.lease] if self.engine else []
        self.edge = super().start("--no-heartbeat", *engine, *self.options, *options,
                                  env=self._environment(env), **how)
        self.edges.append(self.edge)
        return self.edge

    def command(self, name, *options, env=None, **how):
        return super().command(name, *options, env=self._environment(env), **how)

    def agent(self, *options, count=1, exec_=NOTING_AGENT, waits=True, **how):
        """Starts `troupe agent` with agents that note what they do, and returns when they are attached."""
        known = len(self.waiting_agents())
        agent = self.command("agent", "--count", count, "--exec", exec_, *options, **how)
        if waits:
            wait_until(lambda: len(self.waiting_agents()) >= known + count or not agent.running,
                       f"{count} agents to be attached")
            self.case.assert_running(agent)
        return agent

    def by_hand(self, *labels, name="by hand"):
        return HandAgent(self, json.dumps({"name": name} | ({"labels": labels} if labels else {})))

    def run(self, *options, env=None):
        """Starts `barnum run` on this host's pool."""
        return self.case.start("barnum", "run", "--pool", self.name, "--no-embedded-pool", *options,
                               env=self._environment(env))

    def socket_submission(self, request):
        """A connection with the request sent, to be closed by the test."""
        client = self.connect()
        client.send(request)
        return client

    # What is done to it.

    def kill_edge(self):
        """SIGKILL to the edge only: agents and submitters go on."""
        self.edge.signal(signal.SIGKILL)
        self.edge.result()

    def restart_edge(self, *options):
        self.kill_edge()
        return self.start(*options)

    def suspend_edge(self):
        self.edge.signal(signal.SIGSTOP)
        wait_suspended([self.edge.pid])

    def resume_edge(self):
        self.edge.signal(signal.SIGCONT)

    def processes(self):
        """The pids of all that runs on this host."""
        return list(processes_with({HOST: self.host, MARKER: self.case.mark}))

    def kill(self):
        """The host dies: the edge, agents with their commands, submitters and runs, all at once. What is on the disk stays."""
        pids = self.processes()
        self._signal(pids, signal.SIGSTOP)  # so that none sees another's end
        while more := [pid for pid in self.processes() if pid not in pids]:
            self._signal(more, signal.SIGSTOP)
            pids += more
        self._signal(pids, signal.SIGKILL)
        wait_until(lambda: not self.processes(), f"the processes of {self.host} to end")
        if self.edge:
            self.edge.result()  # its environment is gone before its lock

    def suspend(self):
        """The host freezes."""
        self.is_suspended = True
        self._signal(self.processes(), signal.SIGSTOP)

    def resume(self):
        self._signal(self.processes(), signal.SIGCONT)
        self.is_suspended = False

    # What the edge says.

    def complaints(self, edge=None):
        """Warnings and errors of the edge, one line each."""
        return [line for line in (edge or self.edge).err.splitlines() if TROUBLE.search(line)]

    def wait_complaint(self, *patterns):
        """Waits until one line matches all of the patterns, and returns it."""
        def found():
            return next((line for line in self.complaints()
                         if all(re.search(pattern, line, re.IGNORECASE) for pattern in patterns)), None)
        try:
            return wait_until(found, f"a line with {patterns}")
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.host} said: {self.edge.err[-3000:]}") from None

    def _environment(self, env):
        return {HOST: self.host, "NOTES": self.case.executions.path, "TROUPE_ROOT": self.root} | (env or {})

    @staticmethod
    def _signal(pids, number):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
