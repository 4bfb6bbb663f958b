"""The published pool program and ours, mixed: either side of a pool may be theirs (published-troupe facts)."""

import json

from harness import Case, Pool, require, wait_until
from harness.published import Unavailable, published_troupe

CONTENT = {"task": {"kind": "Analyze", "value": {"file": "a.rs"}}, "instructions": "Look at it.", "timeout_seconds": 60}
RESPONSE = '[{"kind": "Next", "value": {"n": 1.0}}]'


class Mixed(Case):
    def setUp(self):
        super().setUp()
        try:
            self.theirs = published_troupe()
        except Unavailable as reason:
            require(False, f"interoperation with the published program: {reason}")

    def round_trip(self, pool, agent_program, submit_program, transport, shown, file=None):
        """One task from a submitter to an agent and back; `shown` is what get_task calls its content."""
        agent = pool.get_task(*self.quiet(agent_program), program=agent_program)
        submitter = pool.submit(CONTENT, *self.quiet(submit_program), file=file, transport=transport,
                                program=submit_program)
        assignment = agent.json()
        self.assertEqual((assignment["kind"], assignment["content"]), ("Task", shown))
        pool.answer(assignment, RESPONSE + "\n")
        answer = submitter.json()
        self.assertEqual((answer["kind"], answer["stdout"].strip()), ("Processed", RESPONSE))

    @staticmethod
    def quiet(program):
        return [] if program == "troupe" else ["--log-level", "off"]

    def content_file(self):
        path = self.work / "content.json"
        path.write_text(json.dumps(CONTENT))
        return path


class TheirDaemon(Mixed):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self, "theirs")
        self.daemon = self.start(self.theirs, "start", "--root", self.root, "--pool", "theirs", "--no-heartbeat")
        wait_until((self.pool.path / "status").exists, "the published daemon to be ready")

    def test_our_clients_work_with_their_daemon_over_the_socket(self):
        for _ in range(3):
            self.round_trip(self.pool, "troupe", "troupe", "socket", CONTENT)

    def test_our_clients_work_with_their_daemon_over_files(self):
        for _ in range(3):
            self.round_trip(self.pool, "troupe", "troupe", "file", CONTENT)

    def test_our_submitter_and_their_agent_work_with_their_daemon_over_the_socket(self):
        self.round_trip(self.pool, self.theirs, "troupe", "socket", CONTENT["task"])

    def test_their_submitter_and_our_agent_work_with_their_daemon_over_files(self):
        self.round_trip(self.pool, "troupe", self.theirs, "file", CONTENT)

    def test_our_file_reference_is_read_by_their_daemon(self):
        self.round_trip(self.pool, "troupe", "troupe", "socket", CONTENT, file=self.content_file())

    def test_a_workflow_runs_with_their_daemon_and_our_agents(self):
        config = {"entrypoint": "Ask", "steps": [
            {"name": "Ask", "action": {"kind": "Pool", "instructions": "Answer."}, "next": ["Keep"]},
            {"name": "Keep", "action": {"kind": "Command", "script": "cat > kept.json; echo '[]'"}, "next": []}]}
        (self.work / "flow.json").write_text(json.dumps(config))
        agent = self.start("troupe", "agent", "--root", self.root, "--pool", "theirs", "--exec",
                           """jq -c '[{kind: "Keep", value: .task.value}]'""")
        result = self.run_program("barnum", "run", "--config", "flow.json", "--root", self.root, "--pool", "theirs",
                                  "--no-embedded-pool", "--entrypoint-value", '{"x": 1}')
        self.assert_exit(result, 0)
        self.assertEqual(json.loads((self.work / "kept.json").read_text())["value"], {"x": 1})
        self.assert_running(agent)


class OurDaemon(Mixed):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self, "ours")

    def test_their_clients_work_with_our_daemon_over_the_socket(self):
        self.pool.start("--no-heartbeat")
        for _ in range(3):
            self.round_trip(self.pool, self.theirs, self.theirs, "socket", CONTENT["task"])
        self.assertEqual(self.pool.submission_files(), [])
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")

    def test_their_clients_work_with_our_daemon_over_files(self):
        self.pool.start("--no-heartbeat")
        for _ in range(3):
            self.round_trip(self.pool, self.theirs, self.theirs, "file", CONTENT["task"])
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")

    def test_both_sides_mix_on_our_daemon_in_any_order_of_transports(self):
        self.pool.start("--no-heartbeat")
        for transport in ("file", "socket", "file", "socket"):
            self.round_trip(self.pool, "troupe", self.theirs, transport, CONTENT)
            self.round_trip(self.pool, self.theirs, "troupe", transport, CONTENT["task"])

    def test_our_daemon_reads_the_file_that_their_submitter_refers_to(self):
        self.pool.start("--no-heartbeat")
        for transport in ("socket", "file"):
            self.round_trip(self.pool, self.theirs, self.theirs, transport, CONTENT["task"], file=self.content_file())

    def test_their_agent_understands_our_heartbeat_and_our_kick(self):
        daemon = self.pool.start("--idle-timeout-secs", "3", "--log-level", "debug")
        heartbeat = self.pool.get_task("--log-level", "off", program=self.theirs).json()
        self.assertEqual(heartbeat["kind"], "Heartbeat")
        self.pool.answer(heartbeat, "{}")
        wait_until(lambda: self.pool.agent_files(heartbeat["uuid"]) == [], "the heartbeat's files to go")
        daemon.terminate()
        daemon.result()
        daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")
        waiting = self.pool.get_task("--log-level", "off", program=self.theirs)
        # Its file is there before it is complete, and it would wait for ever for a daemon that has never heard of it.
        wait_until(lambda: " is ready" in daemon.err, "the daemon to know it")
        daemon.terminate()
        self.assertEqual(waiting.result().json["kind"], "Kicked")

    def test_their_stop_command_stops_our_daemon(self):
        daemon = self.pool.start()
        self.assert_exit(self.pool.command("stop", program=self.theirs).result(), 0)
        self.assert_exit(daemon.result(), 0)
