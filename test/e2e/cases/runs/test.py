"""The directories of runs, `barnum ps`, and the ways to name a run."""

import json
import os
import re
import shutil
import signal
import stat

from harness import wait_until
from harness.runs import QUICK, WAITS, RunsCase
from harness.workflow import emit, pool, step


class Records(RunsCase):
    def test_a_run_leaves_its_record(self):
        self.assert_run(self.run_workflow([step("Split", emit(("Quick", 1), ("Quick", 2)), ["Quick"]), *QUICK], "--name", "nightly"))
        run = self.only("-a")
        self.assertEqual((run["state"], run["name"], run["exit_code"], run["result"]), ("finished", "nightly", 0, "finished"))
        self.assertEqual(run["tasks"], {"done": 3, "left": 0, "dropped": 0})
        self.assertEqual((run["config"], run["directory"]), (str(self.work / "flow.json"), str(self.work)))
        self.assertEqual(run["state_log"], f"{run['path']}/state.ndjson")
        self.assertEqual(stat.S_IMODE(os.stat(run["path"]).st_mode), 0o700)
        self.assertEqual(sorted(os.listdir(run["path"])), ["output", "run.json", "state.ndjson"])
        self.assertEqual(self.ps(), [])

    def test_a_run_with_dropped_tasks_has_failed(self):
        self.assert_run(self.run_workflow([step("Bad", "exit 3", options={"max_retries": 0})]), 1)
        run = self.only("-a")
        self.assertEqual((run["state"], run["resumable"], run["tasks"]["dropped"]), ("failed", False, 1))

    def test_a_signal_interrupts_a_run(self):
        run = self.start_waiting()
        living = self.only()
        self.assertEqual((living["state"], living["pid"]), ("running", run.pid))
        run.signal(signal.SIGTERM)
        self.assert_run(run.result(), 143)
        ended = self.only("-a")
        self.assertEqual((ended["state"], ended["exit_code"], ended["resumable"]), ("interrupted", 143, True))

    def test_the_list_says_how_many_agents_have_a_task(self):
        (self.work / "agent.sh").write_text(WAITS)
        run = self.start_run([step("Ask", pool())], "--agents", "2", "--agent-exec", "sh agent.sh")
        wait_until(lambda: [run.get("busy_agents") for run in self.ps()] == [1], "an agent to have the task")
        heading, row = self.barnum("ps").out.splitlines()
        column = heading.index("busy")
        self.assertEqual(row[column:column + 4].strip(), "1")
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertNotIn("busy_agents", self.only("-a"))

    def test_a_log_in_another_place_is_known(self):
        self.assert_run(self.run_workflow(QUICK, "--state-log", "run.ndjson"))
        run = self.only("-a")
        self.assertEqual(run["state_log"], str(self.work / "run.ndjson"))
        self.assertIn(run["id"], self.barnum("inspect", "last").out)

    def test_barnum_runs_is_the_place_of_the_directories(self):
        self.env["BARNUM_RUNS"] = str(self.work / "mine")
        self.assert_run(self.run_workflow(QUICK))
        self.assertEqual(self.only("-a")["path"], str(next((self.work / "mine").iterdir())))

    def test_without_a_place_for_its_directory_a_run_needs_one_for_its_log(self):
        (self.work / "file").write_text("")
        self.env["BARNUM_RUNS"] = str(self.work / "file")
        result = self.run_workflow(QUICK)
        self.assert_run(result, 74)
        self.assertIn("--state-log", result.err)
        result = self.run_workflow(QUICK, "--state-log", "run.ndjson")
        self.assert_run(result)
        self.assertEqual(result.err.count("`barnum ps` will not show this run"), 1)

    def test_a_log_that_cannot_be_created_leaves_no_directory(self):
        (self.work / "run.ndjson").write_text("")
        self.assert_run(self.run_workflow(QUICK, "--state-log", "run.ndjson"), 2)
        self.assertEqual(list(self.runs.iterdir()), [])

    def test_a_removed_directory_ends_nothing(self):
        run = self.start_waiting("--state-log", "run.ndjson")
        directory = next(self.runs.iterdir())
        shutil.rmtree(directory)
        (self.work / "go").touch()
        result = run.result()
        self.assert_run(result)
        self.assertEqual(result.err.count("`barnum ps` may show an outdated state"), 1)

    def test_garbage_among_the_directories_is_no_run(self):
        self.assert_run(self.run_workflow(QUICK))
        (self.runs / "empty").mkdir()
        (self.runs / "file").write_text("x")
        for name, text in (("torn", '{"id":"torn","star'), ("other", "[]"), ("huge", "x" * 2_000_000)):
            (self.runs / name).mkdir()
            (self.runs / name / "run.json").write_text(text)
        self.assertEqual(len(self.ps("-a")), 1)

    def test_a_second_run_of_the_same_config_is_told_of_the_first(self):
        told = "another run of this config is running in this directory: "
        self.assert_run(self.run_workflow(QUICK))
        first = self.start_waiting()
        self.assertNotIn("of this config", first.err)
        living = self.only()
        (self.work / "started").unlink()
        second = self.start_waiting()
        self.assertIn("state log: ", second.err.splitlines()[0])
        self.assertEqual(second.err.count(f"{told}{living['id']}; `barnum ps` lists them\n"), 1)
        (self.work / "other").mkdir()
        (self.work / "started").unlink()
        third = self.start("barnum", "run", self.work / "flow.json", cwd=self.work / "other")
        wait_until((self.work / "started").exists, "the task to start")
        self.assertNotIn("of this config", third.err)
        (self.work / "go").touch()
        for run in (first, second, third):
            self.assert_exit(run.result(), 0)


class Lost(RunsCase):
    def test_a_killed_run_is_lost_and_told_with_the_command_that_resumes_it(self):
        self.kill(self.start_waiting("--jobs", "3", "--name", "night"))
        lost = self.only()
        text = self.barnum("ps").out
        command = re.search(rf"^{lost['id']} has no process any more, and no end was recorded; resume it with:\n  (.+)$", text, re.M)[1]
        self.assertTrue(command.endswith(f" resume {lost['id']}"), command)
        (self.work / "go").touch()
        resumed = self.run_program("/bin/sh", "-c", command, cwd=self.home)
        self.assert_exit(resumed, 0)
        self.assertEqual(self.ps(), [])
        first, second = self.ps("-a")
        self.assertEqual((first["state"], second["state"], second["resumes"]), ("resumed", "finished", first["id"]))
        self.assertEqual((second["name"], second["config"], second["options"]), ("night", first["config"], first["options"]))
        self.assertIn(f"run {second['id']}, which continues run {first['id']}\n", self.barnum("inspect", "last").out)

    def test_a_run_that_was_killed_after_its_last_task_is_finished_once_resume_has_seen_it(self):
        for script, state in (("echo '[]'", "finished"), ("exit 3", "failed")):
            self.run_workflow([step("Only", script)])
            path = self.runs / self.ps("-a")[-1]["id"] / "run.json"
            record = json.loads(path.read_text())
            path.write_text(json.dumps({k: v for k, v in record.items() if k not in ("ended", "exit_code", "result")}))
            self.assertEqual(self.only()["state"], "lost")
            self.barnum("resume", record["id"], "--dry-run")
            self.assertEqual(self.only()["state"], "lost", "a dry run changes nothing")
            self.assertIn("nothing to do", self.barnum("resume", record["id"]).err)
            self.assertEqual(self.ps("-a")[-1]["state"], state)
            self.assertEqual(json.loads(path.read_text())["result"], record["result"])

    def test_inspect_tells_the_command_that_resumes_it(self):
        self.kill(self.start_waiting("--name", "night"))
        self.assertRegex(self.barnum("inspect", "night").out, rf"resume it with:\n  \S+ resume {self.only()['id']}\n")

    def test_options_that_are_given_again_win(self):
        self.kill(self.start_waiting("--jobs", "3", "--name", "night"))
        rows = self.barnum("resume", "night", "--jobs", "7", "--dry-run").out
        self.assertIn("7 local processes", rows)
        self.assertIn("3 local processes", self.barnum("resume", "night", "--dry-run").out)

    def test_of_two_that_resume_one_run_one_goes_on(self):
        self.kill(self.start_waiting())
        (self.work / "started").unlink()
        first = self.start("barnum", "resume", "last")
        wait_until((self.work / "started").exists, "the task to start")
        lost = next(run for run in self.ps("-a") if run["state"] == "resumed")
        second = self.run_program("barnum", "resume", lost["id"])
        self.assert_exit(second, 2)
        (going,) = [run["state_log"] for run in self.ps() if run["pid"] == first.pid]
        self.assertIn(f"that run's log is {going}; that run goes on", second.err)
        (self.work / "go").touch()
        self.assert_exit(first.result(), 0)

    def test_who_resumes_an_older_log_is_told_of_the_newest(self):
        self.kill(self.start_waiting())
        first = self.only()
        (self.work / "started").unlink()
        second = self.start("barnum", "resume", first["id"])
        wait_until((self.work / "started").exists, "the task to start")
        second.signal(signal.SIGTERM)
        second.result()
        newest = self.ps("-a")[-1]["state_log"]
        (self.work / "go").touch()
        again = self.barnum("resume", first["id"], code=2)
        self.assertIn(f"this run has been resumed already, and that run's log is {newest}", again.err)
        again = self.barnum("run", "--resume-from", first["state_log"])
        self.assertIn(f"has been resumed before, and that run's log is {newest}", again.err)

    def test_two_that_resume_one_run_at_the_same_time_do_its_work_once(self):
        self.kill(self.start_waiting())
        (self.work / "go").touch()
        lost = self.only()
        both = [self.start("barnum", "resume", lost["id"]) for _ in range(2)]
        self.assertCountEqual([run.result().code for run in both], [0, 2])
        self.assertEqual(len(self.ps("-a")), 2)

    def test_a_switch_of_a_directory_stays_one(self):
        self.kill(self.start_waiting("--transcripts", "none"))
        (self.work / "go").touch()
        self.barnum("resume", "last", "--transcripts", "none")
        self.assertEqual(self.ps("-a")[-1]["options"], ["--transcripts=none"])
        self.assertFalse((self.work / "none").exists())

    def test_a_run_whose_log_was_moved_is_running(self):
        run = self.start_waiting("--state-log", "run.ndjson")
        (self.work / "run.ndjson").rename(self.work / "moved.ndjson")
        self.assertEqual(self.only()["state"], "running")
        (self.work / "moved.ndjson").rename(self.work / "run.ndjson")
        (self.work / "go").touch()
        self.assert_exit(run.result(), 0)


class Names(RunsCase):
    def test_a_run_has_many_names(self):
        self.assert_run(self.run_workflow(QUICK, "--name", "nightly"))
        run = self.only("-a")
        for name in (run["id"], run["id"][:4], "nightly", "last", "@", run["path"], run["state_log"]):
            self.assertIn(f"run {run['id']}\n", self.barnum("inspect", name).out, name)

    def test_what_names_no_run_is_refused(self):
        self.assertIn("there is no run yet", self.barnum("inspect", "last", code=2).err)
        self.assert_run(self.run_workflow(QUICK))
        for name, message in (("7d1", "at least 4 characters"), ("nothere", "there is neither a run nor a file nothere; `barnum ps -a` lists the runs"),
                              ("./nothere", "No such file"), (str(self.work), "is not the directory of a run")):
            self.assertIn(message, self.barnum("inspect", name, code=2).err)
        self.assertIn(f"no run was started in {self.home}", self.barnum("inspect", "@", code=2, cwd=self.home).err)

    def test_a_log_and_a_run_of_any_spelling_can_be_resumed_from(self):
        for reference in ("last", "@", "night", None):
            for name in ("started", "go"):
                (self.work / name).unlink(missing_ok=True)
            run = self.start_waiting("--name", "night")
            self.kill(run)
            (self.work / "go").touch()
            lost = self.only()
            self.barnum("run", "--resume-from", reference or lost["id"][:6])
            self.assertEqual(self.ps("-a")[-1]["resumes"], lost["id"])

    def test_a_directory_that_is_named_like_a_run_does_not_hide_it(self):
        self.assert_run(self.run_workflow(QUICK, "--name", "nightly"))
        run = self.only("-a")
        for name in ("nightly", run["id"], "last"):
            (self.work / name).mkdir()
            self.assertIn(f"run {run['id']}\n", self.barnum("inspect", name).out, name)
            self.assertIn("is not the directory of a run", self.barnum("inspect", f"./{name}", code=2).err)

    def test_a_file_that_is_no_state_log_and_is_named_like_a_run_does_not_hide_it(self):
        self.assert_run(self.run_workflow(QUICK, "--name", "nightly"))
        run = self.only("-a")
        for name in ("nightly", run["id"], "last"):
            (self.work / name).write_text("no log")
            self.assertIn(f"run {run['id']}\n", self.barnum("inspect", name).out, name)
            self.assertEqual(self.barnum("wait", name).out, f"{run['id']} finished\n", name)
            self.assertIn(f"{name} is not a state log", self.barnum("inspect", f"./{name}", code=74).err)

    def test_a_state_log_wins_over_a_name(self):
        run = self.start_waiting("--name", "night")
        self.kill(run)
        self.assert_run(self.run_workflow(QUICK))
        (log,) = [run["state_log"] for run in self.ps("-a") if run["state"] == "finished"]
        shutil.copy(log, self.work / "night")
        self.assertIn("log night, ", self.barnum("inspect", "night").out)
