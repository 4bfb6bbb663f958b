"""A real terminal, by tmux: a window of any size, what stands in it, and keys. Who opens one closes it, before the case
looks for processes that are left."""

import shutil
import subprocess
import uuid

from harness import require, wait_until
from harness.waiting import DEADLINE


class Terminal:
    """Runs `command` by a shell that says before and after it, with its exit code and the terminal's mode, and then
    waits for a line."""

    def __init__(self, case, command, columns=80, rows=24):
        require(shutil.which("tmux"), "tmux is not installed")
        self.socket = case.home / f"tmux-{uuid.uuid4().hex[:8]}"
        self.env = case.env
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(case.work),
                   f"echo before; {command}; echo ended with $?; stty -a | grep -o -- '-*icanon'; read -r line")

    def _tmux(self, *args):
        return subprocess.run(["tmux", "-S", str(self.socket), *args], env=self.env, check=True, capture_output=True,
                              text=True, timeout=DEADLINE).stdout

    def lines(self):
        """What can be seen, without spaces at the ends."""
        return [line.rstrip() for line in self._tmux("capture-pane", "-p").split("\n")[:-1]]

    def text(self):
        return "\n".join(self.lines())

    def wait_for(self, *words):
        return wait_until(lambda: (text := self.text()) and all(word in text for word in words) and text,
                          f"{words} on the screen")

    def press(self, key):
        self._tmux("send-keys", key)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def close(self):
        if self.socket.exists():
            subprocess.run(["tmux", "-S", str(self.socket), "kill-server"], env=self.env, check=False,
                           capture_output=True, timeout=DEADLINE)
