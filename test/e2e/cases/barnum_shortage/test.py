"""Commands that can't be started because descriptors have run out wait for their turn; none is given up."""

import signal

from harness import sanitizer, wait_until
from harness.workflow import WorkflowCase, emit, step

COMMANDS = 60


def is_testable():
    if sanitizer() == "address":
        print("    not under UBSan, whose check of virtual calls needs a descriptor itself")
    return sanitizer() != "address"


class Shortage(WorkflowCase):
    def start_with_few_descriptors(self, limit, steps, *args):
        config = self.write_config(steps)
        script = f'ulimit -n {limit}; exec barnum "$@"'
        return self.start("/bin/sh", "-c", script, "sh", "run", "--config", config, *args)

    def test_more_jobs_than_there_are_descriptors_for(self):
        if not is_testable():
            return
        steps = [step("Split", emit(*[("Work", n) for n in range(COMMANDS)]), ["Work"]),
                 step("Work", "sleep 0.1; echo >> worked; echo '[]'", options={"max_retries": 0})]
        result = self.start_with_few_descriptors(40, steps, "--jobs", "30").result()
        self.assert_run(result)
        self.assertEqual(self.count("worked"), COMMANDS)
        self.assertEqual(result.err.count("a command has to wait"), 1, result.err)
        self.assertIn("Too many open files", result.err)

    def test_an_interrupt_ends_what_waits_as_well(self):
        if not is_testable():
            return
        steps = [step("Split", emit(*[("Stay", n) for n in range(COMMANDS)]), ["Stay"]),
                 step("Stay", "exec sleep 1000")]
        run = self.start_with_few_descriptors(40, steps, "--jobs", "30")
        wait_until(lambda: "has to wait" in run.err, "the shortage")
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
