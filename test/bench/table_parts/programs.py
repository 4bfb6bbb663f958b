"""The programs that are measured, the folders they are measured in, and how they are run."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

# Where scripts/test leaves the npm package's daemon, which the tests of interoperation fetch.
PUBLISHED = Path("test/e2e/cache/published-troupe-0.2.3/troupe")


# In an interpreter of its own, which is small: what a process has had before it became another program counts as well.
LAUNCHER = """
import json, os, sys, time
began = time.perf_counter()
quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet), 0)
print(json.dumps([os.waitstatus_to_exitcode(status), time.perf_counter() - began, usage.ru_maxrss * 1024]))
"""


def use_home(home):
    """What the measured programs keep, such as runs, is not to be among the user's own."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    os.environ.setdefault("BARNUM_NPM_TOOLS", str(cache / "barnum"))
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    home.mkdir()
    os.environ["HOME"] = str(home)


class Bench:
    """One run of the table: paths, and a folder in memory and one on the disk for as long as it lasts."""

    def __init__(self, options):
        self.quick = options.quick
        self._build = options.build_dir.resolve()
        self.barnum = self._program("apps/barnum/barnum")
        self.troupe = self._program("apps/troupe/troupe")
        self.published = options.published or self._build / PUBLISHED
        self._places = (options.memory, options.disk)

    def __enter__(self):
        self.memory, self.disk = (Path(tempfile.mkdtemp(prefix="bench.", dir=place)) for place in self._places)
        use_home(self.disk / "home")
        return self

    def __exit__(self, *_):
        for folder in (self.memory, self.disk):
            shutil.rmtree(folder, ignore_errors=True)

    def of(self, count):
        """That many of something; a tenth when it is to be quick."""
        return max(count // 10, 1) if self.quick else count

    def load(self, name):
        return self._program(f"test/bench/{name}")

    def json_lines(self, command, **how):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **how)
        if done.returncode != 0 or not done.stdout:
            raise SystemExit(f"{command[0]} failed with {done.returncode}: {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def measured(self, command, **how):
        """Seconds from start to end, and the most memory in bytes, of a program that is to succeed."""
        ((code, seconds, memory),) = self.json_lines([sys.executable, "-S", "-c", LAUNCHER, *command], **how)
        if code != 0:
            raise SystemExit(f"{command[0]} failed with {code}")
        return seconds, memory

    def _program(self, path):
        program = self._build / path
        if not os.access(program, os.X_OK):
            raise SystemExit(f"{program} is missing: build it first (scripts/bench does)")
        return program


@contextmanager
def daemon(troupe, root, *options):
    """A fresh daemon of a fresh pool; gives its process and the pool's directory."""
    process = subprocess.Popen([troupe, "--root", root, "--log-level", "off", "start", "--pool", "bench", "--no-heartbeat", *options],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    directory = Path(root) / "pools" / "bench"
    try:
        wait_for((directory / "status").exists, f"{troupe} to serve its pool")
        yield process, directory
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(root, ignore_errors=True)


def wait_for(condition, what, deadline=300):
    end = time.monotonic() + deadline
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"waited {deadline} s for {what}")
        time.sleep(0.01)


def process_status(pid):
    return dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())


def wake_ups(pid):
    """How often it has gone to sleep, and so was woken: what counts is the difference."""
    return int(process_status(pid)["voluntary_ctxt_switches"])


def sleeps_on(pids, seconds=0.3):
    """Whether none of them is woken within that time."""
    before = [wake_ups(pid) for pid in pids]
    time.sleep(seconds)
    return [wake_ups(pid) for pid in pids] == before


def queue_tasks(directory, count):
    """Puts that many requests into the pool's directory."""
    for _ in range(count):
        request = directory / "scratch" / str(uuid.uuid4())
        request.write_text(json.dumps({"kind": "Inline", "content": "{}"}))
        request.rename(directory / "submissions" / f"{request.name}.request.json")


def timed(command, **how):
    """Seconds from start to end; its output goes nowhere."""
    began = time.perf_counter()
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False, **how)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed with {done.returncode}: {command}")
    return time.perf_counter() - began
