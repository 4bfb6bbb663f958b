"""Runs that are killed at random moments again and again, and resumed, until they come to their end.

BARNUM_KILLS is how often (20; 200 in the thorough form). BARNUM_KILL_SEED repeats the choices of an earlier run,
though not what the machine made of them."""

import fcntl
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import flow  # noqa: E402
from history import Life, Log, check, read_ran  # noqa: E402

from harness import DEADLINE, is_sanitized  # noqa: E402
from harness.environment import is_thorough  # noqa: E402
from harness.statelog import LogCase  # noqa: E402

KILLS = int(os.environ.get("BARNUM_KILLS") or (200 if is_thorough() else 20))
SEED = int(os.environ.get("BARNUM_KILL_SEED") or random.SystemRandom().randrange(1_000_000))
LONGEST = 4 if is_sanitized() else 0.6  # seconds until a kill
BIRTH = 0.2 if is_sanitized() else 0.02  # about as long a run needs until its log is there
GUARD = 0.15  # about as long the resume of a run that was just killed has to wait
REPORT_EVERY = 1000


class Folder:
    """One run of the workflow, with all its lives, in a directory of its own."""

    def __init__(self, path):
        self.path = path
        self.lives = []
        self.logs = []  # what the lives left behind, as (path, bytes, Log)

    def log_path(self, number):
        return self.path / f"run-{number}.ndjson"

    def next_life(self):
        life = Life(len(self.lives), self.logs[-1][2] if self.logs else None)
        self.lives.append(life)
        os.mkfifo(self.path / f"alive.{life.number}")
        return life

    def take_log(self, life):
        """After the process has ended: keeps its log, and sees that it goes on from the one before."""
        for path, text, _ in self.logs[-1:]:
            assert path.read_bytes() == text, f"{path} was changed by its resume"
        path = self.log_path(life.number)
        if not path.exists():
            return
        text = path.read_bytes()
        if life.before:
            assert text.startswith(life.before.text), f"{path} does not begin with what {self.logs[-1][0]} has"
        life.log = Log(text)
        assert life.log.tasks, f"{path} was born without the first task"
        self.logs.append((path, text, life.log))


class Kills(LogCase):
    limit = 600 + 4 * KILLS

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.kills = Counter()
        self.workflows = 0
        self.began = time.monotonic()

    def test_a_run_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(self):
        try:
            expected = [self.undisturbed(drop) for drop in (False, True)]
            for number in itertools.count():
                self.disturbed(f"killed-{number}", number % 2 == 1, *expected[number % 2])
                if self.killed() >= KILLS:
                    break
        finally:
            print(f"     {self.told()}", flush=True)
        self.assertGreater(self.kills["during the work"], KILLS // 10)

    def undisturbed(self, drop):
        """The exit code and the result, from a run in peace."""
        folder = self.folder(f"undisturbed-{drop:d}", drop)
        process, life = self.start_life(folder)
        code = self.finish(folder, process, life)
        self.assertEqual(code, 1 if drop else 0, str(process.result()))
        self.assertGreater(len({t.name for t in life.log.tasks.values() if not t.is_finally}), 300)
        self.window = self.shortest_window = min(LONGEST, (time.monotonic() - process.started) / 2)
        check(folder.lives, read_ran(folder.path / "ran"))
        self.forget(folder)
        return code, life.log.result()

    def disturbed(self, name, drop, code, result):
        folder = self.folder(name, drop)
        process = None
        while process is None:
            process = self.live_and_die(folder)
        if "nothing to do" in process.err:  # killed when all was written, and before it could say so
            self.assertTrue(folder.logs[-1][2].is_complete())
            self.assertEqual(process.result().code, 0, str(process.result()))
        else:
            self.assertEqual(process.result().code, code, str(process.result()))
        check(folder.lives, read_ran(folder.path / "ran"))
        self.assertEqual(folder.logs[-1][2].result(), result)
        overlaps = folder.path / "overlaps"
        self.assertFalse(overlaps.exists(), overlaps.exists() and overlaps.read_text())
        self.forget(folder)

    def live_and_die(self, folder):
        """One life, which ends by SIGKILL; or, by itself, in the process that is returned then."""
        seconds = self.moment(folder)
        process, life = self.start_life(folder)
        try:
            if self.killed() < KILLS:
                process.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            process.signal(signal.SIGKILL)
        code = self.finish(folder, process, life)
        if code != -signal.SIGKILL:
            return process
        stage = self.stage(folder, life)
        self.kills[stage] += 1
        self.adapt(stage == "during the work")
        if self.killed() % REPORT_EVERY == 0:
            print(f"     {self.told()}", flush=True)
        return None

    def adapt(self, was_at_work):
        """On a busy machine it takes longer until there is work to be killed at."""
        are_few = self.kills["during the work"] < self.killed() / 4
        factor = 1 / 1.03 if was_at_work else 1.3 if are_few else 1.03
        self.window = max(self.shortest_window, self.window * factor)

    def moment(self, folder):
        """When to kill. A resume that begins at once has to wait for the commands that were killed last time."""
        if folder.logs and self.random.random() < 0.5:
            with folder.logs[-1][0].open("rb") as log:
                fcntl.flock(log, fcntl.LOCK_EX)
            return self.random.uniform(0, BIRTH if self.random.random() < 0.3 else self.window)
        return self.random.uniform(0, self.window + GUARD)

    def start_life(self, folder):
        """Goes on from the last log there is, or begins."""
        life = folder.next_life()
        if folder.logs:
            how = ["--resume-from", folder.logs[-1][0]]
        else:
            how = ["--config", folder.path / "flow.json", "--entrypoint-value", '"0 0"']
        options = ["--jobs", self.random.choice([2, 4, 8]),
                   "--fsync", self.random.choice(["always", "always", "interval", "never"])]
        process = self.start("barnum", "run", *how, "--state-log", folder.log_path(life.number), *options,
                             cwd=folder.path, env={"LIFE": life.number})
        return process, life

    def finish(self, folder, process, life):
        code = process.result(DEADLINE).code
        folder.take_log(life)
        return code

    def stage(self, folder, life):
        if not life.log:
            return "before its log"
        if life.log.text == (life.before.text if life.before else None) or len(life.log.tasks) == 1:
            return "at its start"
        return "during the work"

    def killed(self):
        return sum(self.kills.values())

    def told(self):
        stages = ", ".join(f"{count} {stage}" for stage, count in sorted(self.kills.items()))
        return (f"seed {SEED}: {self.killed()} kills ({stages}) in {self.workflows} whole workflows,"
                f" {time.monotonic() - self.began:.0f} s")

    def folder(self, name, drop):
        path = self.work / name
        path.mkdir()
        shutil.copy(self.fixtures / "task.sh", path)
        self.write_config(flow.steps(drop), options={"max_retries": 2}).rename(path / "flow.json")
        return Folder(path)

    def forget(self, folder):
        """All was well with it, and there are many."""
        for process in self.processes:
            self.assertEqual(process.sanitizer_report(), "")
        shutil.rmtree(folder.path)
        shutil.rmtree(self.home / "logs")
        self.processes.clear()
        self.workflows += folder.path.name.startswith("killed")
