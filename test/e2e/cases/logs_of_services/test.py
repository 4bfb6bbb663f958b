"""What the journal, a log collector and logrotate see of the programs that run for long."""

import json
import re
import signal

from harness import Case, Pool, one_host, wait_until
from harness.environment import binary
from harness.runs import QUICK, RunsCase
from harness.terminal import Terminal
from harness.workflow import step

# Starts a program as systemd does whose stderr is the journal.
AS_SERVICE = 'JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2); export JOURNAL_STREAM; exec "$@"'
TIME = r"\d{4}-\d\d-\d\dT"


class Services(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.log = self.work / "troupe.log"

    def start_daemon(self, *options, before=(), **how):
        words = [binary("troupe"), "start", "--root", self.pool.agent_side.root, "--pool", self.pool.name, "--no-heartbeat"]
        daemon = self.start(*before, *words, *options, **how)
        wait_until(self.pool.status_stamp, "the daemon to be ready")
        return daemon

    def logged(self):
        return self.log.read_text() if self.log.exists() else ""


@one_host("the log is that of the daemon")
class Journal(Services):
    def test_each_line_has_its_priority_and_no_time(self):
        daemon = self.start_daemon("--log-level", "debug", before=("sh", "-c", AS_SERVICE, "sh"))
        submitter = self.pool.submit(1)
        wait_until(lambda: "<7>" in daemon.err, "a line of the level debug")
        submitter.terminate()
        daemon.terminate()
        result = daemon.result()
        self.assert_exit(result, 0)
        self.assertEqual([line for line in result.err.splitlines() if not re.match(r"<[3-7]>[^ ]", line)], [])
        self.assertIn("<6>stopped\n", result.err)
        self.assertNotRegex(result.err, TIME)

    def test_an_error_that_ends_the_program_has_its_priority_too(self):
        self.start_daemon()
        words = [binary("troupe"), "start", "--root", self.pool.agent_side.root, "--pool", self.pool.name]
        second = self.run_program("sh", "-c", AS_SERVICE, "sh", *words)
        self.assert_exit(second, 1)
        self.assertRegex(second.err, r"^<3>troupe: ")

    def test_a_stderr_that_is_not_the_journal_has_times(self):
        daemon = self.start_daemon(env={"JOURNAL_STREAM": "8:1"})
        wait_until(lambda: "is served in" in daemon.err, "the log")
        self.assertRegex(daemon.err, rf"^{TIME}.*INFO ")

    def test_lines_as_json(self):
        for before in ((), ("sh", "-c", AS_SERVICE, "sh")):
            daemon = self.start_daemon("--log-format", "json", "--log-file", self.log, before=before)
            daemon.terminate()
            lines = daemon.result().err.splitlines()
            served = next(line for line in map(json.loads, lines) if "is served in" in line["message"])
            self.assertEqual(list(served), ["time", "level", "message"])
            self.assertEqual(served["level"], "info")
            self.assertRegex(served["time"], rf"^{TIME}[\d:.]+Z$")
            self.assertEqual(lines, self.logged().splitlines()[-len(lines):])


@one_host("the log is that of the daemon")
class Signals(Services):
    def test_a_log_file_that_was_renamed_is_opened_again(self):
        daemon = self.start_daemon("--log-file", self.log)
        wait_until(lambda: "is served in" in self.logged(), "the log")
        self.log.rename(self.work / "troupe.log.1")
        daemon.signal(signal.SIGHUP)
        wait_until(self.log.exists, "the new file")
        daemon.terminate()
        self.assert_exit(daemon.result(), 0)
        self.assertIn("stopped", self.logged())
        self.assertNotIn("stopped", (self.work / "troupe.log.1").read_text())
        self.assertIn("opened again", self.logged())

    def test_a_log_file_that_cannot_be_opened_again_goes_on_where_it_was(self):
        folder = self.work / "logs"
        folder.mkdir()
        daemon = self.start_daemon("--log-file", folder / "a.log")
        folder.rename(self.work / "moved")
        daemon.signal(signal.SIGHUP)
        moved = self.work / "moved/a.log"
        wait_until(lambda: "cannot write the log file" in moved.read_text(), "the error")
        daemon.terminate()
        self.assert_exit(daemon.result(), 0)
        self.assertIn("stopped", moved.read_text())

    def test_a_log_file_that_cannot_be_written_begins_nothing(self):
        result = self.run_program("troupe", "start", "--root", self.work / "other", "--log-file", self.work)
        self.assert_exit(result, 2)
        self.assertIn(f"cannot write the log file {self.work}", result.err)
        self.assertFalse((self.work / "other").exists())

    def test_without_a_log_file_it_is_stopped_in_order(self):
        daemon = self.start_daemon()
        submitter = self.pool.submit(1)
        wait_until(lambda: self.pool.status()["queue"]["length"], "the submission")
        daemon.signal(signal.SIGHUP)
        result = daemon.result()
        self.assert_exit(result, 0)
        self.assertIn("stopped", result.err)
        self.assertIn("stopped", submitter.result().out)

    def test_the_level_is_changed_while_it_runs(self):
        daemon = self.start_daemon()
        daemon.signal(signal.SIGUSR1)
        wait_until(lambda: "the log level is debug" in daemon.err, "the level")
        submitter = self.pool.submit(1)
        wait_until(lambda: " DEBUG " in daemon.err, "a line of that level")
        for level in ("info", "warn"):
            daemon.signal(signal.SIGUSR2)
            wait_until(lambda: f"the log level is {level}" in daemon.err, level)  # noqa: B023
        submitter.terminate()
        daemon.terminate()
        self.assertNotIn("INFO  stopped", daemon.result().err)


class OnATerminal(Services):
    @one_host("the log is that of the daemon")
    def test_the_end_of_its_terminal_stops_it_whatever_its_log(self):
        terminal = Terminal(self)
        try:
            terminal.type(f"exec {binary('troupe')} start --root {self.pool.agent_side.root} --pool {self.pool.name} --log-file {self.log}")
            wait_until(self.pool.status_stamp, "the daemon to be ready")
        finally:
            terminal.close()
        wait_until(lambda: "stopped" in self.logged(), "the daemon to stop")
        wait_until(lambda: not self.pool.status_stamp(), "its end")


class Runs(RunsCase):
    def test_a_run_opens_its_log_file_again(self):
        log = self.work / "run.log"
        run = self.start_waiting("--log-file", log)
        log.rename(self.work / "run.log.1")
        run.signal(signal.SIGHUP)
        wait_until(log.exists, "the new file")
        run.signal(signal.SIGUSR1)
        wait_until(lambda: "the log level is debug" in log.read_text(), "the level")
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertIn("run finished", log.read_text())

    def test_a_run_of_a_service_has_priorities(self):
        path = self.write_config([step("Bad", "exit 3")])
        result = self.run_program("sh", "-c", AS_SERVICE, "sh", binary("barnum"), "run", path)
        self.assert_run(result, 1)
        self.assertRegex(result.err, r"<3>task 0 Bad: failed")
        self.assertEqual([line for line in result.err.splitlines() if not re.match(r"<[3-7]>", line)], [])

    def test_a_run_logs_json(self):
        result = self.run_workflow(QUICK, "--log-format", "json")
        self.assert_run(result)
        self.assertEqual({json.loads(line)["level"] for line in result.err.splitlines()}, {"info"})

    def test_a_resumed_run_has_the_same_format(self):
        self.kill(self.start_waiting("--log-format", "json"))
        (self.work / "go").touch()
        resumed = self.barnum("resume", "last")
        self.assertIn("run finished", [json.loads(line)["message"] for line in resumed.err.splitlines()][-1])

    def test_the_page_is_told_as_well(self):
        server = self.start("sh", "-c", AS_SERVICE, "sh", binary("barnum"), "serve", "--listen", "127.0.0.1:0")
        wait_until(lambda: "<6>the page is served" in server.err, "the log")
        server.signal(signal.SIGUSR1)
        wait_until(lambda: "<6>the log level is debug" in server.err, "the level")
        server.terminate()
        self.assert_exit(server.result(), 0)
