"""`barnum serve` over TLS, with real clients, and with those that are none."""

import shutil
import socket
import ssl
import subprocess

from harness import require
from harness.certificates import Certificate
from harness.http import connect, read_all, request
from harness.runs import RunsCase
from harness.serve import Page


class Tls(RunsCase):
    def setUp(self):
        super().setUp()
        self.certificate = Certificate(self.home, names=["box.example"])

    def serve(self, *options, certificate=None, **how):
        self.page = Page(self, *options, certificate=certificate or self.certificate, **how)
        self.address = self.page.address

    def assert_refused(self, *expected, options=None):
        result = self.run_program("barnum", "serve", "--listen", "127.0.0.1:0", *(options or self.certificate.options))
        self.assert_exit(result, 2)
        for text in expected:
            self.assertIn(text, result.err)
        self.assertEqual(result.out, "")


class Clients(Tls):
    def test_the_page_its_requests_and_its_streams(self):
        self.serve()
        self.assertEqual(self.page.scheme, "https")
        self.assertIn("version", self.page.json("/api/session"))
        self.assertEqual(self.page.request("/api/session")[0], 401)
        with self.page.events("runs=1") as events:
            self.assertEqual(events.next("runs")[1]["changed"], [])
            self.start_waiting()
            self.assertEqual(len(events.next("runs")[1]["changed"]), 1)

    def test_the_cookie_is_only_for_tls(self):
        self.serve()
        body = '{"token": "%s"}' % self.page.token
        _, fields, _ = self.page.request("/api/login", "POST", body, Content_Type="application/json")
        self.assertIn("; Secure", fields["Set-Cookie"])
        self.assertIn("; HttpOnly; SameSite=Strict", fields["Set-Cookie"])

    def test_curl(self):
        require(shutil.which("curl"), "curl is missing: scripts/install-deps --tests")
        self.serve()
        for version in ("--tlsv1.2", "--tlsv1.3"):
            done = subprocess.run(["curl", "-sS", "--compressed", version, "--tls-max", version[-3:], "--cacert", self.certificate.path, "-H",
                                   f"Authorization: Bearer {self.page.token}", "https://localhost:%d/api/session" % self.address[1],
                                   "https://localhost:%d/app.js" % self.address[1]], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"version"', done.stdout)
            self.assertTrue(done.stdout.endswith(self.page.request("/app.js")[2]))

    def test_a_client_that_does_not_trust_the_certificate(self):
        self.serve()
        with self.assertRaises(ssl.SSLCertVerificationError):
            request(self.address, "/healthz", tls=ssl.create_default_context())
        self.assertEqual(self.page.request("/healthz")[0], 200)

    def test_a_name_in_the_certificate_is_one_of_the_server(self):
        self.serve()
        self.assertEqual(self.page.request("/healthz", Host="box.example")[0], 200)
        self.assertEqual(self.page.request("/healthz", Host="evil.example")[0], 403)

    def test_its_end_ends_a_stream(self):
        self.serve()
        with self.page.events("runs=1") as events:
            events.next("runs")
            self.page.process.terminate()
            self.assert_exit(self.page.process.result(), 0)
            self.assertIsNone(events.next("runs"))


class NoClients(Tls):
    def setUp(self):
        super().setUp()
        self.serve()

    def test_http_without_tls_gets_a_hint_and_nothing_else(self):
        status, _, text = request(self.address, "/api/session", **self.page.bearer)
        self.assertEqual((status, text), (400, "This port speaks TLS: request it with https://.\n"))

    def test_tls_at_a_port_without(self):
        plain = Page(self)
        with self.assertRaises(ssl.SSLError):
            request(plain.address, "/healthz", tls=self.certificate.client)
        self.assertEqual(plain.request("/healthz")[0], 200)

    def test_a_handshake_that_stalls_stops_nobody_and_ends(self):
        begins = (b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x16\x03\x01\xff\xff" + b"\0" * 60_000)
        stalled = [connect(self.address) for _ in range(40)]
        for i, connection in enumerate(stalled):
            connection.sendall(begins[i % len(begins)])
        self.assertEqual(self.page.request("/healthz")[0], 200)
        for connection in stalled:
            read_all(connection)
            connection.close()

    def test_a_connection_that_is_cut_in_the_midst(self):
        for _ in range(20):
            client = self.certificate.client.wrap_socket(socket.create_connection(self.address), server_hostname="localhost")
            client.sendall(b"GET /app.js HTTP/1.1\r\nHost: loc")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            client.close()
        self.assertEqual(self.page.request("/healthz")[0], 200)


class Files(Tls):
    def test_one_that_is_missing_or_none_is_named(self):
        self.certificate.key.unlink()
        self.assert_refused(f"cannot read the private key {self.certificate.key}: No such file or directory")
        self.certificate.path.write_text("no certificate")
        self.assert_refused(f"cannot use the certificate {self.certificate.path}", "must be a PEM file")

    def test_one_without_the_other(self):
        self.assert_refused("--tls-cert and --tls-key belong together", options=self.certificate.options[:2])
        self.assert_refused("--tls-cert and --tls-key belong together", options=self.certificate.options[2:])

    def test_a_key_of_another_certificate(self):
        self.certificate.key = Certificate(self.home, "other").key
        self.assert_refused(f"the private key {self.certificate.key} does not belong to the certificate {self.certificate.path}")

    def test_a_key_that_everybody_can_read(self):
        self.certificate.key.chmod(0o644)
        self.assert_refused(f"the private key {self.certificate.key} can be read by every user", "chmod o=")

    def test_a_certificate_that_has_expired_is_warned_of(self):
        self.serve(certificate=Certificate(self.home, "old", days=-1))
        self.assertIn("clients will refuse it", self.page.process.err)
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.page.request("/healthz")
