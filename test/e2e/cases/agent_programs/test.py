"""`troupe agent --kind` with the real Claude Code, Codex and Gemini CLI, and scripted models: tasks, repairs, several agents."""

import json
import re

from harness import scaled, wait_until
from harness.agent_programs import KINDS, ONE_REQUEST, AgentProgramCase, for_each

SCHEMA = {"type": "array", "items": {"anyOf": [
    {"type": "object", "required": ["kind", "value"], "additionalProperties": False,
     "properties": {"kind": {"const": "Note"}, "value": {"type": "integer"}}}]}}


def note(value):
    return {"kind": "Note", "value": value}


def is_repair(request):
    return any("Your answer is not valid" in text for text in request.said("user"))


def number_of(request):
    """The task's value, which is a number, as the model was told it."""
    return int(re.search(r"JSON:\s+(\d+)", " ".join(request.said("user")))[1])


class Tasks(AgentProgramCase):
    @for_each(KINDS)
    def test_twenty_tasks_by_three_agents(self, kind):
        count = scaled(20)
        self.pool.start("--no-heartbeat")
        model = self.model(kind, lambda request: {"tasks": [note(number_of(request) + 100)]})
        agent = self.start_agent(kind, model, "--count", "3")
        wait_until(lambda: len(self.pool.waiting_agents()) == 3, "three agents")
        submitters = [self.submit(n) for n in range(count)]
        responses = [json.loads(submitter.json()["stdout"]) for submitter in submitters]
        self.assertEqual(responses, [[note(n + 100)] for n in range(count)])
        self.assertEqual(sorted(map(number_of, model.requests)), list(range(count)), "one request for each task")
        agent.signal(15)
        self.assert_exit(agent.result(), 143)

    def test_three_agents_work_at_the_same_time(self):
        """No model answers before all have been asked."""
        self.pool.start("--no-heartbeat")
        models, submitters = {}, {}
        for kind in KINDS:
            models[kind] = self.model(kind, [{"tasks": [note(1)], "hold": "before"}])
            self.start_agent(kind, models[kind], "--label", kind)
            submitters[kind] = self.submit(1, "--label", kind)
        wait_until(lambda: all(model.requests for model in models.values()), "all models to be asked")
        for kind, model in models.items():
            model.release()
            self.assertEqual(json.loads(submitters[kind].json()["stdout"]), [note(1)])

    def test_any_program_of_the_agent_client_protocol(self):
        self.pool.start("--no-heartbeat")
        model = self.model("acp", [{"text": "Let me see."}, {"text": "Here it is: [] and that is all."}])
        agent = self.start_agent("acp", model)
        for _ in range(2):
            self.assert_exit(self.submit(1).result(), 0)
        self.assertEqual(len(model.requests), 2)
        self.assert_running(agent)

    @for_each(KINDS)
    def test_the_prompt_begins_with_what_is_the_same_for_all_tasks(self, kind):
        self.pool.start("--no-heartbeat")
        model = self.model(kind, [{"tasks": []}])
        self.start_agent(kind, model)
        self.submit('"first value"', instructions="Count the words.").json()
        text = model.requests[0].text
        self.assertLess(text.index("Count the words."), text.index("first value"))


class Repairs(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def ask(self, kind, script, *options):
        """The model's server, and the end of the submitter."""
        model = self.model(kind, script)
        self.start_agent(kind, model, *options)
        result = self.submit(7, "--response-schema", json.dumps(SCHEMA)).result()
        return model, result

    @for_each(KINDS)
    def test_a_wrong_answer_is_repaired_in_the_same_conversation(self, kind):
        wrong = {"text": json.dumps([note("seven")])}
        model, result = self.ask(kind, lambda request: {"tasks": [note(7)]} if is_repair(request) else wrong)
        self.assert_exit(result, 0)
        self.assertEqual(json.loads(result.json["stdout"]), [note(7)])
        self.assert_goes_on(model)

    def assert_goes_on(self, model):
        """The last request has the task, the wrong answer and what is wrong with it, in this order."""
        last = model.requests[-1]
        roles = [role for role, _ in last.messages if role in ("user", "assistant")]
        self.assertLess(roles.index("assistant"), len(roles) - 1)
        self.assertIn("seven", "".join(last.said("assistant")))
        self.assertIn("Your answer is not valid", last.said("user")[-1])
        self.assertIn("expected integer", last.said("user")[-1])
        first = model.requests[0].said("user")
        self.assertEqual(last.said("user")[:len(first)], first)

    @for_each(KINDS)
    def test_an_empty_answer_is_repaired_too(self, kind):
        model, result = self.ask(kind, lambda request: {"tasks": [note(7)]} if is_repair(request) else {"empty": True})
        self.assert_exit(result, 0)
        self.assertEqual(json.loads(result.json["stdout"]), [note(7)])
        self.assertIn("empty", model.requests[-1].said("user")[-1])

    @for_each(KINDS)
    def test_the_last_wrong_answer_is_given_to_the_submitter(self, kind):
        model, result = self.ask(kind, [{"text": "[1]"}], "--max-repairs", "1")
        self.assert_exit(result, 0)
        self.assertEqual(json.loads(result.json["stdout"]), [1])
        repairs = [text for text in model.requests[-1].said("user") if "Your answer is not valid" in text]
        self.assertEqual(len(repairs), 1)


class Checks(AgentProgramCase):
    """`troupe agent --check`, which needs no pool."""

    ANSWER = [{"tasks": [{"kind": "Checked", "value": {"number": 17}}]}]

    def check(self, kind, script):
        model = self.model(kind, script)
        return self.start_agent(kind, model, "--check", *ONE_REQUEST.get(kind, []), attached=False).result()

    @for_each((*KINDS, "acp"))
    def test_it_tells_the_model_the_time_and_the_answer(self, kind):
        result = self.check(kind, self.ANSWER)
        self.assert_exit(result, 0)
        self.assertRegex(result.out, rf"^{kind} works.*: \d+\.\d s, \d+ tokens")
        self.assertIn('"number":17', result.out.replace(" ", ""))

    @for_each(KINDS)
    def test_it_tells_why_the_program_cannot_work(self, kind):
        result = self.check(kind, [{"status": 401}])
        self.assert_exit(result, 1)
        self.assertRegex(result.err, f"{kind} did not do the task: .*\n.*logged in")
