"""A pool over several hosts, without faults: what submitters get is what they get on one host."""

import json
import re

from harness import HandAgent, Pool, holds_for, let_pass, wait_until, windows
from harness.edges import NOTING_AGENT
from harness.engine_case import LONGER_THAN_A_LEASE, NOT_PROCESSED, PROCESSED, TRANSPORTS, TwoHostsCase, request
from harness.pool import file_reference, inline

TIMEOUT = {"kind": NOT_PROCESSED, "reason": "timeout"}
MEGABYTE = 1 << 20
# However it is written: 1048576 bytes, 1,048,576 bytes, 1 MiB, 1024 KiB, or somewhat less.
A_SIZE = re.compile(r"\d[\d,. ]* ?(bytes|B|kB|KB|KiB|MB|MiB)\b")
ODD_IDS = ("r.1", "a.b.c", "dots..in.a.row", "ends.with.", "R.1", "0-_.", "x" * 200)


class Answers(TwoHostsCase):
    """What submitters get."""

    def setUp(self):
        super().setUp()
        self.alone = Pool(self, "alone")
        self.alone.start("--no-heartbeat")

    def assert_as_alone(self, content, *options, agent_options=(), exec_=NOTING_AGENT, code=0, strip=lambda text: text):
        """Both transports get from the other host exactly what they get on one host without an engine."""
        self.b.agent("--name", "nora", *agent_options, exec_=exec_)
        self.alone.command("agent", "--name", "nora", *agent_options, "--exec", exec_,
                           env={"NOTES": self.work / "unused", "TROUPE_E2E_HOST": "alone"})
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                there = self.a.submit(content, *options, transport=transport).result()
                here = self.alone.submit(content, *options, transport=transport).result()
                self.assert_exit(here, code)
                self.assertEqual((there.code, strip(there.out)), (here.code, strip(here.out)), there.err)

    def test_a_task_is_done_on_another_host_and_answered_as_on_one(self):
        self.assert_as_alone({"id": "t"})

    def test_texts_pass_as_they_are(self):
        content = '{"z":1.0,"a":1e400,"big":123456789012345678901234567890,"e":"\\u00e9 é\\u2028", "z":2}'
        for transport in TRANSPORTS:
            submitter = self.a.submit(content, transport=transport)
            agent = self.b.by_hand()
            self.assertEqual(agent.task_text(), content)
            agent.respond(' [1.0, "\\u00e9 é\t"]\n\n')
            self.assertEqual(submitter.json(), {"kind": PROCESSED, "stdout": ' [1.0, "\\u00e9 é\t"]\n\n'})

    def test_get_task_takes_tasks_of_other_hosts(self):
        agent = self.b.get_task("--name", "script")
        submitter = self.a.submit({"n": 1})
        task = agent.json()
        self.assertEqual((task["kind"], task["content"], task["agent_name"]), ("Task", {"n": 1}, "script"))
        self.b.answer(task, "[1]")
        self.assertEqual(submitter.json(), {"kind": PROCESSED, "stdout": "[1]"})

    def test_the_agents_name_comes_back(self):
        agent = self.b.by_hand(name="nora")
        with self.a.connect() as client:
            client.send(inline({"n": 1}, "named") | {"wants_agent": True})
            agent.task_text()
            agent.respond("[]")
            self.assertIn("nora", client.receive()["agent"])

    def test_a_failure_is_told_to_who_wants_to_know(self):
        self.b.agent("--name", "nora")
        with self.a.connect() as client:
            client.send(inline({"id": "failing", "exit": 3}, "failing") | {"wants_agent": True, "wants_failures": True})
            answer = client.receive()
        self.assertEqual((answer["kind"], answer["reason"], answer["exit_code"]), (NOT_PROCESSED, "agent_failed", 3))
        self.assertIn("nora", answer["message"])
        self.assertEqual(len(self.executions.of("failing")), 1)

    def test_the_third_failure_is_a_timeout_for_others_wherever_they_were(self):
        for host in (self.a, self.b):
            host.agent()
        with self.a.connect() as client:
            client.send(inline({"id": "failing", "exit": 3, "timeout_seconds": 300}, "failing"))
            self.assertEqual(client.receive(), {"id": "failing"} | TIMEOUT)
        self.assertEqual(len(self.executions.of("failing")), 3)

    def test_what_is_submitted_again_under_its_id_has_its_new_content_and_labels(self):
        with self.a.connect() as client:
            for id_, labels in (("same", []), ("other", ["nobody-has-it"])):
                published = self.published()
                client.send(inline({"v": "old"}, id_) | {"labels": labels})
                wait_until(lambda: self.published() == published + 1, "the task to be queued")  # noqa: B023
                client.send({"kind": "Withdraw", "id": id_})
                client.send(inline({"v": "new"}, id_))
                wait_until(lambda: self.published() == published + 2, "the new task to be queued")  # noqa: B023
                agent = self.b.by_hand()
                self.assertEqual(agent.content(), {"v": "new"})
                agent.respond("[1]")
                self.assertEqual(client.receive()["id"], id_)

    def test_what_is_submitted_again_waits_until_the_agent_has_ended_that_has_the_earlier_content(self):
        first = HandAgent(self.b, '{"name": "first", "ends_when_told": true}')
        with self.a.connect() as client:
            client.send(inline({"v": "old"}, "t"))
            self.assertEqual(first.content(), {"v": "old"})
            published = self.published()
            client.send({"kind": "Withdraw", "id": "t"})
            client.send(inline({"v": "new"}, "t"))
            wait_until(lambda: self.published() == published + 1, "the new task to be queued")
            wait_until(lambda: '"Kicked"' in first.task_text(), "the agent to be told")
            second = self.b.by_hand()
            holds_for(lambda: not second.has_task(), 1, "one agent has the task")
            first.ready.unlink()
            self.assertEqual(second.content(), {"v": "new"})
            second.respond("[1]")
            self.assertEqual(client.receive()["stdout"], "[1]")

    def test_a_task_that_takes_too_long_is_a_timeout_and_its_agent_is_kicked(self):
        for transport in TRANSPORTS:
            agent = self.b.by_hand()
            submitter = self.a.submit({"timeout_seconds": 1}, transport=transport)
            self.assert_exit(submitter.result(), 124)
            self.assertEqual(submitter.result().json, TIMEOUT)
            wait_until(lambda: agent.files() == [], "the agent to be kicked")

    def test_time_in_the_engines_queue_does_not_count(self):
        submitter = self.a.submit({"id": "patient", "timeout_seconds": 60}, "--timeout-secs", "300")
        holds_for(lambda: submitter.running, 1, "the task waits")
        self.b.agent()
        self.assert_answered(submitter, "patient")

    def is_queued_until_its_submitters_timeout(self, transport, seconds):
        published = self.published()
        submitter = self.a.submit({"first": transport}, "--timeout-secs", seconds, transport=transport)
        wait_until(lambda: self.published() > published or not submitter.running, "the task to be queued")
        self.assert_exit(submitter.result(), 124)
        return self.published() > published

    def test_the_submitters_own_timeout_takes_a_queued_task_back(self):
        for transport in TRANSPORTS:
            recorded = self.recorded()
            self.assertTrue(any(self.is_queued_until_its_submitters_timeout(transport, seconds) for seconds in windows()))
            self.wait_recorded(recorded + 1)  # the submitter does not wait for it
            agent = self.b.by_hand()
            submitter = self.a.submit({"second": transport}, transport=transport)
            self.assertEqual(agent.content(), {"second": transport})
            agent.respond("[]")
            self.assert_exit(submitter.result(), 0)

    def test_invalid_content_is_refused_as_on_one_host(self):
        for content in ("{not json", "[" * 600 + "]" * 600):
            for transport in TRANSPORTS:
                with self.subTest(content=content[:20], transport=transport):
                    there, here = (each.submit(content, transport=transport).result() for each in (self.a, self.alone))
                    self.assert_exit(here, 1)
                    self.assertEqual((there.code, there.json), (here.code, here.json))

    def test_an_anonymous_submission_is_answered_without_an_id(self):
        self.b.agent()
        with self.a.connect() as client:
            client.send(inline({"id": "anonymous"}))
            self.assertEqual(client.receive(), {"kind": PROCESSED, "stdout": '["anonymous"]\n'})
        client = self.a.connect()
        client.send(inline(self.waiting_task("left")))
        execution = self.wait_begun("left")
        client.close()
        self.wait_killed(execution)

    def test_any_id_is_one_task(self):
        self.b.agent(count=2)
        for id_ in ODD_IDS:
            with self.subTest(id=id_):
                with self.a.connect() as client:
                    client.send(request(f"{id_}"))
                    answer = client.receive()
                self.assertEqual((answer["id"], answer["kind"]), (id_, PROCESSED), answer)
        by_file = [self.b.request_by_file(inline({"id": f"file-{n}"}), f"file.{n}.") for n in range(3)]
        for n, id_ in enumerate(by_file):
            self.assertEqual(self.b.response_by_file(id_)["stdout"], f'["file-{n}"]\n')
        self.assert_once([*ODD_IDS, "file-0", "file-1", "file-2"])

    def test_two_submitters_of_one_id_on_different_hosts_share_one_execution(self):
        agent = self.b.agent(count=2)
        flag = self.waiting_task("shared")
        first, second = self.a.connect(), self.b.connect()
        with first, second:
            first.send(inline(flag, "shared"))
            self.wait_begun("shared")
            second.send(inline(flag, "shared"))
            by_file = self.a.request_by_file(inline(flag), "shared")
            holds_for(lambda: len(self.executions.of("shared")) == 1, 0.5, "the task is done once")
            self.flag().touch()
            expected = {"id": "shared", "kind": PROCESSED, "stdout": '["shared"]\n'}
            self.assertEqual((first.receive(), second.receive()), (expected, expected))
            self.assertEqual(self.a.response_by_file(by_file)["stdout"], '["shared"]\n')
        self.assert_once(["shared"])
        self.assert_running(agent)

    def withdraw_by_file(self, host, id_):
        (host.path / "submissions" / f"{id_}.request.json").unlink()
        wait_until(lambda: host.status()["engine"]["submissions"] == 0, "the withdrawal")

    def test_a_task_goes_on_while_somebody_waits_for_it_on_another_host(self):
        self.b.agent(count=2)
        for first, second, stays in ((self.a, self.b, self.b), (self.b, self.a, self.b)):
            id_ = f"stays-{first.host}"
            task = inline(self.waiting_task(id_, id_))
            first.request_by_file(task, id_)
            self.wait_begun(id_)
            second.request_by_file(task, id_)
            wait_until(lambda host=second: host.status()["engine"]["submissions"] == 1, "the second submission")
            self.withdraw_by_file(self.a, id_)
            let_pass(LONGER_THAN_A_LEASE)
            self.flag(id_).touch()
            self.assertEqual(stays.response_by_file(id_)["stdout"], f'["{id_}"]\n')
        self.assert_once(["stays-a", "stays-b"])

    def test_a_task_is_withdrawn_when_the_last_one_does_not_wait_any_more(self):
        self.b.agent()
        for host in (self.a, self.b):
            host.request_by_file(inline(self.waiting_task("left")), "left")
            execution = self.wait_begun("left")
            wait_until(lambda host=host: host.status()["engine"]["submissions"] == 1, "the submission")
        for host in (self.a, self.b):
            self.withdraw_by_file(host, "left")
        self.wait_killed(execution)
        self.assert_works(self.a, "next")

    def test_what_was_answered_is_answered_again_without_being_done_again(self):
        self.b.agent()
        for host in (self.a, self.a, self.b):
            with host.connect() as client:
                client.send(request("again"))
                self.assertEqual(client.receive(), {"id": "again", "kind": PROCESSED, "stdout": '["again"]\n'})
        self.assert_once(["again"])


class Sizes(TwoHostsCase):
    """The server's limit for a message is 1 MiB."""

    def assert_refused(self, answer):
        self.assertEqual((answer["kind"], answer["reason"]), (NOT_PROCESSED, "invalid"), str(answer)[:300])
        self.assertRegex(answer["message"], A_SIZE, "the limit is named")
        self.assertLess(len(answer["message"]), 400)

    def test_content_that_the_engine_can_not_carry_is_refused_with_the_limit(self):
        agent = self.b.by_hand()
        path = self.work / "large.json"
        path.write_text(json.dumps("x" * 2 * MEGABYTE))
        for transport in TRANSPORTS:
            result = self.a.submit(file=path, transport=transport).result()
            self.assert_exit(result, 1)
            self.assert_refused(result.json)
        id_ = self.a.request_by_file(inline(json.dumps("x" * 2 * MEGABYTE)))
        self.assert_refused(self.a.response_by_file(id_))
        self.assertFalse(agent.has_task())
        self.assertEqual(self.a.submission_files(), [])
        self.assert_running(self.a.edge)

    def test_content_below_the_limit_is_carried(self):
        agent = self.b.by_hand()
        content = json.dumps("x" * 900_000)
        path = self.work / "large.json"
        path.write_text(content)
        submitter = self.a.submit(file=path)
        self.assertEqual(agent.task_text(), content)
        agent.respond(content)
        self.assertEqual(submitter.json()["stdout"], content)

    def test_a_response_that_the_engine_can_not_carry_is_answered_with_the_limit(self):
        for transport in TRANSPORTS:
            agent = self.b.by_hand()
            submitter = self.a.submit({"n": 1}, transport=transport)
            agent.task_text()
            agent.respond(json.dumps("x" * 2 * MEGABYTE))
            result = submitter.result()
            self.assert_exit(result, 1)
            self.assert_refused(result.json)
            wait_until(lambda: agent.files() == [], "the agent's files to go")

    def test_a_file_is_read_by_the_host_where_it_is_submitted(self):
        path = self.work / "task.json"
        path.write_text('{"n": 1.0}')
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                path.write_text('{"n": 1.0}')
                wait_until(lambda: self.queued() == 0, "the queue to be empty")
                if transport == "socket":
                    client = self.a.socket_submission(file_reference(path, "by-reference"))
                else:
                    id_ = self.a.request_by_file(file_reference(path))
                self.wait_queued(1)
                path.unlink()
                agent = self.b.by_hand()
                self.assertEqual(agent.task_text(), '{"n": 1.0}')
                agent.respond("[1]")
                if transport == "socket":
                    with client:
                        self.assertEqual(client.receive()["stdout"], "[1]")
                else:
                    self.assertEqual(self.a.response_by_file(id_)["stdout"], "[1]")
