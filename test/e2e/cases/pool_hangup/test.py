"""SIGHUP, as it comes when a terminal is closed: what nohup has started goes on."""

import signal

from harness import Case, HandAgent, Pool, one_host, wait_until
from harness.pool import inline

ANSWER = {"kind": "Processed", "stdout": "[]"}


class Hangup(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_nohup(self, command, *options):
        return self.start("nohup", "troupe", command, "--root", self.pool.agent_side.root, "--pool", self.pool.name, *options)

    def start_agent(self, start, *how):
        """`start` starts a program that announces an agent."""
        known = self.pool.waiting_agents()
        program = start(*how)
        wait_until(lambda: self.pool.waiting_agents() - known, "the agent to wait")
        return program

    @one_host("it starts a single daemon")
    def test_what_nohup_has_started_goes_on(self):
        daemon = self.start_nohup("start", "--no-heartbeat")
        wait_until(self.pool.status_stamp, "the daemon to be ready")
        daemon.signal(signal.SIGHUP)
        submitter = self.start_nohup("submit_task", "--data", "1", "--notify", "file")
        wait_until(self.pool.submission_files, "the submission")
        submitter.signal(signal.SIGHUP)
        agent = self.start_agent(self.start_nohup, "agent", "--exec", "cat > /dev/null; printf []")
        self.assertEqual(submitter.json(), ANSWER)
        wait_until(self.pool.waiting_agents, "the agent to wait again")
        agent.signal(signal.SIGHUP)
        self.assertEqual(self.pool.submit(2).json(), ANSWER)
        agent.terminate()
        self.assertEqual(agent.result().code, 128 + signal.SIGTERM)

    def test_a_get_task_that_nohup_has_started_goes_on(self):
        self.pool.start("--no-heartbeat")
        getter = self.start_agent(self.start_nohup, "get_task")
        getter.signal(signal.SIGHUP)
        with self.pool.connect() as client:
            client.send(inline({"n": 1}))
            assignment = getter.json()
            self.assertEqual(assignment["content"], {"n": 1})
            self.pool.answer(assignment, "[]")
            self.assertEqual(client.receive(), ANSWER)

    def test_without_nohup_it_ends_them(self):
        daemon = self.pool.start("--no-heartbeat")
        for command in (["get_task"], ["agent", "--exec", "cat"]):
            agent = self.start_agent(self.pool.command, *command)
            agent.signal(signal.SIGHUP)
            self.assertEqual(agent.result().code, 128 + signal.SIGHUP)
            self.assertEqual(self.pool.agent_files(), [])
        submitter = self.pool.submit(1)
        HandAgent(self.pool).task_text()
        for program, code in ((submitter, 128 + signal.SIGHUP), (daemon, 0)):
            program.signal(signal.SIGHUP)
            self.assertEqual(program.result().code, code)
