"""Runs: one after the other in each place, resumed when they were killed, and their logs read when they are done."""

import itertools
from dataclasses import dataclass

from .actors import AGENT_COUNT, Actor
from .plan import Plan, compact
from .runlog import RunLog
from .world import CHAOS, DO_TASK, PLAIN, SHARED

JOBS = 2
NUMBERS = itertools.count(1)
PLAIN_ANSWER_SECONDS = 15  # only a deadline tells that an agent of the plain pool has died
BY_AGENTS = ("--agents", AGENT_COUNT, "--agent-exec", DO_TASK)


@dataclass
class Sort:
    """Where the runs of one place have their agents."""
    pool: str  # None: their own
    options: tuple
    answer_seconds: float = None


SORTS = {
    "client": Sort(CHAOS, ("--pool", CHAOS, "--no-embedded-pool")),
    "guest": Sort(CHAOS, ("--pool", CHAOS, "--no-embedded-pool", *BY_AGENTS)),  # its agents work for everybody there
    "own": Sort(None, BY_AGENTS),
    "host": Sort(SHARED, ("--pool", SHARED)),
    "plain": Sort(PLAIN, ("--pool", PLAIN, "--no-embedded-pool"), PLAIN_ANSWER_SECONDS),
}


class Runs(Actor):
    kind = "run"

    def __init__(self, world, sort, size, random):
        super().__init__(world, "", SORTS[sort].pool)
        self._sort, self._size, self._random = SORTS[sort], size, random
        self.done = {}  # run → RunLog
        self.settled = {}  # id of a task → when it was done, by the log of some life
        self.is_over = False  # no new run is to begin
        self._begin_run()

    def start(self):
        if self.lives == 1:
            self.plan.write(self._folder)
        if log := self._last_log():
            how = ["--resume-from", log]
            self.world.figures["resumes"] += 1
        else:
            how = ["--config", self._folder / "flow.json", "--entrypoint-value", compact(self.plan.first)]
        return self.world.spawn(self.owner, self.world.barnum, "run", *how, "--state-log", self._log(self.lives),
                                "--jobs", JOBS, "--color", "never", *map(str, self._sort.options), cwd=self._folder)

    def ended(self, code):
        if log := self._last_log():
            for task, when in RunLog(log).settled():
                self.settled.setdefault(task.id(self.name), when)
        if code == 0:
            self._finish()
        elif not self.was_told_to_end() and not self.may_end(code):
            self.world.complain("ended", f"run {self.name} ended by itself with {code}:\n"
                                         f"{self.world.tail(self.owner, 3000)}")
            self._begin_run()

    def names(self):
        """One that hosts its pool is that pool's daemon."""
        pool = {f"pool {SHARED}"} if self.pool == SHARED else set()
        return frozenset({self.name} | pool)

    def life_name(self):
        return self.name

    def needs_own_agents(self):
        return self.pool is None

    def has_guests(self):
        """Whether its agents work for others, too."""
        return self.pool is not None and self._sort.options[-len(BY_AGENTS):] == BY_AGENTS

    def _begin_run(self):
        if self.is_over:
            self.is_wanted = False
            return
        self.name = f"r{next(NUMBERS)}"
        self.world.pools[self.name] = self.pool
        self.lives = 0
        self.plan = Plan(self.name, self._size, self._random, self._sort.answer_seconds)
        self._folder = self.world.work / "runs" / self.name

    def _finish(self):
        log = RunLog(self._last_log())
        found, expected = log.successes(), self.plan.expected()
        if found != expected:
            self.world.complain("lost" if expected - found else "twice",
                                f"run {self.name} has ended with 0, and its log misses {dict(expected - found)} and has "
                                f"besides {dict(found - expected)}")
        self.done[self.name] = log
        if self.has_guests():  # those of its agents that are at work give their tasks back
            self.world.note_fault("end of a run with agents for others", self.names(), time=log.ended)
        self.world.figures["runs that came to their end"] += 1
        self._begin_run()

    def _log(self, life):
        return self._folder / f"{life}.ndjson"

    def _last_log(self):
        """None if no life came so far as to have one."""
        return next((path for life in range(self.lives, 0, -1) if (path := self._log(life)).exists()), None)
