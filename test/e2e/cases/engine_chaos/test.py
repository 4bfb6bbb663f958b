"""Four hosts with 40 agents around three servers, of which everything fails at random: no task is lost, answered twice, or done
twice, except that its host has died with it.

BARNUM_CHAOS_TASKS is the number of tasks (300; 3,000 in the thorough form), BARNUM_RANDOM_SEED repeats the random choices, though not what the machine
makes of them."""

import json
import os
import random
import signal
import time
from collections import Counter

from harness import scaled, wait_until
from harness.engine_case import PROCESSED, EngineCase
from harness.engine_faults import Faults
from harness.environment import is_sanitized, is_thorough
from harness.engine_load import FileSubmitter, Ledger, SocketSubmitter
from harness.engine_repeats import repeats, tell_records, told_records
from harness.nats_server import NatsCluster
from harness.tcp_proxy import TcpProxy
from harness.workflow import emit, pool, step

TASKS = int(os.environ.get("BARNUM_CHAOS_TASKS") or (3000 if is_thorough() else 300))
SEED = int(os.environ.get("BARNUM_RANDOM_SEED") or random.SystemRandom().randrange(1_000_000))
LEASE = 9 if is_sanitized() else 3
HOSTS = ("a", "b", "c", "d")
AGENTS = (5, 5)  # of each host: two processes
LONGEST_MS = 2000 if TASKS <= 1000 else 500
IN_A_RUN = 10  # every so many tasks is one of a run
RETRIES = 100  # of a run's task: more than all faults together cost
LOST = ("agent_lost", "timeout")
END_SECONDS = 300  # within which all is answered after the last fault
PAUSE = 0.02
LINE_SECONDS = 10


class Station:
    """A host with its proxies and its agents."""

    def __init__(self, case, name, servers):
        self.proxies = [TcpProxy(case, server.target) for server in servers]
        case.proxies += self.proxies
        self.host = case.host(name, ",".join(proxy.address for proxy in self.proxies), lease=LEASE,
                              options=("--engine-replicas", len(servers)))
        self.agents = []
        self.start()

    def start(self):
        self.host.start()
        self.agents = [self.host.agent(count=count, waits=False) for count in AGENTS]

    def tick(self):
        """Agents that were killed, or that found no edge for long, are started again."""
        self.agents = [agent if agent.running else self.host.agent(count=count, waits=False)
                       for agent, count in zip(self.agents, AGENTS)]

    def kill_agents(self):
        self.agents[0].signal(signal.SIGKILL)

    def each_proxy(self, what, **how):
        for proxy in self.proxies:
            getattr(proxy, what)(**how)


class Run:
    """One run on one of the hosts, which is resumed when it was killed or has lost its host."""

    def __init__(self, case, host, contents):
        self._case, self._host = case, host
        self._flow = case.write_config([step("Split", emit(*[("Ask", content) for content in contents.values()]), ["Ask"]),
                                        step("Ask", pool(), options={"max_retries": RETRIES})])
        self._logs = []
        self._process = None
        self.is_done = False
        self.lives = 0
        self.tick()

    def tick(self):
        if self._process and not self._process.running:
            result, self._process = self._process.result(), None
            self.is_done = result.code == 0
            if result.code not in (0, -signal.SIGKILL):
                self._case.fail(f"the run ended by itself: {result}")
        # Nobody starts a run on a host that is frozen, and with it the guard of the run that was killed there.
        if not self._process and not self.is_done and not self._host.is_suspended:
            self.lives += 1
            last = next((log for log in reversed(self._logs) if log.exists()), None)
            how = ["--resume-from", last] if last else ["--config", self._flow]
            self._logs.append(self._case.work / f"{self.lives}.ndjson")
            self._process = self._host.run(*how, "--state-log", self._logs[-1])

    def kill(self):
        if self._process:
            self._process.signal(signal.SIGKILL)

    def last_words(self):
        return self._process.err[-1000:] if self._process else ""


class Chaos(EngineCase):
    limit = 900 + TASKS // 10

    def test_random_faults_of_everything(self):
        print(f"     (BARNUM_RANDOM_SEED={SEED} BARNUM_CHAOS_TASKS={TASKS})", flush=True)
        self.begin(random.Random(SEED))
        begun = next_line = time.monotonic()
        while self.answered() < len(self.submitted) * 0.9:
            self.faults.tick()
            self.tick()
            if time.monotonic() >= next_line:
                print(f"     ({time.monotonic() - begun:4.0f} s: {len(self.faults.all)} faults, {self.answered()} answers)",
                      flush=True)
                next_line += LINE_SECONDS
            time.sleep(PAUSE)
        self.finish()
        self.judge()

    def begin(self, dice):
        self.count = scaled(TASKS)
        cluster = NatsCluster(self)
        self.servers += cluster.servers
        self.cluster, self.ledger = cluster, Ledger()
        self.stations = [Station(self, name, cluster.servers) for name in HOSTS]
        ids = [f"{'r' if n % IN_A_RUN == 0 else 't'}{n}" for n in range(self.count)]
        contents = {id_: {"id": id_, "ms": dice.randrange(LONGEST_MS)} for id_ in ids}
        self.of_run = {id_: content for id_, content in contents.items() if id_.startswith("r")}
        self.submitted = {id_: content for id_, content in contents.items() if id_ not in self.of_run}
        self.run_ = Run(self, self.stations[0].host, self.of_run)
        for n, sort in enumerate((SocketSubmitter, FileSubmitter)):
            for m, station in enumerate(self.stations):
                share = dict(list(self.submitted.items())[2 * m + n::2 * len(HOSTS)])
                sort(station.host, self.ledger, share, 8)
        self.faults = Faults(self.stations, cluster.servers, self.run_, LEASE, random.Random(f"{SEED} faults"))

    def answered(self):
        return len(self.ledger.answers)

    def tick(self):
        self.assertEqual(self.ledger.problems, [])
        self.run_.tick()
        for station in self.stations:
            if station.host.edge.running:
                station.tick()

    def finish(self):
        """Nothing fails any more, and everything comes to its end."""
        self.faults.end()
        last = time.monotonic()

        def is_done():
            self.tick()
            return self.answered() == len(self.submitted) and self.run_.is_done
        try:
            wait_until(is_done, "all answers", END_SECONDS)
        except AssertionError:
            missing = sorted(set(self.submitted) - set(self.ledger.answers))
            self.fail(f"no answer to {len(missing)} tasks {END_SECONDS} s after the last fault: {missing[:20]}; the run: "
                      f"{self.run_.last_words() or self.run_.is_done}")
        finally:
            self.ledger.is_over.set()
        print(f"     ({time.monotonic() - last:.1f} s from the last fault until all was done)", flush=True)

    def judge(self):
        executions, answers = self.executions.all(), self.ledger.answers
        lost = {id_ for id_, answer in answers.items() if answer.get("reason") in LOST}
        print(f"     ({self.faults.counts()}; {len(executions)} executions, {len(lost)} tasks were told to be lost, "
              f"{self.run_.lives} lives of the run)", flush=True)
        problems = list(self.ledger.problems)
        done = Counter(execution.id for execution in executions if execution.ended)
        for id_, answer in answers.items():
            is_right = answer["kind"] == PROCESSED and json.loads(answer["stdout"]) == [id_] and done[id_]
            if not is_right and id_ not in lost:
                problems.append(f"{id_} was answered {answer}, and was done {done[id_]} times")
        problems += [f"{id_} of the run was never done" for id_ in self.of_run if not done[id_]]
        told = told_records(station.host for station in self.stations)
        if told:
            print(f"     ({tell_records(told, executions)})", flush=True)
        problems += repeats(executions, self.of_run, self.faults, told)
        if lost and not self.faults.all:
            problems.append(f"without a fault these were called lost: {sorted(lost)}")
        self.assertEqual(problems, [])
