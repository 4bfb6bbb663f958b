"""What fails an attempt, what a retry policy makes of it, and that nothing invalid goes on (docs/retries.md, docs/task-protocol.md)."""

import json

from harness import Pool, wait_until, windows
from harness.workflow import KEEP, WorkflowCase, emit, pool, step

# What an action may answer, and why it is refused.
INVALID = {
    "not JSON": "nonsense",
    "JSON with something after it": "[] []",
    "nothing": "",
    "an object": '{"kind": "Next", "value": {"n": 1}}',
    "a string": '"[]"',
    "null": "null",
    "an unknown kind": '[{"kind": "Nowhere", "value": {"n": 1}}]',
    "a kind that is not in next": '[{"kind": "Other", "value": {"n": 1}}]',
    "no kind": '[{"value": {"n": 1}}]',
    "no value": '[{"kind": "Next"}]',
    "a value against the schema": '[{"kind": "Next", "value": {"n": "one"}}]',
    "a value without what the schema requires": '[{"kind": "Next", "value": {}}]',
    "one good task and one bad": '[{"kind": "Next", "value": {"n": 1}}, {"kind": "Next", "value": 2}]',
    "an array of no tasks": "[7]",
}
SCHEMA = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


def workflow(action, **options):
    return [step("Ask", action, ["Next"], options=options), step("Next", KEEP, value_schema=SCHEMA),
            step("Other", KEEP)]


def answer_then(first, then):
    """A script that answers `first` at the first attempt and `then` afterwards, and counts."""
    return (f"cat > /dev/null; echo x >> tries; if [ $BARNUM_ATTEMPT = 1 ]; then cat <<'EOF'\n{first}\nEOF\n"
            f"else cat <<'EOF'\n{then}\nEOF\nfi")


class Commands(WorkflowCase):
    def reset(self):
        for name in ("tries", "seen"):
            (self.work / name).unlink(missing_ok=True)

    def test_each_kind_of_invalid_response_is_retried(self):
        for why, text in INVALID.items():
            with self.subTest(why=why):
                self.reset()
                good = json.dumps([{"kind": "Next", "value": {"n": 1}}])
                self.assert_run(self.run_workflow(workflow(answer_then(text, good), max_retries=1)))
                self.assertEqual(self.count("tries"), 2)
                self.assert_seen(("Next", {"n": 1}))

    def test_each_kind_of_invalid_response_is_dropped_when_retries_are_used_up(self):
        for why, text in INVALID.items():
            with self.subTest(why=why):
                self.reset()
                result = self.run_workflow(workflow(answer_then(text, text), max_retries=1))
                self.assert_run(result, 1)
                self.assertEqual(self.count("tries"), 2)
                self.assert_seen()
                self.assertIn("Ask", result.err)

    def test_without_retries_the_first_failure_drops_the_task(self):
        for script in ("echo x >> tries; exit 1", "echo x >> tries; echo nonsense"):
            self.reset()
            self.assert_run(self.run_workflow(workflow(script)), 1)
            self.assertEqual(self.count("tries"), 1)

    def test_a_non_zero_exit_is_retried_even_if_the_output_is_fine(self):
        script = "echo x >> tries; echo '[]'; exit 4"
        result = self.run_workflow(workflow(script, max_retries=2))
        self.assert_run(result, 1)
        self.assertEqual(self.count("tries"), 3)
        self.assertIn("4", result.err)

    def test_retry_on_invalid_response_false_drops_at_once(self):
        self.assert_run(self.run_workflow(workflow("echo x >> tries; echo nonsense", max_retries=5,
                                                   retry_on_invalid_response=False)), 1)
        self.assertEqual(self.count("tries"), 1)
        self.reset()
        self.assert_run(self.run_workflow(workflow("echo x >> tries; exit 1", max_retries=1,
                                                   retry_on_invalid_response=False)), 1)
        self.assertEqual(self.count("tries"), 2)  # an exit code is another kind of failure

    def test_a_timeout_is_retried_and_retry_on_timeout_false_drops_at_once(self):
        for retry, tries in ((True, 2), (False, 1)):
            for timeout in windows():
                self.reset()
                self.assert_run(self.run_workflow(workflow("echo x >> tries; sleep 1000", max_retries=1, timeout=timeout,
                                                           retry_on_timeout=retry)), 1)
                if self.count("tries") >= tries:
                    break
            self.assertEqual(self.count("tries"), tries)

    def test_a_timeout_is_followed_by_a_success(self):
        script = "echo x >> tries; [ $BARNUM_ATTEMPT = 1 ] && sleep 1000; echo '[]'"
        for timeout in windows():
            self.reset()
            result = self.run_workflow(workflow(script, max_retries=1, timeout=timeout))
            if result.code == 0 and self.count("tries") == 2:
                break
        self.assert_run(result)
        self.assertEqual(self.count("tries"), 2)

    def test_a_steps_options_win_over_the_global_ones(self):
        script = "echo x >> tries.$BARNUM_STEP; exit 1"
        self.assert_run(self.run_workflow(
            [step("Split", emit(("Own", 1), ("Global", 1)), ["Own", "Global"]),
             step("Own", script, options={"max_retries": 3}), step("Global", script)],
            options={"max_retries": 1}), 1)
        self.assertEqual((self.count("tries.Own"), self.count("tries.Global")), (4, 2))

    def test_a_global_timeout_holds_for_each_step_without_its_own(self):
        for timeout in windows():
            result = self.run_workflow(
                [step("Split", emit(("Patient", 1), ("Hasty", 1)), ["Patient", "Hasty"]),
                 step("Patient", f"sleep {timeout + 1}; " + KEEP, options={"timeout": 600}),
                 step("Hasty", "sleep 1000; " + KEEP)], options={"timeout": timeout})
            if self.seen():
                break
        self.assert_run(result, 1)
        self.assert_seen(("Patient", 1))

    def test_a_retry_goes_to_the_back_of_the_queue(self):
        script = ("read -r line; echo \"$line $BARNUM_ATTEMPT\" >> order; "
                  "case \"$line\" in *'value\":0'*) [ $BARNUM_ATTEMPT = 1 ] && exit 1;; esac; echo '[]'")
        self.assert_run(self.run_workflow([step("Split", emit(*[("Work", n) for n in range(5)]), ["Work"]),
                                           step("Work", script)], "--jobs", "1", options={"max_retries": 1}))
        order = [(json.loads(line[:-2])["value"], line[-1]) for line in (self.work / "order").read_text().splitlines()]
        self.assertEqual(order, [(0, "1"), (1, "1"), (2, "1"), (3, "1"), (4, "1"), (0, "2")])


class Agents(WorkflowCase):
    """The same for what agents answer."""

    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.pool.start("--no-heartbeat")

    def answer(self, text):
        assignment = self.pool.take()
        self.assertEqual(assignment["content"]["task"]["kind"], "Ask")
        self.pool.answer(assignment, text)

    def test_each_kind_of_invalid_response_of_an_agent_is_retried(self):
        kinds = {why: text for why, text in INVALID.items() if text}  # an empty file is not yet an answer
        run = self.start_run(workflow(pool()), "--no-embedded-pool", options={"max_retries": len(kinds)})
        for text in kinds.values():
            self.answer(text)
        self.answer([{"kind": "Next", "value": {"n": 1}}])
        self.assert_run(run.result())
        self.assert_seen(("Next", {"n": 1}))

    def test_an_invalid_response_of_an_agent_is_dropped_when_retries_are_used_up(self):
        run = self.start_run(workflow(pool(), max_retries=1), "--no-embedded-pool")
        self.answer("nonsense")
        self.answer('[{"kind": "Nowhere", "value": 1}]')
        result = run.result()
        self.assert_run(result, 1)
        self.assertIn("Nowhere", result.err)
        self.assert_seen()

    def test_an_agent_that_takes_too_long_is_kicked_and_the_task_retried(self):
        for timeout in windows():
            run = self.start_run(workflow(pool(), max_retries=1, timeout=timeout), "--no-embedded-pool")
            late = self.pool.take()
            self.assertEqual(late["content"]["timeout_seconds"], timeout)
            wait_until(lambda: self.pool.agent_files(late["uuid"]) == [], "the agent to be kicked")
            self.answer([{"kind": "Next", "value": {"n": 2}}])
            if run.result().code == 0:
                break
        self.assert_run(run.result())
        self.assert_seen(("Next", {"n": 2}))
