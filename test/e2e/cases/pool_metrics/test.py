"""`troupe start --metrics`: what the metrics say of a situation that is known, a real Prometheus that scrapes them, and
clients that want to harm the pool."""

import json
import re
import socket

from harness import Case, HandAgent, Pool, wait_until
from harness.http import address_in_log, connect, read_all, request
from harness.http_attacks import HttpAttacks
from harness.pool import inline
from harness.prometheus import MONITORING, Prometheus, promtool

SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")


class Metrics(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def serve(self, *options):
        self.daemon = self.pool.start("--no-heartbeat", "--metrics", "127.0.0.1:0", *options)
        self.address = address_in_log(self.daemon, "metrics are served at")

    def metrics(self):
        """{name: {labels: value}}"""
        status, _, text = request(self.address, "/metrics")
        self.assertEqual(status, 200)
        samples = {}
        for line in text.splitlines():
            if not line.startswith("#"):
                name, labels, value = SAMPLE.match(line).groups()
                samples.setdefault(name, {})[labels or ""] = float(value)
        return samples

    def value(self, name, **labels):
        wanted = ",".join(f'{k}="{v}"' for k, v in {"pool": "default", **labels}.items())
        return self.metrics()[name][wanted]

    def process_a_task(self):
        agent = HandAgent(self.pool, json.dumps({"name": "a"}))
        client = self.pool.submit({"do": "it"})
        agent.content()
        agent.respond("[]")
        self.assert_exit(client.result(), 0)


class Situation(Metrics):
    def test_counts_queue_and_agents_are_those_of_the_pool(self):
        self.serve()
        self.process_a_task()
        with self.pool.connect() as client:
            client.send(inline({"do": "one"}))
            client.send(inline({"do": "two"}))
            client.send({"kind": "Nothing"})
            wait_until(lambda: self.value("troupe_queue_depth") == 2, "two tasks to wait")
            wait_until(lambda: self.value("troupe_queue_oldest_age_seconds") > 0, "the first task to have waited")
            self.assertEqual(self.value("troupe_tasks_total", outcome="processed"), 1)
            self.assertEqual(self.value("troupe_tasks_total", outcome="invalid"), 1)
            self.assertEqual(self.value("troupe_tasks_submitted_total"), 3)
            self.assertEqual(self.value("troupe_task_duration_seconds_count"), 1)
            self.assertEqual(self.value("troupe_task_duration_seconds_bucket", le="+Inf"), 1)
            self.assertEqual(self.value("troupe_agents", state="busy"), 0)
            HandAgent(self.pool, json.dumps({"name": "b"}))
            wait_until(lambda: self.value("troupe_agents", state="busy") == 1, "an agent to have a task")
            self.assertEqual(self.value("troupe_queue_depth"), 1)
        wait_until(lambda: self.value("troupe_tasks_total", outcome="withdrawn") == 2, "both tasks to be withdrawn")
        self.assertEqual(self.value("troupe_queue_oldest_age_seconds"), 0)

    def test_it_is_healthy_and_ready_until_it_drains(self):
        self.serve()
        self.assertEqual(request(self.address, "/healthz")[::2], (200, "ok\n"))
        self.assertEqual(request(self.address, "/readyz")[::2], (200, "ok\n"))
        agent = HandAgent(self.pool, json.dumps({"name": "a"}))
        with self.pool.connect() as client:
            client.send(inline({"do": "work"}))
            agent.content()
            draining = self.pool.command("stop", "--drain")
            wait_until(lambda: request(self.address, "/readyz")[0] == 503, "the daemon to drain")
            self.assertEqual(request(self.address, "/readyz")[2], "draining\n")
            self.assertEqual(request(self.address, "/healthz")[0], 200)
            self.assertEqual(self.value("troupe_draining"), 1)
            agent.respond("[]")
            self.assert_exit(draining.result(), 0)
        self.assert_exit(self.daemon.result(), 0)

    def test_requests_for_anything_else_are_refused(self):
        self.serve()
        for path in ("/", "/metrics/", "/../../etc/passwd", "/%2e%2e/status", "/metrics%00", "//metrics"):
            self.assertEqual(request(self.address, path)[0], 404, path)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "FROB"):
            status, fields, _ = request(self.address, "/metrics", method)
            self.assertEqual((status, fields["Allow"]), (405, "GET, HEAD"), method)
        self.assertEqual(request(self.address, "/metrics", "HEAD")[::2], (200, ""))
        self.assertEqual(request(self.address, "/metrics?x=1")[0], 200)

    def test_a_name_that_resolves_to_this_machine_is_refused(self):
        self.serve()
        for host in ("evil.example", f"evil.example:{self.address[1]}", "localhost.evil.example"):
            status, _, text = request(self.address, "/metrics", Host=host)
            self.assertEqual(status, 403, host)
            self.assertNotIn("troupe_", text)
        self.assertEqual(request(self.address, "/metrics", Host=f"localhost:{self.address[1]}")[0], 200)

    def test_a_port_in_use_starts_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            result = self.run_program("troupe", "start", "--metrics", f"127.0.0.1:{port}")
        self.assert_exit(result, 1)
        self.assertIn(f"troupe: --metrics: cannot listen on 127.0.0.1:{port}: Address already in use", result.err)
        self.assertFalse(self.pool.path.exists())

    def test_the_port_is_free_again_after_the_daemons_end(self):
        self.serve()
        kept_open = connect(self.address)
        self.assert_exit(self.pool.stop(), 0)
        self.assert_exit(self.daemon.result(), 0)
        self.assertEqual(read_all(kept_open), b"")
        kept_open.close()
        self.pool.start("--metrics", "{}:{}".format(*self.address))


class Scraped(Metrics):
    def test_promtool_finds_nothing_wrong(self):
        self.serve()
        self.process_a_task()
        self.assertEqual(promtool(self, "check", "metrics", stdin=request(self.address, "/metrics")[2]), "")
        promtool(self, "check", "rules", str(MONITORING / "alerts.yml"))

    def test_the_alerts_go_off_when_they_should(self):
        promtool(self, "test", "rules", str(self.fixtures / "alerts_test.yml"))

    def test_the_dashboard_and_the_alerts_name_metrics_that_exist(self):
        self.serve()
        self.process_a_task()
        known = set(self.metrics()) | {"troupe_agents_parked", "troupe_engine_connected"}  # which this pool has not
        dashboard = json.loads((MONITORING / "grafana-dashboard.json").read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        self.assertGreater(len(expressions), 8)
        for text in [*expressions, (MONITORING / "alerts.yml").read_text()]:
            self.assertEqual(set(re.findall(r"\btroupe_\w+", text)) - known, set())

    def test_prometheus_scrapes_it(self):
        self.serve()
        self.process_a_task()
        prometheus = Prometheus(self, self.address)
        processed = 'troupe_tasks_total{outcome="processed"}'
        wait_until(lambda: prometheus.values("up") == [1], "Prometheus to have scraped the daemon")
        wait_until(lambda: prometheus.values(processed) == [1], "the first scrape to be there")
        self.assertEqual(len(prometheus.values("histogram_quantile(0.5,troupe_task_duration_seconds_bucket)")), 1)
        self.process_a_task()
        wait_until(lambda: prometheus.values(processed) == [2], "the next scrape")


class Attacked(HttpAttacks, Metrics):
    """Whatever comes over HTTP, tasks are processed and the metrics can be read."""

    path = "/metrics"

    def setUp(self):
        super().setUp()
        self.serve()
        self.server = self.daemon

    def assert_it_works(self):
        self.process_a_task()
        self.assertEqual(request(self.address, "/healthz")[0], 200)
