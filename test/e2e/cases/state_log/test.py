"""The state log that a run writes: where, what, and who may touch it."""

import fcntl
import json
import os
import signal
import stat
import time
from shutil import which

from harness import DEADLINE, require, wait_until
from harness.environment import sanitizer, traceable
from harness.statelog import LogCase, entries
from harness.workflow import KEEP, command, emit, pool, step

SPLIT = [step("Split", emit(("Part", {"n": 1.5}), ("Part", 2)), ["Part"], **{"finally": command("echo '[]'")}),
         step("Part", KEEP)]


class Written(LogCase):
    def test_the_entries_are_those_that_are_documented(self):
        began = time.time()
        self.assert_run(self.run_logged(SPLIT, "--jobs", "1", "--entrypoint-value", '{"a": 1.0}'))
        config, *rest = entries(self.log())
        self.assertEqual(config["kind"], "Config")
        self.assertEqual(config["config"]["steps"], SPLIT)
        self.assertEqual(config["directory"], str(self.work))
        for entry in [config, *rest]:
            self.assertRegex(entry.pop("checksum"), "^[0-9a-f]{16}$")
            self.assertTrue(began * 1000 - 1000 <= entry.pop("time") <= time.time() * 1000 + 1000)
        for entry in rest:
            self.assertEqual(entry.pop("started", None) is not None, entry["kind"] == "TaskCompleted")
            measured = entry.pop("measured", None)
            self.assertEqual(measured is not None and measured.keys() >= {"cpu_ms", "action_ms"}, entry["kind"] == "TaskCompleted")
        submitted, completed = {"kind": "TaskSubmitted"}, {"kind": "TaskCompleted"}
        none = {"kind": "Success", "value": {"spawned_task_ids": []}}
        self.assertEqual(rest, [
            submitted | {"task_id": 0, "step": "Split", "value": {"a": 1.0}, "parent_id": None, "origin": "Initial"},
            completed | {"task_id": 0, "outcome": {"kind": "Success", "value": {"spawned_task_ids": [1, 2]}}},
            submitted | {"task_id": 1, "step": "Part", "value": {"n": 1.5}, "parent_id": 0, "origin": "Spawned"},
            submitted | {"task_id": 2, "step": "Part", "value": 2, "parent_id": 0, "origin": "Spawned"},
            completed | {"task_id": 1, "outcome": none},
            completed | {"task_id": 2, "outcome": none},
            submitted | {"task_id": 3, "step": "Split", "value": {"a": 1.0}, "parent_id": None,
                         "origin": {"Finally": {"finally_for": 0}}},
            completed | {"task_id": 3, "outcome": none}])
        self.assertIn('"value":{"a":1.0}', self.log().read_text())

    def test_failures_and_retries_are_written_with_their_reasons(self):
        steps = [step("Split", emit(("Exit", 0), ("Kill", 0), ("Slow", 0), ("Bad", 0), ("Hook", 0)),
                      ["Exit", "Kill", "Slow", "Bad", "Hook"]),
                 step("Exit", "echo why >&2; exit 3", options={"max_retries": 1}),
                 step("Kill", "kill -9 $$"), step("Slow", "sleep 1000", options={"timeout": 0.2}),
                 step("Bad", "echo no"), step("Hook", "echo '[]'", pre=command("exit 1"))]
        self.assert_run(self.run_logged(steps), 1)
        log = entries(self.log())
        step_of = {entry["task_id"]: entry["step"] for entry in log if entry["kind"] == "TaskSubmitted"}
        failures = [(step_of[e["task_id"]], e["outcome"]["value"]) for e in log
                    if e["kind"] == "TaskCompleted" and e["outcome"]["kind"] == "Failed"]
        reasons = {name: value["reason"] for name, value in failures}
        self.assertEqual(reasons["Exit"] | {"message": ""}, {"kind": "CommandFailed", "exit_code": 3, "message": ""})
        self.assertIn("why", reasons["Exit"]["message"])
        self.assertEqual(reasons["Kill"] | {"message": ""}, {"kind": "CommandFailed", "signal": 9, "message": ""})
        self.assertEqual(reasons["Slow"]["kind"], "Timeout")
        self.assertEqual(reasons["Bad"]["kind"], "InvalidResponse")
        self.assertEqual(reasons["Hook"] | {"message": ""}, {"kind": "HookFailed", "hook": "pre", "message": ""})
        first, second = [value for name, value in failures if name == "Exit"]
        self.assertEqual(step_of[first["retry_task_id"]], "Exit")
        self.assertIsNone(second["retry_task_id"])
        retry = next(e for e in log if e.get("task_id") == first["retry_task_id"])
        self.assertIn("Retry", retry["origin"])

    def test_a_task_is_in_the_log_before_it_starts_and_its_end_before_its_children_do(self):
        look = "grep -c . run.ndjson >> lines; "
        steps = [step("First", look + emit(("Second", 0)), ["Second"]), step("Second", look + "echo '[]'")]
        for policy in ("always", "interval", "never"):
            self.assert_run(self.run_logged(steps, "--fsync", policy))
            self.assertEqual((self.work / "lines").read_text().split(), ["2", "4"], policy)
            self.log().unlink()
            (self.work / "lines").unlink()

    def test_links_are_read_in_and_the_directory_is_kept(self):
        (self.work / "ask.md").write_text("Say \"yes\".\n")
        (self.work / "schema.json").write_text('{"type": "object", /* any */ }')
        steps = [step("Only", KEEP, value_schema={"link": "schema.json"}),
                 step("Ask", {"kind": "Pool", "instructions": {"link": "ask.md"}})]
        self.assert_run(self.run_logged(steps))
        config = entries(self.log())[0]["config"]
        self.assertEqual(config["steps"][0]["value_schema"], {"type": "object"})
        self.assertEqual(config["steps"][1]["action"]["instructions"], {"inline": "Say \"yes\".\n"})


class Place(LogCase):
    def test_without_a_place_the_log_goes_to_the_state_home(self):
        result = self.run_workflow(SPLIT)
        self.assert_run(result)
        told = self.log_in(result)
        self.assertEqual([str(path / "state.ndjson") for path in (self.home / ".local/state/barnum/runs").iterdir()], [told])
        self.assertRegex(told, r"/[0-9a-f-]{36}/state\.ndjson$")
        state = self.home / "state"
        result = self.run_workflow(SPLIT, env={"XDG_STATE_HOME": state})
        self.assert_run(result)
        [run] = (state / "barnum" / "runs").iterdir()
        self.assertEqual(str(run / "state.ndjson"), self.log_in(result))
        self.assertEqual(stat.S_IMODE(run.stat().st_mode), 0o700)

    def test_the_log_is_for_its_owner_alone(self):
        os.umask(0)
        self.assert_run(self.run_logged(SPLIT))
        self.assertEqual(stat.S_IMODE(self.log().stat().st_mode), 0o600)
        self.assertEqual([path.name for path in self.work.iterdir() if "ndjson" in path.name], ["run.ndjson"])

    def test_an_existing_file_is_refused_and_stays_as_it_is(self):
        self.log().write_text("mine")
        (self.work / "directory").mkdir()
        (self.work / "link").symlink_to("nowhere")
        for name in ("run.ndjson", "directory", "link"):
            result = self.run_logged(SPLIT, log=name)
            self.assert_run(result, 2)
            self.assertIn(str(self.log(name)), result.err)
            self.assertEqual(self.seen(), [])
        self.assertEqual(self.log().read_text(), "mine")
        self.assertFalse((self.work / "nowhere").exists())

    def test_a_place_that_cannot_be_written_is_an_error_before_anything_starts(self):
        result = self.run_logged(SPLIT, log="missing/run.ndjson")
        self.assert_run(result, 74)
        self.assertIn("missing", result.err)
        (self.home / "file").write_text("")
        result = self.run_workflow(SPLIT, env={"XDG_STATE_HOME": self.home / "file"})
        self.assert_run(result, 74)
        self.assertIn("--state-log", result.err)
        self.assertEqual(self.seen(), [])

    def test_a_wrong_policy_is_refused(self):
        result = self.run_logged(SPLIT, "--fsync", "sometimes")
        self.assert_run(result, 2)
        self.assertIn('"always", "interval" or "never"', result.err)
        self.assertFalse(self.log().exists())


class Held(LogCase):
    def test_the_log_of_a_live_run_is_locked(self):
        run = self.start_logged([step("Wait", "touch began; await go; echo '[]'")])
        wait_until((self.work / "began").exists, "the command")
        with self.log().open("rb") as log, self.assertRaises(BlockingIOError):
            fcntl.flock(log, fcntl.LOCK_SH | fcntl.LOCK_NB)
        (self.work / "go").touch()
        self.assert_run(run.result())
        with self.log().open("rb") as log:
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def test_every_way_out_that_leaves_something_to_do_tells_how_to_resume(self):
        run = self.start_logged([step("Wait", "touch began; sleep 1000")], "--jobs", "3", "--agents", "0", log="it's.ndjson")
        wait_until((self.work / "began").exists, "the command")
        run.signal(signal.SIGINT)
        result = run.result()
        self.assert_run(result, 130)
        (self.work / "began").unlink()
        words = self.resume_command(result)
        self.assertEqual(words[1:4], ["run", "--resume-from", str(self.log("it's.ndjson"))])
        self.assertEqual(words[4:], ["--state-log", str(self.log("it's-resumed.ndjson")), "--jobs", "3"])

        wait = [step("Wait", "touch began; sleep 1000")]
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start_run(wait)
            wait_until((self.work / "began").exists, "the command")
            run.signal(number)
            result = run.result()
            self.assert_run(result, 128 + number)
            self.assertEqual(self.resume_command(result)[1:], ["run", "--resume-from", self.log_in(result)])
            (self.work / "began").unlink()

        result = self.run_workflow([step("Ask", pool())], "--no-embedded-pool", "--pool-wait-secs", "0")
        self.assert_run(result, 69)
        self.assertEqual(self.resume_command(result)[4:],
                         ["--no-embedded-pool", "--pool-wait-secs", "0", "--root", str(self.root)])
        result = self.run_workflow(SPLIT, "--wake", "exit 5")
        self.assert_run(result, 1)
        words = self.resume_command(result)
        self.assertEqual(words[:3] + words[7:], ["cd", str(self.work), "&&", "--wake", "exit 5"])  # a script may be relative

    def test_two_interrupts_tell_it_as_well(self):
        run = self.start_logged([step("Wait", "trap '' TERM INT; touch began; while :; do sleep 1; done")])
        wait_until((self.work / "began").exists, "the command")
        run.signal(signal.SIGINT)
        wait_until(lambda: "once more" in run.err, "the first interrupt to be noticed")
        wait_until(lambda: run.signal(signal.SIGINT) or not run.running, "the second one to end it")
        result = run.result()
        self.assert_run(result, 130)
        self.resume_command(result)

    def test_success_has_nothing_to_resume(self):
        result = self.run_logged(SPLIT)
        self.assert_run(result)
        self.assertNotIn("resume", result.err)


class Unpleasant(LogCase):
    """Surroundings that a run meets now and then."""

    def test_a_reader_of_stderr_that_stops_reading_stops_nothing(self):
        os.mkfifo(self.work / "fifo")
        tasks = [("Part", n) for n in range(1500)]
        steps = [step("Part", "echo x >> ran; echo '[]'"), step("Last", "echo last >> finished; sleep 1000")]
        (self.work / "tasks.json").write_text(json.dumps([{"kind": k, "value": v} for k, v in [*tasks, ("Last", 0)]]))
        self.write_config(steps, entrypoint=None)
        run = self.start("sh", "-c", "exec barnum run --config flow.json --initial-state tasks.json 2> fifo")
        with (self.work / "fifo").open() as reader:
            reader.readline()
            wait_until(lambda: self.count("finished") == 1, "all tasks to run", 2 * DEADLINE)
            run.signal(signal.SIGINT)
            self.assert_exit(run.result(), 130)
        self.assertEqual(self.count("ran"), 1500)

    def test_a_command_line_with_line_breaks_is_printed_as_it_was(self):
        wake = "exit 3 <<'EOF'\n  indented\nEOF\n"
        result = self.run_logged(SPLIT, "--wake", wake)
        self.assert_run(result, 1)
        command_line = result.err[result.err.index("cd "):]
        self.assertIn("--wake '" + wake.replace("'", "'\\''") + "'", command_line)

    def test_a_signal_at_the_creation_of_the_log_waits_for_it(self):
        require(which("strace"), "strace is not installed")
        self.write_config(SPLIT)
        for number, signal_ in ((2, "SIGINT"), (15, "SIGTERM")):
            result = self.run_program("strace", "-qq", "-o", self.home / "trace", "-e", "trace=renameat2", "-e",
                                      f"inject=renameat2:signal={signal_}", "--", "barnum", "run", "--config",
                                      "flow.json", "--state-log", self.log(), env=traceable())
            self.assert_exit(result, 128 + number)
            self.resume_command(result)
            self.assertEqual([entry["kind"] for entry in entries(self.log())][:2], ["Config", "TaskSubmitted"])
            self.assert_exit(self.run_program("barnum", "run", "--resume-from", self.log(), "--state-log",
                                              self.home / f"resumed-{number}"), 0)
            self.log().unlink()

    def test_nohup_is_respected(self):
        self.write_config([step("Wait", "touch began; await go; echo '[]'")])
        run = self.start("nohup", "barnum", "run", "--config", "flow.json")
        wait_until((self.work / "began").exists, "the command")
        run.signal(signal.SIGHUP)
        (self.work / "go").touch()
        self.assert_exit(run.result(), 0)

    def test_a_log_that_may_not_grow_is_an_error_and_no_end_by_signal(self):
        if sanitizer() == "thread":
            return  # its runtime makes a file grow before our main() is there
        self.write_config(SPLIT)
        run = f"exec barnum run --config flow.json --state-log {self.log()}"
        result = self.run_program("sh", "-c", f"(ulimit -f 0; {run} 2>&1) | cat >&2")
        self.assertIn("File too large", result.err)
        self.assertEqual([path.name for path in self.work.iterdir()], ["flow.json"])

    def test_a_directory_that_is_gone_under_the_run_is_told(self):
        (self.work / "gone").mkdir()
        config = self.write_config(SPLIT)
        result = self.run_program("sh", "-c", f"cd gone && rmdir ../gone && exec barnum run --config {config} --state-log r")
        self.assert_run(result, 2)
        self.assertIn("current directory is gone", result.err)
