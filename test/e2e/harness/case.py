"""The base of all cases: a temporary home for each test, programs started in it, and the check that nothing is left."""

import os
import shutil
import signal
import sys
import tempfile
import unittest
import uuid
from contextlib import suppress
from pathlib import Path

from harness.environment import all_required, binary, binary_dirs, sanitizer
from harness.process import MARKER, Process, marked_processes
from harness.waiting import DEADLINE, wait_until


LEFT_AFTER = 30  # seconds after a test's end; what is ending still may take a moment
LOST_AFTER = 60  # seconds after a signal


def require(condition, reason):
    """Skips the test, loudly, unless the condition holds; where everything is required, fails it."""
    if condition:
        return
    if all_required():
        raise AssertionError(f"BARNUM_REQUIRE_ALL is set, and this can't be tested: {reason}")
    raise unittest.SkipTest(reason)


def too_long(*_):
    raise AssertionError("the test took longer than its limit")


class Case(unittest.TestCase):
    maxDiff = 4000
    limit = 1800  # seconds for one test, so that what it started is ended by tearDown and not left to ctest

    def setUp(self):
        signal.signal(signal.SIGALRM, too_long)
        signal.alarm(self.limit)
        self.home = Path(tempfile.mkdtemp(prefix="be2e-"))
        self.fixtures = Path(sys.modules[type(self).__module__].__file__).parent
        self.root = self.home / "root"
        self.work = self.home / "work"
        self.work.mkdir()
        self.mark = uuid.uuid4().hex
        self.processes = []
        self.env = self._environment()

    def tearDown(self):
        signal.alarm(0)
        stubborn = self._end_processes()
        left = self._processes_left()
        reports = [f"{p.name}: {p.sanitizer_report()}" for p in self.processes if p.sanitizer_report()]
        crashes = [f"{p.name} (pid {p.pid}): {p.crash()}" for p in self.processes if p.name in ("troupe", "barnum") and p.crash()]
        self.assertEqual(reports, [], "a sanitizer reported")
        self.assertEqual(crashes, [], "these crashed")
        self.assertEqual(stubborn, [], "SIGTERM did not end these")
        self.assertEqual(left, {}, "processes are left after the test")

    def start(self, name, *args, env=None, cwd=None, stdin=b"", umask=-1):
        """Starts a program: `troupe`, `barnum`, or one by its path. `env` is put over the test's environment."""
        program = binary(name) if name in ("troupe", "barnum") else name
        environment = self.env | {k: str(v) for k, v in (env or {}).items()}
        process = Process(str(name), [program, *args], env=environment, cwd=cwd or self.work, stdin=stdin, umask=umask,
                          logs=self.home / "logs")
        self.processes.append(process)
        return process

    def run_program(self, name, *args, deadline=DEADLINE, **how):
        return self.start(name, *args, **how).result(deadline)

    def assert_exit(self, result, code):
        self.assertEqual(result.code, code, str(result))

    def assert_running(self, process):
        if not process.running:
            self.fail(str(process.result()))

    def print_logs(self):
        """For a failed test: the end of what each program printed."""
        for process in self.processes:
            for kind, path in (("stdout", process.out_path), ("stderr", process.err_path)):
                text = path.read_bytes()[-3000:].decode(errors="replace")
                if text:
                    print(f"--- {kind} of {process.name} (pid {process.pid})\n{text}", flush=True)

    def remove_home(self):
        if os.environ.get("BARNUM_E2E_KEEP"):
            print(f"     kept: {self.home}")
        else:
            shutil.rmtree(self.home, ignore_errors=True)

    def _environment(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("BARNUM_", "AGENT_POOL_", "XDG_"))}
        env[MARKER] = self.mark
        env["HOME"] = str(self.home)
        env["TROUPE_ROOT"] = str(self.root)
        env["PATH"] = ":".join([*binary_dirs(), env.get("PATH", "/usr/bin:/bin")])
        return env

    def _end_processes(self):
        stubborn = []
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                self._wait_for_end(process)
            except AssertionError:
                process.kill()
                stubborn.append(f"{process.name} (pid {process.pid})")
        return stubborn

    @staticmethod
    def _wait_for_end(process):
        """The runtime of g++'s thread sanitizer may lose a signal: it holds back one that comes while the program asks the C
        library for the time zone, and then does not call the program's handler (seen with strace). So it is sent again."""
        if sanitizer() == "thread":
            with suppress(AssertionError):
                process.result(LOST_AFTER)
                return
            process.terminate()
        process.result(DEADLINE)

    def _processes_left(self):
        try:
            wait_until(lambda: not marked_processes(self.mark), "the test's processes to end", LEFT_AFTER)
            return {}
        except AssertionError:
            left = marked_processes(self.mark)
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            return left
