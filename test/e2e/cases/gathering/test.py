"""What a task has led to, for its `finally` (BARNUM_RESULTS) and for its `gather`: which tasks, in which order, also
after retries, kills, resumes, `retry` and `--reuse`."""

import json
import signal

from harness import wait_until
from harness.environment import is_thorough
from harness.workflow import KEEP, WorkflowCase, command, emit, step

SAVE = "cp \"$BARNUM_RESULTS\" \"results.$(cat | tr -dc a-z0-9)\"; echo '[]'"
SUMMARY = step("Summary", KEEP)
NOTE = step("Note", "cat >/dev/null; echo '[]'")
MANY = 100_000 if is_thorough() else 20_000


class GatheringCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.runs = self.home / ".local/state/barnum/runs"

    def directory(self):
        """Of the newest run."""
        return max(self.runs.iterdir(), key=lambda path: path.stat().st_mtime_ns)

    def rows(self, name):
        return [json.loads(line) for line in (self.work / f"results.{name}").read_text().splitlines()]

    def summaries(self):
        return [value for _, value in self.seen()]

    def kill_when_stopped(self, steps, *args):
        run = self.start_run(steps, "--state-log", "run.ndjson", *args)
        wait_until((self.work / "stopped").exists, "the run to come to the place")
        run.signal(signal.SIGKILL)
        run.result()
        (self.work / "go").touch()

    def resume(self, code=0):
        result = self.run_program("barnum", "run", "--resume-from", "run.ndjson")
        self.assert_run(result, code)
        return result


def split(*notes, **more):
    return step("Split", emit(*notes), ["Note"], **more)


def gather(*of, into="Summary"):
    return {"into": into, "of": list(of or ["Note"])}


class Finallys(GatheringCase):
    def test_a_finally_finds_every_descendant_in_order_of_the_numbers(self):
        slow_first = step("Part", "value=$(jq .value); [ $value != 1 ] || await last\n"
                                  "[ $value != 3 ] || touch last\n"
                                  "printf '[{\"kind\": \"Note\", \"value\": \"%s é\"}]' $value", ["Note"])
        self.assert_run(self.run_workflow([
            step("Split", emit(("Part", 1), ("Part", 2), ("Part", 3)), ["Part"], **{"finally": command(SAVE)}),
            slow_first, NOTE], "--entrypoint-value", '"all"'))
        rows = self.rows("all")
        self.assertEqual([row["id"] for row in rows], [1, 2, 3, 4, 5, 6])
        self.assertEqual([(row["kind"], row["value"], row["outcome"]) for row in rows[:3]],
                         [("Part", n, "done") for n in (1, 2, 3)])
        notes = {row["value"]: row["parent"] for row in rows[3:]}
        self.assertEqual(notes, {"1 é": 1, "2 é": 2, "3 é": 3})
        self.assertEqual({tuple(row) for row in rows}, {("id", "parent", "kind", "value", "outcome")})
        self.assertFalse((self.directory() / "results").exists())

    def test_retried_and_dropped_tasks_appear_once_as_they_ended(self):
        self.assert_run(self.run_workflow([
            split(("Note", "good"), ("Note", "second"), ("Note", "bad"), **{"finally": command(SAVE)}),
            step("Note", "value=$(jq -r .value); [ $value != second ] || [ $BARNUM_ATTEMPT = 2 ] || exit 3\n"
                         "[ $value != bad ] || { echo why >&2; exit 4; }; echo '[]'", options={"max_retries": 1})],
            "--entrypoint-value", '"all"'), 1)
        rows = {row["value"]: row for row in self.rows("all")}
        self.assertEqual(len(rows), 3)
        self.assertEqual({value: row["outcome"] for value, row in rows.items()},
                         {"good": "done", "second": "done", "bad": "dropped"})
        self.assertEqual(rows["bad"]["error"], "the command exited with code 4\nwhy")
        self.assertEqual({row["parent"] for row in rows.values()}, {0})
        self.assertGreater(rows["second"]["id"], 3)  # that of the attempt that succeeded

    def test_what_a_finally_submits_belongs_to_its_task(self):
        inner = step("Inner", emit(("Note", "a")), ["Note"], **{"finally": command(SAVE.replace(
            "echo '[]'", "echo '[{\"kind\": \"Note\", \"value\": \"b\"}]'"))})
        self.assert_run(self.run_workflow([
            step("Outer", emit(("Inner", "in")), ["Inner"], **{"finally": command(SAVE)}), inner, NOTE],
            "--entrypoint-value", '"out"'))
        self.assertEqual([(row["kind"], row["value"], row["parent"]) for row in self.rows("in")], [("Note", "a", 1)])
        self.assertEqual([(row["kind"], row["value"], row["parent"]) for row in self.rows("out")],
                         [("Inner", "in", 0), ("Note", "a", 1), ("Note", "b", 1)])

    def test_a_task_without_descendants_has_an_empty_file(self):
        self.assert_run(self.run_workflow([step("Alone", "echo '[]'", **{"finally": command(SAVE)})],
                                          "--entrypoint-value", '"none"'))
        self.assertEqual(self.rows("none"), [])

    def test_a_finally_whose_results_cannot_be_written_fails_with_the_reason(self):
        steps = [step("Alone", 'touch "$BARNUM_RUNS/$BARNUM_RUN_ID/results"; echo "[]"',
                      **{"finally": command("touch ran; echo '[]'")})]
        self.env["BARNUM_RUNS"] = str(self.home / "runs")
        result = self.run_workflow(steps)
        self.assert_run(result, 1)
        self.assertIn("the finally hook was not started: its results could not be written: cannot create ", result.err)
        self.assertIn("/results/1.ndjson: Not a directory", result.err)
        self.assertFalse((self.work / "ran").exists())

    def test_a_killed_run_leaves_no_results(self):
        run = self.start_run([step("Alone", "echo '[]'",
                                   **{"finally": command("echo $BARNUM_RESULTS >place; touch started; sleep 100")})])
        wait_until((self.work / "started").exists, "the finally to run")
        results = (self.work / "place").read_text().strip()
        self.assertTrue(results.startswith(str(self.directory() / "results/")), results)
        run.signal(signal.SIGKILL)
        run.result()
        wait_until(lambda: not (self.directory() / "results").exists(), "the guard to remove the results")


class Gathers(GatheringCase):
    def test_the_results_go_into_one_task(self):
        notes = [("Note", {"n": n, "text": "1.0 é \\ \""}) for n in range(5)] + [("Other", 7)]
        self.assert_run(self.run_workflow([
            step("Split", emit(*notes), ["Note", "Other"], gather=gather()), NOTE,
            step("Other", "echo '[]'"), SUMMARY], "--entrypoint-value", '{"folder":"x"}'))
        self.assertEqual(self.summaries(), [{
            "value": {"folder": "x"}, "results": [{"kind": kind, "value": value} for kind, value in notes[:5]],
            "dropped": 0}])

    def test_a_person_is_not_asked_about_a_task_that_was_dropped(self):
        ask = step("Ask", {"kind": "Human", "instructions": "Good?"}, ["Summary"])
        fails = step("Split", "exit 1", ["Note"], gather=gather(into="Ask"))
        result = self.run_workflow([fails, NOTE, ask, SUMMARY], "--exit-when-waiting")
        self.assert_run(result, 1)
        self.assertIn("1 dropped", result.err)
        asked = self.run_workflow([split(("Note", 1), gather=gather(into="Ask")), NOTE, ask, SUMMARY], "--exit-when-waiting")
        self.assert_run(asked, 75)

    def test_dropped_tasks_are_counted_and_so_is_the_task_itself(self):
        fails = step("Note", "jq -e '.value == \"bad\"' >/dev/null && exit 1; echo '[]'")
        self.assert_run(self.run_workflow([split(("Note", "good"), ("Note", "bad"), gather=gather()), fails, SUMMARY],
                                          "--entrypoint-value", "1"), 1)
        self.assertEqual(self.summaries(),
                         [{"value": 1, "results": [{"kind": "Note", "value": "good"}], "dropped": 1}])
        (self.work / "seen").unlink()
        self.assert_run(self.run_workflow([step("Split", "exit 1", ["Note"], gather=gather()), NOTE, SUMMARY],
                                          "--entrypoint-value", "2"), 1)
        self.assertEqual(self.summaries(), [{"value": 2, "results": [], "dropped": 1}])

    def test_gathers_nest(self):
        part = step("Part", "jq -c '[{kind: \"Note\", value: (.value * 10)}, {kind: \"Note\", value: (.value * 10 + 1)}]'",
                    ["Note"], gather=gather(into="Sum"))
        self.assert_run(self.run_workflow([
            step("Split", emit(("Part", 1), ("Part", 2)), ["Part"], gather=gather("Sum")), part, NOTE,
            step("Sum", "cat >/dev/null; echo '[]'"), SUMMARY], "--entrypoint-value", "0"))
        (summary,) = self.summaries()
        sums = sorted((sum_["value"]["value"], [note["value"] for note in sum_["value"]["results"]])
                      for sum_ in summary["results"])
        self.assertEqual(sums, [(1, [10, 11]), (2, [20, 21])])

    def test_a_value_that_does_not_fit_is_told_and_not_tried_again(self):
        picky = SUMMARY | {"value_schema": {"properties": {"results": {"minItems": 3}}}}
        result = self.run_workflow([split(("Note", 1), gather=gather(), options={"max_retries": 3}), NOTE, picky])
        self.assert_run(result, 1)
        self.assertEqual(self.seen(), [])
        self.assertIn("task 2 Split (finally)", result.err)
        self.assertIn("the task of the gathered results", result.err)
        self.assertIn("results", result.err)



class Continued(GatheringCase):
    """The same over kills, resumes, `retry`, `--reuse` and `replay`."""

    STOP = "[ -e go ] || { touch stopped; sleep 100; }; "

    def expect_notes(self, *notes):
        self.assertEqual([(summary["value"], [note["value"] for note in summary["results"]], summary["dropped"])
                          for summary in self.summaries()], [({}, list(notes), 0)])

    def steps(self, note="", summary=""):
        return [split(("Note", 1), ("Note", 2), ("Note", 3), gather=gather()),
                step("Note", f"case $(cat) in *'\"value\":2}}'*) {note or ':'} ;; esac; echo '[]'"),
                step("Summary", summary + KEEP)]

    def test_a_resumed_run_gathers_what_was_done_before_the_kill(self):
        self.kill_when_stopped(self.steps(note=self.STOP), "--jobs", "1")
        self.resume()
        self.expect_notes(1, 2, 3)

    def test_a_run_that_is_killed_after_it_has_gathered_does_not_gather_again(self):
        self.kill_when_stopped(self.steps(summary=self.STOP))
        self.resume()
        self.expect_notes(1, 2, 3)

    def test_a_finally_that_was_killed_finds_the_results_again(self):
        steps = [split(("Note", 1), ("Note", 2), **{"finally": command(self.STOP + SAVE)}), NOTE]
        self.kill_when_stopped(steps, "--entrypoint-value", '"all"')
        self.resume()
        self.assertEqual([row["value"] for row in self.rows("all")], [1, 2])

    def test_the_results_are_the_same_wherever_the_log_was_cut(self):
        self.assert_run(self.run_workflow(self.steps(), "--state-log", "whole.ndjson", "--jobs", "1"))
        (expected,) = self.seen_text()
        whole = (self.work / "whole.ndjson").read_bytes()
        first = whole.index(b"\n", whole.index(b"\n") + 1) + 1  # a log has its first tasks from the beginning
        ends = [at + 1 for at in range(first - 1, len(whole)) if whole[at:at + 1] == b"\n"]
        for cut in [at for end in ends[:-1] for at in (end, end + 40)]:
            (self.work / "seen").unlink(missing_ok=True)
            (self.work / "run.ndjson").write_bytes(whole[:cut])
            self.resume()
            self.assertEqual(self.seen_text(), [expected], cut)

    def test_retried_tasks_are_gathered_anew(self):
        self.assert_run(self.run_workflow(self.steps(note="[ -e go ] || exit 1")), 1)
        (summary,) = self.summaries()
        self.assertEqual(summary["dropped"], 1)
        (self.work / "seen").unlink()
        (self.work / "go").touch()
        self.assert_run(self.run_program("barnum", "retry", "last"))
        self.expect_notes(1, 2, 3)

    def test_a_gather_is_reused_unless_something_that_it_gathers_is_new(self):
        self.assert_run(self.run_workflow(self.steps()))
        (self.work / "seen").unlink()
        self.assert_run(self.run_workflow(self.steps(), "--reuse", "last"))
        self.assertEqual(self.seen(), [])
        steps = self.steps()
        steps[0] = split(("Note", 1), ("Note", 2), ("Note", 4), gather=gather())
        self.assert_run(self.run_workflow(steps, "--reuse", "last"))
        self.expect_notes(1, 2, 4)

    def test_the_replay_of_a_gather_or_a_finally_has_the_same_results(self):
        self.assert_run(self.run_workflow([split(("Note", 1), ("Note", 2), gather=gather()), NOTE, SUMMARY]))
        replayed = self.run_program("barnum", "replay", "last", "3")
        self.assert_exit(replayed, 0)
        self.assertEqual(json.loads(replayed.out), [{"kind": "Summary", "value": {
            "value": {}, "results": [{"kind": "Note", "value": 1}, {"kind": "Note", "value": 2}], "dropped": 0}}])
        self.assert_run(self.run_workflow([split(("Note", 1), **{"finally": command(
            "jq -c '[{kind: \"Note\", value: .value}]' \"$BARNUM_RESULTS\"")}), NOTE]))
        replayed = self.run_program("barnum", "replay", "last", "2")
        self.assert_exit(replayed, 0)
        self.assertEqual(json.loads(replayed.out), [{"kind": "Note", "value": 1}])

    def test_many_results_are_gathered(self):
        steps = self.steps(summary=f"jq -c '[.value.dropped, (.value.results | length, map(.value) == [range({MANY})])]'"
                                   " >count; echo '[]'; exit; ")
        self.assert_run(self.run_workflow(steps, "--state-log", "small.ndjson"))
        begin = [json.loads(line) for line in (self.work / "small.ndjson").read_text().splitlines()[:2]]
        for line in begin:
            del line["checksum"]
        ids = range(1, MANY + 1)
        lines = begin + [self.done(0, ids)]
        lines += [{"kind": "TaskSubmitted", "task_id": n, "step": "Note", "value": n - 1, "parent_id": 0,
                   "origin": "Spawned"} for n in ids]
        lines += [self.done(n, []) for n in reversed(ids) if n != MANY // 2]
        (self.work / "run.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.resume()
        self.assertEqual(json.loads((self.work / "count").read_text()), [0, MANY, True])

    def done(self, task, children):
        return {"kind": "TaskCompleted", "task_id": task,
                "outcome": {"kind": "Success", "value": {"spawned_task_ids": list(children)}}}


# A node has as many children as its value says for its depth, and something large in it. Some scripts change their file.
NODE = """jq -c '.value as $v | [range($v.widths[0] // 0) | {kind: "Node", value: ($v + {path: "\\($v.path).\\(.)", widths: $v.widths[1:]})}]'"""
NODE_END = """path=$(sed 's/.*"path": *"//; s/".*//'); cp "$BARNUM_RESULTS" "results.$path"
case $path in
    *.0) sed -i 's/done/gone/' "$BARNUM_RESULTS" ;;
    *.1) printf 'xxxx' | dd of="$BARNUM_RESULTS" conv=notrunc bs=1 seek=100 2>/dev/null ;;
    *.2) rm "$BARNUM_RESULTS" ;;
    *.3) echo >> "$BARNUM_RESULTS" ;;
esac
[ ! -e "hold.$path" ] || { touch stopped; sleep 100; }
echo '[{"kind": "Note", "value": 1}]'"""


class NestedFinallys(GatheringCase):
    STEPS = [step("Node", NODE, ["Node"], **{"finally": command(NODE_END)}), NOTE]

    def expected(self):
        """By the paths of the nodes: the rows of all below them, without what their own `finally`s have emitted."""
        tasks, parents, finallys = {}, {}, {}
        for entry in map(json.loads, (self.directory() / "state.ndjson").read_text().splitlines()):
            if entry["kind"] != "TaskSubmitted":
                continue
            if isinstance(entry["origin"], dict):
                replaces = entry["origin"].get("Retry", {}).get("replaces")
                finallys[entry["task_id"]] = finallys.get(replaces, entry["origin"].get("Finally", {}).get("finally_for"))
                continue
            tasks[entry["task_id"]] = (entry["step"], entry["value"])
            parents[entry["task_id"]] = entry["parent_id"]
        rows = {task: [] for task in tasks}
        for task, (kind, value) in sorted(tasks.items()):
            parent = parents[task]
            while parent is not None:
                is_emitted = parent in finallys
                parent = finallys.get(parent, parent)
                if not is_emitted:
                    rows[parent].append((task, finallys.get(parents[task], parents[task]), kind, value))
                parent = parents[parent]
        return {value["path"]: rows[task] for task, (kind, value) in tasks.items() if kind == "Node"}

    def assert_results(self, count):
        expected = self.expected()
        self.assertEqual(len(expected), count)
        for path, rows in expected.items():
            self.assertEqual([(row["id"], row["parent"], row["kind"], row["value"]) for row in self.rows(path)], rows, path)

    def value(self, widths):
        return json.dumps({"path": "r", "widths": widths, "large": "x" * 20_000})

    def test_finallys_of_a_tree_find_what_is_below_them_whatever_scripts_do_with_their_files(self):
        self.assert_run(self.run_workflow(self.STEPS, "--jobs", "4", "--entrypoint-value", self.value([4, 3, 2, 1])))
        self.assert_results(1 + 4 + 12 + 24 + 24)

    def test_finallys_of_a_chain_find_what_is_below_them(self):
        self.assert_run(self.run_workflow(self.STEPS, "--entrypoint-value", self.value([1] * 30)))
        self.assert_results(31)

    def test_finallys_of_a_run_that_was_killed_find_what_is_below_them(self):
        (self.work / "hold.r.1").touch()
        self.kill_when_stopped(self.STEPS, "--jobs", "1", "--entrypoint-value", self.value([3, 2, 2, 1]))
        (self.work / "hold.r.1").unlink()
        self.resume()
        self.assert_results(1 + 3 + 6 + 12 + 12)
