"""Users, keys, certificates and permissions: what is wrong is told in one sentence, nothing is lost, and everything works
when it was corrected, without a restart of the edge."""

import re

from harness import let_pass, wait_until
from harness.certificates import Certificate
from harness.environment import SOURCE_DIR
from harness.engine_case import LONGER_THAN_A_LEASE, TRANSPORTS, EngineCase
from harness.nats_server import nats_server_program
from harness.nkeys import user_key
from harness.ports import free_ports

USER, RIGHT, WRONG = "edge", "a right password", "a wrong password"
ALL = '{ publish: ">", subscribe: ">" }'
INBOX_ONLY = '{ publish: "_INBOX.>", subscribe: ["_INBOX.>"] }'


def users(permissions=ALL):
    return f'authorization {{ users: [ {{ user: {USER}, password: "{RIGHT}", permissions: {permissions} }} ] }}'


def tls(certificate, *more):
    members = [f'cert_file: "{certificate.path}"', f'key_file: "{certificate.key}"', "timeout: 5", *more]
    return f"tls {{ {', '.join(members)} }}"


class LoginCase(EngineCase):
    def secret(self, text, name="password"):
        path = self.home / name
        path.write_text(text + "\n")
        path.chmod(0o600)
        return path

    def password(self, text):
        return "--engine-user", USER, "--engine-password-file", self.secret(text)

    def start_edge(self, *options, **how):
        """An edge with an agent; its submitters wait. Returns it and the submitters."""
        host = self.host("a", self.server, options=options)
        host.start(**how)
        host.agent()
        return host, [(id_, host.submit({"id": id_}, transport=id_)) for id_ in TRANSPORTS]

    def assert_told_once(self, host, *patterns):
        line = host.wait_complaint(*patterns, self.server.address.partition("://")[2])
        # Where it may connect, it goes on asking over the same connection.
        tries = self.server.received if "JetStream" in patterns else self.server.attempts
        before = tries()
        wait_until(lambda: tries() >= before + 2, "the edge to try again, and once more")
        self.assertEqual(host.complaints(), [line], "told once, in one line")
        for secret in (RIGHT, WRONG):
            self.assertNotIn(secret, host.edge.err)
        self.assert_running(host.edge)

    def assert_served(self, host, submitters):
        for id_, submitter in submitters:
            self.assert_answered(submitter, id_)
        self.assert_once(TRANSPORTS)
        self.assertEqual(len(host.edges), 1, "the edge was not restarted")


class Passwords(LoginCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve(config=users())

    def test_the_right_one_works_and_is_seen_nowhere(self):
        host, submitters = self.start_edge(*self.password(RIGHT))
        self.assert_served(host, submitters)
        self.assertEqual(host.complaints(), [])
        self.assertNotIn(RIGHT, host.edge.err)

    def test_a_wrong_one_is_told_and_the_corrected_file_is_used(self):
        host, submitters = self.start_edge(*self.password(WRONG))
        self.assert_told_once(host, "credentials|password|authorization")
        self.secret(RIGHT)
        self.assert_served(host, submitters)

    def test_no_user_where_one_is_demanded_is_told(self):
        host, submitters = self.start_edge()
        self.assert_told_once(host, "credentials|password|authorization")
        self.server.reconfigure("")
        self.assert_served(host, submitters)

    def test_a_missing_file_is_told_by_its_name(self):
        options = self.password(RIGHT)
        options[-1].unlink()
        host = self.host("a", self.server, options=options)
        edge = self.start("troupe", "start", "--root", host.root, "--pool", host.name, "--engine", host.engine, *options)
        wait_until(lambda: str(options[-1]) in edge.err, "the file's name")
        self.assertIn("No such file", edge.err)

    def test_the_environment_is_the_same_as_options(self):
        path = self.secret(RIGHT)
        host = self.host("a", None)
        host.start(env={"TROUPE_LEASE_SECS": host.lease, "TROUPE_ENGINE": self.server.address, "TROUPE_ENGINE_USER": USER,
                        "TROUPE_ENGINE_PASSWORD_FILE": path})
        wait_until(lambda: self.server.connections() > 0, "the edge to connect")
        other = self.host("b", self.server, options=self.password(RIGHT))
        other.start()
        other.agent()
        self.assert_works(host, "t")
        self.assertEqual(self.executions.hosts_of("t"), ["b"])

    def test_what_can_not_work_is_refused_at_the_start(self):
        address = self.server.address
        for options in (("--engine", address.replace("://", "://user:secret@")), ("--engine", "http://h1:4222"),
                        ("--engine", address, "--engine-user", USER),
                        ("--engine", address, "--engine-password-file", self.secret(RIGHT)),
                        ("--engine", address, "--engine-cert", self.secret(RIGHT)),
                        ("--engine", address, *self.password(RIGHT), "--engine-creds", self.secret(RIGHT)),
                        ("--engine", address, "--engine-replicas", "0"), ("--engine", address, "--lease-secs", "0"),
                        ("--engine-user", USER, "--engine-password-file", self.secret(RIGHT))):
            with self.subTest(options=options):
                result = self.run_program("troupe", "start", "--pool", "refused", *options)
                self.assertIn(result.code, (1, 2), str(result))
                self.assertTrue(result.err.strip())
                self.assertNotIn(RIGHT, result.err)
        self.assertFalse((self.root / "pools/refused/status").exists())


class Keys(LoginCase):
    def test_a_key_is_known_to_the_server_or_not(self):
        (seed, public), (other, _) = user_key(bytes([3] * 32)), user_key(bytes([4] * 32))
        self.server = self.serve(config=f"authorization {{ users: [ {{ nkey: {public} }} ] }}")
        host, submitters = self.start_edge("--engine-creds", self.secret(other, "creds"))
        self.assert_told_once(host, "credentials|key|authorization")
        self.assertNotIn(other, host.edge.err)
        self.secret(seed, "creds")
        self.assert_served(host, submitters)


class Certificates(LoginCase):
    def setUp(self):
        super().setUp()
        self.authority = Certificate(self.home, "authority")
        self.ca = ("--engine-ca", self.authority.path)

    def certificate(self, name="server", **how):
        return Certificate(self.home, name, authority=self.authority, **how)

    def serve_tls(self, *more, **how):
        self.server = self.serve(scheme="tls", config=tls(self.certificate(**how), *more))

    def test_a_good_one_works(self):
        self.serve_tls()
        host, submitters = self.start_edge(*self.ca)
        self.assert_served(host, submitters)
        self.assertEqual(host.complaints(), [])

    def test_an_expired_one_is_told_and_its_successor_is_accepted(self):
        self.serve_tls(days=-1)
        host, submitters = self.start_edge(*self.ca)
        self.assert_told_once(host, "certificate.*expired")
        self.server.reconfigure(tls(self.certificate()))
        self.assert_served(host, submitters)

    def test_one_of_a_stranger_is_told_with_the_file_and_the_corrected_file_is_used(self):
        self.serve_tls()
        stranger = Certificate(self.home, "stranger")
        right, wrong = self.authority.path.read_text(), stranger.path.read_text()
        self.authority.path.write_text(wrong)
        host, submitters = self.start_edge(*self.ca)
        self.assert_told_once(host, "certificate", re.escape(str(self.authority.path)))
        self.authority.path.write_text(right)
        self.assert_served(host, submitters)

    def test_the_server_demands_one_of_the_edge(self):
        self.serve_tls("verify: true", f'ca_file: "{self.authority.path}"')
        own = self.certificate("own")
        host, submitters = self.start_edge(*self.ca, "--engine-cert", own.path, "--engine-key", own.key)
        self.assert_served(host, submitters)
        without = self.host("b", self.server, options=self.ca)
        without.start()
        without.wait_complaint("certificate", self.server.address.partition("://")[2])

    def test_a_server_without_tls_is_refused_where_it_is_demanded(self):
        self.server = self.serve()
        plain, self.server.scheme = self.server, "tls"
        host, _ = self.start_edge(*self.ca)
        self.assert_told_once(host, "TLS")
        self.assertEqual(plain.messages(), {}, "nothing is sent to it")


class DocumentedCluster(LoginCase):
    def setUp(self):
        super().setUp()
        self.certificate = Certificate(self.home)
        text = (SOURCE_DIR / "docs/hosts.md").read_text()
        config = re.search(r"^```text\n(server_name: n1\n.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
        config = re.sub(r"/etc/nats/\w+\.pem", str(self.certificate.path), config)
        config = config.replace("/etc/nats/n1.key", str(self.certificate.key)).replace("$2a$11$…", RIGHT)
        self.ports = free_ports(3)
        routes = free_ports(3)
        for n, port in enumerate(routes, 1):
            config = config.replace(f"nats://n{n}:6222", f"nats://127.0.0.1:{port}")
        for n, (port, route) in enumerate(zip(self.ports, routes), 1):
            self.start_server(f"n{n}", config.replace("0.0.0.0:4222", f"127.0.0.1:{port}")
                              .replace("0.0.0.0:6222", f"127.0.0.1:{route}"))

    def start_server(self, name, config):
        path = self.home / f"{name}.conf"
        path.write_text(config.replace("server_name: n1", f"server_name: {name}")
                        .replace("/var/lib/nats", str(self.home / f"store-{name}")))
        self.start(nats_server_program(), "-c", path)

    def test_a_pool_works_on_it(self):
        options = ("--engine-ca", self.certificate.path, "--engine-user", "reviews", "--engine-password-file", self.secret(RIGHT),
                   "--engine-replicas", 3)
        host = self.host("a", ",".join(f"tls://127.0.0.1:{port}" for port in self.ports), options=options)
        host.start()
        host.agent()
        self.assert_works(host, "t")
        result = self.run_program("troupe", "engine", "check", "--pool", host.name, "--engine", host.engine, *options,
                                  "--root", host.root, "--lease-secs", host.lease)
        self.assertIn("3 replicas", result.out)


class Permissions(LoginCase):
    def test_those_of_the_documentation_are_enough(self):
        text = (SOURCE_DIR / "docs/hosts.md").read_text()
        documented = re.search(r"^permissions (\{\n.*?^\})$", text, re.MULTILINE | re.DOTALL)[1]
        self.server = self.serve(config=users(documented))
        host, submitters = self.start_edge(*self.password(RIGHT))
        self.assert_served(host, submitters)
        self.assertEqual(host.complaints(), [])

    def test_a_missing_permission_is_told_and_works_when_it_was_given(self):
        self.server = self.serve(config=users(INBOX_ONLY))
        host, submitters = self.start_edge(*self.password(RIGHT))
        line = host.wait_complaint("permi", r"publish|subscribe|\$JS|troupe")
        let_pass(LONGER_THAN_A_LEASE)
        self.assertEqual(host.complaints().count(line), 1)
        self.assertLess(len(host.complaints()), 6, host.edge.err)
        self.assert_running(host.edge)
        self.server.reconfigure(users())
        self.assert_served(host, submitters)

    def test_an_account_without_jetstream_is_told(self):
        config = (f'accounts {{ a: {{ users: [ {{ user: {USER}, password: "{RIGHT}" }} ] }}, '
                  'b: { jetstream: enabled, users: [ { user: u, password: p } ] } }')
        self.server = self.serve(config=config)
        host, submitters = self.start_edge(*self.password(RIGHT))
        self.assert_told_once(host, "JetStream")
        self.server.config = config.replace("a: {", "a: { jetstream: enabled,")
        self.server.restart()
        self.assert_served(host, submitters)

    def test_a_server_without_jetstream_is_told(self):
        self.server = self.serve(has_jetstream=False)
        host, submitters = self.start_edge()
        self.assert_told_once(host, "JetStream")
        self.server.has_jetstream = True
        self.server.restart()
        self.assert_served(host, submitters)
