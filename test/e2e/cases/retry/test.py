"""`barnum retry`: a new run that tries again what was dropped, and nothing else."""

import json
import re
import signal

from harness import wait_until
from harness.runs import QUICK, WAITS, RunsCase
from harness.workflow import emit, pool, step

ID = r"[0-9a-f]{8}-[0-9a-f-]{27}"

# Fails until the file `mended` exists; both times it says that it ran.
BREAKS = "echo ran >>breaks; [ -e mended ] || exit 3; echo '[]'"
DONE = "echo ran >>done; echo '[]'"
FINALLY = {"kind": "Command", "script": "echo ran >>finally; echo '[]'"}


def tree(**more):
    """A task with two children: one that is done, and one that breaks and has one retry."""
    return [step("Root", emit(("Done", 1), ("Breaks", 2)), ["Done", "Breaks"], **more), step("Done", DONE),
            step("Breaks", BREAKS, options={"max_retries": 1})]


class Retry(RunsCase):
    def fail_once(self, steps, *args):
        self.assert_run(self.run_workflow(steps, *args), 1)
        return self.ps("-a")[-1]

    def mend(self):
        (self.work / "mended").touch()

    def entries(self, run):
        return [json.loads(line) for line in open(run["state_log"])]

    def counts(self):
        return {name: self.count(name) for name in ("breaks", "done", "finally")}

    def test_only_the_dropped_task_runs_again_and_the_finally_that_came_after_it(self):
        earlier = self.fail_once(tree(**{"finally": FINALLY}), "--name", "nightly")
        log = open(earlier["state_log"]).read()
        self.assertEqual(self.counts(), {"breaks": 2, "done": 1, "finally": 1})
        self.mend()
        self.barnum("retry", "nightly")
        self.assertEqual(self.counts(), {"breaks": 3, "done": 1, "finally": 2})
        later = self.ps("-a")[-1]
        self.assertEqual((later["state"], later["retries"], later["resumes"], later["name"]),
                         ("finished", earlier["id"], "", "nightly"))
        self.assertEqual(later["tasks"], {"done": 4, "left": 0, "dropped": 0})
        self.assertEqual(open(earlier["state_log"]).read(), log, "the earlier log is unchanged")
        self.assertEqual(self.ps("-a")[0]["state"], "failed")
        self.assertEqual(self.entries(later)[0]["run_id"], later["id"])
        self.assertIn(f"run {later['id']}, which retries run {earlier['id']}\n", self.barnum("inspect", "last").out)

    def test_a_config_that_was_mended_is_told_not_to_count(self):
        earlier = self.fail_once(tree())
        told = f"flow.json has changed since then, and the config of the earlier run is used; .* barnum run --config \\S+ --reuse {earlier['id']}\n"
        self.assertNotRegex(self.barnum("retry", "last", code=1).err, told)
        self.write_config([*tree()[:2], step("Breaks", "echo '[]'")])
        self.assertRegex(self.barnum("retry", earlier["id"], code=1).err, told)

    def test_a_task_that_fails_again_has_all_its_retries(self):
        self.fail_once(tree())
        self.barnum("retry", "last", code=1)
        self.assertEqual(self.counts()["breaks"], 4)
        self.mend()
        self.barnum("retry", "last")
        self.assertEqual(self.counts(), {"breaks": 5, "done": 1, "finally": 0})

    def test_only_the_named_tasks_are_tried_again(self):
        steps = [step("Root", emit(("A", 1), ("B", 2), ("B", 3)), ["A", "B"]), step("A", BREAKS), step("B", BREAKS)]
        run = self.fail_once(steps)
        self.assertEqual(run["tasks"]["dropped"], 3)
        self.mend()
        (a, b, _) = (entry["task_id"] for entry in self.entries(run) if entry.get("parent_id") is not None)
        self.barnum("retry", run["id"], "--task", a, "--task", b, code=1)
        self.assertEqual(self.counts()["breaks"], 5)
        self.assertEqual(self.ps("-a")[-1]["tasks"]["dropped"], 1)
        self.barnum("retry", run["id"], "--step", "A", code=1)
        self.assertEqual(self.counts()["breaks"], 6)
        wrong = self.barnum("retry", run["id"], "--step", "Root", code=2).err
        self.assertRegex(wrong, r'no task of step "Root" was dropped; the dropped tasks are \d \(A\), \d \(B\), \d \(B\)\n')
        self.assertIn('the run has no step "Rot"; did you mean "Root"?', self.barnum("retry", run["id"], "--step", "Rot", code=2).err)
        self.assertIn("there is no task 77 in the run", self.barnum("retry", run["id"], "--task", 77, code=2).err)
        self.assertIn("task 0 was not dropped; the dropped tasks are", self.barnum("retry", run["id"], "--task", 0, code=2).err)
        self.assertEqual(self.counts()["breaks"], 6)

    def test_a_run_without_dropped_tasks_says_so(self):
        self.assert_run(self.run_workflow(QUICK))
        self.assertIn("no task was dropped", self.barnum("retry", "last").err)
        self.assertEqual(len(self.ps("-a")), 1)
        waiting = self.start_waiting()
        self.kill(waiting)
        result = self.barnum("retry", "last", code=2)
        self.assertRegex(result.err, "no task of the run in .* was dropped; `barnum run --resume-from .*` continues it")

    def test_a_run_that_was_killed_goes_on_with_its_dropped_tasks(self):
        steps = [step("Root", emit(("Breaks", 1), ("Wait", 2)), ["Breaks", "Wait"]), step("Breaks", BREAKS),
                 step("Wait", "[ -e mended ] || { touch waits; sleep 1000; }; echo '[]'")]
        run = self.start_run(steps)
        wait_until(lambda: (self.work / "waits").exists() and self.only()["tasks"]["dropped"] == 1, "one to be dropped and one to wait")
        self.kill(run)
        self.mend()
        self.assertNotIn("another run of this config", self.barnum("retry", "last").err)
        earlier, later = self.ps("-a")
        self.assertEqual((later["state"], later["tasks"]), ("finished", {"done": 3, "left": 0, "dropped": 0}))
        self.assertEqual((earlier["state"], later["resumes"], later["retries"]), ("resumed", earlier["id"], earlier["id"]))
        self.assertIn("this run has been resumed already", self.barnum("resume", earlier["id"], code=2).err)

    def test_a_second_retry_of_a_run_is_told_of_the_first(self):
        earlier = self.fail_once(tree())
        self.assertNotIn("has tried dropped tasks", self.barnum("retry", "last", code=1).err)
        first = self.ps("-a")[-1]["id"]
        self.assertRegex(self.barnum("retry", earlier["id"], code=1).err,
                         f"run {first} has tried dropped tasks of this run again; .*`barnum retry {first}` does that")

    def test_the_pool_of_the_killed_run_is_not_left(self):
        (self.work / "agent.sh").write_text(WAITS)
        steps = [step("Root", emit(("Breaks", 1), ("Ask", 2)), ["Breaks", "Ask"]), step("Breaks", BREAKS), step("Ask", pool())]
        run = self.start_run(steps, "--agents", "1", "--agent-exec", "sh agent.sh")
        wait_until(lambda: (self.work / "started").exists() and [r["tasks"]["dropped"] for r in self.ps()] == [1], "the agent to work")
        self.kill(run)
        self.assertEqual(len(list((self.root / "pools").iterdir())), 1)
        self.mend()
        (self.work / "go").touch()
        self.barnum("retry", "last")
        self.assertEqual(list((self.root / "pools").iterdir()), [])

    def test_a_living_run_is_refused(self):
        run = self.start_waiting()
        self.assertIn(f"is in use by process {run.pid}", self.barnum("retry", "last", code=2).err)
        (self.work / "go").touch()
        self.assert_exit(run.result(), 0)

    def test_a_retry_that_is_killed_is_resumed_without_running_anything_twice(self):
        breaks = "echo ran >>breaks; [ -e mended ] || exit 3; [ -e go ] || { touch tried; sleep 1000; }; echo '[]'"
        steps = [step("Root", emit(("Done", 1), ("Breaks", 2)), ["Done", "Breaks"], **{"finally": FINALLY}),
                 step("Done", DONE), step("Breaks", breaks)]
        self.fail_once(steps)
        self.mend()
        retry = self.start("barnum", "retry", "last")
        wait_until((self.work / "tried").exists, "the task to be tried again")
        retry.signal(signal.SIGKILL)
        retry.result()
        wait_until(lambda: self.ps("-a")[-1]["state"] == "lost", "the guard to let go of the state log")
        (self.work / "go").touch()
        self.barnum("resume", "last")
        self.assertEqual(self.counts(), {"breaks": 3, "done": 1, "finally": 2})
        self.assertEqual([run["state"] for run in self.ps("-a")], ["failed", "resumed", "finished"])

    def test_the_options_are_those_of_the_run_unless_given_again(self):
        earlier = self.fail_once(tree(), "--jobs", "1", "--name", "first")
        self.mend()
        printed = self.barnum("retry", "last", "--name", "second", "--detach").out.strip()
        self.assertRegex(printed, f"^{ID}$")
        self.barnum("wait", printed)
        later = self.ps("-a")[-1]
        self.assertEqual((later["id"], later["name"], later["retries"]), (printed, "second", earlier["id"]))
        self.assertIn("--jobs=1", later["options"])

    def test_two_retries_at_once_are_refused_and_a_resumed_run_is_retried_by_its_newest_log(self):
        steps = [step("Root", emit(("Breaks", 1), ("Wait", 2)), ["Breaks", "Wait"]), step("Breaks", BREAKS),
                 step("Wait", "touch waits; await go; echo '[]'")]
        run = self.start_run(steps)
        wait_until(lambda: (self.work / "waits").exists() and self.only()["tasks"]["dropped"] == 1, "one to be dropped and one to wait")
        self.kill(run)
        first = self.ps("-a")[-1]
        (self.work / "waits").unlink()
        retry = self.start("barnum", "retry", first["id"])
        wait_until((self.work / "waits").exists, "the retry to go on")
        (second,) = [found["state_log"] for found in self.ps() if found["pid"] == retry.pid]
        self.assertIn(f"this run has been resumed, and that run's log is {second}", self.barnum("retry", first["id"], code=2).err)
        retry.signal(signal.SIGTERM)
        self.assert_exit(retry.result(), 143)
        (self.work / "go").touch()
        self.assertIn("this run has been resumed already", self.barnum("resume", first["id"], code=2).err)
        self.assertRegex(self.barnum("retry", first["id"], code=2).err, "this run has been resumed, and that run's log is .*; retry")

    def test_a_log_without_checksums_and_without_a_record_is_retried(self):
        run = self.fail_once(tree())
        lines = open(run["state_log"]).read()
        (self.work / "plain.ndjson").write_text(re.sub(r',"checksum":"[0-9a-f]{16}"}\n', "}\n", lines))
        self.mend()
        self.barnum("retry", "plain.ndjson", "--state-log", "new.ndjson")
        self.assertEqual(self.counts(), {"breaks": 3, "done": 1, "finally": 0})
        new = (self.work / "new.ndjson").read_text().splitlines()
        self.assertTrue(all(re.search(r',"checksum":"[0-9a-f]{16}"}$', line) for line in new))
        self.barnum("inspect", "new.ndjson")
