"""The base of the cases engine…: a NATS server, hosts around it, and what their agents have done."""

import json

from harness.edges import HOST, LEASE, Host
from harness.executions import Executions
from harness.nats_client import stream
from harness.nats_server import NatsServer
from harness.pool import inline
from harness.process import processes_with
from harness.tcp_proxy import TcpProxy
from harness.waiting import wait_until
from harness.workflow import WorkflowCase

TRANSPORTS = ("socket", "file")
PROCESSED, NOT_PROCESSED = "Processed", "NotProcessed"
LOST = ("timeout", "agent_lost")  # why there is no response; the second one to those who want to be told of failures
LONGER_THAN_A_LEASE = 2 * LEASE


class EngineCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.executions = Executions(self.home / "executions")
        self.hosts = []
        self.servers = []
        self.proxies = []

    def tearDown(self):
        for suspended in (*self.servers, *self.hosts):
            suspended.resume()
        for proxy in self.proxies:
            proxy.heal()
        super().tearDown()

    def serve(self, name="nats", **how):
        self.servers.append(NatsServer(self, name, **how))
        return self.servers[-1]

    def host(self, name, engine, **how):
        """A host whose edge is not started yet. `engine`: a server, a proxy, or what --engine is given."""
        self.hosts.append(Host(self, name, getattr(engine, "address", engine), **how))
        return self.hosts[-1]

    def start_hosts(self, engine, *names, **how):
        hosts = [self.host(name, engine, **how) for name in names]
        for host in hosts:
            host.start()
        return hosts

    def proxied_host(self, name, server, **how):
        """A started host that reaches the server through a proxy of its own."""
        proxy = TcpProxy(self, server.target)
        self.proxies.append(proxy)
        host = self.host(name, proxy, **how)
        host.start()
        return host, proxy

    # Tasks.

    def flag(self, name="go"):
        """The path of a file that a task can wait for."""
        return self.work / name

    def waiting_task(self, id_, flag="go"):
        return {"id": id_, "until": str(self.flag(flag))}

    def wait_begun(self, id_, times=1):
        wait_until(lambda: len(self.executions.of(id_)) >= times, f"{id_} to be begun, {times} times")
        return self.executions.of(id_)[-1]

    def wait_killed(self, execution):
        """Waits until the process that did the work is gone."""
        wait_until(lambda: not is_at_work(execution), f"the end of the process at {execution.id}")

    def assert_answered(self, submitter, *ids):
        """One that was started by submit_task: processed, by agents that note what they do, and once."""
        result = submitter.result()
        self.assert_exit(result, 0)
        self.assertEqual(result.out.count("\n"), 1, "one answer")
        self.assertEqual((result.json["kind"], json.loads(result.json["stdout"])), (PROCESSED, list(ids)))

    def assert_once(self, expected, excused=()):
        self.assertEqual(list(self.executions.problems(expected, excused)), [])

    def assert_nobody_overlaps(self):
        """No task is begun while another agent is still at it."""
        for execution in self.executions.all():
            for other in self.executions.of(execution.id):
                if other is not execution and other.begun < execution.begun:
                    self.assertTrue(other.ended and other.ended <= execution.begun or not is_at_work(other),
                                    f"{execution} began during {other}")

    def assert_works(self, host, id_, transport="socket"):
        """A task that is submitted there is done somewhere, and answered."""
        self.assert_answered(host.submit({"id": id_}, transport=transport), id_)


class TwoHostsCase(EngineCase):
    """Two hosts, a and b."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.a, self.b = self.start_hosts(self.server, "a", "b")
        self.messages_at_start = self.messages()

    def messages(self):
        return sum((self.server.messages() or {}).values())

    def queued(self):
        """The number of tasks in the engine's queues."""
        return (self.server.messages() or {}).get("TROUPE_reviews_Q", 0)

    def wait_queued(self, count):
        """Until an agent that becomes idle gets them in their order."""
        wait_until(lambda: self.server.deliverable("TROUPE_reviews_Q") >= count, f"{count} tasks to be in the queues")

    def published(self):
        """The number of tasks that were ever published."""
        return stream(self.server, "TROUPE_reviews_Q")["state"]["last_seq"]

    def recorded(self):
        """The number of entries that were ever written to tasks' records: a withdrawal is one."""
        return stream(self.server, "TROUPE_reviews_R")["state"]["last_seq"]

    def wait_recorded(self, count):
        wait_until(lambda: self.recorded() >= count, f"{count} entries to be written")


class FaultsCase(EngineCase):
    """What the cases engine_…_faults share."""

    def assert_lost(self, answer):
        """The answer says that nobody knows what became of the task."""
        self.assertEqual(answer["kind"], NOT_PROCESSED, str(answer)[:300])
        self.assertIn(answer["reason"], LOST)

    def assert_repeats_nothing(self, host):
        """It has complained, with each sentence once: that the connection is lost, perhaps also that there is no new one."""
        sentences = [line.partition(" ")[2] for line in host.complaints()]
        self.assertIn(len(sentences), (1, 2), host.edge.err)
        self.assertEqual(len(set(sentences)), len(sentences), host.edge.err)

    def wait_served(self, host):
        """Returns when the edge has had an answer from the engine again: by then it knows what it had missed, too."""
        self.assert_works(host, f"served-{host.host}-{len(self.executions.all())}")


def is_at_work(execution):
    """Whether the agent's command still runs."""
    return execution.pid in processes_with({HOST: execution.host})


def request(id_, **more):
    """The envelope of a task for agents that note what they do, under the same id."""
    return inline({"id": id_}, id_) | more
