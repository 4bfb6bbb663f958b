"""Workflows with Pool steps: what agents are given, the embedded pool, a daemon's, and none."""

import json
import signal

from harness import Pool, holds_for, is_over_engine, one_host, scaled, wait_until
from harness.fake_daemon import NO_ANSWER, FakeDaemon
from harness.workflow import KEEP, WorkflowCase, emit, pool, step

PREAMBLE = ("**IMPORTANT: This task is completely isolated. You have no memory of previous tasks. Even if this task "
            "seems related to prior work, you must complete it from scratch using only the information provided "
            "here.**")
SCHEMA = {"type": "object", "required": ["findings"], "properties": {"findings": {"type": "array"}}}
# As generated for the two steps below; blank lines don't count in the comparison.
NON_TERMINAL = PREAMBLE + """
# Current Step: AnalyzeFile
Analyze this file for issues. Return findings as a list of tasks.
## Valid Responses
You must return a JSON array of tasks. Each task has `kind` and
`value` fields.
Valid next steps:
### Categorize
Value must match schema:
```json
{
  "type": "object",
  "required": ["findings"],
  "properties": {
    "findings": { "type": "array" }
  }
}
```
Example:
{"kind": "Categorize", "value": {...}}"""
TERMINAL = PREAMBLE + """
# Current Step: Categorize
Sort them.
## Terminal Step
This is a terminal step. Return an empty array: `[]`"""
ANALYZE = [
    step("AnalyzeFile", pool("Analyze this file for issues. Return findings as a list of tasks."), ["Categorize"]),
    step("Categorize", pool("Sort them."), value_schema=SCHEMA)]


def without_blank_lines(text):
    return "\n".join(line for line in text.splitlines() if line.strip())


class Forgetful:
    """A daemon that loses its first connection when so many requests have come, and answers those that come again."""

    def __init__(self, requests_to_lose):
        self.lost, self.requests = requests_to_lose, 0

    def reply(self, _):
        self.requests += 1
        if self.requests < self.lost:
            return NO_ANSWER
        return None if self.requests == self.lost else {"kind": "Processed", "stdout": "[]"}


class PoolSteps(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def serve(self, response, **how):
        """Takes one task, answers it, and returns its content."""
        assignment = self.pool.take(**how)
        self.assertEqual(assignment["kind"], "Task")
        self.pool.answer(assignment, response)
        return assignment["content"]

    def assert_pool_ended(self):
        for name in ("status", "daemon.sock"):
            self.assertFalse((self.pool.path / name).exists(), name)


class WhatAgentsGet(PoolSteps):
    """The runs host the pool, but over an engine."""

    def setUp(self):
        super().setUp()
        if is_over_engine():
            self.pool.start("--no-heartbeat")

    def test_the_payload_has_the_task_the_instructions_and_the_timeout(self):
        run = self.start_run([step("AnalyzeFile", pool("Look."), options={"timeout": 300})], "--entrypoint-value",
                             '{"file": "src/main.rs"}')
        content = self.serve("[]")
        self.assert_run(run.result())
        self.assertEqual(list(content), ["task", "instructions", "timeout_seconds"])
        self.assertEqual(content["task"], {"kind": "AnalyzeFile", "value": {"file": "src/main.rs"}})
        self.assertEqual(content["timeout_seconds"], 300)

    def test_without_a_timeout_the_payload_has_none(self):
        run = self.start_run([step("AnalyzeFile", pool())])
        self.assertEqual(list(self.serve("[]")), ["task", "instructions"])
        self.assert_run(run.result())

    def test_the_generated_instructions_are_those_of_the_document(self):
        run = self.start_run(ANALYZE)
        first = self.serve([{"kind": "Categorize", "value": {"findings": []}}])["instructions"]
        second = self.serve("[]")["instructions"]
        self.assert_run(run.result())
        self.assertEqual(without_blank_lines(first), NON_TERMINAL)
        self.assertEqual(without_blank_lines(second), TERMINAL)

    def test_a_next_step_without_a_schema_says_that_it_takes_any_value(self):
        run = self.start_run([step("A", pool(), ["B"]), step("B", KEEP)])
        text = self.serve("[]")["instructions"]
        self.assert_run(run.result())
        self.assertNotIn("Value must match schema", text)
        self.assertIn("any JSON value", text)

    def test_instructions_may_be_inline_or_linked_relative_to_the_config(self):
        (self.work / "texts").mkdir()
        (self.work / "texts/do.md").write_text("From the *file*.\nSecond line.\n")
        for instructions, expected in (({"inline": "Just so."}, "Just so."),
                                       ({"link": "texts/do.md"}, "From the *file*.\nSecond line.")):
            run = self.start_run([step("A", pool(instructions))])
            self.assertIn(expected, self.serve("[]")["instructions"])
            self.assert_run(run.result())

    def test_a_value_keeps_its_text_through_an_agent(self):
        value = '{"z":1.0,"a":1e400,"big":123456789012345678901234567890,"e":"\\u00e9"}'
        run = self.start_run([step("Ask", pool(), ["Keep"]), step("Keep", KEEP)], "--entrypoint-value", value)
        agent = self.pool.command("get_task").result()
        self.assertIn(value, agent.out)
        self.pool.answer(agent.json, f'[ {{"kind": "Keep", "value": {value} }} ]')
        self.assert_run(run.result())
        self.assertEqual(self.seen_text(), ['{"kind":"Keep","value":' + value + "}"])

    def test_a_value_nested_500_deep_passes_through_an_agent(self):
        deep = "[" * 500 + "]" * 500
        run = self.start_run([step("Ask", pool(), ["Keep"]), step("Keep", KEEP)], "--entrypoint-value", deep)
        agent = self.pool.command("get_task").result()
        self.assertIn(deep, agent.out)
        response_file = json.loads(agent.out.replace(deep, "0"))["response_file"]
        self.pool.answer({"response_file": response_file}, f'[{{"kind":"Keep","value":{deep}}}]')
        self.assert_run(run.result())
        self.assertEqual(self.seen_text(), ['{"kind":"Keep","value":' + deep + "}"])


    @one_host("a message of the engine is smaller")
    def test_a_value_of_40_megabytes_passes_through_an_agent(self):
        size = scaled(40_000_000)
        big = f"""printf '[{{"kind":"Ask","value":"'; head -c {size} /dev/zero | tr '\\0' x; printf '"}}]'"""
        relay = """sed 's/^{"task":{"kind":"Ask"/[{"kind":"Measure"/; s/},"instructions".*/}]/'"""
        self.assert_run(self.run_workflow([step("Big", big, ["Ask"]), step("Ask", pool(), ["Measure"]),
                                           step("Measure", "wc -c > size; echo '[]'")],
                                          "--pool", "default", "--agents", "1", "--agent-exec", relay))
        self.assertAlmostEqual(int((self.work / "size").read_text()), size, delta=100)
        self.assertEqual(list((self.pool.path / "scratch").iterdir()), [])


@one_host("a run that hosts its pool has one host")
class EmbeddedPool(PoolSteps):
    def test_a_run_hosts_its_pool_when_no_daemon_does_and_says_so(self):
        run = self.start_run(ANALYZE)
        self.serve([{"kind": "Categorize", "value": {"findings": ["a"]}},
                    {"kind": "Categorize", "value": {"findings": []}}])
        self.assertEqual([self.serve("[]")["task"]["value"]["findings"] for _ in range(2)], [["a"], []])
        result = run.result()
        self.assert_run(result)
        self.assertIn("pool", result.err)
        self.assert_pool_ended()

    def test_a_daemon_is_told_that_a_run_hosts_the_pool(self):
        run = self.start_run([step("Ask", pool())])
        agent = self.pool.take()
        result = self.run_program("troupe", "start")
        self.assert_exit(result, 1)
        self.assertRegex(result.err, r"\(process \d+, a `barnum run`, which hosts it until the run's end\); stop it with "
                                     rf"`troupe stop --root {self.root} --pool default`")
        self.pool.answer(agent, "[]")
        self.assert_run(run.result())

    def test_other_submitters_may_use_the_embedded_pool(self):
        run = self.start_run([step("Ask", pool())])
        agent = self.pool.take()
        submitter = self.pool.submit({"mine": 1})
        self.assertEqual(self.serve("[9]"), {"mine": 1})
        self.assertEqual(submitter.json()["stdout"], "[9]")
        self.pool.answer(agent, "[]")
        self.assert_run(run.result())

    def test_a_run_that_used_another_runs_pool_goes_on_with_it_and_with_its_agents_when_that_run_ends(self):
        first = self.start_run([step("One", pool())])
        busy = self.pool.take()
        (self.work / "second.json").write_text(json.dumps(
            {"entrypoint": "Two", "steps": [step("Two", pool(), ["Three"]), step("Three", pool())]}))
        second = self.start("barnum", "run", "--config", "second.json")
        at_work = self.pool.take()  # the second run's task, from the first one's pool
        waiting = self.pool.get_task()
        self.pool.answer(busy, "[]")
        self.assert_run(first.result())
        wait_until(lambda: "hosting it" in second.err, "the second run to host the pool")
        self.pool.answer(at_work, [{"kind": "Three", "value": {}}])
        next_task = waiting.json()
        self.assertEqual(next_task["content"]["task"]["kind"], "Three")
        self.pool.answer(next_task, "[]")
        result = second.result()
        self.assert_run(result)
        self.assertRegex(result.err, r"Two +1 +0 +0\n")

    def test_agents_that_wait_stay_for_the_next_run_that_hosts_the_pool(self):
        run = self.start_run([step("Ask", pool())])
        busy = self.pool.take()
        idle = self.pool.get_task()
        self.pool.answer(busy, "[]")
        self.assert_run(run.result())
        self.assert_pool_ended()
        run = self.start_run([step("Ask", pool())], "--entrypoint-value", '"again"')
        task = idle.json()
        self.assertEqual((task["kind"], task["content"]["task"]["value"]), ("Task", "again"))
        self.pool.answer(task, "[]")
        self.assert_run(run.result())

    def test_agents_that_wait_are_told_when_a_hosted_pool_is_stopped(self):
        run = self.start_run([step("Ask", pool())])
        self.pool.take()
        idle = self.pool.get_task()
        self.assert_exit(self.pool.stop(), 0)
        kicked = idle.json()
        self.assertEqual((kicked["kind"], kicked["reason"]), ("Kicked", "Stopped"))
        self.assert_running(run)
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)

    def test_a_run_without_pool_steps_starts_no_pool(self):
        self.assert_run(self.run_workflow([step("Only", KEEP)]))
        self.assertFalse(self.pool.path.exists())

    def test_an_interrupted_run_withdraws_its_tasks_and_ends_its_pool(self):
        run = self.start_run([step("Ask", pool())])
        self.pool.take()
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
        self.assert_pool_ended()

    def test_the_pool_may_be_named_and_placed(self):
        elsewhere = Pool(self, "reviews", self.home / "elsewhere")
        run = self.start_run([step("Ask", pool())], "--pool", "reviews", "--root", elsewhere.root)
        wait_until((elsewhere.path / "status").exists, "the pool")
        elsewhere.answer(elsewhere.take(), "[]")
        self.assert_run(run.result())
        self.assert_run(self.run_workflow([step("Ask", pool())], "--pool", "not/a/name"), 2)


class DaemonsPool(PoolSteps):
    def test_a_run_uses_the_daemon_that_serves_the_pool(self):
        daemon = self.pool.start("--no-heartbeat")
        for args in ([], ["--no-embedded-pool"]):
            run = self.start_run(ANALYZE, *args)
            self.serve([{"kind": "Categorize", "value": {"findings": []}}])
            self.serve("[]")
            self.assert_run(run.result())
        self.assert_running(daemon)
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")
        self.assertEqual(self.pool.submission_files(), [])

    def test_a_task_over_the_daemons_cap_fails_and_nothing_else(self):
        self.pool.start("--no-heartbeat", "--max-message-bytes", "100000")
        large = step("Split", """printf '[{"kind":"Ask","value":"%0200000d"},{"kind":"Ask","value":"small"}]' 0""",
                     ["Ask"])
        run = self.start_run([large, step("Ask", pool())])
        self.assertEqual(self.serve("[]")["task"]["value"], "small")
        result = run.result()
        self.assert_run(result, 1)
        self.assertIn("at most 100000 are accepted", result.err)

    def test_two_runs_share_a_daemon(self):
        self.pool.start("--no-heartbeat")
        runs = [self.start_run([step("One", pool())], "--no-embedded-pool")]
        (self.work / "second.json").write_text(json.dumps({"entrypoint": "Two", "steps": [step("Two", pool())]}))
        runs.append(self.start("barnum", "run", "--config", "second.json", "--no-embedded-pool"))
        self.assertEqual({self.serve("[]")["task"]["kind"] for _ in range(2)}, {"One", "Two"})
        for run in runs:
            self.assert_run(run.result())

    def test_an_interrupted_run_withdraws_its_tasks_from_the_daemon(self):
        self.pool.start("--no-heartbeat")
        run = self.start_run([step("Split", emit(("Ask", 1), ("Ask", 2)), ["Ask"]), step("Ask", pool())])
        busy = self.pool.take()
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
        self.pool.wait_tasks_recorded(2)
        self.pool.answer(busy, "[]")
        agent = self.pool.get_task()
        self.pool.still(lambda: len(self.pool.waiting_agents()) == 1 and agent.running, "nothing of the run is left to do")

    def test_without_a_pool_a_run_that_may_not_host_one_waits_and_exits_69(self):
        result = self.run_workflow([step("Ask", pool())], "--no-embedded-pool", "--pool-wait-secs", "1")
        self.assert_run(result, 69)
        self.assertIn(str(self.pool.path), result.err)

    def test_a_run_waits_for_a_daemon_that_is_started_later(self):
        run = self.start_run([step("Ask", pool())], "--no-embedded-pool", "--pool-wait-secs", "60")
        holds_for(lambda: run.running, 0.5, "the run waits")
        self.pool.start("--no-heartbeat")
        self.serve("[]")
        self.assert_run(run.result())

    @one_host("the test is the daemon itself")
    def test_a_lost_connection_is_told_of_once_however_many_tasks_were_on_it(self):
        daemon = Forgetful(6)
        FakeDaemon(self, self.pool.path, daemon.reply)
        result = self.run_workflow([step("Split", emit(*[("Ask", n) for n in range(6)]), ["Ask"]), step("Ask", pool())],
                                   "--no-embedded-pool")
        self.assert_run(result)
        self.assertEqual(daemon.requests, 12)
        self.assertEqual(result.err.count("connection lost; waiting up to"), 1, result.err)

    @one_host("a message of the engine is smaller")
    def test_a_large_value_is_there_for_the_next_daemon_too(self):
        large = "x" * 3_000_000
        daemon = self.pool.start("--no-heartbeat")
        (self.work / "value.json").write_text(json.dumps({"text": large}))
        run = self.start_run([step("Ask", pool())], "--no-embedded-pool", "--entrypoint-value", "value.json")
        scratch = self.pool.path / "scratch"
        wait_until(lambda: list(scratch.glob("*.content")), "the content, which is too large for a frame")
        daemon.signal(signal.SIGKILL)
        daemon.result()
        self.pool.start("--no-heartbeat")
        content = self.serve("[]")
        self.assertEqual(content["task"]["value"]["text"], large)
        self.assert_run(run.result())
        self.assertEqual(list(scratch.iterdir()), [])

    @one_host("a run that hosts its pool has one host")
    def test_a_killed_daemon_is_told_of_once(self):
        daemon = self.pool.start("--no-heartbeat")
        run = self.start_run([step("Split", emit(*[("Ask", n) for n in range(3)]), ["Ask"]), step("Ask", pool())])
        self.pool.take()
        daemon.signal(signal.SIGKILL)
        wait_until(lambda: "hosting it for as long as this run lasts" in run.err, "the run to host the pool")
        self.assertEqual(run.err.count("waiting up to"), 1, run.err)
        run.signal(signal.SIGINT)
        run.result()

    def test_a_daemon_that_stops_and_comes_back_costs_no_retry(self):
        self.pool.start("--no-heartbeat")
        run = self.start_run([step("Ask", pool(), ["Keep"]), step("Keep", KEEP)], "--no-embedded-pool",
                             options={"max_retries": 0})
        self.pool.take()
        self.assert_exit(self.pool.stop(), 0)
        holds_for(lambda: run.running, 0.5, "the run waits for the pool")
        self.pool.start("--no-heartbeat")
        self.serve([{"kind": "Keep", "value": 1}])
        result = run.result()
        self.assert_run(result)
        self.assert_seen(("Keep", 1))
