"""`troupe stop --drain`: nothing new goes out, what agents are at is done, then the daemon ends."""

import json
import signal

from harness import Case, HandAgent, Pool, holds_for, let_pass, one_host, wait_until
from harness.pool import inline

STOPPED = {"kind": "NotProcessed", "reason": "stopped"}


class Drain(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.pool.start("--no-heartbeat")
        self.draining = self.pool.agent_side  # it is the agents' host that drains
        self.daemon = self.draining.daemon

    def drain(self):
        """Starts `troupe stop --drain`, and returns when the daemon has taken note."""
        stopping = self.draining.command("stop", "--drain")
        wait_until(lambda: "draining" in self.daemon.err, "the daemon to say that it drains")
        return stopping

    def at_work(self, content, **how):
        """A submission by submit_task that an agent has, and the agent."""
        agent = HandAgent(self.pool)
        submitter = self.pool.submit(content, **how)
        self.assertEqual(agent.content(), content)
        return submitter, agent

    def test_what_agents_are_at_is_answered_over_both_transports_and_then_it_ends(self):
        work = [self.at_work({"by": transport}, transport=transport) for transport in ("socket", "file")]
        stopping = self.drain()
        for number, (submitter, agent) in enumerate(work):
            self.assertTrue(self.daemon.running)
            self.assertTrue(stopping.running)
            agent.respond([number])
            result = submitter.result()
            self.assert_exit(result, 0)
            self.assertEqual(result.json, {"kind": "Processed", "stdout": f"[{number}]"})
        self.assert_exit(stopping.result(), 0)
        self.assert_exit(self.daemon.result(), 0)
        self.assertFalse((self.draining.path / "status").exists())
        self.assertEqual(self.pool.agent_files(), [])
        self.assertEqual(self.pool.submission_files(), [])

    @one_host("other hosts may do what waits")
    def test_what_waits_is_answered_stopped_at_once(self):
        _, agent = self.at_work({"a": "busy"})
        with self.pool.connect() as client:
            client.send(inline({"a": "queued"}, "queued"))
            by_file = self.pool.request_by_file(inline({"a": "queued by file"}))
            stopping = self.drain()
            self.assertEqual(client.receive(), STOPPED | {"id": "queued"})
            self.assertEqual(self.pool.response_by_file(by_file), STOPPED)
            self.assertFalse(agent.response.exists())
            self.assertTrue(stopping.running)

    def test_the_command_says_what_the_daemon_waits_for(self):
        submitter, agent = self.at_work({"a": "busy"})
        stopping = self.drain()
        told = "pool default is draining: the daemon waits for 1 agent\n"
        wait_until(lambda: told in stopping.err, "the command to say it")
        agent.respond("[]")
        self.assert_exit(submitter.result(), 0)
        self.assertTrue(stopping.result().err.startswith(told))

    @one_host("other hosts may do what waits")
    def test_what_comes_is_answered_stopped_at_once(self):
        self.at_work({"a": "busy"})
        self.drain()
        for transport in ("socket", "file"):
            result = self.pool.submit({"a": "late"}, transport=transport).result()
            self.assert_exit(result, 1)
            self.assertEqual(result.json, STOPPED)

    def test_agents_without_a_task_and_those_that_come_wait_and_are_told_at_the_end(self):
        submitter, busy = self.at_work({"a": "busy"})
        agents = [self.pool.get_task()]
        self.drain()
        agents.append(self.pool.get_task())
        waiting = self.pool.waiting_agents()
        # One that is sent away comes back at once, and again.
        self.pool.still(lambda: self.pool.waiting_agents() == waiting, "the agents wait")
        busy.respond("[]")
        self.assert_exit(submitter.result(), 0)
        for agent in agents:
            result = agent.result()
            self.assert_exit(result, 0)
            self.assertEqual((result.json["kind"], result.json["reason"]), ("Kicked", "Stopped"))

    def test_a_pool_without_work_ends_at_once(self):
        waits = self.pool.get_task()
        self.assert_exit(self.draining.command("stop", "--drain").result(), 0)
        self.assert_exit(self.daemon.result(), 0)
        self.assertEqual(waits.json()["kind"], "Kicked")

    def test_the_timeout_of_a_task_holds_on(self):
        submitter, _ = self.at_work({"kind": "Task", "timeout_seconds": 1, "task": {}})
        stopping = self.drain()
        self.assert_exit(submitter.result(), 124)
        self.assert_exit(stopping.result(), 0)

    @one_host("other hosts may do what waits")
    def test_a_task_that_is_handed_back_is_answered_stopped(self):
        submitter, agent = self.at_work({"a": "busy"})
        stopping = self.drain()
        agent.ready.unlink()
        agent.task.unlink(missing_ok=True)
        self.assertEqual(submitter.result().json, STOPPED)
        self.assert_exit(stopping.result(), 0)

    @one_host("other hosts may do what waits")
    def test_a_submitter_that_lost_its_connection_gets_its_answer(self):
        agent = HandAgent(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"a": "work"}, "mine"))
            self.assertEqual(agent.content(), {"a": "work"})
            self.drain()
        with self.pool.connect() as client:
            client.send(inline({"a": "work"}, "mine"))
            # An answer on the same connection to what comes after it shows that the first was read, and waits.
            client.send(inline({"a": "late"}, "late"))
            self.assertEqual(client.receive(), STOPPED | {"id": "late"})
            agent.respond("[1]")
            self.assertEqual(client.receive(), {"kind": "Processed", "stdout": "[1]", "id": "mine"})

    def test_it_does_not_wait_for_an_agent_whose_submitter_has_gone(self):
        agent = HandAgent(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"a": "work"}))
            agent.content()
            stopping = self.drain()
        self.assert_exit(stopping.result(), 0)

    @one_host("a message of the engine is smaller")
    def test_a_submitter_that_is_slow_to_read_gets_the_whole_answer(self):
        agent, answer = HandAgent(self.pool), json.dumps("x" * 20_000_000)
        with self.pool.connect() as client:
            client.send(inline({"a": "work"}))
            agent.content()
            stopping = self.drain()
            agent.respond(answer)
            wait_until(lambda: not (self.pool.path / "status").exists(), "the daemon to end its service")
            # Longer than it waits when it is stopped.
            holds_for(lambda: stopping.running and self.daemon.running, 2, "the daemon waits for the submitter")
            self.assertEqual(client.receive(), {"kind": "Processed", "stdout": answer})
        self.assert_exit(stopping.result(), 0)
        self.assert_exit(self.daemon.result(), 0)

    @one_host("other hosts may do what waits")
    def test_stop_ends_a_daemon_that_drains(self):
        submitter, _ = self.at_work({"a": "busy"})
        draining = self.drain()
        self.assert_exit(self.pool.stop(), 0)
        self.assertEqual(submitter.result().json, STOPPED)
        self.assert_not_drained(draining, "was stopped before it had drained")

    def assert_not_drained(self, draining, why):
        result = draining.result()
        self.assert_exit(result, 1)
        self.assertIn(why, result.err)
        self.assertNotIn("stopped pool", result.err)

    @one_host("other hosts may do what waits")
    def test_a_signal_ends_a_daemon_that_drains(self):
        self.at_work({"a": "busy"})
        draining = self.drain()
        self.daemon.signal(signal.SIGTERM)
        self.assert_not_drained(draining, "was stopped before it had drained")

    def test_a_daemon_that_is_killed_has_not_drained(self):
        self.at_work({"a": "busy"})
        draining = self.drain()
        self.daemon.kill()
        self.assert_not_drained(draining, "died before it had drained")

    @one_host("other hosts may do what waits")
    def test_a_daemon_that_is_started_again_does_not_drain(self):
        """As systemd does, so soon that the command does not see a pool without a daemon."""
        self.at_work({"a": "busy"})
        draining = self.drain()
        draining.signal(signal.SIGSTOP)
        self.daemon.kill()
        self.pool.start("--no-heartbeat")
        draining.signal(signal.SIGCONT)
        self.assert_not_drained(draining, "another one serves the pool now, which does not drain")

    @one_host("its status is asked for")
    def test_a_daemon_that_was_suspended_drains_on(self):
        work = [self.at_work({"a": n}) for n in range(2)]
        started = self.pool.status()["started"]
        draining = self.drain()
        wait_until(lambda: "the daemon waits for 2 agents" in draining.err, "the command to look")
        self.daemon.signal(signal.SIGSTOP)
        let_pass(2.5)  # the length of the suspension: the daemon notices what is longer than a second
        self.daemon.signal(signal.SIGCONT)
        wait_until(lambda: "held up" in self.daemon.err, "the daemon to see that it was suspended")
        self.assertEqual(self.pool.status()["started"], started)
        work[0][1].respond("[]")
        wait_until(lambda: "the daemon waits for 1 agent\n" in draining.err, "the command to look again")
        work[1][1].respond("[]")
        for submitter, _ in work:
            self.assert_exit(submitter.result(), 0)
        self.assert_exit(draining.result(), 0)

    @one_host("other hosts may do what waits")
    def test_who_comes_while_a_daemon_stops_waits_for_its_end(self):
        """It stops for as long as agents end their work."""
        agent = self.pool.command("agent", "--exec", "trap '' TERM; touch begun; while :; do sleep 0.1; done")
        self.pool.submit({"a": "work"})
        wait_until((self.work / "begun").exists, "the work to begin")
        stopping = [self.draining.command("stop")]
        wait_until(lambda: not (self.pool.path / "status").exists(), "the daemon to stop")
        stopping += [self.draining.command("stop"), self.draining.command("stop", "--drain")]
        self.assert_exit(stopping[0].result(), 0)
        self.assert_exit(stopping[1].result(), 0)
        self.assert_not_drained(stopping[2], "was stopped before it had drained")
        agent.signal(signal.SIGTERM)

    @one_host("other hosts may do what waits")
    def test_a_stop_does_not_wait_for_a_daemon_that_was_started_after_it(self):
        self.at_work({"a": "busy"})
        self.daemon.signal(signal.SIGSTOP)
        stopping = self.draining.command("stop")
        wait_until(lambda: (self.pool.path / "status").read_text() == "stop", "the word")
        stopping.signal(signal.SIGSTOP)
        self.daemon.kill()
        self.pool.start("--no-heartbeat")
        stopping.signal(signal.SIGCONT)
        result = stopping.result()
        self.assert_exit(result, 1)
        self.assertIn("has ended, and another one serves the pool now", result.err)

    @one_host("other hosts may do what waits")
    def test_an_interrupted_drain_goes_on_without_its_command(self):
        submitter, agent = self.at_work({"a": "busy"})
        draining = self.drain()
        draining.signal(signal.SIGINT)
        draining.result()
        self.assertEqual(self.pool.submit({"a": "late"}).result().json, STOPPED)
        agent.respond("[]")
        self.assert_exit(submitter.result(), 0)
        self.assert_exit(self.daemon.result(), 0)

    def test_without_a_daemon_it_says_so(self):
        self.pool.stop()
        self.daemon.result()
        result = self.draining.command("stop", "--drain").result()
        self.assert_exit(result, 1)
        self.assertIn("no daemon serves", result.err)
