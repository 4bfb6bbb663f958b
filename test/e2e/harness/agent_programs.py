"""The real programs of agents, as `troupe agent --kind` and `barnum run` start them, with model servers in the test's own
process: each kind has a home of its own, and nobody's login or settings take part."""

import functools
import itertools
import json
from pathlib import Path

from harness.case import Case, require
from harness.environment import npm_tools
from harness.pool import Pool
from harness.process import marked_processes
from harness.waiting import wait_until
from model_servers import APIS, ModelServer

KINDS = ("claude", "codex", "gemini")
# Without a model, gemini first asks another one which it should take.
OPTIONS = {"gemini": ["--model", "gemini-3.1-pro-preview"],
           "acp": ["--exec", "gemini --acp --skip-trust -m gemini-3.1-pro-preview"]}
# Without retries of the program's own; the others get that by their settings.
ONE_REQUEST = {"claude": ["--env", "CLAUDE_CODE_MAX_RETRIES=0"]}
FOREIGN = ("ANTHROPIC_", "CLAUDE", "OPENAI_", "CODEX_", "GEMINI_", "GOOGLE_", "NODE_", "npm_")

CODEX_CONFIG = """model = "gpt-5.5"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 0
stream_max_retries = 1
"""
GEMINI_SETTINGS = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False},
                   "general": {"maxAttempts": 1, "retryFetchErrors": False}}


@functools.cache
def programs_directory():
    """The directory with the programs, None if they were not brought here."""
    tools = npm_tools("agent-programs")
    return tools and tools / "bin"


def for_each(*choices):
    """The test is called with each combination of the choices, as a subtest. What it has started is ended after each."""
    def decorate(test):
        @functools.wraps(test)
        def run(self):
            for chosen in itertools.product(*choices):
                with self.subTest(" ".join(chosen)):
                    known = len(self.processes)
                    try:
                        test(self, *chosen)
                    finally:
                        self.end_processes(self.processes[known:])
        return run
    return decorate


def is_foreign(name):
    return name.startswith(FOREIGN) or name.lower().endswith("_proxy")


class AgentProgramCase(Case):
    needs_programs = True  # False: the tests bring scripts in their place

    def setUp(self):
        super().setUp()
        programs = programs_directory()
        require(programs or not self.needs_programs, "agents' programs; scripts/install-deps --agents brings them")
        self.env = {name: value for name, value in self.env.items() if not is_foreign(name)}
        (self.home / "tmp").mkdir()
        self.env |= {"PATH": f"{programs}:{self.env['PATH']}", "TMPDIR": str(self.home / "tmp"), "LANG": "C.UTF-8",
                     "TERM": "dumb"}
        self.pool = Pool(self)

    def model(self, kind, script):
        """A server for the programs of that kind."""
        server = ModelServer(APIS[kind], script)
        self.addCleanup(server.close)
        return server

    def environment(self, kind, url):
        """What a program of that kind needs to use the server at that URL, with a new home."""
        home = self.home / f"home-{kind}-{len(list(self.home.glob('home-*')))}"
        home.mkdir()
        return {"HOME": str(home)} | ENVIRONMENTS[kind](home, url)

    def start_agent(self, kind, server, *options, env=None, attached=True):
        """Starts `troupe agent --kind KIND`; `server` is a model server or a URL. Returns when the agents are attached."""
        url = server if isinstance(server, str) else server.url
        known = self.pool.waiting_agents()
        agent = self.pool.command("agent", "--kind", kind, *OPTIONS.get(kind, []), *options,
                                  env=self.environment(kind, url) | (env or {}))
        if attached:
            wait_until(lambda: self.pool.waiting_agents() - known or not agent.running, "the agent to attach")
            self.assert_running(agent)
        return agent

    def submit(self, value, *options, instructions="Do it.", timeout=None, kind="Ask"):
        """Starts `troupe submit_task` with a task as a run would submit it; `value` is the JSON text of the task's value."""
        limit = f', "timeout_seconds": {timeout}' if timeout else ""
        text = f'{{"task": {{"kind": {json.dumps(kind)}, "value": {value}}}, "instructions": {json.dumps(instructions)}{limit}}}'
        path = self.home / f"content-{len(list(self.home.glob('content-*')))}.json"
        path.write_text(text)
        return self.pool.submit(None, *options, file=path)

    def end_processes(self, processes):
        for process in reversed(processes):
            process.terminate()
            process.result()

    def programs(self):
        """{pid: command line} of what lives of the agents' programs and of all that they have started."""
        own = {process.pid for process in self.processes}
        return {pid: line for pid, line in marked_processes(self.mark).items() if pid not in own and not is_guard(line)}

    def program_of(self, agent):
        """The pid of the process that `agent` has started for its task, or starts now."""
        (pid,) = wait_until(lambda: [pid for pid in self.programs() if parent_of(pid) == agent.pid], "the program to be there")
        return pid


def is_guard(line):
    return Path(line.split(" ", 1)[0]).name in ("troupe", "barnum")


def parent_of(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def claude_environment(_, url):
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "x", "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


def codex_environment(home, url):
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(CODEX_CONFIG.format(url=url))
    return {"LOCAL_KEY": "x"}


def gemini_environment(home, url):
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text(json.dumps(GEMINI_SETTINGS))
    return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "x", "GEMINI_CLI_NO_RELAUNCH": "true"}


ENVIRONMENTS = {"claude": claude_environment, "codex": codex_environment, "gemini": gemini_environment, "acp": gemini_environment}
