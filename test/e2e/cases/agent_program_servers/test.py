"""Servers of tools that the settings of agents name, with the real programs: the setting `mcp`."""

import json
import sys
from pathlib import Path

from harness.agent_programs import AgentProgramCase, for_each
from harness.mcp_programs import plain_results, tool_step

KINDS = ("claude", "codex")
SERVER = Path(__file__).with_name("notes_server.py")
SECRET = "words-of-a-secret"


class ServerCase(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.tree = self.home / "tree"
        self.tree.mkdir()

    def servers(self, path=None, **members):
        path = path or self.home / "servers.json"
        server = {"command": sys.executable, "args": [str(SERVER), "COLOUR", "NOTES_TOKEN"],
                  "env": {"COLOUR": "${NOTES_COLOUR:-blue}", "NOTES_TOKEN": "${NOTES_TOKEN}"}} | members
        path.write_text(json.dumps({"mcpServers": {"notes": server}}))
        return path

    def write(self, text):
        path = self.home / "servers.json"
        path.write_text(text)
        return path


class Tools(ServerCase):
    @for_each(KINDS, ("read", "edit"))
    def test_the_model_uses_them(self, kind, level):
        self.pool.start("--no-heartbeat")
        model = self.model(kind, [tool_step(kind, "notes", "note", word="first"), {"tasks": []}])
        agent = self.start_agent(kind, model, "--mcp", str(self.servers()), "--permissions", level, "--directory", str(self.tree),
                                 "--env", "NOTES_TOKEN", env={"NOTES_TOKEN": SECRET})
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], agent.err)
        self.assertIn(f"noted: first blue {SECRET}", plain_results(model.requests[-1]))
        agent.terminate()
        agent.result()
        self.pool.stop()

    @for_each(("gemini", "acp"))
    def test_over_the_agent_client_protocol(self, kind):
        """gemini starts servers only in a directory that it trusts, and the protocol does not say whose a tool is."""
        self.pool.start("--no-heartbeat")
        model = self.model("gemini", [tool_step("gemini", "notes", "note", word="first"), {"tasks": []}])
        options = {"gemini": ["--project-settings", "true"], "acp": ["--permissions", "full"]}[kind]
        agent = self.start_agent(kind, model, "--mcp", str(self.servers()), *options, "--directory", str(self.tree),
                                 "--env", "NOTES_TOKEN", env={"NOTES_TOKEN": SECRET})
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], agent.err)
        self.assertIn(f"noted: first blue {SECRET}", plain_results(model.requests[-1]))
        agent.terminate()
        agent.result()
        self.pool.stop()

    @for_each(KINDS)
    def test_a_config_names_the_file_from_its_own_place(self, kind):
        model = self.model(kind, [tool_step(kind, "notes", "note", word="first"), {"tasks": []}])
        self.servers(self.work / "servers.json")
        workflow = {"agents": [{"kind": kind, "mcp": "servers.json", "directory": str(self.tree),
                                "env": {"NOTES_TOKEN": None, "NOTES_COLOUR": "red"}}], "entrypoint": "Ask",
                    "steps": [{"name": "Ask", "next": [], "action": {"kind": "Pool", "instructions": "Do it."}}]}
        (self.work / "w.json").write_text(json.dumps(workflow))
        run = self.run_program("barnum", "run", "--config", "w.json",
                               env=self.environment(kind, model.url) | {"NOTES_TOKEN": SECRET})
        self.assert_exit(run, 0)
        self.assertIn(f"noted: first red {SECRET}", plain_results(model.requests[-1]))


class Refused(ServerCase):
    """Before the agents begin, with what is wrong with the file, and where."""

    needs_programs = False

    def refusal(self, path, *options, env=None):
        done = self.run_program("troupe", "agent", "--kind", "claude", "--program", "cat", "--directory", str(self.tree),
                                "--mcp", str(path), *options, env=env or {})
        self.assert_exit(done, 2)
        return done.err.removeprefix("troupe: ").strip()

    def test_no_file(self):
        self.assertEqual(self.refusal(self.home / "none.json"),
                         f"--kind: mcp: cannot read {self.home}/none.json: No such file or directory")

    def test_a_file_that_is_no_list_of_servers(self):
        path, command = self.home / "servers.json", json.dumps(sys.executable)
        for text, message in (
                ("servers", "line 1, column 1: "), ("[]", "it must be an object with the member \"mcpServers\""),
                ('{"mcpServers": {}}', "it has no server"),
                ('{"mcpServers": {"a b": {}}}', 'the name of a server has letters, digits, \'-\' and \'_\' only, unlike "a b"'),
                ('{"mcpServers": {"x": {}}}', 'the server "x": it must have either command or url'),
                ('{"mcpServers": {"x": {"command": 1}}}', 'the server "x": command must be a string'),
                ('{"mcpServers": {"x": {"command": %s, "arg": []}}}' % command,
                 'the server "x": unknown member "arg"; did you mean "args"?'),
                ('{"mcpServers": {"x": {"command": "./x"}}}',
                 'the server "x": its command ./x would be looked up in the directory of the task; give an absolute path'),
                ('{"mcpServers": {"x": {"command": "nothing-there"}}}',
                 'the server "x": there is no program nothing-there on the PATH')):
            with self.subTest(text):
                self.assertIn(f"--kind: mcp: {path}: {message}", self.refusal(self.write(text)))

    def test_a_variable_that_the_agents_do_not_have(self):
        path = self.servers()
        for env in ({}, {"NOTES_TOKEN": SECRET}):  # a secret is passed on only if it is named
            self.assertIn('the server "notes": it needs the variable NOTES_TOKEN, which the program would not have: set it, and if it '
                          "holds a secret, name it in env", self.refusal(path, env=env))

    def test_a_file_of_the_directory_is_not_trusted(self):
        inside, link = self.servers(self.tree / "servers.json"), self.home / "link.json"
        link.symlink_to(inside)
        for path in (inside, link):
            self.assertIn("it lies in the directory in which the agents work, which is not trusted: move it to another place, or set "
                          "project_settings", self.refusal(path))

    def test_a_program_that_can_use_no_server_that_runs_already(self):
        path = self.write('{"mcpServers": {"x": {"url": "http://127.0.0.1:9/mcp"}}}')
        program = self.work / "program"
        program.write_text('#!/bin/sh\nread -r line\necho \'{"id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}\'\nread -r line\n')
        program.chmod(0o755)
        self.pool.start("--no-heartbeat")
        agent = self.pool.command("agent", "--kind", "acp", "--exec", str(program), "--mcp", str(path))
        self.submit(1)
        self.assert_exit(agent.result(), 1)
        self.assertIn("the program can use no servers of tools that run already", agent.err)

    def test_other_kinds(self):
        for kind, reason in (("gemini", "it starts no servers in a directory that it does not trust; project_settings trusts it"),):
            done = self.run_program("troupe", "agent", "--kind", kind, "--program", "cat", "--mcp", str(self.servers()))
            self.assert_exit(done, 2)
            self.assertIn(f"--mcp is not available for {kind}: {reason}", done.err)
