"""Commands whose processes leave their group or their environment, or both: found all the same."""

import itertools
import json
import os
import re
import signal
from pathlib import Path

from harness import wait_until, windows
from harness.case import require
from harness.environment import binary, sanitizer
from harness.workflow import WorkflowCase, step

# Writes its pid to a file and stays, whatever it is told.
STAY = "sh -c 'trap \"\" TERM INT; echo $$ > {0}.tmp; mv {0}.tmp {0}; exec sleep 1000'"
# The same without an environment, so that it carries no mark, not the test's either.
BARE = "env -i PATH=\"$PATH\" sh -c 'trap \"\" TERM INT; echo $$ > {0}.tmp; mv {0}.tmp {0}; exec sleep 1000'"
# Starts sleepers one after the other, out of the group and without an environment, and stays: none loses its parent.
SPAWN = "env -i setsid sh -c 'while [ $((i+=1)) -le 1000 ]; do sleep {0} & sleep {1}; done; exec sleep {0}' > /dev/null 2>&1 &"
NUMBERS = itertools.count()
WAIT_FOR_IT = "await {0}"


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def is_killed(pid):
    """It is gone, or will be as soon as it gets the CPU."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    pending = int(re.search(r"^SigPnd:\t(\w+)", status, re.MULTILINE)[1], 16)
    return bool(pending & 1 << signal.SIGKILL - 1) or not is_alive(pid)


def running(text):
    """Processes whose command line holds that text, unless they are zombies."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if text.encode() in Path(f"/proc/{pid}/cmdline").read_bytes() and is_alive(int(pid)):
                found.append(int(pid))
        except OSError:
            pass
    return found


class Escapees(WorkflowCase):
    def pid(self, name):
        path = self.work / name
        wait_until(path.exists, f"the process {name}")
        pid = int(path.read_text())
        self.addCleanup(self.end, pid)  # nobody else finds one without a mark
        return pid

    def end(self, pid):
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)

    def assert_gone(self, pid):
        wait_until(lambda: not is_alive(pid), f"the end of {pid}")

    def assert_killed_with_the_run(self, script, name="bare"):
        run = self.start_run([step("Stay", script)])
        pid = self.pid(name)
        run.signal(signal.SIGKILL)
        run.result()
        self.assert_gone(pid)

    def test_without_proc_it_is_told_that_they_cannot_be_found(self):
        if sanitizer() == "address":
            print("    not under ASan, which looks for its stack in /proc")
            return
        require(os.geteuid() == 0, "only root can take /proc away")
        (self.work / "flow.jsonc").write_text(json.dumps({"entrypoint": "A", "steps": [step("A", "echo '[]'")]}))
        command = f"exec {binary('barnum')} run flow.jsonc --state-log log.ndjson"
        warning = "WARN  /proc does not show the processes: what leaves the group of its command, by setsid for example, is not found"
        for hide, count in (("mount -t tmpfs none /proc", 1), (":", 0)):
            result = self.run_program("unshare", "--mount", "sh", "-c", f"{hide} && rm -f log.ndjson && {command}")
            self.assert_exit(result, 0)
            self.assertEqual(result.err.count(warning), count, result.err)

    def test_a_killed_run_takes_a_command_without_an_environment_along(self):
        self.assert_killed_with_the_run(BARE.format("bare"))

    def test_a_killed_run_takes_along_what_has_neither_its_group_nor_its_environment(self):
        self.assert_killed_with_the_run(f"setsid {BARE.format('bare')} > /dev/null 2>&1 & wait")

    def test_a_timeout_ends_what_has_neither_its_group_nor_its_environment(self):
        script = f"setsid {BARE.format('bare')} > /dev/null 2>&1 & wait"
        self.run_into_timeout(script, (self.work / "bare").exists)
        self.assert_gone(self.pid("bare"))

    def run_into_timeout(self, script, has_begun):
        """A run of the script, whose timeout comes later than it has begun to do what the test is about."""
        for timeout in windows():
            self.assert_run(self.run_workflow([step("Stay", script, options={"timeout": timeout})]), 1)
            if has_begun():
                return

    def spawners(self, number, pause):
        """A script whose sleepers are told from others' by how long they sleep, and that span."""
        seconds = f"995.{os.getpid()}{next(NUMBERS):03}"
        self.addCleanup(self.end_all, seconds)
        return f"{SPAWN.format(seconds, pause) * number} sleep {seconds}", seconds

    def end_all(self, seconds):
        while left := running(seconds):
            for pid in left:
                self.end(pid)

    def assert_killed_with_its_spawners(self, number, pause):
        script, seconds = self.spawners(number, pause)
        for _ in range(3):
            run = self.start_run([step("Spawn", script)])
            wait_until(lambda: len(running(seconds)) > 60, "the sleepers")
            run.signal(signal.SIGKILL)
            run.result()
            wait_until(lambda: not running(seconds), "the end of the sleepers")

    def test_a_killed_run_takes_along_what_forks_while_it_is_killed(self):
        self.assert_killed_with_its_spawners(1, 0.01)

    def test_a_killed_run_takes_along_what_forks_fast_while_it_is_killed(self):
        self.assert_killed_with_its_spawners(4, 0.003)

    def test_a_timeout_ends_what_forks_while_it_is_killed(self):
        script, seconds = self.spawners(4, 0.003)
        self.assert_run(self.run_workflow([step("Spawn", script, options={"timeout": 1})]), 1)
        wait_until(lambda: not running(seconds), "the end of the sleepers")

    def test_a_timeout_ends_what_left_the_group_up_to_the_last_moment(self):
        _, seconds = self.spawners(1, 0)
        leave = f"(trap '' TERM; exec env -i setsid sleep {seconds} > /dev/null 2>&1) &"
        script = f"while [ $((i+=1)) -le 1500 ]; do {leave} sleep 0.003; done &" * 4 + " wait"
        self.assert_run(self.run_workflow([step("Spawn", script, options={"timeout": 1})]), 1)
        wait_until(lambda: not running(seconds), "the end of the sleepers")

    def test_a_timeout_leaves_what_an_earlier_command_left_behind(self):
        serve = f"setsid {BARE.format('service')} > /dev/null 2>&1 & {WAIT_FOR_IT.format('service')}"
        steps = [step("Serve", f"""{serve}; echo '[{{"kind": "Stay", "value": 1}}]'""", ["Stay"]),
                 step("Stay", "sleep 1000", options={"timeout": 1})]
        self.assert_run(self.run_workflow(steps), 1)
        self.assertTrue(is_alive(self.pid("service")))

    def test_a_timeout_leaves_what_other_commands_have_running(self):
        background = "setsid {} > /dev/null 2>&1 &"
        steps = [step("Split", """echo '[{"kind": "Stay", "value": 1}, {"kind": "Other", "value": 1}]'""",
                      ["Stay", "Other"]),
                 step("Stay", f"{background.format(BARE.format('bare'))} wait"),
                 step("Other", f"{background.format(BARE.format('other'))} {WAIT_FOR_IT.format('other')}; "
                               f"{WAIT_FOR_IT.format('bare')}; while kill -0 $(cat bare); do sleep 0.1; done; "
                               "kill -0 $(cat other) && touch other_lives; echo '[]'", options={"timeout": 60})]
        for timeout in windows():
            steps[1]["options"] = {"timeout": timeout}
            self.assert_run(self.run_workflow(steps, "--jobs", "2"), 1)
            self.pid("other")
            if (self.work / "bare").exists():
                break
            (self.work / "other").unlink()
        self.pid("bare")
        self.assertTrue((self.work / "other_lives").exists())

    def test_who_holds_the_pipe_in_a_session_of_its_own_dies_with_the_shell(self):
        script = f"trap '' TERM; setsid {STAY.format('holder')} & echo $$ > shell.tmp; mv shell.tmp shell; sleep 1000; wait"
        for timeout in windows():
            run = self.start_run([step("Hold", script, options={"timeout": timeout})])
            wait_until(lambda: all((self.work / name).exists() for name in ("shell", "holder")) or not run.running,
                       "the command")
            if run.running:
                break
        shell, holder = self.pid("shell"), self.pid("holder")
        wait_until(lambda: not is_alive(shell), "the shell's end")
        wait_until(lambda: is_killed(holder), "the end of the one that holds the pipe")
        self.assert_run(run.result(), 1)

