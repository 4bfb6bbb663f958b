"""The oracle of the cases engine…: what agents have noted of their work (noting_agent), and whether that may be."""

from collections import Counter, defaultdict
from dataclasses import dataclass


@dataclass
class Execution:
    id: str
    host: str
    pid: int
    begun: float  # seconds since 1970
    ended: float = None  # None: it was ended before, or still goes on
    has_failed: bool = False


class Executions:
    """`path` is the file with the notes, which the agents append to."""

    def __init__(self, path):
        self.path = path
        self.path.touch()

    def all(self):
        """In the order in which they began."""
        executions, running = [], {}
        for line in self.path.read_text().splitlines():
            what, id_, host, pid, time = line.split(" ")
            if what == "begin":
                running[id_, pid] = Execution(id_, host, int(pid), float(time))
                executions.append(running[id_, pid])
            else:
                execution = running.pop((id_, pid))
                execution.ended, execution.has_failed = float(time), what == "fail"
        return executions

    def of(self, id_):
        return [execution for execution in self.all() if execution.id == id_]

    def hosts_of(self, id_):
        return [execution.host for execution in self.of(id_)]

    def begun(self):
        """How often each task was begun."""
        return Counter(execution.id for execution in self.all())

    def running(self):
        """That have not noted their end; also those that were killed."""
        return [execution for execution in self.all() if execution.ended is None]

    def problems(self, expected, excused=()):
        """Sentences, one for each thing that must not be: a task of `expected` that was not executed to its end, one that was
        executed twice, and one that nobody has submitted. `excused`: ids of tasks that may have been executed again or never,
        because their host has died with them and said so."""
        by_id = defaultdict(list)
        for execution in self.all():
            by_id[execution.id].append(execution)
        for id_ in expected:
            found = by_id.pop(id_, [])
            if id_ in excused:
                continue
            if len(found) > 1:
                yield f"{id_} was executed {len(found)} times: {found}"
            elif not any(execution.ended and not execution.has_failed for execution in found):
                yield f"{id_} was not executed to its end: {found}"
        for id_, found in by_id.items():
            yield f"{id_} was submitted by nobody: {found}"
