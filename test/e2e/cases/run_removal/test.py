"""`barnum rm` and `barnum prune`: what they remove, and that they leave living runs alone."""

import json
import os
import re
import signal

from harness import wait_until
from harness.environment import SOURCE_DIR, binary
from harness.process import marked_processes
from harness.runs import QUICK, RunsCase
from harness.workflow import step

DAY = 24 * 3600 * 1000
PRUNE_UNIT = SOURCE_DIR / "apps/barnum/systemd/user/barnum-prune.service.in"


class RemovalCase(RunsCase):
    def finished(self, *args):
        self.assert_run(self.run_workflow(QUICK, *args))
        return self.ps("-a")[-1]

    def ids(self):
        return [run["id"] for run in self.ps("-a")]

    def set_age(self, run, days):
        """As if it had run and ended so many days ago."""
        path = self.runs / run["id"] / "run.json"
        record = json.loads(path.read_text())
        for name in ("started", "ended"):
            record[name] -= days * DAY
        path.write_text(json.dumps(record))

    def interrupted(self):
        run = self.start_waiting()
        run.signal(signal.SIGTERM)
        run.result()
        (self.work / "started").unlink()
        return self.ps("-a")[-1]

    def finish(self, process):
        (self.work / "go").touch()
        self.assert_exit(process.result(), 0)


class InPlaceOfLogs(RemovalCase):
    def test_a_run_is_removed_whatever_is_in_the_place_of_its_log(self):
        for make in (lambda path: path.mkdir(), os.mkfifo, lambda path: path.symlink_to(self.work)):
            run = self.finished()
            log = self.runs / run["id"] / "state.ndjson"
            log.unlink()
            make(log)
            self.barnum("rm", run["id"])
            self.assertEqual(self.ids(), [])
            self.assertTrue(self.work.is_dir())


class AsJson(RemovalCase):
    def test_what_was_removed_is_told_with_its_size(self):
        runs = [self.finished("--name", name) for name in "abc"]
        would = self.barnum("prune", "--keep", "2", "--dry-run", "--json").json
        self.assertEqual([run["id"] for run in would["removed"]], [runs[0]["id"]])
        self.assertTrue(would["dry_run"])
        did = self.barnum("prune", "--keep", "2", "--json").json
        self.assertEqual(did, would | {"dry_run": False})
        self.assertGreater(did["bytes"], 0)
        self.assertEqual(did["bytes"], did["removed"][0]["bytes"])
        self.assertEqual(self.barnum("prune", "--keep", "1", "--quiet").out, "")
        self.assertEqual(self.ids(), [runs[2]["id"]])
        removed = self.barnum("rm", "c", "--json").json["removed"]
        self.assertEqual([(run["id"], run["name"]) for run in removed], [(runs[2]["id"], "c")])

    def test_a_run_that_is_left_is_told_beside_those_that_are_removed(self):
        done = self.finished()
        run = self.start_waiting()
        living = self.ps()[-1]["id"]
        result = self.run_program("barnum", "rm", living, done["id"], "--json")
        self.assert_exit(result, 1)
        self.assertEqual([entry["id"] for entry in result.json["removed"]], [done["id"]])
        error = json.loads(result.err)["error"]
        self.assertEqual(error["exit_code"], 1)
        self.assertIn(f"run {living} is not removed: process {run.pid} is that run", error["message"])
        self.finish(run)


class Rm(RemovalCase):
    def test_runs_are_removed_with_all_that_is_in_their_directories(self):
        first, second, third = self.finished("--name", "a"), self.finished("--name", "b"), self.finished()
        (self.runs / second["id"] / "more/below").mkdir(parents=True)
        (self.runs / second["id"] / "more/below/file").write_bytes(b"x" * 1_000_000)
        outside = self.work / "outside"
        outside.mkdir()
        (outside / "file").write_text("kept")
        (self.runs / second["id"] / "link").symlink_to(outside)
        lines = self.barnum("rm", "b", first["id"], "a").out.splitlines()
        self.assertRegex(lines[0], rf"^removed {second['id']} \(b\), 1\.0 MB$")
        self.assertRegex(lines[1], rf"^removed {first['id']} \(a\), [0-9.]+ kB$")
        self.assertEqual(len(lines), 2, "each run once")
        self.assertEqual([path.name for path in self.runs.iterdir()], [third["id"]])
        self.assertEqual((outside / "file").read_text(), "kept")

    def test_nothing_is_removed_if_a_run_is_unknown(self):
        self.finished()
        self.assertIn("neither a run nor a file nothing", self.barnum("rm", "last", "nothing", code=2).err)
        self.assertEqual(len(self.ids()), 1)

    def test_a_log_in_another_place_is_left_and_told(self):
        run = self.finished("--state-log", "run.ndjson")
        self.assertIn(f"\n  its state log is left: {self.work}/run.ndjson\n", self.barnum("rm", run["id"]).out)
        self.assertEqual(self.ids(), [])
        self.barnum("inspect", "run.ndjson")

    def test_a_running_run_is_left(self):
        done = self.finished()
        living = self.start_waiting()
        result = self.barnum("rm", "last", done["id"], code=1)
        self.assertIn(f"is not removed: process {living.pid} is that run", result.err)
        self.assertEqual(self.ids(), [self.only()["id"]], "the other one is removed")
        self.finish(living)

    def test_a_running_run_whose_log_was_moved_is_left(self):
        living = self.start_waiting("--state-log", "run.ndjson")
        (self.work / "run.ndjson").rename(self.work / "moved.ndjson")
        self.assertIn(f"process {living.pid} is that run", self.barnum("rm", "last", code=1).err)
        (self.work / "moved.ndjson").rename(self.work / "run.ndjson")
        self.finish(living)

    def test_a_killed_run_is_left_until_its_guard_has_ended_its_commands(self):
        run = self.start_waiting()
        (guard,) = [pid for pid, line in marked_processes(self.mark).items() if b"barnum-guard" in self.name_of(pid)]
        os.kill(guard, signal.SIGSTOP)
        run.signal(signal.SIGKILL)
        run.result()
        self.assertIn("the commands that it has left are still being ended", self.barnum("rm", "last", code=1).err)
        self.assertEqual(self.barnum("prune", "--older-than", "0s").out, "removed 0 runs, 0 bytes\n")
        os.kill(guard, signal.SIGCONT)
        wait_until(lambda: self.only()["state"] == "lost", "the guard to let go of the state log")
        self.barnum("rm", "last")

    @staticmethod
    def name_of(pid):
        try:
            with open(f"/proc/{pid}/comm", "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""  # it has ended

    def test_a_run_that_is_being_resumed_is_left(self):
        run = self.interrupted()
        resumed = self.start("barnum", "resume", run["id"])
        wait_until((self.work / "started").exists, "the task to start")
        self.assertIn(f"process {resumed.pid} is that run, one that resumes it", self.barnum("rm", run["id"], code=1).err)
        result = self.barnum("prune", "--older-than", "0s")
        self.assertEqual(result.out, "removed 0 runs, 0 bytes\n")
        self.finish(resumed)
        self.assertRegex(self.barnum("prune", "--older-than", "0s").out, r"\nremoved 2 runs, ")

    def test_what_a_removed_run_had_continued_can_be_resumed_again_and_that_is_told(self):
        first = self.interrupted()
        (self.work / "go").touch()
        self.barnum("resume", first["id"])
        self.assertEqual([run["state"] for run in self.ps("-a")], ["resumed", "finished"])
        second = self.ps("-a")[-1]["id"]
        told = self.barnum("rm", second).out.splitlines()
        self.assertEqual(told[1:], [f"run {first['id']}, which it had continued, can be resumed again, and would do again what was "
                                    f"done since; remove it with: barnum rm {first['id']}"])
        self.barnum("resume", first["id"])
        second = self.ps("-a")[-1]["id"]
        self.assertEqual(len(self.barnum("rm", second, first["id"]).out.splitlines()), 2)
        self.assertEqual(self.ids(), [])

    def test_a_run_between_two_others_stays_or_goes_with_the_first(self):
        first = self.interrupted()["id"]
        second = self.barnum("resume", first, "-d").out.strip()
        self.barnum("cancel", second)
        (self.work / "go").touch()
        self.barnum("resume", second)
        third = self.ps("-a")[-1]["id"]
        told = self.barnum("rm", second, code=2).err
        self.assertIn(f"the run {second} continues {first}, and {third} continues it: remove the first one as well", told)
        self.assertEqual([run["state"] for run in self.ps("-a")], ["resumed", "resumed", "finished"])
        self.barnum("rm", first, second)
        self.assertEqual(self.ids(), [third])
        self.barnum("rm", third)
        self.assertEqual(self.ids(), [])

    def test_a_run_that_was_removed_in_part_can_be_removed(self):
        run = self.finished()
        (self.runs / run["id"] / "state.ndjson").unlink()
        self.barnum("rm", run["id"])
        self.assertEqual(self.ids(), [])

    def test_what_cannot_be_removed_is_told(self):
        run = self.finished()
        self.runs.rename(self.home / "elsewhere")
        self.runs.mkdir()
        (self.runs / run["id"]).symlink_to(self.home / "elsewhere" / run["id"])
        self.assertIn("is not removed: cannot remove ", self.barnum("rm", run["id"], code=74).err)
        self.assertEqual(sorted(os.listdir(self.home / "elsewhere" / run["id"])), ["output", "run.json", "state.ndjson"])


class Prune(RemovalCase):
    def test_directories_of_runs_that_were_killed_at_their_start_are_removed_after_a_day(self):
        run = self.finished()
        names = [f"{number:08x}{run['id'][8:]}" for number in range(4)]
        for name in names:
            (self.runs / name).mkdir()
        (self.runs / names[0] / ".state.ndjson.1-x.tmp").write_text("half")
        (self.runs / names[1] / "state.ndjson").write_text("its log is complete")
        for name in names[:3]:
            os.utime(self.runs / name, (0, 0))
        self.assertIn("would remove the directories of 2 runs that were killed at the start\n", self.barnum("prune", "--dry-run").out)
        self.assertIn("removed the directories of 2 runs that were killed at the start\n", self.barnum("prune").out)
        self.assertCountEqual([path.name for path in self.runs.iterdir()], [run["id"], names[1], names[3]])

    def test_old_runs_go_unless_they_can_be_resumed(self):
        old, left, new = self.finished(), self.interrupted(), self.finished()
        for run in (old, left):
            self.set_age(run, 31)
        shown = self.barnum("prune", "--dry-run").out
        self.assertRegex(shown, rf"^would remove {old['id']}, [0-9.]+ kB\nwould remove 1 run, [0-9.]+ kB\n$")
        self.assertEqual(self.ids(), [old["id"], left["id"], new["id"]])
        self.assertEqual(self.barnum("prune").out, shown.replace("would remove", "removed"))
        self.assertEqual(self.ids(), [left["id"], new["id"]])
        self.assertIn(f"removed {left['id']}", self.barnum("prune", "--older-than", "30d").out)
        self.assertEqual(self.ids(), [new["id"]])

    def test_the_newest_are_kept(self):
        runs = [self.finished() for _ in range(3)]
        self.assertRegex(self.barnum("prune", "--keep", "2").out, r"\nremoved 1 run, ")
        self.assertEqual(self.ids(), [run["id"] for run in runs[1:]])

    def test_the_oldest_go_until_the_runs_take_no_more_than_a_size(self):
        runs = [self.finished() for _ in range(4)]
        for number, run in enumerate(runs):
            (self.runs / run["id"] / "more").write_bytes(b"x" * 10_000_000)
        kept = self.interrupted()
        sizes = {run["id"]: run["bytes"] for run in self.barnum("ps", "-a", "--size", "--json").json}
        self.assertEqual(len(sizes), 5)
        self.assertTrue(all(sizes[run["id"]] > 10_000_000 for run in runs), sizes)
        self.assertIn("10.0 MB", self.barnum("ps", "-a", "--size").out)
        self.barnum("prune", "--max-size", "25M")
        self.assertEqual(self.ids(), [runs[2]["id"], runs[3]["id"], kept["id"]])
        self.barnum("prune", "--max-size", "25M", "--keep", "1")
        self.assertEqual(self.ids(), [runs[2]["id"], runs[3]["id"], kept["id"]])
        self.barnum("prune", "--max-size", "0", "--keep", "1")
        self.assertEqual(self.ids(), [runs[3]["id"], kept["id"]])

    def test_the_unit_of_the_timer_removes_what_its_options_say(self):
        runs = [self.finished() for _ in range(3)]
        command, = re.findall(r"(?m)^ExecStart=(.*)$", PRUNE_UNIT.read_text())
        words = command.replace("@BARNUM@", binary("barnum")).replace("$PRUNE_OPTIONS", "--keep 1").split()
        result = self.run_program(words[0], *words[1:])
        self.assert_exit(result, 0)
        self.assertEqual((result.out, result.err), ("", ""))
        self.assertEqual(self.ids(), [runs[2]["id"]])

    def test_a_run_that_was_killed_just_now_is_not_old(self):
        run = self.start_waiting()
        self.kill(run)
        path = self.runs / self.only()["id"] / "run.json"
        record = json.loads(path.read_text())
        record["started"] -= 31 * DAY
        path.write_text(json.dumps(record))
        os.utime(path, (0, 0))  # its state log is new
        self.assertEqual(self.barnum("prune", "--older-than", "30d").out, "removed 0 runs, 0 bytes\n")

    def test_several_at_the_same_time_remove_each_run_once_and_no_living_one(self):
        for _ in range(12):
            self.finished()
        living = self.start_waiting()
        prunes = [self.start("barnum", "prune", "--older-than", "0s") for _ in range(4)]
        removed = []
        for prune in prunes:
            result = prune.result()
            self.assert_exit(result, 0)
            removed += re.findall(r"^removed (\S+-\S+),", result.out, re.M)
        self.assertEqual((len(removed), len(set(removed))), (12, 12))
        self.assertEqual(self.ids(), [self.only()["id"]])
        self.finish(living)

    def test_a_run_is_either_resumed_or_removed(self):
        (self.work / "go").touch()
        for _ in range(5):
            self.assert_run(self.run_workflow([step("Stop", "[ -e again ] || { touch again; kill -TERM $PPID; sleep 60; }; echo '[]'")]), 143)
            run = self.ps("-a")[-1]
            resumed, pruned = self.start("barnum", "resume", run["id"]), self.start("barnum", "prune", "--older-than", "0s")
            self.assert_exit(pruned.result(), 0)
            result = resumed.result()
            code, states = result.code, [each["state"] for each in self.ps("-a")]
            if code == 0:
                self.assertIn("run finished: 1 task in ", result.err)
                self.assertIn(states[-1:], (["finished"], []), "it may have ended before the prune")
            else:
                self.assertEqual((code, states), (2, []))
            self.barnum("prune", "--older-than", "0s")
            (self.work / "again").unlink(missing_ok=True)
