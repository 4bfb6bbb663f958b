"""`barnum serve` and those who are not its owner: other sites, strangers with guesses, hostile paths and clients."""

import concurrent.futures
import json
import select
import socket

from harness import wait_until
from harness.http import connect, read_all
from harness.http_attacks import HttpAttacks
from harness.runs import RunsCase
from harness.serve import Page

WITHOUT_TOKEN = ("/", "/app.js", "/app.css", "/icon.svg", "/healthz", "/readyz")
WITH_TOKEN = ("/api/session", "/api/runs", "/api/runs/ID", "/api/runs/ID/trace?from=0.0", "/api/runs/ID/tasks/0",
              "/api/runs/ID/tasks/0/output", "/api/runs/ID/tasks/0/why", "/api/runs/ID/search?text=a", "/api/questions",
              "/api/pools", "/api/events?runs=1", "/metrics")
CHANGES = ("pause", "continue", "cancel", "scale", "retry", "answer")


class ServeCase(RunsCase):
    def serve(self, *options, **how):
        self.page = Page(self, *options, **how)
        self.address, self.server = self.page.address, self.page.process
        self.host = "{}:{}".format(*self.address)

    def serve_a_run(self):
        self.run_process = self.start_waiting()
        self.run_id = self.only()["id"]
        self.serve()

    def assert_untouched(self):
        self.assert_running(self.run_process)
        (run,) = self.page.json("/api/runs")["runs"]
        self.assertEqual((run["id"], run["state"]), (self.run_id, "running"))


class Strangers(ServeCase):
    def test_without_the_token_nothing_is_shown(self):
        self.serve_a_run()
        for path in WITH_TOKEN:
            status, _, text = self.page.request(path.replace("ID", self.run_id))
            self.assertEqual(status, 401, path)
            self.assertNotIn(self.run_id, text)
        for path in WITHOUT_TOKEN:
            status, _, text = self.page.request(path)
            self.assertEqual(status, 200, path)
            self.assertNotIn(self.run_id, text)
            self.assertNotIn(self.page.token, text)

    def test_without_the_token_nothing_changes(self):
        self.serve_a_run()
        for verb in CHANGES:
            status, _, _ = self.page.request(f"/api/runs/{self.run_id}/{verb}", "POST", "{}", Content_Type="application/json")
            self.assertEqual(status, 401, verb)
        self.assert_untouched()

    def test_guesses_open_nothing(self):
        self.serve()
        token = self.page.token
        guesses = ("", token[:-1], token + "0", token.upper(), "0" * 64, "null", "' OR 1=1 --", "../token", "a" * 10_000, "%00")
        fields = [{"Authorization": f"Bearer {guess}"} for guess in guesses]
        fields += [{"Authorization": token}, {"Authorization": f"Basic {token}"}, {"Cookie": f"barnum-{self.address[1]}={token}"}]
        with concurrent.futures.ThreadPoolExecutor(len(fields)) as strangers:
            answers = strangers.map(lambda given: self.page.request("/api/session", **given), fields)
            self.assertEqual({status for status, _, _ in answers}, {401})

    def test_the_owner_does_not_wait_for_those_who_guess(self):
        self.serve()
        wait_until(self.owner_is_first, "the owner to be answered before those who have guessed before")

    def owner_is_first(self):
        """Guesses are answered after a second, which is over on a slow machine before the owner's login."""
        body = json.dumps({"token": "0" * 64})
        guess = f"POST /api/login HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        guesses = [connect(self.address) for _ in range(40)]
        for connection in guesses:
            connection.sendall(guess.encode())
        self.page.login()
        answered, _, _ = select.select(guesses, [], [], 0)
        for connection in guesses:
            self.assertTrue(read_all(connection).startswith(b"HTTP/1.0 401 "))
            connection.close()
        return not answered

    def test_what_a_login_body_may_contain(self):
        self.serve()
        for body in ("", "{}", "[]", '{"token": 1}', '{"token": null}', '{"token": {"$ne": 1}}', '{"token"', "\0", "[" * 10_000):
            status, fields, _ = self.page.request("/api/login", "POST", body, Content_Type="application/json")
            self.assertIn(status, (400, 401), body[:20])
            self.assertIsNone(fields["Set-Cookie"])


class OtherSites(ServeCase):
    """The browser of the owner sends the cookie, and a page of somebody else makes it send requests."""

    def setUp(self):
        super().setUp()
        self.serve_a_run()
        self.cookie = self.page.login()

    def test_a_name_that_resolves_to_this_machine_is_refused(self):
        for host in ("evil.example", f"evil.example:{self.address[1]}", "localhost.evil.example", "127.0.0.1.evil.example"):
            for path in (*WITHOUT_TOKEN, *WITH_TOKEN):
                status, _, text = self.page.request(path.replace("ID", self.run_id), Host=host, **self.cookie)
                self.assertEqual(status, 403, (host, path))
                self.assertNotIn(self.run_id, text)
        self.assertEqual(self.page.request("/api/runs", Host=f"localhost:{self.address[1]}", **self.cookie)[0], 200)

    def test_a_page_of_another_site_or_port_can_do_nothing(self):
        hostile = [{"Origin": origin} for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"http://localhost:{self.address[1]}")]
        hostile += [{"Sec-Fetch-Site": relation} for relation in ("cross-site", "same-site")]
        for fields in hostile:
            for verb in CHANGES:
                status, _, _ = self.page.request(f"/api/runs/{self.run_id}/{verb}", "POST", "{}", Content_Type="application/json",
                                                 **self.cookie, **fields)
                self.assertEqual(status, 403, (fields, verb))
            self.assertEqual(self.page.request("/api/runs", **self.cookie, **fields)[0], 403, fields)
        self.assert_untouched()

    def test_a_form_can_do_nothing(self):
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
            status, _, _ = self.page.request(f"/api/runs/{self.run_id}/cancel", "POST", '{"now":true}', Content_Type=kind, **self.cookie)
            self.assertEqual(status, 415, kind)
        status, _, _ = self.page.request(f"/api/runs/{self.run_id}/cancel", "POST", '{"now":true}', **self.cookie)
        self.assertEqual(status, 415)
        self.assertEqual(self.page.request(f"/api/runs/{self.run_id}/cancel", **self.cookie)[0], 405)
        self.assert_untouched()

    def test_its_own_page_can(self):
        status, _, text = self.page.request(f"/api/runs/{self.run_id}/pause", "POST", "{}", Content_Type="application/json", **self.cookie,
                                            Origin=f"http://{self.host}", Sec_Fetch_Site="same-origin")
        self.assertEqual(status, 200, text)

    def test_every_answer_forbids_what_pages_do_not_need(self):
        answers = {path: self.page.request(path.replace("ID", self.run_id), **self.cookie)[1]
                   for path in (*WITHOUT_TOKEN, *WITH_TOKEN, "/nothing") if "events" not in path and "output" not in path}
        answers["without a token"] = self.page.request("/api/runs")[1]
        answers["of another site"] = self.page.request("/api/runs", Host="evil.example")[1]
        answers["with another method"] = self.page.request("/api/runs", "DELETE", **self.cookie)[1]
        with self.page.events("runs=1") as events:
            answers["a stream"] = events.response.headers
        for what, fields in answers.items():
            policy = fields["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy, what)
            self.assertIn("frame-ancestors 'none'", policy, what)
            self.assertNotIn("unsafe", policy, what)
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff", what)
            self.assertEqual(fields["Referrer-Policy"], "no-referrer", what)
            self.assertEqual(fields["Cross-Origin-Resource-Policy"], "same-origin", what)
            self.assertIsNone(fields["Access-Control-Allow-Origin"], what)


class Paths(ServeCase):
    def test_no_path_leads_to_a_file(self):
        self.serve_a_run()
        secret = self.home / ".local/state/barnum/secret"
        secret.mkdir()
        (secret / "run.json").write_text(json.dumps({"id": "secret"}))
        paths = ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/etc/passwd", "/app.js/../../etc/passwd",
                 "/./app.js", "/app.js%00", "/..%2f..%2fetc%2fpasswd", "/page/index.html", "/%5c..%5c..", "http://127.0.0.1/etc/passwd",
                 "etc/passwd", "*", "/app.js/", "/api/runs/", "/api//runs", "/api/runs/ID/tasks/-1", "/api/runs/ID/tasks/0x0",
                 "/api/runs/ID/tasks/4294967296", "/api/runs/ID/tasks/0/output/", "/api/runs/ID/../ID"]
        paths += [f"/api/runs/{run}{rest}" for rest in ("", "/trace", "/tasks/0", "/tasks/0/output", "/search?text=a")
                  for run in ("..", "../secret", "..%2fsecret", "%2e%2e/secret", ".", "%2e%2e%2fserve", "secret", "ID%00", "ID%2f..",
                              "a" * 5000, "%ff", "-", "--help")]
        for path in paths:
            status, _, text = self.page.get(path.replace("ID", self.run_id))
            self.assertIn(status, (400, 404), path[:60])
            self.assertNotIn("root:", text)
            self.assertNotIn(self.page.token, text)
        self.assert_untouched()

    def test_methods_that_are_not_expected(self):
        self.serve_a_run()
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "FROB"):
            for path in ("/", "/api/runs", f"/api/runs/{self.run_id}/cancel"):
                status, _, text = self.page.request(path, method, **self.page.bearer)
                self.assertIn(status, (400, 403, 404, 405, 415), (method, path))
                self.assertNotIn(self.page.token, text)
        self.assert_untouched()


NOT_AN_OBJECT = ("\0", "{", "[]", "null", '"x"', "[" * 100_000, '{"a":' * 1000, "{}}", "\ufeff{}")
HOSTILE = {
    "cancel": ({"now": "yes"}, {"now": 1}, {"now": None}),
    "scale": ({}, {"jobs": -1}, {"jobs": 1e99}, {"jobs": 10 ** 30}, {"jobs": 1.5}, {"jobs": "1; touch x"}, {"agents": "$(touch x)"},
              {"agents": 1, "agent_kind": "--help"}, {"agents": 1, "agent_kind": "$(touch x)"}),
    "retry": ({"tasks": [-1]}, {"tasks": [2 ** 32]}, {"tasks": ["0"]}, {"tasks": "0"}, {"tasks": [10 ** 30]}, {"step": 1}, {"step": "--all"},
              {"step": "../x"}, {"step": "\0"}),
    "answer": ({}, {"task": 0, "response": "[]"}, {"task": -1, "response": "[]"}, {"task": 99, "response": "[]"}, {"task": 0, "response": []},
               {"task": 0, "reject": 1}, {"task": 0, "reject": ""}, {"task": "0", "response": "[]"}),
}


class Bodies(ServeCase):
    def test_hostile_bodies_change_nothing(self):
        self.serve_a_run()
        fields = {"Content-Type": "application/json", **self.page.bearer}
        for verb, objects in HOSTILE.items():
            for body in (*NOT_AN_OBJECT, *map(json.dumps, objects)):
                status, _, text = self.page.request(f"/api/runs/{self.run_id}/{verb}", "POST", body.encode(), **fields)
                self.assertIn(status, range(400, 500), (verb, body[:40], text))
                self.assertTrue(json.loads(text)["error"], (verb, body[:40]))
        self.assert_untouched()
        self.assertFalse((self.work / "x").exists())


class Token(ServeCase):
    def test_it_is_for_its_owner_only_and_stays_the_same(self):
        self.serve()
        path = self.home / ".local/state/barnum/serve/token"
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(path.read_text().strip(), self.page.token)
        first = self.page
        cookie = first.login()
        self.assertNotIn(first.token, cookie["Cookie"])
        first.process.terminate()
        self.assert_exit(first.process.result(), 0)
        self.serve(listen=self.host)
        self.assertEqual(self.page.token, first.token)
        self.assertEqual(self.page.request("/api/session", **cookie)[0], 200, "a page stays logged in over a restart")

    def test_a_new_token_ends_all_logins(self):
        self.serve()
        cookie = self.page.login()
        old = self.page
        old.process.terminate()
        old.process.result()
        (self.home / ".local/state/barnum/serve/token").unlink()
        self.serve(listen=self.host)
        self.assertNotEqual(self.page.token, old.token)
        self.assertEqual(self.page.request("/api/session", **cookie)[0], 401)
        self.assertEqual(self.page.request("/api/session", **old.bearer)[0], 401)

    def test_one_that_others_can_read_is_refused(self):
        self.serve()
        (self.home / ".local/state/barnum/serve/token").chmod(0o644)
        result = self.run_program("barnum", "serve", "--listen", "127.0.0.1:0")
        self.assertNotEqual(result.code, 0)
        self.assertIn("can be read by other users", result.err)
        self.assertEqual(result.out, "")

    def test_it_is_in_no_log(self):
        self.serve("--log-level", "trace")
        self.page.login()
        self.page.get("/api/session")
        self.assertNotIn(self.page.token, self.page.process.err)

    def test_other_machines_need_tls_or_the_users_word(self):
        result = self.run_program("barnum", "serve", "--listen", "0.0.0.0:0")
        self.assert_exit(result, 2)
        self.assertIn("without TLS everybody on the network between can read the token", result.err)
        self.assertEqual(result.out, "")
        self.serve("--insecure", listen="0.0.0.0:0")
        self.assertIn("there is no TLS (--insecure)", self.page.process.err)


class Attacked(HttpAttacks, ServeCase):
    path = "/app.js"
    crowd = 600

    def setUp(self):
        super().setUp()
        self.serve()
        self.page.json("/api/session")

    def assert_it_works(self):
        self.assertIn("version", self.page.json("/api/session"))

    def test_a_crowd_ends_no_stream_of_the_page(self):
        with self.page.events("runs=1") as events:
            events.next("runs")
            self.connect_a_crowd()
            run = self.start_waiting()
            wait_until(lambda: events.next("runs")[1]["changed"], "the page to hear of the run")
            self.assert_running(run)

    def test_a_stream_that_is_never_read_costs_others_nothing(self):
        for _ in range(50):
            connection = self.connect()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(f"GET /api/events?runs=1&pools=1 HTTP/1.1\r\nAuthorization: Bearer {self.page.token}\r\n\r\n".encode())
        with self.page.events("runs=1") as events:
            events.next("runs")
            self.start_waiting()
            wait_until(lambda: events.next("runs")[1]["changed"], "the page to hear of the run")

    def test_the_servers_end_ends_streams(self):
        with self.page.events("runs=1") as events:
            events.next("runs")
            self.page.process.terminate()
            self.assert_exit(self.page.process.result(), 0)
            self.assertIsNone(events.next("runs"))
