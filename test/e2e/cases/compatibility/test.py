"""Versions mixed: a daemon, an agent and a submitter of an earlier build, of this one, and the published one, in each of the 27
combinations and over both transports; and pools and runs that one version leaves to the other."""

import itertools
import json
import signal
from collections import Counter

from harness import HandAgent, Pool, require, wait_until
from harness.environment import earlier_build
from harness.pool import inline
from harness.published import Unavailable, published_troupe
from harness.workflow import WorkflowCase, command, emit, pool, step

VERSIONS = ("earlier", "present", "published")
TASKS = 3  # for each combination and transport


class VersionsCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        require(earlier_build(), "the earlier build; scripts/earlier-build --build makes it")
        self.troupes = {"earlier": str(earlier_build() / "apps/troupe/troupe"), "present": "troupe"}
        self.barnums = {"earlier": str(earlier_build() / "apps/barnum/barnum"), "present": "barnum"}

    def version(self, name):
        return self.run_program(self.barnums[name], "version", "--json").json["version"]


class Combinations(VersionsCase):
    def setUp(self):
        super().setUp()
        try:
            self.troupes["published"] = published_troupe()
        except Unavailable as reason:
            require(False, f"the published program: {reason}")

    def quiet(self, version):
        return ["--log-level", "off"] if version == "published" else []

    def test_no_task_is_lost_or_done_twice(self):
        """A pool for each transport: the published daemon panics at a submission over the socket if there was one over files before,
        also if both are of its own submitters ("TaskAssigned for unknown submission")."""
        tried = 0
        for daemon, transport in itertools.product(VERSIONS, ("socket", "file")):
            pool = Pool(self, f"{daemon}-{transport}")
            process = self.start(self.troupes[daemon], "start", "--root", self.root, "--pool", pool.name, "--no-heartbeat")
            wait_until((pool.path / "status").exists, f"the {daemon} daemon")
            for agent, submitter in itertools.product(VERSIONS, VERSIONS):
                with self.subTest(daemon=daemon, agent=agent, submitter=submitter, transport=transport):
                    self.check(pool, agent, submitter, transport)
                    tried += 1
            process.terminate()
            process.result()
        self.assertEqual(tried, 54)

    def check(self, pool, agent, submitter, transport):
        submitters = {}
        for number in range(TASKS):
            content = {"task": {"kind": "Count", "value": {"number": number}}, "instructions": "Count.", "timeout_seconds": 60}
            submitters[number] = pool.submit(content, *self.quiet(submitter), transport=transport, program=self.troupes[submitter])
        taken = Counter()
        for _ in range(TASKS):
            assignment = pool.get_task(*self.quiet(agent), program=self.troupes[agent]).json()
            self.assertEqual(assignment["kind"], "Task")
            task = assignment["content"]
            number = (task.get("task") or task)["value"]["number"]
            taken[number] += 1
            pool.answer(assignment, json.dumps([{"kind": "Counted", "value": number}]))
        self.assertEqual(taken, Counter(range(TASKS)))
        for number, process in submitters.items():
            answer = process.json()
            self.assertEqual((answer["kind"], json.loads(answer["stdout"])), ("Processed", [{"kind": "Counted", "value": number}]))
        self.assertEqual(pool.submission_files(), [])


class Workflows(VersionsCase):
    def test_a_run_an_agent_and_a_daemon_of_two_versions(self):
        tasks = [("Ask", number) for number in range(20)]
        config = self.write_config([step("Split", emit(*tasks), ["Ask"]), step("Ask", pool())])
        for daemon, agent, barnum in itertools.product(self.barnums, repeat=3):
            with self.subTest(daemon=daemon, agent=agent, barnum=barnum):
                served = Pool(self, f"{daemon}-{agent}-{barnum}", program=self.troupes[daemon])
                served.start("--no-heartbeat")
                notes = self.work / served.name
                agents = served.command("agent", "--count", "3", "--exec", f"task=$(cat); printf '%s\\n' \"$task\" >>'{notes}'; echo '[]'",
                                        program=self.troupes[agent])
                result = self.run_program(self.barnums[barnum], "run", "--config", config, "--root", self.root, "--pool", served.name,
                                          "--no-embedded-pool", "--state-log", self.work / f"{served.name}.ndjson")
                self.assert_exit(result, 0)
                done = Counter(json.loads(line)["task"]["value"] for line in notes.read_text().splitlines())
                self.assertEqual(done, Counter(range(20)))
                agents.terminate()
                agents.result()
                self.assert_exit(served.stop(), 0)


class LeftToTheOther(VersionsCase):
    def test_a_killed_daemons_tasks_stay_with_their_agents(self):
        for first, second in (("earlier", "present"), ("present", "earlier")):
            with self.subTest(first=first, second=second):
                shared = Pool(self, f"{first}-first", program=self.troupes[first])
                daemon = shared.start("--no-heartbeat")
                shared.request_by_file(inline(7), "seven")
                agent = HandAgent(shared)
                agent.content()
                daemon.signal(signal.SIGKILL)
                daemon.result()
                shared.start("--no-heartbeat", program=self.troupes[second])
                other = HandAgent(shared)
                shared.still(lambda: not other.has_task(), "the other agent has no task")
                agent.respond("[7]")
                self.assertEqual(shared.response_by_file("seven")["stdout"], "[7]")
                self.assert_exit(shared.stop(), 0)

    def interrupted(self, version):
        """The state log of a run that was killed after it had done ten tasks."""
        script = "read -r task; echo \"$task\" >>done; [ $(wc -l <done) -ne 10 ] || kill -KILL $PPID; echo '[]'"
        config = self.write_config([step("Split", emit(*[("Do", number) for number in range(20)]), ["Do"]), step("Do", command(script))])
        log = self.work / f"{version}.ndjson"
        (self.work / "done").write_text("")
        result = self.run_program(self.barnums[version], "run", "--config", config, "--jobs", "1", "--state-log", log)
        self.assertEqual(result.code, -signal.SIGKILL)
        return log

    def resume(self, version, log):
        return self.run_program(self.barnums[version], "run", "--resume-from", log, "--jobs", "1",
                                "--state-log", self.work / f"resumed-by-{version}.ndjson")

    def test_a_run_of_an_earlier_version_is_resumed(self):
        log = self.interrupted("earlier")
        self.assert_done_once_after(self.resume("present", log))

    def test_an_earlier_version_refuses_a_run_of_this_one_and_changes_nothing(self):
        log = self.interrupted("present")
        before = log.read_bytes()
        refused = self.resume("earlier", log)
        self.assertNotEqual(refused.code, 0)
        self.assertIn(f"was written by version {self.version('present')}", refused.err)
        self.assertEqual(log.read_bytes(), before)
        self.assert_done_once_after(self.resume("present", log))

    def assert_done_once_after(self, result):
        """Only the task that was going on when its run was killed may have been done twice."""
        self.assert_exit(result, 0)
        done = Counter(json.loads(line)["value"] for line in (self.work / "done").read_text().splitlines())
        self.assertEqual(set(done), set(range(20)))
        self.assertLessEqual(done.total(), 21)
