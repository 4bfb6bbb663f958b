"""What the failures of the real programs mean for the task and for the agent."""

import calendar
import json
import re
import time
from pathlib import Path

from harness import wait_until, windows
from harness.agent_programs import KINDS, ONE_REQUEST, AgentProgramCase, for_each
from harness.statelog import entries

HOUR = 3600
OVERLOADED = {"claude": {"status": 529}, "codex": {"status": 503}, "gemini": {"status": 503}}
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex", "gemini": "@google/gemini-cli"}
# As on a subscription: only then claude reads when a limit ends.
SUBSCRIPTION = {"claude": {"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": "x"}}


class FailureCase(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.daemon = self.pool.start("--no-heartbeat")

    def begin(self, kind, script, *options, env=None):
        """An agent for tasks with the label KIND, its model, and the submitter of such a task."""
        model = self.model(kind, script)
        agent = self.start_agent(kind, model, "--label", kind, *ONE_REQUEST.get(kind, []), *options, env=env)
        return agent, model, self.submit(1, "--label", kind)

    def failure(self, kind, script, *options):
        """The name of the failure that the submitter is told at once, and the model; the agent goes on."""
        agent, model, submitter = self.begin(kind, script, *options)
        result = submitter.result()
        self.assert_exit(result, 1)
        self.assertEqual((result.json["kind"], result.json["reason"]), ("NotProcessed", "agent_failed"))
        self.assert_running(agent)
        return result.json["failure"], model

    def wait_for_hand_back(self, model):
        wait_until(lambda: model.requests and not self.pool.agent_files(), "the agent to hand the task back")

    def assert_done_by_another(self, kind, submitter):
        self.pool.command("agent", "--exec", "echo '[9]'", "--label", kind, "--name", "other")
        self.assertEqual(submitter.json()["stdout"].strip(), "[9]")


class Limits(FailureCase):
    @for_each(KINDS)
    def test_a_usage_limit_hands_the_task_back(self, kind):
        limit = {"limit": int(time.time()) + HOUR}
        step = {"gemini": {"status": 429, "quota": "GenerateRequestsPerDayPerProjectPerModel"}}.get(kind, limit)
        agent, model, submitter = self.begin(kind, [step], env=SUBSCRIPTION.get(kind))
        self.wait_for_hand_back(model)
        self.assert_done_by_another(kind, submitter)
        self.assertIn("quota" if kind == "gemini" else "limit", agent.err)
        self.assert_running(agent)
        agent.signal(15)
        self.assert_exit(agent.result(), 143)

    @for_each(KINDS)
    def test_nobody_tries_again_for_as_long_as_the_provider_wants(self, kind):
        told = {"gemini": {"retry": HOUR}}.get(kind, {"headers": {"retry-after": str(HOUR)}})
        env = {"claude": {"CLAUDE_CODE_RETRY_WATCHDOG": "1"}}.get(kind)  # only then it tells
        begun = time.time()
        agent, model, submitter = self.begin(kind, [{"status": 429} | told], env=env)
        self.wait_for_hand_back(model)
        self.assert_done_by_another(kind, submitter)
        until = re.search(r"is parked until (\S+)Z: ", agent.err)[1]
        self.assertGreaterEqual(calendar.timegm(time.strptime(until, "%Y-%m-%dT%H:%M:%S")), begun + HOUR)
        self.assertEqual(len(model.requests), 1)

    def test_an_agent_of_another_kind_goes_on_and_no_retry_is_used(self):
        limited = self.model("claude", [{"limit": int(time.time()) + HOUR}])
        other = self.model("codex", [{"tasks": []}])
        self.start_agent("claude", limited, env=SUBSCRIPTION["claude"])
        config = {"entrypoint": "Ask", "steps": [{"name": "Ask", "next": [], "options": {"max_retries": 0},
                                                  "action": {"kind": "Pool", "instructions": "Do it."}}]}
        (self.work / "flow.json").write_text(json.dumps(config))
        run = self.start("barnum", "run", "--config", "flow.json", "--pool", "default", "--state-log", "log.ndjson")
        self.wait_for_hand_back(limited)
        self.start_agent("codex", other)
        self.assert_exit(run.result(), 0)
        self.assertEqual(len(other.requests), 1)
        self.assertEqual(sum(entry["kind"] == "TaskSubmitted" for entry in entries(self.work / "log.ndjson")), 1)

    @for_each(KINDS)
    def test_an_overloaded_provider_hands_the_task_back(self, kind):
        agent, model, submitter = self.begin(kind, [OVERLOADED[kind]])
        self.wait_for_hand_back(model)
        self.assert_done_by_another(kind, submitter)
        self.assert_running(agent)

    @for_each(KINDS)
    def test_the_agent_takes_a_task_again_when_it_has_rested(self, kind):
        busy = [True]
        _, model, submitter = self.begin(kind, lambda _: OVERLOADED[kind] if busy[0] else {"tasks": []})
        self.wait_for_hand_back(model)
        busy[0] = False
        self.assertEqual(json.loads(submitter.json()["stdout"]), [])

    @for_each(KINDS)
    def test_so_does_a_provider_that_closes_the_connection(self, kind):
        agent, model, submitter = self.begin(kind, [{"drop": True}])
        self.wait_for_hand_back(model)
        self.assert_done_by_another(kind, submitter)
        self.assert_running(agent)

    @for_each(KINDS)
    def test_so_does_an_answer_that_breaks_off(self, kind):
        agent, model, submitter = self.begin(kind, [{"text": "[]", "break": True}])
        self.wait_for_hand_back(model)
        self.assert_done_by_another(kind, submitter)
        self.assert_running(agent)

    @for_each(KINDS)
    def test_it_is_the_task_if_the_others_are_done_meanwhile(self, kind):
        answers = {True: OVERLOADED[kind], False: {"tasks": []}}
        model = self.model(kind, lambda request: answers["wicked" in request.text])
        self.start_agent(kind, model, "--count", "4", "--label", kind, *ONE_REQUEST.get(kind, []))
        wicked = self.submit('"wicked"', "--label", kind)
        # What the account was given before proves nothing.
        wait_until(lambda: re.search(f"agent {kind}-\\d hands its task back", self.daemon.err), "the task to be handed back")
        others = [self.submit(number, "--label", kind) for number in range(6)]
        for submitter in others:
            self.assert_exit(submitter.result(), 0)
        answer = wicked.result().json
        self.assertEqual((answer["reason"], answer["failure"]), ("agent_failed", "overloaded"))
        self.assertIn("5th time in a row", answer["message"])

    def test_a_task_whose_time_is_over_while_its_requests_fail_is_not_at_fault(self):
        model = self.model("claude", [OVERLOADED["claude"]])
        agent = self.start_agent("claude", model, "--label", "claude")
        for timeout in windows(shortest=40, longest=160):
            submitter = self.submit(1, "--label", "claude", timeout=timeout)
            wait_until(lambda: model.requests or not submitter.running, "a request, or the end of the task's time")
            if model.requests:
                break
        self.wait_for_hand_back(model)
        self.assert_done_by_another("claude", submitter)
        self.assertIn("its requests failed until the task's time was over", agent.err)
        self.assert_running(agent)


class Unusable(FailureCase):
    """The agent ends and says what to do; its task is another's."""

    def assert_ends(self, kind, agent, submitter):
        result = agent.result()
        self.assert_exit(result, 1)
        self.assertIn(f"`troupe agent --kind {kind} --check`", result.err)
        self.assert_done_by_another(kind, submitter)
        return result.err

    @for_each(KINDS)
    def test_a_key_that_the_provider_does_not_know(self, kind):
        agent, _, submitter = self.begin(kind, [{"status": 401}])
        words = {"claude": "Invalid API key", "codex": "Incorrect API key", "gemini": "authentication"}
        self.assertIn(words[kind], self.assert_ends(kind, agent, submitter))

    @for_each(KINDS)
    def test_a_model_that_the_provider_does_not_know(self, kind):
        agent, _, submitter = self.begin(kind, [{"status": 404}])
        self.assertIn("model", self.assert_ends(kind, agent, submitter))

    @for_each(KINDS)
    def test_a_program_without_a_login(self, kind):
        missing = {"claude": "ANTHROPIC_API_KEY", "codex": "LOCAL_KEY", "gemini": "GEMINI_API_KEY"}
        agent, model, submitter = self.begin(kind, [{"tasks": []}], env={missing[kind]: ""})
        self.assert_ends(kind, agent, submitter)
        self.assertEqual(model.requests, [])

    def test_codex_without_a_login_says_so_when_it_gets_no_answer(self):
        """It takes no key from its environment, and would try for half a minute to connect. A proxy may need no login."""
        model = self.model("codex", [{"tasks": [{"kind": "Checked", "value": {"number": 17}}]}])
        env = self.environment("codex", model.url) | {"OPENAI_API_KEY": "x", "CODEX_API_KEY": "x"}
        config = Path(env["HOME"]) / ".codex" / "config.toml"
        check = ("agent", "--kind", "codex", "--check")
        config.write_text('model = "gpt-5.5"\nopenai_base_url = "http://127.0.0.1:9/v1"\n')
        result = self.run_program("troupe", *check, env=env)
        self.assert_exit(result, 1)
        self.assertIn("codex is not logged in: run `codex login`, or `printenv OPENAI_API_KEY | codex login --with-api-key`", result.err)
        config.write_text(f'model = "gpt-5.5"\nopenai_base_url = "{model.url}/v1"\n')
        self.assert_exit(self.run_program("troupe", *check, env=env), 0)


    @for_each(KINDS)
    def test_a_program_that_is_not_there(self, kind):
        result = self.run_program("troupe", "agent", "--kind", kind, "--program", "/nothere/program")
        self.assertEqual(result.code, 2)
        self.assertIn("there is no program /nothere/program", result.err)

    @for_each(KINDS)
    def test_a_program_that_goes_away(self, kind):
        program = self.work / kind
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        agent = self.start_agent(kind, "http://127.0.0.1:9", "--label", kind, "--program", str(program))
        program.unlink()
        submitter = self.submit(1, "--label", kind)
        self.assertIn(str(program), self.assert_ends(kind, agent, submitter))


class FailedAttempts(FailureCase):
    @for_each(KINDS)
    def test_a_prompt_that_is_too_large_for_the_model(self, kind):
        name, model = self.failure(kind, [{"status": 400}])
        self.assertEqual(name, "too_large")
        self.assertEqual(len(model.requests), 1)

    @for_each(("claude", "codex"))
    def test_a_refusal(self, kind):
        refusals = {"claude": {"text": "no", "stop": "refusal"},
                    "codex": {"failed": {"code": "cyber_policy", "message": "This content was flagged."}}}
        name, model = self.failure(kind, [refusals[kind]])
        self.assertEqual(name, "refusal")
        self.assertEqual(len(model.requests), {"claude": 2, "codex": 1}[kind])  # claude asks once more by itself

    def test_gemini_tells_a_refusal_as_an_empty_answer(self):
        for refusal in ({"empty": True, "stop": "PROHIBITED_CONTENT"}, {"block": "SAFETY"}):
            name, _ = self.failure("gemini", [refusal], "--max-repairs", "0")
            self.assertEqual(name, "no_answer")

    def test_a_task_that_costs_too_much(self):
        read = {"tool": "Read", "input": {"file_path": "/nothere"}}
        name, _ = self.failure("claude", [read, {"text": "[]"}], "--max-usd", "0.0001")
        self.assertEqual(name, "budget")

    def test_a_task_that_takes_too_many_turns(self):
        name, _ = self.failure("claude", [{"tool": "Read", "input": {"file_path": "/nothere"}}], "--max-turns", "1")
        self.assertEqual(name, "turn_limit")

    @for_each(KINDS)
    def test_a_model_that_answers_nothing(self, kind):
        name, _ = self.failure(kind, [{"empty": True}], "--max-repairs", "0")
        self.assertEqual(name, "no_answer")

    @for_each(KINDS)
    def test_a_program_that_stays_silent(self, kind):
        name, _ = self.failure(kind, [{"tasks": [], "hold": "before"}], "--stall-secs", "5")
        self.assertEqual(name, "stalled")
        wait_until(lambda: not self.programs(), "the program to end")
