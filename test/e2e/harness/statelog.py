"""State logs as a test reads them, and runs that leave one."""

import json
import re
import shlex

from harness.waiting import DEADLINE
from harness.workflow import WorkflowCase


def entries(path):
    """The whole lines of a log, parsed."""
    text = path.read_bytes()
    return [json.loads(line) for line in text[:text.rfind(b"\n") + 1].splitlines()]


class LogCase(WorkflowCase):
    def log(self, name="run.ndjson"):
        return self.work / name

    def run_logged(self, steps, *args, log="run.ndjson", **more):
        return self.run_workflow(steps, "--state-log", self.log(log), *args, **more)

    def start_logged(self, steps, *args, log="run.ndjson", **more):
        return self.start_run(steps, "--state-log", self.log(log), *args, **more)

    def start_resume(self, *args, old="run.ndjson", new="resumed.ndjson", env=None):
        return self.start("barnum", "run", "--resume-from", self.log(old), "--state-log", self.log(new), *args, env=env)

    def resume(self, *args, deadline=DEADLINE, **how):
        return self.start_resume(*args, **how).result(deadline)

    def resume_command(self, result):
        """The command that the run printed, as words."""
        found = re.search(r"resume this run with:\n +(\S.*)\n", result.err)
        self.assertTrue(found, str(result))
        return shlex.split(found[1])

    def log_in(self, result):
        """The path of the log that the run told."""
        found = re.search(r"state log: (\S+)", result.err)
        self.assertTrue(found, str(result))
        return found[1]

    def log_kinds(self, name="run.ndjson"):
        return [entry["kind"] for entry in entries(self.log(name))]
