"""`troupe mcp` with a client that does not read its answers: whatever ends it, its tasks go to other agents."""

import contextlib
import json
import select
import subprocess

from harness import wait_until
from harness.environment import binary
from harness.mcp import McpPoolCase

TASKS = 40
LONG = "x" * 30000  # so that the answers fill a pipe and more


def line(id_, method, params):
    message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


class Unread(McpPoolCase):
    def start_server(self, output):
        server = subprocess.Popen([binary("troupe"), "mcp"], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE,
                                  env=self.env, cwd=self.work)
        self.addCleanup(server.stderr.close)
        self.addCleanup(lambda: server.poll() is None and server.kill())
        return server

    def take_all(self, server):
        for _ in range(TASKS):
            self.pool.submit({"text": LONG})
        self.wait_for_queue(TASKS)
        calls = [line(number, "tools/call", {"name": "next_task", "arguments": {}}) for number in range(TASKS)]
        text = line("i", "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}}) + b"".join(calls)
        # The server reads this much at once. What came later it would not handle, once the first answers are unread.
        self.assertLessEqual(len(text), select.PIPE_BUF)
        server.stdin.write(text)
        server.stdin.flush()

    def assert_ends(self, server, code, message=""):
        self.assertEqual(server.wait(), code)
        self.assertEqual("cannot write to stdout" in server.stderr.read().decode(), bool(message))
        self.wait_for_queue(TASKS)
        self.assert_nothing_is_left()

    def test_it_ends_its_input(self):
        server = self.start_server(subprocess.PIPE)
        self.take_all(server)
        self.wait_for_queue(0)
        server.stdin.close()
        self.assert_ends(server, 0)
        server.stdout.close()

    def test_it_closes_its_end_of_the_output(self):
        server = self.start_server(subprocess.PIPE)
        server.stdin.write(line("i", "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}}))
        server.stdin.write(line(1, "tools/call", {"name": "next_task", "arguments": {"wait_seconds": 45}}))
        server.stdin.flush()
        wait_until(self.pool.waiting_agents, "the agent to wait")
        server.stdout.close()
        self.assertEqual(server.wait(), 0)  # it has written nothing
        self.assert_nothing_is_left()
        server.stdin.close()

    def test_its_output_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            server = self.start_server(full)
        self.take_all(server)
        self.assert_ends(server, 74, "cannot write to stdout: No space left on device")
        server.stdin.close()

    def test_it_ends_in_the_middle_of_a_line_and_never_reads(self):
        server = self.start_server(subprocess.PIPE)
        server.stdout.close()
        with contextlib.suppress(BrokenPipeError), server.stdin:
            server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 10000)
            server.stdin.write(b'{"jsonrpc":')
        self.assertEqual(server.wait(), 0)
