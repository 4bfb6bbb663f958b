"""What goes wrong round a daemon that goes on: shortages, removed directories, ids that meet."""

import os
import resource
import signal
import uuid

from harness import Case, HandAgent, Pool, holds_for, one_host, remove_in_use, sanitizer, wait_until
from harness.pool import inline


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.request_id = str(uuid.uuid4())

    def serve(self, response="[]"):
        """Takes a task by hand, answers it, and returns its content."""
        agent = HandAgent(self.pool)
        content = agent.content()
        agent.respond(response)
        return content


class IdsThatMeet(Faults):
    def setUp(self):
        super().setUp()
        self.daemon = self.pool.start("--no-heartbeat")

    def test_no_id_of_a_submitter_meets_those_without_one(self):
        with self.pool.connect() as named, self.pool.connect() as nameless:
            for id_ in ("socket-1", "1"):
                named.send(inline({"named": id_}, id_))
            nameless.send(inline({"nameless": True}))
            seen = [self.serve(f"[{n}]") for n in range(3)]
            self.assertIn({"nameless": True}, seen)
            mine = seen.index({"nameless": True})
            self.assertEqual(nameless.receive(), {"kind": "Processed", "stdout": f"[{mine}]"})

    def test_a_withdrawal_leaves_another_submitter_of_the_same_id_its_answer(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = HandAgent(self.pool)
        agent.task_text()
        with self.pool.connect() as client, self.pool.connect() as stranger:
            client.send(inline({"n": 1}, self.request_id))
            for connection in (stranger, client):
                connection.send({"kind": "Withdraw", "id": self.request_id})
            client.send(inline({"n": 2}, str(uuid.uuid4())))
            self.assertEqual(self.serve(), {"n": 2})
            client.receive()
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_an_answer_that_waits_as_a_file_stays_when_a_socket_asks_for_it(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.serve("[1]")
        response = self.pool.path / "submissions" / f"{self.request_id}.response.json"
        wait_until(response.exists, "the response")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assertEqual(client.receive()["stdout"], "[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    @one_host("a message of the engine is smaller")
    def test_a_large_answer_is_kept_for_who_asks_again(self):
        large = "x" * 17_000_000
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent = HandAgent(self.pool)
            agent.task_text()
        agent.respond(f'"{large}"')
        wait_until((self.pool.path / "submissions" / f"{self.request_id}.response.json").exists, "the kept answer")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assertEqual(client.receive()["stdout"], f'"{large}"')

    def test_an_answer_that_crosses_a_withdrawal_leaves_no_file(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = HandAgent(self.pool)
        agent.task_text()
        self.daemon.signal(signal.SIGSTOP)
        agent.respond("[1]")
        (self.pool.path / "submissions" / f"{self.request_id}.request.json").unlink()
        self.daemon.signal(signal.SIGCONT)
        wait_until(lambda: agent.files() == [], "the agent's files to go")
        wait_until(lambda: self.pool.submission_files() == [], "the answer to go")


class Shortages(Faults):
    @one_host("it is about one daemon")
    def test_a_shortage_of_descriptors_loses_nothing(self):
        if sanitizer() == "address":
            print("    not under UBSan, whose check of virtual calls needs a descriptor itself")
            return
        daemon = self.pool.start("--no-heartbeat")
        first = HandAgent(self.pool)
        waiting = self.pool.connect()
        waiting.send(inline({"first": True}))
        first.task_text()
        _, most = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (1, most))
        first.respond("[1]")
        second = HandAgent(self.pool)
        id_ = self.pool.request_by_file(inline({"second": True}))
        holds_for(lambda: not second.has_task() and self.pool.path.joinpath("submissions").exists(), 0.5,
                  "nothing can be opened")
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (most, most))
        self.assertEqual(waiting.receive()["stdout"], "[1]")
        waiting.close()
        self.assertEqual(second.content(), {"second": True})
        second.respond("[2]")
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[2]")
        self.assert_running(daemon)

    def test_removed_directories_are_made_again(self):
        daemon = self.pool.start("--no-heartbeat")
        for name in ("agents", "submissions", "scratch"):
            with self.subTest(name):
                for pool in {self.pool, self.pool.agent_side}:
                    directory = pool.path / name
                    remove_in_use(directory)
                    wait_until(directory.exists, "the directory")
                submitter = self.pool.submit({"after": name}, transport="file")
                self.assertEqual(self.serve("[1]"), {"after": name})
                self.assertEqual(submitter.json()["stdout"], "[1]")
        self.assert_running(daemon)

    def test_a_removed_status_file_is_made_again_and_the_pool_can_be_stopped(self):
        daemon = self.pool.start("--no-heartbeat")
        (self.pool.path / "status").unlink()
        wait_until((self.pool.path / "status").exists, "the status file")
        self.assert_exit(self.pool.stop(), 0)
        self.assert_exit(daemon.result(), 0)
        self.assertFalse((self.pool.path / "status").exists())

    def test_an_agent_whose_task_can_not_be_written_holds_up_nobody(self):
        self.pool.start("--no-heartbeat")
        blocked = HandAgent(self.pool)
        blocked.task.mkdir()
        fine = HandAgent(self.pool)
        wait_until(lambda: len(self.pool.waiting_agents()) >= 1, "the agents")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}))
            wait_until(fine.task.exists, "the other agent's task")
            fine.respond("[1]")
            self.assertEqual(client.receive()["stdout"], "[1]")
        blocked.task.rmdir()


class Names(Faults):
    def test_names_that_are_none_of_ours_are_left_alone_and_told_once(self):
        daemon = self.pool.start("--no-heartbeat")
        pad = ".request.json"
        names = ["." + pad, ".hidden.request.json", "x" * (255 - len(pad)) + pad, "x" * 201 + pad, "a b" + pad,
                 "-x" + pad, "caf\u00e9" + pad, "a\nb\x1b[31m" + pad, "semi;colon$(x)" + pad, "x.request.json~",
                 "x.request.JSON", "notes.txt", "y" * 255, b"\xff\xfe.request.json"]
        for directory, kind in (("submissions", "request"), ("agents", "ready")):
            pool = self.pool.agent_side if directory == "agents" else self.pool
            path = os.fsencode(pool.path / directory)
            theirs = [os.fsencode(name).replace(b"request", kind.encode()) for name in names]
            for name in theirs * 2:  # written again, it is not told again
                with open(os.path.join(path, name), "w", encoding="ascii") as file:
                    file.write('{"kind":"Inline","content":"666"}')
            self.serve_one(f"{directory} are served")
            # A full scan meets all of them.
            (pool.path / "scratch").rmdir()
            wait_until((pool.path / "scratch").exists, "the scan")
            self.serve_one(f"{directory} are served after a scan")
            self.assertLessEqual(set(theirs), set(os.listdir(path)))
            told = [line for line in daemon.err.splitlines() if f"ignoring {pool.path / directory}/" in line]
            self.assertEqual(len(told), len(theirs), told)
        self.assertNotIn("\x1b", daemon.err)
        self.assertNotIn("refused a submission", daemon.err)
        self.assert_running(daemon)

    def serve_one(self, text):
        """And no task has come of a stranger's file."""
        with self.pool.connect() as client:
            client.send(inline({"text": text}))
            self.assertEqual(self.serve("[1]"), {"text": text})
            self.assertEqual(client.receive()["stdout"], "[1]")
