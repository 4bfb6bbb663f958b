"""A pool over several hosts when connections are cut, silently or not, in one direction or both."""

from harness import let_pass, wait_until
from harness.engine_case import LONGER_THAN_A_LEASE, TRANSPORTS, FaultsCase, request
from harness.pool import inline
from harness.tcp_proxy import TcpProxy


class Network(FaultsCase):
    """Connections that are cut."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.a, self.proxy_a = self.proxied_host("a", self.server)
        self.b, self.proxy_b = self.proxied_host("b", self.server)

    def test_the_host_with_the_agent_is_cut_off_silently_for_longer_than_a_lease(self):
        c, _ = self.proxied_host("c", self.server)
        self.b.agent()
        with self.a.connect() as client:
            client.send(inline(self.waiting_task("cut"), "cut") | {"wants_failures": True})
            self.wait_begun("cut")
            c.agent()
            self.proxy_b.cut()
            self.assert_lost(client.receive())
            self.flag().touch()
            self.proxy_b.heal()
            self.wait_served(self.b)
            client.send(request("next"))
            self.assertEqual(client.receive()["id"], "next", "there is no second answer")
        self.assertEqual(len(self.executions.of("cut")), 1)

    def test_a_host_that_is_cut_off_with_nobody_else_there_keeps_its_answer(self):
        self.b.agent()
        submitter = self.a.submit(self.waiting_task("kept"))
        self.wait_begun("kept")
        self.proxy_b.cut()
        self.flag().touch()
        wait_until(lambda: self.executions.of("kept")[0].ended, "the agent to end its work")
        let_pass(LONGER_THAN_A_LEASE)
        self.proxy_b.heal()
        self.assert_answered(submitter, "kept")
        self.assert_once(["kept"])

    def test_the_host_with_the_submitters_is_cut_off(self):
        self.b.agent(count=2)
        submitters = [(id_, self.a.submit(self.waiting_task(id_), transport=id_)) for id_ in TRANSPORTS]
        for id_ in TRANSPORTS:
            self.wait_begun(id_)
        self.proxy_a.cut()
        self.flag().touch()
        wait_until(lambda: all(e.ended for e in self.executions.all()), "the work to end")
        let_pass(LONGER_THAN_A_LEASE)
        self.proxy_a.heal()
        for id_, submitter in submitters:
            self.assert_answered(submitter, id_)
        self.assert_once(TRANSPORTS)

    def test_one_direction_is_cut(self):
        self.b.agent(count=2)
        for direction in ("to_server", "to_edge"):
            for proxy in (self.proxy_a, self.proxy_b):
                with self.subTest(lost=direction, of="a" if proxy is self.proxy_a else "b"):
                    id_ = f"{direction}-{proxy.port}"
                    submitter = self.a.submit({"id": id_, "ms": 300})
                    self.wait_begun(id_)
                    proxy.cut(to_server=direction == "to_server", to_edge=direction == "to_edge")
                    wait_until(lambda: self.executions.of(id_)[0].ended, "the agent to end its work")
                    proxy.heal()
                    self.assert_answered(submitter, id_)
                    self.assertEqual(len(self.executions.of(id_)), 1)

    def test_connections_are_reset_again_and_again_under_load(self):
        self.b.agent(count=4)
        ids = [f"t{n}" for n in range(80)]
        with self.a.connect() as client:
            for id_ in ids:
                client.send(inline({"id": id_, "ms": 30}, id_))
            for n in range(len(ids)):
                if n % 10 == 5:
                    (self.proxy_a, self.proxy_b)[n // 10 % 2].reset_once()
                answer = client.receive()
                self.assertEqual(answer.get("stdout"), f'["{answer["id"]}"]\n')
        self.assert_once(ids)

    def test_another_server_of_the_list_takes_over(self):
        gone = TcpProxy(self, ("127.0.0.1", self.server.port))
        gone.end()
        host = self.host("d", f"nats://127.0.0.1:{gone.port},{self.server.address}")
        host.start()
        host.agent()
        self.assert_works(self.a, "elsewhere")
        self.assertEqual(self.executions.hosts_of("elsewhere"), ["d"])
