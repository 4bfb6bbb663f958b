"""Whether the executions fit what the runs' logs say and what was done to them."""

from collections import Counter
from statistics import median

from .world import slack

PLAIN_OWNER = "shell"  # how the names of agents begin that speak only the published protocol
MARGIN = slack(2)  # seconds between a fault and the note of an execution that it hit: that may come late
CLOCK_SECONDS = 0.002  # the times of a log are whole milliseconds
PLANNED = ("fail", "back", "hang")


class Verdict:
    """`places`: where the runs took place. `deaths`: seconds until the task of a dead agent ran again. `is_exact`:
    nothing was ended by force, so nothing may have been executed again."""

    def __init__(self, world, notes, places, deaths, is_exact):
        self._world, self._notes, self._deaths, self._is_exact = world, notes, deaths, is_exact
        self._tasks = {task.id(run): task for place in places for run, log in place.done.items() for task in log.tasks}
        self._own = {run for place in places if place.needs_own_agents() for run in place.done}
        self._settled = {id_: when for place in places for id_, when in place.settled.items()}
        self._repeats = Counter()  # by why

    def judge(self):
        self._judge_overlaps()
        by_id = self._notes.by_id()
        for id_, task in self._tasks.items():
            self._judge_task(id_, task, by_id.get(id_, []))
        for id_, executions in by_id.items():
            self._judge_owners(id_, executions)
            if id_ not in self._tasks:
                self._judge_repeats(id_, executions, 0)

    def lines(self):
        """The figures, for the summary."""
        faults = Counter(fault.what for fault in self._world.faults)
        at_risk = sum(fault.in_flight for fault in self._world.faults)
        deaths = sorted(self._deaths)
        measured = (f"median {median(deaths):.2f} s, maximum {deaths[-1]:.2f} s of {len(deaths)}" if deaths
                    else "none was measured")
        return [f"{sum(faults.values())} faults: {as_text(faults)}",
                f"{len(self._tasks)} tasks of runs, {sum(task.attempts for task in self._tasks.values())} attempts; "
                f"{len(self._notes.executions)} executions, those of submissions included",
                f"executions that were not the first of their task: {as_text(self._repeats)}; the faults hit {at_risk}",
                f"from an agent's death until its task ran again: {measured}"]

    def _judge_overlaps(self):
        for _, id_, pid, _, _, owner, other_pid, other_owner in self._notes.overlaps:
            if not owner.startswith(PLAIN_OWNER) and not other_owner.startswith(PLAIN_OWNER):
                self._world.complain("overlap", f"{id_} began in process {pid} of {owner} while process {other_pid} of "
                                                f"{other_owner} was at it")

    def _judge_task(self, id_, task, executions):
        if task.done and not any(execution.outcome == "end" for execution in executions):
            self._world.complain("lost", f"the log says that {id_} is done, and nobody has done it")
        for execution in executions:
            late = execution.begun - min([*task.done, self._settled.get(id_, execution.begun)])
            if late > CLOCK_SECONDS and not execution.owner.startswith(PLAIN_OWNER):
                self._world.complain("twice", f"{id_} began at {execution.owner} {late:.3f} s after it was done")
        noted = sum(execution.outcome in ("fail", "hang") for execution in executions)
        explained = self._judge_repeats(id_, executions, sum(task.failures.values()) - noted)
        if self._is_exact:
            self._judge_number(id_, task, executions, explained)

    def _judge_repeats(self, id_, executions, failures):
        """Each execution but the last must have an end that explains the next. `failures`: attempts that have failed
        without a note of it, by a timeout on a slow machine for instance. Returns how many a fault explains."""
        explained = 0
        for execution, following in zip(executions, executions[1:]):
            is_after_fault = self._fault_between(execution, following)
            explained += is_after_fault
            if execution.outcome in PLANNED:
                self._repeats["planned"] += 1
            elif is_after_fault:
                self._repeats["after a fault"] += 1
            elif failures > 0:
                failures -= 1
                self._repeats["after an attempt that failed"] += 1
            else:
                self._repeats["unexplained"] += 1
                self._world.complain("twice", f"{id_} ran at {execution.owner}, and {following.begun - execution.begun:.3f} s "
                                              f"later again at {following.owner}, without a fault that explains it")
        return explained

    def _fault_between(self, execution, following):
        names = {execution.owner, execution.run, following.owner, following.run}
        if execution.is_of_a_pool:
            names.add(f"pool {self._world.pools[execution.run]}")
        return any(execution.begun - MARGIN <= fault.time <= following.begun and fault.names & names
                   for fault in self._world.faults)

    def _judge_number(self, id_, task, executions, explained):
        # An agent in bash can't say that it has failed: it hands the task back.
        backs = sum(execution.outcome == "back" or
                    execution.outcome == "fail" and execution.owner.startswith(PLAIN_OWNER) for execution in executions)
        most = task.attempts + backs + explained
        least = task.attempts + backs - task.failures["Timeout"]  # of which some may have had no time to note anything
        if not least <= len(executions) <= most:
            self._world.complain("twice" if len(executions) > most else "lost",
                                 f"{id_} was executed {len(executions)} times in {task.attempts} attempts")

    def _judge_owners(self, id_, executions):
        for execution in executions:
            if execution.owner != execution.run and {execution.owner, execution.run} & self._own:
                self._world.complain("foreign", f"{id_} was executed by an agent of {execution.owner}, and a run with agents "
                                                "of its own has a pool of its own")


def as_text(counter):
    return ", ".join(f"{count} {what}" for what, count in sorted(counter.items())) or "none"
