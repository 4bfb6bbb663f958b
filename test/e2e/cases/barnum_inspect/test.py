"""What `barnum inspect` tells of a state log: finished, broken off, going on, damaged."""

import fcntl
import json
import os
import time

from harness import wait_until
from harness.statelog import LogCase
from harness.workflow import command, emit, step

CONFIG = {"entrypoint": "List", "options": {"max_retries": 1},
          "steps": [step("List", "ls", ["Work"], **{"finally": command("commit")}), step("Work", "work")]}
HEAD = json.dumps({"kind": "Config", "config": CONFIG, "directory": "/", "run_id": "the-run", "time": 1795254391000}) + "\n"

# List (0) has spawned Work 1 to 3: 1 is done, 2 failed and is tried again as 4, 3 was dropped after its retry 5.
GROWN = """\
{"kind":"TaskSubmitted","task_id":0,"step":"List","value":{"files":1.0},"parent_id":null,"origin":"Initial","time":1795254391000}
{"kind":"TaskCompleted","task_id":0,"outcome":{"kind":"Success","value":{"spawned_task_ids":[1,2,3]}},"started":1795254391000,"time":1795254392000}
{"kind":"TaskSubmitted","task_id":1,"step":"Work","value":{"file":"a"},"parent_id":0,"origin":"Spawned","time":1795254392000}
{"kind":"TaskSubmitted","task_id":2,"step":"Work","value":{"file":"b"},"parent_id":0,"origin":"Spawned","time":1795254392000}
{"kind":"TaskSubmitted","task_id":3,"step":"Work","value":{"file":"c"},"parent_id":0,"origin":"Spawned","time":1795254392000}
{"kind":"TaskCompleted","task_id":1,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},"started":1795254392100,"time":1795254392450}
{"kind":"TaskCompleted","task_id":2,"outcome":{"kind":"Failed","value":{"reason":{"kind":"Timeout","message":"took too long"},"retry_task_id":4}},"started":1795254392500,"time":1795254592500}
{"kind":"TaskSubmitted","task_id":4,"step":"Work","value":{"file":"b"},"parent_id":0,"origin":{"Retry":{"replaces":2}},"time":1795254592500}
{"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Failed","value":{"reason":{"kind":"CommandFailed","exit_code":3,"message":"first try"},"retry_task_id":5}},"started":1795254592500,"time":1795254592600}
{"kind":"TaskSubmitted","task_id":5,"step":"Work","value":{"file":"c"},"parent_id":0,"origin":{"Retry":{"replaces":3}},"time":1795254592600}
{"kind":"TaskCompleted","task_id":5,"outcome":{"kind":"Failed","value":{"reason":{"kind":"CommandFailed","exit_code":3,"message":"second try\\nfatal: no such file"},"retry_task_id":null}},"time":1795254592700}
"""
FINALLY = """\
{"kind":"TaskCompleted","task_id":4,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},"started":1795254592700,"time":1795254594700}
{"kind":"TaskSubmitted","task_id":6,"step":"List","value":{"files":1.0},"parent_id":null,"origin":{"Finally":{"finally_for":0}},"time":1795254594700}
"""
END = """\
{"kind":"TaskCompleted","task_id":6,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},"started":1795254594700,"time":1795254594800}
"""
TORN_ENTRY = '{"kind":"TaskCompl'
TORN_GROUP = """\
{"kind":"TaskCompleted","task_id":4,"outcome":{"kind":"Success","value":{"spawned_task_ids":[7]}},"time":1795254594700}
"""


class InspectCase(LogCase):
    def setUp(self):
        super().setUp()
        self.env["TZ"] = "UTC"

    def write(self, text):
        self.log().write_text(text)

    def inspect(self, *args):
        return self.run_program("barnum", "inspect", *args)

    def shown(self, *args):
        result = self.inspect("run.ndjson", *args)
        self.assert_exit(result, 0)
        self.assertEqual(result.err, "")
        return result.out

    def parsed(self, *args):
        return json.loads(self.shown("--json", *args))

    def states(self):
        return {task["id"]: task["state"] for task in self.parsed()["tasks"]}


class Logs(InspectCase):
    def test_a_log_that_was_broken_off_tells_what_is_left_and_how_to_resume(self):
        self.write(HEAD + GROWN)
        self.assertEqual(self.shown(), """\
run the-run
commands run in /
log run.ndjson, %s, 2026-11-21 09:46:31 to 2026-11-21 09:49:52 (3 min 21 s)
not running, 1 task to do, 1 dropped; resume it with:
  barnum run --resume-from run.ndjson

step            pending  waiting  done  dropped  retries    mean     longest
List                  0        1     0        0        0   1.0 s       1.0 s
List (finally)        0        -     0        0        0       -           -
Work                  1        0     1        1        2  50.1 s  3 min 20 s

dropped (1)
  task 5 Work, 2 attempts, 2026-11-21 09:49:52, after 100 ms: CommandFailed, exit code 3
    second try
    fatal: no such file

failed and tried again (1)
  task  step  attempts  now      last failure
     4  Work         2  pending  Timeout: took too long

pending (1)
  task  step  attempt  submitted
     4  Work        2  2026-11-21 09:49:52

waiting to run their finally (1)
  task  step  waits for  since
     0  List     1 task  2026-11-21 09:46:32
""" % f"{len(HEAD + GROWN) // 1000}.{len(HEAD + GROWN) % 1000 // 100} kB")
        self.assertEqual(self.states(), {0: "waiting", 1: "done", 4: "pending", 5: "dropped"})

    def test_a_finished_log_is_finished(self):
        self.write(HEAD + GROWN + FINALLY + END)
        text = self.shown()
        self.assertIn("\nfinished, 1 dropped\n", text)
        self.assertRegex(text, r"\nList \(finally\) +0 +- +1 +0 +0 +100 ms +100 ms\n")
        self.assertNotIn("resume", text)
        found = self.parsed()
        self.assertEqual((found["status"], found["resume"], found["holders"]), ("finished", None, []))
        self.assertEqual(self.states(), {0: "done", 1: "done", 4: "done", 5: "dropped", 6: "done"})

    def test_a_torn_end_does_not_count(self):
        for torn, kind, more in ((TORN_ENTRY, "entry", ""), (TORN_GROUP, "group", ""), (TORN_GROUP, "group", TORN_ENTRY)):
            self.write(HEAD + GROWN + torn + more)
            size = len(torn + more)
            self.assertIn(f"\nthe last {size} bytes of the log don't count: ", self.shown())
            found = self.parsed()
            self.assertEqual((found["torn"], found["dropped_bytes"], found["committed_bytes"]),
                             (kind, size, len(HEAD + GROWN)))
            self.assertEqual(self.states(), {0: "waiting", 1: "done", 4: "pending", 5: "dropped"})

    def test_a_log_that_is_held_is_running(self):
        self.write(HEAD + GROWN + TORN_ENTRY)
        with self.log().open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            text = self.shown()
            found = self.parsed()
        self.assertIn(f"\nrunning (process {os.getpid()}), 1 task to do, 1 dropped\n", text)
        self.assertIn("don't count yet", text)
        self.assertNotIn("--resume-from", text)
        self.assertRegex(text, r"task +step +attempt +submitted +ago\n")
        self.assertEqual((found["status"], found["holders"], found["resume"]), ("running", [os.getpid()], None))
        self.assertIn("not running", self.shown())

    def test_a_log_that_was_resumed_names_the_log_of_that_run(self):
        self.write(HEAD + GROWN)
        os.utime(self.log(), (1, 1))
        later = self.log("later.ndjson")
        later.write_text(HEAD + GROWN + FINALLY + END)
        (self.work / ".later.ndjson.17.tmp").write_text(HEAD + GROWN)
        self.assertIn(f"it has been resumed, and that run's log is:\n  {later}\n", self.shown())
        self.assertNotIn("--resume-from", self.shown())
        self.assertIsNone(self.parsed()["resume"])

    def test_another_look_is_no_run(self):
        self.write(HEAD + GROWN)
        with self.log().open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_SH)
            self.assertIn("not running", self.shown())

    def test_nothing_is_changed(self):
        self.write(HEAD + GROWN + TORN_ENTRY)
        before = self.log().read_bytes(), self.log().stat().st_mtime_ns
        self.shown()
        self.assertEqual((self.log().read_bytes(), self.log().stat().st_mtime_ns), before)
        self.assertEqual([path.name for path in self.work.iterdir()], ["run.ndjson"])

    def test_a_long_look_holds_no_lock(self):
        first = '{"kind":"TaskSubmitted","task_id":%d,"step":"Work","value":0,"parent_id":null,"origin":"Initial"}\n'
        self.write(HEAD + "".join(first % id_ for id_ in range(5000)))
        os.mkfifo(self.work / "pipe")
        look = self.start("sh", "-c", "exec barnum inspect --json run.ndjson >pipe")
        with (self.work / "pipe").open("rb") as pipe, self.log().open("rb") as log:
            begin = pipe.read(1)  # it prints, and can't end before the rest is read
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.assert_running(look)
            self.assertEqual(len(json.loads(begin + pipe.read())["tasks"]), 5000)
        self.assert_exit(look.result(), 0)

    def test_the_command_to_resume_is_quoted_for_a_shell(self):
        for name, word in (("it's mine.ndjson", "'it'\\''s mine.ndjson'"), ("-l.ndjson", "./-l.ndjson")):
            self.log(name).write_text(HEAD + GROWN)
            result = self.inspect("--", name)
            self.assertIn(f"\n  barnum run --resume-from {word}\n", result.out, str(result))

    def test_what_a_resume_needs_besides_the_log_is_told_where_there_are_pool_steps(self):
        told = "  with the --root, --pool, --agent, --agents, --agent-exec and --no-agents that the run had: they are not in its log\n"
        self.write(HEAD + GROWN)
        self.assertNotIn(told, self.inspect("run.ndjson").out)
        self.write(HEAD.replace('"steps": [', '"steps": [{"name": "Ask", "action": {"kind": "Pool"}}, ', 1) + GROWN)
        self.assertIn(f"\n  barnum run --resume-from run.ndjson\n{told}", self.inspect("run.ndjson").out)

    def test_damage_is_refused_with_its_place(self):
        lines = (HEAD + GROWN).splitlines(keepends=True)
        for text, line in (("".join(lines[:4]) + "garbage\n" + "".join(lines[4:]), "line 5"),
                           ("".join(lines[:2] + lines[3:]), "line 3"), ("", "no complete Config entry"), ("\0" * 100, "Config")):
            self.write(text)
            for args in ((), ("--json",), ("--task", "0")):
                result = self.inspect("run.ndjson", *args)
                self.assert_exit(result, 74)
                self.assertIn(line, result.err)
                self.assertEqual(result.out, "")

    def test_output_that_cannot_be_written_is_an_error(self):
        self.write(HEAD + GROWN)
        result = self.run_program("sh", "-c", "exec barnum inspect run.ndjson >/dev/full")
        self.assert_exit(result, 74)
        self.assertIn("cannot write to stdout", result.err)


class Tasks(InspectCase):
    def test_a_task_has_one_story_by_any_of_its_attempts(self):
        self.write(HEAD + GROWN)
        self.assertEqual(self.shown("--task", "3"), """\
task 5 Work: dropped
origin   spawned by task 0 List
value    {"file":"c"}

attempt  task  submitted            started              ended                duration  outcome
      1     3  2026-11-21 09:46:32  2026-11-21 09:49:52  2026-11-21 09:49:52    100 ms  failed, again as task 5
      2     5  2026-11-21 09:49:52  -                    2026-11-21 09:49:52    100 ms  failed, dropped

attempt 1 failed: CommandFailed, exit code 3
  first try

attempt 2 failed: CommandFailed, exit code 3
  second try
  fatal: no such file
""")
        self.assertEqual(self.shown("--task", "5"), self.shown("--task", "3"))
        self.assertEqual(self.parsed("--task", "5"), self.parsed("--task", "3"))

    def test_the_story_has_children_and_finally(self):
        self.write(HEAD + GROWN + FINALLY)
        text = self.shown("--task", "0")
        self.assertIn("task 0 List: done\norigin   the run began with it\nfinally  task 6, pending\nvalue    {\"files\":1.0}\n", text)
        self.assertIn("\nchildren (3)\n  task  step  attempts  state\n     1  Work         1  done\n", text)
        self.assertIn("task 6 List (finally): pending\norigin   finally of task 0 List\n", self.shown("--task", "6"))

    def test_the_json_of_a_task_is_that_of_the_log_with_its_children(self):
        self.write(HEAD + GROWN)
        every, one = self.parsed(), self.parsed("--task", "3")
        self.assertIn('"value":{"files":1.0}', self.shown("--json", "--task", "0"))
        task, = one.pop("tasks")
        self.assertEqual((task["value"], task.pop("children")), ({"file": "c"}, []))
        self.assertIn(task, every.pop("tasks"))
        self.assertEqual(one, every)
        self.assertEqual([attempt["failure"]["message"] for attempt in task["attempts"]],
                         ["first try", "second try\nfatal: no such file"])

    def test_a_task_that_is_not_there_or_does_not_count_is_an_error(self):
        self.write(HEAD + GROWN + TORN_GROUP + '{"kind":"TaskSubmitted","task_id":7')
        for number in ("6", "7", "9223372036854775807"):
            result = self.inspect("run.ndjson", "--task", number)
            self.assert_exit(result, 2)
            self.assertIn(f"there is no task {number} in run.ndjson; the last one in it is 5", result.err)


class Usage(InspectCase):
    def test_wrong_usage_is_told(self):
        self.write(HEAD + GROWN)
        os.mkfifo(self.work / "pipe")
        (self.work / "folder").mkdir()
        for args, message in (((), "RUN is missing"), (("--json",), "RUN is missing"),
                              (("run.ndjson", "other"), "'other' is one argument too many"),
                              (("missing.ndjson",), "there is neither a run nor a file missing.ndjson"), (("",), "RUN is empty"),
                              (("folder",), "is not the directory of a run"), (("pipe",), "not a regular file"),
                              (("/dev/null",), "not a regular file"), (("run.ndjson", "--task"), "--task"),
                              (("run.ndjson", "--task", "x"), "--task"), (("run.ndjson", "--task", "-1"), "--task must be a whole number"),
                              (("run.ndjson", "--tsak", "1"), 'did you mean "--task"?'),
                              (("--schema", "run.ndjson"), "--schema must be the only option"),
                              (("--schema", "--json"), "--schema must be the only option"),
                              (("--schema", "--task", "1"), "--schema must be the only option")):
            result = self.inspect(*args)
            self.assertEqual(result.code, 2, (args, str(result)))
            self.assertIn(message, result.err, args)
            self.assertEqual(result.out, "", args)

    def test_help_shows_where_the_log_goes(self):
        result = self.inspect("--help")
        self.assert_exit(result, 0)
        self.assertIn("Usage: barnum inspect [OPTIONS] RUN\n", result.out)

    def test_the_schema_is_printed_and_names_all_fields(self):
        result = self.inspect("--schema")
        self.assert_exit(result, 0)
        schema = json.loads(result.out)
        self.write(HEAD + GROWN)
        found = self.parsed("--task", "0")
        self.assertEqual({name for name in schema["properties"] if not name.endswith("_hex")}, set(found))
        for name, value in (("step", found["steps"][0]), ("task", found["tasks"][0]),
                            ("attempt", found["tasks"][0]["attempts"][0]), ("child", found["tasks"][0]["children"][0])):
            self.assertEqual(set(schema["definitions"][name]["properties"]), set(value), name)


class Real(InspectCase):
    def test_what_commands_and_hooks_have_used_is_in_the_log(self):
        burn = "python3 -c 'x = bytearray(400_000_000); sum(range(3_000_000))'; echo '[]'"
        hook = command("cat")
        steps = [step("Burn", burn, pre=hook, **{"finally": command("echo '[]'")})]
        self.assert_run(self.start_logged(steps).result(), 0)
        first, final = [task["attempts"][0] for task in self.parsed()["tasks"]]
        used = first["measured"]
        self.assertGreater(used["peak_memory_bytes"], 400_000_000)
        self.assertGreater(used["cpu_ms"], final["measured"]["cpu_ms"])
        self.assertIsNone(used["post_ms"])
        self.assertLessEqual(used["pre_ms"] + used["action_ms"], first["duration_ms"] + 2)
        self.assertIsNone(final["measured"]["peak_memory_bytes"])
        self.assertIsNone(final["measured"]["pre_ms"])
        self.assertRegex(self.shown("--task", "0"), r"\nattempt 1 took: pre hook .*, action .* MB of memory at most\n")

    def test_an_attempt_without_local_processes_is_not_measured(self):
        steps = [{"name": "Ask", "action": {"kind": "Pool", "instructions": "Do it."}}]
        self.assert_run(self.start_logged(steps, "--agents", "1", "--agent-exec", "echo '[]'").result(), 0)
        self.assertIsNone(self.parsed()["tasks"][0]["attempts"][0]["measured"])

    def test_a_real_run_is_told_while_it_goes_on_and_when_it_is_over(self):
        gated = "touch began; await go; echo '[]'"
        steps = [step("List", emit(("Work", 1), ("Fail", 2)), ["Work", "Fail"], **{"finally": command("echo '[]'")}),
                 step("Fail", "echo why >&2; exit 4", options={"max_retries": 1}), step("Work", gated)]
        run = self.start_logged(steps)
        wait_until((self.work / "began").exists, "the gated task")
        wait_until(lambda: "dropped" in self.states().values(), "the failing task to be dropped")
        found = self.parsed()
        self.assertEqual((found["status"], found["holders"]), ("running", [run.pid]))
        self.assertEqual(self.states(), {0: "waiting", 1: "pending", 3: "dropped"})
        self.assertIn("    why\n", self.shown())
        (self.work / "go").touch()
        self.assert_run(run.result(), 1)
        self.assertIn("\nfinished, 1 dropped\n", self.shown())
        self.assertEqual(self.states(), {0: "done", 1: "done", 3: "dropped", 4: "done"})
        for task in self.parsed()["tasks"]:
            for attempt in task["attempts"]:
                self.assertTrue(attempt["submitted"] <= attempt["started"] <= attempt["ended"] <= time.time() * 1000, task)
