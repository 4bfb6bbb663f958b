"""The system calls of a process that should make none."""

from shutil import which

from harness.case import require
from harness.environment import sanitizer
from harness.waiting import wait_until


class Tracing:
    """For a Case."""

    def require_strace(self):
        require(which("strace"), "strace is not installed")

    def trace(self, process, seconds):
        """The calls of the process that return within so many seconds, as strace prints them."""
        # The thread sanitizer has a thread of its own that wakes up; then only the main one is looked at.
        follow = [] if sanitizer() == "thread" else ["-f"]
        out = self.home / "trace"
        strace = self.start("strace", *follow, "-qq", "-o", out, "-p", process.pid)
        status = f"/proc/{process.pid}/status"
        wait_until(lambda: self.traced_by(status) == strace.pid or not strace.running, "strace to attach")
        if not strace.running:
            require(False, f"strace may not trace here: {strace.err.strip()}")
        try:
            wait_until(lambda: self.finished_calls(out), "", seconds)
        except AssertionError:
            pass
        strace.terminate()
        strace.result()
        return self.finished_calls(out)

    @staticmethod
    def traced_by(status):
        with open(status, encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("TracerPid"))

    @staticmethod
    def finished_calls(path):
        """Lines of calls with a result: a thread that just goes on waiting has none."""
        if not path.exists():
            return []
        return [line for line in path.read_text().splitlines() if " = " in line and "ERESTART" not in line]
