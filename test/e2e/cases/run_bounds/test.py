"""The bounds of a run: max_tasks, max_depth and max_run_seconds end a runaway loop in order; and the limits of a response."""

import json
import random
import signal
from collections import Counter

from harness import let_pass, wait_until
from harness.runs import WAITS, RunsCase
from harness.workflow import KEEP, command, emit, pool, step

FINALLY = {"finally": command("echo ran >>finally; echo '[]'")}
LOOP = """echo ran >>loops; echo '[{"kind": "Loop", "value": 1}]'"""


def loop(script=LOOP, **more):
    """A task that leads to a loop without an end, and has a finally."""
    return [step("Root", emit(("Loop", 0)), ["Loop"], **FINALLY), step("Loop", script, ["Loop"], **more)]


def fan_out(count, *more, **options):
    return [step("Root", emit(*(("Keep", n) for n in range(count))), ["Keep"], **FINALLY), step("Keep", KEEP, **options), *more]


class BoundsCase(RunsCase):
    def last(self):
        return self.ps("-a")[-1]

    def entries(self):
        return [json.loads(line) for line in open(self.last()["state_log"])]

    def outcomes(self):
        """By step: how often its tasks ended with which outcome, or with which reason."""
        steps, found = {}, Counter()
        for entry in self.entries():
            if entry["kind"] == "TaskSubmitted":
                steps[entry["task_id"]] = entry["step"]
            elif entry["kind"] == "TaskCompleted":
                outcome = entry["outcome"]
                how = outcome["value"]["reason"]["kind"] if outcome["kind"] == "Failed" else outcome["kind"]
                found[steps[entry["task_id"]], how] += 1
        return found

    def counts(self):
        return self.count("loops"), self.count("finally")

    def assert_bounded(self, result, bound, counts="1 of Loop"):
        self.assert_exit(result, 1)
        self.assertRegex(result.err, rf"run failed: .* dropped; not started because of {bound}: {counts}\n")
        self.assertIn("to start what was past a bound, give `barnum retry` a larger one", result.err)
        self.assertEqual(result.err.count("; others past"), 0 if bound == "max_run_seconds" else 1)


class RunawayLoops(BoundsCase):
    def test_max_tasks(self):
        result = self.run_workflow(loop(), options={"max_tasks": 5})
        self.assert_bounded(result, "max_tasks")
        self.assertEqual(self.counts(), (4, 1), "the first task is one of the five")
        self.assertIn("task 5 Loop: not started: it is number 6 of the tasks, and max_tasks is 5; others past", result.err)
        run = self.last()
        self.assertEqual((run["state"], run["exit_code"], run["tasks"]), ("failed", 1, {"done": 6, "left": 0, "dropped": 1}))
        shown = self.barnum("inspect", "last").out
        self.assertIn("\n  not started because of max_tasks: 1 of Loop\n", shown)
        self.assertRegex(shown, r"task 5 Loop, [0-9:. -]+: PastBound\n    not started: it is number 6 of the tasks")
        self.assertRegex(self.barnum("inspect", "last", "--task", 5).out, r"not started, dropped")

    def test_max_depth_and_the_command_line_wins(self):
        self.assert_bounded(self.run_workflow(loop(), "--max-depth", "3", options={"max_depth": 100}), "max_depth")
        self.assertEqual(self.counts(), (2, 1))
        self.assertEqual(self.outcomes()["Loop", "PastBound"], 1)

    def test_max_run_seconds(self):
        result = self.run_workflow(loop(), "--max-run-seconds", "0.5")
        self.assert_bounded(result, "max_run_seconds")
        self.assertEqual(result.err.count("the run has lasted max_run_seconds: only finallys are started from now on"), 1)
        self.assertEqual(self.count("finally"), 1)

    def test_a_loop_that_goes_through_finallys_ends_as_well(self):
        again = command("echo ran >>loops; echo '[{\"kind\": \"Loop\", \"value\": 1}]'")
        result = self.run_workflow([step("Loop", "echo '[]'", **{"finally": again})], options={"max_tasks": 4})
        self.assert_bounded(result, "max_tasks")
        self.assertEqual(self.count("loops"), 4, "a task that was never tried has no finally")

    def test_a_loop_that_branches_out(self):
        twice = 'echo ran >>loops; echo \'[{"kind": "Loop", "value": 1}, {"kind": "Loop", "value": 2}]\''
        result = self.run_workflow(loop(twice), options={"max_depth": 6, "max_concurrency": 4})
        self.assert_bounded(result, "max_depth", "32 of Loop")
        self.assertEqual(self.counts(), (31, 1))

    def test_first_tasks_past_the_bound(self):
        tasks = json.dumps([{"kind": "Keep", "value": n} for n in range(5)])
        result = self.run_workflow([step("Keep", KEEP)], "--initial-state", tasks, "--max-tasks", "2")
        self.assert_bounded(result, "max_tasks", "3 of Keep")
        self.assert_seen(("Keep", 0), ("Keep", 1))

    def test_what_failed_is_told_beside_what_was_past_the_bound(self):
        steps = fan_out(30, step("Bad", "exit 3"))
        steps[0] = step("Root", emit(("Bad", 0), *(("Keep", n) for n in range(30))), ["Bad", "Keep"])
        result = self.run_workflow(steps, "--max-tasks", "2")
        self.assert_exit(result, 1)
        self.assertRegex(result.err, r"31 dropped; not started because of max_tasks: 30 of Keep\n")
        self.assertEqual(result.err.count("dropped: task"), 1)
        self.assertNotIn("more, in the log above", result.err)

    def test_the_events_tell_it(self):
        result = self.run_workflow(loop(), "--max-tasks", "3", "--progress", "json")
        self.assert_exit(result, 1)
        events = [json.loads(line) for line in result.err.splitlines() if line.startswith("{")]
        (dropped,) = [event for event in events if event["event"] == "task_dropped"]
        self.assertEqual((dropped["step"], dropped["seconds"]), ("Loop", 0))
        (ended,) = [event for event in events if event["event"] == "run_ended"]
        self.assertEqual((ended["result"], ended["message"]), ("failed", "not started because of max_tasks: 1 of Loop"))
        self.assertEqual((ended["tasks"]["done"], ended["tasks"]["dropped"], ended["tasks"]["waiting"]), (4, 1, 0))


class TheEndOfTheTime(BoundsCase):
    def test_what_runs_ends_as_usual_and_what_it_leads_to_is_dropped(self):
        waits = WAITS.replace("echo '[]'", emit(("Keep", 1)))
        run = self.start_run([step("Wait", waits, ["Keep"], **FINALLY), step("Keep", KEEP)], "--max-run-seconds", "0.2")
        wait_until(lambda: "max_run_seconds" in run.err, "the time to be up")
        self.assertTrue(run.running, "its task goes on")
        (self.work / "go").touch()
        self.assert_bounded(run.result(), "max_run_seconds", "1 of Keep")
        self.assertEqual(self.outcomes(), {("Wait", "Success"): 2, ("Keep", "PastBound"): 1})
        self.assertEqual((self.seen(), self.count("finally")), ([], 1))

    def test_a_task_that_no_agent_has_is_taken_back(self):
        result = self.run_workflow([step("Ask", pool(), **FINALLY)], "--max-run-seconds", "0.2")
        self.assert_bounded(result, "max_run_seconds", "1 of Ask")
        self.assertEqual(self.count("finally"), 0, "the task was never tried")

    def test_a_retry_is_not_waited_for(self):
        """And the task that was tried has its finally."""
        late = {"max_retries": 2, "retry_backoff": {"initial": 100000}}
        result = self.run_workflow([step("Fail", "exit 3", options=late, **FINALLY)], "--max-run-seconds", "0.5")
        self.assert_bounded(result, "max_run_seconds", "1 of Fail")
        self.assertEqual(self.outcomes(), {("Fail", "CommandFailed"): 1, ("Fail", "PastBound"): 1, ("Fail", "Success"): 1})

    def test_a_run_that_is_over_before_is_not_held_up(self):
        self.assert_run(self.run_workflow(fan_out(2), "--max-run-seconds", "1000000"))


class GoingOn(BoundsCase):
    def test_a_killed_run_keeps_its_bound(self):
        """Of the config, and of the command line, which `barnum resume` repeats."""
        holds = LOOP.replace("echo", "[ ! -e loops ] || [ -e go ] || { touch started; sleep 1000; }; echo", 1)
        run = self.start_run(loop(holds), "--max-tasks", "6", options={"max_depth": 100})
        wait_until((self.work / "started").exists, "the second task of the loop")
        self.kill(run)
        (self.work / "go").touch()
        self.assertIn("--max-tasks=6", " ".join(self.only()["options"]))
        result = self.barnum("resume", "last", code=1)
        self.assert_bounded(result, "max_tasks")
        self.assertEqual(self.counts(), (5, 1))

    def test_a_resumed_run_may_have_another_bound(self):
        holds = LOOP.replace("echo", "[ ! -e loops ] || [ -e go ] || { touch started; sleep 1000; }; echo", 1)
        run = self.start_run(loop(holds), options={"max_tasks": 6})
        wait_until((self.work / "started").exists, "the second task of the loop")
        self.kill(run)
        (self.work / "go").touch()
        self.assert_bounded(self.barnum("resume", "last", "--max-tasks", "8", code=1), "max_tasks")
        self.assertEqual(self.counts(), (7, 1))

    def test_retry_starts_what_was_past_a_bound_if_that_is_larger(self):
        self.assert_bounded(self.run_workflow(fan_out(5), options={"max_tasks": 3}), "max_tasks", "3 of Keep")
        self.assertEqual((len(self.seen()), self.count("finally")), (2, 1))
        self.assert_bounded(self.barnum("retry", "last", code=1), "max_tasks", "3 of Keep")
        self.assertEqual((len(self.seen()), self.count("finally")), (2, 2))
        self.assert_bounded(self.barnum("retry", "last", "--max-tasks", "4", code=1), "max_tasks", "2 of Keep")
        self.assertEqual(len(self.seen()), 3)
        self.barnum("retry", "last", "--max-tasks", "6")
        self.assert_seen(*(("Keep", n) for n in range(5)))
        self.assertEqual(self.count("finally"), 4)

    def test_retry_of_a_loop_goes_on_where_it_was(self):
        self.assert_bounded(self.run_workflow(loop(), "--max-depth", "4"), "max_depth")
        self.assertEqual(self.counts(), (3, 1))
        self.assert_bounded(self.barnum("retry", "last", "--max-depth", "6", code=1), "max_depth")
        self.assertEqual(self.counts(), (5, 2))

    def test_a_bounded_run_that_has_finished_has_nothing_to_resume(self):
        self.run_workflow(loop(), "--max-tasks", "3")
        self.assertRegex(self.barnum("resume", "last").err, "nothing to do: .* 1 task dropped, which `barnum retry` tries again")

    def test_a_detached_run_ends_with_the_same_code(self):
        path = self.write_config(loop())
        started = self.barnum("run", "--detach", "--config", path, "--max-tasks", "3")
        self.barnum("wait", started.out.strip(), code=1)
        self.assertEqual(self.counts(), (2, 1))

    def test_kills_at_any_moment_change_nothing(self):
        """A tree of 40 tasks, of which 25 may be; however often it is killed, these are done, and the others dropped."""
        branch = "sleep 0.05; " + emit(*[("Branch", n) for n in range(3)])
        steps = [step("Root", emit(*[("Branch", n) for n in range(3)]), ["Branch"], **FINALLY),
                 step("Branch", branch, ["Branch"])]
        seed = random.SystemRandom().randrange(1_000_000)
        choose = random.Random(seed)
        run = self.start_run(steps, "--max-tasks", "25")
        for _ in range(6):
            wait_until(lambda: "state log: " in run.err or not run.running, "its log")
            let_pass(choose.uniform(0, 0.15))
            if not run.running:
                break
            run.signal(signal.SIGKILL)
            run.result()
            wait_until(lambda: self.last()["state"] != "running", "the guard to let go of the log")
            run = self.start("barnum", "resume", "last")
        run.result()
        found = self.outcomes()
        self.assertEqual((found["Branch", "Success"], found["Root", "Success"]), (24, 2), f"seed {seed}")
        submitted = [entry for entry in self.entries() if entry.get("step") == "Branch"]
        self.assertEqual(found["Branch", "PastBound"], len(submitted) - 24, f"seed {seed}")


class Responses(BoundsCase):
    def refused(self, script, *words, **options):
        result = self.run_workflow([step("Big", f"echo ran >>ran; {script}", ["Big"], options={"max_retries": 1} | options)])
        self.assert_run(result, 1)
        for word in words:
            self.assertIn(word, result.err)
        self.assertEqual(self.count("ran"), 2, "it is retried like any invalid response")
        self.assertEqual(self.outcomes()["Big", "InvalidResponse"], 2)

    def test_too_many_tasks(self):
        self.refused(emit(*[("Big", n) for n in range(4)]),
                     "invalid response: it has 4 tasks, more than the 3 that are allowed (max_tasks_per_response)",
                     max_tasks_per_response=3)

    def test_more_tasks_than_usual(self):
        many = "jq -nc '[range(100001) | {kind: \"Big\", value: .}]'"
        self.refused(many, "it has 100001 tasks, more than the 100000 that are allowed (max_tasks_per_response)")

    def test_too_many_bytes_are_not_read(self):
        """The command never ends by itself."""
        self.refused("yes", "invalid response: it has more than the 1000 bytes that are allowed (max_response_bytes)",
                     "the command wrote too much to its stdout and was ended", max_response_bytes=1000)

    def test_more_bytes_than_usual(self):
        self.refused("head -c 67108865 /dev/zero | tr '\\0' ' '", "more than the 67108864 bytes that are allowed (max_response_bytes)")

    def test_a_finally(self):
        more = {"finally": command("yes"), "options": {"max_response_bytes": 5000}}
        result = self.run_workflow([step("A", "echo '[]'", **more)])
        self.assert_run(result, 1)
        self.assertIn("the finally hook's output: it has more than the 5000 bytes that are allowed", result.err)

    def test_an_agent(self):
        result = self.run_workflow([step("Ask", pool(), ["Ask"])], "--agents", "1", "--agent-exec",
                                   emit(*[("Ask", n) for n in range(3)]), options={"max_tasks_per_response": 2})
        self.assert_run(result, 1)
        self.assertIn("it has 3 tasks, more than the 2 that are allowed (max_tasks_per_response)", result.err)

    def test_a_larger_limit_allows_more(self):
        steps = [step("Big", "head -c 70000000 /dev/zero | tr '\\0' ' '; echo '[]'", options={"max_response_bytes": 80_000_000})]
        self.assert_run(self.run_workflow(steps))


class Trials(BoundsCase):
    def test_a_dry_run_shows_the_bounds(self):
        result = self.run_workflow(loop(), "--dry-run", "--max-run-seconds", "90", options={"max_tasks": 7, "max_depth": 3})
        self.assert_exit(result, 0)
        self.assertIn("\nbounds        max_tasks 7, max_depth 3, max_run_seconds 90 s\n", result.out)

    def test_a_stub_walks_through_all_steps_whatever_the_bound(self):
        result = self.run_workflow(loop(), "--stub", options={"max_tasks": 1})
        self.assert_exit(result, 0)
        self.assertIn("steps visited: 2 of 2", result.out)

    def test_a_cycle_without_a_bound_is_warned_of_when_a_config_is_validated(self):
        told = 'warning: a cycle without a bound: "Loop" -> "Loop"; nothing ends a run that goes on in it'
        result = self.barnum("config", "validate", self.write_config(loop()))
        self.assertIn(told, result.err)
        self.assertNotIn("without a bound", self.run_workflow(loop(), "--max-tasks", "2").err)
        for bound in ("max_tasks", "max_depth", "max_run_seconds"):
            result = self.barnum("config", "validate", self.write_config(loop(), options={bound: 1}))
            self.assertNotIn("without a bound", result.err)
