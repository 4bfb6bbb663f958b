"""Agents: who gets what, and agents that die, leave, answer late, twice, in pieces or with tricks."""

import json
import os
import signal

from harness import Case, HandAgent, Pool, holds_for, wait_until
from harness.one_host import one_host
from harness.pool import inline

CONTROL_LOOKALIKES = (
    '{"kind":"Kicked","reason":"Timeout"}', '{"kind":"Kicked","reason":"Stopped"}', '{"kind":"Heartbeat"}',
    '{"kind":"Heartbeat","task":{"instructions":"x","data":null}}', '{"kind":"Task","task":1}', '"Kicked"', "null",
    '{ "kind" : "Kicked" , "reason" : "Timeout" }', '{"reason":"Timeout","kind":"\\u004bicked"}',
    '{"a":1,"kind":"Kicked"}', '{"uuid":"x","kind":"Kicked","content":{"kind":"Heartbeat"}}')


class Agents(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def assert_gone(self, agent):
        uuid = agent if isinstance(agent, str) else agent.uuid
        wait_until(lambda: self.pool.agent_files(uuid) == [], f"the files of {uuid} to go")

    def serve(self, agent, content, response="[]"):
        self.assertEqual(agent.content(), content)
        agent.respond(response)

    def test_content_that_reads_like_a_control_message_is_a_task(self):
        for content in CONTROL_LOOKALIKES:
            with self.subTest(content=content):
                agent = self.pool.get_task()
                submitter = self.pool.submit(content)
                assignment = agent.json()
                self.assertEqual((assignment["kind"], assignment["content"]), ("Task", json.loads(content)))
                self.pool.answer(assignment, "[7]")
                self.assertEqual(submitter.json()["stdout"], "[7]")

    def test_get_task_prints_what_the_protocol_says(self):
        agent = self.pool.get_task("--name", "bob")
        submitter = self.pool.submit('{"n": 1.0, "big": 1e400}')
        result = agent.result()
        assignment = result.json
        self.assertEqual(set(assignment), {"uuid", "kind", "response_file", "content", "agent_name"})
        self.assertEqual(assignment["agent_name"], "bob")
        self.assertEqual(assignment["response_file"],
                         str(self.pool.agent_side.path / "agents" / f"{assignment['uuid']}.response.json"))
        self.assertIn("1.0", result.out)
        self.assertIn("1e400", result.out)
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)
        unnamed = self.pool.get_task()
        submitter = self.pool.submit("{}")
        assignment = unnamed.json()
        self.assertEqual(set(assignment), {"uuid", "kind", "response_file", "content"})
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)

    def test_get_task_prints_a_kick_for_an_unknown_reason_as_it_came(self):
        agent = self.pool.get_task()
        uuid, = self.pool.waiting_agents()
        agent_side = self.pool.agent_side.path
        kick = agent_side / "scratch" / f"{uuid}.task.json"
        kick.write_text('{"kind":"Kicked","reason":"Upgrade to \\"2.0\\""}')
        kick.rename(agent_side / "agents" / kick.name)
        self.assertEqual(agent.json(), {"kind": "Kicked", "reason": 'Upgrade to "2.0"'})

    def test_an_idle_agent_that_was_killed_never_swallows_a_task(self):
        dead = [self.pool.get_task() for _ in range(3)]
        for agent in dead:
            agent.kill()
        alive = self.pool.get_task()
        submitter = self.pool.submit({"n": 1})
        assignment = alive.json()
        self.assertEqual(assignment["content"], {"n": 1})
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)
        wait_until(lambda: self.pool.agent_files() == [], "the dead agents' files to go")

    def test_a_submission_waits_when_all_agents_are_dead(self):
        self.pool.get_task().kill()
        submitter = self.pool.submit({"n": 1})
        wait_until(lambda: self.pool.queued() == 1, "the submission to wait")
        assignment = self.pool.take()
        self.assertEqual(assignment["content"], {"n": 1})
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)

    def test_an_interrupted_get_task_takes_its_announcement_back(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            agent = self.pool.get_task()
            agent.signal(number)
            self.assertIn(agent.result().code, (128 + number, -number))
            wait_until(lambda: self.pool.agent_files() == [], "the ready file to go")

    def test_an_agent_that_removes_its_ready_file_while_idle_is_passed_over(self):
        left, next_ = HandAgent(self.pool), HandAgent(self.pool)
        left.ready.unlink()
        submitter = self.pool.submit({"n": 1})
        self.serve(next_, {"n": 1})
        self.assert_exit(submitter.result(), 0)
        self.assertFalse(left.has_task())

    @one_host("over hosts, another task may overtake one that goes back to the engine")
    def test_a_task_handed_back_by_removing_the_ready_file_is_the_next_to_go_out(self):
        first = HandAgent(self.pool)
        with self.pool.connect() as client:
            for n in range(3):
                client.send(inline({"n": n}, f"id-{n}"))
            self.assertEqual(first.content(), {"n": 0})
            first.ready.unlink()
            self.assert_gone(first)
            for n in range(3):
                self.serve(HandAgent(self.pool), {"n": n}, f"[{n}]")
                answer = client.receive()
                self.assertEqual((answer["id"], answer["stdout"]), (f"id-{n}", f"[{n}]"))

    def test_a_task_handed_back_with_a_reason_is_logged_and_goes_out_again(self):
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({"n": 1})
        agent.task_text()
        agent.ready.write_text('{"handed_back": "the compiler is missing"}')
        second = HandAgent(self.pool)
        self.serve(second, {"n": 1})
        self.assert_exit(submitter.result(), 0)
        self.assertIn("the compiler is missing", self.daemon.err)
        self.assert_gone(agent)

    def test_no_file_of_an_agent_is_left_after_its_response(self):
        for transport in ("socket", "file"):
            agent = self.pool.get_task()
            submitter = self.pool.submit({}, transport=transport)
            assignment = agent.json()
            self.pool.answer(assignment, "[]")
            self.assert_exit(submitter.result(), 0)
            self.assert_gone(assignment["uuid"])

    def test_a_response_after_the_end_is_removed(self):
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({})
        self.serve(agent, {}, "[1]")
        self.assertEqual(submitter.json()["stdout"], "[1]")
        self.assert_gone(agent)
        agent.respond("[2]")
        self.assert_gone(agent)

    def test_a_symlink_is_never_followed_as_a_response(self):
        secret = self.work / "secret"
        secret.write_text('"secret"')
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({"timeout_seconds": 3})
        agent.task_text()
        agent.response.symlink_to(secret)
        result = submitter.result()
        self.assertNotIn("secret", result.out)
        self.assert_exit(result, 124)
        self.assertEqual(secret.read_text(), '"secret"')
        self.assert_gone(agent)

    def test_a_directory_or_a_fifo_as_a_response_blocks_nobody(self):
        for make in (os.mkdir, os.mkfifo):
            agent = HandAgent(self.pool)
            odd = self.pool.submit({"timeout_seconds": 2})
            agent.task_text()
            make(agent.response)
            other = HandAgent(self.pool)
            submitter = self.pool.submit({"n": 1})
            self.serve(other, {"n": 1})
            self.assert_exit(submitter.result(), 0)
            self.assert_exit(odd.result(), 124)
            for path in self.pool.agent_side.path.glob(f"agents/{agent.uuid}.*"):
                path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)

    def test_a_response_counts_when_it_is_closed_not_when_it_appears(self):
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({})
        agent.task_text()
        with open(agent.response, "w", encoding="utf-8") as file:
            holds_for(lambda: submitter.running, 0.3, "an empty file is no answer")
            file.write("[1,")
            file.flush()
            holds_for(lambda: submitter.running, 0.5, "half a file is no answer")
            file.write("2]")
        self.assertEqual(submitter.json()["stdout"], "[1,2]")

    def test_an_empty_response_is_not_yet_an_answer(self):
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({})
        agent.task_text()
        agent.respond("")
        holds_for(lambda: submitter.running, 0.5, "an empty response is no answer")
        agent.respond("[1]")
        self.assertEqual(submitter.json()["stdout"], "[1]")

    def test_a_response_may_come_by_rename(self):
        agent = HandAgent(self.pool)
        submitter = self.pool.submit({})
        agent.task_text()
        part = self.pool.agent_side.path / "scratch" / "part"
        part.write_text("[1]")
        part.rename(agent.response)
        self.assertEqual(submitter.json()["stdout"], "[1]")

    def test_a_response_from_before_the_assignment_is_no_answer(self):
        agent = HandAgent(self.pool)
        agent.respond('["premature"]')
        self.pool.still(lambda: not agent.has_task(), "nothing to do yet")
        submitter = self.pool.submit({"n": 1})
        taker = agent if agent.ready.exists() else HandAgent(self.pool)
        self.serve(taker, {"n": 1}, "[1]")
        self.assertEqual(submitter.json()["stdout"], "[1]")

    def test_the_queue_is_first_in_first_out(self):
        with self.pool.connect() as client:
            for n in range(20):
                client.send(inline({"n": n}, f"id-{n}"))
            for n in range(20):
                self.serve(HandAgent(self.pool), {"n": n})
                self.assertEqual(client.receive()["id"], f"id-{n}")

    def test_the_agent_that_has_waited_longest_is_served_first(self):
        agents = []
        for _ in range(4):
            agents.append(HandAgent(self.pool))
            marker = self.pool.agent_side.request_by_file({"kind": "Nonsense"})
            self.pool.agent_side.response_by_file(marker)  # so much later than the one before
        for n, agent in enumerate(agents):
            with self.pool.connect() as client:
                client.send(inline({"n": n}))
                self.serve(agent, {"n": n})
                self.assertEqual(client.receive()["kind"], "Processed")

    def test_a_busy_agent_is_given_nothing_else(self):
        agent = HandAgent(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"n": 0}, "id-0"))
            self.assertEqual(agent.content(), {"n": 0})
            client.send(inline({"n": 1}, "id-1"))
            self.pool.still(lambda: agent.content() == {"n": 0}, "the busy agent keeps its one task")
            agent.respond("[0]")
            self.assertEqual(client.receive()["id"], "id-0")
            self.assert_gone(agent)
            self.serve(HandAgent(self.pool), {"n": 1})
            self.assertEqual(client.receive()["id"], "id-1")

    def test_a_published_agents_ready_file_may_be_anything(self):
        for ready in ("{}", '{"name": null}', "hello", "[]"):
            agent = HandAgent(self.pool, ready)
            submitter = self.pool.submit({"ready": ready})
            self.serve(agent, {"ready": ready})
            self.assert_exit(submitter.result(), 0)

    def test_two_hundred_agents_and_requests_leave_no_agent_file(self):
        with self.pool.connect() as client:
            for n in range(200):
                client.send(inline({"n": n}, f"id-{n}"))
            served = set()
            while len(served) < 200:
                batch = [HandAgent(self.pool) for _ in range(min(50, 200 - len(served)))]
                for agent in batch:
                    agent.respond(f"[{agent.content()['n']}]")
                for _ in batch:
                    answer = client.receive()
                    self.assertEqual(answer["stdout"], f"[{answer['id'].removeprefix('id-')}]")
                    served.add(answer["id"])
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")
