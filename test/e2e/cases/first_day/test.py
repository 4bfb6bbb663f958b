"""The first day of an operator: an earlier version of the package is installed in a Debian with a real systemd, does its work, is
upgraded and downgraded while a run goes on, and the machine loses its power and is restored elsewhere. The agents note
each task that they begin and end: none may be lost, and none be done twice, unless it ended as its machine or its daemon did."""

import json
import time
from collections import defaultdict

from harness import require, wait_until
from harness.booted_root import BootedRoot
from harness.debian_package import PackageCase, make_package
from harness.environment import earlier_build

TASKS = 40  # of each run
WORKFLOW = json.dumps({"entrypoint": "Split", "steps": [
    {"name": "Split", "action": {"kind": "Command", "script": "n=$(sed 's/.*\"value\":\\([0-9]*\\).*/\\1/'); sep='['; "
     "for i in $(seq " + str(TASKS) + "); do printf '%s{\"kind\":\"Ask\",\"value\":\"%s.%s\"}' \"$sep\" \"$n\" \"$i\"; sep=,; done; echo ']'"},
     "next": ["Ask"]},
    {"name": "Ask", "action": {"kind": "Pool", "instructions": "Do it."}, "next": []}]})
AGENT = r"""#!/bin/bash
[[ $(cat) =~ '"value"':\ ?'"'([0-9.]+)'"' ]] && id=${BASH_REMATCH[1]}
echo "begin $id $EPOCHREALTIME" >>/var/lib/troupe/notes
sleep 0.2
echo "end $id $EPOCHREALTIME" >>/var/lib/troupe/notes
echo '[]'
"""
SETTINGS = "AGENTS=4\nAGENT_EXEC=/srv/agent\n"
SOCKET, DAEMON, AGENTS = UNITS = "troupe@reviews.socket", "troupe@reviews.service", "troupe-agent@reviews.service"
MOMENT = 1  # seconds: how long before its daemon's end a task may have ended whose answer did not count


class FirstDay(PackageCase):
    def setUp(self):
        super().setUp()
        require(earlier_build(), "the earlier build; scripts/earlier-build --build makes it")
        self.earlier = make_package(self, earlier_build())
        self.systems, self.runs, self.ends = [], 0, []
        self.system = self.machine("first")

    def tearDown(self):
        for system in self.systems:
            system.shut_down()
        super().tearDown()

    def machine(self, name):
        """It has no network, hence all that both versions of the package depend on or recommend."""
        needed = {*self.dependencies(), *self.dependencies(self.earlier), "jq"}
        system = BootedRoot(self, self.home / name, include=sorted(needed))
        self.systems.append(system)
        system.write("/srv/workflow.json", WORKFLOW)
        system.write("/srv/agent", AGENT, 0o755)
        system.write("/etc/troupe/agent-reviews.conf", SETTINGS)
        return system

    def install(self, system, package):
        """As the documents say; what apt prints."""
        system.write(f"/root/{package.name}", package.read_bytes())
        return system.succeed(system.inside("apt-get", "install", "--yes", "--allow-downgrades", f"/root/{package.name}"))

    def as_troupe(self, script, system=None):
        system = system or self.system
        return system.succeed(system.inside_as("troupe", f"export TROUPE_ROOT=/var/lib/troupe; {script}"))

    def begin_run(self):
        """The id of a run that goes on, with its tasks in the pool of the machine."""
        self.runs += 1
        id_ = self.as_troupe(f"barnum run --detach --config /srv/workflow.json --pool reviews --no-embedded-pool "
                             f"--entrypoint-value {self.runs}").strip()
        wait_until(lambda: len(self.ended()) >= TASKS * (self.runs - 1) + 5, "some tasks to be done")
        return id_

    def wait(self, id_, system=None):
        self.as_troupe(f"barnum wait {id_}", system)

    def notes(self, what, system=None):
        """{id: [times]}"""
        file, found = (system or self.system).path / "var/lib/troupe/notes", defaultdict(list)
        for line in file.read_text().splitlines() if file.exists() else ():
            kind, id_, moment = line.split()
            if kind == what:
                found[id_].append(float(moment))
        return found

    def ended(self):
        return self.notes("end")

    def restart(self, *units):
        self.ends.append(time.time())
        self.system.systemctl("restart", *units)

    def judge(self):
        """Every task of every run was done, and none twice, but at an end of its daemon or its machine."""
        ended = self.ended()
        self.assertEqual(set(ended), {f"{run}.{task}" for run in range(1, self.runs + 1) for task in range(1, TASKS + 1)})
        for id_, moments in ended.items():
            for first in moments[:-1]:
                self.assertTrue(any(end - MOMENT <= first <= end + MOMENT for end in self.ends),
                                f"task {id_} was done at {moments}; daemons and machines have ended at {self.ends}")

    def version(self):
        return json.loads(self.as_troupe("troupe version --json"))["version"]

    def daemon_version(self):
        return json.loads(self.as_troupe("troupe status --pool reviews --json"))["version"]

    def test_the_first_day(self):
        self.begin_with_the_earlier_version()
        self.upgrade_under_load()
        self.lose_power()
        self.restore_elsewhere()
        self.downgrade()
        self.judge()

    def begin_with_the_earlier_version(self):
        self.install(self.system, self.earlier)
        self.system.systemctl("enable", "--now", *UNITS)
        answer = json.loads(self.as_troupe("troupe submit_task --pool reviews --data '{\"value\": \"0.0\"}'"))
        self.assertEqual((answer["kind"], answer["stdout"].strip()), ("Processed", "[]"))
        (self.system.path / "var/lib/troupe/notes").unlink()
        self.wait(self.begin_run())
        self.judge()

    def upgrade_under_load(self):
        earlier = self.version()
        run = self.begin_run()
        printed = self.install(self.system, self.package)
        self.assertIn(f"systemctl restart {AGENTS} {DAEMON}", printed)
        self.assertNotEqual(self.version(), earlier)
        self.restart(AGENTS, DAEMON)
        self.assertEqual(self.daemon_version(), self.version())
        self.wait(run)
        self.judge()

    def lose_power(self):
        run = self.begin_run()
        self.ends.append(time.time())
        self.system.reboot()
        self.assertIn("lost", self.as_troupe("barnum ps"))
        self.as_troupe(f"barnum resume {run}")
        self.judge()

    def restore_elsewhere(self):
        """A backup that was made while the run went on, on another machine, whose agents have done nothing yet."""
        run = self.begin_run()
        # 1: a log has grown while it was read.
        self.as_troupe("tar -C ~/.local/state/barnum/runs -czf /var/lib/troupe/runs.tar.gz . || [ $? -eq 1 ]")
        backup = (self.system.path / "var/lib/troupe/runs.tar.gz").read_bytes()
        done = set(self.ended())
        self.wait(run)
        other = self.machine("second")
        self.install(other, self.package)
        other.systemctl("enable", "--now", *UNITS)
        other.write("/var/lib/troupe/runs.tar.gz", backup)
        self.as_troupe("mkdir -p -m 700 ~/.local/state/barnum/runs && tar -C ~/.local/state/barnum/runs -xzf runs.tar.gz", other)
        self.as_troupe(f"barnum resume {run}", other)
        again = set(self.notes("end", other))
        wanted = {f"{self.runs}.{task}" for task in range(1, TASKS + 1)}
        self.assertTrue(wanted - done <= again <= wanted, f"{sorted(again)} were done, {sorted(done)} had been")
        self.assertLess(len(again), TASKS)
        other.shut_down()
        self.systems.remove(other)

    def downgrade(self):
        """While a run of the later version goes on, which goes on with the earlier daemon."""
        later, run = self.version(), self.begin_run()
        self.ends.append(time.time())
        self.system.systemctl("stop", AGENTS, DAEMON, SOCKET)
        self.install(self.system, self.earlier)
        self.assertNotEqual(self.version(), later)
        self.system.systemctl("start", *UNITS)
        self.assertEqual(self.daemon_version(), self.version())
        self.wait(run)
