"""A pool over several hosts when edges are killed: their agents and submitters are there still, and everything goes on."""

import shutil
import time

from harness import let_pass, remove_in_use, wait_until, windows
from harness.engine_case import LONGER_THAN_A_LEASE, PROCESSED, TRANSPORTS, FaultsCase
from harness.pool import HandAgent, inline
from harness.workflow import emit, pool, step


class EdgeKilled(FaultsCase):
    """SIGKILL of an edge."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.a, self.b = self.start_hosts(self.server, "a", "b")

    def test_its_agent_keeps_the_task_and_the_answer_arrives_once(self):
        self.b.agent("--label", "b", count=2)
        self.a.agent(count=2)
        submitters = [(id_, self.a.submit(self.waiting_task(id_), "--label", "b", transport=transport))
                      for transport in TRANSPORTS for id_ in [f"kept-{transport}"]]
        for id_, _ in submitters:
            self.wait_begun(id_)
        self.b.restart_edge()
        self.flag().touch()
        for id_, submitter in submitters:
            self.assert_answered(submitter, id_)
        self.assert_once([id_ for id_, _ in submitters])

    def test_a_host_with_open_tasks_is_not_started_without_the_engine(self):
        agent = self.b.by_hand()
        submitter = self.a.submit({"n": 1})
        agent.task_text()
        for host in (self.a, self.b):
            host.kill_edge()
            result = host.command("start").result()
            self.assert_exit(result, 1)
            self.assertIn("start the pool with --engine, and wait until they are, or cancel their runs", result.err)
            host.start()
        agent.respond("[1]")
        self.assertEqual(submitter.json(), {"kind": PROCESSED, "stdout": "[1]"})
        for host in (self.a, self.b):
            self.assert_exit(host.stop(), 0)
            host.command("start", "--no-heartbeat")
            wait_until(lambda host=host: host.status_stamp(), "the pool of one host")
            self.assertFalse((host.path / "engine.id").exists())

    def test_a_host_with_the_id_of_another_is_told(self):
        self.assert_exit(self.a.stop(), 0)
        shutil.copytree(self.a.root, self.home / "copy")
        self.a.start()
        wait_until(lambda: self.a.status()["engine"]["connected"], "the host to be one that can be asked")
        (copy,) = self.start_hosts(self.server, "copy")
        told = "another host of the pool has the id"
        # It asks when it connects. A busy host may not answer in time: then the next one asks.
        for seconds in windows(shortest=10):
            late = time.monotonic() + seconds
            wait_until(lambda: told in copy.edge.err or time.monotonic() > late, "the copy to be told")  # noqa: B023
            if told in copy.edge.err:
                break
            copy.restart_edge()
        copy.wait_complaint(told, "remove engine.id and engine.notes")
        # A busy host may not answer a status in time.
        wait_until(lambda: self.a.status() and told in self.a.edge.err, "the other to be told")

    def test_an_edge_whose_pool_is_removed_ends_and_the_next_one_serves_the_same_agents(self):
        """The notes about the engine's tasks are gone, so this edge cannot go on; removed ready files give the tasks back."""
        self.b.agent("--label", "b")
        submitter = self.a.submit(self.waiting_task("removed"))
        self.wait_begun("removed")
        edge = self.b.edge
        remove_in_use(self.b.path)
        result = edge.result()
        self.assert_exit(result, 1)
        self.assertIn(f"{self.b.path} was removed, and with it the notes about the engine's tasks; this daemon ends", result.err)
        self.flag().touch()
        self.a.agent()
        self.assert_answered(submitter, "removed")
        self.b.start()  # as the unit does
        self.assert_answered(self.a.submit({"id": "next"}, "--label", "b"), "next")

    def test_a_kicked_agent_gives_back_what_an_earlier_edge_had_assigned(self):
        """This edge does not have the contents of the task, so it cannot give it to its other agent before the engine brings it again."""
        first = self.b.by_hand(name="first")
        submitter = self.a.submit({"n": 1})
        first.task_text()
        self.b.restart_edge()
        second = self.b.by_hand(name="second")
        wait_until(lambda: len(self.b.status()["agents"]) == 2, "both agents")
        self.assert_exit(self.b.command("kick", "first").result(), 0)
        self.assertEqual(second.content(), {"n": 1})
        second.respond("[2]")
        self.assertEqual(submitter.json(), {"kind": PROCESSED, "stdout": "[2]"})
        self.assertTrue(self.b.edge.running)

    def test_a_told_agent_that_fails_after_its_kick_gives_back_what_an_earlier_edge_had_assigned(self):
        first = HandAgent(self.b, '{"name": "first", "ends_when_told": true}')
        with self.a.connect() as client:
            client.send(inline({"n": 1}, "t") | {"wants_failures": True})
            first.task_text()
            self.b.restart_edge()
            second = self.b.by_hand(name="second")
            wait_until(lambda: len(self.b.status()["agents"]) == 2, "both agents")
            self.assert_exit(self.b.command("kick", "first").result(), 0)
            first.report(handed_back="it has ended", reason="failed", exit_code=3)
            self.assertEqual(second.content(), {"n": 1})
            second.respond("[2]")
            self.assertEqual(client.receive()["stdout"], "[2]")

    def test_an_answer_that_was_given_while_it_was_away_arrives(self):
        agent = self.b.by_hand()
        submitter = self.a.submit({"n": 1})
        agent.task_text()
        self.b.kill_edge()
        agent.respond("[1]")
        self.b.start()
        self.assertEqual(submitter.json(), {"kind": PROCESSED, "stdout": "[1]"})
        wait_until(lambda: agent.files() == [], "the agent's files to go")

    def test_a_task_that_fails_or_takes_too_long_after_the_restart_is_not_done_again(self):
        self.b.agent(count=2)
        tasks = {"failing": self.waiting_task("failing") | {"exit": 3},
                 "late": self.waiting_task("late", "never") | {"timeout_seconds": 5}}
        clients = {id_: self.a.socket_submission(inline(task, id_) | {"wants_failures": True})
                   for id_, task in tasks.items()}
        for id_, client in clients.items():
            self.addCleanup(client.close)
            self.wait_begun(id_)
        self.b.restart_edge()
        self.a.agent(count=2)  # which would do them again
        self.flag().touch()
        answers = {id_: client.receive() for id_, client in clients.items()}
        self.assertEqual((answers["failing"]["reason"], answers["failing"].get("exit_code")), ("agent_failed", 3))
        self.assertEqual(answers["late"]["reason"], "timeout")
        for id_ in tasks:
            self.assertEqual(len(self.executions.of(id_)), 1, id_)

    def test_an_edge_that_stays_away_for_longer_than_a_lease_does_nothing_twice(self):
        """Whoever is first decides: another host, which finds the lease over, or the edge with its agent's answer."""
        self.b.agent()
        with self.a.connect() as client:
            client.send(inline(self.waiting_task("away"), "away") | {"wants_failures": True})
            self.wait_begun("away")
            self.a.agent()
            self.b.kill_edge()
            let_pass(LONGER_THAN_A_LEASE)
            self.flag().touch()
            self.b.start()
            answer = client.receive()
        if answer["kind"] != PROCESSED:
            self.assert_lost(answer)
        self.wait_served(self.b)
        self.assertEqual(len(self.executions.of("away")), 1)

    def test_the_edge_of_the_submitters_is_restarted_while_their_tasks_are_out(self):
        self.b.agent(count=4)
        submitters = {id_: self.a.submit(self.waiting_task(id_), transport=transport)
                      for transport in TRANSPORTS for id_ in (f"one-{transport}", f"two-{transport}")}
        for id_ in submitters:
            self.wait_begun(id_)
        queued = {id_: self.a.submit({"id": id_}, transport=transport)
                  for transport in TRANSPORTS for id_ in [f"queued-{transport}"]}
        self.a.kill_edge()
        self.flag().touch()  # the answers come while nobody waits for them
        wait_until(lambda: sum(e.ended is not None for e in self.executions.all()) >= len(submitters), "the work to end")
        self.a.start()
        for id_, submitter in (submitters | queued).items():
            self.assert_answered(submitter, id_)
        self.assert_once([*submitters, *queued])

    def test_a_run_goes_on_when_its_edge_was_restarted(self):
        self.b.agent(count=2)
        ids = [f"t{n}" for n in range(4)]
        flow = self.write_config([step("Split", emit(*[("Ask", self.waiting_task(id_)) for id_ in ids]), ["Ask"]),
                                  step("Ask", pool(), options={"max_retries": 0})])
        run = self.a.run("--config", flow)
        wait_until(lambda: len(self.executions.all()) == 2, "two tasks to be begun")
        self.a.restart_edge()
        self.flag().touch()
        self.assert_run(run.result())
        self.assert_once(ids)
