"""What agents of another host have used adds up as that of agents of the same host does, however their attempts end: in the log,
in the summary, in the budget and in `barnum inspect`."""

import json
import re

from harness import wait_until, windows
from harness.agent_programs import ONE_REQUEST, AgentProgramCase
from harness.nats_server import NatsServer
from harness.pool import Pool as OneHost
from harness.statelog import entries
from harness.tcp_proxy import TcpProxy
from harness.two_hosts import Both, TwoHosts

READ = {"claude": {"tool": "Read", "input": {"file_path": "a.txt"}},
        "codex": {"tool": "shell_command", "input": {"command": "cat a.txt"}}}
FAILURE = {"claude": {"status": 529}, "codex": {"status": 503}}
LIMIT = {"claude": {"status": 429}, "codex": {"limit": 1}}
DONE = {"tasks": []}
# Claude Code tells most of what its model has written only with the result.
TOLD_BEFORE = {"claude": 2001, "codex": 1242}


class CutOffHosts(TwoHosts):
    """The host of the run reaches the engine through a proxy."""

    def start(self, *options, **how):
        self.proxy = TcpProxy(self.case, ("127.0.0.1", self.case.engine.port))
        there = self.agent_side.start(*self._engine(), *options, **how)
        return Both(OneHost.start(self, "--engine", self.proxy.address, *options, **how), there)


class HostsCase(AgentProgramCase):
    kind = "codex"
    hosts = TwoHosts

    def start_agent_elsewhere(self, script):
        """An agent on another host than its runs, and its model."""
        kind = self.kind
        (self.work / "a.txt").write_text("text")
        self.engine = NatsServer(self)
        self.pool = self.hosts(self)
        self.daemons = self.pool.start("--no-heartbeat")
        model = self.model(kind, script)
        self.agent_env = self.environment(kind, model.url)
        agent = self.pool.command("agent", "--kind", kind, "--label", kind, *ONE_REQUEST.get(kind, []), env=self.agent_env)
        return model, agent

    def start_run(self, timeout=600):
        ask = {"name": "Ask", "next": [], "options": {"max_retries": 0, "timeout": timeout},
               "action": {"kind": "Pool", "instructions": "Do it.", "labels": [self.kind]}}
        (self.work / "flow.json").write_text(json.dumps({"entrypoint": "Ask", "steps": [ask]}))
        self.log = self.work / f"{self.kind}-{timeout}.ndjson"
        return self.start("barnum", "run", "--config", "flow.json", "--pool", self.pool.name, "--no-embedded-pool",
                          "--budget-tokens", "100000", "--state-log", self.log)

    def begin(self, script):
        return *self.start_agent_elsewhere(script), self.start_run()

    def wait_for_use(self, model):
        """Of an attempt that has used something, and whose model is asked again."""
        wait_until(lambda: self.log.exists() and '"UsageReported"' in self.log.read_text(), "the log to tell what the attempt has used")
        wait_until(lambda: len(model.requests) == 2, "the model to be asked again")

    def assert_sums(self, run, tokens):
        """Returns the attempt's report, if there is one."""
        used = json.loads(self.run_program("barnum", "inspect", self.log, "--json").out)["usage"]
        self.assertEqual(sum(row["input_tokens"] + row["output_tokens"] for row in used), tokens)
        table = re.findall(r"(?m)^ +Ask +\S+ +\S+ +(\d+) +\d+ +(\d+) ", run.err)
        self.assertEqual(sum(int(read) + int(written) for read, written in table), tokens)
        self.assertIn(f"spent {tokens} of 100000 tokens", run.err)
        reports = [entry["report"] for entry in entries(self.log) if entry.get("report")]
        self.assertLessEqual(len(reports), 1)
        return reports[0] if reports else None


class Codex(HostsCase):
    """It tells at once all that it has used. Gemini CLI tells that only with its answers."""

    def test_an_answer(self):
        model, _, run = self.begin([READ[self.kind], DONE])
        self.assert_exit(run.result(), 0)
        self.assertTrue(self.assert_sums(run, model.served)["model"])

    def test_a_task_that_was_handed_back(self):
        model, _, run = self.begin([READ[self.kind], FAILURE[self.kind], READ[self.kind], DONE])
        self.assert_exit(run.result(), 0)
        self.assertEqual(self.assert_sums(run, model.served)["agents"], 2)

    def test_a_task_whose_agent_was_parked(self):
        model, _, run = self.begin([READ[self.kind], LIMIT[self.kind], READ[self.kind], DONE])
        wait_until(lambda: self.run_program("troupe", "accounts", "--json", env=self.agent_env).json, "the park")
        self.assert_exit(self.run_program("troupe", "accounts", "resume", env=self.agent_env), 0)
        self.assert_exit(run.result(), 0)
        self.assertEqual(self.assert_sums(run, model.served)["agents"], 2)

    def test_an_attempt_whose_time_is_over(self):
        script = [READ[self.kind], DONE | {"hold": "before"}]
        model, _ = self.start_agent_elsewhere(script)
        for timeout in windows(shortest=15, longest=240):
            asked = len(model.requests)
            model.load(script)
            run = self.start_run(timeout)
            self.assert_exit(run.result(), 1)
            if len(model.requests) == asked + 2:
                break
        self.assertEqual(self.assert_sums(run, TOLD_BEFORE[self.kind])["kind"], self.kind)


class Claude(Codex):
    kind = "claude"


class Taken(HostsCase):
    """Claude Code tells most of what its model has written only with the result, which these do not wait for."""

    def test_a_task_that_is_taken_from_its_agent(self):
        model, _, run = self.begin([READ["codex"], DONE | {"hold": "before"}])
        self.wait_for_use(model)
        model.load([DONE])
        self.assert_exit(self.pool.command("kick", "codex").result(), 0)
        self.assert_exit(run.result(), 0)
        self.assert_sums(run, model.served)

    def test_an_agent_that_is_killed(self):
        model, agent, run = self.begin([READ["codex"], DONE | {"hold": "before"}])
        self.wait_for_use(model)
        model.load([DONE])
        agent.signal(9)
        self.pool.command("agent", "--kind", "codex", "--label", "codex", env=self.agent_env)
        self.assert_exit(run.result(), 0)
        self.assert_sums(run, model.served)


class CutOff(HostsCase):
    """What an agent has told while nothing reached the run's host comes with the task."""
    hosts = CutOffHosts

    def cut_off(self, model, until):
        wait_until(lambda: model.requests, "the agent to ask its model")
        self.pool.proxy.reset()
        model.release()
        wait_until(until, "the agent to leave the task")
        self.pool.proxy.heal()

    def test_a_task_that_was_handed_back(self):
        held = READ["codex"] | {"hold": "before"}
        model, _, run = self.begin([held, FAILURE["codex"], READ["codex"], DONE])
        self.cut_off(model, lambda: "hands its task back" in self.daemons.err)
        self.assert_exit(run.result(), 0)
        self.assertEqual(self.assert_sums(run, model.served)["agents"], 2)
