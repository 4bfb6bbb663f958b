"""A state log that can't be written: nothing counts that is not in it, and what is in it resumes."""

import os
import re
import subprocess
from shutil import which

from harness import require
from harness.environment import traceable
from harness.statelog import LogCase, entries
from harness.workflow import emit, step

# Notes that it ran, and leads to the next number with a value of some size, up to a last one.
CHAIN = """n=$(sed 's/.*"n":\\([0-9]*\\).*/\\1/'); echo $n >> ran
if [ $n -lt {last} ]; then printf '[{{"kind": "Count", "value": {{"fill": "%0{fill}d", "n": %d}}}}]' 0 $((n + 1))
else echo '[]'; fi"""


def chain(last, fill):
    return [step("Count", CHAIN.format(last=last, fill=fill), ["Count"])]


class FaultCase(LogCase):
    def ran(self):
        path = self.work / "ran"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def assert_in_log(self, result, name):
        """What the run said was done is in the log."""
        told = {int(number) for number in re.findall(r"task (\d+) \w+: done", result.err)}
        done = {e["task_id"] for e in entries(self.log(name)) if e["kind"] == "TaskCompleted"}
        self.assertLessEqual(told, done, str(result))
        return done

    def assert_resumes(self, old, last):
        """The run goes on to its end from that log, and tasks that are done in it don't run again."""
        done = sum(e["kind"] == "TaskCompleted" for e in entries(self.log(old)))
        before = len(self.ran())
        self.assert_run(self.resume(old=old))
        self.assertEqual(sorted(set(self.ran())), list(range(last + 1)))
        self.assertEqual(self.ran()[before:], list(range(done, last + 1)))
        self.log("resumed.ndjson").unlink(missing_ok=True)  # none, if there was nothing to do


class FullDisk(FaultCase):
    def run_on_small_disk(self, steps, *args):
        """The log is on a file system of 1 MB, in a name space of its own, and copied from there in the end."""
        alone = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        disk = self.home / "disk"
        disk.mkdir()
        mount = f"mount -t tmpfs -o size=1m tmpfs {disk}"
        require(which("unshare") and subprocess.run([*alone, "sh", "-c", mount], capture_output=True).returncode == 0,
                "no file system can be mounted here")
        config = self.write_config(steps)
        run = f"{mount}; barnum run --config {config} --state-log {disk}/run.ndjson \"$@\"; code=$?"
        return self.run_program("unshare", *alone[1:], "sh", "-c", f"{run}; cp {disk}/run.ndjson .; exit $code", "sh",
                                *args)

    def test_a_disk_that_fills_ends_the_run_and_loses_nothing(self):
        last = 79
        result = self.run_on_small_disk([*chain(last, 20000), step("Sleep", "exec sleep 1000")], "--initial-state",
                                        '[{"kind": "Sleep", "value": 0}, {"kind": "Count", "value": {"n": 0}}]')
        self.assert_run(result, 74)
        self.assertIn("No space left on device", result.err)
        self.resume_command(result)
        done = self.assert_in_log(result, "run.ndjson")
        self.assertTrue(30 < len(done) < last)
        self.assertLessEqual(len(self.ran()), len(done) + 1)  # nothing was started after the failure

    def test_a_group_that_does_not_fit_is_not_begun(self):
        split = """jq -nc '[range(80) | {kind: "Part", value: ("x" * 20000)}]'"""
        steps = [step("Split", split, ["Part"]), step("Part", "echo 1 >> ran; echo '[]'")]
        result = self.run_on_small_disk(steps)
        self.assert_run(result, 74)
        self.assertEqual(self.ran(), [])
        self.assertNotIn("done", result.err.split("run failed")[0])
        self.assert_run(self.resume())
        self.assertEqual(len(self.ran()), 80)


class Removed(FaultCase):
    def test_a_log_that_is_removed_ends_the_run_at_the_next_commit(self):
        for policy in ("always", "interval", "never"):
            for removal in ("rm logs/run.ndjson", "rm -r logs", "mv logs/run.ndjson other; rm other",
                            "echo mine > mine; mv mine logs/run.ndjson"):
                with self.subTest(policy=policy, removal=removal):
                    (self.work / "logs").mkdir(exist_ok=True)
                    steps = [step("Remove", removal + "; " + emit(("Next", 0)), ["Next"]), step("Next", "echo 1 >> ran; echo '[]'")]
                    result = self.run_logged(steps, "--fsync", policy, log="logs/run.ndjson")
                    self.assert_run(result, 74)
                    self.assertIn(f"the state log {self.log('logs/run.ndjson')} was removed while the run wrote it", result.err)
                    self.assertEqual(self.ran(), [])
                    (self.work / "logs/run.ndjson").unlink(missing_ok=True)

    def test_a_log_that_another_program_writes_or_cuts_off_ends_the_run_at_the_next_commit(self):
        for change in (": > run.ndjson", "truncate -s -1 run.ndjson", "echo mine >> run.ndjson"):
            with self.subTest(change=change):
                steps = [step("Change", change + "; " + emit(("Next", 0)), ["Next"]), step("Next", "echo 1 >> ran; echo '[]'")]
                result = self.run_logged(steps)
                self.assert_run(result, 74)
                self.assertIn(f"the state log {self.log('run.ndjson')} was changed by another program while the run wrote it", result.err)
                self.assertEqual(self.ran(), [])
                (self.work / "run.ndjson").unlink()

    def test_a_log_that_is_moved_is_written_on(self):
        steps = [step("Move", "mv run.ndjson moved.ndjson; " + emit(("Next", 0)), ["Next"]), step("Next", "echo 1 >> ran; echo '[]'")]
        self.assert_run(self.run_logged(steps))
        self.assertEqual(self.log_kinds("moved.ndjson"), ["Config"] + 2 * ["TaskSubmitted", "TaskCompleted"])


class Injected(FaultCase):
    """Errors of the system calls that a log is written by, each call in turn."""

    last = 4

    def setUp(self):
        super().setUp()
        require(which("strace"), "strace is not installed")

    def run_with(self, *inject):
        config = self.write_config(chain(self.last, 10))
        result = self.run_program("strace", "-f", "--seccomp-bpf", "-qq", "-o", self.home / "trace", *inject, "--", "barnum", "run",
                                  "--config", config, "--state-log", self.log(), "--entrypoint-value", '{"n": 0}',
                                  env=traceable())
        if "ptrace" in result.err or "PTRACE" in result.err:
            require(False, f"strace may not trace here: {result.err.strip()}")
        return result

    def clean(self):
        for name in ("run.ndjson", "resumed.ndjson", "ran"):
            (self.work / name).unlink(missing_ok=True)

    def assert_nothing_begun(self, result):
        self.assert_run(result, 74)
        self.assertEqual(self.ran(), [])
        self.assertEqual([path.name for path in self.work.iterdir()], ["flow.json"])

    def test_each_append_and_each_sync_in_turn(self):
        calls = [("write", "ENOSPC"), ("write", "EIO"), ("fdatasync", "EIO"), ("fdatasync", "ENOSPC")]
        for call, error in calls:
            for number in range(1, self.last + 2):
                with self.subTest(call=call, error=error, number=number):
                    self.clean()
                    result = self.run_with("-P", self.log(), "-e", f"inject={call}:error={error}:when={number}")
                    self.assert_run(result, 74)
                    self.resume_command(result)
                    done = self.assert_in_log(result, "run.ndjson")
                    # After a failed sync, what was written may be read and may count, but is not acted upon.
                    self.assertEqual(len(done), number - (call == "write"))
                    self.assertEqual(self.ran(), list(range(number)))
                    self.assert_resumes("run.ndjson", self.last)

    def test_a_failed_sync_is_never_tried_again(self):
        self.assert_run(self.run_with("-P", self.log(), "-e", "inject=fdatasync:error=EIO:when=2"), 74)
        calls = re.findall(r"\b(write|fdatasync)\(.*", (self.home / "trace").read_text())
        self.assertEqual(calls, ["write", "fdatasync"] * 2)

    def test_each_sync_and_the_rename_at_the_creation_of_the_log(self):
        for call, number in (("fsync", 1), ("fsync", 2), ("renameat2", 1)):
            with self.subTest(call=call, number=number):
                result = self.run_with("-e", f"inject={call}:error=EIO:when={number}")
                self.assert_nothing_begun(result)
                self.assertIn("run.ndjson", result.err)
