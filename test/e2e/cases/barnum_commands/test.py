"""Workflows of Commands: order, values that keep their text, environment, processes, exit codes."""

import json
import os
import re
import shlex
import signal

from harness import scaled, wait_until
from harness.process import marked_processes
from harness.workflow import KEEP, WorkflowCase, command, emit, step

# Texts that a JSON library would rewrite.
VALUE = ('{"z":1.0,"a":1e400,"big":123456789012345678901234567890,"neg":-0.0,"exp":1E+2,"e":"\\u00e9","raw":"é",'
         '"slash":"\\/","astral":"\\ud83d\\ude00","nested":{"b":[],"a":{}},"list":[1.10,null,true]}')


class Shape(WorkflowCase):
    def test_a_chain_runs_to_its_end(self):
        result = self.run_workflow([
            step("First", """jq -c '[{kind: "Second", value: (.value + {first: .kind})}]'""", ["Second"]),
            step("Second", """jq -c '[{kind: "Third", value: (.value + {second: .kind})}]'""", ["Third"]),
            step("Third", KEEP)], "--entrypoint-value", '{"start": true}')
        self.assert_run(result)
        self.assert_seen(("Third", {"start": True, "first": "First", "second": "Second"}))

    def test_a_step_may_go_one_way_or_the_other(self):
        steps = [step("Route", """jq -c '[{kind: (if .value.n > 5 then "Large" else "Small" end), value: .value}]'""",
                      ["Large", "Small"]), step("Large", KEEP), step("Small", KEEP)]
        for n in (1, 9):
            self.assert_run(self.run_workflow(steps, "--entrypoint-value", f'{{"n": {n}}}'))
        self.assert_seen(("Small", {"n": 1}), ("Large", {"n": 9}))

    def test_a_step_fans_out_and_its_children_go_on(self):
        self.assert_run(self.run_workflow([
            step("Split", "jq -c '.value.items[] | {kind: \"Process\", value: .}' | jq -s", ["Process"]),
            step("Process", """jq -c '[{kind: "Keep", value: (.value * 10)}]'""", ["Keep"]),
            step("Keep", KEEP)], "--entrypoint-value", json.dumps({"items": list(range(30))})))
        self.assert_seen(*[("Keep", n * 10) for n in range(30)])

    def test_a_step_may_call_itself(self):
        script = ("jq -c '.value as $n | [if $n > 0 then {kind: \"Down\", value: ($n - 1)}"
                  " else {kind: \"Keep\", value: $n} end]'")
        self.assert_run(self.run_workflow([step("Down", script, ["Down", "Keep"]), step("Keep", KEEP)],
                                          "--entrypoint-value", "20"))
        self.assert_seen(("Keep", 0))

    def test_the_entrypoint_value_is_an_empty_object_unless_given(self):
        self.assert_run(self.run_workflow([step("Only", KEEP)]))
        self.assert_seen(("Only", {}))

    def test_an_initial_state_starts_many_tasks_of_many_steps(self):
        steps = [step("A", KEEP), step("B", KEEP)]
        tasks = [{"kind": "A", "value": 1}, {"kind": "B", "value": None}, {"kind": "A", "value": [2]}]
        self.assert_run(self.run_workflow(steps, "--initial-state", json.dumps(tasks), entrypoint=None))
        self.assert_seen(("A", 1), ("B", None), ("A", [2]))
        (self.work / "tasks.json").write_text('// from a file\n[{"kind": "B", "value": "file"},]')
        self.assert_run(self.run_workflow(steps, "--initial-state", "tasks.json"))  # wins over the entrypoint
        self.assertEqual(self.seen()[-1], ("B", "file"))
        self.assertEqual(len(self.seen()), 4)

    def test_the_entrypoint_value_may_come_from_a_file(self):
        (self.work / "value.json").write_text('{"from": "a file"}')
        self.assert_run(self.run_workflow([step("Only", KEEP)], "--entrypoint-value", "value.json"))
        self.assert_seen(("Only", {"from": "a file"}))

    def test_tasks_start_in_the_order_in_which_they_became_ready(self):
        tasks = [("Keep", n) for n in range(40)]
        self.assert_run(self.run_workflow([step("Split", emit(*tasks), ["Keep"]), step("Keep", KEEP)], "--jobs", "1"))
        self.assertEqual(self.seen(), tasks)

    def test_jobs_and_max_concurrency_bound_what_runs_at_once(self):
        # The first ones wait for each other, so that three do run at once.
        script = ("echo + >> trace; until [ $(grep -c + trace) -ge 3 ]; do sleep 0.1; done; sleep 0.1;"
                  " echo - >> trace; echo '[]'")
        steps = [step("Split", emit(*[("Work", n) for n in range(12)]), ["Work"]), step("Work", script)]
        for args, options in ((["--jobs", "3"], {}), (["--jobs", "8"], {"max_concurrency": 3})):
            (self.work / "trace").write_text("")
            self.assert_run(self.run_workflow(steps, *args, options=options))
            running = most = 0
            for mark in (self.work / "trace").read_text().split():
                running += 1 if mark == "+" else -1
                most = max(most, running)
            self.assertEqual((running, most), (0, 3))


class Values(WorkflowCase):
    def test_a_value_keeps_its_text_from_the_command_line_through_steps(self):
        # Each step passes the value on as text, by sed, for jq would rewrite it.
        relay = """sed 's/^{"kind":"[A-Za-z]*",/[{"kind":"%s",/; s/$/]/'"""
        result = self.run_workflow([step("One", relay % "Two", ["Two"]), step("Two", relay % "Last", ["Last"]),
                                    step("Last", KEEP)], "--entrypoint-value", VALUE)
        self.assert_run(result)
        self.assertEqual(self.seen_text(), ['{"kind":"Last","value":' + VALUE + "}"])

    def test_white_space_between_tokens_is_all_that_goes(self):
        spaced = VALUE.replace(":", " : ").replace(",", " ,\n")
        self.assert_run(self.run_workflow([step("Only", KEEP)], "--entrypoint-value", spaced))
        self.assertEqual(self.seen_text(), ['{"kind":"Only","value":' + VALUE + "}"])

    def test_a_value_with_a_schema_keeps_its_text_too(self):
        schema = {"type": "object", "required": ["z", "big"], "properties": {"z": {"type": "number"},
                                                                              "big": {"type": "integer"}}}
        self.assert_run(self.run_workflow([step("Only", KEEP, value_schema=schema)], "--entrypoint-value", VALUE))
        self.assertEqual(self.seen_text(), ['{"kind":"Only","value":' + VALUE + "}"])

    def test_a_value_nested_500_deep_passes(self):
        deep = "[" * 500 + "]" * 500
        self.assert_run(self.run_workflow([step("One", "sed 's/\"One\"/\"Last\"/; s/^/[/; s/$/]/'", ["Last"]),
                                           step("Last", KEEP)], "--entrypoint-value", deep))
        self.assertEqual(self.seen_text(), ['{"kind":"Last","value":' + deep + "}"])

    def test_a_value_of_40_megabytes_passes(self):
        size = scaled(40_000_000)
        big = f"""printf '[{{"kind":"Relay","value":"'; head -c {size} /dev/zero | tr '\\0' x; printf '"}}]'"""
        self.assert_run(self.run_workflow([
            step("Big", big, ["Relay"]),
            step("Relay", "sed 's/\"Relay\"/\"Measure\"/; s/^/[/; s/$/]/'", ["Measure"]),
            step("Measure", "wc -c > size; echo '[]'")]))
        expected = len('{"kind":"Measure","value":""}') + size
        self.assertIn(int((self.work / "size").read_text()), (expected, expected + 1))

    def test_names_and_texts_in_any_script_pass(self):
        value = json.dumps({"ключ": "значение", "'": "\"quoted\"", "nul": "\u0000"}, ensure_ascii=False)
        self.assert_run(self.run_workflow([step("Шаг 1", KEEP)], "--entrypoint-value", value))
        self.assert_seen(("Шаг 1", json.loads(value)))


class Processes(WorkflowCase):
    def test_commands_find_the_documented_variables_and_the_config_files_directory(self):
        folder = self.work / "elsewhere"
        folder.mkdir()
        script = "env | grep ^BARNUM_ > env; echo \"$MINE\" > mine; pwd > cwd; echo '[]'"
        config = {"entrypoint": "Look", "steps": [step("Look", script)]}
        (folder / "flow.json").write_text(json.dumps(config))
        self.assert_run(self.run_program("barnum", "run", "--config", "elsewhere/flow.json", env={"MINE": "inherited"}))
        env = dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
        self.assertEqual((folder / "cwd").read_text().strip(), str(folder))
        self.assertEqual((folder / "mine").read_text().strip(), "inherited")
        self.assertEqual((env["BARNUM_STEP"], env["BARNUM_ATTEMPT"], env["BARNUM_TASK_ID"]), ("Look", "1", "0"))
        self.assertEqual(env["BARNUM_CONFIG_DIR"], str(folder))
        self.assertTrue(env["BARNUM_RUN_ID"])

    def test_attempts_are_counted_from_one_and_ids_differ(self):
        script = ('echo "$BARNUM_ATTEMPT $BARNUM_TASK_ID $BARNUM_RUN_ID" >> tries;'
                  ' [ $BARNUM_ATTEMPT = 3 ] && echo "[]"')
        self.assert_run(self.run_workflow([step("Try", script)], options={"max_retries": 5}))
        tries = [line.split() for line in (self.work / "tries").read_text().splitlines()]
        self.assertEqual([t[0] for t in tries], ["1", "2", "3"])
        self.assertEqual((len({t[1] for t in tries}), len({t[2] for t in tries})), (3, 1))

    def test_a_command_has_three_open_files_default_signals_and_a_group_of_its_own(self):
        # The shell reads its own status itself: round a fork it blocks signals for a moment.
        script = ("ls /proc/$$/fd > fds;"
                  " while read -r line; do case $line in SigIgn*|SigBlk*) echo \"$line\";; esac; done"
                  " < /proc/self/status > signals;"
                  " cut -d' ' -f5 /proc/$$/stat > group; echo $$ >> group; echo '[]'")
        self.assert_run(self.run_workflow([step("Look", script)]))
        # dash itself may hold descriptor 10; ls runs with the shell's.
        self.assertEqual(set((self.work / "fds").read_text().split()) - {"10"}, {"0", "1", "2"})
        of_the_c_library = 1 << 31 | 1 << 32  # signals 32 and 33, which posix_spawn itself leaves ignored
        lines = (self.work / "signals").read_text().splitlines()
        self.assertEqual(len(lines), 2, lines)
        for line in lines:
            self.assertEqual(int(line.split()[1], 16) & ~of_the_c_library, 0, line)
        self.assertEqual(len(set((self.work / "group").read_text().split())), 1)

    def test_a_command_need_not_read_its_stdin(self):
        value = json.dumps("x" * 300_000)
        (self.work / "value.json").write_text(value)
        self.assert_run(self.run_workflow([step("Deaf", "echo '[]'")], "--entrypoint-value", "value.json"))

    def test_200_kilobytes_pass_through_cat(self):
        (self.work / "value.json").write_text(json.dumps("x" * 200_000))
        script = """printf '[{"kind":"Last","value":'; cat; printf '}]'"""
        self.assert_run(self.run_workflow([step("Cat", script, ["Last"]), step("Last", "wc -c > size; echo '[]'")],
                                          "--entrypoint-value", "value.json"))
        self.assertGreater(int((self.work / "size").read_text()), 200_000)

    def test_a_background_child_that_holds_the_pipe_does_not_hold_the_run(self):
        run = self.start_run([step("Fork", "sleep 1000 & echo '[]'")])
        self.assert_run(run.result())
        wait_until(lambda: not marked_processes(self.mark), "the background child to go")

    def test_a_command_that_outlives_its_timeout_is_ended_with_its_children(self):
        script = "trap '' TERM; sleep 1000 & sleep 1000; sleep 1000"
        result = self.run_workflow([step("Slow", script, options={"timeout": 1})])
        self.assert_run(result, 1)
        self.assertIn("Slow", result.err)
        wait_until(lambda: not marked_processes(self.mark), "the killed ones to be gone")

    def test_output_without_end_is_cut_off_and_fails(self):
        result = self.run_workflow([step("Endless", "cat /dev/zero")])
        self.assert_run(result, 1)

    def test_what_a_failed_command_said_on_stderr_is_shown(self):
        result = self.run_workflow([step("Broken", "echo the disk is on fire >&2; exit 3")])
        self.assert_run(result, 1)
        for word in ("Broken", "3", "the disk is on fire"):
            self.assertIn(word, result.err)

    def test_a_command_killed_by_a_signal_says_which(self):
        result = self.run_workflow([step("Killed", "kill -SEGV $$")])
        self.assert_run(result, 1)
        self.assertIn("SEGV", result.err)


class Ends(WorkflowCase):
    def test_the_summary_counts_tasks_by_step(self):
        script = """read -r task
            case "$task" in *'"value":5'*) exit 1;; *'"value":3'*) [ $BARNUM_ATTEMPT = 1 ] && exit 1;; esac
            echo '[]'"""
        result = self.run_workflow([step("Split", emit(*[("Work", n) for n in range(7)]), ["Work"]),
                                    step("Work", script, options={"max_retries": 1})])
        self.assert_run(result, 1)
        rows = [line.split() for line in result.err.splitlines()]
        work = [row for row in rows if row[:1] == ["Work"]]
        self.assertTrue(work, result.err)
        done_dropped_retries = [int(cell) for cell in work[-1][1:] if cell.isdigit()][:3]
        self.assertEqual(done_dropped_retries, [6, 1, 2])
        self.assertIn("run failed: 8 tasks in", result.err)  # Split, and 6 + 1

    def test_the_tasks_in_the_headline_are_the_sum_of_the_table(self):
        steps = [step("Split", emit(*[("Work", n) for n in range(3)]), ["Work"], **{"finally": command("exit 1")}),
                 step("Work", "echo '[]'", **{"finally": command("echo '[]'")})]
        result = self.run_workflow(steps)
        self.assert_run(result, 1)
        self.assertRegex(result.err, r"run failed: 8 tasks in .*, 1 dropped\n")
        lines = [line.split() for line in result.err.splitlines()]
        at = lines.index(["step", "done", "dropped", "retries"])
        rows = [[int(cell) for cell in line[-3:]] for line in lines[at + 1:at + 5]]
        self.assertEqual(rows, [[1, 0, 0], [0, 1, 0], [3, 0, 0], [3, 0, 0]])

    def test_a_run_that_is_over_prints_no_command_that_resumes_it_but_the_one_that_shows_what_was_dropped(self):
        result = self.run_workflow([step("Bad", "echo no >&2; exit 3")], "--state-log", "run.ndjson")
        self.assert_run(result, 1)
        self.assertNotIn("barnum run", result.err)
        shown = re.search(r"has finished, and `barnum retry` tries .*:\n +(\S.*)\n", result.err)
        self.assertTrue(shown, result.err)
        words = shlex.split(shown[1])
        self.assertIn("dropped (1)", self.run_program(words[0], *words[1:]).out)

    def test_resuming_a_run_that_is_over_tells_what_was_dropped_and_ends_with_0(self):
        self.assert_run(self.run_workflow([step("Bad", "exit 3")], "--state-log", "run.ndjson"), 1)
        result = self.run_program("barnum", "run", "--resume-from", "run.ndjson")
        self.assert_exit(result, 0)
        self.assertRegex(result.err, r"nothing to do: .* has finished, 1 task dropped, which .*:\n +\S*barnum inspect run.ndjson\n")

    def test_a_dropped_task_makes_the_run_exit_1_and_the_others_go_on(self):
        result = self.run_workflow([step("Split", emit(("Bad", 1), ("Keep", 2)), ["Bad", "Keep"]),
                                    step("Bad", "exit 1"), step("Keep", "sleep 0.3; " + KEEP)])
        self.assert_run(result, 1)
        self.assert_seen(("Keep", 2))
        self.assertIn("Bad", result.err)

    def test_signals_end_the_run_and_its_commands(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start_run([step("Long", "touch began; sleep 1000"), step("Other", "true")])
            wait_until((self.work / "began").exists, "the command")
            run.signal(number)
            result = run.result()
            self.assert_run(result, 128 + number)
            wait_until(lambda: not marked_processes(self.mark), "the command to go")
            (self.work / "began").unlink()

    def test_a_signal_that_comes_while_it_ends_changes_no_exit_code(self):
        for _ in range(5):
            run = self.start_run([step("Long", "touch began; sleep 1000")])
            wait_until((self.work / "began").exists, "the command")
            while run.running:
                run.signal(signal.SIGTERM)
            self.assert_exit(run.result(), 143)
            (self.work / "began").unlink()

    def test_a_second_interrupt_ends_it_at_once(self):
        run = self.start_run([step("Stubborn", "trap '' TERM INT; touch began; while :; do sleep 0.2; done")])
        wait_until((self.work / "began").exists, "the command")
        run.signal(signal.SIGINT)
        wait_until(lambda: "once more" in run.err, "the first interrupt to be noticed")
        wait_until(lambda: run.signal(signal.SIGINT) or not run.running, "the second one to end it")
        self.assertEqual(run.result().code, 130)
        wait_until(lambda: not marked_processes(self.mark), "the command to go")

    def test_wake_runs_before_the_first_task_and_its_failure_is_the_runs(self):
        steps = [step("Only", "cat wake > seen_by_task; echo '[]'")]
        self.assert_run(self.run_workflow(steps, "--wake", "echo awake > wake"))
        self.assertEqual((self.work / "seen_by_task").read_text(), "awake\n")
        (self.work / "seen_by_task").unlink()
        result = self.run_workflow(steps, "--wake", "echo no power >&2; exit 7")
        self.assertNotEqual(result.code, 0)
        self.assertIn("no power", result.err)
        self.assertFalse((self.work / "seen_by_task").exists())

    def test_a_command_that_can_not_be_started_ends_the_run(self):
        steps = [step("Remove", """rm -r "$BARNUM_CONFIG_DIR"; echo '[{"kind": "Next", "value": 1}]'""", ["Next"]),
                 step("Next", "echo '[]'")]
        (self.work / "gone").mkdir()
        self.write_config(steps).rename(self.work / "gone" / "flow.json")
        result = self.start("barnum", "run", "--config", "gone/flow.json").result()
        self.assert_run(result, 1)
        self.assertIn("could not be started", result.err)

    def test_the_summary_shows_the_end_of_a_long_stderr(self):
        result = self.run_workflow([step("Talk", "seq 1 3000 >&2; exit 1")])
        self.assert_run(result, 1)
        log, summary = result.err.split("run failed")
        self.assertIn("\n    1500\n", log)
        self.assertNotIn("\n    1500\n", summary)
        self.assertIn("exited with code 1", summary)
        self.assertIn("\n    3000\n", summary)

    def test_control_characters_of_a_command_do_not_reach_the_terminal(self):
        result = self.run_workflow([step("Red", "printf 'a\\033[31mb\\r' >&2; exit 1")])
        self.assert_run(result, 1)
        self.assertIn("a\\x1b[31mb", result.err)
        self.assertNotIn("\033", result.err)

    def test_neither_do_the_control_characters_that_are_one_in_two_bytes(self):
        result = self.run_workflow([step("Red", r"printf 'a\302\2332Jb\302\240\302\200' >&2; exit 1")], "--log-file", "run.log")
        self.assert_run(result, 1)
        for log in (result.err, (self.work / "run.log").read_text()):
            self.assertIn("a\\u009b2Jb\u00a0\\u0080", log)

    def test_the_log_goes_to_stderr_and_to_the_log_file(self):
        steps = [step("Only", "echo '[]'")]
        result = self.run_workflow(steps, "--log-file", "run.log", "--log-level", "debug")
        self.assert_run(result)
        self.assertIn("Only", (self.work / "run.log").read_text())
        quiet = self.run_workflow(steps, "--log-level", "off")
        self.assert_run(quiet)
        self.assertNotIn("INFO", quiet.err)

    def test_a_log_file_that_can_not_be_opened_is_said_before_anything_starts(self):
        result = self.run_workflow([step("Only", "touch ran; echo '[]'")], "--log-file", "/no/such/folder/run.log")
        self.assertNotEqual(result.code, 0)
        self.assertIn("/no/such/folder/run.log", result.err)
        self.assertFalse((self.work / "ran").exists())

    def test_a_log_file_that_is_a_fifo_which_nobody_reads_is_said_before_anything_starts(self):
        os.mkfifo(self.work / "fifo")
        result = self.run_workflow([step("Only", "touch ran; echo '[]'")], "--log-file", "fifo")
        self.assert_exit(result, 2)
        self.assertIn("cannot write the log file fifo: it is a FIFO without a reader", result.err)
        self.assertFalse((self.work / "ran").exists())

    def test_a_log_file_whose_reader_is_stuck_holds_nothing_up(self):
        os.mkfifo(self.work / "fifo")
        reader = os.open(self.work / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        try:
            self.assert_run(self.run_workflow([step("Split", emit(*[("Work", n) for n in range(40)]), ["Work"]),
                                               step("Work", "head -c 4000 /dev/zero | tr '\\0' x >&2; exit 1")],
                                              "--log-file", "fifo"), 1)
            self.assertIn(b"INFO ", os.read(reader, 4096))
        finally:
            os.close(reader)

    def test_a_log_file_may_be_a_device(self):
        self.assert_run(self.run_workflow([step("Only", "echo '[]'")], "--log-file", "/dev/null"))

    def test_a_log_file_on_a_full_disk_is_told_of_once(self):
        result = self.run_workflow([step("Split", emit(("Work", 1), ("Work", 2)), ["Work"]), step("Work", "echo '[]'")],
                                   "--log-file", "/dev/full", "--log-level", "debug")
        self.assert_run(result)
        self.assertEqual(result.err.count("cannot write the log file /dev/full: No space left on device"), 1, result.err)
        quiet = self.run_workflow([step("Only", "echo '[]'")], "--log-file", "/dev/full", "--log-level", "off")
        self.assertNotIn("/dev/full", quiet.err)

    def test_later_lines_are_tried_after_one_that_the_log_file_did_not_take(self):
        def gate(name, *tasks):
            return f"touch at_{name}; await {name}; " + emit(*tasks)

        os.mkfifo(self.work / "fifo")
        reader = os.open(self.work / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        run = self.start_run([step("One", gate("one", ("Two", 0)), ["Two"]), step("Two", gate("two"))], "--log-file", "fifo")
        wait_until((self.work / "at_one").exists, "the first task")
        os.close(reader)
        (self.work / "one").touch()
        wait_until((self.work / "at_two").exists, "the second task")
        wait_until(lambda: "cannot write the log file fifo: Broken pipe" in run.err, "the failure to be told")
        reader = os.open(self.work / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        (self.work / "two").touch()
        self.assert_run(run.result())
        self.assertIn(b"run finished", os.read(reader, 65536))
        os.close(reader)
        self.assertEqual(run.err.count("cannot write the log file"), 1)

    def test_a_hundred_tasks_leave_no_process_and_no_file(self):
        before = sorted(p.name for p in self.work.iterdir())
        run = self.run_workflow([step("Split", emit(*[("Work", n) for n in range(100)]), ["Work"]),
                                 step("Work", "echo '[]'")])
        self.assert_run(run)
        self.assertEqual(sorted(p.name for p in self.work.iterdir()), sorted({*before, "flow.json"}))


class Inputs(WorkflowCase):
    def assert_usage_error(self, result, *words):
        self.assert_run(result, 2)
        for word in words:
            self.assertIn(word, result.err)
        self.assertFalse((self.work / "ran").exists())

    def test_wrong_inputs_are_told_and_nothing_starts(self):
        steps = [step("A", "touch ran; echo '[]'", value_schema={"type": "object", "required": ["file"]})]
        self.assert_usage_error(self.run_workflow(steps, "--entrypoint-value", "{"))
        self.assert_usage_error(self.run_workflow(steps, "--entrypoint-value", '{"no": "file"}'), "file")
        self.assert_usage_error(self.run_workflow(steps, "--initial-state", '{"kind": "A"}'))
        unknown = '[{"kind": "Ab", "value": {"file": 1}}]'
        self.assert_usage_error(self.run_workflow(steps, "--initial-state", unknown), "Ab")
        self.assert_usage_error(self.run_workflow(steps, "--initial-state", '[{"kind": "A", "value": 7}]'))
        self.assert_usage_error(self.run_workflow(steps, entrypoint=None), "--initial-state")
        self.assert_usage_error(self.run_workflow(steps, "--entrypoint-value", '{"file": 1}', entrypoint=None))
        self.assert_usage_error(self.run_workflow(steps, "--jobs", "0"), "jobs")
        self.assert_usage_error(self.run_program("barnum", "run"), "--config")
        self.assert_usage_error(self.run_program("barnum", "run", "--config", "no-such-file.json"), "no-such-file.json")

    def test_the_command_object_of_the_document_is_accepted(self):
        script = "jq -c '.value.items[] | {kind: \"P\", value: .}' | jq -s"
        steps = [{"name": "S", "action": command(script), "next": ["P"]},
                 {"name": "P", "action": command(KEEP), "next": []}]
        self.assert_run(self.run_workflow(steps, "--entrypoint-value", '{"items": [1, 2]}'))
        self.assert_seen(("P", 1), ("P", 2))
