"""Labels: a task that has some goes only to agents that have them all, and it is told when there is no such agent."""

import json
import signal

from harness import Case, HandAgent, Pool, one_host, wait_until
from harness.fake_daemon import FakeDaemon
from harness.pool import inline
from harness.workflow import WorkflowCase, command, step

TRANSPORTS = ("socket", "file")


def labelled(content, *labels, id_=None):
    return inline(content, id_) | {"kind": "InlineWithLabels", "labels": labels}


class LabelsCase(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_pool(self):
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")

    def status(self):
        """Of the host that the agents are on."""
        return self.pool.agent_side.status()

    def wait_for_queue(self, length):
        wait_until(lambda: self.pool.queued() == length, f"{length} queued tasks")

    def by_hand(self, *labels):
        return HandAgent(self.pool, json.dumps({"labels": labels}))


class Assignment(LabelsCase):
    def setUp(self):
        super().setUp()
        self.start_pool()

    def test_a_task_waits_for_an_agent_that_has_all_of_its_labels(self):
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                submitter = self.pool.submit({"n": 1}, "--label", "gpu", "--label", "linux", transport=transport)
                self.wait_for_queue(1)
                wrong = self.pool.get_task("--label", "gpu")
                right = self.pool.get_task("--label", "linux", "--label", "big", "--label", "gpu")
                task = right.json()
                self.assertEqual(task["content"], {"n": 1})
                self.pool.answer(task, "[1]")
                self.assertEqual(submitter.json()["stdout"], "[1]")
                self.assertTrue(wrong.running)
                other = self.pool.submit({"n": 2}, transport=transport)
                task = wrong.json()
                self.assertEqual(task["content"], {"n": 2}, "a task without labels is for anybody")
                self.pool.answer(task, "[2]")
                self.assertEqual(other.json()["stdout"], "[2]")

    def test_a_file_that_the_daemon_reads_has_its_labels_too(self):
        (self.work / "task.json").write_text('{"n": 1}')
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                submitter = self.pool.submit(None, "--label", "gpu", file=self.work / "task.json", transport=transport)
                self.wait_for_queue(1)
                wrong = self.by_hand()
                task = self.pool.take("--label", "gpu")
                self.pool.answer(task, "[]")
                self.assert_exit(submitter.result(), 0)
                self.assertFalse(wrong.has_task())
                wrong.ready.unlink()

    @one_host("tasks with other labels wait in another queue of the engine")
    def test_first_come_first_served_among_those_that_fit(self):
        for number, labels in enumerate((["gpu"], [], ["gpu"], [])):
            self.pool.request_by_file(labelled({"n": number}, *labels))
            self.wait_for_queue(number + 1)
        gpu = [self.by_hand("gpu").content()["n"] for _ in range(3)]
        self.assertEqual(gpu, [0, 1, 2])
        self.assertEqual(self.by_hand().content(), {"n": 3})

    @one_host("one daemon sees the agent and the requests")
    def test_a_task_whose_agent_was_gone_before_it_came_keeps_its_place(self):
        agent = self.by_hand()
        wait_until(lambda: len(self.status()["agents"]) == 1, "the agent")
        self.pool.request_by_file(labelled({"n": 0}, "gpu"))
        self.wait_for_queue(1)
        self.daemon.signal(signal.SIGSTOP)  # it sees the request first
        self.pool.request_by_file(inline({"n": 1}))
        agent.ready.unlink()
        self.daemon.signal(signal.SIGCONT)
        self.wait_for_queue(2)
        self.assertEqual(self.by_hand("gpu").content(), {"n": 0})

    def test_an_agent_with_labels_serves_its_tasks(self):
        agent = self.pool.command("agent", "--label", "gpu", "--label", "linux", "--count", "2", "--exec", "echo '[7]'")
        wait_until(lambda: len(self.status()["agents"]) == 2, "the agents")
        self.assertEqual({tuple(a["labels"]) for a in self.status()["agents"]}, {("gpu", "linux")})
        self.assertEqual(self.pool.submit(1, "--label", "linux").json()["stdout"].strip(), "[7]")
        self.assertEqual(self.pool.submit(2).json()["stdout"].strip(), "[7]")
        self.assertIn("gpu, linux", self.pool.agent_side.command("status").result().out)
        self.assert_running(agent)

    def test_labels_that_can_not_be_used_are_refused(self):
        with self.pool.connect() as client:
            client.send(labelled(1, "a b", id_="bad"))
            answer = client.receive()
        self.assertEqual((answer["id"], answer["reason"]), ("bad", "invalid"))
        self.assertIn("unlike 'a b'", answer["message"])
        id_ = self.pool.request_by_file(labelled(1, *map(str, range(17))))
        self.assertIn("17 labels are too many", self.pool.response_by_file(id_)["message"])
        agent = self.by_hand("a b")
        wait_until(lambda: f"ignoring agent {agent.uuid}" in self.daemon.err, "the warning")
        self.pool.request_by_file(inline(1))
        self.wait_for_queue(1)
        self.assertFalse(agent.has_task())


class Killed(LabelsCase):
    """What a killed daemon has left goes to agents that fit, too."""

    def restart(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()
        self.start_pool()

    def test_a_task_at_work_that_is_handed_back_later(self):
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                self.start_pool()
                submitter = self.pool.submit({"n": 1}, "--label", "gpu", transport=transport)
                first = self.by_hand("gpu")
                first.task_text()
                self.restart()
                wrong = self.by_hand("linux")
                wait_until(lambda: len(self.status()["agents"]) == 2, "both agents")
                first.ready.unlink()
                self.wait_for_queue(1)
                second = self.by_hand("gpu")
                self.assertEqual(second.content(), {"n": 1})
                self.assertFalse(wrong.has_task())
                second.respond("[]")
                self.assert_exit(submitter.result(), 0)
                wrong.ready.unlink()
                self.pool.stop()

    def test_queued_tasks_and_idle_agents(self):
        self.start_pool()
        for transport in TRANSPORTS:
            self.pool.submit({"by": transport}, "--label", "gpu", transport=transport)
        wrong = self.by_hand("linux")
        self.wait_for_queue(2)
        self.restart()
        self.wait_for_queue(2)
        self.assertFalse(wrong.has_task())
        self.assertEqual({self.by_hand("gpu").content()["by"] for _ in TRANSPORTS}, set(TRANSPORTS))


@one_host("over hosts, it is told later and in other words: the case engine_work")
class NobodyFits(LabelsCase):
    def test_it_is_told_by_the_daemon_in_the_status_and_to_the_submitter(self):
        self.start_pool()
        self.by_hand("gpu")
        submitters = [self.pool.submit(n, "--label", "gpu", "--label", "big") for n in range(2)]
        by_file = self.pool.submit(2, "--label", "gpu", "--label", "big", transport="file")
        told = "no agent has the label big in the pool in "
        wait_until(lambda: all(told in process.err for process in (self.daemon, *submitters)), "the warnings")
        self.assertIn(f"3 tasks waiting, and {told}{self.pool.path}; attach one with `troupe agent --root {self.root} "
                      "--pool default --label big --label gpu --kind claude`, or with `--exec CMD`", self.daemon.err)
        self.assertEqual(by_file.err, "")
        unmatched, = self.status()["queue"]["unmatched"]
        self.assertEqual((unmatched["labels"], unmatched["missing"], unmatched["length"]), (["big", "gpu"], ["big"], 3))
        self.assertGreaterEqual(unmatched["for_ms"], 30_000)
        self.assertIn("no agent has the label big", self.pool.command("status").result().out)
        with self.pool.connect() as quiet, self.pool.connect() as client:
            quiet.send(labelled(3, "gpu", "big", id_="3"))
            client.send(labelled(4, "gpu", "big", id_="4") | {"wants_unmatched": True})
            client.half_close()
            self.assertEqual(client.receive(), {"kind": "Unmatched", "id": "4", "missing": ["big"]}, "told at once")
            self.pool.command("agent", "--label", "big", "--label", "gpu", "--exec", "echo '[]'")
            self.assertEqual(client.receive()["id"], "4")
            self.assertEqual(quiet.receive()["kind"], "Processed", "who has not asked is told nothing else")
        self.assertEqual(self.status()["queue"]["unmatched"], [])
        for submitter in (*submitters, by_file):
            self.assert_exit(submitter.result(), 0)


class Older:
    """A daemon that does not know labels, as older ones of this project."""

    def __init__(self):
        self.kinds = []

    def reply(self, request):
        self.kinds.append(request["kind"])
        if request["kind"] in ("Inline", "FileReference"):
            return {"kind": "Processed", "stdout": "[]"}
        return {"kind": "NotProcessed", "reason": "invalid",
                "message": f"the request's kind is \"{request['kind']}\"; expected \"Inline\" or \"FileReference\""}


@one_host("the test is the daemon itself")
class OlderDaemons(LabelsCase):
    UNKNOWN = "the pool's daemon does not know labels"

    def serve(self, *how):
        older = Older()
        FakeDaemon(self, self.pool.path, older.reply, *how)
        return older

    def assert_refused(self, submitter):
        result = submitter.result()
        self.assert_exit(result, 1)
        self.assertEqual(result.json["reason"], "invalid")
        self.assertIn(self.UNKNOWN, result.json["message"])

    def test_one_of_this_project_refuses_a_task_with_labels(self):
        older = self.serve()
        self.assert_refused(self.pool.submit(1, "--label", "gpu"))
        self.assert_exit(self.pool.submit(1).result(), 0)
        self.assertEqual(older.kinds, ["InlineWithLabels", "Inline"])

    def test_the_published_one_is_not_asked(self):
        older = self.serve("ready")
        for transport in TRANSPORTS:
            self.assert_refused(self.pool.submit(1, "--label", "gpu", transport=transport))
        self.assertEqual(older.kinds, [])
        self.assertEqual(self.pool.submission_files(), [])


class Workflows(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.steps = [step("Write", {"kind": "Pool", "labels": ["writer"]}, ["Review"]),
                      step("Review", {"kind": "Pool", "labels": ["reviewer", "strict"]})]

    def agent(self, *labels, response):
        options = [option for label in labels for option in ("--label", label)]
        return self.pool.command("agent", "--exec", f"cat >> {self.work}/{labels[0]}; echo '{response}'", *options)

    def test_the_steps_of_a_run_go_to_agents_with_their_labels(self):
        self.pool.start("--no-heartbeat")
        self.agent("reviewer", "strict", response="[]")
        self.agent("writer", response='[{"kind": "Review", "value": 1}, {"kind": "Review", "value": 2}]')
        self.assert_run(self.run_workflow(self.steps))
        self.assertEqual((self.work / "writer").read_text().count('"kind":"Write"'), 1)
        self.assertEqual((self.work / "reviewer").read_text().count('"kind":"Review"'), 2)

    @one_host("a run that hosts its pool has one host")
    def test_a_run_that_hosts_the_pool_says_once_that_nobody_fits(self):
        run = self.start_run(self.steps)
        wait_until(lambda: "no agent has the label writer" in run.err, "the warning")
        self.agent("writer", response="[]")
        self.assert_run(run.result())
        self.assertEqual(run.err.count("no agent has the label writer"), 1)

    @one_host("no pool is needed")
    def test_a_dry_run_and_the_document_name_the_labels(self):
        path = self.write_config(self.steps)
        dry = self.run_program("barnum", "run", "--dry-run", "--config", path)
        self.assertIn("an agent of the pool that has the label writer; ", dry.out)
        document = self.run_program("barnum", "config", "docs", path)
        self.assertIn("- Done by: an agent of the pool that has the labels reviewer, strict\n", document.out)

    @one_host("no pool is needed")
    def test_wrong_labels_are_mistakes_of_the_config(self):
        for labels, problem in ((["a b"], "a label has 1 to 64 letters"), (["a", "a"], '"a" occurs twice in "labels"'),
                                ([7], "a label must be a string, not a number"), ("a", '"labels" must be an array'),
                                ([str(n) for n in range(17)], "17 labels are too many; at most 16 are allowed")):
            with self.subTest(labels=labels):
                path = self.write_config([step("A", {"kind": "Pool", "labels": labels})])
                result = self.run_program("barnum", "config", "validate", path)
                self.assert_exit(result, 2)
                self.assertIn(problem, result.err)
        path = self.write_config([step("A", command("echo '[]'") | {"labels": ["a"]})])
        self.assertIn('they need "on": "pool"', self.run_program("barnum", "config", "validate", path).err)
