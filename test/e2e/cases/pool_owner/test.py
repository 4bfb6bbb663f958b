"""Roots and pools in which others have a hand: every command refuses them, and leaves them as they are. Needs
root, to act as another user."""

import json
import os
import shutil
import socket
import stat
import subprocess

from harness import Case, Pool, require, wait_until
from harness.environment import binary
from harness.stranger import NOBODY, as_nobody, give_to_nobody, tree

WAY_OUT = ("--root", "TROUPE_ROOT")
SOMEBODY = ("setpriv", "--reuid=12345", "--regid=12345", "--clear-groups")
SANDBOX = (*SOMEBODY, "unshare", "--user", "--map-user=12345")  # in which all owners but this one are unknown
CONFIG = {"entrypoint": "Ask", "steps": [{"name": "Ask", "action": {"kind": "Pool", "instructions": "?"}, "next": []}]}


class Owner(Case):
    def setUp(self):
        super().setUp()
        require(os.geteuid() == 0, "only root can act as another user")
        self.home.chmod(0o711)
        self.shared = self.home / "tmp"  # as /tmp is
        self.shared.mkdir()
        self.shared.chmod(0o1777)
        self.pool = Pool(self, root=self.shared / "troupe")
        (self.work / "flow.json").write_text(json.dumps(CONFIG))

    def clients(self):
        run = ("barnum", "run", "--config", self.work / "flow.json", "--root", self.pool.root, "--pool-wait-secs", "5")
        return {"submit_task by socket": lambda: self.pool.submit({"secret": 1}, transport="socket"),
                "submit_task by file": lambda: self.pool.submit({"secret": 1}, transport="file"),
                "get_task": lambda: self.pool.command("get_task"),
                "agent": lambda: self.pool.command("agent", "--exec", "echo '[]'"),
                "stop": lambda: self.pool.command("stop"),
                "barnum run": lambda: self.start(*run),
                "barnum run without a pool of its own": lambda: self.start(*run, "--no-embedded-pool")}

    def commands(self):
        return {"start": lambda: self.pool.command("start"),
                "list": lambda: self.start("troupe", "list", "--root", self.pool.root)} | self.clients()

    def assert_refused(self, *words, commands=None, below=None):
        """Each command fails with these words, and everything below is as it was."""
        before = tree(below or self.shared)
        for name, begin in (commands or self.commands()).items():
            with self.subTest(command=name):
                result = begin().result()
                self.assert_exit(result, 69 if name.startswith("barnum") else 1)
                self.assertEqual(result.out, "")
                for word in (*words, *WAY_OUT):
                    self.assertIn(word, result.err)
        self.assertEqual(tree(below or self.shared), before)

    def all_but(self, *names):
        return {name: begin for name, begin in self.commands().items() if name not in names}

    def squat(self):
        """A whole pool of nobody's, made before we come, whose socket takes connections."""
        with as_nobody():
            for name in ("agents", "submissions", "scratch"):
                os.makedirs(self.pool.path / name)
            (self.pool.path / "status").write_text("")
            trap = socket.socket(socket.AF_UNIX)
            self.addCleanup(trap.close)
            trap.bind(str(self.pool.path / "daemon.sock"))
            trap.listen()
        os.chmod(self.pool.path / "daemon.sock", 0o777)
        trap.setblocking(False)
        return trap

    def test_a_root_that_somebody_else_has_made_first_is_refused_and_nothing_is_sent_to_it(self):
        trap = self.squat()
        self.assert_refused(NOBODY, str(self.pool.root))
        with self.assertRaises(BlockingIOError):
            trap.accept()

    def test_a_pool_of_another_user_is_refused_and_nothing_is_sent_to_it(self):
        trap = self.squat()
        for path in (self.pool.root, self.pool.root / "pools"):
            os.chown(path, 0, 0)
        self.assert_refused(NOBODY, str(self.pool.path), commands=self.all_but("list"))
        listed = self.start("troupe", "list", "--root", self.pool.root).result()
        self.assert_exit(listed, 0)
        self.assertEqual(listed.out.split(), ["ID", "STATUS", "PATH"])
        self.assertIn(f"{self.pool.path} belongs to {NOBODY}", listed.err)
        with self.assertRaises(BlockingIOError):
            trap.accept()

    def test_nothing_is_sent_to_another_users_process_on_the_socket_of_our_pool(self):
        trap = self.squat()
        for path in (self.pool.root, *self.pool.root.rglob("*")):
            if path.name != "daemon.sock":
                os.chown(path, 0, 0)
        result = self.pool.submit({"secret": 1}, transport="socket").result()
        self.assert_exit(result, 1)
        self.assertIn(f"is served by {NOBODY}", result.err)
        self.assertEqual(trap.accept()[0].recv(100), b"")

    def test_an_empty_root_of_another_user_is_refused_and_left_alone(self):
        with as_nobody():
            self.pool.root.mkdir()
        self.assert_refused(NOBODY, commands={"start": self.commands()["start"]})

    def test_a_root_that_is_a_link_is_refused_and_nothing_is_made_behind_it(self):
        (self.work / "target").mkdir(mode=0o700)
        with as_nobody():
            self.pool.root.symlink_to(self.work / "target")
        self.assert_refused("symbolic link", str(self.pool.root), below=self.home / "work")

    def test_a_link_on_the_way_to_the_root_is_refused_and_nothing_is_made_behind_it(self):
        (self.work / "target").mkdir(mode=0o700)
        with as_nobody():
            (self.shared / "link").symlink_to(self.work / "target")
        self.pool = Pool(self, root=self.shared / "link" / "troupe")
        self.assert_refused("symbolic link", str(self.shared / "link"), below=self.home / "work")

    def test_a_pool_that_is_a_link_is_refused(self):
        (self.work / "target").mkdir(mode=0o700)
        os.makedirs(self.pool.path.parent, mode=0o700)
        self.pool.path.symlink_to(self.work / "target")
        self.assert_refused("symbolic link", str(self.pool.path), commands=self.all_but("list"))

    def test_a_root_in_a_directory_that_others_may_rearrange_is_refused(self):
        self.shared.chmod(0o777)
        self.assert_refused("not sticky", str(self.shared))

    def test_a_root_in_a_directory_of_another_user_is_refused(self):
        give_to_nobody(self.shared)
        self.assert_refused(NOBODY, str(self.shared))

    def test_what_others_may_write_to_is_refused_wherever_it_is(self):
        self.pool.start()
        self.pool.stop()
        for path in (self.pool.root, self.pool.path):
            for mode in (0o777, 0o1777, 0o702):
                path.chmod(mode)
                commands = {"start": self.commands()["start"]}
                if path == self.pool.path:
                    commands = self.all_but("list")
                with self.subTest(path=path, mode=oct(mode)):
                    self.assert_refused(str(path), oct(mode)[2:].rjust(4, "0"), commands=commands)
            path.chmod(0o700)
        for name in ("agents", "submissions", "scratch"):
            (self.pool.path / name).chmod(0o777)
            self.assert_refused(f"{self.pool.path}/{name}", "0777", commands={"start": self.commands()["start"]})
            (self.pool.path / name).chmod(0o700)
        self.pool.start()

    def test_a_group_may_write_only_if_it_is_nobody_elses(self):
        self.pool.root.mkdir()
        self.pool.root.chmod(0o770)
        daemon = self.pool.start()  # the group is root, whose only member is root
        self.assert_exit(self.pool.stop(), 0)
        self.assert_exit(daemon.result(), 0)
        os.chown(self.pool.root, 0, 65534)
        self.pool.root.chmod(0o770)
        self.assert_refused("0770", commands={"start": self.commands()["start"]})

    def test_directories_that_others_may_only_read_are_fine(self):
        self.pool.root.mkdir()
        self.pool.root.chmod(0o755)
        self.pool.start()
        self.assertEqual(stat.S_IMODE(self.pool.root.stat().st_mode), 0o755)

    def test_a_sandbox_that_does_not_know_root_can_use_the_pool_of_its_user(self):
        require(shutil.which("setpriv") and subprocess.run([*SANDBOX, "true"], check=False).returncode == 0,
                "this machine has no user namespaces for everybody")
        troupe = shutil.copy(binary("troupe"), self.home)
        self.pool.root.mkdir(mode=0o700)
        os.chown(self.pool.root, 12345, 12345)
        daemon = self.start(*SOMEBODY, troupe, "--root", self.pool.root, "start")
        wait_until((self.pool.path / "status").exists, "the daemon to be ready")
        for transport in ("socket", "file"):
            result = self.start(*SANDBOX, troupe, "--root", self.pool.root, "submit_task", "--data", "1", "--notify",
                                transport, "--timeout-secs", "0.2").result()
            self.assert_exit(result, 124)
        self.assert_running(daemon)
