"""Agents that die: their tasks go to others at once, use no retry, and nothing of the dead is at work any more."""

import json
import signal
import sys
from pathlib import Path

from harness import Pool, holds_for, one_host, wait_until
from harness.statelog import LogCase, entries
from harness.workflow import pool, step

sys.path.insert(0, str(Path(__file__).parent))
from work import COMMAND, Work, WorkCase  # noqa: E402

DEFAULT_POOL = ("--pool", "default")


class DeathCase(WorkCase):
    looked_for = 3  # seconds in which a living agent would be taken for dead, if it were

    def hanging(self, count=1):
        """Agents at tasks that hang, and the submitters."""
        self.work_done.hang()
        agents = self.agents(count, name="dying")
        submitters = [self.pool.submit({"n": n}) for n in range(count)]
        wait_until(lambda: self.work_done.count("begin") == self.work_done.count("child") == count, "the commands")
        self.work_done.hang_no_more()
        return agents, submitters

    def assert_redone(self, submitters):
        """Each task is executed a second time, after the end of the first. No timeout of theirs would do it in time."""
        count = len(submitters)
        wait_until(lambda: self.work_done.count() == 2 * count, "the tasks to run again")
        for submitter in submitters:
            self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assertEqual(self.work_done.notes("overlap"), [])
        self.assertEqual(self.work_done.count(), 2 * count)
        self.assertEqual(self.work_done.alive(), [])


class DeadAgents(DeathCase):
    def test_the_tasks_of_a_killed_process_go_to_others_when_its_commands_are_gone(self):
        self.start_pool()
        dying, submitters = self.hanging(3)
        self.agents(3, name="idle")
        self.kill(dying)
        self.assert_redone(submitters)
        self.assertIn("died at work", self.daemon.err)

    def test_a_task_of_a_dead_agent_goes_before_those_that_wait(self):
        self.start_pool()
        dying, (first,) = self.hanging()
        second = self.pool.submit({"n": 1})
        wait_until(lambda: self.pool.queued() == 1, "the second task to be queued")
        self.kill(dying)
        wait_until(lambda: "died at work" in self.daemon.err, "the death to be noticed")
        self.agents()
        for submitter in (first, second):
            submitter.json()
        self.assertEqual([number for number, *_ in self.work_done.notes("begin")], [0, 0, 1])

    def test_agents_that_die_while_no_daemon_runs_are_known_to_be_dead_by_the_next(self):
        self.start_pool()
        dying, submitters = self.hanging()
        self.kill(self.daemon)
        self.kill(dying)
        self.start_pool()
        self.agents()
        self.assert_redone(submitters)

    def test_one_whose_time_was_over_meanwhile_has_died_all_the_same(self):
        self.start_pool()
        self.work_done.hang()
        dying = self.agents(name="dying")
        submitter = self.pool.submit({"n": 0, "timeout_seconds": 3600})
        wait_until(lambda: self.work_done.count("child") == self.work_done.count() == 1, "the command")
        self.work_done.hang_no_more()
        self.kill(self.daemon)
        self.kill(dying)
        self.pool.make_leases_older(3600)
        self.start_pool()
        self.agents()
        self.assert_redone([submitter])

    def test_an_agent_that_dies_after_a_restart_of_the_daemon_is_noticed(self):
        self.start_pool()
        dying, submitters = self.hanging()
        self.kill(self.daemon)
        self.start_pool()
        self.agents()
        self.kill(dying)
        self.assert_redone(submitters)


class DeadAgentsInSandboxes(DeadAgents):
    sandboxed = True


class LivingAgents(DeathCase):
    def test_an_agent_that_outlives_its_daemon_is_not_taken_for_dead(self):
        self.start_pool()
        self.work_done.close()
        agent = self.agents()
        submitter = self.pool.submit({"n": 0})
        wait_until(self.work_done.count, "the command")
        self.kill(self.daemon)
        self.start_pool()
        self.agents(name="idle")
        holds_for(lambda: self.work_done.count() == 1, self.looked_for, "the agent is at work")
        self.work_done.open()
        self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assertEqual(self.work_done.count(), 1)
        self.assert_running(agent)

    def test_an_answer_that_was_written_while_no_daemon_ran_counts(self):
        self.start_pool()
        self.work_done.close()
        agent = self.agents()
        submitter = self.pool.submit({"n": 0})
        wait_until(self.work_done.count, "the command")
        self.kill(self.daemon)
        self.work_done.open()
        wait_until(lambda: any(name.endswith(".response.json") for name in self.pool.agent_files()), "the response")
        self.kill(agent)
        self.start_pool()
        self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assertEqual(self.work_done.count(), 1)

    def test_an_agent_that_is_stopped_for_a_while_is_not_taken_for_dead(self):
        self.start_pool()
        self.work_done.close()
        agent = self.agents()
        self.agents(name="idle")
        submitter = self.pool.submit({"n": 0})
        wait_until(self.work_done.count, "the command")
        agent.signal(signal.SIGSTOP)
        holds_for(lambda: self.work_done.count() == 1, self.looked_for, "nobody else gets the task")
        agent.signal(signal.SIGCONT)
        self.work_done.open()
        self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[]\n"})
        self.assertEqual(self.work_done.count(), 1)
        self.assert_running(agent)


    def test_one_that_has_announced_itself_while_no_daemon_ran_is_heard(self):
        """Its connection is lost, and made again after its announcement."""
        self.start_pool()
        agent = self.agents(command="case $(cat) in *fail*) exit 7;; esac; touch began; "
                            "await go; echo '[]'")
        first = self.pool.submit({"n": 0})
        wait_until((self.work / "began").exists, "the command")
        self.kill(self.daemon)
        (self.work / "go").touch()
        wait_until(lambda: self.pool.waiting_agents(), "the agent to announce itself")
        self.start_pool()
        self.assertEqual(first.json(), {"kind": "Processed", "stdout": "[]\n"})
        answer = self.pool.submit({"x": "fail"}).result()
        self.assert_exit(answer, 1)
        self.assertIn("agent_failed", answer.out)
        self.assertNotIn("died at work", self.daemon.err)
        self.assert_running(agent)


class LivingAgentsInSandboxes(LivingAgents):
    sandboxed = True
    looked_for = 7


class PublishedAgents(DeathCase):
    def test_an_agent_of_the_published_protocol_is_noticed_by_timeout(self):
        self.start_pool()
        submitter = self.pool.submit({"timeout_seconds": 2})
        self.pool.take()  # and nobody is there any more
        idle = self.pool.get_task()
        self.assert_exit(submitter.result(), 124)
        self.assert_running(idle)


class RetriesOfARun(DeathCase, LogCase):
    def test_none_is_used_by_the_death_of_an_agent(self):
        self.start_pool()
        self.work_done.hang()
        dying = self.agents(name="dying")
        steps = [step("Ask", pool(), options={"max_retries": 0, "timeout": 3600})]
        run = self.start_logged(steps, "--no-embedded-pool", "--entrypoint-value", '{"n": 0}')
        wait_until(lambda: self.work_done.count("begin") == self.work_done.count("child") == 1, "the command")
        self.work_done.hang_no_more()
        self.agents(name="idle")
        self.kill(dying)
        self.assert_run(run.result())
        self.assertEqual((self.work_done.count(), self.work_done.notes("overlap")), (2, []))
        self.assertNotIn("reason", json.dumps(entries(self.log())[1:]))


KILL_AGENT = "echo $PPID >> killed; kill -9 $PPID; exec sleep 1000"


class PoisonedTask(DeathCase, LogCase):
    def killed(self):
        path = self.work / "killed"
        return sorted(int(pid) for pid in path.read_text().split()) if path.exists() else []

    def test_a_task_that_three_agents_have_died_of_fails(self):
        self.start_pool()
        agents = [self.agents(command=KILL_AGENT) for _ in range(3)]
        result = self.pool.submit({"n": 0}).result()
        self.assert_exit(result, 1)
        self.assertEqual((result.json["kind"], result.json["reason"]), ("NotProcessed", "agent_lost"))
        self.assertIn("3 agents", result.json["message"])
        for agent in agents:
            agent.result()
        self.assertEqual(self.killed(), sorted(agent.pid for agent in agents))

    def test_a_submitter_that_does_not_know_of_lost_agents_is_told_of_a_timeout(self):
        self.start_pool()
        for _ in range(3):
            self.agents(command=KILL_AGENT)
        with self.pool.connect() as client:
            client.send({"kind": "Inline", "content": "{}"})
            self.assertEqual(client.receive(), {"kind": "NotProcessed", "reason": "timeout"})

    def test_the_retries_of_a_run_decide_after_that(self):
        self.start_pool()
        for _ in range(3):
            self.agents(command=KILL_AGENT)
        run = self.start_logged([step("Ask", pool(), options={"max_retries": 1})], "--no-embedded-pool")
        wait_until(lambda: len(self.killed()) == 3, "three agents to die")
        self.agents(command="echo '[]'")
        self.assert_run(run.result())
        (failure,) = [entry for entry in entries(self.log()) if "reason" in json.dumps(entry)]
        self.assertIn('"AgentLost"', json.dumps(failure))
        self.assertIn("3 agents", json.dumps(failure))

    def test_without_retries_it_is_dropped_and_the_run_says_why(self):
        self.start_pool()
        for _ in range(3):
            self.agents(command=KILL_AGENT)
        result = self.run_logged([step("Ask", pool(), options={"max_retries": 0})], "--no-embedded-pool")
        self.assert_run(result, 1)
        self.assertIn("3 agents", result.err)


@one_host("its agents are those of a run")
class KilledRun(LogCase):
    """A run with agents of its own that is killed, and resumed at once."""

    def setUp(self):
        super().setUp()
        self.work_done = Work(self.work)

    def kill_and_resume(self, *args, timeout=None):
        options = {"max_retries": 0} | ({"timeout": timeout} if timeout else {})
        steps = [step("Ask", pool(), options=options)]
        agents = ["--agents", "1", "--agent-exec", COMMAND, *args]
        self.work_done.hang()
        run = self.start_logged(steps, *agents, "--entrypoint-value", '{"n": 0}')
        wait_until(lambda: self.work_done.count("child") == self.work_done.count("begin") == 1, "the command")
        self.work_done.hang_no_more()
        run.signal(signal.SIGKILL)
        run.result()
        resumed = self.start_resume(*agents)
        wait_until(lambda: self.work_done.count() == 2 or not resumed.running, "the task to run again")
        self.assert_run(resumed.result())
        self.assertEqual(self.work_done.notes("overlap"), [])
        self.assertEqual(self.work_done.count(), 2)
        self.assertNotIn("reason", json.dumps(entries(self.log("resumed.ndjson"))[1:]))

    def test_it_goes_on_at_once(self):
        self.kill_and_resume()

    def test_a_timeout_does_not_matter(self):
        self.kill_and_resume(timeout=3600)

    def test_it_goes_on_at_once_on_the_pool_of_a_daemon(self):
        daemon = Pool(self).start("--no-heartbeat")
        self.kill_and_resume(*DEFAULT_POOL, timeout=3600)
        self.assert_running(daemon)

    def test_it_goes_on_at_once_in_a_named_pool_that_it_hosts(self):
        self.kill_and_resume("--pool", "team")

    def test_a_resumed_run_takes_the_answer_that_an_agent_of_others_has_written_meanwhile(self):
        self.work_done.close()
        steps = [step("Ask", pool(), options={"max_retries": 0})]
        run = self.start_logged(steps, "--entrypoint-value", '{"n": 0}')
        wait_until(lambda: "hosting it" in run.err, "the pool")
        agent = self.start("troupe", "agent", "--exec", COMMAND)
        wait_until(self.work_done.count, "the command")
        run.signal(signal.SIGKILL)
        run.result()
        resumed = self.start_resume()
        wait_until(lambda: "hosting it" in resumed.err, "the next pool")
        self.work_done.open()
        self.assert_run(resumed.result())
        self.assertEqual(self.work_done.count(), 1)
        self.assert_running(agent)


