"""Secrets are replaced once, where what a program has written becomes ours: no part of one is in any file, log, event or message."""

import json
import re
import signal
import sys

from harness import wait_until, windows
from harness.pool import Pool
from harness.workflow import WorkflowCase, command, pool, step

SECRET = "q7RzK2mWx9TbL4vNc8YhJ3pD"  # no three characters of it occur anywhere else
PART = 4
PARTS = [SECRET[at:at + PART].encode() for at in range(len(SECRET) - PART + 1)]
ESCAPES = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]|\\u001b\[[0-9;]*[A-Za-z]|[\x00\x08]|\\u000[08]|\\b")
ONE = {"options": {"max_retries": 0}}
RETRY = {"options": {"max_retries": 1}}


def parts_in(text):
    plain = ESCAPES.sub(b"", text)
    return [part for part in PARTS if part in text or part in plain]


class SecretCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.env["MY_TOKEN"] = SECRET
        self.said = f"{sys.executable} {self.fixtures / 'said.py'}"

    def assert_nowhere(self):
        """Searches every file, what every program has printed, and what the commands that show runs print."""
        for args in (("logs", "last"), ("logs", "last", "--json"), ("inspect", "last"), ("inspect", "last", "--json"), ("ps", "-a"),
                     ("report", "last", "--out", self.work / "report.html")):
            self.run_program("barnum", *args)
        self.run_program("troupe", "accounts")
        for file in self.home.rglob("*"):
            if file.is_file():
                self.assertEqual(parts_in(file.read_bytes()), [], file)
        for process in self.processes:
            self.assertEqual(parts_in(process.out.encode() + process.err.encode()), [], process.name)

    def run_said(self, steps, *args, code=1, **more):
        for progress in ("plain", "json"):
            run = self.start_run(steps, "--progress", progress, "--keep-output", "all", "--log-file", "run.log", *args, **more)
            self.assert_exit(run.result(), code)
        self.assert_nowhere()
        return run


class Commands(SecretCase):
    def test_a_commands_words(self):
        keep = 'if [ -n "$BARNUM_PREVIOUS_ATTEMPTS" ]; then cat "$BARNUM_PREVIOUS_ATTEMPTS" >> previous; fi; '
        run = self.run_said([step("Fail", keep + self.said + " 1", **RETRY)])
        self.assertIn("***", run.err)
        self.assertIn("***", (self.work / "previous").read_text())

    def test_the_words_of_a_command_that_succeeds(self):
        run = self.run_said([step("Fine", self.said + " 0; echo '[]'")], code=0)
        self.assertIn("***yyy", run.err)

    def test_the_words_of_hooks(self):
        for hook in ("pre", "post"):
            self.run_said([step("Hooked", "cat >/dev/null; echo '[]'", **{hook: command("cat >/dev/null; " + self.said + " 1")}, **ONE)])
        self.run_said([step("Over", "echo '[]'", **{"finally": command(self.said + " 1")}, **ONE)])

    def test_a_response_that_is_quoted(self):
        """The response itself is data, which the state log has."""
        keep = 'if [ -n "$BARNUM_PREVIOUS_ATTEMPTS" ]; then cat "$BARNUM_PREVIOUS_ATTEMPTS" >> previous; fi; '
        run = self.start_run([step("Wrong", keep + self.said + " 0 invalid", **RETRY)], "--log-file", "run.log")
        self.assert_exit(run.result(), 1)
        messages = re.findall(r'"message":"(?:[^"\\]|\\.)*"', self.run_program("barnum", "inspect", "last", "--json").out)
        self.assertTrue(messages)
        kept = [file.read_text() for file in (self.home / ".local/state/barnum/runs").rglob("output/*")]
        self.assertIn("***no response", "".join(kept))
        texts = (run.err, *kept, self.run_program("barnum", "logs", "last").out, (self.work / "previous").read_text(), (self.work / "run.log").read_text(), *messages)
        self.assertEqual([parts_in(text.encode()) for text in texts if parts_in(text.encode())], [])

    def test_the_words_of_the_command_that_is_told_of_the_end(self):
        run = self.run_said([step("Fine", "echo '[]'")], "--on-end", self.said + " 1; echo \"it is $MY_TOKEN\" >&2; exit 1", code=0)
        self.assertIn("it is ***", run.err)

    def test_values_are_data(self):
        self.assert_run(self.run_workflow([step("One", "printf '[{\"kind\":\"Two\",\"value\":\"%s\"}]' $MY_TOKEN", next_=["Two"]),
                                           step("Two", "cat > seen; echo '[]'")]))
        self.assertEqual(json.loads((self.work / "seen").read_text())["value"], SECRET)


class Agents(SecretCase):
    def once(self, code):
        """A script agent whose first task ends with that code."""
        return f"cat >/dev/null; mkdir once 2>/dev/null && exec {self.said} {code}; echo '[]'"

    def agents(self, script, count=1):
        return "--agents", count, "--agent-exec", script

    def test_a_script_agent_fails(self):
        keep = f"cat >> task; {self.said} 3"
        run = self.run_said([step("Ask", pool(), **RETRY)], *self.agents(keep))
        self.assertIn("***", (self.work / "task").read_text().split("Previous Attempts")[1])
        self.assertIn("***", run.err)

    def test_a_script_agent_hands_its_task_back(self):
        run = self.start_run([step("Ask", pool())], *self.agents(self.once(75)), "--log-file", "run.log")
        self.assert_run(run.result())
        self.assertIn("hands its task back", run.err)
        self.assert_nowhere()

    def test_a_script_agent_cannot_be_executed(self):
        for code in (126, 127):
            run = self.start_run([step("Ask", pool())], *self.agents(f"cat >/dev/null; {self.said} {code}"), "--fail-fast", "--log-file", "run.log")
            self.assertNotEqual(run.result().code, 0)
            self.assertIn("can't be executed", run.err)
        self.assert_nowhere()

    def test_a_script_agents_time_is_over(self):
        script = f"cat >/dev/null; {self.said} 0; touch said; sleep 1000"
        for timeout in windows():
            self.run_said([step("Ask", pool(), options={"timeout": timeout, "max_retries": 0})], *self.agents(script))
            if (self.work / "said").exists():
                break

    def test_secrets_stay_if_that_is_wanted(self):
        run = self.start_run([step("Ask", pool(), **ONE)], *self.agents("cat >/dev/null; echo \"it is $MY_TOKEN\" >&2; exit 3"), "--no-redact")
        self.assert_exit(run.result(), 1)
        self.assertIn(f"it is {SECRET}", run.err)


class Programs(SecretCase):
    def program(self, how):
        return "--agent", f"acp,exec={self.said} acp '{how}'"

    def test_a_programs_failure(self):
        for how in ("exit", "error", "too long"):
            run = self.run_said([step("Ask", pool(), **RETRY)], *self.program(how))
            self.assertIn("***", run.err)
            self.assertIn("was denied", run.err)

    def test_an_answer_that_is_not_valid(self):
        self.run_said([step("Ask", pool(), **ONE)], *self.program("answer"))

    def test_a_program_that_cannot_work(self):
        run = self.start_run([step("Ask", pool())], *self.program("login"), "--fail-fast", "--log-file", "run.log")
        self.assertNotEqual(run.result().code, 0)
        self.assertIn("cannot work: ***", run.err)
        self.assert_nowhere()

    def test_a_usage_limit(self):
        run = self.start_run([step("Ask", pool())], *self.program("limit"), "--log-file", "run.log", "--progress", "json")
        wait_until(lambda: "is parked until" in run.err, "the park")
        self.assertIn(": ***", self.run_program("troupe", "accounts").out)
        run.signal(signal.SIGINT)
        run.result()
        self.assert_nowhere()

    def test_a_trial(self):
        for how in ("exit", "error", "login", "answer"):
            self.run_program("troupe", "agent", "--kind", "acp", "--exec", f"{self.said} acp {how}", "--check")
        self.assert_nowhere()


class Troupe(SecretCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.pool.start("--log-file", "pool.log")

    def agent(self, *args, **env):
        agent = self.start("troupe", "agent", "--name", "mine", *args, env=env)
        wait_until(self.pool.waiting_agents, "the agent to wait")
        return agent

    def test_a_script_agent(self):
        agent = self.agent("--exec", f"cat >/dev/null; mkdir once 2>/dev/null && exec {self.said} 75; {self.said} 3")
        run = self.start_run([step("Ask", pool(), **ONE)], "--pool", "default", "--no-embedded-pool", "--log-file", "run.log")
        self.assert_exit(run.result(), 1)
        self.assertIn("***", agent.err)
        self.assert_nowhere()

    def test_a_command_on_the_pool(self):
        self.agent("--kind", "shell")
        script = f"cat >/dev/null; {self.said} 3; echo >&2; echo \"and $MY_TOKEN\" >&2; touch said; await go; exit 3"
        run = self.start_run([step("Do", command(script) | {"on": "pool"}, **ONE)], "--pool", "default", "--no-embedded-pool",
                             "--progress", "json", "--log-file", "run.log")
        wait_until((self.work / "said").exists, "the words")
        wait_until(lambda: "and ***" in run.err, "the activity")
        self.run_program("troupe", "status", "--json")
        (self.work / "go").touch()
        self.assert_exit(run.result(), 1)
        self.assert_nowhere()

    def test_a_secret_of_the_step(self):
        """The agent knows it only from the task."""
        agent = self.agent("--kind", "shell", MY_TOKEN="")
        config = [step("Do", command(f"cat >/dev/null; {self.said} 3") | {"on": "pool"}, env={"MY_TOKEN": SECRET}, **ONE)]
        run = self.start_run(config, "--pool", "default", "--no-embedded-pool", env={"MY_TOKEN": ""})
        self.assert_exit(run.result(), 1)
        for text in (run.err, agent.err, self.run_program("barnum", "logs", "last").out):
            self.assertEqual(parts_in(text.encode()), [])
