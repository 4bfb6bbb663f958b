"""Clients in sandboxes that deny them the socket or inotify."""

import platform
import sys

from harness import HandAgent, Pool, require, wait_until
from harness.environment import binary
from harness.pool import as_text, inline
from harness.workflow import WorkflowCase, pool, step

DENIED = (("connect", "EPERM"), ("connect", "EACCES"), ("socket", "EPERM"), ("socket", "EAFNOSUPPORT"))


STOPPED = {"kind": "NotProcessed", "reason": "stopped"}


class Sandbox(WorkflowCase):
    def setUp(self):
        super().setUp()
        require(platform.machine() in ("x86_64", "aarch64"), f"no filter is written for {platform.machine()}")
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def denied(self, call, error, *args):
        """Starts troupe without that system call."""
        return self.start(sys.executable, self.fixtures / "denied.py", call, error, binary("troupe"), *args, "--root",
                          self.root)

    def submit(self, call, error, content, *options):
        return self.denied(call, error, "submit_task", "--data", as_text(content), *options)

    def serve(self, content):
        assignment = self.pool.take()
        self.assertEqual(assignment["content"], content)
        self.pool.answer(assignment, "[]")

    def test_a_submitter_without_the_socket_goes_on_by_files_without_a_word(self):
        for call, error in DENIED:
            with self.subTest(call=call, error=error):
                submitter = self.submit(call, error, {"n": error})
                self.serve({"n": error})
                result = submitter.result()
                self.assert_exit(result, 0)
                self.assertEqual((result.json["stdout"], result.err), ("[]", ""))

    def test_at_debug_it_says_that_it_uses_files(self):
        submitter = self.submit("connect", "EPERM", {"n": 1}, "--log-level", "debug")
        self.serve({"n": 1})
        result = submitter.result()
        self.assert_exit(result, 0)
        self.assertIn("file", result.err)

    def test_notify_socket_is_not_given_up_for_files(self):
        result = self.submit("connect", "EPERM", 1, "--notify", "socket").result()
        self.assert_exit(result, 1)
        self.assertEqual(result.out, "")
        self.assertNotEqual(result.err, "")
        self.assertEqual(self.pool.submission_files(), [])

    def test_clients_without_inotify_look_again_and_again(self):
        for error in ("EMFILE", "EPERM"):
            agent = self.denied("inotify_init1", error, "get_task")
            wait_until(lambda: self.pool.waiting_agents() or not agent.running, "the agent to announce itself")
            submitter = self.submit("inotify_init1", error, {"n": error}, "--notify", "file")
            assignment = agent.json()
            self.assertEqual(assignment["content"], {"n": error})
            self.pool.answer(assignment, "[]")
            self.assert_exit(submitter.result(), 0)
            wait_until(lambda: self.pool.agent_files() == [], "the agent's files to go")

    def test_an_agent_loop_works_without_socket_and_inotify(self):
        python, denied = sys.executable, self.fixtures / "denied.py"
        self.start(python, denied, "socket", "EPERM", python, denied, "inotify_init1", "EMFILE", binary("troupe"),
                   "agent", "--root", self.root, "--exec", "cat")
        for n in range(3):
            self.assertEqual(self.pool.submit({"n": n}).json()["stdout"].strip(), f'{{"n": {n}}}')

    # A run in a sandbox, and a daemon that drains.

    def drain(self):
        """The daemon has a task with an agent, and drains. Returns the agent."""
        agent = HandAgent(self.pool)
        self.pool.submit({"a": "busy"})
        agent.content()
        self.pool.command("stop", "--drain")
        wait_until(lambda: "draining" in self.daemon.err, "the daemon to say that it drains")
        return agent

    def run_by_file(self, *denied):
        """Starts a run with one task, which is denied the socket and more; it has been answered `stopped`."""
        python, script = sys.executable, self.fixtures / "denied.py"
        calls = [word for call, error in (("connect", "EPERM"), *denied) for word in (python, script, call, error)]
        run = self.start(*calls, binary("barnum"), "run", "--config", self.write_config([step("Ask", pool())]),
                         "--no-embedded-pool")
        wait_until(lambda: "the pool was stopped" in run.err, "the run to say that the pool was stopped")
        return run

    def stopped_submissions(self):
        return self.pool.command("status", "--json").json()["counts"]["stopped"]

    def assert_submitted_once(self):
        """While the daemon has answered twenty others."""
        for n in range(20):
            late = self.pool.request_by_file(inline({"n": n}))
            self.assertEqual(self.pool.response_by_file(late), STOPPED)
        self.assertEqual(self.stopped_submissions(), 21)

    def assert_goes_on(self, run):
        """With the next daemon."""
        self.pool.start("--no-heartbeat")
        self.pool.answer(self.pool.take(), "[]")
        self.assert_run(run.result())

    def assert_waits_for_the_end(self, *denied):
        agent = self.drain()
        run = self.run_by_file(*denied)
        self.assert_submitted_once()
        agent.respond("[]")
        self.assert_exit(self.daemon.result(), 0)
        self.assert_goes_on(run)

    def test_a_run_submits_by_file_once_while_the_daemon_drains_and_again_to_the_next_one(self):
        self.assert_waits_for_the_end()

    def test_so_it_does_without_inotify(self):
        self.assert_waits_for_the_end(("inotify_init1", "EMFILE"))

    def test_a_run_submits_by_file_again_to_the_daemon_that_replaces_one_that_was_killed_while_it_drained(self):
        self.drain()
        run = self.run_by_file()
        self.assert_submitted_once()
        self.daemon.kill()
        self.assert_goes_on(run)
