"""The oracle for tasks that were done twice: whether the faults, and what edges say of lost records, explain it."""

import re
from collections import Counter

LOST_RECORD = re.compile("the engine (had|may have) lost what it knew of the task ([^ :]+):")


def told_records(hosts):
    """Which records the servers have lost, as edges say, although a majority had them: a fault of theirs of which nothing but that it
    is told can be asked, if the host that has the task cannot be reached either. ("had", task) is told by its submitter's host,
    ("may have", task, host) by the host that has searched for the task in vain before it began it."""
    told = set()
    for host in hosts:
        for edge in host.edges:
            for how, id_ in LOST_RECORD.findall(edge.err):
                told.add((how, id_) if how == "had" else (how, id_, host.host))
    return told


def tell_records(told, executions):
    """A sentence on told_records()."""
    counts = Counter(how for how, *_ in told)
    begun = Counter(execution.id for execution in executions)
    repeated = {id_ for _, id_, *_ in told if begun[id_] > 1}
    return (f"edges say that the servers had lost {counts['had']} records, and may have lost {counts['may have']}; "
            f"{len(repeated)} of these tasks were done twice")


def repeats(executions, of_run, faults, told):
    """Sentences, one for each execution that is not the first of its task and must not be. `executions` in the order in which they
    began; `of_run`: the ids of a run's tasks."""
    last = {}
    for execution in executions:
        first, last[execution.id] = last.get(execution.id), execution
        is_of_run = execution.id in of_run
        if not first:
            continue
        was_sought = ("may have", execution.id, execution.host) in told
        is_told = was_sought or ("had", execution.id) in told
        is_lost = is_told and faults.may_explain_lost_record(execution)
        if not is_lost and not faults.explains_repeat(first, execution, is_of_run):
            yield f"{execution.id} was done twice, and no fault explains it: {first}, {execution}"
        # A host that could not be reached when the task was searched for may go on with it.
        if not was_sought and not is_of_run and first.ended and first.ended > execution.begun:
            yield f"{execution.id} was with two agents at once: {first}, {execution}"
