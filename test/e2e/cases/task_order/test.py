"""When tasks may start: the limits and priorities of steps, serial keys, and priorities at a pool."""

import json
import signal

from harness import Case, HandAgent, Pool, one_host, wait_until
from harness.pool import inline
from harness.runs import RunsCase
from harness.workflow import KEEP, WorkflowCase, emit, pool, step

# Works on the file that the value names, and notes in `broken` if somebody else does so at the same time.
EDIT = ("file=$(grep -o '\"file\":\"[a-z]*\"' | cut -d'\"' -f4); mkdir held.$file || echo $file >> broken;"
        " echo $file >> edited; touch begun.$file; {}; sleep 0.05; rmdir held.$file; echo '[]'")
FREE = EDIT.format(":")
# The first ones wait for each other, so that two files are worked on at once.
MEETING = EDIT.format("await begun.a begun.b")
BY_FILE = {"serial_key": "/file"}


def edits(*names, files="aabab"):
    return [(name, {"n": n, "file": file}) for name in names for n, file in enumerate(files)]


@one_host("no pool is needed")
class SerialKeys(WorkflowCase):
    def assert_edited(self, count):
        self.assertEqual(self.count("edited"), count)
        self.assertFalse((self.work / "broken").exists(), "two worked on one file")

    def test_commands_of_several_steps_never_work_on_one_file_and_do_on_two(self):
        self.assert_run(self.run_workflow(
            [step("Split", emit(*edits("Edit", "Check")), ["Edit", "Check"]), step("Edit", MEETING, options=BY_FILE),
             step("Check", MEETING, options=BY_FILE)], "--jobs", "8"))
        self.assert_edited(10)

    def test_two_agents_never_work_on_one_file(self):
        self.assert_run(self.run_workflow(
            [step("Split", emit(*edits("Ask", "Edit")), ["Ask", "Edit"]), step("Ask", pool(), options=BY_FILE),
             step("Edit", MEETING, options=BY_FILE)], "--agents", "4", "--agent-exec", MEETING))
        self.assert_edited(10)

    def test_the_key_is_held_from_the_pre_hook_to_the_post_hook(self):
        hook = {"kind": "Command", "script": "mkdir held || touch broken; cat"}
        post = {"kind": "Command", "script": "rmdir held; cat"}
        self.assert_run(self.run_workflow(
            [step("Split", emit(*[("Work", {"file": "a"})] * 5), ["Work"]),
             step("Work", "echo a >> edited; echo '[]'", pre=hook, post=post, options=BY_FILE)], "--jobs", "4"))
        self.assert_edited(5)

    def test_between_two_attempts_another_task_may_have_the_key(self):
        fails = "echo bad.$BARNUM_ATTEMPT >> order; [ $BARNUM_ATTEMPT = 2 ] && echo '[]'"
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Bad", {"file": "a"}), ("Other", {"file": "a"})), ["Bad", "Other"]),
             step("Bad", fails, options=BY_FILE | {"max_retries": 1, "retry_backoff": {"initial": 1.5}}),
             step("Other", "echo other >> order; echo '[]'", options=BY_FILE)]))
        self.assertEqual((self.work / "order").read_text().split(), ["bad.1", "other", "bad.2"])

    def test_tasks_without_a_value_there_run_at_the_same_time(self):
        meet = "touch at.$BARNUM_TASK_ID; until [ $(ls at.* | wc -l) = 2 ]; do sleep 0.1; done; echo '[]'"
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Work", {}), ("Work", 7)), ["Work"]), step("Work", meet, options=BY_FILE)],
            "--jobs", "2"))


@one_host("no pool is needed")
class Resumed(RunsCase):
    def test_keys_and_limits_hold_after_a_kill(self):
        tasks = edits("Edit", files="ababababab")
        run = self.start_run(
            [step("Split", emit(*tasks), ["Edit"]), step("Edit", EDIT.format("[ -e go ] || [ $(wc -l <edited) -lt 4 ] ||"
                                                                             " sleep 1000"),
                                                         options=BY_FILE | {"max_concurrency": 3, "priority": 1})],
            "--state-log", "run.ndjson", "--jobs", "8")
        wait_until(lambda: self.count("edited") >= 4, "some tasks to be done")
        self.kill(run)
        for held in self.work.glob("held.*"):
            held.rmdir()
        (self.work / "go").touch()
        self.barnum("run", "--resume-from", "run.ndjson", "--jobs", "8")
        self.assertGreaterEqual(self.count("edited"), 10)
        self.assertFalse((self.work / "broken").exists(), "two worked on one file")


@one_host("no pool is needed")
class Steps(WorkflowCase):
    def test_a_steps_limit_holds_back_its_own_tasks_only(self):
        work = ("echo + >> trace; until [ $(grep -c + trace) -ge 2 ] && [ -e other ]; do sleep 0.1; done; sleep 0.05;"
                " echo - >> trace; echo '[]'")
        self.assert_run(self.run_workflow(
            [step("Split", emit(*[("Work", n) for n in range(6)], ("Other", 1)), ["Work", "Other"]),
             step("Work", work, options={"max_concurrency": 2}), step("Other", "touch other; echo '[]'")],
            "--jobs", "8"))
        running = most = 0
        for mark in (self.work / "trace").read_text().split():
            running += 1 if mark == "+" else -1
            most = max(most, running)
        self.assertEqual((running, most), (0, 2))

    def test_the_highest_priority_starts_first(self):
        tasks = [("Low", 1), ("Plain", 1), ("High", 1), ("Low", 2), ("Plain", 2), ("High", 2)]
        self.assert_run(self.run_workflow(
            [step("Split", emit(*tasks), ["Low", "Plain", "High"]), step("Low", KEEP, options={"priority": -1}),
             step("Plain", KEEP), step("High", KEEP, options={"priority": 10})], "--jobs", "1"))
        self.assertEqual(self.seen(), [("High", 1), ("High", 2), ("Plain", 1), ("Plain", 2), ("Low", 1), ("Low", 2)])

    def test_the_highest_priority_starts_first_although_its_step_is_limited(self):
        tasks = [(kind, {"n": n, "file": "a"}) for n in range(4) for kind in ("High", "Low")]
        for limit in {"max_concurrency": 1}, {"serial_key": "/file"}:
            (self.work / "seen").unlink(missing_ok=True)
            self.assert_run(self.run_workflow(
                [step("Split", emit(*tasks), ["Low", "High"]), step("Low", KEEP, options={"priority": -1}),
                 step("High", KEEP, options={"priority": 10} | limit)], "--jobs", "1"))
            self.assertEqual([kind for kind, _ in self.seen()], ["High"] * 4 + ["Low"] * 4)

    def test_a_dry_run_and_a_stub_know_the_options(self):
        path = self.write_config([step("Low", KEEP, options={"priority": -1}),
                                  step("Work", KEEP, env={"A": "1"}, options={"max_concurrency": 2, "priority": 7,
                                                                              "serial_key": "/file"})])
        tasks = json.dumps([{"kind": "Low", "value": 1}, {"kind": "Work", "value": {"file": "a"}}])
        out = self.run_program("barnum", "run", "--config", path, "--initial-state", tasks, "--dry-run").out
        self.assertIn('; no retries; at most 2 at once; priority 7; serial key "/file"\n', out)
        self.assertLess(out.index("task 1 Work"), out.index("task 0 Low"), "in the order in which they would start")
        stub = self.run_program("barnum", "run", "--config", path, "--initial-state", tasks, "--stub")
        self.assert_exit(stub, 0)
        self.assertIn("2 tasks with made-up values", stub.out)


@one_host("no pool is needed")
class Variables(WorkflowCase):
    SHOW = "echo $BARNUM_STEP:$1:$TOP:$OWN >> env; cat"

    def hook(self, name):
        return {"kind": "Command", "script": self.SHOW.replace("$1", name)}

    def test_commands_and_hooks_have_the_workflows_variables_and_their_steps(self):
        show = self.SHOW.replace("$1", "command")
        self.assert_run(self.run_workflow(
            [step("One", f"{show} >/dev/null; " + emit(("Two", 1)), ["Two"], env={"OWN": "own", "TOP": "other"},
                  pre=self.hook("pre"), post=self.hook("post"),
                  **{"finally": {"kind": "Command", "script": self.hook("finally")["script"] + " >/dev/null; echo '[]'"}}),
             step("Two", f"{show} >/dev/null; echo '[]'")], env={"TOP": "outer", "OWN": "outer"}))
        self.assertEqual((self.work / "env").read_text().splitlines(),
                         ["One:pre:other:own", "One:command:other:own", "One:post:other:own", "Two:command:outer:outer",
                          "One:finally:other:own"])

    def test_the_variables_at_the_top_are_for_all_steps(self):
        path = self.write_config([step("One", "echo $A-$B-$BARNUM_STEP >> env; " + emit(("Two", 1)), ["Two"],
                                       env={"B": "own"}),
                                  step("Two", "echo $A-$B-$BARNUM_STEP >> env; echo '[]'")])
        config = json.loads(path.read_text()) | {"env": {"A": "a", "B": "b c"}}
        path.write_text(json.dumps(config))
        self.assert_exit(self.run_program("barnum", "run", "--config", path), 0)
        self.assertEqual((self.work / "env").read_text().splitlines(), ["a-own-One", "a-b c-Two"])

    def test_a_secret_variable_is_redacted(self):
        result = self.run_workflow([step("One", "echo the token is $MY_TOKEN >&2; echo '[]'",
                                         env={"MY_TOKEN": "hush-hush-1", "PLAIN": "x"})])
        self.assert_run(result)
        self.assertIn("the token is ***", result.err)
        self.assertNotIn("hush-hush-1", result.err)


class AtThePool(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def wait_for_queue(self, length):
        wait_until(lambda: self.pool.queued() == length, f"{length} queued tasks")

    def queue_up(self, *tasks):
        """Each is (content, priority, transport)."""
        submitters = []
        for content, priority, transport in tasks:
            options = () if priority is None else ("--priority", str(priority))
            submitters.append(self.pool.submit(json.dumps(content), *options, transport=transport))
            self.wait_for_queue(len(submitters))
        return submitters

    def take_all(self, count):
        order = []
        for _ in range(count):
            task = self.pool.take()
            order.append(task["content"])
            self.pool.answer(task, "[]")
        return order

    def test_a_higher_priority_leaves_the_queue_first(self):
        tasks = [("plain", None, "socket"), ("low", -2, "file"), ("high", 5, "file"), ("later", 0, "socket"),
                 ("high too", 5, "socket")]
        submitters = self.queue_up(*tasks)
        self.assertEqual(self.take_all(5), ["high", "high too", "plain", "later", "low"])
        for submitter in submitters:
            self.assert_exit(submitter.result(), 0)

    def test_the_queue_keeps_its_order_when_the_daemon_is_killed(self):
        submitters = self.queue_up(("low", -1, "socket"), ("high", 2, "file"), ("first", 3, "socket"))
        taken = HandAgent(self.pool)
        self.assertEqual(json.loads(taken.task_text()), "first")
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()
        self.pool.start("--no-heartbeat")
        self.wait_for_queue(2)
        taken.ready.unlink()
        self.wait_for_queue(3)
        self.assertEqual(self.take_all(3), ["first", "high", "low"])
        for submitter in submitters:
            self.assert_exit(submitter.result(), 0)

    def test_a_priority_that_is_no_number_is_refused(self):
        with self.pool.connect() as connection:
            connection.send(inline("1", "one") | {"priority": "high"})
            answer = connection.receive()
        self.assertEqual((answer["reason"], answer["message"]),
                         ("invalid", 'the request\'s "priority" must be a whole number from -1000000 to 1000000'))


class RunsAtAPool(WorkflowCase):
    def test_a_steps_priority_counts_at_the_pool(self):
        agents = Pool(self)
        agents.start("--no-heartbeat")
        tasks = [("Plain", 1), ("Low", 1), ("High", 1), ("Plain", 2), ("High", 2)]
        run = self.start_run(
            [step("Split", emit(*tasks), ["Plain", "Low", "High"]), step("Plain", pool()),
             step("Low", pool(), options={"priority": -1}), step("High", pool(), options={"priority": 3})],
            "--no-embedded-pool")
        wait_until(lambda: agents.queued() == 5, "the tasks to be queued")
        late = agents.submit({"task": {"kind": "Late", "value": 1}}, "--priority", "1")
        wait_until(lambda: agents.queued() == 6, "one more to be queued")
        order = []
        for _ in range(6):
            task = agents.take()
            order.append((task["content"]["task"]["kind"], task["content"]["task"]["value"]))
            agents.answer(task, "[]")
        self.assertEqual(order, [("High", 1), ("High", 2), ("Late", 1), ("Plain", 1), ("Plain", 2), ("Low", 1)])
        self.assert_exit(late.result(), 0)
        self.assert_run(run.result())

    @one_host("its agents are those of a run")
    def test_it_counts_while_tasks_of_a_run_with_a_budget_wait_for_its_agents(self):
        agent = ("kind=$(grep -o '\"kind\":\"[A-Za-z]*\"' | head -n 1 | cut -d'\"' -f4); echo $kind >> order;"
                 " await go; echo '[]'")
        run = self.start_run(
            [step("Split", emit(("Low", 1), ("Low", 2), ("Low", 3), ("Make", 1)), ["Low", "Make"]),
             step("Low", pool(), options={"priority": -1}), step("Make", emit(("High", 1)), ["High"]),
             step("High", pool(), options={"priority": 1})],
            "--agents", "1", "--agent-exec", agent, "--log-file", "run.log", options={"budget": {"tokens": 1000}})
        log = self.work / "run.log"
        wait_until(lambda: log.exists() and "High: submitted" in log.read_text() and self.count("order") == 1,
                   "the others to wait for the agent")
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertEqual((self.work / "order").read_text().split(), ["Low", "High", "Low", "Low"])
