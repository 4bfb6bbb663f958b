"""What an agent's program says is kept up to a limit: one that does not end fails its attempt, and nothing else."""

import sys
from pathlib import Path

from harness import is_sanitized, wait_until
from harness.workflow import WorkflowCase, command, emit, pool, step

MOST = 400_000_000  # bytes: the answer that is allowed, a few times, while it is read and copied


def peak_memory(pid):
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


class Floods(WorkflowCase):
    def test_words_without_an_end_fail_the_attempt_and_nothing_else(self):
        waiting = "cat >/dev/null; until [ -e go ]; do sleep 0.02; done; echo '[]'"
        steps = [step("Start", emit(("Ask", 1), ("Wait", 2)), next_=["Ask", "Wait"]), step("Ask", pool(), options={"max_retries": 0}),
                 step("Wait", command(waiting))]
        run = self.start_run(steps, "--agent", f"acp,exec={sys.executable} {self.fixtures / 'flood.py'}")
        wait_until(lambda: "the words of its model had more than 67108864 bytes" in run.err, "the attempt to fail")
        if not is_sanitized():  # ASan keeps what was freed
            self.assertLess(peak_memory(run.pid), MOST)
        self.assert_running(run)
        (self.work / "go").touch()
        self.assert_run(run.result(), 1)
        self.assertIn("max_response_bytes", run.err)
        self.assertRegex(run.err, r"(?m)^ +Wait +1 +0 +0$")
