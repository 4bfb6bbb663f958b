"""`barnum mcp` as the real Claude Code, Codex and Gemini CLI use it: their scripted models start a run, wait for its end, and
read why a task has failed."""

import json

from harness.agent_programs import KINDS, for_each
from harness.mcp_programs import McpProgramCase, tool_results, tool_step
from harness.workflow import emit, step

# In the order in which the model uses them; wait_run until it is over.
READING = (("list_failures", {}), ("read_task", {"task": 1}), ("read_logs", {"task": 1, "stream": "stderr"}))


def last_of(request):
    seen = tool_results(request)
    return seen[-1] if seen else {"kind": "nothing"}


class Model:
    """Starts a run of flow.json, waits for its end, reads the failure, and says what it was. The run goes on when the model
    has been told once that it must wait."""

    def __init__(self, kind, go):
        self.kind, self.go, self.run = kind, go, ""

    def __call__(self, request):
        last = last_of(request)
        if last["kind"] == "nothing":
            return self.tool("start_run", config="flow.json", name="mine")
        if last["kind"] == "Started":
            self.run = last["run"]
        if last["kind"] == "Wait":
            self.go.touch()
        if last["kind"] in ("Started", "Wait"):
            return self.tool("wait_run", run=self.run, wait_seconds=1 if last["kind"] == "Started" else 45)
        place = ("Ended", "Failures", "Task", "Logs").index(last["kind"])
        if place == len(READING):
            return {"text": f"It failed: {last['outputs'][-1]['lines'][-1]}"}
        name, arguments = READING[place]
        return self.tool(name, run=self.run, **arguments)

    def tool(self, name, /, **arguments):
        return tool_step(self.kind, "barnum", name, **arguments)


class Clients(McpProgramCase):
    server = "barnum"
    prompt = "Start the workflow, and tell me what fails."

    @for_each(KINDS)
    def test_a_run_is_started_waited_for_and_its_failure_read(self, kind):
        go = self.home / f"go-{kind}"
        script = f"cat >/dev/null; await {go}; echo visible; echo the disk is full >&2; exit 3"
        flow = {"entrypoint": "Begin", "steps": [step("Begin", emit(("Bad", {"n": 7})), ["Bad"]), step("Bad", script)]}
        client, model = self.start_client(kind, Model(kind, go), files={"flow.json": json.dumps(flow)}, recorded=True)
        self.addCleanup(go.touch)  # the run goes on without its client
        ended = client.result()
        self.assert_exit(ended, 0)
        self.assertIn("It failed: the disk is full", ended.out)
        seen = tool_results(model.requests[-1])
        kinds = [result["kind"] for result in seen if result["kind"] != "Wait"]
        self.assertEqual(kinds, ["Started", "Ended", "Failures", "Task", "Logs"])
        self.assertEqual(seen[1]["kind"], "Wait")
        started, (over, failures, task, logs) = seen[0], seen[-4:]
        self.assertEqual((over["run"], over["state"], over["dropped"], over["exit_code"]), (started["run"], "failed", 1, 1))
        (failure,) = failures["failures"]
        self.assertEqual((failure["id"], failure["step"], failure["exit_code"]), (1, "Bad", 3))
        self.assertIn("the disk is full", failure["message"])
        self.assertEqual((task["task"]["value"], task["task"]["attempts"][0]["failure"]["exit_code"]), ({"n": 7}, 3))
        self.assertEqual([output["lines"] for output in logs["outputs"]], [["the disk is full"]])
        (home,) = self.home.glob(f"home-{kind}-*")
        (run,) = self.run_program("barnum", "ps", "--all", "--json", env={"HOME": home}).json
        self.assertEqual((run["id"], run["name"], run["state"]), (started["run"], "mine", "failed"))
