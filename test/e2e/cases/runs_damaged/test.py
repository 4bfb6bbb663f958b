"""Runs whose record is cut, is missing or could not be written, and those of versions that had only state logs."""

import json
import os
import re
import shutil
import signal
from shutil import which

from harness import require, small_disk, wait_until
from harness.environment import binary, traceable
from harness.runs import QUICK, RunsCase
from harness.serve import Page
from harness.workflow import step

# Its run cannot write its record anew from then on.
BLOCKS = 'mkdir "$RUNS/$BARNUM_RUN_ID/.run.json"; echo \'[]\''


class DamagedCase(RunsCase):
    def damage(self, run, text=""):
        (self.runs / run["id"] / "run.json").write_text(text)
        return run

    def killed(self):
        """A run that was killed at the first of its tasks; a run that continues it ends at once."""
        self.kill(self.start_waiting())
        (self.work / "go").touch()
        return self.only()

    def finished(self):
        self.assert_run(self.run_workflow(QUICK))
        return self.ps("-a")[-1]


class Damaged(DamagedCase):
    def test_a_run_with_a_cut_record_is_listed_with_what_its_log_tells(self):
        for text in ("", '{"id":"torn","star', "[]", None):
            run = self.killed()
            self.damage(run, text or "")
            if text is None:
                (self.runs / run["id"] / "run.json").unlink()
            shown = self.only()
            self.assertEqual((shown["state"], shown["id"], shown["resumable"]), ("damaged", run["id"], True), text)
            self.assertEqual((shown["tasks"], shown["state_log"]), (run["tasks"], run["state_log"]))
            self.assertLess(abs(shown["started"] - run["started"]), 60_000)
            self.assertIn(f"the record of {run['id']}, run.json, cannot be read", self.barnum("ps").out)
            self.barnum("rm", run["id"])
            (self.work / "go").unlink()
            (self.work / "started").unlink()
        self.assertEqual(self.ps("-a"), [])

    def test_the_page_lists_it_as_ps_does(self):
        cut, without = self.damage(self.finished(), '{"id":"torn","star'), self.finished()
        (self.runs / without["id"] / "run.json").unlink()
        page = Page(self)

        def listed():
            return [run | {"resumed_by": None} for run in self.ps("-a")], page.json("/api/runs")["runs"]
        expected, shown = listed()
        self.assertEqual([run["state"] for run in shown], ["damaged", "damaged"])
        self.assertEqual(shown, expected)
        whole = self.finished()
        (self.runs / whole["id"] / "run.json").unlink()  # while the page is served
        expected, shown = listed()
        self.assertEqual(len(shown), 3)
        self.assertEqual(shown, expected)
        shutil.rmtree(self.runs / without["id"])
        self.assertEqual([run["id"] for run in listed()[1]], [cut["id"], whole["id"]])

    def test_it_is_inspected_and_resumed_by_its_id(self):
        run = self.damage(self.killed())
        self.assertIn("1 task to do", self.barnum("inspect", run["id"][:6]).out)
        resumed = self.barnum("resume", "last")
        self.assertEqual(resumed.err.count("the options of the run are not known"), 1)
        self.assertEqual([one["state"] for one in self.ps("-a")], ["resumed", "finished"])

    def test_a_run_of_whose_directory_nothing_is_known_is_refused_for_its_log(self):
        run = self.damage(self.killed())
        log = self.runs / run["id"] / "state.ndjson"
        log.write_bytes(b"x" + log.read_bytes())
        refused = self.barnum("resume", run["id"], code=74).err
        self.assertIn(f"{log} is not a state log", refused)
        self.assertNotIn("the directory in which the run was started", refused)

    def test_a_running_run_is_running_whatever_its_record(self):
        run = self.start_waiting()
        id_ = self.only()["id"]
        self.damage(self.only())
        self.assertIn(self.only()["state"], ("running",))
        self.assertIn("is that run", self.barnum("rm", id_, code=1).err)
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertEqual(self.only("-a")["state"], "finished", "its end is recorded")

    def test_resume_mends_the_record_of_a_run_that_has_finished(self):
        run = self.damage(self.finished())
        self.assertEqual((self.only()["state"], self.only()["resumable"]), ("damaged", False))
        self.assertIn("nothing to do", self.barnum("resume", run["id"]).err)
        self.assertEqual((self.only("-a")["state"], self.only("-a")["result"]), ("finished", "finished"))

    def test_a_record_without_a_log_is_damaged_too(self):
        run = self.damage(self.finished())
        (self.runs / run["id"] / "state.ndjson").unlink()
        self.assertEqual(self.only()["state"], "damaged")
        self.assertIn(f"{run['id']} has no process and no state log any more, so that nothing of it can be resumed; remove it "
                      f"with:\n  barnum rm {run['id']}\n", self.barnum("ps").out)
        self.barnum("rm", run["id"])
        self.assertEqual(self.ps("-a"), [])

    def test_a_run_whose_directory_may_not_be_entered_is_listed(self):
        require(os.geteuid() == 0 and which("setpriv"), "only root can give up the right to enter any directory")
        run = self.finished()
        directory = self.runs / run["id"]
        directory.chmod(0)
        self.addCleanup(directory.chmod, 0o700)
        command = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", binary("barnum"))
        listed = self.start(*command, "ps", "-a", "--json").result()
        self.assert_exit(listed, 0)
        self.assertEqual([(found["id"], found["state"]) for found in json.loads(listed.out)], [(run["id"], "damaged")])
        shown = self.start(*command, "ps", "-a").result().out
        self.assertIn(f"{run['id']} cannot be read: {directory}/state.ndjson: Permission denied; check the owner and the mode", shown)
        self.assertNotIn("barnum rm", shown)
        refused = self.start(*command, "inspect", run["id"]).result()
        self.assertIn("Permission denied", refused.err)
        self.assertIn(str(directory), refused.err)

    def test_the_directory_of_a_run_whose_record_is_cut_is_still_one(self):
        run = self.damage(self.killed())
        moved = self.work / "moved"
        shutil.move(self.runs / run["id"], moved)
        self.assertIn("1 task to do", self.barnum("inspect", moved).out)
        self.barnum("resume", moved)
        self.assertEqual(self.count("seen"), 0)

    def test_prune_removes_what_cannot_be_resumed_and_with_an_age_all(self):
        left, done = self.damage(self.killed()), self.damage(self.finished())
        for run in (left, done):
            for name in ("run.json", "state.ndjson"):
                os.utime(self.runs / run["id"] / name, (0, 0))
        # The log's first line is younger than the files: it is the start.
        self.barnum("prune")
        self.assertEqual(len(self.ps("-a")), 2)
        self.barnum("prune", "--keep", "0")
        self.assertEqual([one["id"] for one in self.ps("-a")], [left["id"]])
        self.barnum("prune", "--older-than", "0s")
        self.assertEqual(self.ps("-a"), [])

    def test_wait_does_not_wait_for_it(self):
        run = self.damage(self.killed())
        self.assertEqual(self.barnum("wait", run["id"], code=137).out, f"{run['id']} damaged\n")


class KilledAtItsBeginning(DamagedCase):
    # The system calls with which files come about, in their order, and whether the run has begun before.
    CALLS = (("fdatasync", 1, False), ("fsync", 1, False), ("renameat2", 1, False),
             ("fsync", 2, True), ("rename", 1, True), ("fsync", 3, True))

    def resume_killed(self, call, number):
        kills = ("-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
        result = self.run_program("strace", "-qq", "-o", self.home / "trace", *kills, binary("barnum"), "resume", "last", env=traceable())
        self.assert_exit(result, -signal.SIGKILL)
        wait_until(lambda: all(run["state"] != "running" for run in self.ps("-a")), "the guard to let go of the log")

    def test_in_whichever_call_that_is_one_run_is_left_to_resume(self):
        require(which("strace"), "strace is not installed")
        self.kill(self.start_waiting())
        (self.work / "go").touch()
        for call, number, has_begun in self.CALLS:
            with self.subTest(call=call, number=number):
                before = self.ps("-a")
                self.resume_killed(call, number)
                runs = self.ps("-a")
                self.assertEqual(len(runs) - len(before), has_begun)
                self.assertEqual([run["state"] for run in runs], ["resumed"] * (len(runs) - 1) + ["lost"])
                self.assertEqual([run["resumes"] for run in runs], ["", *(run["id"] for run in runs[:-1])])
        self.barnum("resume", "last")
        last = self.ps("-a")[-1]
        self.assertEqual((last["state"], last["tasks"]["done"]), ("finished", 1))
        self.assertIn("removed the directories of 3 runs that were killed at the start", self.prune_a_day_later())
        self.assertEqual(len(self.ps("-a")), len(runs) + 1)

    def test_a_run_with_a_log_elsewhere_that_had_begun_is_not_pruned(self):
        require(which("strace"), "strace is not installed")
        self.kill(self.start_waiting("--state-log", self.work / "first.ndjson"))
        self.resume_killed("rename", 1)
        self.prune_a_day_later()
        self.assertEqual([run["state"] for run in self.ps("-a")], ["resumed", "lost"])

    def prune_a_day_later(self):
        for directory in self.runs.iterdir():
            os.utime(directory, (0, 0))
        return self.barnum("prune").out


class Unwritten(DamagedCase):
    def test_an_end_that_cannot_be_written_anew_is_written_in_place(self):
        result = self.run_workflow([step("Blocks", BLOCKS)], env={"RUNS": str(self.runs)})
        self.assert_run(result)
        run = self.only("-a")
        self.assertEqual((run["state"], run["result"], run["tasks"]["done"]), ("finished", "finished", 1))

    def test_a_full_disk_does_not_keep_an_end_from_the_record(self):
        disk = small_disk.mount(self)
        self.env["BARNUM_RUNS"] = str(disk / "runs")
        fills = f"cat /dev/zero >{disk}/all 2>/dev/null; echo '[]'"
        result = self.run_workflow([step("Fill", fills)], "--state-log", self.work / "run.ndjson", "--keep-output", "none")
        self.assert_run(result)
        self.assertEqual(self.only("-a")["state"], "finished")

    def test_nor_does_it_if_the_record_has_just_filled_its_blocks(self):
        disk = small_disk.mount(self)
        self.env["BARNUM_RUNS"] = str(disk / "runs")
        fills = f"cat /dev/zero >{disk}/all 2>/dev/null; echo '[]'"
        for size in range(3500, 3820, 40):
            result = self.run_workflow([step("Fill", fills)], "--state-log", self.work / f"{size}.ndjson", "--keep-output", "none",
                                       "-p", f"x={'y' * size}")
            self.assert_run(result)
            self.assertEqual(self.only("-a")["state"], "finished", size)
            (disk / "all").unlink()
            self.barnum("rm", "last")

    def test_a_run_whose_end_is_not_recorded_is_not_called_killed(self):
        run = self.killed()
        shown = self.barnum("ps").out
        self.assertIn(f"{run['id']} has no process any more, and no end was recorded; resume it with:\n", shown)
        self.assertNotIn("killed", shown)


class Durable(DamagedCase):
    def calls(self, *args):
        """The calls that make files durable or rename them, with the name of the file, in the order of their ends."""
        require(which("strace"), "strace is not installed")
        trace = self.work / "trace"
        traced = ["strace", "-f", "-qq", "-y", "-e", "trace=fsync,fdatasync,rename", "-o", trace]
        self.assert_exit(self.run_program(*traced, binary("barnum"), "run", self.write_config(QUICK), *args, env=traceable()), 0)
        calls = re.findall(r"(\w+)\((?:\d+<|\")([^>\"]+)", trace.read_text())
        names = {str(self.runs / self.only("-a")["id"]): "the directory"}
        return [(call, names.get(path, path.rpartition("/")[2])) for call, path in calls]

    def test_the_record_is_synced_before_it_gets_its_name_and_its_directory_after_that(self):
        calls = self.calls()
        durable = [("fdatasync", ".run.json"), ("rename", ".run.json"), ("fsync", "the directory")]
        self.assertEqual(calls[0], durable[0])
        named = calls.index(durable[1])
        self.assertEqual(calls[named:named + 2], durable[1:])
        self.assertIn(("fsync", "the directory"), calls[:named], "the log is there before the record has its name")
        self.assertEqual(calls[-3:], durable, "so is the end")
        self.assertGreater(len(calls), named + 5)

    def test_with_fsync_never_it_is_not_synced(self):
        self.assertEqual({call for call, name in self.calls("--fsync", "never") if name == ".run.json"}, {"rename"})


class Earlier(DamagedCase):
    """State logs in the place where they were when runs had no directories."""

    def keep_log_alone(self, run):
        path = self.runs.parent / f"{run['id']}.ndjson"
        (self.runs / run["id"] / "state.ndjson").rename(path)
        shutil.rmtree(self.runs / run["id"])
        return path

    def test_they_are_listed_and_named_by_their_ids(self):
        finished, lost = self.finished(), self.killed()
        log = self.keep_log_alone(lost)
        self.keep_log_alone(finished)
        states = {run["id"]: (run["state"], run["tasks"]["done"]) for run in self.ps("-a")}
        self.assertEqual(states, {finished["id"]: ("finished", 1), lost["id"]: ("lost", 0)})
        self.assertEqual(self.ps(), [], "only with -a")
        self.assertIn("1 task to do", self.barnum("inspect", lost["id"][:8]).out)
        self.barnum("resume", lost["id"])
        resumed = self.ps("-a")[-1]
        self.assertEqual((resumed["state"], resumed["resumes"]), ("finished", lost["id"]))
        self.assertIn("lost" if not log.exists() else "resumed", [run["state"] for run in self.ps("-a")])

    def test_they_are_removed_by_their_ids(self):
        log = self.keep_log_alone(self.finished())
        self.barnum("prune", "--older-than", "0s")
        self.assertTrue(log.exists(), "prune leaves them")
        self.assertIn(f"removed {log.stem}, ", self.barnum("rm", log.stem).out)
        self.assertFalse(log.exists())

    def test_what_a_log_could_not_take_is_not_counted(self):
        many = "jq -nc '[range(9) | { kind: \"Next\", value: (\"x\" * 200) }]'"
        config = self.write_config([step("Many", many, next=["Next"]), step("Next", "echo '[]'")])
        run = self.run_program("sh", "-c", 'ulimit -f 2; exec barnum run --config "$0"', str(config))
        self.assert_exit(run, 74)
        tasks = self.ps("-a")[-1]["tasks"]
        self.assertEqual((tasks["done"], tasks["left"]), (0, 1))

    def test_other_files_there_are_no_runs(self):
        self.finished()
        for name in ("notes.ndjson", "0" * 36 + ".ndjson", "d844f8e4-5b82-4e8d-8d35-840154efe4b3.ndjson"):
            (self.runs.parent / name).write_text("no log\n")
        self.assertEqual(len(self.ps("-a")), 1)
