"""`troupe engine check`: what it says of servers, permissions, streams and limits, and what --fix changes."""

import re
import signal
import socket

from harness import wait_until
from harness.engine_case import EngineCase
from harness.environment import SOURCE_DIR
from harness.nats_client import change_stream, request, stream
from harness.nats_server import NatsCluster

QUEUE, RECORDS = "TROUPE_reviews_Q", "TROUPE_reviews_R"
MINUTE = 60_000_000_000  # nanoseconds


class CheckCase(EngineCase):
    def check(self, *options, engine=None, code=0, **how):
        """The lines, as (verdict, about, text)."""
        result = self.run_program("troupe", "engine", "check", "--pool", "reviews", "--engine",
                                  engine or self.server.address, *options, **how)
        if code is not None:
            self.assert_exit(result, code)
        self.assertEqual("not right" in result.err, result.code == 1, str(result))
        return [re.fullmatch(r"(ok|note|wrong|changed) +([^ ]+://[^ ]+|[^:]+): (.*)", line).groups()
                for line in result.out.splitlines()]

    def wrong(self, *options, **how):
        """What is wrong: what is said about it, by what it is about."""
        return {about: text for verdict, about, text in self.check(*options, code=1, **how) if verdict == "wrong"}

    def start_pool(self, *options):
        host = self.host("a", self.server, options=options)
        host.start()
        wait_until(lambda: len(self.server.messages() or {}) == 2, "the pool's streams")
        return host


class OneServer(CheckCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def test_a_new_server_is_right_and_nothing_is_created(self):
        lines = self.check()
        verdicts = {about: verdict for verdict, about, _ in lines}
        self.assertEqual(verdicts, {self.server.address: "note",  # Debian's version gets no fixes
                                    "permissions": "ok", f"stream {QUEUE}": "note", f"stream {RECORDS}": "note",
                                    "sizes": "ok", "account": "ok"})
        self.assertRegex(lines[0][2], r"^nats, version 2\.\d+\.\d+, without TLS, answers within [\d.]+ m?s; .*security")
        self.assertIn("1044480 bytes", dict((about, text) for _, about, text in lines)["sizes"])
        self.assertEqual(self.server.messages(), {})

    def test_a_pool_that_runs_is_right_and_does_not_notice(self):
        host = self.start_pool()
        queued = host.submit({"id": "t"})
        wait_until(lambda: self.server.messages().get(QUEUE) == 1, "the task to be published")
        before = self.server.messages()
        lines = {about: (verdict, text) for verdict, about, text in self.check("--lease-secs", host.lease)}
        self.assertEqual(lines[f"stream {QUEUE}"][0], "ok")
        self.assertRegex(lines[f"stream {QUEUE}"][1], "^1 message, .*, 1 replica$")
        self.assertEqual(lines["queues"], ("ok", "1 queue, 1 task waiting, 0 with hosts"))
        self.assertEqual(self.server.messages(), before)
        self.assertEqual(host.complaints(), [])
        host.agent()
        self.assert_answered(queued, "t")

    def test_queues_with_another_lease_are_named(self):
        host = self.start_pool()
        host.agent()
        self.assert_works(host, "t")
        verdict, _, text = self.check("--lease-secs", host.lease + 5)[-1]
        self.assertEqual(verdict, "note")
        self.assertIn("1 has another lease", text)
        host.stop()
        host.lease += 5
        host.start()
        changed = f"is changed from {host.lease - 5} s to {host.lease} s: all hosts of a pool need the same --lease-secs"
        wait_until(lambda: any(changed in line for line in host.complaints()), "the host to say so")

    def test_streams_that_lose_tasks_are_told_and_fixed_with_what_they_hold(self):
        host = self.start_pool()
        queued = host.submit({"id": "t"})
        wait_until(lambda: self.server.messages()[QUEUE] == 1, "the task to be published")
        change_stream(self.server, RECORDS, max_msgs=7, max_age=MINUTE * 60, description="of the operator")
        problem = self.wrong()["streams"]
        self.assertIn(f"{RECORDS} has another max_msgs", problem)
        self.assertEqual(stream(self.server, RECORDS)["config"]["max_msgs"], 7, "nothing is changed without --fix")
        changed = [(about, text) for verdict, about, text in self.check("--fix") if verdict == "changed"]
        self.assertEqual(changed, [(f"stream {QUEUE}", "changed: max_age"), (f"stream {RECORDS}", "changed: max_msgs")])
        queue, records = (stream(self.server, name)["config"] for name in (QUEUE, RECORDS))
        self.assertEqual((records["max_msgs"], records["max_age"], records["description"]),
                         (-1, MINUTE * 60, "of the operator"))
        self.assertEqual(queue["max_age"], MINUTE * 30)
        self.assertNotIn("changed", [verdict for verdict, _, _ in self.check("--fix")])
        host.agent()
        self.assert_answered(queued, "t")

    def test_replicas_on_a_server_without_a_cluster_are_wrong_and_nothing_is_changed(self):
        self.start_pool()
        for options in ((), ("--fix",)):
            problems = self.wrong("--engine-replicas", 3, *options)
            self.assertEqual(list(problems), ["replicas"])
            self.assertIn("3 replicas need a cluster", problems["replicas"])
        self.assertEqual([stream(self.server, name)["config"]["num_replicas"] for name in (QUEUE, RECORDS)], [1, 1])

    def test_what_the_server_does_not_change_is_told_with_what_to_do(self):
        request(self.server, f"$JS.API.STREAM.CREATE.{QUEUE}",
                {"name": QUEUE, "subjects": ["troupe.reviews.q.>"], "retention": "limits", "storage": "file",
                 "num_replicas": 1})
        request(self.server, f"$JS.API.STREAM.CREATE.{RECORDS}",
                {"name": RECORDS, "subjects": ["troupe.reviews.r.>"], "retention": "limits", "storage": "file",
                 "num_replicas": 1})
        self.assertIn("retention", self.wrong()["streams"])
        self.assertIn("delete the stream", self.wrong("--fix")[f"stream {QUEUE}"])

    def test_an_engine_that_does_not_answer_is_given_up(self):
        self.server.suspend()
        self.assertIn(self.server.address, self.wrong())
        self.server.resume()
        self.check()

    def test_an_interrupted_check_ends_at_once(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            check = self.start("troupe", "engine", "check", "--engine", f"nats://127.0.0.1:{silent.getsockname()[1]}")
            with silent.accept()[0]:
                check.signal(signal.SIGINT)
                self.assertEqual(check.result().code, 130)

    def test_the_servers_of_the_environment_and_none_at_all(self):
        result = self.run_program("troupe", "engine", "check", env={"TROUPE_ENGINE": self.server.address})
        self.assert_exit(result, 0)
        result = self.run_program("troupe", "engine", "check")
        self.assert_exit(result, 2)
        self.assertIn("--engine nats://h1:4222", result.err)


class OtherServers(CheckCase):
    def test_servers_that_cannot_be_used_are_told(self):
        self.server = self.serve("without", has_jetstream=False)
        self.assertIn("-js", self.wrong()["JetStream"])
        self.server = self.serve("secret", config="authorization { user: u, password: p }")
        self.assertIn("demands credentials", self.wrong()[self.server.address])
        self.server.kill()
        self.assertIn("refused", self.wrong()[self.server.address])

    def test_two_servers_that_do_not_belong_together_are_told(self):
        self.server, other = self.serve("one"), self.serve("two")
        problems = self.wrong(engine=f"{self.server.address},{other.address}")
        self.assertEqual(list(problems), ["servers"])
        self.assertIn("one and two are not in the same cluster", problems["servers"])

    def test_the_permissions_that_are_missing_are_those_to_add(self):
        def users(publish, subscribe):
            permissions = f"{{ publish: [{', '.join(publish)}], subscribe: [{', '.join(subscribe)}] }}"
            return f'authorization {{ users: [ {{ user: u, password: p, permissions: {permissions} }} ] }}'
        password = self.home / "password"
        password.write_text("p")
        password.chmod(0o600)
        login = "--engine-user", "u", "--engine-password-file", password
        self.server = self.serve(config=users(['"x"'], ['"x"']))
        told = self.wrong(*login)["permissions"]
        publish, subscribe = (re.findall(r'"[^"]+"', re.search(rf"{kind}: \[([^]]*)\]", told)[1])
                              for kind in ("publish", "subscribe"))
        text = (SOURCE_DIR / "docs/hosts.md").read_text()
        documented = re.search(r"^permissions \{\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL)[1]
        for pattern in {*publish, *subscribe}:
            self.assertIn(pattern.replace('"', ""), documented)
        self.server.reconfigure(users([*publish, '"$JS.API.INFO"'], subscribe))
        self.assertEqual({about: verdict for verdict, about, _ in self.check(*login)}["permissions"], "ok")
        host = self.host("a", self.server, options=login)
        host.start()
        host.agent()
        self.assert_works(host, "t")
        self.assertEqual(host.complaints(), [])

    def test_limits_of_the_account_are_told(self):
        def accounts(limits):
            return (f"accounts {{ a: {{ jetstream: {{ {limits} }}, users: [ {{ user: u, password: p }} ] }} }}\n"
                    "no_auth_user: u")
        self.server = self.serve("streams", config=accounts("max_streams: 1"))
        self.assertIn("max_streams", self.wrong()["account"])
        self.server = self.serve("pending", config=accounts("max_ack_pending: 100"))
        self.assertIn("max_ack_pending", self.wrong()["account"])
        self.server = self.serve("bytes", config=accounts("max_file: 10000"))
        self.assertIn("0 bytes of 10.0 kB stored", dict((about, text) for _, about, text in self.check())["account"])

    def test_small_messages_are_told(self):
        self.server = self.serve(config="max_payload: 4096")
        self.assertIn("max_payload", self.wrong()["sizes"])


class Cluster(CheckCase):
    def setUp(self):
        super().setUp()
        self.cluster = NatsCluster(self)
        self.servers += self.cluster.servers
        self.server = self.cluster.servers[0]
        self.engine = ",".join(self.cluster.addresses)

    def test_replicas_are_added_and_a_server_that_is_down_is_told(self):
        host = self.host("a", self.engine)
        host.start()
        host.agent()
        self.assert_works(host, "t")
        self.check(engine=self.engine)
        problems = self.wrong("--engine-replicas", 3, engine=self.engine)
        self.assertEqual(list(problems), [f"stream {QUEUE}", f"stream {RECORDS}"])
        changed = self.check("--engine-replicas", 3, "--fix", engine=self.engine, code=None)
        self.assertEqual([text for verdict, _, text in changed if verdict == "changed"], ["changed: num_replicas"] * 2)
        wait_until(lambda: self.is_right("--engine-replicas", 3), "the new replicas to be current")
        self.assert_works(host, "u")
        self.cluster.servers[2].kill()
        wait_until(lambda: "nats2 is offline" in self.wrong(engine=self.engine).get(f"stream {RECORDS}", ""),
                   "its replica to be missed")
        self.assertIn(self.cluster.servers[2].address, self.wrong(engine=self.engine))

    def is_right(self, *options):
        return self.run_program("troupe", "engine", "check", "--pool", "reviews", "--engine", self.engine, *options).code == 0
