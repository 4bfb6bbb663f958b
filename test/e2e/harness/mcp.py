"""A client of the Model Context Protocol, over the pipes of a server that it starts. Checks each line that it gets."""

import json
import subprocess
import threading

from harness.case import Case
from harness.environment import binary
from harness.mcp_lines import keep
from harness.pool import Pool
from harness.process import Process
from harness.waiting import DEADLINE, wait_until

STATELESS = "2026-07-28"


def structured(result):
    """The result of a tool as an object: before 2025-06-18 only its text is sent."""
    return result.get("structuredContent") or json.loads(result["content"][0]["text"])


class McpClient(Process):
    """`revision`: with which the session is initialized; STATELESS: no session."""

    def __init__(self, case, program, *options, revision="2025-11-25", env=None, initialize=True):
        self.name, self.revision = f"{program} mcp", revision
        logs = case.home / "logs"
        logs.mkdir(exist_ok=True)
        stem = f"mcp-{len(case.processes):03d}"
        self.out_path, self.err_path, self.in_path = (logs / f"{stem}.{end}" for end in ("out", "err", "in"))
        self.out_path.touch()
        self.in_path.touch()
        with open(self.err_path, "wb") as err:
            self.popen = subprocess.Popen([binary(program), "mcp", *map(str, options)], stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, stderr=err, env=case.env | (env or {}), cwd=case.work,
                                          start_new_session=True)
        case.processes.append(self)
        self.last_id, self.answers, self.notifications, self.wrong = 0, {}, [], []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        if initialize and revision != STATELESS:
            self.initialized = self.result_of(self.request("initialize", {
                "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}}))
            self.notify("notifications/initialized")

    def _read(self):
        with open(self.out_path, "ab") as copy:
            for line in self.popen.stdout:
                copy.write(line)
                copy.flush()
                try:
                    self._note(json.loads(line))
                except (ValueError, AssertionError, KeyError) as error:
                    self.wrong.append(f"{error}: {line[:500]!r}")

    def _note(self, message):
        assert message["jsonrpc"] == "2.0", "not a message"
        if "method" in message:
            self.notifications.append(message)
            return
        assert ("result" in message) != ("error" in message), "neither result nor error, or both"
        answers = self.answers.setdefault(message.get("id"), [])
        answers.append(message)
        assert len(answers) == 1 or message.get("id") is None, "a second answer"
        result = message.get("result", {})
        if "structuredContent" in result:
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"], "the text differs"
            assert len(result["content"][0]["text"]) < 40000, "too long"

    def send_text(self, text):
        data = text.encode() if isinstance(text, str) else text
        with open(self.in_path, "ab") as copy:
            copy.write(data)
        self.popen.stdin.write(data)
        self.popen.stdin.flush()

    def send(self, message):
        self.send_text(json.dumps({"jsonrpc": "2.0"} | message) + "\n")

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def request(self, method, params=None):
        """Sends it, and returns its id."""
        self.last_id += 1
        params = dict(params or {})
        if self.revision == STATELESS:
            params["_meta"] = params.get("_meta", {}) | {
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {}}
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id

    def answer(self, id_, deadline=DEADLINE):
        wait_until(lambda: id_ in self.answers or not self.running, f"the answer to request {id_}", deadline)
        assert id_ in self.answers, f"the server has ended: {self.err}"
        return self.answers[id_][0]

    def result_of(self, id_, deadline=DEADLINE):
        message = self.answer(id_, deadline)
        assert "result" in message, message
        return message["result"]

    def error_of(self, id_):
        message = self.answer(id_)
        assert "error" in message, message
        return message["error"]

    def ask(self, method, params=None):
        return self.result_of(self.request(method, params))

    def start_call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool, **arguments):
        """The structured result; of a failure of the tool, its text."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return result["content"][0]["text"] if result.get("isError") else structured(result)

    def cancel(self, id_):
        self.notify("notifications/cancelled", {"requestId": id_, "reason": "the test says so"})

    def next_task(self, **arguments):
        """A task, for which it waits."""
        while (result := self.call("next_task", **arguments))["kind"] == "Wait":
            pass
        assert result["kind"] == "Task", result
        return result

    def vanish(self):
        """What a server sees of a client that is killed: both pipes end."""
        try:
            self.popen.stdin.close()
        except BrokenPipeError:
            pass

    def end(self):
        """Ends the client, and returns the exit code of the server."""
        self.vanish()
        code = self.popen.wait(DEADLINE)
        self.reader.join()
        self.popen.stdout.close()
        return code


class McpCase(Case):
    program = "troupe"

    def client(self, *options, **how):
        return McpClient(self, self.program, *options, **how)

    def tearDown(self):
        clients = [p for p in self.processes if isinstance(p, McpClient)]
        for client in clients:
            client.vanish()
        super().tearDown()
        for client in clients:
            client.reader.join()
            client.popen.stdout.close()
            keep(client.in_path.read_bytes(), client.out_path.read_bytes())
        self.assertEqual([w for client in clients for w in client.wrong], [])


class McpPoolCase(McpCase):
    """A pool, and clients of `troupe mcp`."""

    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")

    def status(self):
        return self.pool.command("status", "--json").json()

    def wait_for_queue(self, length):
        wait_until(lambda: self.status()["queue"]["length"] == length, f"{length} queued tasks")

    def wait_for_log(self, text):
        wait_until(lambda: text in self.daemon.err, f"{text!r} in the daemon's log")

    def assert_nothing_is_left(self):
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to be gone")
