"""A pool that is removed under its daemon, as a whole or in part: it is created again, or another daemon has it by then."""

import shutil
import signal

from harness import Case, HandAgent, Pool, remove_in_use, wait_until
from harness.pool import inline
from harness.process import wait_suspended


class Removed(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def assert_served(self, daemon):
        """By this daemon, over both transports, and by no other."""
        self.pool.command("agent", "--exec", "echo '[]'")
        for transport in "socket", "file":
            self.assertEqual(self.pool.submit(1, transport=transport).json()["kind"], "Processed")
        second = self.pool.command("start").result()
        self.assert_exit(second, 1)
        self.assertIn("another daemon serves the pool", second.err)
        self.assert_exit(self.pool.stop(), 0)
        self.assert_exit(daemon.result(), 0)
        self.assertFalse((self.pool.path / "daemon.sock").exists())

    def test_a_removed_socket_is_made_again_and_connections_stay(self):
        daemon = self.pool.start()
        with self.pool.connect() as client:
            client.send(inline("7"))
            wait_until(lambda: self.pool.status()["queue"]["length"] == 1, "the task")
            socket = self.pool.path / "daemon.sock"
            socket.unlink()
            wait_until(socket.exists, "the socket")
            self.assertIn(f"a part of the pool in {self.pool.path} was removed; creating it again", daemon.err)
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), 7)
            agent.respond("[]")
            self.assertEqual(client.receive()["kind"], "Processed")
        self.assert_served(daemon)

    def remove(self, directory):
        daemon = self.pool.start()
        with self.pool.connect() as client:
            client.send(inline("7"))
            wait_until(lambda: self.pool.status()["queue"]["length"] == 1, "the task")
            remove_in_use(directory)
            wait_until((self.pool.path / "status").exists, "the pool")
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), 7)
            agent.respond("[]")
            self.assertEqual(client.receive()["kind"], "Processed")
        self.assert_served(daemon)

    def test_a_removed_pool_is_made_again_with_its_lock_and_socket(self):
        self.remove(self.pool.path)

    def test_a_removed_root_is_made_again_with_its_pool(self):
        self.remove(self.root)

    def test_a_pool_that_was_moved_away_is_made_again(self):
        daemon = self.pool.start()
        self.pool.path.rename(self.root / "elsewhere")
        wait_until((self.pool.path / "status").exists, "the pool")
        self.assert_served(daemon)

    def moved_with(self, parent):
        """The directory that was moved is left as it is: whoever moved it finds nobody at work there."""
        daemon = self.pool.start()
        moved = parent.parent / "moved"
        parent.rename(moved)
        wait_until((self.pool.path / "status").exists, "the pool")
        self.assert_served(daemon)
        copy = Pool(self, root=moved / self.pool.root.relative_to(parent))
        copy.start()
        self.assert_exit(copy.stop(), 0)

    def test_a_pool_whose_root_was_moved_away_is_made_again(self):
        self.moved_with(self.root)

    def test_a_pool_is_made_again_if_a_directory_far_above_it_was_moved_away(self):
        self.pool = Pool(self, root=self.home / "far" / "above" / "root")
        self.moved_with(self.home / "far")

    def test_a_daemon_ends_if_another_one_has_its_pool_by_then(self):
        first = self.pool.start()
        first.signal(signal.SIGSTOP)
        wait_suspended([first.pid])
        shutil.rmtree(self.pool.path)
        second = self.pool.start()
        first.signal(signal.SIGCONT)
        result = first.result()
        self.assert_exit(result, 1)
        self.assertIn(f"another daemon serves the pool in {self.pool.path} (process {second.pid})", result.err)
        self.assert_served(second)
