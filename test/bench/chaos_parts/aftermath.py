"""The end of all: what still runs has to come to its end, then everything is stopped in order, and nothing is left."""

import os
import re
import signal
import stat
import time
from pathlib import Path

from harness.process import SANITIZER_REPORTS, marked_processes

from .world import END_SECONDS, STOP_SECONDS

PAUSE = 0.05


class Aftermath:
    """`tick` lets the actors go on."""

    def __init__(self, world, actors, tick, mark):
        self._world, self._actors, self._tick, self._mark = world, actors, tick, mark

    def finish(self):
        """Waits for the runs and submissions that are under way."""
        for actor in self._of("run"):
            actor.is_over = True
        for actor in self._of("submitter"):
            actor.is_wanted = False
        workers = self._of("run") + self._of("submitter")
        begun = time.monotonic()
        self._wait(lambda: not any(actor.process or actor.is_wanted for actor in workers), END_SECONDS)
        for actor in workers:
            if actor.process:
                self._world.complain("hung", f"{actor.owner} was not done {END_SECONDS} s after the last fault:\n"
                                             f"{self._world.tail(actor.owner)}")
                actor.send(signal.SIGKILL)
                actor.is_wanted = False
        return time.monotonic() - begun

    def stop(self):
        """The agents first, then the daemons."""
        self._wait(lambda: not self._dead_agents_files(), STOP_SECONDS)
        for kind in ("agent", "shell agent"):
            self._end(self._of(kind), lambda actor: actor.send(signal.SIGTERM))
        self._end(self._of("daemon"), self._stop_daemon)
        self._wait(lambda: not marked_processes(self._mark), STOP_SECONDS)
        for pid, command in marked_processes(self._mark).items():
            self._world.complain("left", f"process {pid} is left: {command[:300]}")

    def look_for_reports(self):
        """In a sanitizer build."""
        for log in (self._world.work / "logs").iterdir():
            text = log.read_text(errors="replace")
            if report := next((mark for mark in SANITIZER_REPORTS if mark in text), None):
                self._world.complain("ended", f"{log.name}: {text[text.index(report):][:3000]}")

    def look_for_leftovers(self):
        for folder, _, names in os.walk(self._world.work):
            folder = Path(folder)
            for path in (folder / name for name in names):
                if stat.S_ISSOCK(path.lstat().st_mode):
                    self._world.complain("left", f"a socket is left: {path}")
                elif folder.name in ("agents", "submissions") and not self._is_kept(path):
                    self._world.complain("left", f"a file is left in a pool: {path}: {path.read_bytes()[:200]!r}")

    def _end(self, actors, tell):
        for actor in actors:
            actor.is_wanted = False
            if actor.process:
                tell(actor)
        self._wait(lambda: not any(actor.process for actor in actors), STOP_SECONDS)
        for actor in actors:
            if actor.process:
                self._world.complain("hung", f"{actor.owner} still runs {STOP_SECONDS} s after it was told to end:\n"
                                             f"{self._world.tail(actor.owner)}")
                actor.send(signal.SIGKILL)

    def _stop_daemon(self, actor):
        actor.received[signal.SIGTERM] += 1  # it may end now
        code = self._world.spawn("stop", self._world.troupe, "stop", "--pool", actor.pool).wait(END_SECONDS)
        if code != 0:
            self._world.complain("hung", f"troupe stop ended with {code} for the pool {actor.pool}:\n"
                                         f"{self._world.tail('stop')}")

    def _dead_agents_files(self):
        """Of agents that were killed while they waited: the daemon has to find them."""
        alive = sum(actor.process is not None for actor in self._of("agent")) * 2 + len(self._of("shell agent"))
        files = sum(1 for pool in (self._world.root / "pools").iterdir() for _ in (pool / "agents").glob("*.ready.json"))
        return files > alive

    def _is_kept(self, path):
        """Whether it is an answer that may stay: one that a killed daemon had not delivered, or not noted as delivered,
        and that is kept for an hour in case that its submitter comes back; or one that came in the moment in which its
        submitter took the submission back."""
        is_answer = path.name.endswith(".response.json") and path.parent.name == "submissions"
        is_alone = not path.with_name(path.name.replace(".response.", ".request.")).exists()
        pool = f"pool {path.parents[1].name}"
        was_killed = any(fault.what.startswith(("SIGKILL", "SIGHUP")) and pool in fault.names
                         for fault in self._world.faults)
        is_kept = is_answer and is_alone and (was_killed or self._is_of_one_told_to_end(path))
        self._world.figures["answers that are kept at the end"] += is_kept
        return is_kept

    def _is_of_one_told_to_end(self, path):
        named = re.search(rb"\b(s[0-9]+)/Submitted", path.read_bytes())
        return named and any(named[1].decode() in fault.names for fault in self._world.faults)

    def _of(self, kind):
        return [actor for actor in self._actors if actor.kind == kind]

    def _wait(self, condition, seconds):
        """False if it was in vain."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            self._tick()
            time.sleep(PAUSE)
        return True
