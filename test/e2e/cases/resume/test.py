"""A run that was ended goes on from its state log."""

import fcntl
import json
import os
import signal

from harness import Pool, wait_until
from harness.statelog import LogCase, entries, without_checksum
from harness.workflow import KEEP, command, emit, pool, step

# Twenty tasks, each of which notes that it ran and waits for the file `go` where it is told to.
GATED = "task=$(cat); echo \"$task\" >> started; await go; echo \"$task\" >> seen; echo '[]'"


def fan_out(script=KEEP, count=6, **more):
    return [step("Split", "echo split >> splits; " + emit(*[("Part", n) for n in range(count)]), ["Part"], **more),
            step("Part", script)]


class Interrupted(LogCase):
    def end_in_the_middle(self, steps, *args, number=signal.SIGKILL, after=1):
        """Starts the run, ends it when `after` tasks have noted their start, and opens the gate for the next."""
        run = self.start_logged(steps, *args)
        wait_until(lambda: self.count("started") >= after, "the tasks to start")
        run.signal(number)
        result = run.result()
        self.wait_until_free("run.ndjson")
        (self.work / "go").touch()
        return result

    def wait_until_free(self, log):
        """Until the last process of a run that was ended is gone: they hold the log's lock."""
        with self.log(log).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)


class Resumed(Interrupted):
    def test_a_killed_run_goes_on_where_it_was(self):
        self.end_in_the_middle(fan_out(GATED, **{"finally": command("echo finally >> finals; echo '[]'")}), "--jobs", "2",
                               after=2)
        result = self.resume("--jobs", "2")
        self.assert_run(result)
        self.assertEqual(self.count("splits"), 1)
        self.assert_seen(*[("Part", n) for n in range(6)])
        self.assertEqual(self.count("finals"), 1)
        self.assertRegex(result.err, r"run finished: 7 tasks in .*, 1 before that")

    def test_the_new_log_has_the_old_entries_and_ends_complete(self):
        self.end_in_the_middle(fan_out(GATED))
        old = self.log().read_bytes()
        self.assert_run(self.resume())
        self.assertEqual(self.log().read_bytes(), old)
        self.assertTrue(self.log("resumed.ndjson").read_bytes().startswith(old))
        log = entries(self.log("resumed.ndjson"))
        submitted = [e["task_id"] for e in log if e["kind"] == "TaskSubmitted"]
        completed = [e["task_id"] for e in log if e["kind"] == "TaskCompleted"]
        self.assertEqual(sorted(submitted), sorted(completed))
        self.assertEqual(len(set(submitted)), len(submitted))

    def test_an_interrupted_run_goes_on_by_the_command_that_it_prints(self):
        result = self.end_in_the_middle(fan_out(GATED), number=signal.SIGINT)
        self.assert_run(result, 130)
        words = self.resume_command(result)
        result = self.run_program(words[0], *words[1:])
        self.assert_run(result)
        self.assert_seen(*[("Part", n) for n in range(6)])
        self.assertTrue(self.log("run-resumed.ndjson").exists())

    def test_the_command_that_resumes_has_the_logs_level_and_the_root_of_the_environment(self):
        ask = {"name": "Ask", "action": {"kind": "Pool", "instructions": "x"}, "next": []}
        for variable in ("TROUPE_ROOT", "AGENT_POOL_ROOT"):
            env = {"TROUPE_ROOT": "", "AGENT_POOL_ROOT": "", variable: str(self.home / "elsewhere")}
            run = self.start_logged([ask], "--log-level", "debug", log=f"{variable}.ndjson", env=env)
            wait_until(lambda: "task 0 Ask: submitted" in run.err, "the task to be submitted")
            run.signal(signal.SIGINT)
            words = self.resume_command(run.result())
            self.assertEqual(words[words.index("--root") + 1], str(self.home / "elsewhere"))
            self.assertEqual(words[words.index("--log-level") + 1], "debug")

    def test_a_resumed_run_can_be_resumed(self):
        self.end_in_the_middle(fan_out(GATED, 3), "--jobs", "1")
        (self.work / "go").unlink()
        second = self.start_resume("--jobs", "1")
        wait_until(lambda: self.count("started") >= 2, "the task to start again")
        second.signal(signal.SIGKILL)
        second.result()
        self.wait_until_free("resumed.ndjson")
        (self.work / "go").touch()
        self.assert_run(self.resume(old="resumed.ndjson", new="third.ndjson"))
        self.assert_seen(*[("Part", n) for n in range(3)])
        self.assertEqual(self.count("splits"), 1)

    def test_a_copy_of_a_log_beside_it_is_no_log_of_a_later_run(self):
        self.end_in_the_middle(fan_out(GATED, 3), "--jobs", "1")
        whole = self.log().read_bytes()
        for copy in (whole, whole[:whole.index(b"\n") + 1]):
            self.log("copy.ndjson").write_bytes(copy)
            self.assertNotIn("resumed before", self.resume("--dry-run").err)

    def test_a_log_that_has_been_resumed_before_is_told_of(self):
        self.end_in_the_middle(fan_out(GATED, 3), "--jobs", "1")
        other = self.run_logged(fan_out(KEEP, 3), log="other.ndjson")
        self.assert_run(other)
        first = self.resume("--dry-run")
        self.assertNotIn("resumed before", first.err)
        self.assert_run(self.resume())
        result = self.resume(new="again.ndjson")
        self.assert_run(result)
        self.assertIn(f"has been resumed before, and that run's log is {self.log('resumed.ndjson')}:", result.err)

    def test_the_config_is_frozen_and_so_is_its_directory(self):
        self.end_in_the_middle(fan_out(GATED))
        (self.work / "flow.json").unlink()
        run = self.start("barnum", "run", "--resume-from", self.log(), cwd=self.home)
        self.assert_run(run.result())
        self.assert_seen(*[("Part", n) for n in range(6)])

    def test_retries_that_were_used_stay_used(self):
        script = "echo $BARNUM_ATTEMPT >> attempts; echo x >> started; [ $BARNUM_ATTEMPT -lt 3 ] || await go; exit 1"
        self.end_in_the_middle([step("Fail", script, options={"max_retries": 3})], after=3)
        result = self.resume()
        self.assert_run(result, 1)
        self.assertEqual((self.work / "attempts").read_text().split(), ["1", "2", "3", "3", "4"])

    def test_a_task_that_was_dropped_before_still_counts(self):
        steps = [step("Split", emit(("Bad", 0), ("Part", 1)), ["Bad", "Part"]), step("Bad", "echo broken >&2; exit 4"),
                 step("Part", GATED)]
        run = self.start_logged(steps, "--jobs", "1")
        wait_until(lambda: self.count("started"), "the task after the bad one")
        run.signal(signal.SIGKILL)
        run.result()
        self.wait_until_free("run.ndjson")
        (self.work / "go").touch()
        result = self.resume()
        self.assert_run(result, 1)
        self.assertIn("dropped: task 1 Bad", result.err)
        self.assertIn("broken", result.err)

    def test_a_finally_that_was_due_runs(self):
        steps = fan_out(KEEP, 2, **{"finally": command("echo x >> started; await go;"
                                                       " cat >> finals; echo '[]'")})
        self.end_in_the_middle(steps, "--entrypoint-value", '{"x":1.0}')
        lines = self.log().read_bytes().splitlines(keepends=True)
        self.assertIn(b"finally_for", lines[-1])
        for name, text in (("whole", b"".join(lines)), ("without", b"".join(lines[:-1]))):
            self.log(name).write_bytes(text)
            self.assert_run(self.resume(old=name, new=name + "-resumed"))
            self.assertEqual((self.work / "finals").read_text(), '{"x":1.0}')
            (self.work / "finals").unlink()
        self.assertEqual(len(self.seen()), 2)

    def test_a_finished_run_has_nothing_to_do(self):
        self.assert_run(self.run_logged(fan_out()))
        result = self.resume()
        self.assert_run(result)
        self.assertIn("nothing to do", result.err)
        self.assertEqual(len(self.seen()), 6)
        self.assertFalse(self.log("resumed.ndjson").exists())

    def test_a_torn_tail_is_dropped_with_a_warning(self):
        self.end_in_the_middle(fan_out(GATED), "--jobs", "1")
        whole = self.log().read_bytes()
        for tail in (b'{"kind":"TaskCompl', b"\0" * 5000,
                     b'{"kind":"TaskCompleted","task_id":1,"outcome":{"kind":"Failed","value":{"reason":'
                     b'{"kind":"Timeout"},"retry_task_id":7}}}\n'):
            self.log("torn.ndjson").write_bytes(whole + tail)
            if tail.endswith(b"\n"):  # half of a group, of whole lines
                self.assert_exit(self.accept_edits("torn.ndjson"), 0)
                tail = self.log("torn.ndjson").read_bytes()[len(whole):]
            result = self.resume(old="torn.ndjson")
            self.assert_run(result)
            self.assertIn(f"the last {len(tail)} bytes are ignored", result.err)
            self.assert_seen(*[("Part", n) for n in range(6)])
            self.assertTrue(self.log("resumed.ndjson").read_bytes().startswith(whole))
            self.log("resumed.ndjson").unlink()
            (self.work / "seen").unlink()


class Refused(Interrupted):
    def setUp(self):
        super().setUp()
        self.end_in_the_middle(fan_out(GATED))

    def refused(self, result, code, *texts):
        self.assert_run(result, code)
        for text in texts:
            self.assertIn(str(text), result.err)
        self.assertEqual(self.seen(), [])

    def test_damage_is_refused_with_line_and_byte(self):
        lines = self.log().read_bytes().splitlines(keepends=True)
        self.log("bad").write_bytes(b"".join(lines[:3]) + b"\0\0\0\n" + b"".join(lines[3:]))
        place = len(b"".join(lines[:3]))
        self.refused(self.resume(old="bad"), 74, self.log("bad"), f"line 4, byte {place}")
        self.assertFalse(self.log("resumed.ndjson").exists())

    def test_config_and_values_are_those_of_the_log(self):
        for option in ("--config", "--initial-state", "--entrypoint-value"):
            self.refused(self.resume(option, "{}"), 2, "--resume-from", option)

    def test_the_same_file_is_refused_whatever_it_is_called(self):
        before = self.log().read_bytes()
        os.link(self.log(), self.log("hard"))
        os.symlink("run.ndjson", self.log("soft"))
        for name in ("run.ndjson", "hard", "soft"):
            self.refused(self.resume(new=name), 2, self.log(name))
        self.assertEqual(self.log().read_bytes(), before)

    def test_what_is_no_log_is_refused(self):
        os.mkfifo(self.log("fifo"))
        (self.work / "empty").write_text("")
        (self.work / "text").write_text("Hello\n")
        self.refused(self.resume(old="missing"), 2, self.log("missing"))
        self.refused(self.resume(old="fifo"), 2, self.log("fifo"))
        self.refused(self.resume(old="."), 2, "is not the directory of a run")
        self.refused(self.resume(old="empty"), 74, "line 1, byte 0")
        self.refused(self.resume(old="text"), 74, "is not a state log")

    def test_a_directory_that_is_gone_is_said_before_anything_starts(self):
        self.edit((json.dumps(str(self.work)).encode(), json.dumps(str(self.work / "gone")).encode()))
        self.assert_exit(self.accept_edits(), 0)
        self.refused(self.resume(), 2, self.work / "gone")

    def test_a_log_in_use_is_refused_with_the_pid(self):
        (self.work / "go").unlink()
        first = self.start_resume()
        wait_until(lambda: self.count("started") > 4, "the resumed run")
        self.refused(self.resume(new="other"), 2, self.log(), first.pid)
        self.refused(self.resume(old="resumed.ndjson", new="other"), 2, self.log("resumed.ndjson"), first.pid)
        (self.work / "go").touch()
        self.assert_run(first.result())
        self.assertFalse(self.log("other").exists())

    def test_a_lock_of_somebody_else_is_respected(self):
        with self.log().open("rb") as log:
            fcntl.flock(log, fcntl.LOCK_SH)
            self.refused(self.resume(), 2, os.getpid())
        self.assert_run(self.resume())

    def test_a_log_from_another_version_with_extra_fields_is_read(self):
        log = [json.dumps(entry | {"priority": 3, "x": {"kind": "Config"}}) for entry in entries(self.log())]
        self.log("new").write_text("\n".join(log) + "\n")
        self.assert_run(self.resume(old="new"))
        self.assert_seen(*[("Part", n) for n in range(6)])

    def test_a_log_with_the_documented_fields_alone_is_read(self):
        known = ("kind", "config", "task_id", "step", "value", "parent_id", "origin", "outcome")
        log = [json.dumps({k: v for k, v in entry.items() if k in known}) for entry in entries(self.log())]
        self.log("documented").write_text("\n".join(log) + "\n")
        result = self.resume(old="documented")
        self.assert_run(result)
        self.assertIn(f"does not say in which directory commands run; they run in {self.work}", result.err)
        self.assert_seen(*[("Part", n) for n in range(6)])

    def test_an_entry_of_an_unknown_kind_is_refused(self):
        with self.log().open("a") as log:
            log.write('{"kind":"Snapshot"}\n')
        self.refused(self.resume(), 74, "Snapshot")


class Edited(Interrupted):
    def setUp(self):
        super().setUp()
        self.end_in_the_middle(fan_out(GATED))

    def assert_refused(self, *texts):
        before = self.log().read_bytes()
        for result in (self.resume(), self.run_program("barnum", "inspect", self.log())):
            self.assert_run(result, 74)
            for text in (*texts, f"barnum inspect --accept-edits {self.log()}"):
                self.assertIn(text, result.err)
        self.assertEqual(self.log().read_bytes(), before)
        self.assertEqual(self.seen(), [])

    def assert_accepted(self, lines):
        os.chmod(self.log(), 0o640)
        result = self.accept_edits()
        self.assert_exit(result, 0)
        self.assertEqual(result.out, lines + "; now each has the correct one\n")
        self.assertEqual(self.log().stat().st_mode & 0o777, 0o640)
        self.assert_run(self.resume())
        self.assertEqual(len(self.seen()), 6)

    def test_a_bit_of_a_script_that_has_flipped_is_found_in_the_first_line(self):
        self.edit((b">> splits", b">> splitr"))
        self.assert_refused("line 1, byte 0: the entry does not match its checksum")
        self.assert_accepted("1 line had a wrong checksum, 0 had none")
        self.assertIn(b">> splitr", self.log("resumed.ndjson").read_bytes())

    def test_a_changed_value_is_found_in_its_line(self):
        place = self.log().read_bytes().index(b'{"kind":"TaskSubmitted","task_id":4,')
        self.edit((b'"step":"Part","value":3', b'"step":"Part","value":9'))
        self.assert_refused(f"line 7, byte {place}: the entry does not match its checksum", f"`head -c {place}`")
        self.assert_accepted("1 line had a wrong checksum, 0 had none")
        self.assert_seen(*[("Part", n) for n in (0, 1, 2, 9, 4, 5)])

    def test_a_line_without_its_checksum_is_found(self):
        lines = self.log().read_bytes().splitlines(keepends=True)
        lines[2] = without_checksum(lines[2])
        self.log().write_bytes(b"".join(lines))
        self.assert_refused(f"line 3, byte {len(lines[0] + lines[1])}: the entry has no checksum")
        self.assert_accepted("0 lines had a wrong checksum, 1 had none")

    def test_a_log_of_an_older_program_has_none_and_what_resumes_it_has(self):
        lines = [without_checksum(line) for line in self.log().read_bytes().splitlines(keepends=True)]
        self.log().write_bytes(b"".join(lines))
        self.assertNotIn(b"checksum", self.log().read_bytes())
        self.assert_exit(self.run_program("barnum", "inspect", self.log()), 0)
        self.assert_run(self.resume())
        self.assert_seen(*[("Part", n) for n in range(6)])
        resumed = self.log("resumed.ndjson").read_bytes().splitlines(keepends=True)
        self.assertEqual([without_checksum(line) for line in resumed[:len(lines)]], lines)
        self.assertTrue(all(b',"checksum":"' in line for line in resumed))
        self.assertIn("has been resumed before", self.resume("--dry-run", new="again.ndjson").err)
        self.assertIn("nothing to do", self.resume(old="resumed.ndjson", new="again.ndjson").err)

    def test_other_damage_is_not_accepted_nor_is_a_log_in_use(self):
        self.edit((b'"task_id":4,', b'"task_id":3,'))
        before = self.log().read_bytes()
        result = self.accept_edits()
        self.assert_exit(result, 74)
        self.assertIn("line 7, byte", result.err)
        with self.log().open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_SH)
            self.assert_exit(self.accept_edits(), 2)
        self.assert_exit(self.accept_edits("missing"), 2)
        self.assertEqual(self.log().read_bytes(), before)
        self.assertEqual([path.name for path in self.work.iterdir() if "ndjson" in path.name], ["run.ndjson"])


class AnyBytes(Interrupted):
    def test_a_run_in_a_directory_whose_name_is_no_utf_8_can_be_resumed(self):
        odd = os.fsencode(self.work) + b"/caf\xe9"
        os.mkdir(odd)
        steps = fan_out("pwd >> where; " + GATED)
        self.write_config(steps)
        os.rename(self.work / "flow.json", odd + b"/flow.json")
        run = self.start("barnum", "run", "--config", "flow.json", "--state-log", self.log(), "--jobs", "1", cwd=odd)
        wait_until(lambda: os.path.exists(odd + b"/started"), "the first task")
        run.signal(signal.SIGKILL)
        run.result()
        self.wait_until_free("run.ndjson")
        with open(odd + b"/go", "w"):
            pass
        header = entries(self.log())[0]
        self.assertEqual(header["directory"], str(self.work) + "/caf\ufffd")
        self.assertEqual(bytes.fromhex(header["directory_hex"]), odd)
        self.assert_run(self.resume())
        with open(odd + b"/where", "rb") as where:
            self.assertEqual(set(where.read().splitlines()), {odd})
        with open(odd + b"/seen", "rb") as seen:
            self.assertEqual(len(seen.read().splitlines()), 6)


class Overlap(LogCase):
    def test_a_resume_waits_until_the_commands_of_the_killed_run_are_gone(self):
        # Whoever has a lock on `held` is alive: the command, and what it left in a session of its own.
        script = ("trap '' TERM; exec 9>> held; flock -n 9 || echo overlap >> overlaps; echo x >> started;"
                  " [ $SECOND ] || setsid sleep 1000 > /dev/null 2>&1 &"
                  " await second; echo '[]'")
        run = self.start_logged([step("Slow", script)])
        wait_until(lambda: self.count("started") >= 1, "the command")
        os.kill(run.pid, signal.SIGKILL)
        resumed = self.start_resume(env={"SECOND": 1})
        wait_until(lambda: self.count("started") >= 2, "the second life of the command")
        (self.work / "second").touch()
        self.assert_run(resumed.result())
        self.assertEqual(self.count("overlaps"), 0)


class PoolTasks(LogCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.pool.start()
        self.first = self.start_logged([step("Ask", pool())])
        self.assignment = self.pool.take()

    def test_an_agent_that_still_has_a_task_of_a_killed_run_answers_the_resumed_one(self):
        self.first.signal(signal.SIGKILL)
        self.first.result()
        resumed = self.start_resume()
        self.pool.get_task()
        waiting = self.pool.waiting_agents()
        wait_until(lambda: "task 0 Ask: submitted" in resumed.err, "the resumed run to ask again")
        self.pool.still(lambda: self.pool.waiting_agents() == waiting, "nobody else gets the task")
        self.pool.answer(self.assignment, "[]")
        self.assert_run(resumed.result())

    def test_an_answer_that_came_while_no_run_was_there_is_not_asked_for_again(self):
        self.first.signal(signal.SIGKILL)
        self.first.result()
        self.pool.answer(self.assignment, "[]")
        wait_until(lambda: not self.pool.agent_files(self.assignment["uuid"]), "the answer to be taken")
        self.assert_run(self.resume())

    def test_a_task_that_an_interrupted_run_took_back_is_done_anew(self):
        self.first.signal(signal.SIGINT)
        self.assert_run(self.first.result(), 130)
        resumed = self.start_resume()
        again = self.pool.take()
        self.assertEqual(again["content"], self.assignment["content"])
        self.pool.answer(self.assignment, '[{"kind": "Ask", "value": "the answer to the one that was taken back"}]')
        self.pool.answer(again, "[]")
        self.assert_run(resumed.result())
