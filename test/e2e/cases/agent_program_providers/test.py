"""What providers answer that is neither an answer nor one of their usual errors, and what it means for the task and its agent."""

import json
from pathlib import Path

from harness import wait_until
from harness.agent_programs import ONE_REQUEST, AgentProgramCase, for_each

SCHEMA = {"type": "array", "items": {"type": "object", "properties": {"kind": {"const": "Note"}}}}
PORTAL = {"page": "<html><body>Accept the terms of this network.</body></html>"}


class ProviderCase(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def begin(self, kind, step, *options):
        model = self.model(kind, [step])
        agent = self.start_agent(kind, model, "--label", kind, *ONE_REQUEST.get(kind, []), *options)
        return agent, model, self.submit(1, "--label", kind)

    def failure(self, kind, step, *options):
        """The name of the failure that the submitter is told; the agent goes on."""
        agent, _, submitter = self.begin(kind, step, *options)
        result = submitter.result()
        self.assert_exit(result, 1)
        self.assertEqual(result.json["reason"], "agent_failed", result.out)
        self.assert_running(agent)
        return result.json["failure"]

    def assert_handed_back(self, kind, step):
        agent, model, submitter = self.begin(kind, step)
        wait_until(lambda: not submitter.running or model.requests and not self.pool.agent_files(), "the agent to hand it back")
        self.assert_running(submitter)
        self.assert_running(agent)


class Codex(ProviderCase):
    def test_a_filter_of_content_is_a_refusal(self):
        self.assertEqual(self.failure("codex", {"incomplete": "content_filter"}), "refusal")

    def test_an_answer_over_the_limit_is_too_large(self):
        self.assertEqual(self.failure("codex", {"incomplete": "max_output_tokens"}), "too_large")

    def test_a_failure_that_nobody_knows_is_an_error(self):
        failed = {"failed": {"code": "strange_code", "message": "Strange things happened."}}
        self.assertEqual(self.failure("codex", failed), "error")

    def test_one_of_the_provider_hands_the_task_back(self):
        self.assert_handed_back("codex", {"failed": {"code": "server_error", "message":
                                                     "An error occurred while processing your request. You can retry it."}})


class Claude(ProviderCase):
    def test_half_a_character_does_not_lose_the_answer(self):
        model = self.model("claude", [{"text": '[{"kind": "Note", "value": "\ud83d"}]'}])
        self.start_agent("claude", model)
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [{"kind": "Note", "value": "\ufffd"}])

    @for_each(("0", "1", "7"))
    def test_it_sends_wrong_answers_back_as_often_as_it_may(self, repairs):
        """The program checks them itself, against the schema that it is given."""
        model = self.model("claude", [{"tool": "StructuredOutput", "input": {"tasks": [{"kind": "Nope"}]}}])
        self.start_agent("claude", model, "--label", repairs, "--max-repairs", repairs)
        result = self.submit(1, "--label", repairs, "--response-schema", json.dumps(SCHEMA)).result()
        self.assert_exit(result, 1)
        self.assertEqual(result.json["failure"], "no_answer")
        self.assertRegex(result.json["message"], "Output does not match required schema: .*kind")
        self.assertEqual(len(model.requests), 1 + int(repairs))


class Gemini(ProviderCase):
    def environment(self, kind, url):
        variables = super().environment(kind, url)
        path = Path(variables["HOME"]) / ".gemini" / "settings.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"tools": {"discoveryCommand": "false"}}))
        return variables

    def test_an_internal_error_is_told_with_its_details(self):
        model = self.model("gemini", [{"tasks": []}])
        agent = self.start_agent("gemini", model)
        self.submit(1)
        self.assertIn("Tool discovery command failed", agent.result().err)


class Networks(ProviderCase):
    @for_each(("claude", "codex", "gemini"), ("portal", "proxy"))
    def test_what_is_in_between_hands_the_task_back(self, kind, what):
        self.assert_handed_back(kind, PORTAL | ({"status": 407} if what == "proxy" else {}))
