"""The most memory that a program has had: of one that has ended, and of one that runs."""

import sys
from pathlib import Path

from harness.environment import binary
from harness.pressure import memory

# A process that begins as a copy of a large one counts that one's memory as its own: it is started by a small one.
MEASURE = """
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
open(sys.argv[1], "w").write(str(usage.ru_maxrss * 1024))
sys.exit(os.waitstatus_to_exitcode(status))
"""


class PeakMemory:
    """For a Case: its programs, measured."""

    def measured(self, name, *args, **how):
        """Runs a program to its end. Returns the result, and the bytes."""
        peak = self.home / "peak"
        result = self.run_program(sys.executable, "-S", "-B", "-c", MEASURE, peak, binary(name), *args, **how)
        return result, int(Path(peak).read_text())

    def peak_so_far(self, process):
        return memory(process.pid, "VmHWM")
