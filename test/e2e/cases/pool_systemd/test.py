"""The daemon under systemd: what it says, what it takes over, and the units that come with it."""

import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path

from harness import DEADLINE, Case, Pool, holds_for, require, wait_until
from harness.environment import SOURCE_DIR, binary
from harness.pool import inline

OTHER = 12345  # a user

UNITS = SOURCE_DIR / "apps"

# What systemd does before it starts a service with a socket: the socket is descriptor 3.
ACTIVATE = """
import os, socket, sys, time
listener = socket.socket(socket.AF_UNIX)
os.makedirs(os.path.dirname(sys.argv[1]), mode=0o700, exist_ok=True)
listener.bind(sys.argv[1] + ".new")
os.chmod(sys.argv[1] + ".new", 0o600)
listener.listen()
if user := int(os.environ.get("AS_USER", 0)):
    for path in (sys.argv[1] + ".new", *(os.path.join(sys.argv[1], *[".."] * up) for up in (1, 2, 3))):
        os.chown(os.path.normpath(path), user, user)
os.rename(sys.argv[1] + ".new", sys.argv[1])  # who sees it can connect
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
while not os.path.exists(sys.argv[2]):
    time.sleep(0.002)
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="pool")
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Notified(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.notifications = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.listener.close)
        self.listener.bind(str(self.home / "notify"))
        self.listener.setblocking(False)

    def heard(self, text):
        """Whether the daemon has said that so far."""
        try:
            while True:
                self.notifications.append(self.listener.recv(4096).decode())
        except BlockingIOError:
            return any(text in said for said in self.notifications)

    def start_notified(self, **env):
        return self.pool.start(env={"NOTIFY_SOCKET": self.home / "notify", **env})

    def test_it_says_when_it_is_ready_and_when_it_stops(self):
        daemon = self.start_notified()
        wait_until(lambda: self.heard("READY=1"), "READY=1")
        self.assertFalse(self.heard("STOPPING=1"))
        self.pool.stop()
        daemon.result()
        self.assertTrue(self.heard("STOPPING=1"))

    def test_it_shows_its_state(self):
        self.start_notified(WATCHDOG_USEC=200_000)
        self.pool.get_task()
        wait_until(lambda: self.heard("STATUS=1 agent"), "the state")

    def test_it_feeds_the_watchdog_in_time_and_only_if_there_is_one(self):
        self.start_notified(WATCHDOG_USEC=400_000)
        wait_until(lambda: self.heard("WATCHDOG=1") and self.notifications.count("WATCHDOG=1") >= 3, "the watchdog")

    def test_without_a_watchdog_nothing_is_fed(self):
        self.start_notified()
        wait_until(lambda: self.heard("READY=1"), "READY=1")
        holds_for(lambda: not self.heard("WATCHDOG=1"), 0.5, "silence")

    def test_an_abstract_address_is_one_as_well(self):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(listener.close)
        listener.bind("\0" + self.mark)
        listener.settimeout(DEADLINE)
        self.pool.start(env={"NOTIFY_SOCKET": "@" + self.mark})
        self.assertIn(b"READY=1", listener.recv(4096))


class Activated(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_activated(self, **env):
        """The socket is there at once, the daemon when `go` is."""
        daemon = self.start(sys.executable, "-c", ACTIVATE, self.pool.path / "daemon.sock", self.work / "go", "troupe",
                            "start", "--root", self.root, umask=0o077, env=env)
        wait_until((self.pool.path / "daemon.sock").exists, "the socket")
        return daemon

    def test_who_connects_before_the_daemon_is_there_is_served(self):
        self.start_activated()
        early = self.pool.connect()
        self.addCleanup(early.close)
        early.send(inline("1"))
        (self.work / "go").touch()
        self.pool.answer(self.pool.take(), "[]")
        self.assertEqual(early.receive()["kind"], "Processed")

    def test_who_finds_nobody_connects_so_that_systemd_starts_the_daemon(self):
        """Here the test is systemd: the daemon is started when there is a connection."""
        for command in (["submit_task", "--data", "1"], ["agent", "--exec", "true"], ["get_task"]):
            with self.subTest(command=command[0]):
                pool = Pool(self, name=command[0])
                os.makedirs(pool.path, mode=0o700)
                with socket.socket(socket.AF_UNIX) as listener:
                    listener.bind(str(pool.path / "daemon.sock"))
                    listener.listen()
                    listener.settimeout(DEADLINE)
                    client = pool.command(*command)
                    listener.accept()[0].close()
                    client.terminate()
                    client.result()

    def test_the_socket_stays_when_the_daemon_stops(self):
        (self.work / "go").touch()
        daemon = self.start_activated()
        wait_until((self.pool.path / "status").exists, "the daemon")
        before = (self.pool.path / "daemon.sock").stat().st_ino
        daemon.signal(signal.SIGTERM)
        self.assert_exit(daemon.result(), 0)
        self.assertEqual((self.pool.path / "daemon.sock").stat().st_ino, before)

    def test_a_socket_of_root_serves_the_user_whose_daemon_it_is(self):
        """As with the units of the machine: who connects early sees root, who connects later the daemon's user."""
        require(os.geteuid() == 0, "only root can act as another user")
        self.home.chmod(0o711)
        self.env["PATH"] = f"{self.program_for_others().parent}:{self.env['PATH']}"
        self.start_activated(AS_USER=OTHER)
        early = self.as_other("submit_task", "--data", "1", "--notify", "socket")
        self.assertEqual(self.served_by(), 0)
        (self.work / "go").touch()
        wait_until((self.pool.path / "status").exists, "the daemon")
        self.assertEqual(self.served_by(), OTHER)
        agent = self.as_other("agent", "--exec", "echo '[]'")
        for submitter in early, self.as_other("submit_task", "--data", "2", "--notify", "socket"):
            self.assertEqual(submitter.json()["kind"], "Processed")
        self.assert_running(agent)

    def program_for_others(self):
        """A copy: the build may lie where no other user may look."""
        folder = self.home / "bin"
        folder.mkdir(exist_ok=True)
        return Path(shutil.copy(binary("troupe"), folder))

    def as_other(self, command, *options):
        return self.start("/usr/bin/setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups",
                          self.home / "bin/troupe", command, "--root", self.root, *options)

    def served_by(self):
        """The user whom the kernel names to who connects."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self.pool.path / "daemon.sock"))
            return struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]


class Units(Case):
    def installed(self, path):
        """A unit as it is installed below /usr, in a directory of the test's."""
        text = (UNITS / path).read_text().replace("@TROUPE@", "/usr/bin/true").replace("@BARNUM@", "/usr/bin/true")
        name = os.path.basename(path).removesuffix(".in").replace("@.", "@test.")
        unit = self.home / name
        unit.write_text(text)
        return unit

    def test_the_daemons_unit_is_closed_tight(self):
        require(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
        unit = self.installed("troupe/systemd/system/troupe@.service.in")
        result = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", unit],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout[-500:] + result.stderr)
        exposure = re.search(r"Overall exposure level.*: ([\d.]+)", result.stdout)
        self.assertLessEqual(float(exposure[1]), 2.0)

    def test_systemd_finds_nothing_wrong_with_the_units(self):
        require(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
        for kind in "system", "user":
            units = [self.installed(f"troupe/systemd/{kind}/{name}") for name in
                     ("troupe@.service.in", "troupe@.socket", "troupe-agent@.service.in")]
            if kind == "user":
                units += [self.installed(f"barnum/systemd/user/{name}") for name in ("barnum-prune.service.in", "barnum-prune.timer")]
            result = subprocess.run(["systemd-analyze", "verify", f"--{kind}", "--man=no", "--recursive-errors=no", *units],
                                    capture_output=True, text=True)
            told = [line for line in result.stderr.splitlines() if str(self.home) in line or "test" in line]
            self.assertEqual(told, [])
