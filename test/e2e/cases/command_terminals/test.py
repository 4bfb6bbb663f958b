"""Commands of a run that has a terminal: they have none, and one that was stopped is told of."""

import os
import re
import signal

from harness import wait_until
from harness.process import marked_processes
from harness.runs import RunsCase
from harness.terminal import Terminal
from harness.workflow import WorkflowCase, pool, step

ASKS = "read -r answer < /dev/tty; echo '[]'"
NO_TERMINAL = "/dev/tty: No such device or address"


class CommandTerminals(RunsCase, WorkflowCase):
    def run_on_terminal(self, steps, *args, config=None):
        """What a run in the foreground of a terminal prints until its prompt is back."""
        path = self.write_config(steps, **(config or {}))
        terminal = Terminal(self, columns=200, rows=50)
        self.addCleanup(terminal.close)
        terminal.wait_for(r"^\$$")
        terminal.type(" ".join(["barnum", "run", "--config", str(path), *args]) + "; echo ended-with-$?")
        terminal.wait_for("^ended-with-")
        lines = "\n".join(terminal.all_lines())
        terminal.close()
        return lines

    def test_a_command_that_asks_at_the_terminal_fails_at_once(self):
        shown = self.run_on_terminal([step("Ask", ASKS)])
        self.assertIn(NO_TERMINAL, shown)

    def test_a_hook_that_asks_at_the_terminal_fails_at_once(self):
        shown = self.run_on_terminal([step("Ask", "echo '[]'", pre={"kind": "Command", "script": ASKS})])
        self.assertIn(NO_TERMINAL, shown)

    def test_an_agent_that_asks_at_the_terminal_fails_at_once(self):
        shown = self.run_on_terminal([step("Ask", pool())], "--agents", "1", "--agent-exec", "'read -r a < /dev/tty && echo []'")
        self.assertIn(NO_TERMINAL, shown)

    def test_commands_around_a_run_that_ask_at_the_terminal_fail_at_once(self):
        for option in ("--wake", "--on-end"):
            with self.subTest(option=option):
                shown = self.run_on_terminal([step("Do", "echo '[]'")], option, "'read -r a < /dev/tty'")
                self.assertIn(NO_TERMINAL, shown)

    def stopped_and_continued(self, script):
        """The pid of the message about it."""
        run = self.start_run([step("Build", script)])
        told = wait_until(lambda: re.search(r"task 0 Build: process (\d+) was stopped by a signal; `kill -CONT \1`", run.err),
                          "the message")
        pid = int(told[1])
        self.assertIn(pid, marked_processes(self.mark))
        os.kill(pid, signal.SIGCONT)
        self.assert_run(run.result())

    def test_a_stopped_command_is_told_of_and_goes_on(self):
        self.stopped_and_continued("kill -STOP $$; echo '[]'")

    def test_a_stopped_child_of_a_command_is_told_of(self):
        self.stopped_and_continued("sh -c 'kill -STOP $$'; echo '[]'")
