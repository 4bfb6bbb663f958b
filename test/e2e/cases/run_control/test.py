"""Runs that other commands wait for, end, show and change: detach, wait, cancel, attach, pause, continue, scale."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from harness import DEADLINE, wait_until
from harness.environment import binary, is_thorough
from harness.runs import QUICK, WAITS, RunsCase
from harness.terminal import TerminalCase
from harness.workflow import KEEP, emit, pool, step

# Says when it starts and when it ends, and waits for the file `go`.
COUNTED = "echo . >> begun; await go; echo . >> ended; echo '[]'"


class ControlCase(RunsCase):
    def run_of(self, id_):
        (run,) = [run for run in self.ps("-a") if run["id"] == id_]
        return run

    def only(self):
        return super().only("-a")

    def go(self):
        (self.work / "go").touch()

    def detach(self, steps, *args, **more):
        """The id of a new run in the background."""
        result = self.barnum("run", "--detach", "--config", self.write_config(steps, **more), *args)
        self.assertRegex(result.out, r"^[0-9a-f-]{36}\n$")
        return result.out.strip()

    def detach_waiting(self, *args):
        id_ = self.detach([step("Wait", WAITS), step("Next", KEEP)], *args)
        wait_until((self.work / "started").exists, "the task to start")
        return id_


class Detached(ControlCase):
    def test_a_detached_run_prints_its_id_and_goes_on(self):
        id_ = self.detach_waiting("--name", "night")
        run = self.only()
        self.assertEqual((run["id"], run["state"], run["name"]), (id_, "running", "night"))
        self.go()
        self.assertEqual(self.barnum("wait", "night").out, f"{id_} finished\n")
        run = self.only()
        self.assertEqual((run["state"], run["exit_code"]), ("finished", 0))
        log = (self.home / ".local/state/barnum/runs" / id_ / "run.log").read_text()
        self.assertIn("run finished: 1 task", log)

    def test_it_has_no_terminal_and_a_session_of_its_own(self):
        self.detach_waiting()
        pid = self.only()["pid"]
        self.assertEqual(os.getsid(pid), pid)
        self.assertEqual(os.readlink(f"/proc/{pid}/fd/0"), "/dev/null")
        self.assertTrue(os.readlink(f"/proc/{pid}/fd/1").endswith("/run.log"))
        self.assertEqual(os.readlink(f"/proc/{pid}/fd/2"), os.readlink(f"/proc/{pid}/fd/1"))
        self.go()
        self.barnum("wait", "last")

    def test_a_command_substitution_does_not_wait_for_the_run(self):
        path = self.write_config([step("Wait", WAITS)])
        result = self.run_program("sh", "-c", f"id=$(barnum run -d {path}); echo \"got $id\"")
        self.assertEqual(result.out, f"got {self.only()['id']}\n")
        self.assertEqual(self.only()["state"], "running")
        self.go()
        self.barnum("wait", "last")

    def test_what_is_wrong_is_told_as_in_the_foreground(self):
        path = self.work / "bad.json"
        path.write_text('{"steps": []}')
        foreground = self.barnum("run", path, code=2)
        detached = self.barnum("run", "--detach", path, code=2)
        self.assertEqual((detached.out, detached.err), ("", foreground.err))
        self.assertEqual(self.ps("-a"), [])

    def test_an_id_that_nobody_can_read_is_an_error_and_the_run_goes_on(self):
        path = self.write_config([step("Wait", WAITS)])
        result = self.run_program("sh", "-c", f"barnum run -d {path} >/dev/full")
        self.assert_exit(result, 74)
        self.assertEqual(self.only()["state"], "running")
        self.assertIn(f"the run {self.only()['id']} goes on in the background", result.err)
        self.go()
        self.barnum("wait", "last")

    def test_sighup_does_not_end_it(self):
        self.detach_waiting()
        os.kill(self.only()["pid"], signal.SIGHUP)
        self.go()
        self.barnum("wait", "last")

    def test_a_detached_run_is_resumed_detached(self):
        id_ = self.detach_waiting("--jobs", "3")
        self.barnum("cancel", id_)
        resumed = self.barnum("resume", id_, "-d").out.strip()
        self.assertEqual(self.run_of(resumed)["state"], "running")
        self.go()
        self.barnum("wait", resumed)
        self.assertEqual([self.run_of(id_)["state"], self.run_of(resumed)["state"]], ["resumed", "finished"])

    def test_without_a_directory_there_is_no_detached_run(self):
        (self.work / "file").write_text("")
        result = self.barnum("run", "-d", self.write_config(QUICK), "--state-log", "log.ndjson", code=74,
                             env={"BARNUM_RUNS": self.work / "file"})
        self.assertIn("a detached run has its log there", result.err)
        self.assertFalse((self.work / "log.ndjson").exists())


class InATerminal(ControlCase, TerminalCase):
    def test_a_detached_run_outlives_its_terminal_and_a_foreground_run_is_interrupted(self):
        path = self.write_config([step("Wait", WAITS)])
        terminal = self.terminal()
        terminal.type(f"barnum run -d {path}; barnum run {path} --name front")
        wait_until(lambda: len([run for run in self.ps() if run["state"] == "running"]) == 2, "both runs")
        terminal.close()
        wait_until(lambda: [run["state"] for run in self.ps("-a") if run["name"] == "front"] == ["interrupted"],
                   "SIGHUP to end the run in the foreground")
        (behind,) = self.ps()
        self.assertEqual(behind["state"], "running")
        self.go()
        self.barnum("wait", behind["id"])

    def test_a_terminal_shows_a_run_of_another_one(self):
        self.detach_waiting()
        terminal = self.terminal()
        terminal.type("clear; barnum attach last; echo exit=$?")
        terminal.wait_for(r"^Wait +1 +░")
        terminal.key("C-c")
        screen = terminal.wait_for("^exit=130")
        self.assertTrue(any("goes on" in line for line in screen), screen)
        terminal.type("clear; echo again; barnum attach last; echo exit=$?")
        # Not the table of the first look, which is there until the screen is cleared.
        terminal.wait_for_screen(lambda lines: "again" in lines and any(re.match("Wait +1 +░", line) for line in lines),
                                 "the table of the second look")
        terminal.resize(60, 20)
        self.go()
        screen = terminal.wait_for("^exit=0")
        self.assertTrue(any(re.match(r"Wait +1$", line) for line in screen), screen)
        self.assertTrue(any("run finished: 1 task" in line for line in screen), screen)
        self.assertFalse(any("tasks in 0:" in line and "░" in line for line in screen), screen)


class Waiting(ControlCase):
    def test_the_exit_code_is_that_of_the_run(self):
        self.assert_run(self.run_workflow([step("Bad", "exit 3", options={"max_retries": 0})], "--name", "bad"), 1)
        self.assertRegex(self.barnum("wait", "bad", code=1).out, "^[0-9a-f-]+ failed\n$")
        self.assert_run(self.run_workflow(QUICK, "--name", "good"))
        self.assertEqual(len(self.barnum("wait", "good", "bad", code=1).out.splitlines()), 2)
        self.barnum("wait", "good")

    def test_it_waits_for_each_kind_of_end(self):
        for number, code, state in ((signal.SIGTERM, 143, "interrupted"), (signal.SIGKILL, 137, "lost")):
            run = self.start_waiting()
            waiting = self.start("barnum", "wait", "last")
            run.signal(number)
            result = waiting.result()
            self.assert_exit(result, code)
            self.assertIn(f" {state}\n", result.out)
            (self.work / "started").unlink()

    def test_all_names_are_checked_first(self):
        self.start_waiting()
        self.assertIn("nothing", self.barnum("wait", "last", "nothing", code=2).err)

    def test_a_removed_directory_is_told(self):
        run = self.start_waiting()
        waiting = self.start("barnum", "wait", "last")
        path = self.only()["path"]
        os.unlink(f"{path}/run.json")
        run.signal(signal.SIGTERM)
        run.result()
        for name in os.listdir(path):
            os.unlink(f"{path}/{name}")
        waiting.result()


class Cancelling(ControlCase):
    def test_a_cancelled_run_says_what_is_left_and_is_resumed(self):
        run = self.start_waiting()
        result = self.barnum("cancel", "last")
        self.assert_run(run.result(), 143)
        id_ = self.only()["id"]
        self.assertRegex(result.out, f"^{id_} interrupted: 0 tasks done, 1 left\nResume it with:\n  .*barnum resume {id_}\n$")
        self.go()
        self.barnum("resume", id_)

    def test_now_does_not_wait_for_a_command_that_ignores_sigterm(self):
        self.start_run([step("Wait", f"trap '' TERM; {WAITS}")])
        wait_until((self.work / "started").exists, "the task to start")
        self.assertIn(" interrupted: ", self.barnum("cancel", "last", "--now").out)

    def test_a_suspended_run_is_cancelled(self):
        run = self.start_waiting()
        run.signal(signal.SIGSTOP)
        self.assertIn(" interrupted: ", self.barnum("cancel", "last").out)

    def test_a_run_that_is_stopped_is_shown_as_such(self):
        run = self.start_waiting()
        run.signal(signal.SIGSTOP)
        wait_until(lambda: re.search(r" stopped +0 ", self.barnum("ps").out), "the list to say so")
        self.assertEqual((self.only()["state"], self.only()["stopped"]), ("running", True))
        self.assertIn(f"running (process {run.pid}) but stopped by a signal: kill -CONT lets it go on",
                      self.barnum("inspect", "last").out)
        viewer = self.start("barnum", "attach", "last")
        wait_until(lambda: f"its process {run.pid} is stopped (kill -CONT {run.pid} lets it go on)" in viewer.err, "the viewer to say so")
        run.signal(signal.SIGCONT)
        wait_until(lambda: viewer.out, "the viewer's first output")
        self.assertNotIn("stopped", self.only())
        self.go()
        self.assert_exit(run.result(), 0)

    def test_a_run_that_ends_before_its_first_task_can_be_resumed(self):
        id_ = self.detach([step("Next", KEEP)], "--wake", "touch woken; sleep 1000")
        wait_until((self.work / "woken").exists, "the wake command to start")
        self.assertEqual(self.only()["tasks"], {"done": 0, "left": 1, "dropped": 0})
        self.assertIn("0 tasks done, 1 left\nResume it with:", self.barnum("cancel", id_).out)
        self.assertEqual(self.barnum("prune", "--keep", "0").out, "removed 0 runs, 0 bytes\n")

    def test_only_a_running_run_can_be_cancelled(self):
        self.assert_run(self.run_workflow(QUICK))
        self.assertIn("is not running: its state is finished", self.barnum("cancel", "last", code=2).err)


class Attached(ControlCase):
    def events(self, viewer):
        return [json.loads(line) for line in viewer.out.splitlines()]

    def attach(self, *args):
        """A viewer that has had its first output."""
        viewer = self.start("barnum", "attach", "last", *args)
        wait_until(lambda: viewer.out, "the viewer's first output")
        return viewer

    def test_events(self):
        run = self.start_waiting("--progress", "none")
        viewer = self.attach("--progress", "json")
        self.assertEqual(self.events(viewer)[0]["event"], "summary")
        self.go()
        self.assert_exit(viewer.result(), 0)
        self.assert_run(run.result())
        names = [event["event"] for event in self.events(viewer)]
        self.assertIn("task_done", names)
        self.assertIn("run_ended", names)

    def test_lines_without_a_terminal(self):
        self.start_waiting()
        viewer = self.attach()
        self.assertRegex(viewer.out, r"^after \d+:\d\d: 0 done, ")
        self.go()
        self.assert_exit(viewer.result(), 0)
        self.assertIn("run finished: 1 task", viewer.out)

    def test_the_exit_code_is_that_of_the_run(self):
        self.start_run([step("Bad", f"{WAITS} >/dev/null; exit 3", options={"max_retries": 0})])
        wait_until((self.work / "started").exists, "the task to start")
        viewer = self.attach()
        self.go()
        self.assert_exit(viewer.result(), 1)

    def test_a_killed_run_is_told_with_the_command_that_resumes_it(self):
        run = self.start_waiting()
        viewer = self.attach()
        run.signal(signal.SIGKILL)
        result = viewer.result()
        self.assert_exit(result, 137)
        self.assertIn(f"barnum resume {self.only()['id']}", result.err)
        self.assertFalse((self.runs / self.only()["id"] / "control.sock").exists(), "its socket is gone, too")

    def start_fan_out(self, tasks):
        run = self.start_run([step("Wait", f"{WAITS} >/dev/null; {emit(*[('Quick', n) for n in range(tasks)])}", ["Quick"]),
                              step("Quick", "echo '[]'")], "--fsync", "never")
        wait_until((self.work / "started").exists, "the task to start")
        return run

    def test_ten_viewers_of_which_one_is_stopped(self):
        tasks = 100  # their events, one by one, fit into the buffer of a socket, so that nobody can be too slow
        run = self.start_fan_out(tasks)
        viewers = [self.attach("--progress", "json") for _ in range(10)]
        viewers[0].signal(signal.SIGSTOP)
        self.go()
        self.assert_run(run.result())
        viewers[0].signal(signal.SIGCONT)
        for viewer in viewers:
            self.assert_exit(viewer.result(), 0)
            done = [event for event in self.events(viewer) if event["event"] == "task_done"]
            self.assertEqual(len(done), tasks + 1)

    def test_a_viewer_that_reads_nothing_does_not_hold_the_run(self):
        run = self.start_fan_out(1500)
        viewer = self.attach("--progress", "json")
        viewer.signal(signal.SIGSTOP)
        self.go()
        self.assert_run(run.result(3 * DEADLINE))
        viewer.signal(signal.SIGCONT)
        self.assert_exit(viewer.result(), 0)
        self.assertLess(viewer.out.count('"task_done"'), 1500)

    def test_hostile_connections_do_not_disturb_the_run(self):
        run = self.start_waiting()
        path = self.only()["path"] + "/control.sock"
        for text in (b"garbage\n", b"5\n{}{}{", b"3\n[1]", b'2\n{}', b'19\n{"kind":"Nothing"} ', b'31\n{"kind":"Attach","mode":"dance"}',
                     b'25\n{"kind":"Scale","jobs":0}', b'9999999999999\n'):
            answer = subprocess.run(["python3", "-c", """
import socket, sys
peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])
peer.sendall(bytes.fromhex(sys.argv[2]))
print(peer.recv(4096).decode())
""", path, text.hex()], capture_output=True, text=True, timeout=DEADLINE, check=True).stdout
            self.assertIn('"kind":"Refused"', answer, text)
        self.assertEqual(self.only()["state"], "running")
        self.go()
        self.assert_run(run.result())
        self.assertFalse(os.path.exists(path))


class Pausing(ControlCase):
    def fan_out(self, tasks, *args, jobs=1):
        run = self.start_run([step("Split", emit(*[("Count", n) for n in range(tasks)]), ["Count"]),
                              step("Count", COUNTED)], "--jobs", str(jobs), *args)
        wait_until(lambda: self.count("begun") == min(jobs, tasks), "the first tasks to start")
        return run

    def test_a_paused_run_starts_nothing_and_ends_what_runs(self):
        run = self.fan_out(3)
        self.assertIn("is paused", self.barnum("pause", "last").out)
        self.assertEqual(self.only()["state"], "paused")
        viewer = self.start("barnum", "attach", "last")
        wait_until(lambda: "; paused" in viewer.out, "the pause to be shown")
        viewer.terminate()
        self.go()
        wait_until(lambda: self.count("ended") == 1, "the running task to end")
        wait_until(lambda: self.only()["tasks"] == {"done": 2, "left": 2, "dropped": 0}, "the record to know it")
        self.assertEqual(self.count("begun"), 1)
        self.assertIn("is paused already", self.barnum("pause", "last").out)
        self.assertIn("continues", self.barnum("continue", "last").out)
        self.assert_run(run.result())
        self.assertEqual(self.count("ended"), 3)

    def test_a_resumed_run_is_still_paused(self):
        run = self.fan_out(2)
        self.barnum("pause", "last")
        run.signal(signal.SIGKILL)
        run.result()
        wait_until(lambda: self.only()["state"] == "lost", "the guard to let go of the state log")
        self.go()
        resumed = self.barnum("resume", "last", "-d").out.strip()
        wait_until(lambda: self.run_of(resumed)["tasks"]["left"] == 2, "the resumed run to have begun")
        self.assertEqual((self.run_of(resumed)["state"], self.count("begun")), ("paused", 1))
        self.barnum("continue", resumed)
        self.barnum("wait", resumed)
        self.assertEqual(self.count("ended"), 2)

    def test_a_request_that_was_given_up_while_the_run_was_stopped_is_withdrawn(self):
        id_ = self.detach_waiting()
        pid = self.only()["pid"]
        os.kill(pid, signal.SIGSTOP)
        pause, scale = self.start("barnum", "pause", "last"), self.start("barnum", "scale", "last", "--jobs", "7")
        for given in (pause, scale):
            wait_until(lambda: f"waiting for an answer of the run {id_}: its process {pid} is stopped" in given.err, "it to say so")
        pause.signal(signal.SIGKILL)
        pause.result()
        os.kill(pid, signal.SIGCONT)
        self.assertIn("has 7 local processes at once", scale.result().out)
        self.assertEqual(self.only()["state"], "running")
        self.go()
        self.barnum("wait", "last")

    def test_a_paused_run_is_cancelled(self):
        run = self.fan_out(2)
        self.barnum("pause", "last")
        self.barnum("cancel", "last")
        self.assert_run(run.result(), 143)

    def test_tasks_start_in_their_order_also_after_a_pause(self):
        agent = "cut -c1-200 >> seen; touch at; await go; echo '[]'"
        steps = [step("Split", emit(*[("Ask", n) for n in range(12)]), ["Ask"]), step("Ask", pool())]
        run = self.start_run(steps, "--agents", "1", "--agent-exec", agent, "--progress=json")
        wait_until((self.work / "at").exists, "the first task")
        self.barnum("pause", "last")
        wait_until(lambda: run.err.count('"task_put_back"') == 11, "the others to be taken back")
        self.barnum("continue", "last")
        (self.work / "go").touch()
        self.assert_run(run.result())
        order = [int(number) for number in re.findall(r'"value":(\d+)', (self.work / "seen").read_text())]
        self.assertEqual(order, list(range(12)))

    def test_no_agent_gets_a_task_while_the_run_is_paused(self):
        (self.work / "agent.sh").write_text(f"cat >/dev/null; {COUNTED}")
        run = self.start_run([step("Split", emit(*[("Ask", n) for n in range(4)]), ["Ask"]), step("Ask", pool())],
                             "--agents", "1", "--agent-exec", "sh agent.sh")
        wait_until(lambda: self.count("begun") == 1, "the agent to have a task")
        viewer = self.start("barnum", "attach", "last", "--progress", "json")
        wait_until(lambda: viewer.out, "the viewer's first output")
        self.barnum("pause", "last")
        wait_until(lambda: viewer.out.count('"task_put_back"') == 3, "the queued tasks to be withdrawn")
        self.go()
        wait_until(lambda: self.only()["tasks"]["done"] == 2, "the agent to be done")
        self.assertEqual(self.count("begun"), 1)
        self.barnum("continue", "last")
        self.assert_run(run.result())
        self.assertEqual(self.count("ended"), 4)

    def test_more_jobs(self):
        run = self.fan_out(4)
        self.assertIn("has 3 local processes at once", self.barnum("scale", "last", "--jobs", "3").out)
        wait_until(lambda: self.count("begun") == 3, "three at once")
        self.go()
        self.assert_run(run.result())

    def test_fewer_jobs(self):
        run = self.fan_out(4, jobs=2)
        self.barnum("scale", "last", "--jobs", "1")
        self.go()
        self.assert_run(run.result())
        self.assertEqual(self.count("ended"), 4)

    def agents_at_work(self, count):
        wait_until(lambda: self.count("begun") - self.count("ended") == count, f"{count} agents to be at work")

    def test_more_and_fewer_agents(self):
        (self.work / "agent.sh").write_text("""cat >/dev/null; echo "$BARNUM_AGENT" >>begun
            await "go-$BARNUM_AGENT"; echo . >>ended; echo '[]'""")
        run = self.start_run([step("Split", emit(*[("Ask", n) for n in range(8)]), ["Ask"]), step("Ask", pool())],
                             "--agents", "1", "--agent-exec", "sh agent.sh")
        self.agents_at_work(1)
        self.assertIn("has 3 agents of the kind exec", self.barnum("scale", "last", "--agents", "3").out)
        self.agents_at_work(3)
        self.barnum("scale", "last", "--agents", "exec=2")
        (self.work / "go-agent-3").touch()
        wait_until(lambda: self.count("ended") == 1, "its task to end")
        self.assertIn("no agents of the kind claude; it has: exec",
                      self.barnum("scale", "last", "--agents", "claude=2", code=2).err)
        for name in ("go-agent-1", "go-agent-2"):
            (self.work / name).touch()
        self.assert_run(run.result())
        begun = (self.work / "begun").read_text().split()
        self.assertEqual((len(begun), begun.count("agent-3")), (8, 1), "the third agent has ended after its task")

    def test_without_agents_tasks_wait_until_there_are_some(self):
        (self.work / "agent.sh").write_text(f"cat >/dev/null; {COUNTED}")
        run = self.start_run([step("Ask", pool(), next_=["Ask2"]), step("Ask2", pool())], "--agents", "1",
                             "--agent-exec", "sh agent.sh", entrypoint="Ask")
        wait_until(lambda: self.count("begun") == 1, "the agent to have a task")
        self.barnum("scale", "last", "--agents", "0")
        self.barnum("scale", "last", "--agents", "1")
        self.go()
        self.assert_run(run.result())

    def test_only_a_running_run_can_be_changed(self):
        self.assert_run(self.run_workflow(QUICK))
        for words in (["pause", "last"], ["continue", "last"], ["scale", "last", "--jobs", "2"], ["attach", "last"]):
            self.assertIn("is not running: its state is finished", self.barnum(*words, code=2).err)


class Random(ControlCase):
    """16 runs (200 in the thorough form), each changed, cancelled, killed and resumed at random moments, several at a time. At the end
    each task was done once, and begun as often as cancels and kills allow."""

    RUNS, AT_ONCE, TASKS = 200 if is_thorough() else 16, 8, 12

    def test_random_changes_lose_nothing_and_repeat_nothing(self):
        seed = random.SystemRandom().randrange(1_000_000)
        print(f"     seed {seed}", flush=True)
        tasks = [("Note", n) for n in range(self.TASKS)]
        self.config = self.write_config([step("Split", emit(*tasks), ["Note"]), step("Note", """
            n=$(sed 's/.*"value":\\([0-9]*\\).*/\\1/'); echo "$n" >> begun; sleep 0.0$((n % 3)); echo "$n" >> ended; echo '[]'""")])
        with ThreadPoolExecutor(self.AT_ONCE) as pool_:
            for problem in pool_.map(self.one_run, (f"{seed} {n}" for n in range(self.RUNS))):
                self.assertIsNone(problem)

    def one_run(self, seed):
        """What is wrong, or None."""
        luck = random.Random(seed)
        home = self.work / seed.replace(" ", "-")
        home.mkdir()
        env = self.env | {"BARNUM_RUNS": str(home / "runs")}

        def barnum(*args):
            return subprocess.run([binary("barnum"), "--log-level", "error", *args], cwd=home, env=env, text=True,
                                  capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE)

        shutil.copy(self.config, home)
        barnum("run", "-d", self.config.name, "--jobs", str(luck.randint(1, 3)), "--fsync", "never")
        interruptions = 0
        actions, was_done = [], False
        for _ in range(luck.randint(1, 6)):
            time.sleep(luck.random() * 0.05)  # a random moment
            action = luck.choice(["pause", "continue", "scale", "cancel", "now", "kill"])
            actions.append(action)
            if action in ("pause", "continue"):
                barnum(action, "last")
            elif action == "scale":
                barnum("scale", "last", "--jobs", str(luck.randint(1, 4)))
            else:
                interruptions += 1
                if action == "kill":
                    records = [json.loads(path.read_text()) for path in (home / "runs").glob("*/run.json")]
                    run = max(records, key=lambda record: record["started"])
                    if "ended" not in run:
                        kill(run["pid"])
                else:
                    barnum("cancel", "last", *(["--now"] if action == "now" else []))
                barnum("wait", "last")
                resumed = barnum("resume", "last", "-d")
                was_done = not resumed.stdout  # killed after its last task
                if resumed.returncode != 0:
                    return f"{seed}: {action}, and then: {resumed.stdout}{resumed.stderr}"
        went_on = barnum("continue", "last")
        if went_on.returncode != 0 and "not running" not in went_on.stderr:
            return f"{seed}: {went_on.stderr}"
        if barnum("wait", "last").returncode != 0 and not was_done:
            logs = [path.read_text() for path in sorted((home / "runs").glob("*/run.log"))]
            return f"{seed}: {actions}: the last run did not finish: {barnum('ps', '-a', '--json').stdout}{logs}"
        ended = Counter((home / "ended").read_text().split())
        begun = Counter((home / "begun").read_text().split())
        if set(ended) != {str(n) for n in range(self.TASKS)}:
            return f"{seed}: not every task was done: {ended}"
        if max(begun.values()) > 1 + interruptions:
            return f"{seed}: {interruptions} interruptions, and tasks were begun so often: {begun}"
        return None


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
