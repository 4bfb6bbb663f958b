"""What a later version has written is not misread: a pool, a state log or a record of a higher format is refused, and earlier
versions cannot start on a pool whose agents have tasks."""

import os
import signal

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline


class PoolOfAnotherVersion(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")
        self.version = self.run_program("troupe", "version", "--json").json["version"]
        self.pool.request_by_file(inline(7), "seven")
        self.agent = HandAgent(self.pool)
        self.agent.content()

    def kill(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()

    def leases(self):
        return (self.pool.path / "leases").read_text()

    def assert_once(self):
        """The task is still this agent's, and nobody else gets it."""
        other = HandAgent(self.pool)
        self.pool.still(lambda: not other.has_task(), "the other agent has no task")
        self.agent.respond("[7]")
        self.assertEqual(self.pool.response_by_file("seven")["stdout"], "[7]")

    def test_an_earlier_version_cannot_start_where_agents_have_tasks(self):
        """Each of them has put its file of leases at this place before it served the pool, by rename, and has ended with the
        error if that failed."""
        self.kill()
        self.assertIn(f"#format 2 {self.version} ", self.leases())
        file = self.pool.path / "scratch" / "daemon.leases"
        file.write_text("")
        with self.assertRaises(IsADirectoryError):
            os.rename(file, self.pool.path / "daemon.leases")
        file.unlink()
        self.pool.start("--no-heartbeat")
        self.assert_once()

    def test_it_can_start_after_an_orderly_stop(self):
        self.assert_exit(self.pool.stop(), 0)
        file = self.pool.path / "scratch" / "daemon.leases"
        file.write_text("")
        os.rename(file, self.pool.path / "daemon.leases")
        self.daemon = self.pool.start("--no-heartbeat")  # and this one after it
        wait_until((self.pool.path / "daemon.leases").is_dir, "the place to be taken")
        self.assertNotIn("removed", self.daemon.err)

    def test_a_pool_of_a_later_version_is_refused_until_that_has_stopped(self):
        self.kill()
        leases = self.leases()
        (self.pool.path / "leases").write_text(leases.replace("#format 2 ", "#format 3 9.9.9+", 1))
        before = self.pool.agent_files(), self.pool.submission_files(), self.leases()
        for _ in range(2):
            refused = self.pool.command("start").result()
            self.assert_exit(refused, 1)
            for words in ("of version 9.9.9+", "in format 3", f"this is version {self.version}, which knows formats up to 2",
                          f"troupe stop --root {self.root} --pool default", f"remove {self.pool.path}/leases"):
                self.assertIn(words, refused.err)
        self.assertEqual((self.pool.agent_files(), self.pool.submission_files(), self.leases()), before)
        (self.pool.path / "leases").write_text(leases)
        self.pool.start("--no-heartbeat")
        self.assert_once()
