"""The metrics and the pools of `barnum serve`, and a real Prometheus that scrapes them with the token."""

import json
import re
import time

from harness import HandAgent, Pool, wait_until
from harness.fake_daemon import NO_ANSWER, FakeDaemon
from harness.prometheus import Prometheus, promtool
from harness.runs import QUICK, RunsCase
from harness.serve import Page
from harness.workflow import KEEP, emit, step

SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")
FAILING = [step("First", emit(("Next", 1), ("Bad", 2)), ["Next", "Bad"]), step("Next", KEEP),
           step("Bad", "exit 3", options={"max_retries": 1})]


class MetricsCase(RunsCase):
    def setUp(self):
        super().setUp()
        self.page = Page(self)

    def text(self, **fields):
        status, _, text = self.page.get("/metrics", **fields)
        self.assertEqual(status, 200)
        return text

    def metrics(self):
        """{name: {labels: value}}"""
        samples = {}
        for line in self.text().splitlines():
            if not line.startswith("#"):
                name, labels, value = SAMPLE.match(line).groups()
                samples.setdefault(name, {})[labels or ""] = float(value)
        return samples

    def attempts(self):
        """{(step, outcome): how many}, without zeros"""
        labels = re.compile(r'step="(.*)",outcome="(.*)"')
        return {labels.fullmatch(key).groups(): value for key, value in self.metrics().get("barnum_task_attempts_total", {}).items() if value}


class Counters(MetricsCase):
    def test_attempts_are_counted_by_step_and_outcome(self):
        self.assertEqual(self.attempts(), {})
        self.run_workflow(FAILING)
        expected = {("First", "succeeded"): 1, ("Next", "succeeded"): 1, ("Bad", "retried"): 1, ("Bad", "dropped"): 1}
        self.assertEqual(self.attempts(), expected)
        self.run_workflow(FAILING)
        self.assertEqual(self.attempts(), {key: 2 * value for key, value in expected.items()})

    def test_what_was_before_the_server_does_not_count(self):
        self.run_workflow(QUICK)
        self.page = Page(self)
        self.assertEqual(self.attempts(), {})
        self.assertEqual(self.metrics()["barnum_runs"]['state="finished"'], 1)

    def test_they_stay_when_runs_are_removed(self):
        self.run_workflow(QUICK)
        self.assertEqual(self.attempts(), {("Quick", "succeeded"): 1})
        self.barnum("rm", "last")
        self.assertEqual(self.attempts(), {("Quick", "succeeded"): 1})
        self.assertEqual(sum(self.metrics()["barnum_runs"].values()), 0)

    def test_a_resumed_run_counts_what_is_new(self):
        process = self.start_run([step("First", emit(("Wait", 1)), ["Wait"]),
                                  step("Wait", "touch started; await go; echo '[]'")])
        wait_until((self.work / "started").exists, "the second task")
        self.assertEqual(self.attempts(), {("First", "succeeded"): 1})
        process.terminate()
        process.result()
        (self.work / "go").touch()
        self.barnum("resume", "last")
        self.assertEqual(self.attempts(), {("First", "succeeded"): 1, ("Wait", "succeeded"): 1})

    def test_a_living_run(self):
        process = self.start_waiting()
        metrics = self.metrics()
        self.assertEqual(metrics["barnum_runs"]['state="running"'], 1)
        self.assertEqual(metrics["barnum_tasks_left"][""], 1)
        self.assertEqual(metrics["barnum_task_attempts_total"]['step="Wait",outcome="succeeded"'], 0, "so that Prometheus sees the increase")
        (self.work / "go").touch()
        self.assert_run(process.result())
        self.assertEqual(self.metrics()["barnum_tasks_left"][""], 0)

    def test_what_agents_have_used(self):
        agent = self.work / "agent.sh"
        agent.write_text("echo '[]'")
        self.run_workflow([step("Ask", {"kind": "Pool", "instructions": "x"})], "--agents", "1", "--agent-exec", f"sh {agent}")
        metrics = self.metrics()
        self.assertEqual(metrics["barnum_cost_usd_total"], {"": 0})
        self.assertEqual(self.attempts(), {("Ask", "succeeded"): 1})

    def test_the_names_of_steps_are_labels_whatever_they_are(self):
        name = 'a "b" \\ {c="d"}'
        self.run_workflow([step(name, "echo '[]'")])
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        self.assertIn(f'barnum_task_attempts_total{{step="{escaped}",outcome="succeeded"}} 1\n', self.text())


class Pools(MetricsCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def pools(self):
        return self.page.json("/api/pools")["pools"]

    def test_those_that_are_served_and_others(self):
        self.assertEqual(self.pools(), [])
        daemon = self.pool.start("--no-heartbeat")
        HandAgent(self.pool, json.dumps({"name": "a"}))
        (status,) = self.pools()
        self.assertEqual((status["pool"], len(status["agents"])), ("default", 1))
        self.assertEqual(self.metrics()["troupe_agents"]['pool="default",state="idle"'], 1)
        daemon.kill()
        daemon.result()
        (status,) = self.pools()
        self.assertEqual(list(status), ["pool", "error"])
        self.assertFalse([name for name in self.metrics() if name == "troupe_agents"])

    def test_pools_are_asked_at_the_same_time(self):
        silent = [f"p{i}" for i in range(10, 40)]
        for name in silent:
            FakeDaemon(self, self.root / "pools" / name, lambda request: NO_ANSWER)
        begun = time.monotonic()
        pools = self.pools()
        self.assertLess(time.monotonic() - begun, 2 * len(silent), "each has 2 s")
        self.assertEqual([pool["pool"] for pool in pools], silent)
        for pool in pools:
            self.assertIn("has not answered within 2 s", pool["error"])

    def test_changes_are_told(self):
        with self.page.events("pools=1") as events:
            self.assertEqual(events.next("pools")[1], {"pools": []})
            self.pool.start("--no-heartbeat")
            while not (pools := events.next("pools")[1]["pools"]) or "error" in pools[0]:
                pass
            HandAgent(self.pool, json.dumps({"name": "a"}))
            while not events.next("pools")[1]["pools"][0]["agents"]:
                pass


class Scraped(MetricsCase):
    def test_promtool_finds_nothing_wrong(self):
        self.assertEqual(promtool(self, "check", "metrics", stdin=self.text()), "")
        self.run_workflow(FAILING)
        Pool(self).start("--no-heartbeat")
        self.assertEqual(promtool(self, "check", "metrics", stdin=self.text()), "")

    def test_openmetrics_is_sent_to_who_wants_it(self):
        status, fields, text = self.page.get("/metrics", Accept="application/openmetrics-text; version=1.0.0")
        self.assertEqual((status, text.endswith("# EOF\n")), (200, True))
        self.assertIn("application/openmetrics-text", fields["Content-Type"])

    def test_prometheus_scrapes_it_with_the_token(self):
        self.run_workflow(FAILING)
        token = self.home / ".local/state/barnum/serve/token"
        prometheus = Prometheus(self, self.page.address, authorization={"credentials_file": str(token)})
        wait_until(lambda: prometheus.values("up") == [1], "Prometheus to have scraped the server")
        wait_until(lambda: prometheus.values("sum(barnum_task_attempts_total)") == [4], "the first scrape to be there")
        self.assertEqual(prometheus.values('barnum_runs{state="failed"}'), [1])
        self.run_workflow(QUICK)
        wait_until(lambda: prometheus.values("sum(barnum_task_attempts_total)") == [5], "the next scrape")

    def test_it_is_healthy_and_ready_for_everyone(self):
        for path in ("/healthz", "/readyz"):
            self.assertEqual(self.page.request(path)[::2], (200, "ok\n"))
        self.assertEqual(self.page.request("/metrics")[0], 401)
