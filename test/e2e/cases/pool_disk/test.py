"""A disk that fills, and one with errors, under a daemon that goes on."""

import json
import os
import re
import signal
import time
import uuid
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import which

from harness import Case, HandAgent, Pool, holds_for, is_sanitized, require, small_disk, wait_until
from harness.environment import traceable
from harness.pool import inline

STOPPED = {"kind": "NotProcessed", "reason": "stopped"}
PAGE = 4096

# Twice as large in the answer, where each quote and backslash is escaped again: what goes with the agent's files is
# not enough room for it.
GROWING = json.dumps('"' * 20_000)


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class DiskCase(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_pool(self, **how):
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug", **how)

    def logged(self, pattern):
        return re.findall(pattern, self.daemon.err)

    def wait_for_log(self, text):
        wait_until(lambda: text in self.daemon.err, f"'{text}' in the daemon's log")

    def failures(self):
        """When something could not be written, in seconds."""
        stamps = self.logged(r"(?m)^(\S+)Z WARN  .*; trying again$")
        return [datetime.fromisoformat(stamp).timestamp() for stamp in stamps]

    def request_file(self, id_):
        return self.pool.path / "submissions" / f"{id_}.request.json"

    def response_file(self, id_):
        return self.pool.path / "submissions" / f"{id_}.response.json"


class FullDisk(DiskCase):
    def setUp(self):
        super().setUp()
        self.disk = small_disk.mount(self)
        self.pool = Pool(self, root=self.disk / "root")
        self.start_pool()

    def mount_larger(self, size):
        """A disk of another size, with a pool of its own."""
        self.disk = small_disk.mount(self, "larger disk", size)
        self.pool = Pool(self, root=self.disk / "root")
        self.start_pool()

    def fill(self, leave=0):
        """To the last byte, but for so many."""
        filler = os.open(self.disk / "filler", os.O_WRONLY | os.O_CREAT, 0o600)
        size = os.lseek(filler, 0, os.SEEK_END)
        try:
            while True:
                size += os.write(filler, bytes(PAGE))
        except OSError:
            os.ftruncate(filler, size - leave)
        os.close(filler)

    def repair(self):
        (self.disk / "filler").unlink()

    def prepared_request(self, content):
        """In scratch, from where it takes no room to put it into submissions."""
        id_ = str(uuid.uuid4())
        (self.pool.path / "scratch" / f"{id_}.tmp").write_text(json.dumps(inline(content)))
        return id_

    def put(self, id_):
        (self.pool.path / "scratch" / f"{id_}.tmp").rename(self.request_file(id_))
        self.wait_for_log(f"submission {id_} is queued")

    def test_a_stop_that_can_not_be_written_is_told_with_its_file(self):
        self.fill()
        refused = self.pool.stop()
        self.assert_exit(refused, 1)
        self.assertIn(f"{self.pool.path}/status: cannot write: No space left on device", refused.err)
        self.assert_running(self.daemon)
        self.repair()
        self.assert_exit(self.pool.stop(), 0)

    def test_tasks_that_can_not_be_written_wait_in_their_order(self):
        agents = [HandAgent(self.pool) for _ in range(3)]
        by_file = [self.prepared_request({"n": n}) for n in (0, 2, 4)]
        with self.pool.connect() as client:
            wait_until(lambda: len(self.logged(r"\) is ready")) == 3, "the agents")
            self.fill()
            for n, id_ in enumerate(by_file):
                self.put(id_)
                client.send(inline({"n": 2 * n + 1}, f"socket-{n}"))
                self.wait_for_log(f"submission socket-{n} is queued")
            before = set(self.pool.agent_files() + self.pool.submission_files())
            used, began = cpu_seconds(self.daemon.pid), time.monotonic()
            holds_for(lambda: self.daemon.running and not any(agent.has_task() for agent in agents), 3.5,
                      "nothing can be given out, and the daemon waits for better times")
            used = cpu_seconds(self.daemon.pid) - used
            self.assertEqual(set(self.pool.agent_files() + self.pool.submission_files()), before)
            self.assert_backoff(used, time.monotonic() - began)
            self.repair()
            for agent in agents:
                agent.task_text()
            self.assertEqual(sorted(agent.content()["n"] for agent in agents), [0, 1, 2])
            self.serve_all(agents, client, by_file)
        self.assert_running(self.daemon)

    def assert_backoff(self, used, seconds):
        """Attempts of three tasks each: after 0, 0.1, 0.3, 0.7, 1.5, 3.1 s, and from then on each 5 s."""
        failures, most = len(self.failures()), 3 * (7 + int(seconds / 5))
        print(f"     ({failures} failures in {seconds:.1f} s, {used:.2f} s of CPU)", flush=True)
        self.assertTrue(6 <= failures <= most, f"{failures} failures, {most} at most")
        self.assertLess(used, 3 if is_sanitized() else 1)

    def serve_all(self, agents, client, by_file):
        working = {agent.content()["n"]: agent for agent in agents}
        for n in range(6):
            working[n].respond(f"[{n}]")
            if n % 2:
                self.assertEqual(client.receive()["stdout"], f"[{n}]")
            else:
                self.assertEqual(self.pool.response_by_file(by_file[n // 2])["stdout"], f"[{n}]")
            if n < 3:
                working[n + 3] = HandAgent(self.pool)
                self.assertEqual(working[n + 3].content(), {"n": n + 3})
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")

    def task_at_work(self, content, response):
        """The id of a request file whose task is with an agent, and what puts the prepared response in its place."""
        id_ = self.prepared_request(content)
        self.put(id_)
        agent = HandAgent(self.pool)
        agent.task_text()
        prepared = self.pool.path / "scratch" / "prepared"
        prepared.write_text(response)
        return id_, agent, prepared

    def test_answers_that_can_not_be_written_come_after_the_repair(self):
        id_, agent, prepared = self.task_at_work({"n": 1}, GROWING)
        self.fill()
        prepared.rename(agent.response)
        wait_until(lambda: self.failures(), "the answer to be refused by the disk")
        holds_for(lambda: self.daemon.running and self.pool.submission_files() == [self.request_file(id_).name], 2.5,
                  "there is no room for the answer, nor a part of it")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, id_))
            self.assertEqual(client.receive()["stdout"], GROWING)  # it need not wait for the disk
        self.repair()
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], GROWING)
        self.assertEqual(self.pool.submission_files(), [])
        wait_until(lambda: self.pool.agent_files() == [], "the agent's files to go")

    def test_a_large_answer_that_waits_for_room_is_not_forgotten(self):
        self.mount_larger("48m")
        large = json.dumps('"' * 4_500_000)  # more than the daemon remembers of what it has answered
        id_, agent, prepared = self.task_at_work({"n": 1}, large)
        self.fill()
        prepared.rename(agent.response)
        wait_until(lambda: self.failures(), "the answer to be refused by the disk")
        (self.pool.path / "scratch").rmdir()  # when there is one again, the daemon looks through all requests
        wait_until((self.pool.path / "scratch").exists, "the directory to be made again")
        self.repair()
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], large)
        wait_until(lambda: self.pool.agent_files() == [], "the agent's files to go")

    def test_an_answer_whose_request_is_withdrawn_before_there_is_room_is_not_written(self):
        id_, agent, prepared = self.task_at_work({"n": 1}, GROWING)
        self.fill()
        prepared.rename(agent.response)
        wait_until(lambda: self.failures(), "the answer to be refused by the disk")
        self.request_file(id_).unlink()
        self.repair()
        count = len(self.failures())
        holds_for(lambda: not self.response_file(id_).exists(), 1.5, "nobody waits for the answer")
        self.assertEqual(len(self.failures()), count)

    def test_a_request_that_is_only_half_on_the_disk_waits_for_its_other_half(self):
        agent = HandAgent(self.pool)
        wait_until(lambda: self.logged(r"\) is ready"), "the agent")
        text = json.dumps(inline({"fill": "x" * 2 * PAGE})).encode()
        self.fill(leave=PAGE)
        id_ = str(uuid.uuid4())
        with open(self.request_file(id_), "wb", buffering=0) as request:
            self.assertEqual(request.write(text), PAGE)
            self.assertRaises(OSError, request.write, text[PAGE:])
            holds_for(lambda: self.daemon.running and self.pool.submission_files() == [self.request_file(id_).name],
                      1.2, "half a request is left alone")
            self.assertNotIn("refused a submission", self.daemon.err)
            self.repair()
            request.write(text[PAGE:])
        agent.content()
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[1]")

    def test_a_request_that_is_made_whole_before_it_could_be_refused_is_done(self):
        agent = HandAgent(self.pool)
        wait_until(lambda: self.logged(r"\) is ready"), "the agent")
        text = json.dumps(inline({"fill": "x" * 2 * PAGE})).encode()
        self.fill(leave=PAGE)
        id_ = str(uuid.uuid4())
        with open(self.request_file(id_), "wb", buffering=0) as request:
            self.assertEqual(request.write(text), PAGE)
        self.fill()
        wait_until(lambda: self.failures(), "the refusal to be refused by the disk")
        self.daemon.signal(signal.SIGSTOP)  # the repair and the request's other half come as one
        self.repair()
        self.pool.request_by_file(text, id_)
        self.daemon.signal(signal.SIGCONT)
        self.assertEqual(agent.content(), {"fill": "x" * 2 * PAGE})
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[1]")

    def test_submit_task_says_that_the_disk_is_full_and_leaves_nothing(self):
        self.fill()
        result = self.pool.submit({"n": 1}, transport="file").result()
        self.assert_exit(result, 1)
        self.assertIn("No space left on device", result.err)
        self.assertEqual(result.out, "")
        self.assertEqual(os.listdir(self.pool.path / "submissions") + os.listdir(self.pool.path / "scratch"), [])
        by_socket = self.pool.submit({"n": 2}, transport="socket")
        wait_until(lambda: self.logged("is queued"), "the submission that needs no room")
        self.repair()
        agent = HandAgent(self.pool)
        self.assertEqual(agent.content(), {"n": 2})
        agent.respond("[2]")
        self.assert_exit(by_socket.result(), 0)

    def test_a_stop_while_it_is_full_keeps_requests_for_the_next_daemon(self):
        ids = [self.prepared_request({"n": n}) for n in range(2)]
        self.put(ids[0])
        agent = HandAgent(self.pool)
        agent.task_text()
        self.fill()
        self.put(ids[1])
        self.daemon.terminate()
        self.assert_exit(self.daemon.result(), 0)
        self.assertLessEqual({self.request_file(id_).name for id_ in ids}, set(self.pool.submission_files()))
        self.repair()
        self.start_pool()
        for n, id_ in enumerate(ids):
            if self.response_file(id_).exists():  # what the agents' files had taken was room enough
                self.assertEqual(self.pool.response_by_file(id_), STOPPED)
                continue
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), {"n": n})
            agent.respond(f"[{n}]")
            self.assertEqual(self.pool.response_by_file(id_)["stdout"], f"[{n}]")


class Errors(DiskCase):
    """Errors of the system calls that tasks, leases and answers are written and read by: each some times, then none."""

    def setUp(self):
        super().setUp()
        require(which("strace"), "strace is not installed")
        self.start_pool(env=traceable())

    @contextmanager
    def injected(self, call, error, times, path=None):
        """Lets that call of the daemon fail so many times. In here they must all be met."""
        out = self.home / f"trace-{len(self.processes)}"
        strace = self.start("strace", "-f", "-qq", "-o", out, "-p", self.daemon.pid, *(["-P", path] if path else []),
                            "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when=1..{times}")
        try:
            wait_until(lambda: self.traced_by() == strace.pid or not strace.running, "strace to attach")
            if not strace.running:
                require(False, f"strace may not trace here: {strace.err.strip()}")
            yield
        finally:
            strace.terminate()
            strace.result()
        self.assertEqual(out.read_text().count("INJECTED"), times, out.read_text())

    def traced_by(self):
        status = Path(f"/proc/{self.daemon.pid}/status").read_text()
        return int(re.search(r"TracerPid:\s+(\d+)", status)[1])

    def submissions(self, client, number):
        """Two, the first by file, in that order."""
        ids = [f"file-{number}", f"socket-{number}"]
        self.pool.request_by_file(inline({"first": number}), ids[0])
        self.wait_for_log(f"submission {ids[0]} is queued")
        client.send(inline({"second": number}, ids[1]))
        self.wait_for_log(f"submission {ids[1]} is queued")
        return ids

    def assert_served_in_order(self, client, agent, ids, number):
        self.assertEqual(agent.content(), {"first": number})
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(ids[0])["stdout"], "[1]")
        second = HandAgent(self.pool)
        self.assertEqual(second.content(), {"second": number})
        second.respond("[2]")
        self.assertEqual(client.receive(), {"id": ids[1], "kind": "Processed", "stdout": "[2]"})
        wait_until(lambda: self.pool.agent_files() + self.pool.submission_files() == [], "all files to go")

    def test_an_assignment_that_fails_is_tried_again_and_stays_the_first(self):
        faults = [(call, "EIO") for call in ("write", "openat", "pwrite64", "renameat")] + [("write", "ENOSPC")]
        times = 4  # an even number: two that take turns would end up in their order after an odd one
        with self.pool.connect() as client:
            for number, (call, error) in enumerate(faults):
                with self.subTest(call=call, error=error):
                    agent = HandAgent(self.pool)
                    wait_until(lambda: f"({agent.uuid}) is ready" in self.daemon.err, "the agent")
                    scratch = self.pool.path / "scratch"
                    path = {"openat": scratch, "write": scratch / agent.task.name,
                            "pwrite64": self.pool.path / "leases"}.get(call)
                    before = len(self.failures())
                    with self.injected(call, error, times, path):
                        ids = self.submissions(client, number)
                        agent.task_text()
                    self.assertEqual(len(self.failures()) - before, times)
                    self.assert_served_in_order(client, agent, ids, number)
        self.assert_running(self.daemon)

    def test_an_answer_that_can_not_be_written_is_tried_again(self):
        for call, error in (("write", "EIO"), ("renameat", "EIO")):
            with self.subTest(call=call, error=error):
                id_ = self.pool.request_by_file(inline({"n": 1}))
                agent = HandAgent(self.pool)
                agent.task_text()
                scratch = self.pool.path / "scratch" / self.response_file(id_).name
                with self.injected(call, error, 2, scratch if call == "write" else None):
                    agent.respond("[1]")
                    wait_until(self.response_file(id_).exists, "the answer")
                self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[1]")

    def test_what_can_not_be_read_is_read_again(self):
        for kind in ("ready", "request", "response"):
            with self.subTest(kind=kind):
                agent_id, id_ = str(uuid.uuid4()), str(uuid.uuid4())
                path = {"ready": self.pool.path / "agents" / f"{agent_id}.ready.json",
                        "response": self.pool.path / "agents" / f"{agent_id}.response.json",
                        "request": self.request_file(id_)}[kind]
                with self.injected("pread64", "EIO", 3, path):
                    agent = HandAgent(self.pool, uuid_=agent_id)
                    self.pool.request_by_file(inline({"n": 1}), id_)
                    self.assertEqual(agent.content(), {"n": 1})
                    agent.respond("[1]")
                    self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[1]")
        self.assertNotIn("invalid", self.daemon.err)
