"""Runs in directories, with configs, logs and options whose names are not UTF-8: every command finds them by their id."""

import json
import os
import signal

from harness import wait_until
from harness.runs import RunsCase
from harness.workflow import step

ODD = b"caf\xe9"
# A task of the run that waits for the file `go`, and is dropped without the file `mended`.
WAITS = "pwd >> where; touch started; await go; [ -e mended ] && echo '[]'"


class OddPaths(RunsCase):
    def setUp(self):
        super().setUp()
        self.plain = self.work
        self.work = self.plain / os.fsdecode(ODD)
        self.work.mkdir()
        self.log = os.fsencode(self.work) + b"/" + ODD + b".ndjson"

    def start_odd(self, *args):
        self.write_config([step("Wait", WAITS)], options={"max_retries": 0})
        config = self.work / os.fsdecode(ODD + b".jsonc")
        (self.work / "flow.json").rename(config)
        (self.work / "started").unlink(missing_ok=True)
        run = self.start("barnum", "run", "--config", config.name, "--state-log", os.fsdecode(self.log), *args)
        wait_until((self.work / "started").exists, "the task to start")
        return run

    def bytes_of(self, record, name):
        text = record[name].encode()
        return bytes.fromhex(record[f"{name}_hex"]) if f"{name}_hex" in record else text

    def where(self):
        return set((self.work / "where").read_bytes().splitlines())

    def test_the_record_has_the_bytes_of_each_path_and_of_the_options(self):
        self.kill(self.start_odd("--transcripts", os.fsdecode(ODD)))
        run = self.only()
        self.assertEqual(run["directory"], f"{self.plain}/caf\ufffd")
        self.assertEqual(self.bytes_of(run, "directory"), os.fsencode(self.work))
        self.assertEqual(self.bytes_of(run, "config"), os.fsencode(self.work) + b"/" + ODD + b".jsonc")
        self.assertEqual(self.bytes_of(run, "state_log"), self.log)
        transcripts = b"--transcripts=" + ODD
        self.assertIn(transcripts, [bytes.fromhex(option) for option in run["options_hex"]])

    def test_a_killed_run_is_resumed_by_its_id_from_any_directory(self):
        self.kill(self.start_odd())
        for name in ("go", "mended"):
            (self.work / name).touch()
        self.barnum("resume", self.only()["id"], "--log-file", "none", cwd=self.plain)
        self.assertEqual([run["state"] for run in self.ps("-a")], ["resumed", "finished"])
        self.assertTrue((self.plain / "none").exists(), "a path of the command is one in its directory")
        self.assertEqual(self.where(), {os.fsencode(self.work)})
        self.assertEqual(self.barnum("ps", cwd=self.plain).out.count("\ufffd"), 0, "no run is left")

    def test_a_command_that_is_printed_can_be_copied(self):
        run = self.start_odd()
        run.signal(signal.SIGINT)
        self.assert_exit(run.result(), 130)
        for name in ("go", "mended"):
            (self.work / name).touch()
        log = json.loads(self.barnum("inspect", self.only("-a")["id"], "--json", cwd=self.plain).out)
        self.assertEqual((self.bytes_of(log, "log"), self.bytes_of(log, "directory")), (self.log, os.fsencode(self.work)))
        by_path = json.loads(self.barnum("inspect", os.fsdecode(self.log), "--json", cwd=self.plain).out)
        with open(self.plain / "command", "w") as command:
            command.write(by_path["resume"])
        self.assert_exit(self.run_program("sh", self.plain / "command", cwd=self.plain), 0)
        self.assertEqual(self.where(), {os.fsencode(self.work)})

    def test_a_run_without_a_terminal_is_found_and_cancelled_there(self):
        self.write_config([step("Wait", WAITS)])
        run = self.barnum("run", "--detach", "--config", "flow.json").out.strip()
        wait_until((self.work / "started").exists, "the task to start")
        self.barnum("cancel", run, "--now", cwd=self.plain)
        self.assertEqual(self.only("-a")["state"], "interrupted")
        self.assertIn(run, self.barnum("inspect", "@").out)

    def test_a_dropped_task_is_tried_again_and_replayed_by_the_id_of_its_run(self):
        (self.work / "go").touch()
        self.assert_exit(self.start_odd().result(), 1)
        run = self.only("-a")["id"]
        (self.work / "mended").touch()
        self.barnum("replay", run, "0", cwd=self.plain)
        self.barnum("retry", run, cwd=self.plain)
        self.assertEqual(self.where(), {os.fsencode(self.work)})

    def test_a_run_whose_record_is_damaged_is_resumed_in_its_directory(self):
        self.write_config([step("Wait", WAITS)])
        run = self.start("barnum", "run", "--config", "flow.json")
        wait_until((self.work / "started").exists, "the task to start")
        self.kill(run)
        found = self.only()
        (self.runs / found["id"] / "run.json").write_text("no record")
        for name in ("go", "mended"):
            (self.work / name).touch()
        self.barnum("resume", found["id"], cwd=self.plain)
        self.assertEqual(self.where(), {os.fsencode(self.work)})

    def test_results_of_a_log_at_such_a_path_are_reused(self):
        for name in ("go", "mended"):
            (self.work / name).touch()
        self.assert_exit(self.start_odd().result(), 0)
        earlier = self.only("-a")["id"]
        self.assert_run(self.run_workflow([step("Wait", WAITS)], "--reuse", earlier, "--state-log", "new.ndjson",
                                          options={"max_retries": 0}))
        self.assertEqual(len((self.work / "where").read_bytes().splitlines()), 1, "the task is not executed again")
        header = json.loads((self.work / "new.ndjson").read_text().splitlines()[0])
        self.assertEqual(self.bytes_of(header["reuses"], "state_log"), self.log)
