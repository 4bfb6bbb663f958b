"""The page of a pool over several hosts: what it says of the engine and of each host, seen from one of them."""

import re
import time

from harness import wait_until
from harness.browser import javascript
from harness.engine_case import EngineCase
from harness.page import PHONE, TABLE, WIDE, PageCase
from harness.pool import Pool, inline
from harness.serve import Page as Programs

WRONG = {"again": "redelivered", "hosts lost": "owners_lost", "taken back": "leases_lost", "late answers": "late_answers"}
EVERYONE = "troupectl.reviews.all"  # the subject on which hosts are asked


class HostsCase(PageCase, EngineCase):
    """Hosts a and b, two agents on b, and the page on a."""

    def setUp(self):
        super().setUp()
        self.nats = EngineCase.serve(self)
        self.a, self.b = self.start_hosts(self.nats, "a", "b")
        self.b.agent(count=2)
        self.ids = {host.host: host.status()["engine"]["edge"] for host in (self.a, self.b)}
        self.server = self.serve("--root", self.a.root)

    def pools(self, **options):
        page = self.open(self.server, "#/pools", **options)
        page.get_by_role("table", name="Hosts").wait_for()
        wait_until(lambda: len(self.host_rows(page)) == 2, "both hosts")
        return page

    def pool(self, page):
        return page.get_by_role("region", name="pool reviews")

    def host_rows(self, page):
        """{"a": {column: text}}"""
        rows = page.get_by_role("table", name="Hosts").evaluate(javascript(TABLE))
        names = {id_: name for name, id_ in self.ids.items()}
        return {names[row["host"].removesuffix(" this host")]: row for row in rows}

    def wait_for_host(self, page, name, **wanted):
        self.wait_for_value(lambda: {key: self.host_rows(page).get(name, {}).get(key) for key in wanted}, wanted)

    def wait_for_connection(self, page, name, pattern):
        wait_until(lambda: re.search(pattern, self.host_rows(page)[name]["connected"]), f"{name} to be {pattern}")

    def give_work(self, id_):
        """A task of host a that an agent of b has, and the connection of its submitter."""
        client = self.a.socket_submission(inline(self.waiting_task(id_), id_) | {"wants_failures": True})
        self.addCleanup(client.close)
        self.wait_begun(id_)
        return client


class Hosts(HostsCase):
    def test_the_connection_and_what_each_host_has_are_shown(self):
        page = self.pools()
        self.pool(page).wait_for_text(rf"{re.escape(self.nats.address)}.*connected since \d.*{self.ids['a']}.*lag\n[<\d]")
        self.wait_for_host(page, "a", busy="0", idle="0", tasks="0", submissions="0")
        self.wait_for_host(page, "b", busy="0", idle="2", tasks="0", submissions="0")
        page.get_by_text("2 hosts: 0 agents busy, 2 idle; 0 tasks of 0 submissions").wait_for()
        self.assertIn("this host", self.host_rows(page)["a"]["host"])
        self.assertNotIn("this host", self.host_rows(page)["b"]["host"])
        client = self.give_work("shown")
        self.wait_for_host(page, "a", busy="0", tasks="0", submissions="1")
        self.wait_for_host(page, "b", busy="1", idle="1", tasks="1", submissions="0")
        page.get_by_text("2 hosts: 1 agent busy, 1 idle; 1 task of 1 submission").wait_for()
        for row in self.host_rows(page).values():
            self.assertRegex(row["lag"], r"^(<0\.01|\d+(\.\d+)?) (ms|s)$")
            self.assertRegex(row["connected"], r"^\d")
        self.flag().touch()
        client.receive()
        self.wait_for_host(page, "b", busy="0", idle="2", tasks="0")

    def test_a_lost_connection_is_told_and_the_other_hosts_are_unknown(self):
        page = self.pools()
        client = self.give_work("kept")
        self.wait_for_host(page, "b", busy="1")
        self.nats.kill()
        self.pool(page).wait_for_text(r"lost since \d.*No connection with the engine: .+\. Agents go on with their tasks")
        self.wait_for_connection(page, "a", "^lost")
        self.wait_for_connection(page, "b", "^unknown")
        self.wait_for_host(page, "b", busy="1", tasks="1")
        self.flag().touch()
        self.nats.start()
        self.pool(page).wait_for_text(r"connected since \d")
        page.get_by_text("No connection with the engine").wait_for(state="hidden")
        client.receive()
        self.wait_for_host(page, "b", busy="0", idle="2", tasks="0")
        self.wait_for_connection(page, "b", r"^\d")

    def test_a_host_that_falls_silent_stays_and_what_went_wrong_is_counted(self):
        page = self.pools()
        client = self.give_work("late")
        self.a.agent()  # a finds that the lease of b is over
        self.b.suspend_edge()
        self.wait_for_connection(page, "b", "^silent")
        self.assertEqual(client.receive()["reason"], "agent_lost")
        counts = wait_until(lambda: self.counts(self.a), "a to have counted it")
        self.wait_for_host(page, "a", **{title: str(counts[key]) for title, key in WRONG.items()})
        self.flag().touch()
        wait_until(lambda: not self.executions.running(), "the agent to be done")
        self.b.resume_edge()
        self.wait_for_connection(page, "b", r"^\d")

    def counts(self, host):
        """What a host tells of itself, once it has found another one to be lost."""
        counts = host.status()["engine"]["counts"]
        return counts if counts["owners_lost"] else None

    def test_a_pool_with_one_host_looks_as_ever(self):
        Pool(self, "local", root=self.a.root).start()
        page = self.pools()
        local = page.get_by_role("region", name="pool local")
        local.wait_for_text("in the queue")
        for text in ("engine", "connection", "this host"):
            self.assertEqual(local.get_by_text(text, exact=True).count(), 0)
        self.assertEqual(self.pool(page).get_by_text("this host", exact=True).count(), 2)
        page.get_by_role("table", name="Hosts").wait_for_count(1)


class Costs(HostsCase):
    def asked(self):
        """How often the hosts were asked so far."""
        return self.nats.heard(EVERYONE)

    def test_the_page_asks_the_other_hosts_every_five_seconds_however_many_look(self):
        begun, count = time.monotonic(), self.asked()
        pages = [self.pools() for _ in range(3)]
        wait_until(lambda: self.asked() >= count + 3, "three questions")
        self.assertGreaterEqual(time.monotonic() - begun, 10)
        for page in pages:
            self.wait_for_host(page, "b", idle="2")

    def test_metrics_and_a_page_of_something_else_ask_nobody(self):
        page = self.open(self.server, "#/runs")
        programs = Programs(self, "--root", self.a.root)
        count = self.asked()
        for _ in range(20):
            _, _, text = programs.get("/metrics")
            self.assertIn('troupe_engine_connected{pool="reviews"} 1', text)
        self.assertRegex(text, r'troupe_engine_lag_seconds\{pool="reviews"\} \d')
        self.assert_exit(self.run_program("troupe", "list", "--root", self.a.root), 0)
        self.assertEqual(self.asked(), count)
        begun = time.monotonic()
        pools = [programs.json("/api/pools")["pools"] for _ in range(20)]
        self.assertLessEqual(self.asked(), count + 1 + (time.monotonic() - begun) // 5)
        for (pool,) in pools:
            self.assertEqual({host["edge"] for host in pool["engine"]["hosts"]}, set(self.ids.values()))
        count = self.asked()
        page.go("#/pools")
        page.get_by_role("table", name="Hosts").wait_for()
        wait_until(lambda: self.asked() > count, "the page to ask")


class Access(HostsCase):
    def test_it_fits_and_is_accessible_also_when_the_engine_is_away(self):
        phone, page = self.pools(viewport=PHONE, has_touch=True), self.pools()
        self.look_at(phone, page, "connected")
        self.nats.kill()
        for one in (phone, page):
            self.pool(one).wait_for_text("No connection with the engine")
        self.look_at(phone, page, "lost")

    def look_at(self, phone, page, name):
        self.keep_picture(phone, f"phone-{name}")
        self.assert_fits(phone, f"{name} on a phone")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            self.keep_picture(page, f"{scheme}-{name}")
            self.assert_accessible(page, f"{name} {scheme}")
        usual = page.viewport_size()
        page.set_viewport_size(WIDE)
        self.keep_picture(page, f"wide-{name}")
        self.assert_fits(page, f"{name} on a wide screen")
        page.set_viewport_size(usual)

    def test_nothing_moves_while_figures_change_and_when_the_connection_is_lost(self):
        page = self.pools()
        self.watch_shifts(page)
        self.give_work("moves")
        self.wait_for_host(page, "b", busy="1", tasks="1")
        self.wait_for_host(page, "a", submissions="1")
        self.nats.kill()
        self.wait_for_connection(page, "b", "^unknown")
        self.assert_nothing_moved(page)
