"""Limits of the address space and of processes: what does not fit ends with a message and is resumable, or waits for its turn; nothing
crashes, and nothing is lost."""

import json
import os
import pwd

from harness import require, wait_until
from harness.runs import RunsCase
from harness.stranger import NOBODY
from harness.workflow import emit, pool, step

MB = 1 << 20
INTERNAL_ERROR, IO_ERROR, LOADER_ERROR = 70, 74, 127
TASKS = 20
ROOM = 1000  # processes
DONE = "echo done >> done; echo '[]'"  # without another process, as the next one
FIRST = f"echo '{json.dumps([{'kind': 'Do', 'value': n} for n in range(TASKS)])}'"


class AddressSpace(RunsCase):
    def limited(self, megabytes, *words):
        return self.start("sh", "-c", f'ulimit -v {megabytes * 1024} && exec "$@"', "sh", *words)

    def resume_all(self):
        # The guard of a run that ended without a word still ends its commands for a moment.
        wait_until(lambda: all(run["state"] != "running" for run in self.ps("-a")), "all runs to be over")
        for run in self.ps("-a"):
            if run["resumable"]:
                self.barnum("resume", run["id"])

    def test_a_run_ends_with_a_message_or_does_its_work(self):
        steps = [step("Split", emit(*(("Do", n) for n in range(TASKS))), ["Do"]), step("Do", DONE)]
        config = self.write_config(steps)
        codes = set()
        for megabytes in (*range(12, 64, 4), 128):
            with self.subTest(megabytes=megabytes):
                (self.work / "done").unlink(missing_ok=True)
                result = self.limited(megabytes, "barnum", "run", config).result()
                self.assertGreaterEqual(result.code, 0, str(result))
                self.assertNotEqual(result.err, "")
                codes.add(result.code)
                if result.code == INTERNAL_ERROR:
                    self.assertRegex(result.err, "internal error( in .*)?: the memory is used up")
                if result.code in (INTERNAL_ERROR, IO_ERROR):
                    self.resume_all()
                if result.code == INTERNAL_ERROR:  # what was being done then is done again
                    self.assertGreaterEqual(self.count("done"), TASKS if self.ps("-a") else 0)
                elif result.code == 0 or self.ps("-a"):
                    self.assertEqual(self.count("done"), TASKS)
        self.assertIn(0, codes)

    def test_a_run_that_cannot_start_a_command_with_its_memory_ends(self):
        config = self.write_config([step("Only", "echo '[]'")])

        def code(kilobytes):
            return self.start("sh", "-c", f'ulimit -v {kilobytes} && exec "$@"', "sh", "barnum", "run", config).result().code

        least = next(megabytes for megabytes in range(12, 128) if code(megabytes * 1024) == 0)
        codes = {code(kilobytes) for kilobytes in range((least - 2) * 1024, least * 1024, 64)}
        self.assertLessEqual(codes, {0, INTERNAL_ERROR, IO_ERROR, LOADER_ERROR})
        self.assertIn(INTERNAL_ERROR, codes)

    def test_a_large_answer_that_does_not_fit_ends_a_run_that_can_be_resumed(self):
        large = "head -c 60000000 /dev/zero | tr '\\0' x"
        steps = [step("Start", emit(("Do", 1), ("Large", 2)), ["Do", "Large"], options={"max_retries": 0}), step("Do", DONE),
                 step("Large", f"[ -e go ] && echo '[]' || {{ printf '[\"'; {large}; printf '\"]'; }}")]
        config = self.write_config(steps)
        result = self.limited(100, "barnum", "run", config).result()
        self.assertIn(result.code, (1, 70), str(result))
        if result.code == 70:
            self.assertRegex(result.err, "internal error( in .*)?: the memory is used up")
            (self.work / "go").touch()
            self.barnum("resume", "last")
        self.assertEqual(self.count("done"), 1)

    def test_a_daemon_and_its_agents(self):
        codes = set()
        for megabytes in range(8, 48, 4):
            with self.subTest(megabytes=megabytes):
                for words, works in ((("start", "--pool", f"p{megabytes}"), "is served"),
                                     (("agent", "--exec", "cat", "--pool", "none"), "no daemon serves")):
                    process = self.limited(megabytes, "troupe", *words)
                    wait_until(lambda: not process.running or works in process.err, words[0])
                    if not process.running:
                        self.assertGreater(process.result().code, 0)
                        self.assertNotEqual(process.err, "")
                    process.terminate()
                    codes.add(process.result().code)


class Processes(RunsCase):
    """Of another user: root has no such limit."""

    def setUp(self):
        super().setUp()
        require(os.geteuid() == 0, "only root can be another user")
        self.user = pwd.getpwnam(NOBODY)
        for path in (self.home, self.work):
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def as_user(self, *words):
        return self.start("setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups", *words)

    def limited(self, processes, *words):
        return self.as_user("prlimit", f"--nproc={processes}:{ROOM}", *words)

    def relieve(self, process):
        self.as_user("prlimit", "--pid", process.pid, f"--nproc={ROOM}:{ROOM}").result()  # it may have ended

    def check_run(self, limit, config, *options):
        """Of a run that has room after its first words: it does its work, or ends with the reason and is resumed."""
        run = self.limited(limit, "barnum", "run", config, *options)
        wait_until(lambda: not run.running or any(word in run.err for word in ("has to wait", "done")), "an end or a message")
        self.relieve(run)
        result = run.result()
        self.assertIn(result.code, (0, 1, 70, 74), str(result))
        if result.code != 0:
            self.assertIn("Resource temporarily unavailable", result.err)
            self.assert_exit(self.as_user("barnum", "resume", "last").result(), 0)
        self.assertEqual(self.count("done"), TASKS)
        (self.work / "done").unlink()

    def test_a_run(self):
        config = self.write_config([step("Split", FIRST, ["Do"]), step("Do", DONE)])
        for limit in (1, 2, 3, 4, 6):
            with self.subTest(limit=limit):
                self.check_run(limit, config, "--jobs", 8)

    def test_a_run_with_agents(self):
        config = self.write_config([step("Split", FIRST, ["Do"]), step("Do", pool())])
        for limit in (3, 4, 5, 8):
            with self.subTest(limit=limit):
                self.check_run(limit, config, "--agents", 6, "--agent-exec", DONE)

    def test_a_daemon(self):
        for limit in (1, 2):
            with self.subTest(limit=limit):
                daemon = self.limited(limit, "troupe", "--root", self.work / "root", "start")
                wait_until(lambda: not daemon.running or "is served" in daemon.err, "an end or a pool")
                if daemon.running:
                    daemon.terminate()
                    self.assert_exit(daemon.result(), 0)
                else:
                    self.assertIn("Resource temporarily unavailable", daemon.err)
