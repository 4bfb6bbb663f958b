"""A pool over several hosts when the engine loses the record of a task although it had acknowledged it, as clusters do whose servers
are killed: whoever finds no record asks all hosts, and the task is not done again."""

from harness import nats_client, wait_until
from harness.engine_case import FaultsCase

LEASE = 12  # an owner looks at its record every four seconds; what has ended is remembered for thirty


class LostRecord(FaultsCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.a, self.b, self.c = self.start_hosts(self.server, "a", "b", "c", lease=LEASE)
        self.b.agent()
        self.submitter = self.a.submit(self.waiting_task("t"))
        self.wait_begun("t")
        (self.task,) = wait_until(lambda: self.a.status()["engine"]["elsewhere"], "its host to be told who has the task")

    def lose_record(self):
        lost = nats_client.request(self.server, "$JS.API.STREAM.PURGE.TROUPE_reviews_R", {"filter": f"troupe.reviews.r.{self.task}"})
        self.assertEqual(lost["purged"], 1)

    def deliver_again(self):
        """The first task that was queued and delivered goes to another agent."""
        (consumer,) = nats_client.request(self.server, "$JS.API.CONSUMER.NAMES.TROUPE_reviews_Q")["consumers"]
        sequence = nats_client.stream(self.server, "TROUPE_reviews_Q")["state"]["first_seq"]
        nats_client.publish(self.server, f"$JS.ACK.TROUPE_reviews_Q.{consumer}.1.{sequence}.1.1.0", "-NAK")

    def records(self):
        return self.server.messages()["TROUPE_reviews_R"]

    def wait_ended(self):
        wait_until(lambda: self.server.messages()["TROUPE_reviews_Q"] == 0, "the task to leave the queue")

    def test_a_task_that_an_agent_works_on_stays_with_it(self):
        self.c.agent()
        self.a.kill_edge()  # which knows who has the task, too
        records = self.records()
        self.lose_record()
        self.deliver_again()
        wait_until(lambda: self.records() >= records, "a claim to be written")
        self.flag().touch()
        self.a.start()
        self.assert_answered(self.submitter, "t")
        self.assertEqual(self.executions.hosts_of("t"), ["b"])

    def test_a_task_that_an_agent_has_ended_is_not_done_again_and_its_submitter_is_told(self):
        self.a.kill_edge()
        self.flag().touch()
        self.wait_ended()
        self.lose_record()
        self.a.start()
        result = self.submitter.result()
        self.assert_exit(result, 1)
        self.assert_lost(result.json)
        self.wait_served(self.a)
        self.assertEqual(self.executions.hosts_of("t"), ["b"])

    def test_the_host_of_the_submitter_knows_who_has_the_task_if_that_one_is_silent(self):
        self.c.agent()
        self.b.suspend_edge()
        self.lose_record()
        self.deliver_again()
        result = self.submitter.result()
        self.assert_exit(result, 1)
        self.assert_lost(result.json)
        self.flag().touch()
        self.b.resume_edge()
        self.wait_served(self.b)
        self.assertEqual(self.executions.hosts_of("t"), ["b"])

    def test_if_no_host_that_knows_of_it_can_be_reached_it_is_done_twice_and_the_log_of_the_second_says_so(self):
        self.c.agent()
        for host in (self.a, self.b):
            host.suspend_edge()
        self.lose_record()
        self.deliver_again()
        wait_until(lambda: self.executions.hosts_of("t") == ["b", "c"], "the task to be begun by another agent")
        self.assertIn(f"WARN  the engine may have lost what it knew of the task {self.task}: if another host has it", self.c.edge.err)
        self.flag().touch()
        for host in (self.a, self.b):
            host.resume_edge()
        self.assert_answered(self.submitter, "t")


class LostMessages(FaultsCase):
    def test_tasks_that_the_queue_has_lost_are_done_one_after_the_other(self):
        """They are published again, and the agent is kept for the one that it has pulled until that has been searched for."""
        server = self.serve()
        (a,) = self.start_hosts(server, "a", lease=6)
        ids = ["one", "two", "three"]
        submitters = [a.submit({"id": id_, "ms": 1}) for id_ in ids]
        wait_until(lambda: server.messages().get("TROUPE_reviews_Q") == 3, "the tasks to be in the queue")
        nats_client.request(server, "$JS.API.STREAM.PURGE.TROUPE_reviews_Q", {})
        a.agent()
        for id_, submitter in zip(ids, submitters):
            self.assert_answered(submitter, id_)
        self.assert_once(ids)
