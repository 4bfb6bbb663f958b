"""The chaos itself: who takes part, the time of the faults, and the account at the end."""

import random
import time

from .actors import Agent, Daemon, ShellAgent
from .aftermath import Aftermath
from .faults import Faults
from .notes import Notes
from .runs import Runs
from .submitters import Submitter
from .verdict import Verdict, as_text
from .world import CHAOS, PLAIN, SHARED

PLACES = ("client", "client", "guest", "own", "own", "host", "host", "host", "plain")  # of runs
RUN_SIZE = 14  # tasks that a run begins with
LINE_SECONDS = 10
PAUSE = 0.02


class Chaos:
    """`disk` is None where none can be filled."""

    def __init__(self, world, disk, mark, seed, only_pauses):
        self._world, self._mark, self._only_pauses = world, mark, only_pauses
        self._notes = Notes(world.notes_path)
        self._places = [Runs(world, sort, RUN_SIZE, random.Random(f"{seed} run {n}")) for n, sort in enumerate(PLACES)]
        self._submitters = [Submitter(world, f"submitter-{n}", pool, ways, random.Random(f"{seed} submitter {n}"))
                            for n, (pool, ways) in enumerate([(CHAOS, ("socket",)), (CHAOS, ("file",)),
                                                              (PLAIN, ("socket", "file"))])]
        self._actors = [*(Daemon(world, f"daemon-{pool}", pool) for pool in (CHAOS, PLAIN)),
                        *(Agent(world, f"{pool}-agent{n}", pool) for pool in (CHAOS, SHARED) for n in range(3)),
                        *(ShellAgent(world, f"shell{n}", PLAIN) for n in range(3)),
                        *self._places, *self._submitters]
        self._faults = Faults(world, self._actors, disk, self._notes, random.Random(f"{seed} faults"),
                              only_pauses)
        self._begun = time.monotonic()
        self._next_line = LINE_SECONDS

    def run(self, seconds):
        """True if all was well."""
        while time.monotonic() < self._begun + seconds or self._faults.probe:
            self._faults.tick()
            self._tick()
            time.sleep(PAUSE)
        self._faults.end()
        aftermath = Aftermath(self._world, self._actors, self._tick, self._mark)
        last = aftermath.finish()
        aftermath.stop()
        aftermath.look_for_leftovers()
        aftermath.look_for_reports()
        self._notes.read()
        return self._account(last)

    def _tick(self):
        self._notes.read()
        for actor in self._actors:
            actor.tick()
        passed = time.monotonic() - self._begun
        if passed >= self._next_line:
            self._next_line += LINE_SECONDS
            print(f"{passed:5.0f} s  {len(self._world.faults):4d} faults  {len(self._notes.executions):6d} executions  "
                  f"{self._world.figures['runs that came to their end']:4d} runs  "
                  f"{self._world.figures['submissions']:5d} submissions  {len(self._world.problems)} wrong", flush=True)

    def _account(self, last):
        verdict = Verdict(self._world, self._notes, self._places, self._faults.deaths, self._only_pauses)
        verdict.judge()
        print("", *verdict.lines(), as_text(self._world.figures), f"{last:.1f} s from the last fault until all was done",
              sep="\n")
        kinds = sorted({kind for kind, _ in self._world.problems})
        for kind in kinds:
            print(f"{sum(k == kind for k, _ in self._world.problems)} {kind}")
        print(f"{len(self._world.problems)} wrong" if kinds else "All is well.", flush=True)
        return not kinds
