"""Runs whose logs are named by relative paths and links, and runs that were moved, copied and restored elsewhere."""

import json
import shutil

from harness.runs import QUICK, RunsCase
from harness.workflow import KEEP, step


class MovedCase(RunsCase):
    def killed(self, *args):
        """The record of a run that was killed at its first of two tasks. A run that continues it ends at once."""
        for name in ("started", "go"):
            (self.work / name).unlink(missing_ok=True)
        self.kill(self.start_waiting(*args))
        (self.work / "go").touch()
        return self.only()

    def states(self):
        return [run["state"] for run in self.ps("-a")]

    def record_of(self, directory):
        return json.loads((directory / "run.json").read_text())


class Spellings(MovedCase):
    def test_a_run_that_is_resumed_from_its_log_by_any_path_is_resumed(self):
        (self.work / "sub").mkdir()
        (self.work / "link.ndjson").symlink_to("l3.ndjson")
        spellings = (("l1.ndjson", "l1.ndjson"), ("sub/../l2.ndjson", "./l2.ndjson"), ("./l3.ndjson", "link.ndjson"))
        for place, spelling in spellings:
            lost = self.killed("--state-log", place)
            self.barnum("run", "--resume-from", spelling)
            last = self.ps("-a")[-1]
            self.assertEqual((last["state"], last["resumes"]), ("finished", lost["id"]), spelling)
            self.assertEqual(self.ps(), [], "nothing is lost any more")
            self.assertIn("has been resumed already", self.barnum("resume", lost["id"], code=2).err)

    def test_a_run_whose_log_was_moved_is_resumed_from_there_and_one_whose_log_was_copied_is_not(self):
        for move, state in ((shutil.move, "resumed"), (shutil.copy, "lost")):
            lost = self.killed("--state-log", "here.ndjson")
            move(self.work / "here.ndjson", self.work / "there.ndjson")
            self.barnum("run", "--resume-from", "there.ndjson", "--state-log", "next.ndjson")
            first, second = self.ps("-a")
            self.assertEqual((first["state"], second["resumes"]), (state, lost["id"] if state == "resumed" else ""))
            for run in (second, first):
                self.barnum("rm", run["id"])
            for name in ("here", "there", "next"):
                (self.work / f"{name}.ndjson").unlink(missing_ok=True)

    def test_a_home_behind_a_link_changes_nothing(self):
        (self.work / "home").symlink_to(self.home)
        self.env["HOME"] = str(self.work / "home")
        lost = self.killed()
        self.barnum("run", "--resume-from", f"{self.home}/.local/state/barnum/runs/{lost['id']}/state.ndjson")
        self.assertEqual(self.states(), ["resumed", "finished"])

    def test_dropped_tasks_are_retried_from_a_relative_log(self):
        self.assert_run(self.run_workflow([step("Bad", "[ -e mended ] && echo '[]'")], "--state-log", "l1.ndjson"), 1)
        (self.work / "mended").touch()
        self.barnum("retry", "l1.ndjson")
        first, second = self.ps("-a")
        self.assertEqual((second["state"], second["retries"]), ("finished", first["id"]))


class Moved(MovedCase):
    def test_the_record_names_what_is_in_its_directory_relative_to_it(self):
        self.assert_run(self.run_workflow(QUICK))
        run = self.only("-a")
        self.assertEqual(self.record_of(self.runs / run["id"])["state_log"], "state.ndjson")
        self.assertEqual(run["state_log"], f"{run['path']}/state.ndjson")

    def test_a_run_that_was_moved_is_resumed_from_where_it_is(self):
        lost = self.killed("--name", "night")
        moved = self.work / "moved"
        shutil.move(lost["path"], moved)
        self.barnum("resume", moved)
        run = self.only("-a")
        self.assertEqual((run["state"], run["resumes"], run["name"]), ("finished", lost["id"], "night"))

    def test_a_copy_is_read_and_not_the_original(self):
        self.assert_run(self.run_workflow(QUICK))
        run = self.only("-a")
        copy = self.work / "copy"
        shutil.copytree(run["path"], copy)
        (self.runs / run["id"] / "state.ndjson").write_text("the original is not read")
        self.assertIn(f"run {run['id']}\n", self.barnum("inspect", copy).out)
        self.assertIn("is not a state log", self.barnum("inspect", run["id"], code=74).err)

    def test_a_copy_with_the_record_of_an_earlier_version_is_read(self):
        lost = self.killed()
        moved = self.work / "moved"
        shutil.move(lost["path"], moved)
        record = self.record_of(moved) | {"state_log": lost["state_log"]}
        (moved / "run.json").write_text(json.dumps(record))
        self.assertIn(f"run {lost['id']}\n", self.barnum("inspect", moved).out)
        self.barnum("resume", moved)
        self.assertEqual(self.states(), ["finished"])

    def test_all_runs_are_found_in_another_place(self):
        lost = self.killed("--name", "night")
        self.runs.rename(self.home / "restored")
        self.env["BARNUM_RUNS"] = str(self.home / "restored")
        self.assertEqual(self.only()["state_log"], f"{self.home}/restored/{lost['id']}/state.ndjson")
        self.barnum("resume", "night")
        self.assertEqual(self.states(), ["resumed", "finished"])

    def test_an_answer_that_was_given_to_a_moved_run_counts(self):
        human = {"kind": "Human", "instructions": "Is it good?"}
        self.assert_run(self.run_workflow([step("Ask", human, ["Keep"]), step("Keep", KEEP)], "--exit-when-waiting"), 75)
        moved = self.work / "moved"
        shutil.move(self.only()["path"], moved)
        self.barnum("answer", moved, "0", "--next", "Keep", "--value", "7")
        self.barnum("resume", moved)
        self.assert_seen(("Keep", 7))
