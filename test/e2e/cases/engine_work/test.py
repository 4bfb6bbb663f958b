"""A pool over several hosts, without faults: who gets which task, what becomes of tasks that nobody wants any more, runs, and
edges that stop."""

import json
import signal
import time

from harness import HandAgent, holds_for, nats_client, wait_until
from harness.engine_case import NOT_PROCESSED, PROCESSED, TRANSPORTS, TwoHostsCase, request
from harness.pool import inline
from harness.workflow import emit, pool, step

STOPPED = {"kind": NOT_PROCESSED, "reason": "stopped"}
PATIENCE = 7  # seconds; an edge that stops waits half a second longer for its agents


class Assignment(TwoHostsCase):
    """Who gets which task."""

    def test_a_task_with_labels_goes_to_an_agent_that_has_them_all_on_any_host(self):
        wrong = [host.by_hand(*labels) for host, labels in ((self.a, ()), (self.b, ("gpu",)), (self.b, ("linux",)))]
        for transport in TRANSPORTS:
            submitter = self.a.submit({"n": 1}, "--label", "gpu", "--label", "linux", transport=transport)
            holds_for(lambda: submitter.running, 0.3, "the task waits")
            right = self.b.by_hand("big", "linux", "gpu")
            self.assertEqual(right.content(), {"n": 1})
            right.respond("[1]")
            self.assertEqual(submitter.json()["stdout"], "[1]")
        self.assertFalse(any(agent.has_task() for agent in wrong))
        submitter = self.a.submit({"n": 2}, "--label", "linux")
        self.assertEqual(wrong[2].content(), {"n": 2})
        wrong[2].respond("[2]")
        self.assert_exit(submitter.result(), 0)

    def test_higher_priorities_are_first_wherever_they_come_from(self):
        tasks = ((self.a, -1), (self.a, 0), (self.b, 5), (self.a, 2))
        for submits, priority in tasks:  # afterwards both hosts know of the queue
            for does in (self.a, self.b):
                submitter = submits.submit({}, "--priority", str(priority))
                agent = does.by_hand()
                agent.task_text()
                agent.respond("[]")
                self.assert_exit(submitter.result(), 0)
        for count, (host, priority) in enumerate(tasks, 1):
            host.request_by_file(inline({"priority": priority}) | {"priority": priority})
            self.wait_queued(count)
        order = []
        for host in (self.b, self.a, self.b, self.b):
            agent = host.by_hand()
            order.append(agent.content()["priority"])
            agent.respond("[]")
            wait_until(lambda: agent.files() == [], "the response to be taken")
        self.assertEqual(order, [5, 2, 0, -1])

    def test_a_task_that_an_agent_hands_back_goes_to_one_of_another_host(self):
        submitter = self.a.submit({"n": 1})
        first = self.b.by_hand()
        first.task_text()
        first.ready.unlink()
        second = self.a.by_hand()
        self.assertEqual(second.content(), {"n": 1})
        second.respond("[1]")
        self.assertEqual(submitter.json()["stdout"], "[1]")

    def test_agents_of_all_hosts_share_the_work_and_each_task_is_done_once(self):
        ids = [f"t{n}" for n in range(100)]
        for host in (self.a, self.b):
            host.agent(count=5)
        with self.a.connect() as one, self.b.connect() as other:
            for n, id_ in enumerate(ids):
                (one, other)[n % 2].send(inline({"id": id_, "ms": 20}, id_))
            answers = [(one, other)[n % 2].receive() for n in range(len(ids))]
        self.assertCountEqual([answer["id"] for answer in answers], ids)
        self.assertTrue(all(answer["stdout"] == f'["{answer["id"]}"]\n' for answer in answers))
        self.assert_once(ids)
        self.assertEqual({execution.host for execution in self.executions.all()}, {"a", "b"})

    def test_no_more_is_taken_than_agents_can_do(self):
        busy = [self.b.by_hand() for _ in range(2)]
        submitters = [self.a.submit({"n": n}) for n in range(4)]
        wait_until(lambda: all(agent.has_task() for agent in busy), "both agents to have a task")
        others = [self.a.by_hand() for _ in range(2)]
        wait_until(lambda: all(agent.has_task() for agent in others), "the rest to go to the other host")
        self.assertEqual({agent.content()["n"] for agent in busy + others}, set(range(4)))
        for agent in busy + others:
            agent.respond("[]")
        for submitter in submitters:
            self.assert_exit(submitter.result(), 0)

    def test_nothing_is_left_on_the_engine_when_all_is_done(self):
        self.b.agent(count=4)
        with self.a.connect() as client:
            for n in range(40):
                client.send(request(f"t{n}"))
            for n in range(40):
                self.assertEqual(client.receive()["kind"], PROCESSED)
        self.assertGreater(self.messages(), self.messages_at_start)
        wait_until(lambda: self.messages() <= self.messages_at_start, "queues and records to be tidied")


    def test_a_queue_whose_consumer_was_deleted_goes_on(self):
        submitter = self.a.submit({"n": 1})
        self.wait_queued(1)
        (consumer,) = nats_client.request(self.server, "$JS.API.CONSUMER.NAMES.TROUPE_reviews_Q")["consumers"]
        nats_client.request(self.server, f"$JS.API.CONSUMER.DELETE.TROUPE_reviews_Q.{consumer}")
        for host in (self.a, self.b):
            host.restart_edge()  # so that none knows of the queue
        agent = self.b.by_hand()
        self.assertEqual(agent.content(), {"n": 1})
        agent.respond("[]")
        self.assert_exit(submitter.result(), 0)


class Withdrawal(TwoHostsCase):
    def test_a_submitter_that_goes_takes_its_task_from_the_agent_of_another_host(self):
        self.b.agent()
        for transport in TRANSPORTS:
            submitter = self.a.submit(self.waiting_task(f"gone-{transport}"), transport=transport)
            execution = self.wait_begun(f"gone-{transport}")
            submitter.signal(signal.SIGINT)
            submitter.result()
            self.wait_killed(execution)
            self.assert_works(self.a, f"next-{transport}", transport)
        self.assertEqual([e.id for e in self.executions.running()], [f"gone-{transport}" for transport in TRANSPORTS])

    def test_a_queued_task_that_is_withdrawn_is_given_to_nobody(self):
        with self.a.connect() as client:
            client.send(request("gone"))
            self.wait_queued(1)
            recorded = self.recorded()
            client.send({"kind": "Withdraw", "id": "gone"})
            self.wait_recorded(recorded + 1)
            by_file = self.a.request_by_file(inline({"id": "gone too"}))
            wait_until(lambda: self.published() == 2, "the second task to be queued")
            (self.a.path / "submissions" / f"{by_file}.request.json").unlink()
            self.wait_recorded(recorded + 2)
        agent = self.b.by_hand()
        submitter = self.a.submit({"id": "next"})
        self.assertEqual(agent.content(), {"id": "next"})
        agent.respond("[]")
        self.assert_exit(submitter.result(), 0)

    def test_what_is_submitted_again_after_its_withdrawal_is_done_again_when_the_first_work_has_ended(self):
        self.b.agent(count=2)
        with self.a.connect() as client:
            client.send(inline(self.waiting_task("again"), "again"))
            first = self.wait_begun("again")
            client.send({"kind": "Withdraw", "id": "again"})
            self.wait_killed(first)  # an owner that has not heard of the withdrawal by then would keep the task
            client.send(inline(self.waiting_task("again"), "again"))
            self.wait_begun("again", times=2)
            self.flag().touch()
            self.assertEqual(client.receive()["stdout"], '["again"]\n')
        self.assert_nobody_overlaps()


class Runs(TwoHostsCase):
    def flow(self, *values):
        return self.write_config([step("Split", emit(*[("Ask", value) for value in values]), ["Ask"]),
                                  step("Ask", pool(), options={"max_retries": 1})])

    def test_a_run_uses_agents_that_are_on_another_host_only(self):
        self.b.agent(count=3)
        ids = [f"t{n}" for n in range(12)]
        run = self.a.run("--config", self.flow(*[{"id": id_, "ms": 20} for id_ in ids]))
        self.assert_run(run.result())
        self.assertEqual(set(self.executions.hosts_of("t0")), {"b"})
        self.assert_once(ids)

    def test_its_commands_run_where_an_agent_of_the_kind_shell_is(self):
        self.b.command("agent", "--kind", "shell")
        self.a.agent()  # which gets no command
        where = {"kind": "Command", "on": "pool", "script": 'printf "$TROUPE_E2E_HOST" >"$WHERE"; echo "[]"'}
        path = self.work / "where"
        where["script"] = where["script"].replace("$WHERE", str(path))
        run = self.a.run("--config", json.dumps({"entrypoint": "Go", "steps": [{"name": "Go", "action": where}]}))
        self.assert_run(run.result())
        self.assertEqual(path.read_text(), "b")

    def test_what_an_agent_of_another_host_does_is_shown_while_it_does_it(self):
        self.b.command("agent", "--kind", "shell", "--name", "worker")
        script = (f'echo "the first half" >&2; await {self.flag()}; '
                  f'echo "the second half" >&2; await {self.flag("end")}; echo "[]"')
        where = {"kind": "Command", "on": "pool", "script": script}
        run = self.a.run("--progress", "json",
                         "--config", json.dumps({"entrypoint": "Go", "steps": [{"name": "Go", "action": where}]}))
        for text, flag in (("the first half", "go"), ("the second half", "end")):
            wait_until(lambda: [(told["agent"], told["activity"]["text"]) for told in self.told(run)
                                if told["activity"]][-1:] == [("worker", text)], f"'{text}' to be told")
            self.flag(flag).touch()
        self.assert_run(run.result())
        self.assertLessEqual(len(self.told(run)), 4, "not each of many")

    @staticmethod
    def told(run):
        events = [json.loads(line) for line in run.err.splitlines() if line.endswith("}")]
        return [event for event in events if event["event"] == "task_activity"]

    def test_a_run_that_pauses_leaves_tasks_with_agents_of_other_hosts_alone(self):
        self.b.agent()
        run = self.a.run("--config", self.flow(self.waiting_task("begun"), self.waiting_task("queued")))
        self.wait_begun("begun")
        wait_until(lambda: self.a.status()["engine"]["elsewhere"], "it to be told who has the task")
        self.assert_exit(self.run_program("barnum", "pause", "last"), 0)
        wait_until(lambda: self.a.status()["engine"]["submissions"] == 1, "the queued task to be taken back")
        self.assertEqual(len(self.executions.of("queued")), 0)
        self.flag().touch()
        self.assert_exit(self.run_program("barnum", "continue", "last"), 0)
        self.assert_run(run.result())
        self.assert_once(["begun", "queued"])

    def test_a_failed_attempt_is_retried(self):
        self.b.agent()
        run = self.a.run("--config", self.flow({"id": "failing", "exit": 3}))
        self.assert_run(run.result(), 1)
        self.assertIn("exited with code 3", run.err)
        self.assertEqual(len(self.executions.of("failing")), 2)

    def test_a_run_does_not_host_what_is_a_part_of_a_pool_over_many_hosts(self):
        self.b.agent()
        self.a.kill_edge()
        self.flag().touch()
        run = self.start("barnum", "run", "--pool", self.a.name, "--config", self.flow(self.waiting_task("one")),
                         env={"TROUPE_ROOT": self.a.root})
        wait_until(lambda: "is a part of one over many hosts, so this run does not host it" in run.err, "the warning")
        self.a.start()
        self.assert_run(run.result())
        self.assertEqual(self.executions.hosts_of("one"), ["b"])

    def test_a_cancelled_run_ends_the_work_on_all_hosts(self):
        self.a.agent()
        self.b.agent()
        run = self.a.run("--config", self.flow(self.waiting_task("one"), self.waiting_task("two")))
        executions = [self.wait_begun("one"), self.wait_begun("two")]
        self.assertEqual({execution.host for execution in executions}, {"a", "b"})
        self.assert_exit(self.run_program("barnum", "cancel", "last", "--now"), 0)
        self.assert_run(run.result(), 143)
        for execution in executions:
            self.wait_killed(execution)
        self.assert_works(self.b, "next")


class Status(TwoHostsCase):
    def test_it_tells_of_the_engine_and_of_all_hosts(self):
        self.b.agent()
        submitter = self.a.submit(self.waiting_task("t"))
        self.wait_begun("t")
        wait_until(lambda: self.a.status()["engine"]["elsewhere"], "it to be told who has the task")
        here, there = (host.status()["engine"] for host in (self.a, self.b))
        self.assertTrue(here["connected"])
        self.assertEqual((here["leases"], here["submissions"]), (0, 1))
        self.assertEqual((there["leases"], there["submissions"]), (1, 0))
        hosts = {host["edge"]: host for host in here["hosts"]}
        self.assertEqual(set(hosts), {here["edge"], there["edge"]})
        self.assertEqual((hosts[there["edge"]]["busy"], hosts[here["edge"]]["busy"]), (1, 0))
        self.flag().touch()
        self.assert_answered(submitter, "t")
        lines = self.a.command("status").result().out
        self.assertIn(f"engine  {self.server.address}, connected for", lines)
        self.assertIn(there["edge"], lines)

    def test_that_no_agent_of_any_host_fits_is_told_and_busy_ones_count(self):
        self.b.by_hand("gpu")
        self.b.agent("--label", "slow")
        slow = [self.a.submit(self.waiting_task(f"slow{n}"), "--label", "slow") for n in range(2)]
        submitter = self.a.submit({"n": 1}, "--label", "gpu", "--label", "big")
        second = self.a.submit({"n": 1}, "--label", "gpu", "--label", "big")
        told = "no agent has the label big"
        wait_until(lambda: f"2 tasks waiting, and {told} on any host of the pool in " in self.a.edge.err and told in submitter.err,
                   "the warnings")
        (unmatched,) = self.a.status()["queue"]["unmatched"]
        self.assertEqual((unmatched["labels"], unmatched["missing"], unmatched["length"]), (["big", "gpu"], ["big"], 2))
        self.assertIn(told, self.a.command("status").result().out)
        self.assertEqual(self.b.status()["queue"]["unmatched"], [], "its submitters have no such task")
        agent = self.b.by_hand("big", "gpu")
        self.assertEqual(agent.content(), {"n": 1})
        wait_until(lambda: len(self.a.status()["engine"]["elsewhere"]) == 2, "it to be told who has the task")
        self.assertEqual(self.a.status()["queue"]["unmatched"], [], "an agent has one, and the other waits for it")
        agent.respond("[]")
        agent = self.b.by_hand("big", "gpu")
        self.assertEqual(agent.content(), {"n": 1})
        agent.respond("[]")
        for one in submitter, second:
            self.assert_exit(one.result(), 0)
        self.flag().touch()
        for n, one in enumerate(slow):
            self.assert_answered(one, f"slow{n}")
        self.assertNotIn("slow", "".join(self.a.complaints()))


class Stops(TwoHostsCase):
    def test_the_tasks_of_an_edge_that_stops_go_to_other_hosts(self):
        self.b.agent()
        submitter = self.a.submit(self.waiting_task("moved"))
        first = self.wait_begun("moved")
        self.b.edge.signal(signal.SIGTERM)
        self.assert_exit(self.b.edge.result(), 0)
        self.wait_killed(first)
        self.flag().touch()
        self.a.agent()
        self.assert_answered(submitter, "moved")
        self.assertEqual(self.executions.hosts_of("moved"), ["b", "a"])
        self.assert_nobody_overlaps()

    def test_the_task_of_an_agent_that_has_not_ended_stays_with_it_when_its_edge_stops(self):
        first = HandAgent(self.b, '{"name": "first", "ends_when_told": true}')
        submitter = self.a.submit({"n": 1})
        first.task_text()
        second = self.a.by_hand()
        began = time.monotonic()
        stopping = self.b.command("stop")
        wait_until(lambda: '"Kicked"' in first.task_text(), "the agent to be told")
        holds_for(lambda: not second.has_task() or time.monotonic() - began > PATIENCE, 3, "one agent has the task")
        first.ready.unlink()
        self.assertEqual(second.content(), {"n": 1})
        second.respond("[2]")
        self.assertEqual(submitter.json()["stdout"], "[2]")
        self.assert_exit(stopping.result(), 0)

    def test_submitters_of_an_edge_that_stops_are_told(self):
        submitters = [self.a.submit({"by": transport}, transport=transport) for transport in TRANSPORTS]
        self.wait_queued(2)
        self.a.edge.signal(signal.SIGTERM)
        for submitter in submitters:
            result = submitter.result()
            self.assert_exit(result, 1)
            self.assertEqual(result.json, STOPPED)
        self.assert_exit(self.a.edge.result(), 0)

    def test_agents_of_an_edge_that_stops_are_told(self):
        agent = self.b.get_task()
        self.b.edge.signal(signal.SIGTERM)
        self.assertEqual(agent.json()["reason"], "Stopped")
        self.assert_exit(self.b.edge.result(), 0)
        self.a.agent()
        self.assert_works(self.a, "still")

    def test_the_pool_can_be_started_again_after_it_was_stopped(self):
        self.assert_exit(self.a.stop(), 0)
        self.b.edge.terminate()
        self.b.edge.result()
        for host in (self.a, self.b):
            host.start()
        self.b.agent()
        self.assert_works(self.a, "again")

    def test_an_edge_that_drains_ends_its_agents_work_and_takes_nothing_new(self):
        self.b.agent()
        work = [self.a.submit(self.waiting_task(f"work-{transport}"), transport=transport) for transport in TRANSPORTS]
        begun = wait_until(lambda: self.executions.all(), "one to be begun")[0].id
        stopping = self.b.command("stop", "--drain")
        wait_until(lambda: "draining" in self.b.edge.err, "the edge to drain")
        self.assertTrue(self.b.edge.running)
        self.flag().touch()
        self.assert_exit(stopping.result(), 0)
        self.assert_exit(self.b.edge.result(), 0)
        self.assertEqual([execution.id for execution in self.executions.all()], [begun])
        self.a.agent()
        for transport, submitter in zip(TRANSPORTS, work):
            self.assert_answered(submitter, f"work-{transport}")
        self.assert_once([f"work-{transport}" for transport in TRANSPORTS])

    def test_two_pools_on_one_server_know_nothing_of_each_other(self):
        other = self.host("c", self.server, pool="reviews-2")
        other.start()
        agent = HandAgent(other)
        submitter = self.a.submit({"n": 1})
        holds_for(lambda: not agent.has_task(), 0.5, "the task stays in its pool")
        right = self.b.by_hand()
        self.assertEqual(right.content(), {"n": 1})
        right.respond("[]")
        self.assert_exit(submitter.result(), 0)
