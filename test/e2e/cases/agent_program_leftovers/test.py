"""What tasks leave on the machine: in their directory, in the user's home and in the directory for temporary files. The table in
docs/agent-drivers.md names it."""

import fnmatch
import json
import re
import subprocess

from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.environment import SOURCE_DIR
from harness.snapshot import snapshot

READ = {"claude": {"tool": "Read", "input": {"file_path": "a.txt"}},
        "codex": {"tool": "exec_command", "input": {"cmd": "cat a.txt"}},
        "gemini": {"tool": "read_file", "input": {"file_path": "a.txt"}}}
TOO_LARGE = {"status": 400}


def documented(kind, row):
    """The patterns in the cell of that row and kind."""
    lines = (SOURCE_DIR / "docs" / "agent-drivers.md").read_text().splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("| what stays after a task |"))
    column = [cell.strip(" `") for cell in lines[head].split("|")].index(kind)
    cells = next(line for line in lines[head:] if line.startswith(f"| {row} |")).split("|")
    return re.findall(r"`([^`]+)`", cells[column])


class Leftovers(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def begin(self, kind, script):
        """An agent in a repository, with a home and temporary files of its own."""
        self.place, self.temporary = self.work / kind, self.home / f"tmp-{kind}"
        self.place.mkdir()
        self.temporary.mkdir()
        (self.place / "a.txt").write_text("a")
        for words in (["init", "-q"], ["add", "a.txt"]):
            subprocess.run(["git", *words], cwd=self.place, check=True)
        return self.start_agent(kind, self.model(kind, script), "--permissions", "edit", "--directory", str(self.place),
                                env={"TMPDIR": str(self.temporary)})

    def contents(self):
        """Without times: the sandbox of codex makes places in the directory, and removes them."""
        return {path: (form, mode, text) for path, (form, mode, _, text) in snapshot(self.place).items()}

    def assert_documented(self, kind, row, names):
        patterns = documented(kind, row)
        self.assertEqual([name for name in names if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns)], [])

    @for_each(KINDS)
    def test_nothing_stays_but_what_is_documented(self, kind):
        agent = self.begin(kind, [READ[kind], {"tasks": []}, READ[kind], TOO_LARGE])
        before = self.contents()
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], agent.err)
        self.assertEqual(self.submit(2).result().json["failure"], "too_large")
        agent.signal(15)
        agent.result()
        self.assertEqual(self.contents(), before)
        (home,) = self.home.glob(f"home-{kind}-*")
        self.assert_documented(kind, "in the user's home", [path.name for path in home.iterdir()])
        self.assertEqual([path.name for path in (home / ".local" / "state").iterdir()], ["barnum"])
        self.assert_documented(kind, "in `TMPDIR`", [path.name for path in self.temporary.iterdir()])
