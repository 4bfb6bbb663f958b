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


def without_checksum(line):
    """The line as a program wrote it that knew no checksums."""
    return re.sub(rb',"checksum":"[0-9a-f]{16}"\}(\s*)$', rb"}\1", line)


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

    def edit(self, *replacements, name="run.ndjson"):
        """Each of the texts is in the log, and gives way to the other; checksums stay as they are."""
        text = self.log(name).read_bytes()
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.log(name).write_bytes(text)

    def accept_edits(self, name="run.ndjson"):
        return self.run_program("barnum", "inspect", "--accept-edits", self.log(name))

    def log_kinds(self, name="run.ndjson"):
        return [entry["kind"] for entry in entries(self.log(name))]
