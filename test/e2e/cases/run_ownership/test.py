"""What a run writes is its user's alone, whatever the umask, and what another user may have written is not trusted."""

import os
import stat

from harness import require
from harness.runs import RunsCase
from harness.stranger import NOBODY, give_to_nobody
from harness.workflow import pool, step

UMASKS = (0o000, 0o777)
MARK = step("Mark", "umask >&2; touch mark; echo '[]'")
OTHERS = "can be written to by other users"


class RunOwnership(RunsCase):
    def setUp(self):
        super().setUp()
        self.state = self.home / ".local" / "state"

    def state_files(self):
        return [path for path in [self.state, *self.state.rglob("*")] if not path.is_socket()]

    def run_once(self, *args, umask=-1, steps=(MARK,), **more):
        path = self.write_config(list(steps), **more)
        return self.start("barnum", "run", path, *args, umask=umask).result()

    def make_mark_anew(self):
        (self.work / "mark").unlink(missing_ok=True)

    def test_all_files_of_a_run_are_its_users_alone(self):
        agent = self.work / "agent.sh"
        agent.write_text("cat >/dev/null; echo '[]'")
        finally_ = {"finally": {"kind": "Command", "script": "cat >&2; echo '[]'"}, "post": {"kind": "Command", "script": "cat"}}
        for umask in UMASKS:
            with self.subTest(umask=f"{umask:03o}"):
                result = self.run_once("--agents", "1", "--agent-exec", f"sh {agent}", umask=umask,
                                       steps=[step("Ask", pool(), ["Mark"]) | finally_, MARK])
                self.assert_exit(result, 0)
                wrong = [f"{path}: {stat.S_IMODE(path.lstat().st_mode):o}" for path in self.state_files()
                         if stat.S_IMODE(path.lstat().st_mode) != (0o700 if path.is_dir() else 0o600)]
                self.assertEqual(wrong, [])
                self.assertEqual(self.only("-a")["state"], "finished")
                self.barnum("rm", "last")

    def test_a_command_has_the_users_umask(self):
        for umask in UMASKS:
            with self.subTest(umask=f"{umask:03o}"):
                self.make_mark_anew()
                result = self.run_once(umask=umask)
                self.assert_exit(result, 0)
                self.assertIn(f" {umask:04o}\n", result.err.replace("|", " "))
                mode = stat.S_IMODE((self.work / "mark").stat().st_mode)
                self.assertEqual(mode, 0o666 & ~umask)

    def assert_refused(self, place, why, *words):
        """The command does nothing, and says what is wrong with which directory, and what to do."""
        self.make_mark_anew()
        before = sorted(place.rglob("*"))
        result = self.run_program("barnum", *words, env={"BARNUM_RUNS": str(place)})
        self.assertNotEqual(result.code, 0, str(result))
        self.assertIn(f"{place} {why}", result.err)
        self.assertIn("BARNUM_RUNS", result.err)
        self.assertNotIn("--root", result.err)
        self.assertFalse((self.work / "mark").exists(), "nothing has been run")
        self.assertEqual(sorted(place.rglob("*")), before)

    def runs_of_others(self):
        """A directory with a run that has not ended, which is then changed."""
        place = self.work / "runs"
        path = self.write_config([step("Fail", "exit 3", options={"max_retries": 0})])
        self.assert_exit(self.start("barnum", "run", path, env={"BARNUM_RUNS": str(place)}).result(), 1)
        self.write_config([MARK])
        return place

    COMMANDS = (("run", "flow.json"), ("ps", "-a"), ("inspect", "last"), ("resume", "last"), ("retry", "last"), ("logs", "last"), ("todo",),
                ("rm", "last"), ("prune",), ("report", "last"))

    def test_a_directory_of_runs_to_which_others_may_write_is_refused(self):
        place = self.runs_of_others()
        for mode in (0o777, 0o1777, 0o702):
            place.chmod(mode)
            for words in self.COMMANDS:
                with self.subTest(mode=f"{mode:o}", words=words):
                    self.assert_refused(place, OTHERS, *words)

    def test_another_users_directory_of_runs_is_refused(self):
        require(os.geteuid() == 0, "only root can give a directory away")
        place = self.runs_of_others()
        give_to_nobody(place)
        for words in self.COMMANDS:
            with self.subTest(words=words):
                self.assert_refused(place, f"belongs to {NOBODY}", *words)

    def test_a_log_that_another_user_may_have_written_is_not_resumed(self):
        self.assert_exit(self.run_once("--state-log", "log.ndjson", steps=[step("Fail", "touch mark; exit 3", options={"max_retries": 0})]), 1)
        log = self.work / "log.ndjson"
        for spoil, why in ((lambda: log.chmod(0o666), OTHERS), (lambda: give_to_nobody(log), f"belongs to {NOBODY}")):
            require(os.geteuid() == 0, "only root can give a file away")
            spoil()
            for words in (("resume", "log.ndjson"), ("run", "--resume-from", "log.ndjson", "--state-log", "new.ndjson"), ("retry", "log.ndjson")):
                with self.subTest(words=words, why=why):
                    self.make_mark_anew()
                    result = self.run_program("barnum", *words)
                    self.assertNotEqual(result.code, 0, str(result))
                    self.assertIn(f"log.ndjson {why}", result.err)
                    self.assertIn("copy it to a file of your own", result.err)
                    self.assertFalse((self.work / "mark").exists(), "nothing has been run")
            log.chmod(0o600)

    def test_a_runs_directory_that_another_user_may_write_to_is_not_resumed(self):
        self.assert_exit(self.run_once(steps=[step("Fail", "touch mark; exit 3", options={"max_retries": 0})]), 1)
        copy = self.work / "copy"
        run = self.only("-a")["path"]
        os.rename(run, copy)
        copy.chmod(0o777)
        for words in (("resume", "copy"), ("inspect", "copy"), ("retry", "copy")):
            self.make_mark_anew()
            result = self.run_program("barnum", *words)
            self.assertNotEqual(result.code, 0, str(result))
            self.assertIn(f"copy {OTHERS}", result.err)
            self.assertIn("copy it to a directory of your own", result.err)
            self.assertFalse((self.work / "mark").exists(), "nothing has been run")

    def test_parks_that_others_may_write_are_not_called_none(self):
        parks = self.home / ".local/state/barnum/parks"
        parks.mkdir(mode=0o700, parents=True)
        for directory in (parks.parent.parent, parks.parent):
            directory.chmod(0o700)
        self.assertIn("no account is parked", self.run_program("troupe", "accounts").err)
        parks.chmod(0o777)
        for words in ((), ("resume",), ("--json",)):
            result = self.run_program("troupe", "accounts", *words)
            self.assert_exit(result, 1)
            self.assertIn(f"the parks of accounts cannot be read: {parks} {OTHERS}", result.err)
