"""The server of a pool over several hosts has no space left: nothing is lost or done twice, and all goes on when there is some."""

from harness import holds_for, small_disk, wait_until
from harness.engine_case import TRANSPORTS, FaultsCase
from harness.nats_client import change_stream

LARGE = "x" * 40_000


class EngineDisk(FaultsCase):
    def start_pool(self):
        self.a, self.b = self.start_hosts(self.server, "a", "b")

    def submit_large(self, count, prefix):
        """Returns {id: submitter}."""
        ids = [f"{prefix}{n}" for n in range(count)]
        return {id_: self.a.submit({"id": id_, "text": LARGE}, transport=TRANSPORTS[n % 2]) for n, id_ in enumerate(ids)}

    def assert_all_answered(self, submitters):
        for id_, submitter in submitters.items():
            self.assert_answered(submitter, id_)
        self.assert_once(list(submitters))

    def test_the_limit_of_the_server_is_reached_and_raised(self):
        self.server = self.serve(most_stored="256KB")
        self.start_pool()
        submitters = self.submit_large(12, "t")
        self.a.wait_complaint("the engine stores no tasks at the moment: .*resources")
        self.assertTrue(all(submitter.running for submitter in submitters.values()), "they wait")
        self.b.agent(count=2)
        self.server.stop()
        self.server.most_stored = "64MB"
        self.server.start()
        self.assert_all_answered(submitters)

    def test_a_queue_with_a_limit_makes_submitters_wait_until_tasks_are_done(self):
        self.server = self.serve()
        self.start_pool()
        wait_until(lambda: "TROUPE_reviews_Q" in (self.server.messages() or {}), "the pool's streams")
        change_stream(self.server, "TROUPE_reviews_Q", max_bytes=256_000)
        submitters = self.submit_large(12, "t")
        self.a.wait_complaint("the engine stores no tasks at the moment: .*bytes")
        before = self.attempts_to_publish()
        holds_for(lambda: self.attempts_to_publish() <= before + 10 * len(submitters), 3, "the full engine is spared")
        self.b.agent(count=2)
        self.assert_all_answered(submitters)
        self.assertEqual(len(self.a.complaints()), 1, self.a.edge.err)

    def attempts_to_publish(self):
        return self.a.status()["engine"]["counts"]["published"]

    def test_its_disk_is_full_while_agents_work(self):
        disk = small_disk.mount(self, size="4m")
        self.server = self.serve(store=disk / "store")
        self.start_pool()
        self.b.agent(count=2)
        working = {"w": self.a.submit(self.waiting_task("w"))}
        self.wait_begun("w")
        filler = disk / "filler"
        fill(filler)
        waiting = self.submit_large(6, "t")
        self.a.wait_complaint(f"127.0.0.1:{self.server.port}|stores no")
        self.flag().touch()
        wait_until(lambda: self.executions.of("w")[0].ended, "the agent to end its work")
        filler.unlink()
        self.server.restart()  # it does not go on by itself
        self.assert_all_answered(working | waiting)


def fill(path):
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
