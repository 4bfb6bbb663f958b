"""A pool over several hosts when a host dies or freezes: its submitters are told, nothing is done again, and late answers are
refused."""

from harness import let_pass, wait_until
from harness.engine_case import LONGER_THAN_A_LEASE, PROCESSED, FaultsCase, request
from harness.pool import inline


class HostLost(FaultsCase):
    """The edge dies with its agents, or freezes."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.a, self.b, self.c = self.start_hosts(self.server, "a", "b", "c")

    def submit_to(self, host, id_):
        """A task that an agent of the host has, and the connection of its submitter, on host a."""
        agent = host.agent()
        client = self.a.socket_submission(inline(self.waiting_task(id_), id_) | {"wants_failures": True})
        self.addCleanup(client.close)
        self.wait_begun(id_)
        return client, agent

    def test_the_submitter_is_told_and_the_task_is_not_done_again(self):
        client, _ = self.submit_to(self.b, "lost")
        self.b.agent()
        by_file = self.a.submit(self.waiting_task("lost-by-file"), transport="file")
        self.wait_begun("lost-by-file")
        self.c.agent(count=2)  # which finds that the leases are over
        self.b.kill()
        self.assert_lost(client.receive())
        result = by_file.result()
        self.assert_exit(result, 1)
        self.assert_lost(result.json)
        self.flag().touch()
        self.wait_served(self.a)
        self.assertEqual(self.executions.begun()["lost"], 1)
        self.assertEqual(self.executions.begun()["lost-by-file"], 1)

    def test_the_host_comes_back_with_its_disk_and_without_its_agents(self):
        client, _ = self.submit_to(self.b, "back")
        self.b.kill()
        self.flag().touch()
        self.b.start()
        self.b.agent()
        answer = client.receive()
        if answer["kind"] == PROCESSED:  # a released task: its first agent is known to be dead
            self.assertEqual(self.executions.hosts_of("back"), ["b", "b"])
        else:
            self.assert_lost(answer)
            self.assertEqual(len(self.executions.of("back")), 1)
        self.wait_served(self.a)

    def test_the_late_answer_of_an_edge_that_was_suspended_is_refused(self):
        client, _ = self.submit_to(self.b, "late")
        self.c.agent()
        self.b.suspend_edge()
        answer = client.receive()
        self.assert_lost(answer)
        self.flag().touch()
        wait_until(lambda: self.executions.of("late")[0].ended or not self.executions.running(), "the agent to be done")
        self.b.resume_edge()
        self.wait_served(self.b)
        client.send(request("again") | {"wants_failures": True})
        self.assertEqual(client.receive()["id"], "again", "there is no second answer")
        client.send(inline(self.waiting_task("late"), "late") | {"wants_failures": True})
        self.assert_lost(client.receive())
        self.assertEqual(len(self.executions.of("late")), 1)

    def test_a_host_that_freezes_with_all_it_has_is_the_same(self):
        client, _ = self.submit_to(self.b, "frozen")
        self.c.agent()
        self.b.suspend()
        self.assert_lost(client.receive())
        self.flag().touch()
        self.b.resume()
        self.wait_served(self.b)
        self.assertEqual(len(self.executions.of("frozen")), 1)

    def test_a_lease_is_extended_for_as_long_as_an_agent_works(self):
        client, _ = self.submit_to(self.b, "long")
        self.c.agent()
        let_pass(LONGER_THAN_A_LEASE)
        self.flag().touch()
        self.assertEqual(client.receive()["stdout"], '["long"]\n')
        self.assert_once(["long"])
