"""`barnum run --reuse` runs only what is new since an earlier run, and `barnum why` tells the reason."""

import json
import os
import signal

from harness import wait_until
from harness.runs import RunsCase
from harness.statelog import entries
from harness.workflow import KEEP, command, emit, pool, step

GATED = "cat >/dev/null; echo gated >> gated; touch started; await go; "
# Fails once for the value 1, and as long as there is no file `fine` for 2.
FLAKY = """task=$(cat); n=$(printf %s "$task" | jq .value)
[ $n != 1 ] || [ -e once ] || { touch once; exit 1; }
[ $n != 2 ] || [ -e fine ] || exit 3
printf '%s\\n' "$task" >> seen; echo '[]'"""
# Answers with the task's value, in a task of the step Note.
AGENT = """#!/bin/sh
task=$(cat); echo x >>answers
printf '%s' "$task" | jq -c '[{kind: "Note", value: .task.value}]'
"""


def fan_out(part=KEEP, count=3, **more):
    return [step("Split", "echo x >> splits; " + emit(*[("Part", n) for n in range(count)]), ["Part"],
                 **{"finally": command("echo x >> finals; echo '[]'")}),
            step("Part", part, **more)]


class ReuseCase(RunsCase):
    def run_again(self, steps, *args, reuse="last", code=0, **more):
        result = self.run_workflow(steps, *(("--reuse", reuse) if reuse else ()), *args, **more)
        self.assert_run(result, code)
        return result

    def newest(self):
        return self.ps("-a")[-1]

    def log(self, run=None):
        return entries((self.runs / (run or self.newest())["id"]) / "state.ndjson")

    def reused(self, run=None):
        """The earlier task of each task whose result was taken over."""
        return {e["task_id"]: e["reused"]["task_id"] for e in self.log(run) if "reused" in e}

    def why(self, task, run="last", code=0):
        result = self.barnum("why", run, str(task), code=code)
        return result.out if code == 0 else result.err

    def assert_counts(self, **counts):
        self.assertEqual({name: self.count(name) for name in counts}, counts)

    def write(self, name, text, executable=False):
        (self.work / name).write_text(text)
        if executable:
            (self.work / name).chmod(0o755)


class Unchanged(ReuseCase):
    def test_nothing_runs_if_nothing_has_changed(self):
        self.run_again(fan_out(), reuse=None)
        first = self.newest()
        result = self.run_again(fan_out(), reuse=first["id"][:8])
        self.assert_counts(splits=1, seen=3, finals=1)
        self.assertRegex(result.err, "run finished: 5 tasks in .*, 5 of them reused")
        self.assertIn(f"results of run {first['id']} are reused\n", result.err)
        second = self.newest()
        self.assertEqual((second["reuses"], second["tasks"]), (first["id"], first["tasks"]))
        self.assertEqual(self.reused(), {task: task for task in range(5)})
        self.assertEqual(self.log()[0]["reuses"], {"run_id": first["id"], "state_log": first["state_log"]})
        self.assertEqual(self.why(2), f"task 2 Part: reused from task 2 of run {first['id']}\n")
        self.assertIn(f"(finally): reused from task 4 of run {first['id']}", self.why(4))

    def test_a_run_that_has_reused_results_is_reused_itself(self):
        self.run_again(fan_out(), reuse=None)
        self.run_again(fan_out())
        second = self.newest()
        self.run_again(fan_out(), reuse=second["state_log"])
        self.assert_counts(splits=1, seen=3, finals=1)
        self.assertEqual(self.newest()["reuses"], second["id"])

    def test_a_siblings_failure_invalidates_nothing_and_a_success_after_a_retry_counts(self):
        steps = fan_out(FLAKY, options={"max_retries": 1})
        self.run_again(steps, reuse=None, code=1)
        self.assert_seen(("Part", 0), ("Part", 1))
        first = self.newest()
        self.write("fine", "")
        self.run_again(steps)
        self.assert_seen(("Part", 0), ("Part", 1), ("Part", 2))
        self.assert_counts(splits=1, finals=2)
        self.assertRegex(self.why(3), f"^task 3 Part: ran because task \\d of run {first['id']}, which is equal, failed there "
                                      r"\(CommandFailed: .*3")
        self.assertIn("(finally): ran because its task 0, or a task that it waits for, was not reused", self.why(4))

    def test_equal_tasks_take_the_results_in_their_order_and_the_last_one_again(self):
        steps = [step("Count", "echo x >> n; n=$(wc -l <n); echo \"[{\\\"kind\\\": \\\"Keep\\\", \\\"value\\\": $n}]\"", ["Keep"]),
                 step("Keep", KEEP)]
        equal = {"kind": "Count", "value": {"a": 1, "b": [2]}}
        other_order = {"kind": "Count", "value": {"b": [2], "a": 1}}
        self.run_again(steps, "--initial-state", json.dumps([equal] * 2), "--jobs", "1", reuse=None)
        self.run_again(steps, "--initial-state", json.dumps([equal, other_order, equal]))
        self.assert_counts(n=2, seen=2)
        values = [e["value"] for e in self.log() if e.get("step") == "Keep"]
        self.assertEqual(values, [1, 2, 2])

    def test_large_values_are_taken_over_unchanged(self):
        steps = [step("Large", "echo x >> larges; jq -nc '[{kind: \"Keep\", value: (\"x\" * 100000)}]'", ["Keep"]), step("Keep", KEEP)]
        self.run_again(steps, reuse=None)
        self.run_again(steps)
        self.assert_counts(larges=1, seen=1)
        self.assertEqual([e["value"] for e in self.log() if e.get("step") == "Keep"], ["x" * 100000])


class Changed(ReuseCase):
    def test_a_changed_script_runs_again_and_what_is_new_below_it(self):
        self.run_again(fan_out(), reuse=None)
        first = self.newest()
        self.run_again(fan_out("echo new >> news\n" + KEEP))
        self.assert_counts(splits=1, seen=6, news=3, finals=2)
        self.assertEqual(set(self.reused()), {0})
        self.assertEqual(self.why(1), "task 1 Part: ran because `script` of Part changed (line 1):\n  + echo new >> news\n")
        self.assertIn(f"reused from task 0 of run {first['id']}", self.why(0))

    def test_changed_instructions_run_again_and_equal_notes_do_not(self):
        self.write("agent.sh", AGENT, executable=True)
        steps = [step("List", "echo x >> lists; " + emit(("Sum", 1), ("Sum", 2)), ["Sum"]),
                 step("Sum", pool({"link": "sum.md"}), ["Note"]), step("Note", KEEP)]
        agents = ("--agents", "1", "--agent-exec", "./agent.sh")
        self.write("sum.md", "Read it.\nSum it up.\nThank you.\n")
        self.run_again(steps, *agents, reuse=None)
        self.run_again(steps, *agents)
        self.assert_counts(lists=1, answers=2, seen=2)
        self.write("sum.md", "Read it.\nSum it up in a sentence.\nThank you.\n")
        self.run_again(steps, *agents)
        self.assert_counts(lists=1, answers=4, seen=2)
        self.assertEqual(self.why(1), "task 1 Sum: ran because `instructions` of Sum changed (line 2):\n"
                                      "  - Sum it up.\n  + Sum it up in a sentence.\n")

    def test_why_names_every_part_that_has_changed_and_new_steps_and_values(self):
        self.run_again([step("A", emit(("B", 1)), ["B"]), step("B", KEEP)], reuse=None)
        first = self.newest()
        changed = [step("A", emit(("B", 1), ("C", 2)), ["B", "C"], pre=command("cat"), value_schema={"type": "object"}),
                   step("B", KEEP), step("C", KEEP)]
        self.run_again(changed)
        reason = self.why(0)
        self.assertTrue(reason.startswith("task 0 A: ran because `script` of A changed (line 2):\n"), reason)
        for part in ("pre", "value_schema", "next"):
            self.assertIn(f"\nand because `{part}` of A changed (line ", reason)
        self.assertIn("\n  + C\n", reason)
        self.assertIn("reused from task 1", self.why(1))
        self.assertEqual(self.why(2), f"task 2 C: ran because C is a new step: run {first['id']} has none of that name\n")
        self.run_again(changed, "--entrypoint-value", '{"a": 1}')
        self.assertRegex(self.why(0), "^task 0 A: ran because its value is new: no task of A with this value succeeded in run ")

    def test_a_new_schema_of_a_step_that_follows_counts(self):
        first = step("A", "echo x >> firsts; " + emit(("B", 1)), ["B"])
        self.run_again([first, step("B", KEEP)], reuse=None)
        self.run_again([first, step("B", KEEP, value_schema={"type": "integer"})])
        self.assert_counts(seen=2, firsts=2)
        self.assertRegex(self.why(0), "because `value_schema of step B` of A changed")


class Interrupted(ReuseCase):
    def chain(self, gate):
        return [step("First", "echo x >> firsts; " + emit(("Gate", 1)), ["Gate"]), step("Gate", gate + emit(("Last", 1)), ["Last"]),
                step("Last", KEEP)]

    def killed_while_reusing(self):
        """A finished run, and one that reuses it and was killed in the step Gate, whose script is new."""
        self.run_again(self.chain(""), reuse=None)
        run = self.start_run(self.chain(GATED), "--reuse", "last")
        wait_until((self.work / "started").exists, "the task to start")
        run.signal(signal.SIGKILL)
        run.result()
        wait_until(lambda: self.newest()["state"] == "lost", "the guard to let go of the state log")
        self.write("go", "")
        return self.ps("-a")

    def test_a_reusing_run_that_was_killed_goes_on_reusing_when_it_is_resumed(self):
        first, killed = self.killed_while_reusing()
        self.barnum("resume", killed["id"])
        self.assert_counts(firsts=1, gated=2, seen=1)
        resumed = self.newest()
        self.assertEqual((resumed["resumes"], resumed["reuses"]), (killed["id"], first["id"]))
        self.assertEqual(self.reused(), {0: 0, 2: 2})
        self.assertIn(f"reused from task 2 of run {first['id']}", self.why(2))

    def test_it_goes_on_without_results_if_the_earlier_log_is_gone(self):
        first, killed = self.killed_while_reusing()
        os.remove(first["state_log"])
        result = self.barnum("resume", killed["id"])
        self.assertRegex(result.err, f"WARN +no more results of run {first['id']} are reused: .*No such file")
        self.assertEqual(result.err.count("WARN"), 1, result.err)
        self.assert_counts(firsts=1, seen=2)
        self.assertIn(f"the run reuses run {first['id']}: ", self.why(2, code=74))

    def test_a_run_that_goes_on_or_was_killed_can_be_reused(self):
        _, killed = self.killed_while_reusing()
        os.remove(self.work / "go")
        os.remove(self.work / "started")
        run = self.start_run(self.chain(GATED), "--reuse", killed["id"])
        wait_until((self.work / "started").exists, "the task to start")
        living = self.newest()
        os.remove(self.work / "started")
        third = self.start_run(self.chain(GATED), "--reuse", living["id"])
        wait_until((self.work / "started").exists, "the task to start")
        self.write("go", "")
        self.assert_run(run.result())
        self.assert_run(third.result())
        self.assert_counts(firsts=1)
        self.assertIn("which is equal, has not ended there", self.why(1, run=living["id"]))


class Told(ReuseCase):
    def test_a_dry_run_counts_the_first_tasks_that_would_be_reused(self):
        self.run_again(fan_out(), reuse=None)
        out = self.barnum("run", self.work / "flow.json", "--reuse", "last", "--dry-run").out
        self.assertRegex(out, "(?m)^results +of run .*: 1 of 1 task to begin with")
        self.assertEqual(len(self.ps("-a")), 1)

    def test_the_event_stream_and_inspect_tell_what_was_reused(self):
        self.run_again(fan_out(), reuse=None)
        first = self.newest()
        result = self.run_workflow(fan_out(), "--reuse", "last", "--progress", "json")
        events = [json.loads(line) for line in result.err.splitlines()]
        reused = [e for e in events if e["event"] == "task_reused"]
        self.assertEqual([(e["task"], e["from_task"], e["children"]) for e in reused][:2], [(0, 0, 3), (1, 1, 0)])
        self.assertEqual({e["from_run"] for e in reused}, {first["id"]})
        self.assertEqual(next(e for e in events if e["event"] == "run_ended")["tasks"]["done"], 5)
        self.assertIn(f"reused   from task 1 of run {first['id']}\n", self.barnum("inspect", "last", "--task", "1").out)
        shown = json.loads(self.barnum("inspect", "last", "--json").out)
        attempt = shown["tasks"][1]["attempts"][0]
        self.assertEqual((attempt["reused"], attempt["duration_ms"]), ({"run_id": first["id"], "task_id": 1}, None))
        self.assertEqual({step["mean_ms"] for step in shown["steps"]}, {None})

    def test_why_of_a_run_that_reuses_no_other(self):
        self.run_again(fan_out(), reuse=None)
        self.assertEqual(self.why(0), "task 0 Split: no result was reused: the run was started without --reuse\n")
        self.assertIn("there is no task 99 in ", self.why(99, code=2))

    def test_a_log_that_is_missing_or_damaged_is_refused(self):
        self.run_again(fan_out(), reuse=None)
        log = self.newest()["state_log"]
        os.rename(log, self.work / "moved")
        self.assertIn("No such file", self.barnum("run", "flow.json", "--reuse", "last", code=2).err)
        text = (self.work / "moved").read_bytes()
        (self.work / "damaged").write_bytes(text.replace(b"splits", b"splitz"))
        self.assertIn("--reuse: ", self.barnum("run", "flow.json", "--reuse", "damaged", code=74).err)
        self.assertEqual(len(self.ps("-a")), 1, "nothing has begun")
        self.run_again(fan_out(), reuse="moved")
        self.assert_counts(splits=1)
