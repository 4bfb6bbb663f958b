"""Commands that agents of the kind shell run: as the run itself would, and nobody else, and nothing else."""

import json
import os
import signal

from harness import HandAgent, Pool, one_host, wait_until, windows
from harness.statelog import LogCase, entries
from harness.workflow import command, pool, step

LABEL = "kind:shell"


def on_pool(script, *labels):
    return command(script) | {"on": "pool"} | ({"labels": list(labels)} if labels else {})


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class ShellCase(LogCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.runs = self.home / ".local/state/barnum/runs"

    def start_pool(self):
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")

    def shell(self, *options, **how):
        known = self.pool.waiting_agents()
        agent = self.pool.command("agent", "--kind", "shell", *options, **how)
        wait_until(lambda: self.pool.waiting_agents() - known or not agent.running, "the agent")
        self.assert_running(agent)
        return agent

    def other(self, command_="echo '[]'", *options):
        return self.pool.command("agent", "--exec", command_, *options)

    def status(self):
        """Of the host that the agents are on."""
        return self.pool.agent_side.status()

    def lines(self, *args):
        """What `barnum logs` prints of the last run."""
        result = self.run_program("barnum", "logs", "last", "--json", *args)
        self.assert_exit(result, 0)
        return [json.loads(line) for line in result.out.splitlines()]

    def wait_for(self, name):
        wait_until((self.work / name).exists, f"the file {name}")

    def pid_in(self, name):
        path = self.work / name
        wait_until(lambda: path.exists() and path.read_text().endswith("\n"), f"the file {name}")
        return int(path.read_text())


class SameAsHere(ShellCase):
    """Each script is run twice, by the run itself and by an agent, and what comes of it is the same."""

    def setUp(self):
        super().setUp()
        self.start_pool()
        self.shell()

    def run_both(self, script, *args, code=0, more=None, **config):
        """The entries of the log, for each way."""
        for name, action in (("here", command(script)), ("pool", on_pool(script))):
            steps = [step("Do", action, ["Then"], **(more or {})), step("Then", "cat >> then; echo '[]'")]
            self.log(name).unlink(missing_ok=True)
            self.assert_run(self.run_logged(steps, *args, log=name, **config), code)
            yield entries(self.log(name))

    def test_environment_input_and_directory(self):
        script = "cat > input; pwd > cwd; env -0 | sort -z > env; set -- /proc/$$/fd/*; echo $# > fds; echo '[{\"kind\":\"Then\",\"value\":1.0}]'"
        value = '{"n": 1.0, "big": 123456789012345678901234567890, "text": "é\\u00e9\\n", "a": [ ]}'
        seen = []
        for _ in self.run_both(script, "--entrypoint-value", value, more={"env": {"MINE": "a b=c\n"}}):
            names = ("input", "cwd", "env", "fds", "then")
            seen.append({name: (self.work / name).read_bytes() for name in names})
            for file in names:
                (self.work / file).unlink()
        here, there = seen
        env = [dict(entry.split(b"=", 1) for entry in one.pop("env").split(b"\0") if entry) for one in seen]
        self.assertEqual(here, there)
        self.assertIn(b'"n":1.0,"big":123456789012345678901234567890', there["input"])
        self.assertEqual({key for key in env[0].keys() ^ env[1].keys()},
                         {b"BARNUM_RUN_PROCESS", b"BARNUM_AGENT", b"BARNUM_AGENT_ID", b"BARNUM_AGENT_PROCESS"})
        self.assertEqual({key for key in env[0].keys() & env[1].keys() if env[0][key] != env[1][key]}, {b"BARNUM_RUN_ID"})
        self.assertEqual((env[1][b"MINE"], env[1][b"BARNUM_STEP"], env[1][b"BARNUM_CONFIG_DIR"]),
                         (b"a b=c\n", b"Do", str(self.work).encode()))

    def failures(self, script, **more):
        """Why the only attempt has failed, for both ways."""
        found = []
        for log in self.run_both(script, code=1, **more):
            (end,) = [entry for entry in log if entry["kind"] == "TaskCompleted"]
            self.assertEqual(end["outcome"]["kind"], "Failed")
            self.assertIn("cpu_ms", end["measured"])
            found.append(end["outcome"]["value"]["reason"])
        return found

    def test_failures(self):
        for script, options in (("echo no compiler here >&2; exit 3", {}), ("exit 75", {}), ("kill -9 $$", {}), ("no-such-program-x", {}),
                                ("echo words", {}), ("echo '[{\"kind\":\"Do\",\"value\":1}]'", {}), ("true", {}),
                                ("yes | head -c 5000", {"max_response_bytes": 1000}),
                                ("echo waits >&2; sleep 1000", {"timeout": 1})):
            with self.subTest(script=script):
                here, there = self.failures(script, more={"options": options})
                self.assertEqual(there, here)

    def test_a_retry_is_told_of_the_attempts_before_it(self):
        script = ('case $BARNUM_ATTEMPT in 1) echo first >&2; exit 4;; esac; cat "$BARNUM_PREVIOUS_ATTEMPTS" > previous;'
                  " jq -e . \"$BARNUM_PREVIOUS_ATTEMPTS\" >/dev/null && echo '[]'")
        seen = []
        for _ in self.run_both(script, more={"options": {"max_retries": 1}}):
            seen.append(json.loads((self.work / "previous").read_text()))
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[1][0]["error"], "the command exited with code 4\nfirst")

    @one_host("a message of the engine is smaller")
    def test_large_input_and_output(self):
        (self.work / "value.json").write_text(json.dumps("x" * 3_000_000))
        script = """printf '[{"kind":"Then","value":'; cat; printf '}]'"""
        for _ in self.run_both(script, "--entrypoint-value", "value.json"):
            self.assertGreater((self.work / "then").stat().st_size, 3_000_000)
            (self.work / "then").unlink()

    def test_hooks_run_here(self):
        hooks = {"pre": command("echo $$ >> hooks; cat"), "post": command("env | grep -c BARNUM_AGENT >> hooks; cat")}
        self.assert_run(self.run_workflow([step("Do", on_pool("echo '[]'"), **hooks)]))
        self.assertEqual((self.work / "hooks").read_text().splitlines()[1:], ["0"])


class Output(ShellCase):
    def setUp(self):
        super().setUp()
        self.start_pool()

    def test_what_it_writes_is_kept_and_its_last_line_is_shown_meanwhile(self):
        self.shell(env={"AGENTS_TOKEN": "hunter2-hunter2"})
        script = "echo one >&2; echo \"two $AGENTS_TOKEN\" >&2; await go; echo '[]'; exit ${CODE:-0}"
        for code in (0, 3):
            run = self.start_run([step("Do", on_pool(script), env={"CODE": str(code)})])
            wait_until(lambda: [a for a in self.status()["agents"] if (a.get("activity") or {}).get("text") == "two ***"], "the line")
            (self.work / "go").touch()
            result = run.result()
            self.assert_run(result, 1 if code else 0)
            (self.work / "go").unlink()
            lines = [(line["stream"], line["step"], line["phase"], line["text"]) for line in self.lines()]
            self.assertCountEqual(lines, [("stderr", "Do", "pool", "one"), ("stderr", "Do", "pool", "two ***"),
                                          ("stdout", "Do", "pool", "[]")])
            self.assertIn("one\n    two ***", result.err, "the log quotes it, as that of a local command")

    @one_host("a message of the engine is smaller")
    def test_of_very_much_the_beginning_and_the_end_are_kept(self):
        self.shell()
        script = "echo begun >&2; yes 123456789 | head -c 3000000 >&2; echo over >&2; echo '[]'"
        self.assert_run(self.run_workflow([step("Do", on_pool(script))], "--keep-output", "all"))
        texts = [line["text"] for line in self.lines() if line["stream"] == "stderr"]
        self.assertEqual((texts[0], texts[-1]), ("begun", "over"))
        self.assertTrue([text for text in texts if text.endswith(" bytes left out]")])


class Ends(ShellCase):
    def setUp(self):
        super().setUp()
        self.start_pool()

    # A process that has left the group, and one that has not.
    TREE = "setsid sleep 1000 & echo $! > left.new; mv left.new left; echo $$ > stayed.new; mv stayed.new stayed; touch began; "

    def assert_tree_is_gone(self):
        for name in ("left", "stayed"):
            pid = self.pid_in(name)
            wait_until(lambda: not is_alive(pid), f"{name} to end")

    def test_a_timeout_ends_the_whole_tree(self):
        agent = self.shell()
        for timeout in windows():
            self.log().unlink(missing_ok=True)
            result = self.run_logged([step("Do", on_pool(self.TREE + "sleep 1000"), options={"timeout": timeout})])
            if (self.work / "began").exists():
                break
        self.assert_run(result, 1)
        self.assertIn("the command took longer than its timeout", result.err)
        self.assert_tree_is_gone()
        self.assert_running(agent)

    def test_a_cancelled_run_ends_it(self):
        self.shell()
        run = self.start_run([step("Do", on_pool(self.TREE + "sleep 1000"))])
        self.wait_for("began")
        run.signal(signal.SIGINT)
        self.assert_exit(run.result(), 130)
        self.assert_tree_is_gone()

    def test_a_shell_agent_that_is_killed_takes_its_tree_along_and_another_one_does_the_task(self):
        agent = self.shell()
        run = self.start_run([step("Do", on_pool(f"[ ! -e began ] || {{ echo '[]'; exit; }}; {self.TREE} sleep 1000"))])
        self.wait_for("began")
        agent.signal(signal.SIGKILL)
        agent.result()
        self.assert_tree_is_gone()
        self.shell()
        self.assert_run(run.result())

    def test_a_run_that_is_killed_finds_its_command_again(self):
        self.shell()
        script = "echo x >> tries; echo $$ > pid.new; mv pid.new pid; await go; echo '[]'"
        run = self.start_logged([step("Do", on_pool(script))])
        pid = self.pid_in("pid")
        run.signal(signal.SIGKILL)
        run.result()
        resumed = self.start_resume()
        wait_until(lambda: "resum" in resumed.err, "the run to go on")
        self.assertTrue(is_alive(pid), "the command is the agent's, and not the run's")
        (self.work / "go").touch()
        self.assert_run(resumed.result())
        self.assertEqual(self.count("tries"), 1)

    def test_the_pools_daemon_is_killed_meanwhile(self):
        self.shell()
        script = "echo x >> tries; touch began; await go; echo '[]'"
        run = self.start_run([step("Do", on_pool(script))], "--no-embedded-pool")
        self.wait_for("began")
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()
        self.start_pool()
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertEqual(self.count("tries"), 1)


class WhoRunsWhat(ShellCase):
    def test_commands_and_other_tasks_go_to_different_agents(self):
        self.start_pool()
        self.shell("--count", "2")
        self.other("task=$(cat); printf '%s\\n' \"$task\" >> others; echo '[]'", "--count", "2")
        steps = [step("Begin", "seq 8 | jq -sc '[.[] | {kind: (if . % 2 == 0 then \"Run\" else \"Ask\" end), value: .}]'", ["Run", "Ask"]),
                 step("Run", on_pool("task=$(cat); printf '%s\\n' \"$task\" >> commands; echo '[]'")), step("Ask", pool())]
        self.assert_run(self.run_workflow(steps))
        ran = [json.loads(line)["kind"] for line in (self.work / "commands").read_text().splitlines()]
        asked = [json.loads(line)["task"]["kind"] for line in (self.work / "others").read_text().splitlines()]
        self.assertEqual((ran, asked), (["Run"] * 4, ["Ask"] * 4))

    @one_host("that no agent fits a task is not told over hosts")
    def test_a_task_that_is_no_command_does_not_go_to_a_shell_agent(self):
        self.start_pool()
        self.shell()
        script = "touch begun; await go; echo '[]'"
        commands = [self.pool.submit({"kind": "Command", "version": 1, "script": script, "stdin": {}}, "--label", LABEL) for _ in range(2)]
        wait_until((self.work / "begun").exists, "the first command")
        submitter = self.pool.submit({"n": 1})
        said = "1 task waiting, and no agent of another kind than shell is attached"
        wait_until(lambda: said in self.daemon.err, "the warning, which does not count what waits for the shell agent")
        self.assertEqual(self.status()["queue"]["length"], 2)
        self.other("echo '[7]'")
        self.assertEqual(submitter.json()["stdout"].strip(), "[7]")
        (self.work / "go").touch()
        for command in commands:
            self.assert_exit(command.result(), 0)

    def test_what_has_the_label_and_is_no_command_is_refused_and_runs_nothing(self):
        self.start_pool()
        agent = self.shell()
        good = {"kind": "Command", "version": 1, "script": "touch ran; echo '[]'", "stdin": {}}
        for content in ({"task": {"kind": "Do", "value": 1}, "instructions": "touch ran", "script": "touch ran"}, 7, "touch ran",
                        good | {"version": 2}, good | {"variables": {"BARNUM_AGENT_ID": "x"}}, good | {"script": " "},
                        good | {"script": "touch ran\0"}, good | {"kind": "Comand"}):
            with self.subTest(content=content):
                answer = self.pool.submit(json.dumps(content), "--label", LABEL).result()
                self.assert_exit(answer, 1)
                self.assertEqual((answer.json["reason"], answer.json["failure"], answer.json["permanent"]), ("agent_failed", "no_command", True))
                self.assertIn("agents of the kind shell run Commands only", answer.json["message"])
        self.assertFalse((self.work / "ran").exists())
        answer = self.pool.submit(good, "--label", LABEL).json()["stdout"]
        self.assertEqual(answer.split("\n", 1)[1], "[]\n")
        self.assertEqual(json.loads(answer.split("\n", 1)[0])["end"], "exited")
        self.assert_running(agent)

    def test_labels_choose_among_shell_agents(self):
        self.start_pool()
        self.shell("--name", "small")
        big = self.shell("--name", "big", "--label", "big")
        self.assertEqual({tuple(agent["labels"]) for agent in self.status()["agents"]}, {(LABEL,), ("big", LABEL)})
        self.assert_run(self.run_workflow([step("Do", on_pool("echo $BARNUM_AGENT >> who; echo '[]'", "big"), ["Do"])]))
        self.assertEqual((self.work / "who").read_text(), "big\n")
        self.assert_running(big)

    def test_an_agent_that_pretends_to_be_one_is_not_believed(self):
        self.start_pool()
        run = self.start_run([step("Do", on_pool("echo '[]'"))])
        agent = HandAgent(self.pool, json.dumps({"labels": [LABEL]}))
        self.assertEqual(agent.content()["kind"], "Command")
        agent.respond("[]")
        result = run.result()
        self.assert_run(result, 1)
        self.assertIn("the response does not say how the command has ended", result.err)

    @one_host("its agents are those of a run")
    def test_a_run_with_agents_of_its_own(self):
        steps = [step("Do", on_pool("echo $BARNUM_AGENT >> who; echo '[{\"kind\":\"Ask\",\"value\":1}]'"), ["Ask"]), step("Ask", pool())]
        self.assert_run(self.run_workflow(steps, "--agent", "shell=1", "--agents", "1", "--agent-exec", "echo '[]'"))
        self.assertEqual((self.work / "who").read_text(), "shell-1\n")
        self.assert_run(self.run_workflow(steps, agents=[{"kind": "shell"}, {"kind": "exec", "exec": "echo '[]'"}]))
        lacking = self.run_workflow(steps, "--agents", "1", "--agent-exec", "echo '[]'", "--fail-fast")
        self.assertNotEqual(lacking.code, 0)
        self.assertIn("no agent of this run has the label kind:shell, which the Pool step Do requires", lacking.err)
        lacking = self.run_workflow(steps, "--agent", "shell=1", "--fail-fast")
        self.assertIn("no agent of this run is of another kind than shell, which the Pool step Ask requires", lacking.err)

    @one_host("a run that hosts its pool has one host")
    def test_nobody_is_there(self):
        run = self.start_run([step("Do", on_pool("echo '[]'", "big"))])
        wait_until(lambda: "no agent has the labels big, kind:shell" in run.err, "the warning")
        self.assertIn(f"attach one with `troupe agent --root {self.root} --pool default --label big --kind shell`", run.err)
        self.shell("--label", "big")
        self.assert_run(run.result())


@one_host("no pool is needed")
class Configs(ShellCase):
    def validate(self, *steps, code=2, **more):
        result = self.run_program("barnum", "config", "validate", self.write_config(steps, **more))
        self.assert_exit(result, code)
        return result.err

    def test_mistakes(self):
        for action, problem in ((command("true") | {"on": "local"}, '"on" must be "pool"'),
                                (command("true") | {"labels": ["a"]}, '"labels" are those of an agent: they need "on": "pool"'),
                                (on_pool("true", LABEL), "is the label of agents of the kind shell"),
                                (pool() | {"labels": [LABEL]}, "is the label of agents of the kind shell"),
                                (on_pool("true", *map(str, range(16))), "a Command on the pool has at most 15 labels"),
                                (on_pool(" "), '"script" is empty')):
            with self.subTest(action=action):
                self.assertIn(problem, self.validate(step("Do", action)))
        self.assertIn('unknown field "on" in a hook', self.validate(step("Do", "true", pre=on_pool("cat"))))
        self.assertIn("exec is not available for shell", self.validate(step("Do", "true"), agents=[{"kind": "shell", "exec": "true"}]))

    def test_warnings(self):
        told = self.validate(step("Do", on_pool("echo '[]'")), agents=[{"kind": "exec", "exec": "true"}], code=0)
        self.assertIn('no agent of the config has the label kind:shell, which the Pool step "Do" requires', told)
        self.assertIn('the Pool step "Do" has no timeout', told)
        quiet = self.validate(step("Do", on_pool("echo '[]'"), env={"A": "b"}, options={"timeout": 9}), agents=[{"kind": "shell"}], code=0)
        self.assertEqual(quiet, "")

    def test_the_label_is_not_for_others(self):
        for options in (("--exec", "true"), ("--kind", "shell")):
            result = self.run_program("troupe", "agent", *options, "--label", LABEL)
            self.assert_exit(result, 2)
            self.assertIn(f"--label must not have {LABEL}: only agents of the kind shell have it", result.err)
        for options in (("--exec", "true"), ("--check",), ("--transcripts", "none"), ("--model", "x"), ("--permissions", "full")):
            self.assert_exit(self.run_program("troupe", "agent", "--kind", "shell", *options), 2)

    def test_it_is_shown_as_a_command_of_an_agent(self):
        path = self.write_config([step("Do", on_pool("echo '[]' # do it", "big"))])
        dry = self.run_program("barnum", "run", "--dry-run", "--config", path, "--agent", "shell=2")
        self.assertIn("command by an agent of the kind shell that has the label big; ", dry.out)
        self.assertIn("2 shell agents, running the commands of tasks in ", dry.out)
        document = self.run_program("barnum", "config", "docs", path).out
        self.assertIn("- Done by: a command, run by an agent of the kind shell that has the label big\n", document)
        self.assertIn("echo '[]' # do it", document)
        self.assertIn("shape=diamond", self.run_program("barnum", "config", "graph", path).out)
        stub = self.run_program("barnum", "run", "--stub", "--config", path)
        self.assert_exit(stub, 0)
        replayed = self.run_logged([step("Do", on_pool("echo words"))], "--agent", "shell=1")
        self.assert_run(replayed, 1)
        refused = self.run_program("barnum", "replay", self.log(), "0", "--instructions", path)
        self.assertIn("is done by a shell command", refused.err)
