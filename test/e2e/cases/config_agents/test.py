"""The agents of a run: those of its config, those of --agent, and what is said of them before anything starts."""

import json
import re
import signal

from harness import wait_until
from harness.workflow import KEEP, WorkflowCase, step

# Notes who did a task in which directory, and answers.
NOTE = """echo "$WHO $BARNUM_AGENT $(basename "$PWD")" >> "$NOTES"; """


def labelled(*labels):
    return {"kind": "Pool", "instructions": "Do it.", "labels": list(labels)}


class AgentsCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.env["NOTES"] = str(self.work / "notes")

    def agent(self, who, response="[]", **more):
        return {"kind": "exec", "exec": f"{NOTE}echo '{response}'", "env": {"WHO": who}} | more

    def two_kinds(self):
        """Written by one agent, and reviewed by another."""
        review = json.dumps([{"kind": "Review", "value": {}}])
        return [self.agent("writer", review, labels=["writer"], count=2), self.agent("reviewer", labels=["reviewer"])]

    STEPS = (step("Write", labelled("writer"), ["Review"]), step("Review", labelled("reviewer")))

    def notes(self):
        """[who, agent, directory] of each task."""
        return [line.split() for line in (self.work / "notes").read_text().splitlines()]

    def dry_run(self, *args, code=0, **more):
        result = self.run_workflow(self.STEPS, "--dry-run", *args, **more)
        self.assert_exit(result, code)
        return result


class Runs(AgentsCase):
    def test_the_agents_of_the_config_do_the_tasks_that_have_their_labels(self):
        (self.work / "tree").mkdir()
        agents = self.two_kinds()
        agents[1]["directory"] = "tree"
        result = self.run_workflow(self.STEPS, agents=agents)
        self.assert_run(result)
        (first, second) = self.notes()
        self.assertEqual([first[0], first[2]], ["writer", self.work.name])
        self.assertIn(first[1], ("agent-1", "agent-2"))
        self.assertEqual(second, ["reviewer", "agent-3", "tree"])
        self.assertIn("hosting the run's own pool for its agents", result.err)

    def test_agents_of_the_command_line_are_added(self):
        agents = self.two_kinds()
        result = self.run_workflow(self.STEPS, "--agent", f"exec,exec={NOTE}echo '[]',labels=reviewer,env=WHO=a\\,b",
                                   agents=agents[:1])
        self.assert_run(result)
        self.assertEqual([note[0] for note in self.notes()], ["writer", "a,b"])
        self.assertEqual(self.notes()[1][1], "agent-1")

    def test_agents_get_nothing_of_the_task_whose_command_the_run_is(self):
        outer = {f"BARNUM_{name}": "outer" for name in ("TASK_ID", "STEP", "ATTEMPT", "CONFIG_DIR", "PREVIOUS_ATTEMPTS", "RESULTS")}
        agent = {"kind": "exec", "exec": "env | grep -c =outer$ > left; echo '[]'"}
        self.assert_run(self.run_workflow([step("Ask", labelled())], agents=[agent], env=outer))
        self.assertEqual((self.work / "left").read_text(), "0\n")

    def test_the_agents_of_the_config_can_be_left_out(self):
        agents = self.two_kinds()
        texts = ["exec,exec=" + agent["exec"].replace(",", "\\,") + f",labels={agent['labels'][0]},env=WHO=other"
                 for agent in agents]
        result = self.run_workflow(self.STEPS, "--no-agents", "--agent", texts[0], "--agent", texts[1], agents=agents)
        self.assert_run(result)
        self.assertEqual([note[0] for note in self.notes()], ["other", "other"])

    def test_the_agents_of_a_resumed_run_are_those_of_the_log_and_of_the_printed_command(self):
        agents = self.two_kinds()
        hang = f"exec,exec=touch began; [ -e go ] || sleep 1000; {NOTE}echo '[]',labels=reviewer,env=WHO=resumed"
        run = self.start_run(self.STEPS, "--agent", hang, "--state-log", "run.ndjson", agents=agents[:1])
        wait_until((self.work / "began").exists, "the second agent")
        run.signal(signal.SIGTERM)
        result = run.result()
        self.assert_exit(result, 143)
        (line,) = re.findall(r"^ *((?:cd |\S*barnum).*--resume-from.*)$", result.err, re.M)
        self.assertIn(" --agent 'exec,labels=reviewer,env=WHO=resumed,exec=touch began;", line)
        (self.work / "flow.json").unlink()
        (self.work / "go").touch()
        resumed = self.run_program("bash", "-c", line)
        self.assert_exit(resumed, 0)
        self.assertEqual([note[0] for note in self.notes()], ["writer", "resumed"])

    def test_without_pool_steps_no_agent_is_started_or_looked_for(self):
        missing = [{"kind": "exec", "exec": "./nothere"}]
        self.assert_run(self.run_workflow([step("Keep", KEEP)], agents=missing))
        result = self.run_workflow([step("Keep", KEEP)], "--agent", "claude")
        self.assert_run(result)
        self.assertIn("no agents are started: the config has no step of kind Pool", result.err)


class Ended(AgentsCase):
    """Agents whose command cannot be executed."""

    def broken(self, label):
        return {"kind": "exec", "exec": "nothere-at-all", "labels": [label]}

    def test_a_step_for_which_no_agent_is_left_is_named(self):
        run = self.start_run(self.STEPS, agents=[self.two_kinds()[0], self.broken("reviewer")])
        wait_until(lambda: "no agent of this run is left for the Pool step Review: its tasks wait" in run.err,
                   "the run to say so")
        self.assertNotIn("for the Pool step Write", run.err)
        run.signal(signal.SIGTERM)
        self.assert_exit(run.result(), 143)

    def test_the_run_ends_when_no_agent_is_left_for_any_step(self):
        result = self.run_workflow([step("Write", labelled("writer"))],
                                   agents=[self.broken("writer"), self.agent("reviewer", labels=["reviewer"])])
        self.assert_run(result, 1)
        self.assertIn("1 not finished; no agent is left that could take one of its tasks", result.err)
        self.assertIn("nothere-at-all: not found", result.err)

    def test_what_each_group_cannot_execute_is_told_once(self):
        agents = [{"kind": "exec", "exec": f"nothere-{name}", "count": 2} for name in ("one", "two")]
        result = self.run_workflow([step("Ask", labelled())], agents=agents)
        self.assert_run(result, 1)
        self.assertIn("none of its agents could execute its command", result.err)
        for name in ("one", "two"):
            told = f"ERROR agent-{1 if name == 'one' else 3}: the agents' command can't be executed: `nothere-{name}`"
            self.assertEqual(result.err.count(f"can't be executed: `nothere-{name}`"), 1, result.err)
            self.assertIn(told, result.err)


class BeforeTheStart(AgentsCase):
    def refused(self, *args, **more):
        """By a run and by its trial, which leave nothing behind."""
        for trial in ((), ("--dry-run",)):
            result = self.run_workflow(self.STEPS, "--state-log", "run.ndjson", *trial, *args, **more)
            self.assert_exit(result, 2)
            self.assertFalse((self.work / "run.ndjson").exists())
        return result.err

    def test_mistakes_of_the_configs_agents_are_told_with_their_places(self):
        text = """{ "agents": [
  { "kind": "claud" },
  { "kind": "codex", "max_usd": 2 },
  { "kind": "exec" } ],
  "steps": [] }"""
        result = self.run_program("barnum", "config", "validate", text)
        self.assert_exit(result, 2)
        for place in ('<inline>:2:13: error: "kind" must be', "<inline>:3:33: error: max_usd is not available for codex",
                      "<inline>:4:3: error: an agent of the kind exec needs exec"):
            self.assertIn(place, result.err)

    def test_warnings(self):
        path = self.write_config(self.STEPS, agents=[{"kind": "claude", "permissions": "full", "labels": ["writer"]}])
        result = self.run_program("barnum", "config", "validate", path)
        self.assert_exit(result, 0)
        self.assertIn("warning: with these permissions the agents do everything", result.err)
        self.assertIn("warning: no agent of the config has the label reviewer", result.err)

    def test_a_program_that_is_not_installed_is_told_with_its_package(self):
        self.env["PATH"] = "/usr/bin:/bin"
        for kind, package in (("claude", "@anthropic-ai/claude-code"), ("codex", "@openai/codex"),
                              ("gemini", "@google/gemini-cli")):
            name = f"{kind}-of-nobody"
            self.assertIn(f"--agent: there is no program {name} on the PATH; install it, for example with `npm install -g "
                          f"{package}`", self.refused("--agent", f"{kind},program={name}"))
        self.assertIn("the config's agents: there is no program /nothere/claude; ",
                      self.refused(agents=[{"kind": "claude", "program": "/nothere/claude"}]))

    def test_a_command_or_a_directory_that_is_not_there(self):
        self.assertIn("--agent: ./nothere does not exist", self.refused("--agent", "exec,exec=./nothere"))
        self.assertIn("the config's agents: ./nothere does not exist",
                      self.refused(agents=[{"kind": "acp", "exec": "./nothere --acp"}]))
        self.assertIn(f"the directory {self.work}/nothere, in which agents are to work: No such file",
                      self.refused("--agent", "exec,exec=true,directory=nothere"))

    def test_a_run_with_agents_hosts_its_pool(self):
        message = "--no-embedded-pool cannot be combined with agents of the run's own unless --pool is given"
        agents = self.two_kinds()
        self.assertIn(message, self.refused("--no-embedded-pool", agents=agents))
        self.assertIn(message, self.refused("--no-embedded-pool", "--agent", "exec,exec=true"))
        self.dry_run("--no-embedded-pool", "--no-agents", agents=agents)
        self.dry_run("--no-embedded-pool", "--pool", "other", agents=agents)

    def test_a_stub_has_no_agents(self):
        result = self.run_workflow(self.STEPS, "--stub", "--agent", "claude")
        self.assert_exit(result, 2)
        self.assertIn("--stub cannot be combined with --agent", result.err)
        result = self.run_workflow(self.STEPS, "--stub", agents=[{"kind": "exec", "exec": "./nothere"}])
        self.assert_exit(result, 0)


class DryRun(AgentsCase):
    def stand_in(self, name):
        path = self.work / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\nexit 1\n")
        path.chmod(0o755)

    def rows(self, result):
        """The text of each line between that of the agents and that of the state log."""
        text = result.out.split("\nagents        ")[1].split("\nstate log")[0]
        return text.replace("\n              ", "\n").split("\n")

    def test_it_prints_the_command_line_of_each_group(self):
        self.stand_in("claude")
        agents = [{"kind": "claude", "count": 3, "model": "opus", "permissions": "edit", "labels": ["writer"],
                   "program": "bin/claude"}, self.agent("x")]
        result = self.dry_run("--agents", "2", "--agent-exec", "cat", "--agent", "acp,exec=echo --acp", agents=agents)
        first, second, third, fourth = self.rows(result)
        self.assertEqual(first, f"2, each running `cat` in {self.work}")
        self.assertTrue(second.startswith("1 acp agent, each running `/bin/sh -c 'echo --acp "), second)
        self.assertRegex(third, f"^3 claude agents, each running `{self.work}/bin/claude -p .*--permission-mode acceptEdits.*"
                                f"--model opus.*` in {self.work}, with the label writer$")
        self.assertTrue(fourth.startswith("1, each running `echo "), fourth)
        self.assertIn("one of the run's own", result.out)

    def test_agents_that_are_left_out_and_a_shared_pool(self):
        agents = self.two_kinds()
        result = self.dry_run("--no-agents", agents=agents)
        self.assertEqual(self.rows(result),
                         ["none of the run's own: tasks of Pool steps wait until agents are attached to the pool"])
        self.assertIn("default, at ", result.out)
        result = self.dry_run("--pool", "other", agents=agents)
        self.assertEqual(len(self.rows(result)), 2)
        self.assertIn("other, at ", result.out)

    def test_permissions_for_everything_are_warned_of(self):
        self.stand_in("codex")
        result = self.dry_run("--agent", "codex,permissions=full,program=bin/codex")
        self.assertIn("--agent: codex may do everything without a question", result.err)
