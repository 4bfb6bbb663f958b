"""What is left of a run that was killed, and of commands that leave their process group: nothing."""

import os
import signal
from pathlib import Path

from harness import wait_until, windows
from harness.environment import binary, traceable
from harness.process import marked_processes
from harness.tracing import Tracing
from harness.workflow import WorkflowCase, pool, step

# Writes its pid to a file, in the group of its shell or in a session of its own, and stays.
STAY = "sh -c 'trap \"\" TERM INT; echo $$ > {name}.tmp; mv {name}.tmp {name}; exec sleep 1000'"


def name_and_parent(pid):
    try:
        name, rest = Path(f"/proc/{pid}/stat").read_text().split("(", 1)[1].rsplit(")", 1)
        return name, int(rest.split()[1])
    except OSError:
        return "", 0


class KilledRun(Tracing, WorkflowCase):
    def pid(self, name):
        path = self.work / name
        wait_until(path.exists, f"the process {name}")
        return int(path.read_text())

    def assert_gone(self, pids):
        wait_until(lambda: not set(pids) & set(marked_processes(self.mark)), f"the end of {pids}")

    def script(self, *, wait=True):
        """A command with a child, a grandchild in a session of its own, and itself."""
        return "\n".join([f"setsid {STAY.format(name='session')} > /dev/null 2>&1 &",
                          f"{STAY.format(name='child')} &", "echo $$ > shell.tmp; mv shell.tmp shell",
                          "wait" if wait else "exit 1"])

    TREE = ("shell", "child", "session")

    def start_tree(self):
        run = self.start_run([step("Stay", self.script())])
        return run, [self.pid(name) for name in self.TREE]

    def test_a_killed_run_leaves_no_command_behind(self):
        run, pids = self.start_tree()
        run.signal(signal.SIGKILL)
        run.result()
        self.assert_gone(pids)

    def test_a_command_that_was_just_being_started_is_ended_too(self):
        self.require_strace()
        config = self.write_config([step("Stay", "touch began; exec sleep 1000")])
        slow_start = ("-e", "trace=execve", "-e", "inject=execve:delay_enter=700000")
        strace = self.start("strace", "-f", "-qq", "-o", os.devnull, *slow_start, binary("barnum"), "run", "--config", config,
                            env=traceable())
        run, child = wait_until(lambda: "Stay: started" in strace.err and self.run_and_child(strace.pid),
                                "the run to start its command")
        os.kill(run, signal.SIGKILL)
        self.assert_gone([run, child])
        strace.result()

    def run_and_child(self, strace):
        """The pids of the run below strace and of its child that is no other program yet; None until it is there."""
        found = {pid: name_and_parent(pid) for pid in marked_processes(self.mark)}
        for run, (name, parent) in found.items():
            if (name, parent) == ("barnum", strace):
                return next(((run, child) for child, of in found.items() if of == ("barnum", run)), None)
        return None

    def test_a_killed_run_leaves_no_agents_command_behind(self):
        run = self.start_run([step("Ask", pool())], "--agents", "1", "--agent-exec", STAY.format(name="agent"))
        pid = self.pid("agent")
        run.signal(signal.SIGKILL)
        run.result()
        self.assert_gone([pid])

    def test_a_killed_run_takes_a_run_inside_it_along_with_that_ones_commands(self):
        (self.work / "inner.json").write_text(self.write_config([step("Inner", self.script())]).read_text())
        run = self.start_run([step("Outer", "barnum run --config inner.json; echo '[]'")])
        pids = [self.pid(name) for name in self.TREE]
        run.signal(signal.SIGKILL)
        run.result()
        self.assert_gone(pids)  # the outer guard ends the inner run, then the inner guard its commands

    def test_a_timeout_ends_what_has_left_the_group_as_well(self):
        for timeout in windows():
            self.assert_run(self.run_workflow([step("Stay", self.script(), options={"timeout": timeout})]), 1)
            if all((self.work / name).exists() for name in self.TREE):
                break
        self.assert_gone([self.pid(name) for name in self.TREE])

    def test_a_timeout_waits_for_no_pipe_that_another_session_holds(self):
        script = "trap '' TERM; " + f"setsid {STAY.format(name='holder')} & sleep 1000 & sleep 1000"
        for timeout in windows():
            self.assert_run(self.run_workflow([step("Hold", script, options={"timeout": timeout})]), 1)
            if (self.work / "holder").exists():
                break
        self.assert_gone([self.pid("holder")])

    def test_an_agents_command_that_is_ended_takes_no_other_along(self):
        steps = [step("Split", """echo '[{"kind": "Local", "value": 1}, {"kind": "Ask", "value": 1}]'""",
                      ["Local", "Ask"]),
                 step("Local", "await flooded; sleep 0.3; echo '[]'"),
                 step("Ask", pool(), options={"max_retries": 1})]
        agent = "if [ -e flooded ]; then echo '[]'; else touch flooded; yes; fi"
        self.assert_run(self.run_workflow(steps, "--agents", "1", "--agent-exec", agent))

    @staticmethod
    def name(pid):
        try:
            return Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            return None  # it has ended

    def start_guarded(self):
        """A run that waits for the file `go`, and its guard."""
        run = self.start_run([step("Wait", "touch began; await go; echo '[]'")])
        wait_until((self.work / "began").exists, "the command")
        guards = [pid for pid in marked_processes(self.mark) if self.name(pid) == "barnum-guard"]
        self.assertEqual(len(guards), 1)
        return run, guards[0]

    def test_a_guard_that_was_stopped_does_not_hold_up_the_end(self):
        run, guard = self.start_guarded()
        os.kill(guard, signal.SIGSTOP)
        (self.work / "go").touch()
        self.assert_run(run.result())

    def test_a_guard_that_was_killed_is_told_at_once_and_no_zombie(self):
        run, guard = self.start_guarded()
        os.kill(guard, signal.SIGKILL)
        wait_until(lambda: "the process guard" in run.err, "the warning")
        wait_until(lambda: not os.path.exists(f"/proc/{guard}"), "the guard to be reaped")
        (self.work / "go").touch()
        self.assert_run(run.result())

    def test_a_run_without_a_stderr_keeps_its_commands(self):
        config = self.write_config([step("Only", "sleep 0.3; touch done; echo '[]'")])
        run = self.start("/bin/sh", "-c", 'exec barnum run --config "$0" 0<&- 1>&- 2>&-', config)
        self.assertEqual(run.result().code, 0)
        self.assertTrue((self.work / "done").exists())

    def test_two_interrupts_leave_nothing(self):
        run, pids = self.start_tree()
        run.signal(signal.SIGINT)
        wait_until(lambda: "once more" in run.err, "the first interrupt to be noticed")
        # One signal may arrive twice; the second counts when it comes later than that.
        wait_until(lambda: run.signal(signal.SIGINT) or not run.running, "the second one to end it")
        self.assertEqual(run.result().code, 130)
        self.assert_gone(pids)

    def test_a_run_that_ends_in_order_kills_nobody(self):
        script = f"setsid {STAY.format(name='service')} > /dev/null 2>&1 & await service; echo '[]'"
        self.assert_run(self.run_workflow([step("StartService", script)]))
        pid = self.pid("service")
        self.assertIn(pid, marked_processes(self.mark))
        os.kill(pid, signal.SIGKILL)
