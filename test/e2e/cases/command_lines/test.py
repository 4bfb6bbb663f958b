"""Every command and every option of both programs, rightly and wrongly used: exit code, stdout and stderr, as the
tables beside this file say. What `--help` tells of and the tables don't is a failure."""

import functools
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

from harness import Case, Pool, wait_until
from harness.environment import binary
from harness.pool import inline
from harness.terminal import ProgramTerminal
from harness.usage import PROGRAMS, Usage

sys.path.insert(0, str(Path(__file__).parent))
import barnum_table  # noqa: E402
import troupe_table  # noqa: E402
from rows import Lasting, Line, Row, Usage as Wrong  # noqa: E402

TABLES = {"barnum": barnum_table.TABLE, "troupe": troupe_table.TABLE}

# Words of C++, of a library, or of a bug.
INNER = re.compile(r"terminate called|std::|boost|filesystem error|internal error|basic_string|bad_alloc")

# Where no row can be, and who looks after it.
ON_A_TERMINAL = {("troupe", "top", ""), ("troupe", "top", "--pool"),  # test_top_...
                 *(("barnum", "attach", option) for option in ("", "--run", "--progress", "--color")),  # run_control
                 ("barnum", "ps", "--watch"),  # the case run_list_watch
                 ("barnum", "serve", "--tls-cert"), ("barnum", "serve", "--tls-key"),  # serve_tls
                 ("troupe", "status", "--check"), ("troupe", "status", "--max-queue-age")}  # pool_health
NO_WRONG_USE = {"--help", "-h"}

LIVING_RUNS = {"living": "waits.jsonc", "asking": "pool.jsonc", "waiting": "people.jsonc"}  # {name: config}


def files(work):
    """What the rows name."""
    def flow(action):
        return json.dumps({"entrypoint": "Only", "steps": [{"name": "Only", "action": action, "next": []}]})

    (work / "flow.jsonc").write_text(flow({"kind": "Command", "script": "echo '[]'"}))
    (work / "pool.jsonc").write_text(flow({"kind": "Pool", "instructions": "Do it."}))
    (work / "waits.jsonc").write_text(flow({"kind": "Command", "script": "sleep 1000"}))
    questions = json.dumps([{"kind": "Ask", "value": number} for number in range(9)])
    (work / "people.jsonc").write_text(json.dumps({"entrypoint": "Start", "steps": [
        {"name": "Start", "action": {"kind": "Command", "script": f"echo '{questions}'"}, "next": ["Ask"]},
        {"name": "Ask", "action": {"kind": "Human", "instructions": "What?"}, "next": ["Only"]},
        {"name": "Only", "action": {"kind": "Command", "script": "echo '[]'"}, "next": []}]}))
    (work / "bad.jsonc").write_text('{"steps": [{"name": "A", "nxt": [], "action": {"kind": "Command", "script": "x"}}]}'
                                    "\n")
    (work / "empty.jsonc").write_text("")
    (work / "notes.txt").write_text("Nothing to parse.\n")
    (work / "value.json").write_text('{"a": 1}')
    (work / "tasks.json").write_text('[{"kind": "Only", "value": {}}]')
    (work / "folder").mkdir()
    parks = work / "state" / "barnum" / "parks"
    parks.mkdir(parents=True)
    now = int(time.time())
    (parks / "claude-1.json").write_text(json.dumps(
        {"kind": "claude", "place": "/x", "since": now, "until": now + 86400, "guesses": 1, "reason": "r"}))
    (work / "servers.json").write_text('{"mcpServers": {"echo": {"command": "cat"}}}')
    (work / "dropped.ndjson").write_text("".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in (
        {"kind": "Config", "config": json.loads(flow({"kind": "Command", "script": "echo '[]'"})), "directory": str(work)},
        {"kind": "TaskSubmitted", "task_id": 0, "step": "Only", "value": {}, "parent_id": None, "origin": "Initial"},
        {"kind": "TaskCompleted", "task_id": 0, "outcome": {"kind": "Failed", "value": {
            "reason": {"kind": "Timeout", "message": "too slow"}, "retry_task_id": None}}})))
    answer = json.dumps({"type": "result", "subtype": "success", "is_error": False, "total_cost_usd": 0.5,
                         "result": json.dumps([{"kind": "Checked", "value": {"number": 17}}])})
    (work / "claude.sh").write_text(f"#!/bin/sh\nread -r task\nprintf '%s\\n' '{answer}'\n")
    (work / "claude.sh").chmod(0o755)


def option_names(usage, command):
    """{any form: the long one}, of the options that --help declares."""
    names = {}
    for line in usage.helps[command].splitlines():
        short = re.match(r" +(-\w) \[ (--[\w-]+) \]", line)
        if short:
            names[short[1]] = names[short[2]] = short[2]
        elif found := re.match(r" +(--[\w-]+)", line):
            names[found[1]] = found[1]
    return names


class CommandLines(Case):
    def setUp(self):
        super().setUp()
        files(self.work)
        self.pools = {}

    # Pools, each in a root of its own, so that rows don't disturb one another.

    def root_of(self, state):
        return self.home / f"root-{state}"

    def prepare(self, state):
        pool = self.pools.setdefault(state, Pool(self, root=self.root_of(state)))
        is_there = state == "absent" or (state == "stopped" and pool.path.exists()) or (pool.path / "status").exists()
        if not is_there:
            self.start_pool(state, pool)
        if state == "attended":  # an agent that was kicked comes back a moment later
            wait_until(lambda: pool.status()["agents"], "the agent to be attached")

    @staticmethod
    def start_pool(state, pool):
        daemon = pool.start(*(["--idle-timeout-secs", "2"] if state == "asking" else ["--no-heartbeat"]))
        if state == "stopped":
            pool.stop()
            daemon.result()
        elif state == "attended":
            pool.command("agent", "--label", "gpu", "--label", "team/linux", "--exec", "echo '[]'")
        elif state == "waiting":
            for id_ in ("task-1", "other-2"):
                pool.request_by_file(inline(1), id_)
            wait_until(lambda: pool.queued() == 2, "the tasks to wait")

    # A run in the background, in a folder for runs of its own.

    def living_run(self):
        return {"BARNUM_RUNS": str(self.home / "living-runs")}

    def prepare_run(self):
        runs = json.loads(self.run_program("barnum", "ps", "--json", env=self.living_run()).out)
        for name, config in LIVING_RUNS.items():
            if name not in [run["name"] for run in runs]:
                self.run_program("barnum", "run", "--detach", config, "--name", name, "--agents", "1", "--agent-exec", "sleep 1000",
                                 env=self.living_run())
        wait_until(lambda: self.run_program("barnum", "todo", "--json", env=self.living_run()).out != "[]\n", "tasks to wait for people")

    def tearDown(self):
        if "living-runs" in os.listdir(self.home):
            for name in LIVING_RUNS:
                self.run_program("barnum", "cancel", name, "--now", env=self.living_run())
        super().tearDown()

    # Rows

    def places(self, row):
        return {"work": self.work, "root": self.root_of(row.pool)}

    def fill(self, text, row):
        for name, value in (self.places(row) | {"long": "x" * 100_000}).items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def start_row(self, program, row):
        argv = [binary(program), *row.words(**self.places(row))]
        env = (self.living_run() if row.with_living_run else {}) | {"TROUPE_ROOT": self.root_of(row.pool)} | {k: self.fill(v, row) for k, v in row.env.items()}
        if row.stdout:
            argv = ["sh", "-c", f'exec "$0" "$@" >{row.stdout}', *argv]
        return self.start(argv[0], *argv[1:], env=env)

    def result_of(self, program, row):
        self.prepare(row.pool)
        if row.with_living_run:
            self.prepare_run()
        process = self.start_row(program, row)
        if isinstance(row, Lasting):
            wait_until(lambda: re.search(row.until, process.err + process.out) or not process.running,
                       f"{row.until!r} to be told")
            process.signal(signal.SIGTERM)
        return process.result()

    def check(self, program, command, row):
        result = self.result_of(program, row)
        self.assertEqual(result.code, row.code, str(result)[:3000])
        result.err = self.as_text(program, result)
        self.check_text(row, row.out, result.out, "stdout")
        self.check_text(row, self.expected_error(program, command, row), result.err, "stderr")
        self.assertNotRegex(result.err, INNER)
        if row.code in (1, 2, 74) and row.line.split() not in ([], ["config"], ["engine"]) and not result.out:
            self.assertRegex(result.err, rf"(?m)^{program}: |ERROR ", "the error names the program")

    def as_text(self, program, result):
        """What --json has made an object of, as it is told without."""
        lines = result.err.splitlines(keepends=True)
        for number, line in enumerate(lines):
            if line.startswith('{"error":'):
                error = json.loads(line)["error"]
                self.assertEqual(error["exit_code"], result.code)
                lines[number] = f"{program}: {error['message']}\n"
        return "".join(lines)

    def expected_error(self, program, command, row):
        if isinstance(row.err, Wrong):
            return f"{program}: {row.err}\nTry `{self.called(program, row)} --help`.\n"
        if isinstance(row.err, Line):
            return f"{program}: {row.err}\n"
        return row.err

    @staticmethod
    def called(program, row):
        """The program and those of its commands that the line begins with."""
        usage = help_of_both()
        command = (program,)
        no_command = row.line.startswith("-") and str(row.err).startswith(("no command", "there is no command"))
        for word in row.line.split() if not no_command else ():
            if word == "--version":
                word = "version"
            if (*command, word) in usage.helps:
                command += (word,)
        return " ".join(command)

    def check_text(self, row, expected, text, name):
        if expected is None:
            return
        if callable(expected):
            expected(self, text)
        elif isinstance(expected, re.Pattern):
            pattern = re.compile(self.fill(expected.pattern, row), expected.flags)
            self.assertTrue(pattern.search(text), f"{name} has no {expected.pattern!r}:\n{text[:2000]}")
        else:
            self.assertEqual(text[:5000], self.fill(expected, row)[:5000], name)

    def check_table(self, program, command):
        if program == "barnum":
            self.start("barnum", "run", "flow.jsonc", "--state-log", "log.ndjson").result()
        for row in TABLES[program][command]:
            with self.subTest(f"{program} {row.line[:120]}", pool=row.pool):
                self.check(program, command, row)

    # What is true of all.

    def test_help_is_on_stdout_in_each_form_for_each_command(self):
        for command, text in help_of_both().helps.items():
            program, *rest = command
            self.assertEqual([line for line in text.splitlines() if len(line) > 120], [], command)
            for words in ((*rest, "--help"), (*rest, "-h"), ("help", *rest), ("--help", *rest)):
                with self.subTest(program=program, words=words):
                    result = self.run_program(program, *words)
                    self.assertEqual((result.code, result.out, result.err), (0, text, ""))
            self.check(program, command, Row(" ".join([*rest, "--help"]), code=74, stdout="/dev/full",
                                             err=f"{program}: cannot write to stdout: No space left on device\n"))

    def test_an_option_that_is_none_is_named_with_its_nearest(self):
        for command in help_of_both().helps:
            program, *rest = command
            if rest in ([], ["config"], ["engine"]):
                continue
            result = self.run_program(program, *rest, "--lgo-level", "info")
            self.assertEqual((result.code, result.out), (2, ""))
            self.assertEqual(result.err, f"{program}: unknown option '--lgo-level'; did you mean \"--log-level\"?\n"
                                         f"Try `{' '.join(command)} --help`.\n")

    def test_a_reader_that_goes_away_is_told_nothing(self):
        for line in ("barnum config schema", "barnum man", "troupe list --root folder",
                     "troupe list --json --root folder"):
            result = self.run_program("sh", "-c", f"exec 2>err; {line} | true")
            self.assertEqual((self.work / "err").read_text(), "", line)
            self.assert_exit(result, 0)

    def test_what_a_closed_stdout_loses_is_a_failure(self):
        self.prepare("attended")
        self.assert_exit(self.run_program("barnum", "run", "flow.jsonc", "--state-log", "log.ndjson"), 0)
        for line in ("barnum version", "barnum --help", "barnum man", "barnum completion bash",
                     "barnum config validate flow.jsonc", "barnum config schema", "barnum inspect log.ndjson",
                     "barnum run flow.jsonc --dry-run", "barnum run flow.jsonc --stub", "troupe version",
                     "troupe list", "troupe list --json", "troupe protocol", "troupe status", "troupe submit_task --data 1"):
            root = ["--root", str(self.root_of("attended"))] if line.startswith("troupe") else []
            result = self.run_program("sh", "-c", f'exec {line} "$@" >&-', "sh", *root)
            self.assertEqual(result.code, 74, f"{line}: {result}")
            told = self.as_text(line.split()[0], result)
            self.assertIn(f"{line.split()[0]}: cannot write to stdout: it is closed\n", told)

    def test_a_closed_stdout_harms_nothing_that_prints_nothing(self):
        result = self.run_program("sh", "-c", "exec barnum run flow.jsonc >&-")
        self.assert_exit(result, 0)
        self.assertNotIn("stdout", result.err)

    def test_a_relative_root_is_refused_where_the_directory_is_gone(self):
        message = "the root 'x' is relative, and the current directory is gone; go to another one first, or give the " \
                  "root from / on\n"
        for name in ("list", "status", "stop", "start", "get_task", "submit_task --data 1"):
            result = self.in_a_gone_directory(f"troupe {name} --root x")
            self.assertEqual((result.code, result.out, result.err), (2, "", f"troupe: {message}"), name)
        self.assert_exit(self.in_a_gone_directory("troupe list --root /nowhere"), 1)

    def test_a_config_is_refused_where_the_directory_is_gone_that_its_commands_would_run_in(self):
        gone = "error: the current directory is gone; go to another one first\nbarnum: the config has 1 error\n"
        result = self.in_a_gone_directory("barnum config validate", (self.work / "flow.jsonc").read_text())
        self.assertEqual((result.code, result.err), (2, f"<inline>: {gone}"))
        self.assert_exit(self.in_a_gone_directory("barnum config validate", self.work / "flow.jsonc"), 0)

    def test_what_needs_the_current_directory_is_refused_where_it_is_gone(self):
        gone = "the current directory is gone; go to another one first\n"
        config = str(self.work / "flow.jsonc")
        for line, message in (("troupe agent --exec cat", gone), ("troupe agent --exec ./nothere", gone),
                              ("troupe submit_task --file task.json", "--file: " + gone),
                              (f"barnum run {config} --agents 1 --agent-exec ./nothere", gone)):
            result = self.in_a_gone_directory(f"{line} --root /nowhere")
            self.assertEqual((result.code, result.out, result.err), (2, "", f"{line.split()[0]}: {message}"), line)

    def test_a_run_whose_directory_goes_while_it_runs_still_says_how_to_resume_it(self):
        config = {"entrypoint": "Go", "steps": [{"name": "Go", "action": {
            "kind": "Command", "script": f"rmdir {self.work}/gone; kill -INT $PPID; sleep 1000"}}]}
        (self.work / "rm.jsonc").write_text(json.dumps(config))
        (self.work / "gone").mkdir()
        result = self.run_program("sh", "-c", "cd gone; exec barnum run ../rm.jsonc --wake true --state-log ../r.ndjson")
        self.assert_exit(result, 130)
        self.assertIn(f"cd {self.work}/gone && ", result.err)

    def in_a_gone_directory(self, line, *arguments):
        return self.run_program("sh", "-c", f'mkdir gone; cd gone; rmdir ../gone; exec {line} "$@"', "sh", *arguments)

    def test_what_an_error_or_the_log_repeats_cannot_harm_a_terminal(self):
        bad, shown = "a\u202ex\u009b31m\x1b]\x07".encode() + b"\xff", r"a\u202ex\u009b31m\x1b]\x07\xff"
        for program, *words in (("barnum", "inspect"), ("barnum", "run"), ("barnum", "frob"), ("troupe", "status", "--pool"),
                                ("troupe", "frob"), ("troupe", "agent", "--exec", "cat", "--label")):
            with self.subTest(program=program, words=words):
                result = self.run_program(program, *words, os.fsdecode(bad))
                self.assertNotEqual(result.code, 0)
                self.assertNotRegex(result.err, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\udc80-\udcff\ufffd]")
        (self.work / "harm").write_bytes(bad + b"\n")
        loud = {"name": "Only", "action": {"kind": "Command", "script": "cat harm >&2; exit 1"}, "next": []}
        log = self.run_program("barnum", "run", json.dumps({"entrypoint": "Only", "steps": [loud]})).err
        self.assertIn(shown, log)
        self.assertNotRegex(log, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\udc80-\udcff\ufffd]")

    def test_the_queue_fits_the_terminal(self):
        self.prepare("waiting")
        terminal = ProgramTerminal(self, f"{binary('troupe')} queue --root {self.root_of('waiting')}", columns=24)
        try:
            terminal.wait_for("task", "…", "ended with 0")
        finally:
            terminal.close()

    def test_top_is_drawn_on_a_terminal(self):
        self.prepare("running")
        for options in ("", " --pool default"):
            terminal = ProgramTerminal(self, f"{binary('troupe')} top --root {self.root_of('running')}{options}")
            try:
                terminal.wait_for("agents  none attached")
                terminal.key("q")
                terminal.wait_for("ended with 0")
            finally:
                terminal.close()

    def test_a_draining_pool_is_listed_as_such(self):
        pool = Pool(self)
        pool.start("--no-heartbeat")
        pool.command("agent", "--exec", "touch began; await go; echo '[]'")
        submission = pool.submit(1)
        wait_until((self.work / "began").exists, "the task to be begun")
        stopping = pool.command("stop", "--drain")
        wait_until(lambda: "draining" in self.run_program("troupe", "list").out, "the pool to drain")
        self.assertEqual(self.run_program("troupe", "list", "--json").json[0]["status"], "draining")
        (self.work / "go").touch()
        self.assert_exit(stopping.result(), 0)
        self.assert_exit(submission.result(), 0)

    def test_the_log_tells_an_agent_that_was_kicked_from_one_that_was_told_of_the_stop(self):
        pool = Pool(self)
        daemon = pool.start("--no-heartbeat")
        agent = pool.command("agent", "--exec", "sleep 1000", "--name", "slow", "--on-kick", "keep")
        pool.submit({"timeout_seconds": 0.1}).result()
        idle = pool.get_task("--name", "idle")
        pool.stop()
        daemon.result()
        self.assertRegex(daemon.err, r"INFO  kicked .*slow.*: no response in time\n")
        self.assertRegex(daemon.err, r"INFO  told .*idle.* that the pool stops\n")
        self.assertNotRegex(daemon.err, r"kicked .*idle")
        self.assertEqual(idle.json()["reason"], "Stopped")
        agent.terminate()

    def test_each_command_and_option_has_a_right_and_a_wrong_row(self):
        usage = help_of_both()
        missing = []
        for program in PROGRAMS:
            right, wrong = self.covered(program)
            for command in (c for c in usage.helps if c[0] == program and len(c) > 1):
                name = " ".join(command[1:])
                everywhere = set(option_names(usage, (program,)).values())
                for option in {""} | set(option_names(usage, command).values()):
                    of = "general" if option in everywhere else name
                    subject = (program, name, option)
                    is_group = bool(usage.commands(command))
                    if (of,
                        option) not in right and not is_group and subject not in ON_A_TERMINAL and option != "--help":
                        missing.append(f"right: {subject}")
                    if (of, option) not in wrong and option not in NO_WRONG_USE:
                        missing.append(f"wrong: {subject}")
        self.assertEqual(missing, [], "no row for these")

    @staticmethod
    def covered(program):
        """What has a right row, and what a wrong one: {(table, long name of an option, or "")}."""
        usage = help_of_both()
        right, wrong = set(), set()
        for name, rows in TABLES[program].items():
            command = (program, *(() if name == "general" else name.split()))
            names = option_names(usage, command)
            for row in rows:
                is_right = not row.is_wrong or isinstance(row, Lasting)
                (right if is_right else wrong).add((name, ""))
                if is_right:
                    right |= {(name, names.get(option, "")) for option in row.options()}
                elif row.code == 2:  # it is about the option itself
                    wrong.add((name, names.get(row.subject, "")))
        return right, wrong

    def test_a_table_is_there_for_each_command_and_no_other(self):
        for program in PROGRAMS:
            commands = {" ".join(c[1:]) for c in help_of_both().helps if c[0] == program and len(c) > 1}
            self.assertEqual(set(TABLES[program]), commands | {"general"})


@functools.cache
def help_of_both():
    return Usage()


def add_tests():
    for program, table in TABLES.items():
        for command in table:
            def test(self, program=program, command=command):
                self.check_table(program, command)
            setattr(CommandLines, f"test_{program}_{re.sub('[^a-z]', '_', command)}", test)


add_tests()
print(f"     {sum(len(rows) for table in TABLES.values() for rows in table.values())} rows", flush=True)
