"""The counts of a pool survive its daemons."""

import json
import re
import signal

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline


class Counts(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.file = self.pool.path / "counts"

    def process(self, number):
        for _ in range(number):
            agent = HandAgent(self.pool)
            id_ = self.pool.request_by_file(inline(1))
            agent.content()
            agent.respond("[]")
            self.pool.response_by_file(id_)

    def stop(self, daemon):
        self.pool.stop()
        daemon.result()

    def counts(self):
        """Processed tasks: of this daemon, and of all."""
        status = self.pool.status()
        return status["counts"]["processed"], status["total"]["counts"]["processed"]

    def test_a_daemon_goes_on_with_the_counts_of_those_before_it(self):
        daemon = self.pool.start("--no-heartbeat")
        since = self.pool.status()["total"]["since"]
        self.process(3)
        self.assertEqual(self.counts(), (3, 3))
        table = self.pool.command("status").result().out
        self.assertNotIn("since\n", table, "there is nothing to add")
        self.stop(daemon)
        daemon = self.pool.start("--no-heartbeat")
        self.process(2)
        self.assertEqual(self.counts(), (2, 5))
        self.assertEqual(self.pool.status()["total"]["since"], since)
        lines = self.pool.command("status").result().out.splitlines()
        heading = next(number for number, line in enumerate(lines) if re.match(r"daemons +submitted  processed ", line))
        self.assertRegex(lines[heading], r"kicked  since$")
        self.assertRegex(lines[heading + 1], r"^this one +2 +2 .* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
        self.assertRegex(lines[heading + 2], r"^all so far +5 +5 .* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
        self.stop(daemon)

    def test_what_a_killed_daemon_has_written_is_kept(self):
        daemon = self.pool.start("--no-heartbeat")
        self.process(1)
        wait_until(self.file.exists, "the counts to be written")
        daemon.signal(signal.SIGKILL)
        daemon.result()
        self.pool.start("--no-heartbeat")
        self.assertEqual(self.counts(), (0, json.loads(self.file.read_text())["counts"]["processed"]))
        self.assertEqual(self.counts(), (0, 1))

    def test_a_damaged_file_is_told_of_and_the_counts_begin_anew(self):
        self.stop(self.pool.start("--no-heartbeat"))
        for text in "", '{"since":1', "[]", "x" * 5000:
            self.file.write_text(text)
            daemon = self.pool.start("--no-heartbeat")
            self.assertIn(f"{self.file} cannot be read: the pool's counts begin anew", daemon.err)
            self.process(1)
            self.assertEqual(self.counts(), (1, 1))
            self.stop(daemon)

    def test_the_pool_of_a_run_leaves_nothing(self):
        config = self.work / "flow.json"
        config.write_text(json.dumps({"entrypoint": "Ask", "steps": [
            {"name": "Ask", "action": {"kind": "Pool", "instructions": "x"}, "next": []}]}))
        self.assert_exit(self.run_program("barnum", "run", config, "--agents", "1", "--agent-exec", "echo '[]'", "--root", self.root), 0)
        self.assertEqual(list((self.root / "pools").iterdir()), [])
