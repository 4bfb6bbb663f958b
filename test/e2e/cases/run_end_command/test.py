"""`--on-end` and BARNUM_NOTIFY: the command that is told of a run's end."""

import json
import signal

from harness import wait_until
from harness.runs import QUICK, RunsCase
from harness.workflow import pool, step

KEEP_SUMMARY = "cat >summary.json"
FAILURE = "the command that is told of the run (--on-end, BARNUM_NOTIFY)"


class EndCase(RunsCase):
    def summary(self):
        path = self.work / "summary.json"
        summary = json.loads(path.read_text())
        path.unlink()
        return summary


class Told(EndCase):
    def test_a_run_that_is_done(self):
        self.assert_run(self.run_workflow(QUICK, "--on-end", KEEP_SUMMARY, "--name", "nightly"))
        summary = self.summary()
        run = self.only("-a")
        self.assertEqual({key: summary[key] for key in run if key not in ("state", "workflow", "resumable")},
                         {key: run[key] for key in run if key not in ("state", "workflow", "resumable")})
        self.assertEqual((summary["result"], summary["exit_code"], summary["name"]), ("finished", 0, "nightly"))
        self.assertNotIn("resume", summary)

    def test_a_run_with_dropped_tasks(self):
        self.assert_run(self.run_workflow([step("Bad", "exit 3", options={"max_retries": 0})], "--on-end", KEEP_SUMMARY), 1)
        summary = self.summary()
        self.assertEqual((summary["exit_code"], summary["tasks"]["dropped"]), (1, 1))
        self.assertNotIn("resume", summary)

    def test_a_run_that_is_interrupted_and_the_one_that_resumes_it(self):
        run = self.start_waiting("--on-end", KEEP_SUMMARY)
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
        summary = self.summary()
        self.assertEqual((summary["result"], summary["exit_code"], summary["tasks"]["left"]), ("interrupted", 130, 1))
        (self.work / "go").touch()
        self.assert_exit(self.run_program("/bin/sh", "-c", summary["resume"], cwd=self.home), 0)
        again = self.summary()
        self.assertEqual((again["result"], again["resumes"]), ("finished", summary["id"]))

    def test_a_run_whose_pool_is_away(self):
        self.assert_run(self.run_workflow([step("Ask", pool())], "--no-embedded-pool", "--pool-wait-secs", "0", "--on-end",
                                          KEEP_SUMMARY), 69)
        self.assertEqual(self.summary()["exit_code"], 69)

    def test_a_run_without_a_directory(self):
        (self.work / "file").write_text("")
        self.env["BARNUM_RUNS"] = str(self.work / "file")
        self.assert_run(self.run_workflow(QUICK, "--state-log", "run.ndjson", "--on-end", KEEP_SUMMARY))
        summary = self.summary()
        self.assertEqual((summary["path"], summary["state_log"], summary["result"]),
                         ("", str(self.work / "run.ndjson"), "finished"))

    def test_the_command_can_resume_the_run(self):
        resume = "cat >summary.json; touch go; sh -c \"$(jq -r '.resume // empty' summary.json)\" 2>>resumed"
        run = self.start_waiting("--on-end", resume)
        run.signal(signal.SIGTERM)
        self.assert_run(run.result(), 143)
        self.assertEqual([each["state"] for each in self.ps("-a")], ["resumed", "finished"])

    def test_the_environment_names_a_command_and_the_option_wins(self):
        self.env["BARNUM_NOTIFY"] = "cat >summary.json; touch notified"
        self.assert_run(self.run_workflow(QUICK))
        self.assertEqual(self.summary()["result"], "finished")
        (self.work / "notified").unlink()
        self.assert_run(self.run_workflow(QUICK, "--on-end", KEEP_SUMMARY))
        self.summary()
        self.assertFalse((self.work / "notified").exists())
        self.env["BARNUM_NOTIFY"] = ""
        self.assert_run(self.run_workflow(QUICK))

    def test_what_does_not_begin_or_does_nothing_is_not_told(self):
        self.assert_run(self.run_program("barnum", "run", "nothing.json", "--on-end", KEEP_SUMMARY), 2)
        self.assert_run(self.run_workflow(QUICK))
        self.assert_run(self.run_program("barnum", "run", "--resume-from", "last", "--on-end", KEEP_SUMMARY))
        self.assertFalse((self.work / "summary.json").exists())


class Failures(EndCase):
    def test_a_failure_is_one_warning_and_changes_no_exit_code(self):
        for how, said in (("echo first >&2; echo no network >&2; exit 7", "exited with code 7: no network"),
                          ("kill -KILL $$", "was killed by SIGKILL"), ("./nothere", "exited with code 127")):
            result = self.run_workflow(QUICK, "--on-end", how)
            self.assert_run(result)
            self.assertEqual(result.err.count(FAILURE), 1)
            self.assertIn(f"{FAILURE} {said}", result.err)
        self.assert_run(self.run_workflow([step("Bad", "exit 3", options={"max_retries": 0})], "--on-end", "exit 5"), 1)

    def test_a_command_that_reads_nothing_does_no_harm(self):
        result = self.run_workflow(QUICK, "--on-end", "exec <&-; true")
        self.assert_run(result)
        self.assertNotIn(FAILURE, result.err)

    def test_a_signal_ends_the_wait_and_changes_no_exit_code(self):
        run = self.start_run(QUICK, "--on-end", "touch told; sleep 1000")
        wait_until((self.work / "told").exists, "the command to start")
        self.assertEqual(self.only("-a")["state"], "finished")
        run.signal(signal.SIGINT)
        result = run.result()
        self.assert_run(result)
        self.assertEqual(result.err.count(FAILURE), 1)
