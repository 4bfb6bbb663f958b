"""A real terminal to run programs in, and to look at: tmux, with a server of its own for each. Who opens one closes it,
before the case looks for processes that are left."""

import re
import shutil
import subprocess
import uuid

from harness.case import require
from harness.waiting import DEADLINE, wait_until
from harness.workflow import WorkflowCase

FIRST_PAUSE = 0.02  # seconds between the first two looks at a screen, each of which starts a program


class Pane:
    """A pane of that size in which `command` runs. Its programs get the environment of `case`, and `env` over it."""

    def __init__(self, case, columns, rows, command, env=None):
        require(shutil.which("tmux"), "tmux is not installed")
        self.socket = str(case.home / f"tmux-{uuid.uuid4().hex[:6]}")
        environment = {k: v for k, v in case.env.items() if k not in ("NO_COLOR", "CLICOLOR_FORCE", "TMUX")}
        environment |= {"PS1": "$ ", "LC_ALL": "C.UTF-8", "TERM": "screen-256color"} | (env or {})
        self.environment = environment
        config = case.home / "tmux.conf"
        config.write_text("set -g status off\nset -g default-terminal screen-256color\nset -g history-limit 5000\n")
        self.tmux("-f", config, "new-session", "-d", "-x", columns, "-y", rows, "-c", case.work, *command)

    def tmux(self, *args):
        done = subprocess.run(["tmux", "-u", "-S", self.socket, *map(str, args)], env=self.environment, text=True,
                              capture_output=True, timeout=DEADLINE)
        if done.returncode != 0:
            raise AssertionError(f"tmux {args}: {done.stderr}")
        return done.stdout

    def key(self, name):
        self.tmux("send-keys", name)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def screen(self):
        """The lines that can be seen, without spaces at their ends."""
        return [line.rstrip() for line in self.tmux("capture-pane", "-p").splitlines()]

    def text(self):
        return "\n".join(self.screen())

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.environment, capture_output=True)


class Terminal(Pane):
    """A shell, whose prompt is "$ "."""

    def __init__(self, case, columns=80, rows=24, env=None):
        super().__init__(case, columns, rows, ["env", *[f"{k}={v}" for k, v in (env or {}).items()], "PS1=$ ", "sh"], env)

    def type(self, line):
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")

    def all_lines(self):
        """Those that have gone off the top as well; what the terminal broke is one line again."""
        return [line.rstrip() for line in self.tmux("capture-pane", "-p", "-J", "-S", "-").splitlines()]

    def colored(self):
        """The screen with its SGR sequences."""
        return self.tmux("capture-pane", "-p", "-e")

    def wait_for(self, pattern, deadline=DEADLINE):
        """Until a line of the screen matches; returns the screen."""
        return self.wait_for_screen(lambda lines: any(re.search(pattern, line) for line in lines), repr(pattern), deadline)

    def wait_for_screen(self, is_right, what, deadline=DEADLINE):
        """Until is_right(the lines of the screen); returns them."""
        try:
            return wait_until(lambda: (lines := self.screen()) and is_right(lines) and lines, f"{what} on the screen", deadline,
                              FIRST_PAUSE)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()}") from None


class ProgramTerminal(Pane):
    """Runs `command` by a shell that says before and after it, with its exit code and the terminal's mode, and then
    waits for a line."""

    def __init__(self, case, command, columns=80, rows=24):
        super().__init__(case, columns, rows, [f"echo before; {command}; echo ended with $?; stty -a | grep -o -- '-*icanon'; "
                                               "read -r line"])

    def wait_for(self, *words):
        """Until all of them are on the screen; returns its text."""
        return wait_until(lambda: (text := self.text()) and all(word in text for word in words) and text,
                          f"{words} on the screen", pause=FIRST_PAUSE)


class TerminalCase(WorkflowCase):
    """Workflows in terminals, which are gone after the test."""

    def setUp(self):
        super().setUp()
        self.terminals = []

    def tearDown(self):
        for terminal in self.terminals:
            terminal.close()
        super().tearDown()

    def terminal(self, *args, **more):
        self.terminals.append(Terminal(self, *args, **more))
        self.terminals[-1].wait_for(r"^\$")
        return self.terminals[-1]
