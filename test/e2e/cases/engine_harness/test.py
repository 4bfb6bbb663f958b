"""What the cases engine… stand on: the proxy and the servers that they use do what those cases take for granted."""

import socket

from harness import DEADLINE, holds_for, wait_until
from harness.engine_case import EngineCase
from harness.engine_faults import Fault, Faults
from harness.engine_repeats import repeats, tell_records
from harness.executions import Execution, Executions
from harness.nats_server import NatsCluster
from harness.tcp_proxy import TcpProxy


class Client:
    """A client of NATS by hand, as far as a PING."""

    def __init__(self, case, port):
        self.link = socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)
        case.addCleanup(self.link.close)

    def begin(self):
        self.wait_for(b"INFO ")
        self.link.sendall(b'CONNECT {"verbose":false}\r\n')
        return self

    def send_ping(self):
        self.link.sendall(b"PING\r\n")

    def wait_for(self, text):
        """Reads until the text has come, or the end; True if it has."""
        received = b""
        while text not in received:
            data = self.link.recv(65536)
            if not data:
                return False
            received += data
        return True

    def gets_no(self, text):
        """For a while. Of itself, a server may send a PING."""
        received = b""
        self.link.settimeout(0.3)
        try:
            while data := self.link.recv(65536):
                received += data
        except TimeoutError:
            pass
        self.link.settimeout(DEADLINE)
        return text not in received


class Proxy(EngineCase):
    def setUp(self):
        super().setUp()
        self.proxy = TcpProxy(self, self.serve().target)

    def connect(self):
        return Client(self, self.proxy.port)

    def test_it_carries_until_it_is_cut_and_what_was_sent_meanwhile_comes_late(self):
        client = self.connect().begin()
        client.send_ping()
        self.assertTrue(client.wait_for(b"PONG"))
        for directions in ({}, {"to_edge": False}, {"to_server": False}):
            with self.subTest(directions=directions):
                self.proxy.cut(**directions)
                client.send_ping()
                self.assertTrue(client.gets_no(b"PONG"))
                self.proxy.heal()
                self.assertTrue(client.wait_for(b"PONG"))

    def test_a_connection_that_is_made_while_it_is_cut_gets_its_greeting_later(self):
        self.proxy.cut()
        client = self.connect()
        self.assertTrue(client.gets_no(b"INFO "))
        self.proxy.heal()
        self.assertTrue(client.wait_for(b"INFO "))

    def test_what_a_client_has_sent_before_it_reset_the_connection_never_comes(self):
        client = self.connect().begin()
        client.send_ping()
        client.wait_for(b"PONG")
        wait_until(lambda: self.servers[0].connections() == 1, "the connection to be known")
        self.proxy.cut()
        before = self.proxy.carried
        client.send_ping()
        client.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.link.close()
        self.proxy.heal()
        wait_until(lambda: self.servers[0].connections() == 0, "the end of the connection")
        self.assertEqual(self.proxy.carried, before)

    def test_a_reset_ends_connections_and_new_ones_until_it_is_healed(self):
        client = self.connect().begin()
        self.proxy.reset()
        for connected in (lambda: client, self.connect):
            with self.assertRaises(ConnectionResetError):
                connected().wait_for(b"INFO ")
        self.proxy.heal()
        self.assertTrue(self.connect().wait_for(b"INFO "))
        self.proxy.reset_once()
        self.assertTrue(self.connect().wait_for(b"INFO "))

    def test_without_a_server_a_connection_is_reset(self):
        self.servers[0].kill()
        with self.assertRaises(ConnectionResetError):
            self.connect().wait_for(b"INFO ")


class Servers(EngineCase):
    def test_a_server_keeps_its_port_and_its_store_can_be_wiped(self):
        server = self.serve()
        port = server.port
        self.assertTrue(Client(self, port).wait_for(b"INFO "))
        server.kill()
        server.wipe()
        server.start()
        self.assertTrue(Client(self, port).wait_for(b"INFO "))
        self.assertEqual(server.messages(), {})

    def test_a_suspended_server_says_nothing_and_goes_on(self):
        server = self.serve()
        client = Client(self, server.port).begin()
        server.suspend()
        client.send_ping()
        self.assertTrue(client.gets_no(b"PONG"))
        server.resume()
        self.assertTrue(client.wait_for(b"PONG"))

    def test_a_cluster_survives_one_server(self):
        cluster = NatsCluster(self)
        self.servers += cluster.servers
        first = cluster.servers[0]
        first.restart()
        holds_for(lambda: all(server.process.running for server in cluster.servers), 0.3, "all run")

    def test_a_new_configuration_is_taken_up_without_a_restart(self):
        server = self.serve()
        client = Client(self, server.port)
        server.reconfigure("authorization { user: u, password: p }")
        self.assertTrue(client.wait_for(b"INFO "))
        client = Client(self, server.port).begin()
        self.assertTrue(client.wait_for(b"Authorization Violation"))


class Oracle(EngineCase):
    def problems(self, *lines, excused=()):
        path = self.work / "notes"
        path.write_text("".join(line + "\n" for line in lines))
        return list(Executions(path).problems(["x"], excused))

    def test_it_finds_what_is_missing_twice_or_nobodys(self):
        once = ("begin x a 1 1.0", "end x a 1 2.0")
        self.assertEqual(self.problems(*once), [])
        self.assertIn("not executed", *self.problems())
        self.assertIn("not executed", *self.problems("begin x a 1 1.0"))
        self.assertIn("not executed", *self.problems("begin x a 1 1.0", "fail x a 1 2.0"))
        self.assertIn("2 times", *self.problems(*once, "begin x b 2 3.0"))
        self.assertIn("by nobody", *self.problems(*once, "begin y b 2 3.0"))
        self.assertEqual(self.problems(excused=["x"]), [])
        self.assertEqual(self.problems(*once, "begin x b 2 3.0", excused=["x"]), [])


class Repeats(EngineCase):
    """The oracle of engine_chaos, with a task that host a has done from second 10 to 11, and host b does from 20 to 21."""

    server = Fault(5, "kill server", "", 6)
    sought, known = ("may have", "x", "b"), ("had", "x")

    def problems(self, *faults, told=(), ended=11, of_run=()):
        injected = Faults([], [], None, lease=3, random=None)
        injected.all = list(faults)
        executions = [Execution("x", "a", 1, 10, ended), Execution("x", "b", 2, 20, 21)]
        return list(repeats(executions, of_run, injected, set(told)))

    def test_a_fault_that_has_ended_the_work_explains_that_it_is_done_again(self):
        died = Fault(10.5, "kill host", "a", 12)
        self.assertEqual(self.problems(died, ended=None), [])
        for kind, host in (("kill host", "b"), ("kill edge", "a"), ("suspend server", "")):
            self.assertIn("no fault explains", *self.problems(Fault(10.5, kind, host, 12), ended=None))
        self.assertIn("no fault explains", *self.problems(Fault(20.5, "kill host", "a", 22), ended=None))
        self.assertIn("no fault explains", *self.problems(Fault(5, "kill host", "a", 8), ended=None))

    def test_a_task_of_a_run_may_be_done_again_after_any_fault_of_its_host_or_of_a_server(self):
        for kind, host in (("kill edge", "a"), ("suspend server", ""), ("kill run", "")):
            self.assertEqual(self.problems(Fault(10.5, kind, host, 12), ended=30, of_run=["x"]), [])
        self.assertIn("no fault explains", *self.problems(Fault(10.5, "kill edge", "b", 12), of_run=["x"]))
        self.assertIn("no fault explains", *self.problems(of_run=["x"]))

    def test_a_lost_record_explains_it_if_an_edge_that_can_know_says_so_and_a_server_has_failed(self):
        for told in (self.sought, self.known):
            self.assertEqual(self.problems(self.server, told=[told]), [])
            self.assertIn("no fault explains", *self.problems(told=[told]))
            self.assertIn("no fault explains", *self.problems(Fault(20.5, "kill server", ""), told=[told]))
        for told in (("may have", "x", "a"), ("may have", "y", "b"), ("had", "y")):
            self.assertIn("no fault explains", *self.problems(self.server, told=[told]))

    def test_only_a_host_that_has_searched_in_vain_may_work_beside_the_other(self):
        self.assertEqual(self.problems(self.server, told=[self.sought], ended=20.5), [])
        self.assertIn("two agents at once", *self.problems(self.server, told=[self.known], ended=20.5))
        self.assertEqual(len(self.problems(ended=20.5)), 2)

    def test_its_sentence_counts_records_and_the_tasks_that_were_done_twice(self):
        executions = [Execution(id_, "a", 1, 10) for id_ in ("x", "y", "x", "z", "z")]
        self.assertEqual(tell_records({self.sought, self.known, ("may have", "y", "b")}, executions),
                         "edges say that the servers had lost 1 records, and may have lost 2; 1 of these tasks were done twice")
