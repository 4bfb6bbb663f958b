"""The units of the Debian package under a real systemd: a system is booted in which the package is installed."""

import json
import re
import time

from harness import wait_until
from harness.booted_root import BootedRoot
from harness.clean_root import USER
from harness.debian_package import PackageCase

WORKFLOW = '{ "entrypoint": "A", "steps": [{ "name": "A", "action": { "kind": "Pool", "instructions": "Do it." } }] }'
COMMAND = '{ "entrypoint": "A", "steps": [{ "name": "A", "action": { "kind": "Command", "script": "echo []" } }] }'
RUN = "barnum run --config /srv/workflow.jsonc --no-embedded-pool"
AGENT = """#!/bin/sh
cat >/dev/null; echo "$TEST_SETTING: $BARNUM_AGENT" >>~/done; echo '[]'
"""
SETTINGS = "AGENT_EXEC=/srv/agent\nTEST_SETTING='of the pool'\n"
SOCKET, DAEMON, AGENTS = UNITS = "troupe@reviews.socket", "troupe@reviews.service", "troupe-agent@reviews.service"


class Units(PackageCase):
    def setUp(self):
        super().setUp()
        self.system = None
        system = BootedRoot(self, self.home / "system", include=self.dependencies())
        self.system = system
        self.system.write("/srv/workflow.jsonc", WORKFLOW)
        self.system.write("/srv/agent", AGENT, 0o755)
        self.install(self.package)

    def tearDown(self):
        if self.system:
            self.system.shut_down()
        super().tearDown()

    def install(self, package):
        """What it prints."""
        self.system.write("/root/barnum.deb", package.read_bytes())
        return self.system.succeed(self.system.inside("dpkg", "--install", "/root/barnum.deb"))

    def later_package(self):
        """The same of a later version."""
        tree, package = self.home / "later", self.home / "later.deb"
        self.assert_exit(self.run_program("/usr/bin/dpkg-deb", "--raw-extract", self.package, tree), 0)
        control = (tree / "DEBIAN/control").read_text()
        (tree / "DEBIAN/control").write_text(control.replace(self.control("Version"), self.control("Version") + "1"))
        self.assert_exit(self.run_program("/usr/bin/dpkg-deb", "-Znone", "--build", tree, package), 0)
        return package

    def as_user(self, user, script):
        return self.system.succeed(self.system.inside_as(user, script))

    def run_workflow(self):
        self.as_user("troupe", f"{RUN} --root /var/lib/troupe --pool reviews")

    def done(self, home="var/lib/troupe"):
        """What the agents' command has noted, which it does once for each task."""
        return (self.system.path / home / "done").read_text().splitlines()

    def enable(self, *units, settings=SETTINGS):
        self.system.write("/etc/troupe/agent-reviews.conf", settings, 0o600)
        self.system.systemctl("enable", "--now", *units)

    def state(self, unit):
        return self.system.shown(unit, "ActiveState")

    def test_a_pool_of_the_machine_serves_its_user_and_is_back_after_a_reboot(self):
        self.enable(*UNITS)
        self.run_workflow()
        self.system.reboot()
        self.assertEqual([self.state(unit) for unit in UNITS], ["active"] * 3)
        self.run_workflow()
        self.assertEqual(self.done(), ["of the pool: agent"] * 2)

    def test_an_agent_that_finds_nobody_has_systemd_start_the_daemon(self):
        self.enable(SOCKET)
        self.assertEqual(self.state(DAEMON), "inactive")
        self.system.systemctl("start", AGENTS)
        wait_until(lambda: self.state(DAEMON) == "active", "the daemon")

    def test_an_enabled_daemon_starts_with_the_machine(self):
        self.system.systemctl("enable", DAEMON)
        self.system.reboot()
        self.assertEqual((self.state(SOCKET), self.state(DAEMON)), ("active", "active"))

    def test_agents_take_a_kind_and_labels_and_end_in_order(self):
        self.enable(*UNITS, settings="AGENTS=2\nAGENT_OPTIONS=--kind shell --label debian --name 'my own'\n")
        wait_until(lambda: len(self.agents()) == 2, "the agents")
        self.assertEqual({agent["name"] for agent in self.agents()}, {"my own-1", "my own-2"})
        self.assertTrue(all("debian" in agent["labels"] for agent in self.agents()))
        self.system.systemctl("stop", AGENTS)
        self.assertEqual((self.state(AGENTS), self.system.shown(AGENTS, "Result")), ("inactive", "success"))

    def status(self):
        return json.loads(self.as_user("troupe", "troupe status --root /var/lib/troupe --pool reviews --json"))

    def agents(self):
        return self.status()["agents"]

    def test_units_that_fail_often_are_started_again(self):
        self.enable(*UNITS)
        for unit in DAEMON, AGENTS:
            for _ in range(7):
                before = wait_until(lambda: self.main_process(unit), f"{unit} to run")
                self.system.systemctl("kill", "--signal=KILL", "--kill-who=main", unit)
                wait_until(lambda: self.main_process(unit) not in (None, before), f"{unit} to run again")
        self.run_workflow()

    def main_process(self, unit):
        is_up = self.state(unit) == "active"
        return self.system.shown(unit, "MainPID") if is_up else None

    def let_linger(self, settings):
        """The user's own systemd runs. `settings`: {path in ~/.config: content}"""
        self.system.succeed(self.system.inside("loginctl", "enable-linger", USER))
        for path, content in settings.items():
            self.system.write(f"/home/{USER}/.config/{path}", content)
        self.system.succeed(self.system.inside("chown", "-R", f"{USER}:", f"/home/{USER}"))
        wait_until(lambda: self.system.inside_as(USER, "systemctl --user is-system-running").out.strip() == "running",
                   "the user's systemd")

    def test_a_pool_of_a_user(self):
        self.let_linger({"troupe/agent-reviews.conf": SETTINGS})
        self.as_user(USER, f"systemctl --user enable --now {' '.join(UNITS)}")
        self.as_user(USER, f"{RUN} --root $XDG_RUNTIME_DIR/troupe --pool reviews")
        self.assertEqual(self.done(f"home/{USER}"), ["of the pool: agent"])
        limits = self.as_user(USER, f"cat /proc/$(systemctl --user show --value --property=MainPID {DAEMON})/limits")
        allowed = re.search(r"Max open files +(\d+) +(\d+)", limits)
        self.assertEqual(int(allowed[1]), min(65536, int(allowed[2])), "more cannot be had here")
        self.as_user(USER, f"systemctl --user stop {AGENTS}")
        self.assertEqual(self.as_user(USER, f"systemctl --user show --value --property=Result {AGENTS}"), "success\n")

    def test_old_runs_of_a_user_are_removed_every_day(self):
        self.let_linger({"barnum/prune.conf": "PRUNE_OPTIONS=--keep 1\n"})
        for name in "first", "second":
            self.as_user(USER, f"echo '{COMMAND}' >flow.json; barnum run --config flow.json --name {name}")
        self.as_user(USER, "systemctl --user enable --now barnum-prune.timer")
        timers = json.loads(self.as_user(USER, "systemctl --user list-timers --output=json"))
        (timer,) = [timer for timer in timers if timer["unit"] == "barnum-prune.timer"]
        self.assertEqual(timer["activates"], "barnum-prune.service")
        self.assertLess(timer["next"] / 1e6 - time.time(), 25 * 3600 + 60)
        self.as_user(USER, "systemctl --user start barnum-prune.service")
        self.assertEqual([run["name"] for run in json.loads(self.as_user(USER, "barnum ps -a --json"))], ["second"])

    def test_an_upgrade_restarts_nothing_and_says_what_to_restart(self):
        self.assertNotIn("systemctl restart", self.install(self.package), "nothing runs yet")
        self.enable(*UNITS)
        self.run_workflow()
        before = self.main_process(DAEMON), self.main_process(AGENTS)
        printed = self.install(self.later_package())
        self.assertIn(f"systemctl restart {AGENTS} {DAEMON}", printed)
        self.assertEqual((self.main_process(DAEMON), self.main_process(AGENTS)), before)
        self.assertTrue(self.status()["program_replaced"])
        self.run_workflow()
        self.system.systemctl("restart", AGENTS, DAEMON)
        self.run_workflow()
        self.assertFalse(self.status()["program_replaced"])
        self.assertEqual(len(self.done()), 3)

    def test_removing_the_package_ends_everything_and_purging_it_leaves_nothing(self):
        self.enable(*UNITS)
        self.system.succeed(self.system.inside("dpkg", "--remove", "barnum"))
        self.assertEqual(self.system.inside("pgrep", "--list-full", "--uid", "troupe").out, "")
        self.system.succeed(self.system.inside("dpkg", "--purge", "barnum"))
        self.assertEqual([path for path in self.system.find("troupe") if not path.startswith(("/proc", "/sys"))], [])
