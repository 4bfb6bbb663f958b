"""Agents on a pool whose disk is full: what they have to say is kept until there is room for it."""

import os
import platform
import sys

from harness import Case, Pool, holds_for, require, small_disk, wait_until
from harness.environment import binary

PAGE = 4096
HOUR = 3600
# Waits for the file `go`, and answers with 40 kB.
ANSWER = "echo x >> runs; await go; printf '\"%040000d\"' 7"
ANSWERED = {"kind": "Processed", "stdout": '"' + "7".zfill(40_000) + '"'}


class FullDisk(Case):
    sandboxed = False  # the agents may not use the socket

    def setUp(self):
        super().setUp()
        self.disk = small_disk.mount(self)
        self.pool = Pool(self, root=self.disk / "root")
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")

    def fill(self):
        """To the last byte."""
        filler = os.open(self.disk / "filler", os.O_WRONLY | os.O_CREAT, 0o600)
        size = PAGE
        while size:
            try:
                os.write(filler, bytes(size))
            except OSError:
                size //= 2
        os.close(filler)

    def repair(self):
        (self.disk / "filler").unlink()

    def start_agent(self, command, name="agent"):
        args = ["agent", "--root", self.pool.root, "--exec", command, "--name", name]
        if not self.sandboxed:
            return self.start("troupe", *args)
        require(platform.machine() in ("x86_64", "aarch64"), f"no filter is written for {platform.machine()}")
        return self.start(sys.executable, self.fixtures.parent / "pool_sandbox" / "denied.py", "connect", "EPERM",
                          binary("troupe"), *args)

    def agent(self, command, name="agent"):
        """One that has announced itself."""
        known = self.pool.waiting_agents()
        agent = self.start_agent(command, name)
        wait_until(lambda: self.pool.waiting_agents() - known, "the agent to announce itself")
        return agent

    def at_work(self, command):
        """An agent at a task, its submitter, and no room on the disk."""
        agent = self.agent(command)
        submitter = self.pool.submit({"timeout_seconds": HOUR})
        wait_until(lambda: self.runs() == 1, "the command")
        self.fill()
        return agent, submitter

    def runs(self):
        path = self.work / "runs"
        return len(path.read_text().split()) if path.exists() else 0

    def go(self):
        (self.work / "go").touch()

    def assert_done_by_another(self, submitter):
        self.repair()
        self.agent("echo '[2]'", name="other")
        self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[2]\n"})

    def test_an_answer_is_kept_and_written_when_there_is_room(self):
        agent, submitter = self.at_work(ANSWER)
        self.go()
        wait_until(lambda: "tried again" in agent.err, "the agent to say that it can't write its answer")
        agents = self.pool.waiting_agents()
        holds_for(lambda: agent.running and submitter.running and self.pool.waiting_agents() == agents, 2,
                  "the agent keeps the answer, and asks for no other task")
        self.repair()
        self.assertEqual(submitter.json(), ANSWERED)
        self.assertEqual(self.runs(), 1)
        self.assertEqual(agent.err.count("tried again"), 1)
        self.assertEqual(self.pool.submit({"n": 2}).json(), ANSWERED)
        self.assert_running(agent)

    def test_an_answer_that_was_never_written_is_given_back_by_an_agent_that_ends(self):
        agent, submitter = self.at_work(ANSWER)
        self.go()
        wait_until(lambda: "tried again" in agent.err, "the agent to say that it can't write its answer")
        agent.signal(15)
        self.assert_exit(agent.result(), 143)
        self.assert_done_by_another(submitter)

    def test_a_task_is_handed_back_without_any_room(self):
        agent, submitter = self.at_work("echo x >> runs; await go; echo no quota >&2; exit 75")
        self.go()
        wait_until(self.is_handed_back, "the daemon to have the task back")
        self.assert_running(agent)
        self.assert_done_by_another(submitter)

    def is_handed_back(self):
        return "hands its task back" in self.daemon.err or "its task is queued again" in self.daemon.err

    def test_a_failure_is_told_without_any_room(self):
        _, submitter = self.at_work("echo x >> runs; await go; exit 3")
        self.go()
        result = submitter.result()
        self.assert_exit(result, 1)
        self.assertEqual((result.json["reason"], result.json["exit_code"]), ("agent_failed", 3))

    def test_an_agent_that_is_told_to_end_gives_its_task_back_without_any_room(self):
        agent, submitter = self.at_work("echo x >> runs; sleep 1000")
        agent.signal(15)
        self.assert_exit(agent.result(), 143)
        wait_until(self.is_handed_back, "the daemon to have the task back")
        self.assert_done_by_another(submitter)

    def test_an_agent_that_can_not_announce_itself_waits_for_room(self):
        self.fill()
        agent = self.start_agent("echo '[]'")
        holds_for(lambda: agent.running and not self.pool.waiting_agents(), 1.5, "there is no room for a ready file")
        self.repair()
        self.assertEqual(self.pool.submit({"n": 1}).json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assert_running(agent)


class FullDiskInSandboxes(FullDisk):
    sandboxed = True

    def test_a_failure_is_told_without_any_room(self):
        """By files it can't be; the task is another's then."""
        agent, submitter = self.at_work("echo x >> runs; await go; exit 3")
        self.go()
        wait_until(self.is_handed_back, "the daemon to have the task back")
        agent.terminate()
        agent.result()
        self.assert_done_by_another(submitter)
