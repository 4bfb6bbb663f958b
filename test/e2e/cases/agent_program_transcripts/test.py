"""Transcripts of agents' programs: what is kept of them, where, and what is not."""

import json
import os
import subprocess
import time
from pathlib import Path

from harness import require, scaled, wait_until
from harness.agent_programs import AgentProgramCase
from harness.workflow import WorkflowCase, pool, step

BEGIN = "#!/usr/bin/env python3\nimport json, os, sys, time\nout = sys.stdout\n"
INIT = "print('{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\",\"model\":\"m\"}', flush=True)\n"
ANSWER = ("print(json.dumps(dict(type='result', subtype='success', is_error=False, result='[]')), flush=True)\n"
          "sys.stdin.read()\n")
KIB = 1024
MOST = (2 * 256 + 64 + 1) * KIB  # bytes of a finished transcript
DAY = 24 * 3600


def records(path):
    """Each line of a transcript is JSON."""
    return [json.loads(line) for line in path.read_text().splitlines()]


class TranscriptCase(AgentProgramCase, WorkflowCase):
    def setUp(self):
        super().setUp()
        self.state = self.home / "state"
        self.env["XDG_STATE_HOME"] = str(self.state)
        self.directory = self.state / "barnum" / "transcripts" / "default"

    def transcripts(self, directory=None):
        directory = directory or self.directory
        return sorted(directory.iterdir()) if directory.exists() else []

    def the_transcript(self, directory=None):
        """Beside it there may be its next version, which is about to replace it."""
        (path,) = (directory or self.directory).glob("*.ndjson")
        return path


class StandIns(TranscriptCase):
    needs_programs = False

    def program(self, script):
        path = self.work / "program"
        path.write_text(BEGIN + script)
        path.chmod(0o755)
        return path

    def agent(self, script, *options, env=None):
        self.pool.start("--no-heartbeat")
        return self.start_agent("claude", "http://127.0.0.1:9", "--program", self.program(script), *options, env=env)

    def run_program_once(self, script, *options, env=None, value=1):
        """The agent, after the program has done a task."""
        agent = self.agent(script, *options, env=env)
        self.assert_exit(self.submit(value).result(), 0)
        return agent

    def run_of(self, script, *options, **more):
        """A run with one task for the program, without retries."""
        steps = [step("Ask", pool(), options={"max_retries": 0} | more)]
        return self.run_workflow(steps, "--agent", f"claude,program={self.program(script)}", "--state-log", "log.ndjson",
                                 *options)

    def inspected(self, *options):
        return self.run_program("barnum", "inspect", "log.ndjson", "--task", "0", *options)

    def test_the_lines_of_both_are_kept_as_they_were(self):
        self.run_program_once("sys.stdin.readline()\nprint('a warning', file=sys.stderr, flush=True)\nprint('no JSON')\n" +
                              INIT + ANSWER)
        path = self.the_transcript()
        self.assertTrue(path.name.startswith("Ask-"), path.name)
        self.assertEqual([oct(p.stat().st_mode & 0o777) for p in (path, path.parent)], ["0o600", "0o700"])
        kept = records(path)
        lines = {who: [r["line"] for r in kept if r["from"] == who] for who in ("agent", "program", "stderr")}
        self.assertEqual(lines["agent"][0]["type"], "user")
        self.assertEqual(lines["program"][0], "no JSON")
        self.assertEqual([line["type"] for line in lines["program"][1:]], ["system", "result"])
        self.assertEqual(lines["stderr"], ["a warning"])
        self.assertEqual(sorted(kept[0]), ["from", "line", "time"])
        self.assertLess(abs(kept[-1]["time"] / 1000 - time.time()), DAY)

    def test_the_values_of_secret_variables_are_not_in_it(self):
        secrets = {"MY_TOKEN": "swordfish-1", "DSN": "swordfish-2", "DB_PASSWORD": "sword\"fish\\3", "SHORT_SECRET": "12345"}
        self.run_program_once("task = sys.stdin.readline()\nprint(json.dumps(dict(os.environ)), flush=True)\n"
                              "print(os.environ['MY_TOKEN'], os.environ['DB_PASSWORD'], file=sys.stderr, flush=True)\n"
                              "out.write(os.environ['DSN'][:5]); out.flush(); print(os.environ['DSN'][5:])\n" + ANSWER,
                              "--env", "SERVICE_API_KEY=swordfish-4", *(word for name in secrets for word in ("--env", name)),
                              env=secrets | {"PLAIN": "herring", "BARNUM_REDACT": "OTHER,DSN"}, value='"swordfish-1"')
        text = self.the_transcript().read_text()
        self.assertNotIn("sword", text)
        program = [r["line"] for r in records(self.the_transcript()) if r["from"] == "program"]
        self.assertEqual({name: program[0][name] for name in (*secrets, "SERVICE_API_KEY", "PLAIN")},
                         {"MY_TOKEN": "***", "DSN": "***", "DB_PASSWORD": "***", "SHORT_SECRET": "12345",
                          "SERVICE_API_KEY": "***", "PLAIN": "herring"})
        self.assertEqual(program[1], "***")

    def test_of_thirty_megabytes_the_beginning_and_the_end_are_kept(self):
        count = scaled(300_000)
        self.run_program_once(f"sys.stdin.readline()\nfor n in range({count}): out.write(f'{{n:0100}}\\n')\n" + ANSWER)
        path = self.the_transcript()
        kept = records(path)
        (gap,) = [n for n, record in enumerate(kept) if "omitted_lines" in record]
        numbers = [int(r["line"]) for r in kept if r.get("from") == "program" and isinstance(r["line"], str)]
        begin = gap - 1  # without the task
        self.assertEqual(numbers, [*range(begin), *range(count - len(numbers) + begin, count)])
        self.assertEqual(kept[gap], {"omitted_lines": count - len(numbers), "omitted_bytes": 100 * (count - len(numbers))})
        self.assertEqual(kept[-1]["line"]["type"], "result")
        self.assertLess(path.stat().st_size, MOST)

    def test_of_a_very_long_line_the_beginning_is_kept(self):
        self.run_program_once("sys.stdin.readline()\nfor n in range(40): out.write('x' * (1 << 20))\nprint()\n" + ANSWER)
        path = self.the_transcript()
        (line,) = [r for r in records(path) if "omitted_bytes" in r]
        self.assertEqual((line["line"], line["omitted_bytes"]), ("x" * 64 * KIB, (40 << 20) - 64 * KIB))
        self.assertLess(path.stat().st_size, MOST)

    def test_a_killed_agent_leaves_what_was_said_until_then(self):
        agent = self.agent("sys.stdin.readline()\nfor n in range(50_000): print(f'{n:0100}')\n"
                           "print('the end', flush=True)\ntime.sleep(1000)\n")
        self.submit(1)
        wait_until(lambda: self.transcripts() and "the end" in self.the_transcript().read_text(), "the end in the transcript")
        agent.kill()
        agent.result()
        kept = records(self.the_transcript())
        self.assertEqual((kept[0]["from"], kept[-1]["line"]), ("agent", "the end"))
        self.assertEqual(len([r for r in kept if "omitted_lines" in r]), 1)
        wait_until(lambda: not self.programs(), "the program to end")

    def test_a_transcript_that_cannot_be_kept_costs_nothing_else(self):
        (self.work / "no-directory").write_text("")
        agent = self.run_program_once("sys.stdin.readline()\n" + ANSWER, env={"XDG_STATE_HOME": str(self.work / "no-directory")})
        self.assert_exit(self.submit(2).result(), 0)
        self.assertEqual(agent.err.count("transcripts are not kept: "), 1)

    def test_a_full_disk_ends_the_transcript_and_not_the_task(self):
        mount = "mount -t tmpfs -o size=64k tmpfs disk && mkdir -m 700 disk/t && exec \"$@\""
        (self.work / "disk").mkdir()
        apart = ["unshare", "--mount"]
        possible = subprocess.run([*apart, "mount", "-t", "tmpfs", "tmpfs", self.work / "disk"], capture_output=True, check=False)
        require(possible.returncode == 0, "mounts of one's own")
        self.pool.start("--no-heartbeat")
        program = self.program("sys.stdin.readline()\nfor n in range(5000): print(f'{n:0100}')\n" + ANSWER)
        agent = self.start(*apart, "sh", "-c", mount, "sh", "troupe", "agent", "--kind", "claude", "--program", program,
                           "--transcripts", "disk/t")
        wait_until(self.pool.waiting_agents, "the agent to attach")
        for n in range(2):
            self.assert_exit(self.submit(n).result(), 0)
        self.assertEqual(agent.err.count("transcripts are not kept: "), 1)
        self.assertIn("No space left on device", agent.err)
        kept = Path(f"/proc/{agent.pid}/root{self.work}/disk/t")
        self.assertEqual({records(path)[0]["from"] for path in kept.iterdir() if path.stat().st_size > 0}, {"agent"})

    def test_old_transcripts_are_removed_from_the_default_directory_only(self):
        chosen = self.work / "chosen"
        for directory in (self.directory, chosen):
            directory.mkdir(parents=True, mode=0o700)
            directory.chmod(0o700)
            for name, age in (("old.ndjson", 15), ("torn.ndjson.new", 15), ("notes.txt", 15), ("young.ndjson", 13)):
                (directory / name).write_text("")
                os.utime(directory / name, (time.time() - age * DAY,) * 2)
        script = "sys.stdin.readline()\n" + ANSWER
        agent = self.run_program_once(script)
        self.assertEqual([p.name for p in self.transcripts() if not p.name.startswith("Ask-")], ["notes.txt", "young.ndjson"])
        agent.terminate()
        agent.result()
        self.start_agent("claude", "http://127.0.0.1:9", "--program", self.program(script), "--transcripts", "chosen")
        self.assert_exit(self.submit(2).result(), 0)
        self.assertEqual(len(self.transcripts(chosen)), 5)
        self.assertEqual(len(self.transcripts()), 3)

    def test_none_are_kept_if_they_are_not_wanted_or_there_are_no_lines(self):
        agent = self.run_program_once("sys.stdin.readline()\n" + ANSWER, "--transcripts", "none")
        agent.terminate()
        agent.result()
        self.pool.command("agent", "--exec", "echo '[]'")
        self.assert_exit(self.submit(2).result(), 0)
        self.assertEqual(self.transcripts(), [])
        self.assertFalse(list(self.work.glob("none*")))
        self.assert_run(self.run_of("sys.stdin.readline()\n" + ANSWER, "--transcripts", "none"))
        self.assertFalse((self.work / "log.transcripts").exists())
        self.assertIsNone(self.inspected("--json").json["tasks"][0]["attempts"][0]["report"].get("transcript"))

    def test_a_runs_transcripts_are_beside_its_state_log_and_inspect_tells_where(self):
        self.assert_run(self.run_of("sys.stdin.readline()\n" + INIT + "sys.exit(3)\n"), 1)
        path = self.the_transcript(self.work / "log.transcripts")
        (attempt,) = self.inspected("--json").json["tasks"][0]["attempts"]
        self.assertEqual(attempt["report"]["transcript"], str(path))
        self.assertIn(f"\n  transcript {path}\n", self.inspected().out)
        self.assertEqual(records(path)[0]["from"], "agent")
        self.assertEqual(self.transcripts(), [])

    def test_a_run_keeps_them_where_it_is_told_also_when_it_is_resumed(self):
        (self.work / "real").mkdir()
        (self.work / "link").symlink_to("real")
        result = self.run_of("sys.stdin.readline()\n" + INIT + "os.kill(os.getppid(), 15)\ntime.sleep(1000)\n",
                             "--transcripts", "link/kept")
        self.assertNotEqual(result.code, 0)
        self.assertEqual(len(self.transcripts(self.work / "real" / "kept")), 1)
        self.assertIn("--transcripts link/kept", result.err)

    def test_the_message_of_a_timeout_tells_where_the_transcript_is(self):
        self.assert_run(self.run_of("sys.stdin.readline()\n" + INIT + "time.sleep(1000)\n", timeout=1), 1)
        path = self.the_transcript(self.work / "log.transcripts")
        (attempt,) = self.inspected("--json").json["tasks"][0]["attempts"]
        self.assertIn(f"its transcript is {path}", attempt["failure"]["message"])


class ClaudeCode(TranscriptCase):
    def test_a_conversation_with_claude_code(self):
        key = "sk-ant-not-a-real-key-0123456789"
        model = self.model("claude", [{"text": f"I use {key} and say no more."}, {"tasks": []}])
        result = self.start_run([step("Ask", pool("Say nothing."), options={"max_retries": 0})], "--agent", "claude",
                                "--state-log", "log.ndjson",
                                env=self.environment("claude", model.url) | {"ANTHROPIC_API_KEY": key}).result()
        self.assert_run(result)
        path = self.the_transcript(self.work / "log.transcripts")
        self.assertNotIn(key, path.read_text())
        kept = records(path)
        self.assertEqual(kept[0]["from"], "agent")
        self.assertEqual(kept[-1]["line"]["type"], "result")
        self.assertIn("Say nothing.", json.dumps(kept[0]["line"]))
        self.assertIn("I use *** and say no more.", json.dumps(kept))
