"""The soak itself: the pool, its agents and submitters, the kills, and the account at the end."""

import os
import time
from collections import Counter

from .agents import Agents
from .daemon import Daemon
from .figures import Figures
from .files import FileSubmitter, Returner
from .ledger import Ledger
from .notes import MOST_DEATHS, History, Notes
from .programs import ProgramSubmitter
from .sockets import SocketSubmitter

LOOK_SECONDS = 0.5
LINE_SECONDS = 10
END_SECONDS = 300  # longer than any submitter waits


class Soak:
    def __init__(self, troupe, work, seconds, kill_every, seed):
        self.troupe, self.work, self.seconds, self.kill_every = str(troupe), work, seconds, kill_every
        self.root = work / "root"
        # A pool of its own, whatever the caller's environment names.
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("TROUPE_", "AGENT_POOL_"))} | {"TROUPE_ROOT": str(self.root)}
        self.ledger = Ledger(seed)
        self.notes = Notes(work / "notes")
        self.daemon = Daemon(self.troupe, self.environment, self.root / "pools" / "default", work / "daemon.log",
                             lambda: self.ledger.answered)
        self.agents = Agents(self, loops=4, executors=3, simulated=16, seed=seed)
        self.submitters = ([SocketSubmitter(self, window=6, seed=f"{seed} socket {n}") for n in range(3)] +
                           [FileSubmitter(self, window=10, seed=f"{seed} file {n}") for n in range(2)] +
                           [ProgramSubmitter(self, seed=f"{seed} program {n}") for n in range(3)])
        self.returner = Returner(self)
        self.kills = 0
        self.files = []  # counts
        self._begun = time.monotonic()
        self._next_line = LINE_SECONDS

    def run(self):
        """Whether all is well."""
        self.daemon.start()
        idle_before = self._idle_descriptors()
        self.agents.start()
        self._begun = time.monotonic()
        for thread in (*self.submitters, self.returner):
            thread.start()
        self._load()
        self._wind_down()
        idle_after = self._idle_descriptors()
        if idle_after != idle_before:
            self.ledger.complain(f"an idle daemon has {idle_after} descriptors open, and had {idle_before} before")
        if (code := self.daemon.stop()) != 0:
            self.ledger.complain(f"the daemon's exit code at the end: {code}")
        return self._account()

    def clean_up(self):
        """After a failure or an interruption: no process is left."""
        for worker in (*self.submitters, self.returner):
            worker.stop()
        for submitter in self.submitters:
            submitter.end_at_once()
        self.agents.end_at_once()
        self.daemon.end_at_once()

    def _load(self):
        next_kill = self.kill_every
        while (passed := time.monotonic() - self._begun) < self.seconds:
            if passed >= next_kill:
                self._kill()
                next_kill += self.kill_every
            self._look()
            time.sleep(LOOK_SECONDS)

    def _kill(self):
        if not self.daemon.kill():
            self.ledger.complain("the daemon had ended by itself")
        self.kills += 1
        self.daemon.start()

    def _look(self):
        sample = self.daemon.sample()
        self.files.append(count_files(self.daemon.pool))
        passed = time.monotonic() - self._begun
        if sample and passed >= self._next_line:
            self._next_line += LINE_SECONDS
            print(f"{passed:6.0f} s  {self.ledger.submitted:8d} submissions  {self.ledger.answered:8d} answers  "
                  f"{self.kills:3d} kills  {sample.descriptors:3d} descriptors  {sample.threads} threads  "
                  f"{sample.rss_kb:6d} kB  {self.files[-1]:4d} files  {len(self.ledger.wrong)} wrong", flush=True)

    def _wind_down(self):
        """Every answer first, then the agents; last the answers that were kept."""
        for submitter in self.submitters:
            submitter.stop()
        for submitter in self.submitters:
            submitter.join(END_SECONDS)
        self._wait(lambda: not self.ledger.owed, "the last answers")
        self.agents.end()
        # An answer may still be on its way to be kept, and then the returner has to take it.
        self._wait(lambda: not self._left() and self.returner.is_idle(),
                   "the kept answers to be taken and the last files to go")
        self.returner.stop()
        self.returner.join()

    def _wait(self, condition, what):
        end = time.monotonic() + END_SECONDS
        while not condition():
            if time.monotonic() > end:
                return self.ledger.complain(f"waited {END_SECONDS} s in vain for {what}")
            time.sleep(0.05)

    def _idle_descriptors(self):
        """The fewest within a while: somebody may look in."""
        seen = []
        for _ in range(10):
            seen.append(self.daemon.sample().descriptors)
            time.sleep(0.1)
        return min(seen)

    def _left(self):
        return sorted(str(path.relative_to(self.daemon.pool)) for name in ("agents", "submissions")
                      for path in (self.daemon.pool / name).iterdir())

    def _account(self):
        self.notes.close()
        ledger, history = self.ledger, History(self.notes.lines(), self.ledger)
        problems = (ledger.wrong + history.problems + history.misjudged(ledger.processed, ledger.failed) +
                    self._timeouts(history) + self._deaths(history))
        if ledger.owed:
            problems.append(f"never answered: {sorted(ledger.owed)[:20]}")
        if left := self._left():
            problems.append(f"left in the pool: {left[:20]}")
        figures = Figures(self.daemon.lives, self.files)
        print("", *self._account_lines(history), *figures.lines(), sep="\n")
        problems += figures.problems
        print(*(f"WRONG: {problem}" for problem in problems[:50]), sep="\n")
        print(f"{len(problems)} wrong" if problems else "All is well.", flush=True)
        return not problems

    def _account_lines(self, history):
        ledger, agents = self.ledger, self.agents
        ends = sum((s.ends for s in self.submitters if isinstance(s, ProgramSubmitter)), Counter())
        return [f"{ledger.submitted} submissions = {len(ledger.processed)} done + "
                f"{len(ledger.failed)} failed + {len(ledger.timed_out)} timed out with their agent + "
                f"{len(ledger.outlived)} at which three agents died + {len(ledger.withdrawn)} withdrawn + "
                f"{len(ledger.abandoned)} whose submitter was killed and had no answer + "
                f"{len(ledger.owed | ledger.lost)} lost",
                f"{history.counts['start']} times a task was begun, {history.counts['back']} times handed back; "
                f"{history.counts['fail']} times a command failed",
                f"{agents.killed_executors} agents killed that are missed, {agents.killed_loops} that are not, "
                f"{agents.ended} told to end",
                f"submit_task: {as_text(ends)}",
                f"answers that were kept, by whose they were: {as_text(self.returner.kept)}",
                f"{self.kills} kills of the daemon"]

    def _timeouts(self, history):
        """Each must have an agent that is to blame."""
        unexplained = [number for number in self.ledger.timed_out if not history.explains_timeout(number)]
        unnoted = [number for number in unexplained if history.taken_unnoted(number)]
        problems = [f"{number} timed out, and {history.holder[number]}, which had it, was there"
                    for number in unexplained if number not in unnoted]
        if len(unnoted) > self.agents.killed_loops:
            problems.append(f"{len(unnoted)} timed out without having been begun, and only {self.agents.killed_loops} "
                            "agents were killed that nobody misses")
        return problems

    def _deaths(self, history):
        """Those answered agent_lost. An executor has two tasks, and may be killed before it has noted them."""
        unnoted = sum(max(0, MOST_DEATHS - history.deaths(number)) for number in self.ledger.outlived)
        if unnoted <= 2 * self.agents.killed_executors:
            return []
        return [f"{len(self.ledger.outlived)} answered agent_lost, which takes {unnoted} more deaths of agents at work "
                "than were noted"]


def count_files(pool):
    count = 0
    for _, _, names in os.walk(pool):
        count += len(names)
    return count


def as_text(counter):
    return ", ".join(f"{count} {what}" for what, count in sorted(counter.items())) or "none"
