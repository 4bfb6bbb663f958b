"""The table of exit codes in docs/troubleshooting.md: each row of it is provoked, or its test is named here."""

import re
import signal

from harness import Pool, one_host, wait_until
from harness.environment import SOURCE_DIR
from harness.runs import QUICK, RunsCase
from harness.workflow import pool, step

# {(code, of): the test of this file, or the case that looks after it}
LOOKED_AFTER = {
    ("0", "all"): "test_success_and_wrong_command_lines",
    ("0", "`troupe start`, `barnum serve`"): "test_servers_that_are_stopped",
    ("1", "`barnum run`"): "test_a_dropped_task",
    ("1", "`barnum replay`"): "test_a_dropped_task",
    ("1", "`barnum rm`"): "test_what_runs_and_what_is_lost",
    ("1", "`barnum ps --watch`, `troupe top`"): "test_displays_without_a_terminal",
    ("1, 2, 3", "`troupe status --check`"): "the case pool_health",
    ("1", "`troupe`"): "test_no_daemon",
    ("2", "all"): "test_success_and_wrong_command_lines",
    ("69", "`barnum run`"): "test_no_daemon",
    ("70", "all"): "the case failing_memory",
    ("74", "`barnum`"): "test_a_damaged_log",
    ("74", "`barnum serve`"): "the case serve",
    ("75", "`barnum run`"): "the case barnum_budget",
    ("75", "`barnum run --exit-when-waiting`"): "test_only_people_are_waited_for",
    ("74", "all"): "test_output_that_cannot_be_written",
    ("124", "`troupe submit_task`"): "test_no_answer_in_time",
    ("129", "`barnum run`, `troupe agent`, `troupe get_task`"): "test_signals",
    ("130, 143", "all others"): "test_signals",
    ("137", "`barnum wait`, `barnum attach`"): "test_what_runs_and_what_is_lost",
    ("137", "all"): "test_signals",
}


class ExitCodes(RunsCase):
    def ends(self, code, *words, **how):
        self.assert_exit(self.run_program(*words, **how), code)

    def test_each_row_is_looked_after(self):
        page = (SOURCE_DIR / "docs/troubleshooting.md").read_text()
        section = page.split("\n## Exit codes\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (\d[\d, ]*) \| ([^|]+) \|", section, re.M)
        self.assertEqual([row for row in rows if row not in LOOKED_AFTER], [])
        self.assertEqual(len(rows), len(LOOKED_AFTER))
        for name in LOOKED_AFTER.values():
            self.assertTrue(name.startswith("the case ") or hasattr(self, name), name)

    def test_success_and_wrong_command_lines(self):
        for program in ("barnum", "troupe"):
            self.ends(0, program, "version")
            self.ends(2, program, "no_such_command")

    @one_host("it starts a single daemon")
    def test_servers_that_are_stopped(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            shared = Pool(self)
            server = self.start("barnum", "serve", "--listen", "127.0.0.1:0")
            wait_until(lambda: "is served at" in server.err, "the page")  # noqa: B023
            for program in (shared.start(), server):
                program.signal(number)
                self.assert_exit(program.result(), 0)

    @one_host("it starts a single daemon")
    def test_a_signal_that_comes_while_a_program_ends(self):
        """It changes no exit code. Most of these signals come earlier, when the program ends by one or ignores them."""
        for _ in range(5):
            shared = Pool(self)
            daemon = shared.start()
            server = self.start("barnum", "serve", "--listen", "127.0.0.1:0")
            wait_until(lambda: "is served at" in server.err, "the page")  # noqa: B023
            waiting = shared.get_task()
            agent = shared.command("agent", "--exec", "true")
            wait_until(lambda: len(shared.waiting_agents()) == 2, "the agents")  # noqa: B023
            for program, code in ((agent, 143), (waiting, 143), (server, 0), (daemon, 0)):
                while program.running:
                    program.signal(signal.SIGTERM)
                self.assert_exit(program.result(), code)

    def test_a_dropped_task(self):
        self.assert_run(self.run_workflow([step("Bad", "exit 3")]), 1)
        self.ends(1, "barnum", "replay", "last", "0")

    def test_what_runs_and_what_is_lost(self):
        run = self.start_waiting()
        self.ends(1, "barnum", "rm", "last")
        attached = self.start("barnum", "attach", "last")
        wait_until(lambda: "Wait" in attached.out, "the display")
        self.kill(run)
        self.assert_exit(attached.result(), 137)
        self.ends(137, "barnum", "wait", "last")

    def test_displays_without_a_terminal(self):
        self.ends(1, "barnum", "ps", "--watch")
        self.ends(1, "troupe", "top")

    def test_no_daemon(self):
        self.ends(1, "troupe", "status")
        self.assert_run(self.run_workflow([step("Ask", pool())], "--no-embedded-pool", "--pool-wait-secs", "0"), 69)

    def test_a_damaged_log(self):
        (self.work / "log.ndjson").write_text("no log\n")
        self.ends(74, "barnum", "inspect", "log.ndjson")

    def test_only_people_are_waited_for(self):
        human = {"kind": "Human", "instructions": "Is it good?"}
        self.assert_run(self.run_workflow([step("Ask", human)], "--exit-when-waiting"), 75)

    def test_output_that_cannot_be_written(self):
        for program in ("barnum", "troupe"):
            self.ends(74, "sh", "-c", f"{program} version >/dev/full")

    @one_host("it starts a single daemon")
    def test_no_answer_in_time(self):
        shared = Pool(self)
        shared.start()
        self.ends(124, "troupe", "submit_task", "--root", shared.agent_side.root, "--pool", shared.name, "--data", "1",
                  "--timeout-secs", "0.1")

    def test_signals(self):
        self.assert_run(self.run_workflow(QUICK))
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            (self.work / "started").unlink(missing_ok=True)
            run = self.start_waiting()
            run.signal(number)
            self.assert_run(run.result(), 128 + number)
        self.ends(137, "sh", "-c", "sh -c 'kill -KILL $$'; exit $?")
