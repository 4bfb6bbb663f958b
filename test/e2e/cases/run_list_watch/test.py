"""`barnum ps --watch` on a terminal."""

import json
import signal

from harness import wait_until
from harness.environment import binary
from harness.runs import QUICK, RunsCase
from harness.terminal import ProgramTerminal


class Watch(RunsCase):
    def open(self, *options, **size):
        terminal = ProgramTerminal(self, " ".join([binary("barnum"), "ps", "--watch", *options]), **size)
        self.addCleanup(terminal.close)
        return terminal

    def tearDown(self):
        self.doCleanups()
        super().tearDown()

    def copy_run(self, number):
        """A record like that of the last run, with another id, started later."""
        run = self.ps("-a")[0]
        name = f"{number:08d}-copy"
        (self.runs / name).mkdir()
        record = json.loads((self.runs / run["id"] / "run.json").read_text())
        record |= {"id": name, "started": run["started"] + number}
        (self.runs / name / "run.json").write_text(json.dumps(record))

    def test_the_list_follows_the_runs_until_q(self):
        terminal = self.open()
        terminal.wait_for("no run is running or lost", "q: quit")
        run = self.start_waiting("--name", "nightly")
        headings = terminal.wait_for("nightly", "running", "done", "q: quit").splitlines()[0]
        self.assertRegex(headings, r"started +for", "how long it runs fits into 80 columns")
        run.signal(signal.SIGTERM)
        run.result()
        terminal.wait_for("no run is running or lost")
        terminal.key("q")
        self.assertNotIn("nightly", terminal.wait_for("before", "ended with 0", "\nicanon"))

    def test_ctrl_c_ends_it(self):
        terminal = self.open("--all")
        terminal.wait_for("there is no run yet")
        terminal.key("C-c")
        terminal.wait_for("ended with 0", "\nicanon")

    def test_of_more_runs_than_rows_the_newest_are_shown(self):
        self.assert_run(self.run_workflow(QUICK))
        for number in range(1, 41):
            self.copy_run(number)
        terminal = self.open("-a", columns=100, rows=20)
        lines = terminal.wait_for("00000040", "q: quit").splitlines()
        self.assertIn("workflow", lines[0])
        self.assertEqual([line.split()[0] for line in lines[1:18]], [f"{number:08d}" for number in range(24, 41)])
        terminal.resize(100, 12)
        wait_until(lambda: "00000031" not in terminal.text() and "00000032" in terminal.text(), "the smaller list")

    def test_without_a_terminal_it_says_what_to_do(self):
        self.assertIn("`barnum ps` and `barnum ps --json` print to files and pipes", self.barnum("ps", "--watch", code=1).err)
