"""What an agent's program says is kept up to a limit: one that does not end fails its attempt, and nothing else."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from flood import MESSAGES  # noqa: E402
from harness import DEADLINE, is_sanitized, wait_until  # noqa: E402
from harness.peak_memory import PeakMemory  # noqa: E402
from harness.workflow import WorkflowCase, command, emit, pool, step  # noqa: E402

MB = 1_000_000
MOST = 400 * MB  # bytes: the answer that is allowed, a few times, while it is read and copied
LIMIT = "had more than 67108864 bytes"


class Floods(PeakMemory, WorkflowCase):
    def agents(self, kind, count):
        """One for each task: an agent pauses after a failure."""
        program = self.work / f"flood-{kind}"
        program.write_text(f"#!/bin/sh\nexec {sys.executable} {self.fixtures / 'flood.py'} {kind} \"$@\"\n")
        program.chmod(0o755)
        return f"{kind}={count},{'exec' if kind == 'acp' else 'program'}={program}"

    def flooded(self, kind, wishes):
        """A run with a task for each of these floods, and one that waits for the file `go`."""
        waiting = "cat >/dev/null; await go; echo '[]'"
        steps = [step("Start", emit(*[("Ask", wish) for wish in wishes], ("Wait", 2)), next_=["Ask", "Wait"]),
                 step("Ask", pool(), options={"max_retries": 0}), step("Wait", command(waiting))]
        return self.start_run(steps, "--agent", self.agents(kind, len(wishes)), "--transcripts", "none")

    def assert_all_fail(self, kind, wishes):
        run = self.flooded(kind, wishes)
        wait_until(lambda: not run.running or run.err.count(" Ask: failed") >= len(wishes), "the attempts to fail", 3 * DEADLINE)
        self.assert_running(run)
        if not is_sanitized():  # ASan keeps what was freed
            self.assertLess(self.peak_so_far(run), MOST, kind)
        (self.work / "go").touch()
        self.assert_run(run.result(), 1)
        self.assertRegex(run.err, r"(?m)^ +Wait +1 +0 +0$")
        (self.work / "go").unlink()
        return run.err

    def test_no_message_is_kept_without_a_bound_however_many_and_however_large_they_are(self):
        for kind in ("acp", "gemini", "codex", "claude"):
            wishes = [{"message": name, "bytes": size, "times": times} for name in MESSAGES[kind]
                      for size, times in ((1000, 4000), (2 * MB, 4))]
            self.assert_all_fail(kind, wishes)

    def test_words_without_an_end_fail_the_attempt_with_the_number(self):
        for kind in ("acp", "gemini"):
            err = self.assert_all_fail(kind, [{"message": "words", "bytes": MB, "times": 400}])
            self.assertIn(f"the words of its model {LIMIT}", err)
            self.assertIn("max_response_bytes", err)

    def test_a_line_without_an_end_fails_the_attempt_with_the_number(self):
        for kind in ("acp", "codex", "claude"):
            err = self.assert_all_fail(kind, [{"message": "request" if kind == "codex" else "words", "bytes": 200 * MB, "times": 1}])
            self.assertIn(f"a line of its output {LIMIT}", err)

    def test_requests_whose_answers_are_not_read_fail_the_attempt_with_the_number(self):
        self.env["FLOOD_STAYS"] = "1"  # a program that ends would fail anyway
        for kind, message in (("acp", "request"), ("acp", "permission"), ("codex", "request")):
            err = self.assert_all_fail(kind, [{"message": message, "bytes": 2 * MB, "times": 150}])
            self.assertIn(f"what it has asked for and not read {LIMIT}", err)
