"""A kick ends the agent's command with all that it started, and only then somebody else gets the task."""

import signal
import sys
from pathlib import Path

from harness import Pool, holds_for, one_host, wait_until, windows
from harness.pool import inline
from harness.statelog import LogCase
from harness.workflow import pool, step

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "agent_deaths"))
from work import COMMAND, Work, WorkCase, is_alive  # noqa: E402

VALUE = ("--entrypoint-value", '{"n": 0}')


@one_host("its agents are those of a run")
class HungCommands(LogCase):
    """Of a run's own agents."""

    def setUp(self):
        super().setUp()
        self.work_done = Work(self.work)

    def run_hanging(self, begun, *args, command=COMMAND, retries=1):
        """A run whose commands all hang. `begun` says how many have begun: the timeout is one within which all do."""
        self.work_done.hang()
        for timeout in windows():
            for name in ("notes", "begun", self.log()):
                (self.work / name).unlink(missing_ok=True)
            steps = [step("Ask", pool(), options={"timeout": timeout, "max_retries": retries})]
            result = self.run_logged(steps, *VALUE, "--agent-exec", command, *args)
            if begun() == 1 + retries:
                break
        return result

    def test_they_are_ended_when_the_time_is_over_and_the_retries_decide(self):
        result = self.run_hanging(lambda: self.count("begun"), "--agents", "1", command="echo $$ >> begun; sleep 1000")
        self.assert_run(result, 1)
        self.assertEqual(self.count("begun"), 2)
        self.assertNotIn("no agent is attached", result.err)
        self.assertIn("timeout", result.err)

    def test_no_attempt_begins_before_the_earlier_one_is_gone(self):
        for agents in ("1", "2"):
            result = self.run_hanging(lambda: self.work_done.count("child"), "--agents", agents, retries=1)
            self.assert_run(result, 1)
            self.assertEqual(self.work_done.count(), 2)
            self.assertEqual(self.work_done.count("child"), 2)
            self.assertEqual(self.work_done.notes("overlap"), [])
            self.assertEqual(self.work_done.alive(), [])

    def test_what_a_command_wrote_to_stderr_is_told_though_it_ignores_the_signal(self):
        command = "trap '' TERM; echo waiting for login >&2; echo >> begun; sleep 1000 & wait; wait"
        result = self.run_hanging(lambda: self.count("begun"), "--agents", "1", retries=0, command=command)
        self.assert_run(result, 1)
        self.assertIn("wrote to stderr: waiting for login", result.err)

    def test_a_retry_that_does_not_hang_succeeds(self):
        command = "if [ -e begun ]; then echo '[]'; else touch begun; trap '' TERM; sleep 1000; fi"
        for timeout in windows():
            for path in (self.work / "begun", self.log()):
                path.unlink(missing_ok=True)
            result = self.run_logged([step("Ask", pool(), options={"timeout": timeout, "max_retries": 1})],
                                     "--agents", "1", "--agent-exec", command)
            if result.code == 0:
                break
        self.assert_run(result)


class Kicks(WorkCase):
    """Of `troupe agent`."""

    def setUp(self):
        super().setUp()
        self.daemon = self.pool.start("--no-heartbeat")

    def hanging(self, content):
        """A submitter whose task hangs at an agent."""
        self.work_done.hang()
        self.agents()
        submitter = self.pool.submit(content)
        wait_until(lambda: self.work_done.count("begin") == self.work_done.count("child") == 1, "the command")
        self.work_done.hang_no_more()
        return submitter

    def hanging_with_timeout(self, after=lambda: None):
        """The same with a timeout, which comes later than the command has begun and than after() has returned."""
        self.work_done.hang()
        self.agents()
        for timeout in windows():
            told = self.times_told()  # of the task before
            submitter = self.pool.submit({"n": 0, "timeout_seconds": timeout})
            wait_until(lambda: self.work_done.count("child") or not submitter.running, "the command")
            after()
            is_early = self.times_told() == told
            if is_early and self.work_done.count() == 1 and len(self.work_done.alive()) == 2:
                break
            if not self.daemon.running:
                self.daemon = self.pool.start("--no-heartbeat")
            submitter.result()
            (self.work / "notes").unlink(missing_ok=True)
        self.work_done.hang_no_more()
        return submitter

    def times_told(self):
        """How often this daemon has told an agent that the time is over."""
        return self.daemon.err.count(" to end its work: Timeout")

    def assert_ended(self):
        wait_until(lambda: not self.work_done.alive(), "the command and what it started to end")

    def assert_served(self):
        self.assertEqual(self.pool.submit({"n": 1}).json(), {"kind": "Processed", "stdout": "[]\n"})

    def test_a_submitter_is_told_of_a_timeout_when_the_command_is_gone(self):
        submitter = self.hanging_with_timeout()
        self.assert_exit(submitter.result(), 124)
        self.assertEqual(self.work_done.alive(), [])
        self.assert_served()

    def test_a_task_that_is_withdrawn_is_ended(self):
        submitter = self.hanging({"n": 0})
        submitter.signal(signal.SIGTERM)
        self.assert_ended()
        self.assert_exit(submitter.result(), 143)
        self.assert_served()

    def test_a_task_whose_submitter_has_no_id_and_is_gone_is_ended(self):
        self.work_done.hang()
        self.agents()
        with self.pool.connect() as client:
            client.send(inline({"n": 0}))
            wait_until(lambda: self.work_done.count("begin") == self.work_done.count("child") == 1, "the command")
        self.work_done.hang_no_more()
        self.assert_ended()
        self.assert_served()

    def test_a_task_whose_request_file_is_gone_is_ended(self):
        self.work_done.hang()
        self.agents()
        id_ = self.pool.request_by_file(inline({"n": 0}))
        wait_until(lambda: self.work_done.count("child") == 1, "the command")
        self.work_done.hang_no_more()
        (self.pool.path / "submissions" / f"{id_}.request.json").unlink()
        self.assert_ended()
        self.assert_served()

    def test_a_task_that_is_submitted_again_waits_until_its_command_is_gone(self):
        self.work_done.hang()
        self.agents(2)
        request = inline({"n": 0}, "again")
        with self.pool.connect() as client:
            client.send(request)
            wait_until(lambda: self.work_done.count("begin") == self.work_done.count("child") == 1, "the command")
            self.work_done.hang_no_more()
            client.send({"kind": "Withdraw", "id": "again"})
            client.send(request)
            self.assertEqual(client.receive()["kind"], "Processed")
        self.assertEqual(self.work_done.count(), 2)
        self.assertEqual(self.work_done.notes("overlap"), [])

    def test_a_pool_that_stops_ends_what_is_at_work(self):
        submitter = self.hanging({"n": 0})
        self.assert_exit(self.pool.stop(), 0)
        self.assertEqual(self.work_done.alive(), [])
        self.assertEqual(submitter.result().json["reason"], "stopped")

    def test_a_deadline_holds_while_the_daemon_is_away(self):
        submitter = self.hanging_with_timeout(after=lambda: self.kill(self.daemon))
        wait_until(lambda: not self.work_done.alive(), "the command to be ended by the agent itself")
        self.pool.start("--no-heartbeat")
        self.assert_exit(submitter.result(), 124)
        self.assertEqual(self.work_done.count(), 1)
        self.assert_served()


class KicksInSandboxes(Kicks):
    sandboxed = True


class OnKick(WorkCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def keep(self, count):
        """Submits tasks that time out, until so many commands work on nevertheless."""
        idle = len(self.pool.waiting_agents())
        for timeout in windows():
            self.assert_exit(self.pool.submit({"n": 0, "timeout_seconds": timeout}).result(), 124)
            wait_until(lambda: self.work_done.count() == count or len(self.pool.waiting_agents()) == idle,
                       "the command, or the agent to come back without one")
            if self.work_done.count() == count:
                break

    def test_keep_lets_the_command_work_on(self):
        self.work_done.close()
        agent = self.agents(options=("--on-kick", "keep"))
        self.keep(1)
        (_, pid, _), = self.work_done.notes("begin")
        holds_for(lambda: is_alive(pid), 3, "the command is at work")
        self.work_done.open()
        wait_until(lambda: self.work_done.count("end") == 1, "the command's end")
        self.assertEqual(self.pool.submit({"n": 1}).json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assert_running(agent)

    def test_another_agent_may_have_the_task_then(self):
        self.work_done.close()
        self.agents(2, options=("--on-kick", "keep"))
        for attempt in (1, 2):
            self.keep(attempt)
        wait_until(lambda: self.work_done.count("overlap") == 1, "the second command to see the first one at work")
        self.work_done.open()

    @one_host("no pool is needed")
    def test_it_is_end_or_keep(self):
        self.assert_exit(self.pool.command("agent", "--exec", "true", "--on-kick", "stay").result(), 2)


class Withdrawals(WorkCase, LogCase):
    @one_host("its agents are those of a run")
    def test_an_interrupted_run_does_not_take_its_own_agents_for_dead(self):
        self.work_done.hang()
        run = self.start_logged([step("Ask", pool())], *VALUE, "--agents", "2", "--agent-exec", COMMAND)
        wait_until(lambda: self.work_done.count("child") == self.work_done.count() == 1, "the command")
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
        self.assertNotIn("died at work", run.err)
        self.assertEqual(self.work_done.alive(), [])

    def test_an_interrupted_run_ends_its_tasks_commands_on_the_pool_of_others(self):
        daemon = self.pool.start("--no-heartbeat")
        agent = self.agents()
        self.work_done.hang()
        run = self.start_logged([step("Ask", pool())], *VALUE)
        wait_until(lambda: self.work_done.count("child") == self.work_done.count() == 1, "the command")
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
        wait_until(lambda: not self.work_done.alive(), "the command to end")
        self.assert_running(agent)
        self.assert_running(daemon)
