"""Two starts at once, and stopping a pool that is busy."""

import signal

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline

STOPPED = {"kind": "NotProcessed", "reason": "stopped"}


class TwoAtOnce(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_two(self):
        """The one that serves."""
        before = self.pool.status_stamp()
        daemons = [self.pool.command("start", "--no-heartbeat") for _ in range(2)]
        wait_until(lambda: any(not daemon.running for daemon in daemons), "one of them to give up")
        loser, winner = sorted(daemons, key=lambda daemon: daemon.running)
        result = loser.result()
        self.assert_exit(result, 1)
        self.assertIn("another daemon serves the pool", result.err)
        self.assertNotIn("is served in", result.err)
        wait_until(lambda: self.pool.status_stamp() not in (None, before), "the other one to be ready")
        self.assert_running(winner)
        return winner

    def assert_serves(self, winner, round_):
        """What was there before the start and what comes after it, each once; nothing was made by the other one."""
        self.assertEqual((self.pool.path / "daemon.lock").read_text(), f"{winner.pid}\n")
        with self.pool.connect() as client:
            client.send(inline({"round": round_}))
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), {"round": round_})
            agent.respond(f"[{round_}]")
            self.assertEqual(client.receive()["stdout"], f"[{round_}]")
        wait_until(lambda: agent.files() == [], "the agent's files to go")

    def leave_behind(self, round_):
        """A request, an agent at work on another and an agent that waits, of a daemon that is killed."""
        at_work = HandAgent(self.pool)
        first = self.pool.request_by_file(inline({"first": round_}))
        at_work.task_text()
        second = self.pool.request_by_file(inline({"second": round_}))
        return at_work, first, second

    def assert_taken_over(self, at_work, first, second):
        next_ = HandAgent(self.pool)
        self.assertIn("second", next_.content())
        next_.respond("[2]")
        at_work.respond("[1]")
        for id_, text in ((first, "[1]"), (second, "[2]")):
            self.assertEqual(self.pool.response_by_file(id_)["stdout"], text)
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")

    def test_of_two_starts_at_once_one_serves_and_the_other_touches_nothing_twenty_times(self):
        left = None
        for round_ in range(20):
            winner = self.start_two()
            if left:
                self.assert_taken_over(*left)
            self.assert_serves(winner, round_)
            self.assertEqual((self.pool.submission_files(), list((self.pool.path / "scratch").iterdir())), ([], []))
            # The next two find a pool that was stopped, or one whose daemon was killed: its lock, status and socket.
            left = self.leave_behind(round_) if round_ % 2 else None
            winner.signal(signal.SIGKILL if left else signal.SIGTERM)
            self.assertEqual(winner.result().code, -signal.SIGKILL if left else 0)


class BusyStop(Case):
    """200 submissions that wait and 20 that agents are at, half of them on sockets, half by file."""

    running, queued = 20, 200

    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def submit(self, client, count):
        """The ids of those by file; on the socket it is the number."""
        ids = []
        for n in range(count // 2):
            client.send(inline({"n": n}, f"{count}-{n}"))
            ids.append(self.pool.request_by_file(inline({"n": n})))
        return ids

    def begin(self, client):
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")
        by_file = self.submit(client(), self.running)
        agents = [HandAgent(self.pool) for _ in range(self.running)]
        for agent in agents:
            agent.task_text()
        by_file += self.submit(client(), self.queued)
        wait_until(lambda: self.daemon.err.count(" is queued\n") == self.running + self.queued, "all to be queued")
        return by_file

    def leave_notes(self):
        notes = [self.pool.path / name for name in ("notes.txt", "agents/notes.txt", "submissions/notes.txt",
                                                    "scratch/notes.txt", ".hidden")]
        for note in notes:
            note.write_text("mine")
        return notes

    def test_everything_is_answered_stopped_and_then_the_daemon_ends(self):
        ways = {"SIGTERM": lambda: self.daemon.signal(signal.SIGTERM), "stop": lambda: self.pool.command("stop")}
        for name, stop in ways.items():
            with self.subTest(name=name):
                self.stop_by(stop)

    def stop_by(self, stop):
        clients = []

        def client():
            clients.append(self.pool.connect())
            self.addCleanup(clients[-1].close)
            return clients[-1]
        by_file = self.begin(client)
        notes = self.leave_notes()
        stop()
        answers = [clients[0].receive() for _ in range(self.running // 2)]
        answers += [clients[1].receive() for _ in range(self.queued // 2)]
        files = [self.pool.path / "submissions" / f"{id_}.response.json" for id_ in by_file]
        wait_until(lambda: all(file.exists() for file in files), "the response files")
        self.assert_exit(self.daemon.result(), 0)
        self.assertEqual([answer for answer in answers if answer != STOPPED | {"id": answer.get("id")}], [])
        self.assertEqual(len({answer["id"] for answer in answers}), len(answers))
        self.assertEqual([id_ for id_ in by_file if self.pool.response_by_file(id_) != STOPPED], [])
        self.assertEqual([note.name for note in notes if note.read_text() != "mine"], [])
        left = sorted(str(path.relative_to(self.pool.path)) for path in self.pool.path.rglob("*") if path.is_file())
        self.assertEqual(left, sorted(["counts", "daemon.lock", *(str(note.relative_to(self.pool.path)) for note in notes)]))
        self.assertFalse((self.pool.path / "daemon.sock").exists())
