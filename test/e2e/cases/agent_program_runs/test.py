"""`barnum run` with the real programs as agents of its own, and on a shared pool."""

import json
import re

from harness import wait_until
from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.workflow import KEEP, WorkflowCase, emit, pool, step

COUNT = 4
MODELS = {"gemini": ",model=gemini-3.1-pro-preview"}


def number_of(request):
    """The task's value, which is a number, as the model was told it."""
    return int(re.search(r"JSON:\s+(\d+)", " ".join(request.said("user")))[1])


def ask_and_keep():
    """A workflow that asks an agent about each of the numbers, and keeps the answers."""
    number = {"type": "integer"}
    return [step("Split", emit(*[("Ask", n) for n in range(COUNT)]), ["Ask"]),
            step("Ask", pool("Add 100."), ["Keep"], value_schema=number, options={"max_retries": 0}),
            step("Keep", KEEP, value_schema=number)]


def keep(value):
    return [{"kind": "Keep", "value": value}]


class Runs(AgentProgramCase, WorkflowCase):
    def run_with_agents(self, kind, model, count=3):
        """The end of a run with agents of its own."""
        (self.work / "seen").unlink(missing_ok=True)
        return self.start_run(ask_and_keep(), "--agent", f"{kind}={count}{MODELS.get(kind, '')}",
                              env=self.environment(kind, model.url)).result()

    @for_each(KINDS)
    def test_three_agents_of_a_run_do_its_tasks(self, kind):
        model = self.model(kind, lambda request: {"tasks": keep(number_of(request) + 100)})
        self.assert_run(self.run_with_agents(kind, model))
        self.assert_seen(*[("Keep", n + 100) for n in range(COUNT)])
        self.assertEqual(len(model.requests), COUNT)
        self.assertEqual(self.programs(), {})

    @for_each(KINDS)
    def test_a_wrong_answer_is_repaired_and_uses_no_retry(self, kind):
        def answer(request):
            is_repair = any("Your answer is not valid" in text for text in request.said("user"))
            return {"tasks": keep(number_of(request))} if is_repair else {"text": json.dumps(keep("wrong"))}
        model = self.model(kind, answer)
        result = self.run_with_agents(kind, model, count=1)
        self.assert_run(result)
        self.assert_seen(*[("Keep", n) for n in range(COUNT)])
        self.assertNotIn("failed", result.err)

    @for_each(KINDS)
    def test_nothing_is_asked_after_the_budget_is_spent(self, kind):
        """Claude Code tells what a task costs; of the others, the prices do."""
        model = self.model(kind, lambda request: {"tasks": keep(number_of(request))})
        prices = "" if kind == "claude" else ",prices=input=3,prices=output=15"
        result = self.start_run(ask_and_keep(), "--agent", f"{kind}{MODELS.get(kind, '')}{prices}", "--budget-usd", "0.0001",
                                env=self.environment(kind, model.url)).result()
        self.assert_run(result, 75)
        self.assertEqual(len(model.requests), 1)
        self.assertRegex(result.err, rf"the budget is spent: \$\d.* of \$0\.0001")
        self.assertRegex(result.err, rf"\n +Ask +{kind} +\S+ +\d+ +\d+ +\d+ +\$\d")
        self.assertIn(" --budget-usd 0.", result.err)

    @for_each(("codex", "gemini"))
    def test_the_price_list_says_what_a_task_costs_about(self, kind):
        """The summary and `barnum inspect` say by the list of which date."""
        model = self.model(kind, lambda request: {"tasks": keep(number_of(request))})
        result = self.run_with_agents(kind, model)
        self.assert_run(result)
        self.assertRegex(result.err, rf"\n +Ask +{kind} +\S+ +\d+ +\d+ +\d+ +about \$0\.\d+\n")
        self.assertRegex(result.err, r"\n +about: by the public price list of 20\d\d-\d\d-\d\d\n")
        log = next(self.home.rglob("*.ndjson"))
        shown = self.run_program("barnum", "inspect", log, "--task", "1").out
        self.assertRegex(shown, r"out, about \$0\.\d+ by the price list of 20\d\d-\d\d-\d\d")

    def test_so_it_does_while_the_task_is_done(self):
        """In the status of the pool, in the table of the run, in its budget and in the list of runs."""
        model = self.model("codex", lambda request: {"tasks": [], "hold": "before"} if "call_" in request.text else
                           {"tool": "exec_command", "input": {"cmd": "true"}})
        env = self.environment("codex", model.url)
        self.pool.start("--no-heartbeat")
        self.start_agent("codex", model, env=env)
        run = self.start_run([step("Ask", pool("Add."), options={"max_retries": 0})], "--entrypoint-value", "1", "--pool", "default",
                             "--no-embedded-pool", "--budget-usd", "5", "--name", "asking", env=env)
        wait_until(lambda: re.search(r"turn 1 · about \$0\.0", self.pool.command("status").result().out), "the status")
        (agent,) = self.pool.command("status", "--json").result().json["agents"]
        self.assertRegex(agent["activity"]["price_list"], r"^20\d\d-\d\d-\d\d$")
        model.release()
        self.assert_run(run.result())
        self.assertRegex(self.run_program("barnum", "ps", "-a", env=env).out, r" ~\$0\.0\d+ ")
        (record,) = self.run_program("barnum", "ps", "-a", "--json", env=env).json
        self.assertEqual(record["price_list"], agent["activity"]["price_list"])
        self.assertIn("about $", run.err)

    def test_a_model_without_a_price_is_told_once(self):
        model = self.model("codex", lambda request: {"tasks": keep(number_of(request))})
        result = self.start_run(ask_and_keep(), "--agent", "codex,model=gpt-99",
                                env=self.environment("codex", model.url)).result()
        self.assert_run(result)
        self.assertEqual(result.err.count("an agent (codex, gpt-99) reports no price, so what it costs is not known"), 1)

    def test_a_signal_ends_the_run_and_its_programs(self):
        model = self.model("codex", [{"tasks": [], "hold": "before"}])
        run = self.start_run(ask_and_keep(), "--agent", "codex=3", env=self.environment("codex", model.url))
        wait_until(lambda: len(model.requests) == 3, "all models to be asked")
        run.signal(15)
        self.assert_run(run.result(), 143)
        self.assertEqual(self.programs(), {})

    def test_a_value_that_is_too_large_is_not_tried_again(self):
        self.pool.start("--no-heartbeat")
        model = self.model("codex", [{"tasks": []}])
        self.start_agent("codex", model)
        (self.work / "value.json").write_text(json.dumps("x" * 2_000_000))
        result = self.run_workflow([step("Ask", pool(), options={"max_retries": 3})], "--pool", "default",
                                   "--entrypoint-value", "value.json")
        self.assert_run(result, 1)
        self.assertIn("too_large", result.err)
        self.assertNotIn("attempt 2", result.err)
        self.assertEqual(model.requests, [])
