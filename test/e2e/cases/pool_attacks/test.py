"""What another user of the machine, or an odd file, may try on a pool that is served. The directories
are loosened first where nobody could get in otherwise. Needs root, to act as another user."""

import json
import os
import socket
import stat
import uuid

from harness import Case, HandAgent, Pool, SocketClient, one_host, require, wait_until
from harness.pool import file_reference, inline
from harness.stranger import NOBODY, as_nobody, give_to_nobody

SECRET = "the secret of another file"
SECRET_REQUEST = json.dumps(inline({"text": SECRET}))  # good, were it not where it is


def make_fifo(path):
    os.mkfifo(path)


def make_device(path):
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # as /dev/zero


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def make_directory(path):
    path.mkdir()
    (path / "kept").write_text(SECRET)


class Attacks(Case):
    def setUp(self):
        super().setUp()
        require(os.geteuid() == 0, "only root can act as another user")
        self.home.chmod(0o711)
        self.pool = Pool(self)
        self.agents = self.pool.agent_side.path / "agents"
        self.submissions, self.scratch = (self.pool.path / name for name in ("submissions", "scratch"))
        self.secret = self.work / "secret.json"
        self.secret.write_text(SECRET_REQUEST)
        self.odd = {"link": lambda path: path.symlink_to(self.secret),
                    "hard link": lambda path: path.hardlink_to(self.secret),
                    "dangling link": lambda path: path.symlink_to(self.work / "nothing"),
                    "FIFO": make_fifo, "device": make_device, "socket": make_socket, "directory": make_directory,
                    "another's file": self.make_foreign}

    def tearDown(self):
        try:
            self.assertEqual(self.secret.read_text(), SECRET_REQUEST)
            self.assertFalse((self.work / "nothing").exists())
        finally:
            super().tearDown()

    def make_foreign(self, path):
        path.write_text(self.secret.read_text())
        give_to_nobody(path)

    def start_daemon(self, *options):
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug", *options)
        return self.daemon

    def loosen(self, *names):
        for pool in {self.pool, self.pool.agent_side}:
            for path in (pool.root, pool.root / "pools", pool.path):
                path.chmod(0o755)
            for name in names:
                (pool.path / name).chmod(0o777)

    def plant(self, kind, path):
        """Under a name of ours in scratch/ first, so that it comes to its place as agents' files do."""
        made = self.scratch / f"planted-{uuid.uuid4()}"
        self.odd[kind](made)
        made.rename(path)

    def assert_serves(self):
        """From a submission to its answer; the agent's response comes by renaming."""
        agent = HandAgent(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"fine": True}))
            self.assertEqual(agent.content(), {"fine": True})
            self.respond(agent, '"mine"')
            self.assertEqual(client.receive(), {"kind": "Processed", "stdout": '"mine"'})
        wait_until(lambda: agent.files() == [], "the agent's files to go")
        self.assert_running(self.daemon)

    def respond(self, agent, text):
        made = self.scratch / f"made-{uuid.uuid4()}"
        made.write_text(text)
        made.rename(agent.response)

    def assert_invalid(self, answer, *mention):
        self.assertEqual((answer.get("kind"), answer.get("reason")), ("NotProcessed", "invalid"), answer)
        for word in mention:
            self.assertIn(str(word), answer["message"])
        self.assertNotIn("secret of", answer["message"])

    def wait_for_log(self, *texts):
        """For a line with all of them in it."""
        wait_until(lambda: any(all(text in line for text in texts) for line in self.daemon.err.splitlines()),
                   f"{texts} in the daemon's log")

    # Another user.

    def test_a_pool_is_out_of_reach_for_others_whatever_the_umask(self):
        daemon = self.pool.start(umask=0)
        for path in (self.root, self.root / "pools", self.pool.path, self.agents, self.submissions, self.scratch):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700, path)
        for path in self.pool.path.iterdir():
            if not path.is_dir():
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)
        self.root.chmod(0o755)
        for path in (self.root / "pools", self.pool.path):
            path.chmod(0o755)  # one look further in
        with as_nobody():
            for attempt in (lambda: SocketClient(self.pool.path / "daemon.sock"), lambda: os.listdir(self.agents),
                            lambda: open(self.pool.path / "daemon.lock", "rb"),  # and so nobody can lock it
                            lambda: open(self.pool.path / "status", "w"),
                            lambda: (self.pool.path / "x").write_text("")):
                self.assertRaises(PermissionError, attempt)
        self.assert_running(daemon)

    def test_a_connection_of_another_user_is_closed_before_a_byte_is_read(self):
        self.start_daemon()
        self.loosen()
        (self.pool.path / "daemon.sock").chmod(0o666)
        with as_nobody():
            client = SocketClient(self.pool.path / "daemon.sock")
        with client:
            try:
                client.send(inline({"n": 1}, "theirs"))
            except BrokenPipeError:
                pass  # closed already
            self.assertEqual(client.wait_for_end(), b"")
        self.wait_for_log(f"refused a connection of {NOBODY}")
        self.assert_serves()
        self.assertNotIn("submission theirs", self.daemon.err)

    def test_files_of_another_user_are_no_messages(self):
        self.start_daemon()
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({"n": 1})
        agent.task_text()
        self.loosen("agents", "submissions", "scratch")
        theirs = str(uuid.uuid4())
        with as_nobody():
            agent.response.write_text('"theirs"')
            (self.agents / f"{theirs}.ready.json").write_text('{"name": "theirs"}')
            (self.submissions / f"{theirs}.request.json").write_text(SECRET_REQUEST)
        self.assert_invalid(self.pool.response_by_file(theirs), NOBODY)
        self.wait_for_log("a response that cannot be used")
        self.wait_for_log("ignoring an agent")
        self.assertTrue(submitter.running)
        waiting = self.pool.request_by_file(inline({"waits": 1}))
        self.wait_for_log(f"{waiting} is queued")
        self.respond(agent, '"mine"')
        self.assertEqual(submitter.result().json["stdout"], '"mine"')
        wait_until(lambda: agent.files() == [], "the agent's files to go")
        self.assertEqual(self.pool.agent_files(theirs), [f"{theirs}.ready.json"])  # no task was given to it
        self.assertEqual((self.agents / f"{theirs}.ready.json").read_text(), '{"name": "theirs"}')
        (self.submissions / f"{waiting}.request.json").unlink()

    def test_clients_refuse_a_pool_that_was_loosened_while_it_was_served(self):
        self.start_daemon()
        for name, commands in {"agents": (("get_task",), ("agent", "--exec", "true")),
                               "submissions": (("submit_task", "--data", "1", "--notify", "file"),),
                               "scratch": (("get_task",), ("submit_task", "--data", "1", "--notify", "file")),
                               ".": (("submit_task", "--data", "1"), ("get_task",), ("stop",))}.items():
            for pool in {self.pool, self.pool.agent_side}:
                (pool.path / name).chmod(0o777)
            for command in commands:
                result = self.pool.command(*command).result()
                self.assert_exit(result, 1)
                self.assertIn("0777", result.err)
            for pool in {self.pool, self.pool.agent_side}:
                self.assertEqual(stat.S_IMODE((pool.path / name).stat().st_mode), 0o777)  # not ours to repair
                (pool.path / name).chmod(0o700)
        self.assert_serves()

    # Odd files in the place of ours. The daemon blocks on none, follows none, and changes nothing behind them.

    def test_an_odd_request_is_answered_invalid_and_unread(self):
        self.start_daemon()
        for kind in self.odd:
            with self.subTest(kind=kind):
                id_ = str(uuid.uuid4())
                request = self.submissions / f"{id_}.request.json"
                self.plant(kind, request)
                response = self.submissions / f"{id_}.response.json"
                wait_until(response.exists, "the answer")
                self.assert_invalid(json.loads(response.read_text()), request)
                self.assertTrue(os.path.lexists(request))  # its submitter's to remove
        self.assert_serves()

    def test_an_odd_response_is_none_and_the_next_one_counts(self):
        self.start_daemon()
        for kind in self.odd:
            with self.subTest(kind=kind):
                agent = HandAgent(self.pool)
                submitter = self.pool.submit({"n": 1})
                agent.task_text()
                self.plant(kind, agent.response)
                self.wait_for_log('wrote a response that cannot be used', agent.uuid)
                self.assertTrue(submitter.running)
                if kind == "directory":
                    agent.response.rename(self.work / "directory")
                self.respond(agent, '"mine"')
                self.assertEqual(submitter.result().json["stdout"], '"mine"')
                wait_until(lambda: agent.files() == [], "the agent's files to go")

    def test_odd_files_go_with_their_agent_and_what_is_behind_them_stays(self):
        self.start_daemon("--task-timeout-secs", "1")
        for kind in self.odd:
            with self.subTest(kind=kind):
                agent = HandAgent(self.pool)
                submitter = self.pool.submit({"n": 1})
                wait_until(lambda: agent.has_task() or not submitter.running, "the task")
                self.plant(kind, agent.response)
                self.assert_exit(submitter.result(), 124)
                left = [agent.response.name] if kind == "directory" else []
                wait_until(lambda: agent.files() == left, "the agent's files to go")
                if left:
                    self.assertEqual((agent.response / "kept").read_text(), SECRET)

    def test_an_odd_ready_file_is_no_agent(self):
        self.start_daemon()
        for kind in self.odd:
            id_ = str(uuid.uuid4())
            self.plant(kind, self.agents / f"{id_}.ready.json")
            self.wait_for_log(f"ignoring an agent: {self.agents}/{id_}.ready.json")
            self.assertEqual(self.pool.agent_files(id_), [f"{id_}.ready.json"])
        self.assert_serves()

    def test_what_lies_where_the_daemon_writes_is_replaced_and_never_written_into(self):
        self.start_daemon()
        for kind in self.odd:
            if kind == "directory":
                continue  # can't be replaced
            with self.subTest(kind=kind):
                id_, agent = str(uuid.uuid4()), str(uuid.uuid4())
                task, response = f"{agent}.task.json", f"{id_}.response.json"
                agents_scratch = self.pool.agent_side.path / "scratch"
                for place in (self.agents / task, agents_scratch / task, self.scratch / response):
                    self.odd[kind](place)
                (self.agents / f"{agent}.ready.json").write_text("{}")
                self.pool.request_by_file(inline({"n": 1}), id_)
                wait_until(lambda: self.is_ours(self.agents / task), "the task")
                self.assertEqual((self.agents / task).read_text(), '{"n": 1}')
                (self.agents / f"{agent}.response.json").write_text("1")
                wait_until(lambda: self.is_ours(self.submissions / response), "the answer")
                self.assertEqual(self.pool.response_by_file(id_)["stdout"], "1")
                self.assertEqual([*self.scratch.iterdir(), *agents_scratch.iterdir()], [])

    def is_ours(self, path):
        """A file that the daemon has made."""
        try:
            status = path.lstat()
        except FileNotFoundError:
            return False
        return (status.st_mode, status.st_uid, status.st_nlink) == (stat.S_IFREG | 0o600, 0, 1)

    @one_host("it is about one daemon")
    def test_an_odd_status_file_stops_nothing_and_nobody_writes_through_it(self):
        self.start_daemon()
        self.secret.write_text("stop")
        status = self.pool.path / "status"
        for kind in self.odd:
            if kind == "directory":
                continue
            with self.subTest(kind=kind):
                self.plant(kind, status)
                result = self.pool.command("stop").result()
                self.assert_exit(result, 1)
                self.assertIn(str(status), result.err)
                self.assertEqual(self.secret.read_text(), "stop")
        self.assert_serves()
        self.daemon.terminate()
        self.assert_exit(self.daemon.result(), 0)
        self.secret.write_text(SECRET_REQUEST)

    # The lock.

    def test_an_odd_lock_file_is_refused_and_left_alone(self):
        self.pool.start()
        self.pool.stop()
        lock = self.pool.path / "daemon.lock"
        lock.unlink()
        for kind in self.odd:
            with self.subTest(kind=kind):
                self.plant(kind, lock)
                result = self.pool.command("start").result()
                self.assert_exit(result, 1)
                self.assertIn(str(lock), result.err)
                self.assertFalse((self.pool.path / "status").exists())
                lock.rename(self.work / f"kept {kind}")
        self.assertEqual((self.work / "kept directory" / "kept").read_text(), SECRET)
        self.start_daemon()

    def test_an_emptied_lock_file_and_the_number_of_a_stranger_in_it_mean_nothing(self):
        self.start_daemon()
        lock = self.pool.path / "daemon.lock"
        for text in ("", f"{os.getpid()}\n", "1\n"):
            lock.write_text(text)
            before = lock.stat()
            second = self.pool.command("start").result()
            self.assert_exit(second, 1)
            self.assertIn("another daemon serves the pool", second.err)
            self.assertEqual((lock.read_text(), lock.stat().st_mtime_ns), (text, before.st_mtime_ns))
            self.assert_serves()
        self.assert_exit(self.pool.stop(), 0)
        for text in ("", f"{os.getpid()}\n"):
            lock.write_text(text)
            self.start_daemon()
            self.assertEqual(lock.read_text(), f"{self.pool.daemon.pid}\n")
            self.assert_exit(self.pool.stop(), 0)

    def test_a_lock_file_that_was_replaced_lets_no_second_daemon_in(self):
        self.start_daemon()
        lock, sock = self.pool.path / "daemon.lock", self.pool.path / "daemon.sock"
        for replace in (lock.unlink, lambda: (self.scratch / "x").rename(lock)):
            (self.scratch / "x").write_text("")
            replace()
            before = sock.lstat().st_ino
            second = self.pool.command("start").result()
            self.assert_exit(second, 1)
            self.assertIn("another daemon serves the pool", second.err)
            self.assertEqual(sock.lstat().st_ino, before)
            self.assert_serves()

    # Directories.

    def test_a_directory_that_was_replaced_by_a_link_is_not_followed(self):
        self.start_daemon()
        elsewhere = self.work / "elsewhere"
        elsewhere.mkdir()
        for directory in (self.agents, self.submissions):
            with self.subTest(directory=directory.name):
                directory.rename(self.work / f"old {directory.name}")
                directory.symlink_to(elsewhere)
                self.wait_for_log(f"{directory} is a symbolic link")
                (elsewhere / "1.ready.json").write_text("{}")
                (elsewhere / "1.request.json").write_text(SECRET_REQUEST)
                before = {path: path.stat() for path in (elsewhere, *elsewhere.iterdir())}
                command = ("get_task",) if directory == self.agents else ("submit_task", "--data", "1", "--notify",
                                                                          "file")
                result = self.pool.command(*command).result()
                self.assert_exit(result, 1)
                self.assertIn("symbolic link", result.err)
                self.assertEqual({path: path.stat() for path in (elsewhere, *elsewhere.iterdir())}, before)
                directory.unlink()
                wait_until(directory.is_dir, "the directory to be made again")
                self.assert_serves()

    # What a request may refer to.

    def test_a_reference_to_what_is_no_file_of_ours_is_answered_invalid_and_not_read(self):
        self.start_daemon()
        content = self.work / "content.json"
        content.write_text(f'"{SECRET}"')
        self.make_foreign(self.work / "foreign.json")
        make_fifo(self.work / "fifo")
        make_device(self.work / "device")
        make_socket(self.work / "socket")
        (self.work / "not json").write_text(SECRET)
        (self.work / "link to fifo").symlink_to(self.work / "fifo")
        with open(self.work / "large.json", "wb") as large:
            large.truncate(65 << 20)
        for path, why in ((self.work / "foreign.json", NOBODY), (self.work / "fifo", "regular"),
                          (self.work / "device", "regular"), (self.work / "socket", "regular"),
                          (self.work / "link to fifo", "regular"), ("/dev/zero", "regular"), ("/dev/tty", "regular"),
                          (self.work, "regular"), ("/proc/self/environ", "kernel"),
                          ("/proc/sys/kernel/pid_max", "kernel"),
                          ("/sys/kernel/uevent_seqnum", "kernel"),
                          (self.work / "large.json", "larger than 67108864"), (self.work / "not json", "byte 0"),
                          (f"{content}\0.txt", "NUL"), (f"\0{content}", "absolute"), ("/" + "x" * 5000, "5001")):
            self.assert_refused(file_reference(path), why)
        self.assert_serves()

    def assert_refused(self, request, why):
        with self.subTest(request=str(request)[:80]):
            with self.pool.connect() as client:
                client.send(request)
                self.assert_invalid(client.receive(), why)
            self.assert_invalid(self.pool.response_by_file(self.pool.request_by_file(request)), why)

    def test_a_refusal_is_short_whatever_was_asked(self):
        self.start_daemon()
        for request in ({"kind": "x" * 1_000_000}, file_reference("x" * 1_000_000)):
            with self.pool.connect() as client:
                client.send(request)
                answer = client.receive()
            self.assert_invalid(answer)
            self.assertLess(len(answer["message"]), 1000)
        self.assertLess(len(self.daemon.err), 10_000)
