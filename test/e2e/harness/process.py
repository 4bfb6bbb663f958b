"""Programs under test: each in a session of its own, with its output in files, so that nobody has to drain a pipe."""

import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from harness.waiting import DEADLINE, wait_until

MARKER = "BARNUM_E2E_MARK"  # in the environment of all that a test starts, and so in that of its descendants
CRASHES = (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS, -signal.SIGILL, -signal.SIGFPE)
SANITIZER_REPORTS = ("AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "runtime error:")


class Result:
    """What is left of a program that ended. `code` is negative for a signal, as in subprocess."""

    def __init__(self, name, code, out, err):
        self.name, self.code, self.out, self.err = name, code, out, err

    @property
    def json(self):
        try:
            return json.loads(self.out)
        except ValueError as error:
            raise AssertionError(f"{self.name}: stdout is not JSON ({error}): {self.out[:400]!r}\n{self.err[-2000:]}")

    def __str__(self):
        return f"{self.name} ended with {self.code}\nstdout: {self.out[:2000]}\nstderr: {self.err[-4000:]}"


class Process:
    def __init__(self, name, argv, *, env, cwd, logs, stdin=b"", umask=-1):
        self.name = name
        logs.mkdir(exist_ok=True)
        stem = f"{len(os.listdir(logs)) // 3:03d}-{Path(name).name}"
        self.out_path, self.err_path, in_path = (logs / f"{stem}.{end}" for end in ("out", "err", "in"))
        in_path.write_bytes(stdin)
        self.started = time.monotonic()
        with open(in_path, "rb") as i, open(self.out_path, "wb") as o, open(self.err_path, "wb") as e:
            self.popen = subprocess.Popen([str(a) for a in argv], stdin=i, stdout=o, stderr=e, env=env, cwd=cwd,
                                          start_new_session=True, umask=umask)

    @property
    def pid(self):
        return self.popen.pid

    @property
    def running(self):
        return self.popen.poll() is None

    @property
    def out(self):
        return self.out_path.read_bytes().decode(errors="replace")

    @property
    def err(self):
        return self.err_path.read_bytes().decode(errors="replace")

    def result(self, deadline=DEADLINE):
        """Waits for the end."""
        try:
            code = self._wait(deadline)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} still runs after {deadline} s\nstdout: {self.out[-2000:]}\n"
                                 f"stderr: {self.err[-4000:]}") from None
        return Result(self.name, code, self.out, self.err)

    def json(self, deadline=DEADLINE):
        """Waits for the end, which must be a success, and returns stdout as JSON."""
        result = self.result(deadline)
        if result.code != 0:
            raise AssertionError(str(result))
        return result.json

    def signal(self, number):
        if self.running:
            self.popen.send_signal(number)

    def terminate(self):
        """SIGTERM to the whole session's group."""
        self._signal_group(signal.SIGTERM)

    def kill(self):
        """SIGKILL to the whole session's group, and the end of it."""
        self._signal_group(signal.SIGKILL)
        self._wait(DEADLINE)

    def crash(self):
        """The signal that has ended the program by its own fault; empty if there is none."""
        return signal.Signals(-self.popen.returncode).name if (self.popen.poll() or 0) in CRASHES else ""

    def sanitizer_report(self):
        """The report of a sanitizer on stderr, if there is one."""
        text = self.err
        found = [text.find(mark) for mark in SANITIZER_REPORTS if mark in text]
        return text[max(0, min(found) - 200):][:6000] if found else ""

    def _wait(self, deadline):
        """popen.wait(deadline), which would poll."""
        if self.running:
            end = os.pidfd_open(self.pid)
            try:
                poll = select.poll()
                poll.register(end, select.POLLIN)
                poll.poll(deadline * 1000)
            finally:
                os.close(end)
        return self.popen.wait(0)

    def _signal_group(self, number):
        if self.running:
            try:
                os.killpg(self.popen.pid, number)
            except ProcessLookupError:
                pass


def wait_suspended(pids):
    """After a SIGSTOP, which takes a moment."""
    def is_suspended(pid):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    wait_until(lambda: all(map(is_suspended, pids)), "the process to be suspended")


def marked_processes(mark):
    """{pid: command line} of the living processes whose environment has the mark, this one excepted."""
    return processes_with({MARKER: mark})


def processes_with(variables):
    """The same of those whose environment has all of these variables, with these values."""
    wanted = {f"{name}={value}".encode() for name, value in variables.items()}
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        try:
            if wanted <= set(_read(f"/proc/{pid}/environ").split(b"\0")):
                found[int(pid)] = _read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            pass  # gone, a zombie, or somebody else's
    return found


def _read(path):
    """The same as Path.read_bytes(), in half the time: after each test a file of each process is read."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return b"".join(iter(lambda: os.read(descriptor, 1 << 15), b""))
    finally:
        os.close(descriptor)
