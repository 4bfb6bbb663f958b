"""The daemon under load: started, killed and started again, and what it takes of the machine while it lives."""

import os
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

READY_SECONDS = 120
WARM_SECONDS = 2  # of a life, before its memory is looked at
IDLE_SECONDS = "5"  # until an idle agent gets a heartbeat: by that the daemon finds those that were killed


@dataclass
class Sample:
    age: float  # seconds since this life's start
    descriptors: int
    threads: int
    rss_kb: int


@dataclass
class Life:
    begun: float
    answers_before: int
    answers: int = 0
    samples: list = field(default_factory=list)

    def warm(self):
        return [sample for sample in self.samples if sample.age >= WARM_SECONDS]


class Daemon:
    def __init__(self, troupe, environment, pool, log, answered):
        self._troupe, self._environment, self.pool, self._log = troupe, environment, pool, log
        self._answered = answered  # how many answers there were so far
        self._lock = threading.Lock()
        self._process = None
        self.lives = []

    def start(self):
        before = self._status()
        life = Life(time.monotonic(), self._answered())
        with open(self._log, "ab") as log:
            process = subprocess.Popen(
                [self._troupe, "--log-level", "warn", "start", "--idle-timeout-secs", IDLE_SECONDS],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment)
        with self._lock:
            self._process = process
            self.lives.append(life)
        while self._status() in (None, before):
            if process.poll() is not None or time.monotonic() > life.begun + READY_SECONDS:
                raise RuntimeError(f"the daemon did not get ready: {self._log.read_text()[-2000:]}")
            time.sleep(0.01)

    def kill(self):
        """False if it had ended by itself."""
        lived = self._process.poll() is None
        self._process.send_signal(signal.SIGKILL)
        self._end()
        return lived

    def end_at_once(self):
        """If there is one."""
        if self._process:
            self.kill()

    def stop(self):
        """Its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._end()

    def sample(self):
        """Looks once; None while there is no daemon."""
        with self._lock:
            process, life = self._process, self.lives[-1] if self.lives else None
        if process is None:
            return None
        try:
            status = open(f"/proc/{process.pid}/status", encoding="ascii", errors="replace").read()
            numbers = {key: int(re.search(rf"^{key}:\s+(\d+)", status, re.M)[1]) for key in ("Threads", "VmRSS")}
            taken = Sample(time.monotonic() - life.begun, len(os.listdir(f"/proc/{process.pid}/fd")),
                           numbers["Threads"], numbers["VmRSS"])
        except (OSError, TypeError):
            return None  # just killed
        life.samples.append(taken)
        life.answers = self._answered() - life.answers_before
        return taken

    def _end(self):
        with self._lock:
            process, self._process = self._process, None
        try:
            return process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "none within 10 s"

    def _status(self):
        try:
            status = (self.pool / "status").stat()
            return status.st_ino, status.st_mtime_ns
        except OSError:
            return None
