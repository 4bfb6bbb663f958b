"""Whose answer it is: agents that a model starts beside itself don't answer the task, end it, or go uncounted."""

import json
import re

from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.statelog import entries

START = {"claude": {"tool": "Agent", "input": {"description": "part", "prompt": "The part of the task.",
                                               "subagent_type": "general-purpose", "run_in_background": True}},
         "codex": {"tool": "spawn_agent", "namespace": "multi_agent_v1", "input": {"message": "The part of the task.",
                                                                                   "agent_type": "default"}},
         "gemini": {"tool": "invoke_agent", "input": {"agent_name": "generalist", "prompt": "The part of the task."}}}
USED = {"claude": 2000 + 42, "codex": 1200 + 42}  # tokens of each request
NOTE = {"kind": "Note", "value": 1}
SCHEMA = {"type": "array", "items": {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "Note"}}}}


def is_of_part(request):
    """Whether another agent's model is asked, not the task's."""
    return not any("The value of this task" in text for _, text in request.messages)


def wait_for(agent):
    """Codex's agents answer at any time; the others are waited for."""
    return {"tool": "wait_agent", "namespace": "multi_agent_v1", "input": {"targets": [agent], "timeout_ms": 10000}}


class Model:
    """Starts an agent, which answers with a task of its own. Then it answers itself, at first as `first` says."""

    def __init__(self, kind, first=None):
        self.kind, self.first, self.started, self.waited = kind, first, False, False

    def __call__(self, request):
        if is_of_part(request):
            end = {"tool": "complete_task", "input": {"result": "Other"}}  # gemini's agents have a tool for it
            return end if self.kind == "gemini" else {"text": json.dumps([{"kind": "Other"}])}
        if not self.started:
            self.started = True
            return START[self.kind]
        started = re.search(r"agent_id[^0-9a-f]*([0-9a-f-]{36})", request.text)
        if self.kind == "codex" and started and not self.waited:
            self.waited = True
            return wait_for(started[1])
        if self.first and not is_repair(request):
            return self.first
        return {"tasks": [NOTE]}


def is_repair(request):
    return "Your answer is not valid" in request.text


class SubAgents(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def ask(self, kind, *options, first=None):
        model = self.model(kind, Model(kind, first))
        agent = self.start_agent(kind, model, "--permissions", "full", "--project-settings", "true", *options,
                                 env={"IS_SANDBOX": "1"})
        result = self.submit(1, "--response-schema", json.dumps(SCHEMA)).result()
        self.assert_exit(result, 0)
        self.assert_running(agent)
        return model, json.loads(result.json["stdout"])

    @for_each(KINDS)
    def test_the_tasks_own_model_answers(self, kind):
        model, answer = self.ask(kind, "--max-repairs", "0")
        self.assertEqual(answer, [NOTE])
        self.assertTrue(any(map(is_of_part, model.requests)), "no agent was started")

    @for_each(KINDS)
    def test_so_it_does_after_a_repair(self, kind):
        model, answer = self.ask(kind, "--max-repairs", "1", first={"text": json.dumps([{"kind": "Nope"}])})
        self.assertEqual(answer, [NOTE])
        self.assertEqual(sum(is_repair(request) for request in model.requests), 1)

    @for_each(("claude", "codex"))
    def test_arguments_forbid_them(self, kind):
        forbid = {"claude": ("--disallowedTools", "Agent"), "codex": ("--disable", "multi_agent")}[kind]
        model, answer = self.ask(kind, *(f"--arguments={word}" for word in forbid))
        self.assertEqual(answer, [NOTE])
        self.assertFalse(any(map(is_of_part, model.requests)), "an agent was started")


class Usage(AgentProgramCase):
    @for_each(("claude", "codex"))  # gemini does not tell it
    def test_what_they_use_is_counted(self, kind):
        steps = [{"name": "Note", "next": [], "action": {"kind": "Command", "script": "echo []"}}, {"name": "Ask", "next": ["Note"], "action": {"kind": "Pool", "instructions": "Do it."}}]
        (self.work / "flow.json").write_text(json.dumps({"entrypoint": "Ask", "steps": steps}))
        model = self.model(kind, Model(kind))
        log = f"{kind}.ndjson"
        run = self.start("barnum", "run", "--config", "flow.json", "--agent", f"{kind},permissions=full",
                         "--state-log", log, env=self.environment(kind, model.url) | {"IS_SANDBOX": "1"})
        self.assert_exit(run.result(), 0)
        (report,) = [entry["report"] for entry in entries(self.work / log) if entry.get("report")]
        self.assertEqual(report["input_tokens"] + report["output_tokens"], USED[kind] * len(model.requests))
