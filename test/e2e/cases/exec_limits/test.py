"""What is too large for the system to start a program with: it is not tried again, and nothing is lost."""

import json

from harness.workflow import WorkflowCase, emit, step

ONE_VARIABLE = {"BIG": "x" * 200_000}  # Linux: at most 128 KiB. The config of a step refuses it
IN_TOTAL = {f"BIG_{number}": "x" * 100_000 for number in range(80)}  # and a quarter of the stack's limit, or 6 MiB
TOO_LARGE = "Argument list too long; its arguments and variables are too large for the system"


class ExecLimits(WorkflowCase):
    def test_a_command_with_too_large_an_environment_makes_one_attempt(self):
        result = self.run_workflow([step("Big", "echo '[]'", options={"max_retries": 5}, env=IN_TOTAL)])
        self.assert_exit(result, 1)
        self.assertIn("task 0 Big: failed (attempt 1 of 6, permanent, dropped): the command could not be started: ", result.err)
        self.assertIn(TOO_LARGE, result.err)
        self.assertNotIn("attempt 2", result.err)

    def test_so_does_a_hook(self):
        for hook in "pre", "post", "finally":
            steps = [step("Big", emit(("Next", {})), ["Next"], options={"max_retries": 5}, env=IN_TOTAL,
                          **{hook: {"kind": "Command", "script": "cat"}}), step("Next", "echo '[]'")]
            result = self.run_workflow(steps)
            self.assert_exit(result, 1)
            self.assertIn("permanent", result.err, hook)
            self.assertNotIn("attempt 2", result.err, hook)

    def test_an_agent_with_too_large_an_environment_ends_and_its_task_is_left(self):
        for settings in {"kind": "exec", "exec": "echo '[]'"}, {"kind": "acp", "exec": "cat"}:
            config = self.work / "flow.json"
            config.write_text(json.dumps({
                "entrypoint": "Ask", "agents": [settings | {"env": ONE_VARIABLE}],
                "steps": [{"name": "Ask", "action": {"kind": "Pool", "instructions": "x"}, "next": []}]}))
            result = self.run_program("barnum", "run", config)
            self.assert_exit(result, 1)
            self.assertIn(TOO_LARGE, result.err)
            self.assertIn("1 not finished", result.err)
