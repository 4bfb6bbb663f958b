"""Answers of agents that are larger than the pool takes: they fail their task at once, and hold up nobody."""

from harness import HandAgent, Pool, one_host, wait_until
from harness.environment import is_sanitized
from harness.pool import inline
from harness.pressure import MB, memory
from harness.statelog import LogCase
from harness.workflow import pool, step

LIMIT = 100_000  # bytes
HOUR = 3600
# What the daemon may need for an answer of 64 MiB. ASan keeps 256 MiB of what was freed, so the peak is then ASan's.
GROWTH = (1000 if is_sanitized() else 300) * MB
LARGE = f"printf '\"%0{3 * LIMIT}d\"' 7"


class LargeAnswers(LogCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_pool(self, *options):
        self.daemon = self.pool.start("--no-heartbeat", *options)

    def agent(self, command):
        agent = self.pool.command("agent", "--exec", command)
        wait_until(self.pool.waiting_agents, "the agent to announce itself")
        return agent

    def assert_invalid(self, answer):
        self.assertEqual((answer["kind"], answer["reason"]), ("NotProcessed", "invalid"))
        self.assertIn(str(LIMIT), answer["message"])

    def test_the_submitter_is_told_at_once_and_of_the_limit(self):
        self.start_pool("--max-message-bytes", str(LIMIT))
        agent = self.agent(LARGE)
        for transport in ("socket", "file"):
            result = self.pool.submit({"timeout_seconds": HOUR}, transport=transport).result()
            self.assert_exit(result, 1)
            self.assert_invalid(result.json)
        self.assert_running(agent)

    def test_a_published_submitter_and_a_published_agent_are_told_too(self):
        self.start_pool("--max-message-bytes", str(LIMIT))
        agent = HandAgent(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"timeout_seconds": HOUR}))
            agent.task_text()
            agent.respond('"' + "x" * 3 * LIMIT + '"')
            self.assert_invalid(client.receive())
        wait_until(lambda: agent.files() == [], "the agent's files to go")

    def test_in_a_run_it_is_an_invalid_response(self):
        self.start_pool("--max-message-bytes", str(LIMIT))
        self.agent(LARGE)
        result = self.run_logged([step("Ask", pool(), options={"max_retries": 1, "timeout": HOUR})], "--no-embedded-pool")
        self.assert_run(result, 1)
        text = self.log().read_text()
        self.assertEqual(text.count('"InvalidResponse"'), 2)
        self.assertNotIn('"Timeout"', text)
        self.assertIn(str(LIMIT), result.err)

    @one_host("a message of the engine is smaller")
    def test_one_of_nul_bytes_is_refused_and_the_daemon_stays_small(self):
        self.start_pool()
        before = memory(self.daemon.pid, "VmHWM")
        agent = HandAgent(self.pool)
        with self.pool.connect() as client, self.pool.connect() as other:
            client.send(inline({"timeout_seconds": HOUR}))
            agent.task_text()
            quick = HandAgent(self.pool)
            other.send(inline({"n": 1}))
            quick.task_text()
            prepared = self.pool.path / "scratch" / "prepared"
            prepared.write_bytes(bytes(64 * MB))
            prepared.rename(agent.response)
            quick.respond("[1]")
            self.assertEqual(other.receive()["stdout"], "[1]")
            answer = client.receive()
        self.assertEqual((answer["kind"], answer["reason"]), ("NotProcessed", "invalid"))
        self.assertLess(memory(self.daemon.pid, "VmHWM") - before, GROWTH)
        print(f"     (the daemon has used {memory(self.daemon.pid, 'VmHWM') // MB} MiB)", flush=True)
