"""The real Claude Code, Codex and Gemini CLI as clients of MCP servers: how they are told of one, and what their model, which
a test plays, has got from its tools."""

import json
import shutil

from harness.agent_programs import AgentProgramCase
from harness.environment import binary
from harness.mcp_lines import recording

PROGRAMS = {"claude": ["claude", "-p", "--output-format", "json", "--mcp-config", ".mcp.json", "--strict-mcp-config",
                       "--allowedTools", "mcp__{server}"],
            "codex": ["codex", "exec", "--json", "--skip-git-repo-check", "-"],
            "gemini": ["gemini", "--skip-trust", "-m", "gemini-3.1-pro-preview", "--output-format", "json"]}
NAMES = {"claude": "mcp__{server}__{tool}", "codex": "{tool}", "gemini": "mcp_{server}_{tool}"}

SETTINGS = {"claude": ".mcp.json", "codex": "{home}/.codex/config.toml", "gemini": "{home}/.gemini/settings.json"}
# What `--setup` has written there of it; claude has an environment variable.
PATIENCE = {"codex": lambda seconds: {"tool_timeout_sec = 60": f"tool_timeout_sec = {seconds}"},
            "gemini": lambda seconds: {'"timeout": 60000': f'"timeout": {1000 * seconds}'}}


def tool_step(kind, server, tool, /, **arguments):
    """The step of a model's script that calls a tool of `troupe mcp` or `barnum mcp`."""
    step = {"tool": NAMES[kind].format(server=server, tool=tool), "input": arguments}
    return step | ({"namespace": f"mcp__{server}"} if kind == "codex" else {})


def tool_results(request):
    """The objects that the tools have returned so far, in order, as this kind of program tells its model. Objects around which
    there is text are found; what else a tool has said is left out."""
    text, found, at = plain_results(request), [], 0
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            at += 1
            continue
        if "kind" in value:
            found.append(value)
    return found


def plain_results(request):
    """The results of tools in the request, a line for each."""
    body, texts = request.body, []
    for message in body.get("messages", []):  # claude
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "tool_result":
                texts.append(block["content"] if isinstance(block["content"], str) else block["content"][0]["text"])
    for item in body.get("input", []):  # codex
        if item.get("type") == "function_call_output":
            output = item["output"]
            texts.append(output if isinstance(output, str) else "".join(part.get("text", "") for part in output))
    for content in body.get("contents", []):  # gemini
        texts += [str(part["functionResponse"]["response"].get("output", "")) for part in content["parts"]
                  if "functionResponse" in part]
    return "\n".join(texts)


class McpProgramCase(AgentProgramCase):
    server = "troupe"  # or "barnum"
    prompt = "Be an agent of the pool."

    def start_client(self, kind, script, patience=60, files=None, recorded=False):
        """Starts the program in a directory of its own, with these files ({name: text}), after `--setup` has told it of the
        server. `patience`: for how many seconds it waits for a tool. `recorded`: with a shell between it and the server, the
        lines are kept and checked. Returns the program and its model server."""
        work = self.work / f"work-{len(list(self.work.iterdir()))}"
        work.mkdir()
        for name, text in (files or {}).items():
            (work / name).write_text(text)
        model = self.model(kind, script)
        environment = self.environment(kind, model.url)
        self.assert_exit(self.run_program(self.server, "mcp", "--setup", kind, "--write", cwd=work, env=environment), 0)
        changes = PATIENCE.get(kind, lambda seconds: {})(patience)
        if recorded:
            changes[binary(self.server)] = str(recording(self, self.server))
        self.change(work / SETTINGS[kind].format(home=environment["HOME"]), changes)
        if kind == "claude":
            environment["MCP_TOOL_TIMEOUT"] = str(1000 * patience)
        program, *options = [part.format(server=self.server) for part in PROGRAMS[kind]]
        path = shutil.which(program, path=self.env["PATH"])
        return self.start(path, *options, cwd=work, env=environment, stdin=self.prompt.encode()), model

    def change(self, file, changes):
        text = file.read_text()
        for before, after in changes.items():
            self.assertEqual(text.count(before), 1)
            text = text.replace(before, after)
        file.write_text(text)
