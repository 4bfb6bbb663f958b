"""Where the chaos takes place: its folders, what its processes get, and what is remembered of faults and complaints."""

import math
import os
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from harness import is_sanitized
from harness.process import MARKER

HERE = Path(__file__).resolve().parent
DO_TASK = HERE / "do_task"
SHELL_AGENT = HERE / "shell_agent"


def slack(seconds):
    """A promised duration, with room for a busy machine."""
    return seconds * 2 + (8 if is_sanitized() else 3)


END_SECONDS = 600  # within which everything has to be done once the faults have stopped
STOP_SECONDS = 120  # within which a process that was told to end has to be gone
ENDING = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)

# Pools, and who serves them.
CHAOS = "chaos"    # a daemon
SHARED = "shared"  # one of the runs that use it
PLAIN = "plain"    # a daemon; its agents speak only the published protocol


@dataclass
class Fault:
    time: float    # seconds since 1970
    what: str      # "SIGKILL of a run", say
    names: frozenset  # of whom it may have disturbed: an actor, a run, "pool NAME"
    in_flight: int  # executions that it may have cost
    end: float      # like `time`: until when it may have disturbed them; infinite while nobody knows


class World:
    """`work` exists and is empty; `mark` is in the environment of all that is started here."""

    def __init__(self, troupe, barnum, work, mark):
        self.troupe, self.barnum, self.work = troupe, barnum, work
        self.root = work / "disk" / "root"
        self.notes_path = work / "notes"
        self.faults = []
        self.problems = []
        self.figures = Counter()
        self.pools = {}  # run or submission → the pool that it uses
        self.disk_full = []  # [begin, end] in seconds since 1970; end None while it is full
        for folder in ("disk", "runs", "logs", "home", "runtime", "tmp"):
            (work / folder).mkdir(mode=0o700)
        self.notes_path.touch()
        self._environment = self._common_environment(mark)

    def spawn(self, owner, *argv, cwd=None):
        """A process in a session of its own, with its output in logs/OWNER.out and .err."""
        self.log(owner, "err").parent.mkdir(exist_ok=True)
        with open(self.log(owner, "out"), "ab") as out, open(self.log(owner, "err"), "ab") as err:
            return subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                    env=self._environment | {"CHAOS_OWNER": owner}, cwd=cwd or self.work,
                                    start_new_session=True)

    def log(self, owner, kind):
        return self.work / "logs" / f"{owner}.{kind}"

    def note_fault(self, what, names=frozenset(), in_flight=0, owner="", time=None, lasts=False):
        """Also in the file `faults`, a line each; `owner`: to whom it happens, for who reads that. One that `lasts` gets its
        `end` later, from the caller."""
        time = time or now()
        fault = Fault(time, what, names, in_flight, math.inf if lasts else time)
        self.faults.append(fault)
        with open(self.work / "faults", "a", encoding="ascii") as file:
            print(f"{fault.time:.6f} {what}: {owner or ' '.join(sorted(names))}", file=file)
        return fault

    def tail(self, owner, size=1500):
        """The end of what it has said, for a complaint."""
        return self.log(owner, "err").read_bytes()[-size:].decode(errors="replace")

    def complain(self, kind, problem):
        """`kind` is one word for the summary: lost, twice, overlap, foreign, hung, left, ended."""
        self.problems.append((kind, problem))
        print(f"WRONG ({kind}): {problem}", flush=True)

    def was_full(self, begin, end):
        """Whether the disk was full at some time between."""
        return any(full <= end and (free is None or free >= begin) for full, free in self.disk_full)

    def was_disturbed_since(self, begin, names):
        """Whether there was a fault of any of them, or an earlier one that lasted until then."""
        return any(fault.end >= begin and fault.names & names for fault in reversed(self.faults))

    def pool_path(self, pool):
        return self.root / "pools" / pool

    def _common_environment(self, mark):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("BARNUM_", "TROUPE_", "AGENT_POOL_", "XDG_", "CHAOS_", "NOTIFY_SOCKET"))}
        return kept | {MARKER: mark, "LC_ALL": "C", "TROUPE_ROOT": str(self.root), "HOME": str(self.work / "home"),
                       "XDG_RUNTIME_DIR": str(self.work / "runtime"), "TMPDIR": str(self.work / "tmp"),
                       "CHAOS_NOTES": str(self.notes_path)}


def now():
    """Seconds since 1970, as in the notes and the state logs."""
    return time.time()
