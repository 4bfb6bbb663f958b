"""The agent script of the agent protocol, as it stands, against the daemon; submitters on the command line."""

import json
import os

from harness import Case, Pool, require, wait_until
from shutil import which


class BashAgent(Case):
    def setUp(self):
        super().setUp()
        require(which("jq"), "jq is not installed, and the documented agent needs it")
        self.pool = Pool(self)

    def start_agent(self, script, *args):
        return self.start("/bin/bash", self.fixtures / script, *args, env={"TROUPE_ROOT": self.pool.agent_side.root})

    def end_agents(self, *agents):
        """A loop round get_task goes on for ever, so it ends before the daemon does."""
        for agent in agents:
            agent.kill()

    def submit(self, content, transport, **how):
        return self.pool.submit(content, transport=transport, **how)

    def test_the_documented_agent_serves_both_transports(self):
        self.pool.start()
        agent = self.start_agent("agent.sh")
        for transport in (None, "socket", "file", "socket", "file"):
            answer = self.submit({"task": {"kind": "A", "value": 1}, "instructions": ""}, transport).json()
            self.assertEqual(answer, {"kind": "Processed", "stdout": answer["stdout"]})
            self.assertEqual(json.loads(answer["stdout"]), [])
        self.assertEqual(self.pool.submission_files(), [])
        self.end_agents(agent)

    def test_the_documented_agent_answers_heartbeats_and_serves_on(self):
        daemon = self.pool.start("--idle-timeout-secs", "1")
        agent = self.start_agent("agent.sh")
        first = wait_until(self.pool.waiting_agents, "the agent")
        wait_until(lambda: self.pool.waiting_agents() and not self.pool.waiting_agents() & first,
                   "the agent to come back after a heartbeat")
        self.assertEqual(json.loads(self.submit({}, "socket").json()["stdout"]), [])
        self.assertNotIn("Timeout", daemon.out)
        self.end_agents(agent)

    def test_three_agents_share_the_work_of_many_submitters(self):
        self.pool.start()
        agents = [self.start_agent("echo_agent.sh", f"agent-{n}") for n in range(3)]
        wait_until(lambda: len(self.pool.waiting_agents()) == 3, "three agents")
        transports = ["socket", "file"] * 6
        submitters = [self.submit({"number": n}, transport) for n, transport in enumerate(transports)]
        for n, submitter in enumerate(submitters):
            self.assertEqual(json.loads(submitter.json()["stdout"]), [{"kind": "Echo", "value": {"number": n}}])
        served = (self.work / "served").read_text().split()
        self.assertEqual((len(served), set(served)), (12, {"agent-0", "agent-1", "agent-2"}))
        self.end_agents(*agents)

    def test_a_payload_may_come_from_a_file(self):
        self.pool.start()
        agent = self.start_agent("echo_agent.sh", "reader")
        (self.work / "payload.json").write_text('{"text": "it\'s \\"quoted\\""}')
        for name in ("payload.json", self.work / "payload.json"):  # relative as well: the client makes it absolute
            for transport in ("socket", "file"):
                answer = self.submit(None, transport, file=name).json()
                self.assertEqual(json.loads(answer["stdout"]), [{"kind": "Echo", "value": {"text": "it's \"quoted\""}}])
        self.end_agents(agent)

    def test_the_response_comes_back_byte_by_byte(self):
        self.pool.start("--no-heartbeat")
        response = ' [ {"kind":"\\u00e9é", "value":1.0 , "n": 1e400} ]\n\n'
        for transport in ("socket", "file"):
            agent = self.pool.get_task()
            submitter = self.submit({"n": 1}, transport)
            assignment = agent.json()
            with open(assignment["response_file"], "w", encoding="utf-8") as file:
                file.write(response)
            self.assertEqual(submitter.json()["stdout"], response)

    def test_stdout_of_submit_task_is_the_answer_alone_at_every_log_level(self):
        self.pool.start("--log-level", "trace")
        agent = self.start_agent("agent.sh")
        result = self.submit({}, "socket").result()
        self.assertEqual(len(result.out.strip().splitlines()), 1, result.out)
        loud = self.pool.submit({}, "--log-level", "trace", transport="file").result()
        self.assertEqual(loud.json["kind"], "Processed")
        self.end_agents(agent)
        # The agents may have been ended at their next get_task, whose file goes with the daemon's next start.
        left = [name for name in os.listdir(self.pool.agent_side.path / "scratch") if not name.endswith(".ready.json")]
        self.assertEqual(left, [])
