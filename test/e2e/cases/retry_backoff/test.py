"""retry_backoff: a failed task waits before it is tried again, and keeps nothing from the others meanwhile."""

import json
import re
import signal

from harness import Pool, wait_until
from harness.process import marked_processes
from harness.workflow import KEEP, WorkflowCase, emit, pool, step

# Notes the time of each attempt, and fails until the one whose number is in $GOOD (never, without it).
TRY = "date +%s.%N >> times; [ $BARNUM_ATTEMPT = ${GOOD:-0} ] && echo '[]'"


class Delays(WorkflowCase):
    def waits(self, name="times"):
        times = [float(line) for line in (self.work / name).read_text().splitlines()]
        return [later - earlier for earlier, later in zip(times, times[1:])]

    def run_tries(self, backoff, *, code=1, env=None, **options):
        result = self.run_workflow([step("Try", TRY)], env=env,
                                   options={"max_retries": 3, "retry_backoff": backoff} | options)
        self.assert_run(result, code)
        return result

    def assert_waits(self, *least):
        """Each wait is at least that long."""
        waits = self.waits()
        self.assertEqual(len(waits), len(least), waits)
        for wait, at_least in zip(waits, least):
            self.assertGreaterEqual(wait, at_least - 0.002)

    def test_waits_grow_by_the_factor(self):
        result = self.run_tries({"initial": 0.125, "factor": 3})
        self.assertEqual(re.findall(r"again as task \d in (.*?)\)", result.err), ["125 ms", "375 ms", "1.1 s"])
        self.assert_waits(0.125, 0.375, 1.125)

    def test_the_factor_is_2_if_absent_and_no_wait_is_longer_than_max(self):
        result = self.run_tries({"initial": 0.25, "max": 0.5})
        self.assertEqual(re.findall(r"again as task \d in (.*?)\)", result.err), ["250 ms", "500 ms", "500 ms"])
        self.assert_waits(0.25, 0.5, 0.5)

    def test_jitter_shortens_a_wait_by_its_part_at_most(self):
        self.run_tries({"initial": 0.4, "factor": 1, "jitter": 0.5})
        self.assert_waits(0.2, 0.2, 0.2)

    def test_a_steps_backoff_replaces_the_workflows(self):
        self.assert_run(self.run_workflow(
            [step("Try", TRY, options={"retry_backoff": {"initial": 0.2, "factor": 1}})],
            options={"max_retries": 2, "retry_backoff": {"initial": 1000}}), 1)
        self.assert_waits(0.2, 0.2)

    def test_after_a_wait_the_task_may_succeed(self):
        self.run_tries({"initial": 0.1}, code=0, env={"GOOD": 2})
        self.assert_waits(0.1)

    def test_a_finally_waits_too(self):
        self.assert_run(self.run_workflow([step("Ask", "echo '[]'", **{"finally": {"kind": "Command", "script": TRY}})],
                                          options={"max_retries": 1, "retry_backoff": {"initial": 0.3}}), 1)
        self.assert_waits(0.3)

    def test_the_log_says_when_it_is_tried_again(self):
        result = self.run_tries({"initial": 0.25, "factor": 6, "max": 1}, max_retries=2)
        told = re.findall(r"Try: failed \(attempt (\d) of 3, (.*?)\):", result.err)
        self.assertEqual(told, [("1", "again as task 1 in 250 ms"), ("2", "again as task 2 in 1.0 s"),
                                ("3", "dropped")])


class Meanwhile(WorkflowCase):
    FAIL_ONCE = "echo $BARNUM_STEP.$BARNUM_ATTEMPT >> order; [ $BARNUM_ATTEMPT = 2 ] && echo '[]'"
    OTHER = "echo other >> order; echo '[]'"

    def order(self):
        return (self.work / "order").read_text().split()

    def test_a_waiting_retry_holds_no_slot(self):
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Bad", 1), *[("Other", n) for n in range(3)]), ["Bad", "Other"]),
             step("Bad", self.FAIL_ONCE, options={"max_retries": 1, "retry_backoff": {"initial": 1.5}}),
             step("Other", self.OTHER)], options={"max_concurrency": 1}))
        self.assertEqual(self.order(), ["Bad.1", "other", "other", "other", "Bad.2"])

    def test_a_waiting_retry_holds_no_job(self):
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Bad", 1), ("Other", 1)), ["Bad", "Other"]),
             step("Bad", self.FAIL_ONCE, options={"max_retries": 1, "retry_backoff": {"initial": 1.5}}),
             step("Other", self.OTHER)], "--jobs", "1"))
        self.assertEqual(self.order(), ["Bad.1", "other", "Bad.2"])

    def test_a_retry_that_is_due_goes_to_the_back_of_the_queue(self):
        # Each of the others takes longer than the wait, so that the retry is due while two are still queued.
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Bad", 1), *[("Other", n) for n in range(3)]), ["Bad", "Other"]),
             step("Bad", self.FAIL_ONCE, options={"max_retries": 1, "retry_backoff": {"initial": 0.1}}),
             step("Other", "sleep 0.4; " + self.OTHER)], options={"max_concurrency": 1}))
        self.assertEqual(self.order(), ["Bad.1", "other", "other", "other", "Bad.2"])

    def test_a_finally_waits_for_a_descendant_that_waits(self):
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Bad", 1)), ["Bad"],
                  **{"finally": {"kind": "Command", "script": "echo finally >> order; echo '[]'"}}),
             step("Bad", self.FAIL_ONCE, options={"max_retries": 1, "retry_backoff": {"initial": 0.5}})]))
        self.assertEqual(self.order(), ["Bad.1", "Bad.2", "finally"])

    def test_an_agents_task_waits_as_well(self):
        agents = Pool(self)
        agents.start("--no-heartbeat")
        run = self.start_run([step("Ask", pool(), ["Keep"]), step("Keep", KEEP)], "--no-embedded-pool",
                             options={"max_retries": 1, "retry_backoff": {"initial": 0.5}})
        agents.answer(agents.take(), "nonsense")
        agents.answer(agents.take(), [{"kind": "Keep", "value": 1}])
        self.assert_run(run.result())
        self.assertIn("in 500 ms", run.err)
        self.assert_seen(("Keep", 1))

    def test_a_signal_ends_the_wait_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start_run([step("Bad", "exit 1")],
                                 options={"max_retries": 5, "retry_backoff": {"initial": 1000}})
            wait_until(lambda: "again as task 1 in 1000.0 s" in run.err, "the wait")
            run.signal(number)
            self.assert_run(run.result(), 128 + number)
            wait_until(lambda: not marked_processes(self.mark), "nothing to be left")

    def test_many_may_wait_at_once(self):
        count = 300
        tasks = emit(*[("Bad", n) for n in range(count)])
        result = self.run_workflow(
            [step("Split", tasks, ["Bad"]),
             step("Bad", "[ $BARNUM_ATTEMPT = 2 ] && echo x >> done && echo '[]'",
                  options={"max_retries": 1, "retry_backoff": {"initial": 0.5, "jitter": 1}})], "--log-level", "error")
        self.assert_run(result)
        self.assertEqual(self.count("done"), count)


class Mistakes(WorkflowCase):
    BAD = (({}, "initial", "{"), ({"initial": 0}, "initial", "0"), ({"initial": -1}, "initial", "-1"),
           ({"initial": "1"}, "initial", '"1"'), ({"initial": 1e10}, "initial", "10000000000.0"),
           ({"initial": 2, "max": 1.5}, "max", "1.5"), ({"initial": 1, "max": 0}, "max", "0"),
           ({"initial": 1, "max": None}, "max", "null"), ({"initial": 1, "factor": 0.5}, "factor", "0.5"),
           ({"initial": 1, "factor": "x"}, "factor", '"x"'), ({"initial": 1, "jitter": 1.5}, "jitter", "1.5"),
           ({"initial": 1, "jitter": -0.1}, "jitter", "-0.1"), ({"initial": 1, "jitter": True}, "jitter", "true"),
           ({"initial": 1, "facter": 2}, "factor", '"facter"'), (3, "retry_backoff", "3"))

    def assert_mistake(self, text, word, token):
        """The config is refused with one problem, which has the word, at that token behind "retry_backoff"."""
        (self.work / "flow.jsonc").write_text(text)
        result = self.run_program("barnum", "run", "--config", "flow.jsonc")
        self.assert_run(result, 2)
        found = re.findall(r"flow\.jsonc:(\d+):(\d+): error: (.*)$", result.err, re.MULTILINE)
        self.assertEqual(len(found), 1, result.err)
        line, column, message = found[0]
        self.assertIn(word, message)
        written = text.splitlines()[int(line) - 1]
        self.assertEqual(written[int(column) - 1:][:len(token)], token, message)

    def test_each_bad_value_is_a_mistake_with_its_place_in_the_workflows_options(self):
        for backoff, word, token in self.BAD:
            with self.subTest(backoff=backoff):
                self.assert_mistake('{\n  "options": {\n    "retry_backoff": ' + json.dumps(backoff) +
                                    ', "max_retries": 1},\n  "steps": [{"name": "A", '
                                    '"action": {"kind": "Command", "script": "true"}}]}', word, token)

    def test_and_in_a_steps(self):
        for backoff, word, token in self.BAD:
            with self.subTest(backoff=backoff):
                self.assert_mistake('{"steps": [{"name": "A", "action": {"kind": "Command", "script": "true"},\n'
                                    '  "options": {"retry_backoff":\n    ' + json.dumps(backoff) +
                                    ', "max_retries": 1}}]}', word, token)
