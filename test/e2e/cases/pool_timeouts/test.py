"""Deadlines of tasks and of agents: who is told what, and when."""

import json
import time

from harness import Case, HandAgent, Pool, holds_for, wait_until, windows
from harness.pool import inline

TIMEOUT = {"kind": "NotProcessed", "reason": "timeout"}
KICKED = {"kind": "Kicked", "reason": "Timeout"}


class Timeouts(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def assert_no_file_of(self, uuid):
        wait_until(lambda: self.pool.agent_files(uuid) == [], f"the files of {uuid} to go")

    def sees_kick(self, agent):
        """Waits for the agent's task file to say that it was kicked, which it does for half a second. False: this test was
        too slow to see it."""
        def seen():
            try:
                return json.loads(agent.task.read_text()) == KICKED and "seen"
            except (OSError, ValueError):
                return agent.files() == [] and "missed"
        return wait_until(seen, "the kick") == "seen"

    def test_a_task_that_takes_too_long_is_answered_timeout_with_exit_124_and_its_agent_is_kicked(self):
        self.pool.start("--no-heartbeat")
        for transport in ("socket", "file"):
            for _ in range(10):
                agent = HandAgent(self.pool)
                began = time.monotonic()
                submitter = self.pool.submit({"timeout_seconds": 1}, transport=transport)
                has_seen_kick = self.sees_kick(agent)
                self.assertGreaterEqual(time.monotonic() - began, 1)
                result = submitter.result()
                self.assert_exit(result, 124)
                self.assertEqual(result.json, TIMEOUT)
                self.assert_no_file_of(agent.uuid)
                if has_seen_kick:
                    break
            self.assertTrue(has_seen_kick)

    def test_the_daemons_task_timeout_holds_for_content_without_one_of_its_own(self):
        self.pool.start("--no-heartbeat", "--task-timeout-secs", "1")
        HandAgent(self.pool)
        self.assert_exit(self.pool.submit({"no": "timeout"}).result(), 124)

    def test_the_contents_timeout_wins_over_the_daemons(self):
        self.pool.start("--no-heartbeat", "--task-timeout-secs", "1")
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({"timeout_seconds": 300})
        agent.task_text()
        holds_for(lambda: submitter.running, 2, "the task is still with the agent")
        agent.respond("[]")
        self.assertEqual(submitter.json()["kind"], "Processed")

    def test_a_late_response_of_a_kicked_agent_is_removed_unread(self):
        self.pool.start("--no-heartbeat")
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({"timeout_seconds": 1})
        self.assert_exit(submitter.result(), 124)
        self.assert_no_file_of(agent.uuid)
        agent.respond('["late"]')
        self.assert_no_file_of(agent.uuid)
        other = HandAgent(self.pool)
        second = self.pool.submit({"n": 2})
        self.assertEqual(other.content(), {"n": 2})
        other.respond("[2]")
        self.assertEqual(second.json()["stdout"], "[2]")

    def test_time_in_the_queue_does_not_count(self):
        self.pool.start("--no-heartbeat")
        for timeout in windows():  # for the agent to respond
            submitter = self.pool.submit({"timeout_seconds": timeout})
            holds_for(lambda: submitter.running, timeout + 1, "the submission waits for an agent")
            agent = HandAgent(self.pool)
            agent.task_text()
            agent.respond("[]")
            if (result := submitter.result()).code == 0:
                break
        self.assertEqual(result.json["kind"], "Processed")

    def test_timeout_secs_of_submit_task_withdraws_a_queued_submission(self):
        self.pool.start("--no-heartbeat")
        for transport in ("socket", "file"):
            result = self.pool.submit({"first": transport}, "--timeout-secs", "1", transport=transport).result()
            self.assert_exit(result, 124)
            self.assertEqual(result.json, TIMEOUT)
            self.assertEqual(self.pool.submission_files(), [])
            agent = HandAgent(self.pool)
            self.pool.still(lambda: not agent.has_task(), "the withdrawn submission is given to nobody")
            second = self.pool.submit({"second": transport}, transport=transport)
            self.assertEqual(agent.content(), {"second": transport})
            agent.respond("[]")
            self.assert_exit(second.result(), 0)

    def test_timeout_secs_of_submit_task_bounds_the_agents_work_too(self):
        self.pool.start("--no-heartbeat")
        agent = HandAgent(self.pool)
        for timeout in windows():
            submitter = self.pool.submit({}, "--timeout-secs", timeout)
            wait_until(lambda: agent.has_task() or not submitter.running, "the task to be assigned")
            if agent.has_task():
                break
        self.assert_exit(submitter.result(), 124)
        agent.respond("[]")
        self.assert_no_file_of(agent.uuid)

    def test_an_idle_agent_gets_a_heartbeat_and_stays_when_it_answers(self):
        self.pool.start("--idle-timeout-secs", "1")
        heartbeat = self.pool.take("--name", "alive")
        self.assertEqual(set(heartbeat), {"uuid", "kind", "response_file", "content", "agent_name"})
        self.assertEqual((heartbeat["kind"], heartbeat["agent_name"]), ("Heartbeat", "alive"))
        self.pool.answer(heartbeat, '"ok"')
        self.assert_no_file_of(heartbeat["uuid"])
        submitter = self.pool.submit({"n": 1})
        assignment = self.pool.take()
        while assignment["kind"] == "Heartbeat":  # the submission takes its time
            self.pool.answer(assignment, '"ok"')
            assignment = self.pool.take()
        self.assertEqual((assignment["kind"], assignment["content"]), ("Task", {"n": 1}))
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)

    def test_an_agent_that_leaves_its_heartbeat_unanswered_is_kicked(self):
        self.pool.start("--idle-timeout-secs", "1")
        for _ in range(10):
            agent = HandAgent(self.pool)
            has_seen_kick = self.sees_kick(agent)
            self.assert_no_file_of(agent.uuid)
            if has_seen_kick:
                break
        self.assertTrue(has_seen_kick)

    def test_a_heartbeat_is_what_published_agents_know(self):
        for timeout in windows():  # also for this test to look at it
            daemon = self.pool.start("--idle-timeout-secs", timeout)
            content = HandAgent(self.pool).content()
            if content["kind"] == "Heartbeat":
                break
            self.pool.stop()
            daemon.result()
        self.assertEqual(content["kind"], "Heartbeat")
        self.assertIsNone(content["task"]["data"])
        self.assertIsInstance(content["task"]["instructions"], str)

    def test_a_submission_is_not_lost_to_an_agent_with_a_heartbeat(self):
        self.pool.start("--idle-timeout-secs", "1")
        silent = HandAgent(self.pool)
        silent.task_text()
        with self.pool.connect() as client:
            client.send(inline({"n": 1}))
            other = HandAgent(self.pool)
            self.assertEqual(other.content(), {"n": 1})
            other.respond("[]")
            self.assertEqual(client.receive()["kind"], "Processed")

    def test_no_heartbeat_turns_them_off(self):
        self.pool.start("--idle-timeout-secs", "1", "--no-heartbeat")
        agent = HandAgent(self.pool)
        holds_for(lambda: not agent.has_task() and agent.ready.exists(), 3, "the agent waits, undisturbed")

    def test_a_busy_agent_gets_no_heartbeat(self):
        self.pool.start("--idle-timeout-secs", "1")
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({"n": 1})
        text = agent.task_text()
        holds_for(lambda: agent.task_text() == text, 3, "the busy agent's task file stands")
        agent.respond("[]")
        self.assert_exit(submitter.result(), 0)
