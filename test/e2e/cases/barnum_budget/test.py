"""The budget of a run: in dollars and tokens, of agents of its own and in a shared pool."""

import json
import re

from harness import HandAgent, Pool, wait_until
from harness.workflow import KEEP, WorkflowCase, emit, pool, step

# Stands in for Claude Code: each answer costs half a dollar and 100 tokens. It notes its tasks, and can be held.
CLAUDE = """#!/bin/sh
read -r task
echo x >> began
while [ -e hold ]; do sleep 0.1; done
echo x >> answers
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"total_cost_usd":0.5,"result":"[]",\
"modelUsage":{"opus":{"inputTokens":90,"outputTokens":10}}}'
"""


class BudgetCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        (self.work / "claude.sh").write_text(CLAUDE)
        (self.work / "claude.sh").chmod(0o755)

    def agents(self, count=1, **more):
        return [{"kind": "claude", "count": count, "program": "./claude.sh"} | more]

    def steps(self, count, action=None):
        return [step("Split", emit(*[("Ask", n) for n in range(count)]), ["Ask"]), step("Ask", action or pool())]

    def events(self, result, name):
        return [event for event in map(json.loads, filter(lambda line: line.startswith("{"), result.err.splitlines()))
                if event["event"] == name]

    def next_command(self, err):
        (line,) = re.findall(r"^ *((?:cd |\S*barnum).*--resume-from.*)$", err, re.M)
        return line

    def resume(self, err):
        return self.run_program("bash", "-c", self.next_command(err))


class OwnAgents(BudgetCase):
    def test_no_task_is_given_out_after_the_budget_is_spent_and_the_printed_command_does_the_rest(self):
        result = self.run_workflow(self.steps(5), agents=self.agents(), options={"budget": {"usd": 1, "warn_at": 0.5}})
        self.assert_run(result, 75)
        self.assertEqual(self.count("answers"), 2)
        self.assertRegex(result.err, r"run stopped: 3 tasks in .*, 3 not finished; the budget is spent: \$1\.00 of \$1\.00")
        self.assertRegex(result.err, r"Ask +claude +- +180 +0 +20 +\$1\.00\n +spent \$1\.00 of \$1\.00\n")
        self.assertEqual(result.err.count("WARN  most of the budget is spent: $0.50 of $1.00"), 1)
        self.assertIn(" --budget-usd 2", self.next_command(result.err))
        resumed = self.resume(result.err)
        self.assert_exit(resumed, 75)
        self.assertEqual(self.count("answers"), 4, "what the log says of the first run counts")
        self.assertIn("the budget is spent: $2.00 of $2.00", resumed.err)
        refused = self.run_program("barnum", "resume", "last")
        self.assert_exit(refused, 75)
        self.assertIn("the budget is spent: $2.00 of $2.00; resume the run with a larger one", refused.err)
        self.assertEqual(refused.err.count("\n"), 1)
        resumed = self.resume(resumed.err)
        self.assert_exit(resumed, 0)
        self.assertEqual(self.count("answers"), 5)

    def test_tokens_and_the_event_stream(self):
        result = self.run_workflow(self.steps(5), "--budget-tokens", "250", "--progress", "json", agents=self.agents(),
                                   options={"budget": {"tokens": 100, "warn_at": 1}})
        self.assert_run(result, 75)
        (ended,) = self.events(result, "run_ended")
        self.assertEqual((ended["result"], ended["message"]), ("budget_spent", "the budget is spent: 300 of 250 tokens"))
        used = {"input_tokens": 270, "cached_tokens": 0, "output_tokens": 30, "usd": 1.5}
        self.assertEqual(ended["usage"], used | {"rows": [{"step": "Ask", "kind": "claude", "model": None} | used]})
        self.assertEqual(ended["tasks"]["done"], 4)
        commands = [event["command"] for event in self.events(result, "log") if "command" in event]
        self.assertIn(" --budget-tokens 600", commands[0])

    def test_what_runs_is_finished_and_nothing_else_is_started(self):
        """Two agents are at work when a third spends the budget; a Command waits behind it, and so does a finally."""
        (self.work / "hold").touch()
        steps = [step("Split", emit(*[("Ask", n) for n in range(5)]), ["Ask"], **{"finally": {
            "kind": "Command", "script": "touch finally; echo '[]'"}}), step("Ask", pool(), ["Keep"]), step("Keep", KEEP)]
        answer = json.dumps([{"kind": "Keep", "value": 1}]).replace('"', '\\"')
        (self.work / "claude.sh").write_text(CLAUDE.replace('"result":"[]"', f'"result":"{answer}"'))
        run = self.start_run(steps, "--budget-usd", "0.3", agents=self.agents(2))
        wait_until(lambda: self.count("began") == 2, "both agents to be at work")
        (self.work / "hold").unlink()
        result = run.result()
        self.assert_run(result, 75)
        self.assertEqual((self.count("began"), self.count("answers"), self.count("seen")), (2, 2, 0))
        self.assertFalse((self.work / "finally").exists())
        self.assertIn("$1.00 of $0.30", result.err)

    def test_a_budget_that_is_spent_by_the_last_task_has_not_stopped_the_run(self):
        result = self.run_workflow(self.steps(2), "--budget-usd", "1", agents=self.agents())
        self.assert_run(result)
        self.assertIn("run finished: 3 tasks", result.err)

    def test_a_resumed_run_without_more_ends_at_once(self):
        result = self.run_workflow(self.steps(3), "--budget-usd", "0.5", "--state-log", "run.ndjson", agents=self.agents())
        self.assert_exit(result, 75)
        again = self.run_program("barnum", "run", "--resume-from", "run.ndjson", "--budget-usd", "0.5")
        self.assert_exit(again, 75)
        self.assertEqual(self.count("answers"), 1)

    def test_a_trial_shows_the_budget(self):
        result = self.run_workflow(self.steps(1), "--dry-run", "--budget-tokens", "500", agents=self.agents(),
                                   options={"budget": {"usd": 2}})
        self.assertIn("budget        spent $0.00 of $2.00, 0 of 500 tokens\n", result.out)


class Mistakes(BudgetCase):
    def test_of_the_config(self):
        config = {"options": {"budget": {"usd": 1}}, "agents": [{"kind": "codex"}],
                  "steps": [step("Ask", pool("Do it."), options={"timeout": 1})]}
        result = self.run_program("barnum", "config", "validate", json.dumps(config))
        self.assert_exit(result, 2)
        self.assertIn("error: the budget is in dollars, and codex does not tell what a task costs; give its agents prices, in "
                      "dollars per million tokens, or a model whose price is known, such as gpt-5.5, or set a budget in tokens",
                      result.err)
        config["agents"][0]["prices"] = {"input": 1, "output": 2}
        self.assert_exit(self.run_program("barnum", "config", "validate", json.dumps(config)), 0)


class SharedPool(BudgetCase):
    REPORT = {"kind": "other", "input_tokens": 60, "output_tokens": 40}

    def report(self, shared, agent):
        report = shared.path / "agents" / f"{agent.uuid}.report.json"
        scratch = shared.path / "scratch" / report.name
        scratch.write_text(json.dumps(self.REPORT))
        scratch.rename(report)

    def test_tasks_that_wait_are_taken_back(self):
        shared = Pool(self)
        shared.start("--no-heartbeat")
        run = self.start_run(self.steps(5), "--pool", shared.name, "--budget-usd", "1", "--budget-tokens", "100",
                             "--root", shared.root)
        first, second = (HandAgent(shared, json.dumps({"name": name, "reports": True})) for name in ("a", "b"))
        first.content(), second.content()
        self.report(shared, first)
        first.respond("[]")
        wait_until(lambda: "the budget is spent" in run.err, "the run to wind down")
        self.assertTrue(run.running, "the second agent has a task")
        second.respond("[]")
        result = run.result()
        self.assert_run(result, 75)
        self.assertIn("3 not finished; the budget is spent: $0.00 of $1.00, 100 of 100 tokens", result.err)
        self.assertEqual(result.err.count("an agent (other) reports no price"), 1)

    def test_a_pool_that_stops_meanwhile_has_given_the_tasks_back(self):
        """Though the run would wait an hour for another daemon; and nothing is lost."""
        shared = Pool(self)
        shared.start("--no-heartbeat")
        run = self.start_run(self.steps(4), "--pool", shared.name, "--budget-tokens", "100", "--root", shared.root,
                             "--pool-wait-secs", "3600", "--state-log", "run.ndjson")
        first, second = (HandAgent(shared, json.dumps({"name": name, "reports": True})) for name in ("a", "b"))
        first.content(), second.content()
        self.report(shared, first)
        first.respond("[]")
        wait_until(lambda: "the budget is spent" in run.err, "the run to wind down")
        shared.stop()
        result = run.result()
        self.assert_run(result, 75)
        self.assertIn("3 not finished; the budget is spent", result.err)
        inspected = json.loads(self.run_program("barnum", "inspect", "run.ndjson", "--json").out)
        self.assertEqual(sum(row["pending"] + row["waiting"] for row in inspected["steps"]), 3)
