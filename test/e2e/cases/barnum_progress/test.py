"""Progress of a run: the live table in a real terminal, and what goes through pipes instead of it."""

import json
import os
import pty
import re
import select
import shlex
import time
import unittest

from harness import DEADLINE, wait_until
from harness.terminal import TerminalCase
from harness.workflow import WorkflowCase, command, emit, pool, step

# Runs until there is a file of that name.
UNTIL = "await {0}; echo '[]'"
HEADLINE = r"^\d+ of \d+ tasks? in \d+:\d\d"
ESCAPE = "\x1b["
FAILS_WITH_A_LONG_MESSAGE = "printf %01000d 0 >&2; exit 1"


class Table(TerminalCase):
    def three(self, first_script="true"):
        """One task that is over, two that wait for the file `go`."""
        return [step("First", f"{first_script}; {emit(('Wait', 1), ('Wait', 2))}", ["Wait"]), step("Wait", UNTIL.format("go")),
                step("Never", "echo '[]'")]

    def run_in(self, terminal, steps, *args, **more):
        path = self.write_config(steps, **more)
        line = shlex.join(["barnum", "run", "--config", str(path), "--state-log", "log.ndjson", *args])
        (self.work / "run.sh").write_text(f"{line}\necho \"exit=$?\"\n")
        terminal.type("clear; sh run.sh")

    def go(self, name="go"):
        (self.work / name).touch()

    def assert_no_table_left_over(self, lines):
        """Each headline stood in its place, so none of them has stayed."""
        self.assertEqual([l for l in lines if re.search(HEADLINE, l)], [])

    def test_the_table_shows_what_goes_on_and_is_left_with_the_result(self):
        terminal = self.terminal()
        self.run_in(terminal, self.three())
        screen = terminal.wait_for(r"^Wait +2 ")
        at = next(i for i, line in enumerate(screen) if re.search(HEADLINE, line))
        self.assertRegex(screen[at], r"^1 of 3 tasks in \d:\d\d$")
        self.assertEqual(screen[at + 1].split(), ["step", "waiting", "running", "done", "dropped", "retries", "rate", "ETA"])
        self.assertEqual(screen[at + 2].split(), ["First", "1", "██████████"])
        self.assertEqual(screen[at + 3].split(), ["Wait", "2", "░░░░░░░░░░"])
        self.assertEqual(screen[at + 4], "Never")
        terminal.wait_for(r"^  task 1 Wait  \d:\d\d  command$")
        self.go()
        screen = [line for line in terminal.wait_for("^exit=0") if line]
        self.assert_no_table_left_over(terminal.all_lines())
        at = screen.index("step   done  dropped  retries")
        self.assertEqual([line.split() for line in screen[at + 1:at + 3]], [["First", "1"], ["Wait", "2"]])
        self.assertRegex(screen[at + 3], "INFO  run finished: 3 tasks in")
        self.assertEqual(screen[at + 4], "exit=0")

    def test_the_log_comes_out_above_the_table_without_what_the_table_shows(self):
        terminal = self.terminal()
        steps = self.three() + [step("Bad", "await bad; echo no >&2; exit 3")]
        steps[0] = step("First", emit(("Wait", 1), ("Bad", 1), ("Bad", 2)), ["Wait", "Bad"])
        self.run_in(terminal, steps)
        terminal.wait_for(r"^Bad +2 +░")
        self.go("bad")
        terminal.wait_for(r"^\d of 4 tasks .*, 2 dropped")
        terminal.wait_for(r"^  task 1 Wait  \d:\d\d")
        lines = terminal.all_lines()
        headline = next(i for i, line in enumerate(lines) if re.search(HEADLINE, line))
        errors = [i for i, line in enumerate(lines) if re.search(r"ERROR task \d Bad: failed", line)]
        self.assertEqual(len(errors), 2)
        self.assertLess(errors[1], headline)
        self.assertEqual(lines[errors[0] + 1], "    no")
        self.assertFalse(any(": started" in line or ": done" in line for line in lines))
        self.go()
        terminal.wait_for("^exit=1")
        self.assert_no_table_left_over(terminal.all_lines())

    def test_what_is_at_the_pool_does_not_count_as_running(self):
        terminal = self.terminal()
        ask = {"name": "Ask", "action": {"kind": "Pool", "instructions": "x"}, "next": []}
        self.run_in(terminal, [step("First", emit(("Ask", 1), ("Ask", 2)), ["Ask"]), ask], "--root", str(self.home / "r"))

        def are_at_the_pool(screen):
            heading = next((line for line in screen if line.startswith("step")), "")
            row = next((line for line in screen if line.startswith("Ask")), "")
            return "pool" in heading and row.find("2") == heading.index("pool") + len("pool") - 1
        terminal.wait_for_screen(are_at_the_pool, "both in the column of the pool")
        terminal.key("C-c")
        terminal.wait_for(r"run --resume-from")

    def test_40_columns(self):
        terminal = self.terminal(columns=40)
        self.run_in(terminal, self.three(), "--log-level", "error")
        screen = terminal.wait_for(r"^Wait +2$")
        self.assertRegex(screen[0], HEADLINE)
        self.assertLess(max(map(len, screen)), 40)
        self.assertIn("step   wait  run  done", "\n".join(screen))
        self.go()
        terminal.wait_for("^exit=0")

    def test_a_resized_terminal_has_one_table_that_fits(self):
        terminal = self.terminal(columns=100)
        self.run_in(terminal, self.three(), "--log-level", "error")
        terminal.wait_for(r"^  task 1 Wait")
        def one_table(last):
            screen = terminal.screen()
            return (sum(bool(re.search(HEADLINE, line)) for line in screen) == 1
                    and [re.sub(" +", " ", line) for line in screen if line.startswith("step")] == [last])

        # Too small at last: then the terminal itself moves lines to its history, where nobody gets at them.
        for columns, rows, heading in ((130, 24, "step waiting running done dropped retries rate ETA"),
                                       (76, 30, "step waiting running done dropped retries rate ETA"),
                                       (130, 12, "step waiting running done dropped retries rate ETA"),
                                       (40, 12, "step wait run done drop retry"),
                                       (40, 5, "step wait run done drop retry")):
            terminal.resize(columns, rows)
            wait_until(lambda: one_table(heading), f"one table on {columns} by {rows}\n{terminal.text()}")
        self.go()
        terminal.wait_for("^exit=0")

    def test_500_steps_in_24_rows(self):
        terminal = self.terminal()
        steps = [step("S0", emit(("S250", 1), ("S300", 1)), ["S250", "S300"])]
        steps += [step(f"S{i}", UNTIL.format("go")) for i in range(1, 500)]
        self.run_in(terminal, steps)
        screen = terminal.wait_for(r"^S250 +1")
        terminal.wait_for(r"^  task 1 S250")
        screen = terminal.screen()
        self.assertTrue(any(re.match(r"^S300 +1", line) for line in screen), screen)
        self.assertTrue(any(re.match(r"^… and 48\d more$", line) for line in screen), screen)
        self.assertRegex(screen[0], HEADLINE)
        self.go()
        screen = terminal.wait_for("^exit=0")
        self.assertIn("step  done  dropped  retries", screen)  # only the three that had tasks
        self.assert_no_table_left_over(terminal.all_lines())

    def test_ctrl_c_leaves_the_terminal_in_order_and_the_command_that_resumes_whole(self):
        terminal = self.terminal()
        self.run_in(terminal, self.three())
        terminal.wait_for(r"^Wait +2 ")
        terminal.key("C-c")
        terminal.wait_for(r"^exit=130|^\^C|^\$ *$")
        terminal.wait_for(r"run --resume-from")
        lines = terminal.all_lines()
        self.assertTrue(any("WARN  got SIGINT" in line for line in lines), lines)
        self.assertTrue(any(line.startswith("step   waiting  done") for line in lines), lines)
        self.assertTrue(any(re.match(r"^Wait +2$", line) for line in lines), lines)
        self.assert_no_table_left_over(lines)
        terminal.type("echo back-$((20+22))")
        terminal.wait_for(r"^(\$ )?back-42$")  # typed before the prompt, perhaps

    def test_a_second_ctrl_c_leaves_at_once_and_in_order(self):
        terminal = self.terminal()
        trap = "trap '' TERM INT; touch there; await go"
        self.run_in(terminal, [step("Stubborn", trap)])
        wait_until((self.work / "there").exists, "the command")
        terminal.key("C-c")
        terminal.wait_for("got SIGINT")
        time.sleep(0.2)  # a second one within 0.1 s is taken for the same
        terminal.key("C-c")
        terminal.wait_for(r"run --resume-from")
        terminal.type("echo back-$((20+22))")
        terminal.wait_for(r"^(\$ )?back-42$")
        self.go()

    def test_a_stopped_run_goes_on_below_what_the_shell_wrote(self):
        terminal = self.terminal(rows=40)  # room for both tables
        self.run_in(terminal, self.three(), "--log-level", "error")
        path = self.work / "flow.json"
        self.go()
        terminal.wait_for("^exit=0")
        (self.work / "go").unlink()
        terminal.type(f"clear; barnum run --config {path} --log-level error")
        terminal.wait_for(r"^Wait +2 ")
        terminal.key("C-z")
        terminal.wait_for(r"Stopped|Suspended")
        terminal.type("echo between-$((20+22))")
        terminal.wait_for(r"^(\$ )?between-42$")
        terminal.type("fg")
        terminal.wait_for_screen(lambda lines: any("between-42" in line for line in lines)
                                 and sum(bool(re.search(HEADLINE, line)) for line in lines) == 2, "a table below the first")
        self.go()
        terminal.wait_for(r"^\$ *$")
        self.assertRegex("\n".join(terminal.all_lines()), r"(?m)^(\$ )?between-42$")

    def test_agents_of_a_hosted_pool_are_counted(self):
        terminal = self.terminal()
        agent = "cat > /dev/null; " + UNTIL.format("go")
        self.run_in(terminal, [step("Ask", pool())], "--agents", "3", "--agent-exec", agent)
        terminal.wait_for(r"^0 of 1 task in \d:\d\d; 1 of 3 agents busy$")
        terminal.wait_for(r"^  task 0 Ask  \d:\d\d  pool$")
        self.go()
        terminal.wait_for("^exit=0")

    def test_an_agent_that_rests_is_counted_as_such_and_if_all_rest_it_says_why(self):
        terminal = self.terminal()
        agent = "cat > /dev/null; [ -e go ] && echo '[]' || { echo no quota >&2; exit 75; }"
        self.run_in(terminal, [step("Ask", pool())], "--agents", "1", "--agent-exec", agent)
        terminal.wait_for(r"^0 of 1 task in \d:\d\d; 0 of 1 agent busy, 1 resting$")
        terminal.wait_for(r"^every agent of this run rests or has ended; the next tries again in \d+ s: the")
        self.go()
        terminal.wait_for("^exit=0")

    def test_colours_are_for_terminals_and_NO_COLOR_turns_them_off(self):
        for env, args, wanted in (({}, (), True), ({"NO_COLOR": "1"}, (), False), ({}, ("--color", "never"), False),
                                  ({"NO_COLOR": "1"}, ("--color", "always"), True)):
            with self.subTest(env=env, args=args):
                terminal = self.terminal(env=env)
                (self.work / "log.ndjson").unlink(missing_ok=True)
                (self.work / "go").unlink(missing_ok=True)
                self.run_in(terminal, self.three(), *args)
                terminal.wait_for(r"^Wait +2 ")
                wait_until(lambda: (f"{ESCAPE}36m" in terminal.colored()) == wanted, "the colours")
                self.go()
                terminal.wait_for("^exit=0")

    def test_a_dumb_terminal_gets_plain_lines(self):
        terminal = self.terminal(columns=120, env={"TERM": "dumb"})
        self.run_in(terminal, self.three())
        terminal.wait_for("task 2 Wait: started")
        self.assertNotIn(ESCAPE, terminal.colored())
        self.go()
        terminal.wait_for("^exit=0")
        self.assertTrue(any("task 0 First: done, 2 next" in line for line in terminal.all_lines()))


class UnreadTerminals(WorkflowCase):
    """A terminal that takes nothing, as behind a stalled connection or a suspended emulator."""

    def setUp(self):
        super().setUp()
        self.reader, self.tty = pty.openpty()

    def tearDown(self):
        super().tearDown()
        os.close(self.reader)
        os.close(self.tty)

    def start_on_terminal(self, name, *args):
        """The program with the terminal as its stderr."""
        line = shlex.join([name, *map(str, args)])
        return self.start("sh", "-c", f"exec {line} 2> {os.ttyname(self.tty)}")

    def read_until(self, words):
        text = b""
        end = time.monotonic() + DEADLINE
        while not re.search(words, text):
            self.assertGreater(end, time.monotonic(), f"{words} on the terminal, which has {text[-2000:]}")
            if select.select([self.reader], [], [], 0.1)[0]:
                text += os.read(self.reader, 65536)
        return text

    def test_a_run_goes_on_to_its_end_and_timeouts_fire(self):
        path = self.write_config([step("Split", emit(*[("Bad", n) for n in range(150)], ("Slow", 1)), ["Bad", "Slow"]),
                                  step("Bad", FAILS_WITH_A_LONG_MESSAGE), step("Slow", "sleep 1000", options={"timeout": 1})],
                                 options={"max_retries": 0})
        run = self.start_on_terminal("barnum", "run", path, "--jobs", "4", "--state-log", "log.ndjson", "--progress", "tty")
        self.assert_exit(run.result(), 1)

    def test_a_hosted_pool_answers_and_the_table_is_drawn_again_once_it_is_read(self):
        path = self.write_config([step("Split", emit(*[("Bad", n) for n in range(150)], ("Ask", 1)), ["Bad", "Ask"]),
                                  step("Bad", f"echo >> tried; {FAILS_WITH_A_LONG_MESSAGE}"), step("Ask", pool())],
                                 options={"max_retries": 0})
        self.start_on_terminal("barnum", "run", path, "--jobs", "4", "--pool", "p", "--progress", "tty")
        wait_until(lambda: self.count("tried") == 150, "all tasks to be tried")
        self.assert_exit(self.run_program("troupe", "status", "--pool", "p"), 0)
        self.read_until(rb"151 of 152 tasks in ")

    def test_a_daemon_answers(self):
        self.start_on_terminal("troupe", "start", "--pool", "p", "--log-level", "trace")
        self.read_until(rb"\n")
        task = ("troupe", "submit_task", "--pool", "p", "--timeout-secs", "0.01", "--data", json.dumps("x" * 1000))
        for _ in range(150):
            self.run_program(*task)
        self.assert_exit(self.run_program("troupe", "status", "--pool", "p"), 0)


class Pipes(WorkflowCase):
    STEPS = [step("First", emit(("Then", 1), ("Bad", 2)), ["Then", "Bad"]), step("Then", "echo '[]'"),
             step("Bad", "exit 3", options={"max_retries": 1})]

    def setUp(self):
        super().setUp()
        for name in ("NO_COLOR", "CLICOLOR_FORCE"):  # the tester's own
            self.env.pop(name, None)

    def events(self, *args, steps=None, code=1):
        result = self.run_workflow(steps or self.STEPS, "--progress", "json", *args)
        self.assert_run(result, code)
        return [json.loads(line) for line in result.err.splitlines()]

    def test_a_pipe_gets_lines_for_each_change_and_no_escapes(self):
        for args in ((), ("--progress", "plain"), ("--progress", "none")):
            result = self.run_workflow(self.STEPS, *args)
            self.assert_run(result, 1)
            self.assertIn("INFO  task 0 First: started\n", result.err)
            self.assertIn("INFO  task 0 First: done, 2 next\n", result.err)
            self.assertIn("run failed: 3 tasks in", result.err)
            self.assertNotIn("\x1b", result.err)

    def test_colours_may_be_forced_through_a_pipe(self):
        for env, args in (({"CLICOLOR_FORCE": "1"}, ()), ({"NO_COLOR": "1"}, ("--color", "always"))):
            result = self.run_workflow(self.STEPS, *args, env=env)
            self.assertIn(f" {ESCAPE}31mERROR{ESCAPE}0m task", result.err)

    def test_json_is_an_object_a_line_from_the_start_to_the_end(self):
        events = self.events()
        names = [e["event"] for e in events if e["event"] != "log"]
        self.assertEqual((names[0], names[-1]), ("run_started", "run_ended"))
        for event in events:
            self.assertAlmostEqual(event["time"] / 1000, time.time(), delta=60)
        started = next(e for e in events if e["event"] == "run_started")
        self.assertEqual([s["row"] for s in started["steps"]], ["First", "Then", "Bad"])
        self.assertEqual(started["tasks"], {"waiting": 1, "running": 0, "at_pool": 0, "waiting_for_human": 0, "done": 0, "dropped": 0, "retried": 0})
        self.assertTrue(os.path.exists(started["state_log"]))
        end = events[[e["event"] for e in events].index("run_ended")]
        self.assertEqual(end["result"], "failed")
        self.assertEqual(end["tasks"], {"waiting": 0, "running": 0, "at_pool": 0, "waiting_for_human": 0, "done": 2, "dropped": 1, "retried": 1})

    def test_json_has_the_command_that_resumes_in_a_field(self):
        run = self.start_run([step("Wait", UNTIL.format("go"))], "--progress", "json", "--state-log", "log.ndjson")
        wait_until(lambda: '"task_phase"' in run.err, "the task to run")
        run.popen.terminate()
        result = run.result()
        self.assert_exit(result, 143)
        told = [e for e in map(json.loads, result.err.splitlines()) if "resume" in e.get("message", "") or "command" in e]
        self.assertEqual([(e["event"], e["message"]) for e in told], [("log", "resume this run with:")])
        (self.work / "go").touch()
        words = shlex.split(told[0]["command"])
        self.assert_exit(self.run_program(words[0], *words[1:]), 0)

    def test_json_tells_each_attempt(self):
        events = self.events()
        first = [e for e in events if e.get("task") == 0]
        self.assertEqual([e["event"] for e in first], ["task_started", "task_phase", "task_done"])
        self.assertEqual((first[1]["phase"], first[2]["children"], first[2]["step"]), ("command", 2, "First"))
        retried, = [e for e in events if e["event"] == "task_retried"]
        failed, = [e for e in events if e["event"] == "task_dropped"]
        self.assertEqual((retried["step"], retried["attempt"], retried["retry"]), ("Bad", 1, failed["task"]))
        self.assertEqual((failed["attempt"], failed["message"]), (2, "the command exited with code 3"))
        self.assertFalse(any("started" in e["message"] for e in events if e["event"] == "log"))

    def test_a_resumed_run_counts_what_was_done_before(self):
        steps = [step("First", emit(*[("Then", i) for i in range(5)]), ["Then"]),
                 step("Then", "task=$(cat); case $task in *4*) await go;; esac; echo '[]'")]
        steps[0]["finally"] = command("echo '[]'")
        run = self.start_run(steps, "--state-log", "a.ndjson", "--progress", "json", "--jobs", "8")
        done = lambda: [l for l in run.err.splitlines() if '"task_done"' in l]
        wait_until(lambda: len(done()) == 5, "all but one to be done")
        run.popen.terminate()
        self.assert_exit(run.result(), 143)
        (self.work / "go").touch()
        result = self.run_program("barnum", "run", "--resume-from", "a.ndjson", "--progress", "json")
        self.assert_exit(result, 0)
        events = [json.loads(line) for line in result.err.splitlines()]
        started = next(e for e in events if e["event"] == "run_started")
        self.assertEqual({s["row"]: (s["waiting"], s["done"]) for s in started["steps"]},
                         {"First": (0, 1), "First (finally)": (0, 0), "Then": (1, 4)})
        ended = next(e for e in events if e["event"] == "run_ended")
        self.assertEqual({s["row"]: (s["waiting"], s["done"]) for s in ended["steps"]},
                         {"First": (0, 1), "First (finally)": (0, 1), "Then": (0, 5)})

    def test_the_table_is_drawn_ten_times_a_second_at_most_and_once_while_nothing_changes(self):
        steps = [step("First", emit(*[("Then", i) for i in range(200)], ("Wait", 0)), ["Then", "Wait"]), step("Then", "echo '[]'"),
                 step("Wait", UNTIL.format("go"))]
        run = self.start_run(steps, "--progress", "tty")
        draws = lambda: len(re.findall(r"\d+ of \d+ tasks", run.err))
        wait_until(lambda: "201 of 202 tasks" in run.err, "all but one task to be done")
        self.assertLessEqual(draws(), 10 * (time.monotonic() - run.started) + 2)
        since, before = time.monotonic(), draws()
        wait_until(lambda: draws() >= before + 3, "clocks that go on")
        self.assertGreater(time.monotonic() - since, 1.9)
        (self.work / "go").touch()
        self.assert_run(run.result())

    def test_plain_sums_up_every_30_seconds(self):
        run = self.start_run([step("Wait", UNTIL.format("go"))])
        summary = r"INFO  after \d:\d\d: 0 done, 0 waiting, 1 running; longest: task 0 Wait"
        wait_until(lambda: re.search(summary, run.err), "the summary")
        elapsed = time.monotonic() - run.started
        self.assertLessEqual(len(re.findall("INFO  after", run.err)), elapsed / 30)
        (self.work / "go").touch()
        self.assert_run(run.result())

    def test_what_progress_does_not_know_is_a_mistake(self):
        for args in (("--progress", "fancy"), ("--color", "yes")):
            result = self.run_workflow(self.STEPS, *args)
            self.assert_exit(result, 2)
            self.assertIn(args[1], result.err)


if __name__ == "__main__":
    unittest.main()
