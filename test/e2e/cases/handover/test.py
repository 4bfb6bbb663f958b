"""A run that hosts a pool for others ends: their agents work on, their tasks stay where they are, and another run goes
on hosting."""

import json
import random
from collections import Counter

from harness import Pool, scaled, wait_until
from harness.workflow import WorkflowCase, emit, pool, step

RUNS = 24
# Notes each execution of a task; the answer takes a little time.
NOTE = """value=$(sed -n 's/.*"value": *"\\([a-z0-9-]*\\)".*/\\1/p'); echo begin $value >> executions; sleep 0.05
echo end $value >> executions; echo '[]'"""


class Handover(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def config(self, name, steps):
        path = self.work / f"{name}.json"
        self.write_config(steps).rename(path)
        return path

    def start_named(self, name, steps, *args):
        return self.start("barnum", "run", "--config", self.config(name, steps), "--state-log", f"{name}.ndjson", *args)

    def start_asking(self, name, *options):
        return self.start_named(name, [step("Ask", pool())], "--entrypoint-value", json.dumps(name), *options)

    def hosting(self, run):
        return "hosting it" in run.err

    def start_two(self, *options):
        """Runs that wait for agents: the first hosts the pool, the second, which gets the options, uses it."""
        first = self.start_asking("first")
        wait_until(lambda: self.hosting(first), "the first run to host the pool")
        busy = self.pool.take()
        second = self.start_asking("second", *options)
        return first, busy, second

    def test_an_agent_at_work_for_another_run_works_on_and_its_answer_counts(self):
        first, busy, second = self.start_two()
        assignment = self.pool.take()
        self.assertEqual(assignment["content"]["task"]["value"], "second")
        at_work = self.pool.waiting_agents()
        idle = self.pool.get_task()
        waiting = self.pool.waiting_agents() - at_work
        self.pool.answer(busy, "[]")
        self.assert_run(first.result())
        wait_until(lambda: self.hosting(second), "the second run to host the pool")
        self.pool.still(lambda: waiting and waiting <= self.pool.waiting_agents(), "no agent is sent away, and none gets the task a second time")
        self.pool.answer(assignment, "[]")
        self.assert_run(second.result())

    def test_a_run_that_waits_takes_over_at_once(self):
        first, busy, second = self.start_two("--log-level", "debug")
        self.pool.take()
        self.pool.answer(busy, "[]")
        self.assert_run(first.result())
        wait_until(lambda: self.hosting(second), "the second run to host the pool")
        self.assertNotIn("no daemon has come back", second.err, "as after an outage")
        second.terminate()

    def test_a_submitter_of_others_has_its_answer_across_it(self):
        first, busy, second = self.start_two()
        self.pool.take()
        for transport in ("socket", "file"):
            submitter = self.pool.submit({"by": transport}, transport=transport)
            assignment = self.pool.take()
            self.assertEqual(assignment["content"], {"by": transport})
            if transport == "socket":
                self.pool.answer(busy, "[]")
                self.assert_run(first.result())
                wait_until(lambda: self.hosting(second), "the second run to host the pool")
            self.pool.answer(assignment, "[9]")
            self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[9]"})
        second.terminate()

    def test_one_of_many_takes_over_and_the_others_use_it(self):
        first = self.start_asking("run-0")
        busy = self.pool.take()
        others = [self.start_asking(f"run-{n}") for n in range(1, 5)]
        assignments = [self.pool.take() for _ in others]
        self.pool.answer(busy, "[]")
        self.assert_run(first.result())
        wait_until(lambda: sum(self.hosting(run) for run in others) == 1, "one of them to host the pool")
        for assignment in assignments:
            self.pool.answer(assignment, "[]")
        for run in others:
            self.assert_run(run.result())

    def test_agents_that_stay_serve_the_next_run(self):
        first = self.start_named("first", self.asking(3, "first"))
        agents = [self.start("troupe", "agent", "--exec", NOTE, "--count", "2"),
                  self.start(self.fixtures / "loop.sh", NOTE)]
        self.assert_run(first.result())
        for name in ("second", "third"):
            run = self.start_named(name, self.asking(9, name))
            self.assert_run(run.result())
        for agent in agents:
            self.assert_running(agent)
        self.assert_each_once(3 + 9 + 9)

    @staticmethod
    def asking(count, name):
        return [step("Split", emit(*[("Ask", f"{name}-{n}") for n in range(count)]), ["Ask"]), step("Ask", pool())]

    def executions(self):
        path = self.work / "executions"
        return path.read_text() if path.exists() else ""

    def assert_each_once(self, count):
        lines = self.executions().split("\n")
        begun = Counter(line.removeprefix("begin ") for line in lines if line.startswith("begin "))
        self.assertEqual({task: n for task, n in begun.items() if n != 1}, {})
        self.assertEqual(len(begun), count)

    def test_a_run_that_ends_lets_its_agents_end_what_they_do_for_others(self):
        self.pool.start("--no-heartbeat")
        script = NOTE.replace("sleep 0.05", "await go-$value")
        ending = self.start_named("ending", [step("Ask", pool())], "--entrypoint-value", '"mine"', "--pool", "default",
                                  "--agents", "2", "--agent-exec", script)
        wait_until(lambda: "begin mine" in self.executions(), "its own task")
        other = self.start_asking("others")
        wait_until(lambda: "begin others" in self.executions(), "the other run's task")
        (self.work / "go-mine").touch()
        wait_until(lambda: "waiting for 1 agent with tasks of others" in ending.err, "the run to wait")
        (self.work / "go-others").touch()
        self.assert_run(other.result())
        self.assert_run(ending.result())
        self.assert_each_once(2)

    def test_many_runs_on_one_pool_end_one_after_the_other_and_nothing_is_done_twice(self):
        dice = random.Random(7)
        sizes = [dice.randint(4, max(5, scaled(220) // 10)) for _ in range(RUNS)]
        self.start("troupe", "agent", "--exec", NOTE, "--count", "4")
        loop = self.start(self.fixtures / "loop.sh", NOTE)
        runs = [self.start_named(f"run-{n}", self.asking(size, f"run-{n}")) for n, size in enumerate(sizes)]
        for run in runs:
            self.assert_run(run.result())
        hosts = sum(self.hosting(run) for run in runs)
        print(f"     ({sum(sizes)} tasks, {hosts} runs have hosted the pool)", flush=True)
        self.assertGreater(hosts, 1)
        self.assert_each_once(sum(sizes))
        self.assert_running(loop)
