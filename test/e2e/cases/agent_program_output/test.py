"""Programs that print too much, too little or something else than they should, in the place of Claude Code."""

import json
import os

from harness import is_sanitized, wait_until
from harness.agent_programs import AgentProgramCase
from harness.pressure import memory

INIT = '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
MEGABYTE = 1 << 20
MOST_MEMORY = 2000 if is_sanitized() else 400  # MB, of the agent's process, which keeps a whole answer of 64
MOST_FOR_LINES = 2000 if is_sanitized() else 25  # MB, if no answer is kept

BEGIN = "#!/usr/bin/env python3\nimport json, os, signal, sys, time\nout = sys.stdout\n"


def result(text):
    """Lines of Python that read the task and print an answer as Claude Code does."""
    return "sys.stdin.readline()\n" + print_result(text)


def print_result(text):
    return f"out.write(json.dumps(dict(type='result', subtype='success', is_error=False, result={text})) + '\\n'); out.flush()\n"


class Output(AgentProgramCase):
    needs_programs = False

    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def write_program(self, script):
        path = self.work / "program"
        path.write_text(BEGIN + script)
        path.chmod(0o755)
        return path

    def agent(self, script, *options):
        return self.start_agent("claude", "http://127.0.0.1:9", "--program", self.write_program(script), *options)

    def failure(self, script, *options, most_memory=MOST_MEMORY):
        """The answer to the submitter of the failed task; the agent goes on, and has used no more memory than it may."""
        agent = self.agent(script, *options)
        result = self.submit(1).result()
        self.assert_exit(result, 1)
        self.assertEqual(result.json["reason"], "agent_failed")
        self.assert_small(agent, most_memory)
        wait_until(lambda: not self.programs(), "the program to end")
        return result.json

    def assert_small(self, agent, most=MOST_MEMORY):
        self.assert_running(agent)
        self.assertLess(memory(agent.pid, "VmHWM") >> 20, most)

    def test_thirty_megabytes_of_lines_without_meaning(self):
        answer = self.failure("for n in range(30): out.write(('garbage ' * 16 + '\\n') * (1 << 13))\n",
                              most_memory=MOST_FOR_LINES)
        self.assertEqual(answer["failure"], "no_answer")
        self.assertIn("garbage", answer["message"])
        self.assertLess(len(answer["message"]), 10_000)

    def test_thirty_megabytes_on_stderr(self):
        answer = self.failure("for n in range(30): sys.stderr.write(('garbage ' * 16 + '\\n') * (1 << 13))\n",
                              most_memory=MOST_FOR_LINES)
        self.assertEqual(answer["failure"], "no_answer")

    def test_a_hundred_megabytes_without_a_newline(self):
        answer = self.failure("for n in range(100): out.write('x' * (1 << 20))\n")
        self.assertEqual(answer["failure"], "error")
        self.assertIn("67108864", answer["message"])

    def test_a_failure_with_a_very_long_message(self):
        answer = self.failure("sys.stdin.readline()\n"
                              "out.write(json.dumps(dict(type='result', subtype='success', is_error=True, result='\\0' * 300000)) + '\\n')\n")
        self.assertEqual(answer["failure"], "error")
        self.assertLess(len(answer["message"]), 10_000)

    def test_an_account_is_parked_also_if_its_park_cannot_be_kept(self):
        state = self.work / "no-directory"
        state.write_text("")
        starts = self.work / "starts"
        path = self.work / "program"
        path.write_text(f"#!/bin/sh\necho >>{starts}\nread -r task\n"
                        """echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"limit"}'\n""")
        path.chmod(0o755)
        agent = self.start_agent("claude", "http://127.0.0.1:9", "--program", path, env={"XDG_STATE_HOME": str(state)})
        self.submit(1)
        wait_until(lambda: "is known to this agent only" in agent.err and " waits: " in agent.err, "the agent to wait")
        self.assertEqual(starts.read_text(), "\n")

    def test_bytes_that_are_no_text(self):
        self.assertEqual(self.failure("out.buffer.write(bytes(range(256)) * 1000 + b'\\n{\\xff}\\n')\n")["failure"], "no_answer")

    def test_half_a_line(self):
        answer = self.failure(f"out.write('{INIT[:30]}')\n")
        self.assertEqual(answer["failure"], "no_answer")

    def test_nothing(self):
        self.assertEqual(self.failure("")["failure"], "no_answer")

    def test_nothing_and_it_stays(self):
        answer = self.failure("while True: time.sleep(1000)\n", "--stall-secs", "1")
        self.assertEqual(answer["failure"], "stalled")

    def test_a_beginning_and_it_stays(self):
        answer = self.failure(f"print('{INIT}', flush=True)\nwhile True: time.sleep(1000)\n", "--stall-secs", "1")
        self.assertEqual(answer["failure"], "stalled")

    def test_a_crash(self):
        answer = self.failure(f"print('{INIT}', flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)\n")
        self.assertEqual(answer["failure"], "crashed")

    def test_an_error_after_the_beginning(self):
        answer = self.failure(f"print('{INIT}', flush=True)\nprint('out of luck', file=sys.stderr)\nsys.exit(3)\n")
        self.assertEqual(answer["failure"], "crashed")
        self.assertIn("out of luck", answer["message"])

    def test_an_error_before_the_beginning_ends_the_agent(self):
        agent = self.agent("print('unknown option --verbose', file=sys.stderr)\nsys.exit(2)\n")
        submitter = self.submit(1)
        result = agent.result()
        self.assert_exit(result, 1)
        self.assertIn("unknown option --verbose", result.err)
        self.pool.answer(self.pool.take(), "[]")
        self.assert_exit(submitter.result(), 0)

    def test_an_answer_of_forty_megabytes(self):
        agent = self.agent(result("json.dumps([dict(kind='A', value='x' * 40_000_000)])") + "sys.stdin.read()\n")
        (task,) = json.loads(self.submit(1).json()["stdout"])
        self.assertEqual(len(task["value"]), 40_000_000)
        self.assert_small(agent)

    def test_an_answer_among_garbage(self):
        self.agent(f"print('Welcome!')\nprint('{INIT}')\nprint('[1, 2')\nprint()\n" + result("'[]'") + "sys.stdin.read()\n")
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [])

    def test_a_program_that_stays_after_its_answer_is_ended(self):
        agent = self.agent("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + result("'[]'") + "while True: time.sleep(1000)\n")
        for _ in range(2):
            self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [])
        wait_until(lambda: not self.programs(), "the programs to end")
        self.assert_running(agent)

    def test_what_the_program_has_started_ends_with_it(self):
        self.agent("os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '1000')\n" + result("'[]'") + "sys.stdin.read()\n")
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [])
        wait_until(lambda: not self.programs(), "the program and what it has started to end")

    def test_a_program_that_closes_its_stdin_and_reads_nothing(self):
        path = self.work / "large.json"
        path.write_text(json.dumps("x" * 5 * MEGABYTE))
        self.agent("os.close(0)\n" + print_result("'[]'"))
        result_ = self.submit(path.read_text()).json()
        self.assertEqual(json.loads(result_["stdout"]), [])

    def check(self, script, *options):
        """What `troupe agent --check` says of a program that cannot do its task."""
        result = self.start_agent("claude", "http://127.0.0.1:9", "--program", self.write_program(script), "--check", *options,
                                  attached=False).result()
        self.assert_exit(result, 1)
        self.assertEqual(self.programs(), {})
        return result.err

    def test_a_check_ends_in_time_though_the_program_goes_on_printing(self):
        err = self.check(f"while True:\n    print('{INIT}', flush=True)\n    time.sleep(0.1)\n", "--stall-secs", "2")
        # On a busy machine the program may not have begun by then.
        self.assertRegex(err, "claude did not do the task: (it was not done within 2 s\nDoes the program wait for something|claude was silent)")

    def test_a_check_tells_how_a_wrong_answer_begins(self):
        err = self.check("for line in sys.stdin:\n    " + print_result("'\\n Hello! \\x1b[2J\\nHow are you?'"), "--max-repairs", "1")
        self.assertRegex(err, r"claude answered, but not as it was asked to, after 1 repair; its answer begins: Hello! \?\[2J\n.")
        self.assertNotIn("How are you?", err.split("\n")[0])
