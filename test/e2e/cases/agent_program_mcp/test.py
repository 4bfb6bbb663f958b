"""`troupe mcp` as the real Claude Code, Codex and Gemini CLI use it: their scripted models take tasks and give them in."""

import json
import shlex
import shutil
import signal
from pathlib import Path

from harness import wait_until
from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.mcp_programs import McpProgramCase, tool_results, tool_step
from harness.process import marked_processes

SCHEMA = {"type": "array", "items": {"anyOf": [
    {"type": "object", "required": ["kind", "value"], "additionalProperties": False,
     "properties": {"kind": {"const": "Note"}, "value": {"type": "integer"}}}]}}
COUNT = 5


def has_task(model):
    return any(result["kind"] == "Task" for request in model.requests for result in tool_results(request))


class Model:
    """Takes tasks until it has finished so many; its first response is not valid. Then it says that it is done. It asks for a
    task that it is told of and does not know."""

    def __init__(self, kind, count):
        self.kind, self.count = kind, count

    def __call__(self, request):
        seen = tool_results(request)
        finished = sum(result["kind"] == "Finished" for result in seen)
        last = seen[-1] if seen else {"kind": "Wait"}
        if finished == self.count:
            return {"text": "I am done."}
        if last["kind"] == "Task":
            value = "wrong" if finished == 0 else last["content"]["task"]["value"] + 100
            return self.tool("finish_task", id=last["id"], response=[{"kind": "Note", "value": value}])
        if last["kind"] == "Invalid":
            (task,) = [result for result in seen if result["kind"] == "Task" and result["id"] == last["id"]]
            return self.tool("finish_task", id=last["id"],
                             response=[{"kind": "Note", "value": task["content"]["task"]["value"] + 100}])
        unknown = set(last.get("your_tasks", ())) - {result["id"] for result in seen if result["kind"] == "Task"}
        return self.tool("next_task", **({"id": unknown.pop()} if unknown else {"wait_seconds": 45}))

    def tool(self, name, /, **arguments):
        return tool_step(self.kind, "troupe", name, **arguments)


class Clients(McpProgramCase):
    @for_each(KINDS)
    def test_five_tasks_of_which_the_first_is_answered_wrongly_at_first(self, kind):
        self.pool.start("--no-heartbeat")
        client, model = self.start_client(kind, Model(kind, COUNT), recorded=True)
        submitters = [self.submit(n, "--response-schema", json.dumps(SCHEMA)) for n in range(COUNT)]
        for number, submitter in enumerate(submitters):
            self.assertEqual(json.loads(submitter.json()["stdout"]), [{"kind": "Note", "value": number + 100}])
        ended = client.result()
        self.assert_exit(ended, 0)
        self.assertIn("I am done.", ended.out)
        seen = tool_results(model.requests[-1])
        self.assertEqual(sum(result["kind"] == "Invalid" for result in seen), 1)
        self.assertIn("Element 1", [result for result in seen if result["kind"] == "Invalid"][0]["message"])
        self.pool.stop()

    @for_each(KINDS)
    def test_a_program_that_gives_up_waiting_loses_no_task(self, kind):
        self.pool.start("--no-heartbeat")
        client, model = self.start_client(kind, Model(kind, 1), patience=2)
        wait_until(lambda: len(model.requests) >= 2 or not client.running, "the program to give up and to call again")
        self.assert_running(client)
        submitter = self.submit(5, "--response-schema", json.dumps(SCHEMA))
        self.assertEqual(json.loads(submitter.json()["stdout"]), [{"kind": "Note", "value": 105}])
        self.assert_exit(client.result(), 0)
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to be gone")
        self.pool.stop()

    @for_each(KINDS)
    def test_a_client_that_is_killed_with_a_task(self, kind):
        self.pool.start("--no-heartbeat")
        play = Model(kind, 1)
        client, model = self.start_client(kind, lambda request: {"hold": "before"} if tool_results(request) else play(request))
        submitter = self.submit(7)
        wait_until(lambda: has_task(model) or not client.running, "the model to have the task")
        self.assert_running(client)
        client.kill()
        other = self.pool.take()
        self.pool.answer(other, "[]")
        self.assertEqual(submitter.json()["stdout"], "[]")
        wait_until(lambda: not any("troupe mcp" in line for line in marked_processes(self.mark).values()),
                   "the server to end")
        self.pool.stop()

    @for_each(KINDS)
    def test_a_program_that_is_told_to_end_while_it_waits(self, kind):
        self.pool.start("--no-heartbeat")
        client, _ = self.start_client(kind, Model(kind, 1))
        wait_until(lambda: self.pool.waiting_agents() or not client.running, "the client to wait for a task")
        self.assert_running(client)
        client.signal(signal.SIGTERM)
        wait_until(lambda: not self.pool.agent_files(), "the agent to be gone")
        client.terminate()
        client.result()
        self.pool.stop()


class Settings(AgentProgramCase):
    def client(self, kind, *args, environment):
        return self.run_program(shutil.which(kind, path=self.env["PATH"]), *args, env=environment)

    def test_codex_reads_what_its_file_has_become(self):
        environment = self.environment("codex", "http://127.0.0.1:9")
        file = Path(environment["HOME"]) / ".codex/config.toml"
        base = file.read_text()
        for text, code, servers in (
                ("# [mcp_servers.troupe]", 0, ["troupe"]),
                ('x = """\n[mcp_servers.troupe]\n"""\n', 0, ["troupe"]),
                ("mcp_servers.a.command = 'x'\n", 0, ["a", "troupe"]),
                ('[ mcp_servers . "troupe" ]\ncommand = "x"\n', 1, ["troupe"]),
                ('[mcp_servers]\ntroupe.command = "x"\n', 1, ["troupe"]),
                ('mcp_servers = { a = { command = "x" } }\n', 1, ["a"])):
            with self.subTest(text=text):
                file.write_text(base + text if text.startswith("[") else text + "\n" + base)
                written = self.run_program("troupe", "mcp", "--setup", "codex", "--write", env=environment)
                self.assert_exit(written, code)
                listed = self.client("codex", "mcp", "list", "--json", environment=environment)
                self.assert_exit(listed, 0)
                self.assertEqual(sorted(server["name"] for server in json.loads(listed.out)), servers)

    def test_the_command_of_gemini_does_what_is_written(self):
        environment = self.environment("gemini", "http://127.0.0.1:9")
        shown = self.run_program("troupe", "mcp", "--setup", "gemini", env=environment).out
        line, = [line for line in shown.splitlines() if line.startswith("  gemini mcp add ")]
        self.assert_exit(self.client(*shlex.split(line), environment=environment), 0)
        written = self.run_program("troupe", "mcp", "--setup", "gemini", "--write", env=environment)
        self.assertIn("has it already", written.out)

    @for_each(("claude", "gemini"))
    def test_a_client_that_has_not_been_asked_says_so_as_we_do(self, kind):
        environment = self.environment(kind, "http://127.0.0.1:9")
        told = self.run_program("troupe", "mcp", "--setup", kind, "--write", env=environment).out
        listed = self.client(kind, "mcp", "list", environment=environment)
        word = {"claude": "pending", "gemini": "disabled"}[kind]
        self.assertIn(word, told)
        self.assertIn(word, (listed.out + listed.err).lower())
