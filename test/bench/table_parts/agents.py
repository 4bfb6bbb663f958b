"""Agents' programs: what an agent adds to its program's own time, and the rate of 64 of them."""

import os
import shlex
import statistics
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from .figures import Row
from .programs import daemon, timed, wait_for

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "e2e"))
from harness.environment import npm_tools  # noqa: E402
from model_servers import APIS, ModelServer  # noqa: E402

ECHO = Path(__file__).with_name("echo_claude")
ROWS = [
    Row("agent echo", "a task by a program that answers at once: submit_task, start to exit",
        "the program alone, with the same arguments, and the same input from a pipe", 20, True, "ms more"),
    Row("agent claude", "a task by Claude Code, whose model answers at once: submit_task, start to exit",
        "claude alone, with the same arguments, and the same input from a pipe", 20, True, "ms more"),
    Row("agent rate", "64 agents with a program that answers at once: tasks/s",
        "64 agents with a command that does so", 0.8),
]


def measure(bench, table):
    _compare(bench, table, "agent echo", ECHO, os.environ, bench.of(100))
    _rate(bench, table)
    claude = _claude()
    if not claude:
        table.skip("agent claude", "Claude Code is not there: scripts/install-deps --agents")
        return
    with _model(bench) as environment:
        _compare(bench, table, "agent claude", claude, environment, bench.of(20))


def _compare(bench, table, key, program, environment, times):
    """The two take turns, so that both have the same neighbours on the machine."""
    recorded = bench.memory / "recorded"
    recorded.mkdir()
    ours, theirs = [], []
    with daemon(bench.troupe, bench.memory / "root") as (_, directory):
        submit = _troupe(bench, "submit_task", "--data", '{"n":1}')
        with _agents(bench, directory, environment, *_claude_agents(bench, _recorder(program, recorded))):
            timed(submit)
        command = [program, *_texts(recorded / "arguments")]
        variables = dict(text.split("=", 1) for text in _texts(recorded / "environment"))
        with _agents(bench, directory, environment, *_claude_agents(bench, program)):
            for _ in range(times + 1):
                ours.append(timed(submit) * 1000)
                theirs.append(_alone(command, recorded / "input", variables))
    for path in recorded.iterdir():
        path.unlink()
    recorded.rmdir()
    mine, alone = statistics.median(ours[1:]), statistics.median(theirs[1:])
    more = statistics.median(mine - alone for mine, alone in zip(ours[1:], theirs[1:]))
    table.add(key, more, f"{mine:.1f} ms", f"{alone:.1f} ms")


def _texts(path):
    return path.read_bytes().decode().split("\0")[:-1]


def _alone(command, input_path, environment):
    # From a pipe, as the agent gives it: Claude Code starts a quarter of a second earlier with a file as its stdin.
    return timed(["sh", "-c", 'cat "$0" | "$@"', input_path, *command], env=environment) * 1000


def _recorder(program, folder):
    """A program that keeps the arguments, the environment and the first line of the input, and then is `program`."""
    path = folder / "recorder"
    path.write_text(f"""#!/bin/sh
printf '%s\\0' "$@" >{folder}/arguments
env -0 >{folder}/environment
IFS= read -r line
printf '%s\\n' "$line" >{folder}/input
{{ cat {folder}/input; cat; }} | {shlex.quote(str(program))} "$@"
""")
    path.chmod(0o755)
    return path


def _rate(bench, table):
    program = _rate_of(bench, *_claude_agents(bench, ECHO))
    command = _rate_of(bench, "--kind", "exec", "--exec", "exec sh -c 'IFS= read -r _; echo []'")
    table.add("agent rate", program / command, f"{program:,.0f}/s", f"{command:,.0f}/s")


def _rate_of(bench, *agent):
    with daemon(bench.troupe, bench.memory / "root") as (_, directory):
        with _agents(bench, directory, os.environ, "--count", "64", *agent):
            result, = bench.json_lines(["sh", "-c", '"$@" || [ $? = 1 ]', "sh", bench.load("pool_roundtrip"), "--pool-dir",
                                        directory, "--submitters", "64", "--agents", "0", "--seconds", bench.of(10), "--json"],
                                       timeout=600)
    return max(result["tasks_per_second"], 0.1)


@contextmanager
def _agents(bench, directory, environment, *options):
    process = subprocess.Popen([str(part) for part in _troupe(bench, "agent", *options)], env=environment,
                               stdin=subprocess.DEVNULL)
    try:
        wait_for(lambda: any((directory / "agents").glob("*.ready.json")), "agents")
        yield
    finally:
        process.terminate()
        process.wait(30)


def _troupe(bench, command, *options):
    return [bench.troupe, "--root", bench.memory / "root", "--log-level", "off", command, "--pool", "bench", *options]


def _claude_agents(bench, program):
    """Options of agents that take `program` for Claude Code."""
    return ["--kind", "claude", "--program", program, "--transcripts", bench.memory / "transcripts"]


def _claude():
    """The path of Claude Code as scripts/install-deps --agents brings it; None if it has not."""
    tools = npm_tools("agent-programs")
    return tools and tools / "bin" / "claude"


@contextmanager
def _model(bench):
    """A model that answers at once; gives the environment in which Claude Code uses it."""
    server = ModelServer(APIS["claude"], [{"text": "[]"}])
    home = bench.memory / "home"
    home.mkdir(exist_ok=True)
    try:
        yield os.environ | {"HOME": str(home), "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "x",
                            "DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                            "PATH": f"{_claude().parent}:{os.environ['PATH']}"}
    finally:
        server.close()
