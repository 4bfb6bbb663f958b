"""`barnum run` in which one allocation fails, whichever: it ends as an internal error, and what it has begun is continued."""

import json
import os
import shutil
import signal
from pathlib import Path

from harness import wait_until
from harness.environment import is_sanitized, is_thorough
from harness.process import marked_processes
from harness.workflow import WorkflowCase, emit, step

INTERNAL_ERROR = 70
# Of some four thousand allocations; no multiple of a number that the program counts with.
STRIDE = 1 if is_thorough() else 211 if is_sanitized() else 47
# In a row: the failure of an allocation that the run can do without is no failure of the run, and the number of allocations
# is not always the same.
ENOUGH_SUCCESSES = 5
# Boost 1.81 destroys a strand whose mutex it could not allocate with a null pointer. It is the run's only one, made before
# anything begins, and before anything is printed.
BOOST_FAULT = (-signal.SIGSEGV, "")


def ended_tasks(log):
    lines = log.read_text().splitlines(keepends=True)
    entries = [json.loads(line) for line in lines if line.endswith("\n")]
    return {entry["task_id"] for entry in entries if entry["kind"] == "TaskCompleted"}


class FailingMemory(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.program = Path(os.environ["BARNUM_BUILD_DIR"]) / "test/e2e/barnum_failing_memory"
        self.runs = self.work / "runs"

    def run_failing(self, config, number, **env):
        self.runs.mkdir(mode=0o700)
        return self.start(self.program, "run", "--config", config,
                          env={"BARNUM_RUNS": str(self.runs), "FAILING_ALLOCATION": str(number), **env}).result()

    def forget_runs(self):
        for name in ("first", "second"):
            (self.work / name).unlink(missing_ok=True)
        shutil.rmtree(self.runs)

    def assert_ends_and_resumes(self):
        wait_until(lambda: not marked_processes(self.mark), "the end of all commands")
        for log in self.runs.glob("*/state.ndjson"):
            had_ended, resumed = ended_tasks(log), self.runs / "resumed.ndjson"
            result = self.start("barnum", "run", "--resume-from", log, "--state-log", resumed,
                                env={"BARNUM_RUNS": str(self.runs)}).result()
            self.assert_exit(result, 0)
            # Of a run that was done, nothing is resumed.
            self.assertEqual(ended_tasks(resumed) if had_ended != {0, 1} else had_ended, {0, 1})
            if 0 in had_ended:
                self.assertEqual(self.count("first"), 1, "the first task was done again")

    def two_steps(self):
        keep = "cat > /dev/null; echo done >> {}; "
        return self.write_config([step("First", keep.format("first") + emit(("Second", {})), ["Second"]),
                                  step("Second", keep.format("second") + "echo '[]'")])

    def test_the_reason_is_told_also_without_any_memory(self):
        config = self.two_steps()
        for number in (1200, 1700, 2200, 2700):
            with self.subTest(allocation=number):
                result = self.run_failing(config, number, FAILING_FOR_EVER="1")
                self.assert_exit(result, INTERNAL_ERROR)
                self.assertIn("internal error: the memory is used up\n", result.err)
                self.assert_ends_and_resumes()
            self.forget_runs()

    def test_every_end_is_an_internal_error_and_resumes(self):
        config = self.two_steps()
        number, successes = 1, 0
        while successes < ENOUGH_SUCCESSES:
            with self.subTest(allocation=number):
                result = self.run_failing(config, number)
                successes = successes + 1 if result.code == 0 else 0
                if result.code != 0:
                    if (result.code, result.err) != BOOST_FAULT:
                        self.assert_exit(result, INTERNAL_ERROR)
                        self.assertIn("internal error", result.err)
                    self.assert_ends_and_resumes()
            self.forget_runs()
            number += STRIDE
