"""What do_task notes, a line each, in one file that is only appended to:

    WHAT ID PID MICROSECONDS START-TIME OWNER [OTHER-PID OTHER-OWNER]

ID is RUN/KIND/NUMBER, of a submission SUBMISSION/Submitted/0; START-TIME that of the process, in clock ticks.

    start    the execution begins
    end      it is about to answer
    fail     it is about to fail the attempt (exit code 3)
    back     it is about to hand the task back (exit code 75)
    hang     it does nothing any more until it is ended
    overlap  another execution of the same task was alive: OTHER-PID, which OTHER-OWNER started"""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

MOST_AT_WORK = 300
OUTCOMES = ("end", "fail", "back", "hang")


@dataclass(eq=False)
class Execution:
    id: str
    process: str  # PID/START-TIME
    begun: float  # seconds since 1970
    owner: str
    outcome: str = None  # one of OUTCOMES; None: it was ended before
    ended: float = None

    @property
    def run(self):
        """Or the submission."""
        return self.id.split("/")[0]

    @property
    def is_of_a_pool(self):
        return self.id.split("/")[1] in ("Ask", "AskHang", "Submitted")


class Notes:
    def __init__(self, path):
        self._file = open(path, encoding="ascii")
        self._rest = ""
        self.executions = []
        self.overlaps = []  # lines
        self._of_process = {}
        self._of_id = defaultdict(list)

    def read(self):
        """Takes in what has come."""
        *lines, self._rest = (self._rest + self._file.read()).split("\n")
        for line in lines:
            self._take(line.split(" "))

    def executions_of(self, id_):
        return self._of_id[id_]

    def by_id(self):
        return dict(self._of_id)

    def in_flight(self, names=None):
        """Executions that are alive and have not noted an end, of these owners or runs, or of all."""
        return [execution for execution in self.executions[-MOST_AT_WORK:] if not execution.ended and
                (names is None or {execution.owner, execution.run} & names) and is_alive(execution.process)]

    def _take(self, fields):
        what, id_, pid, time, start, owner = fields[:6]
        process = f"{pid}/{start}"
        if what == "start":
            execution = Execution(id_, process, int(time) / 1e6, owner)
            self.executions.append(execution)
            self._of_id[id_].append(execution)
            self._of_process[process] = execution
        elif what == "overlap":
            self.overlaps.append(fields)
        elif what in OUTCOMES:
            execution = self._of_process[process]
            execution.outcome = what
            execution.ended = None if what == "hang" else int(time) / 1e6


def is_alive(process):
    pid, start = process.split("/")
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == start and fields[0] not in "ZX"
