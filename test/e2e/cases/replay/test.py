"""`barnum replay`: one task of a run again, alone. What it prints, and that the run is as it was."""

import array
import fcntl
import json
import os
import shutil
import signal
import termios

from harness import Pool, wait_until
from harness.environment import binary
from harness.process import marked_processes
from harness.runs import RunsCase
from harness.snapshot import snapshot
from harness.terminal import ProgramTerminal
from harness.workflow import command, emit, pool, step

SAME = "the response is the same as the recorded one\n"
DIFFERS = "the response differs from the recorded one (-):\n"
NUMBER = {"type": "object", "required": ["number"], "properties": {"number": {"type": "integer"}}}
# Answers with the value of its task, unchanged and as many times as the file `times` says.
ECHO = """times=$(cat times) || exit 1
value=$(sed 's/^{"kind":"Echo","value":\\(.*\\)}$/\\1/')
all=$(for i in $(seq "$times"); do printf ',{"kind":"%s","value":%s}' "${KIND:-Next}" "$value"; done); echo "[${all#,}]" """
# The agent's answer is the last word of its instructions' first paragraph that ends with a "!".
ANSWER = """jq -c '[{kind: "Next", value: {said: (.instructions | capture("(?<word>[a-z]+)!").word), of: .task.value}}]'"""


def next_step(**more):
    return step("Next", "touch next-ran; echo '[]'", **more)


class ReplayCase(RunsCase):
    def replay(self, *args, code=0, **how):
        """Whatever it does, the runs are as they were, and no pool is left."""
        before = snapshot(self.runs)
        (self.work / "next-ran").unlink(missing_ok=True)
        result = self.run_program("barnum", "replay", *args, **how)
        self.assert_exit(result, code)
        self.assert_untouched(before)
        return result

    def assert_untouched(self, before):
        self.assertEqual(snapshot(self.runs), before, "the runs")
        self.assertFalse((self.work / "next-ran").exists(), "a child was started")
        pools = self.root / "pools"
        self.assertEqual(sorted(os.listdir(pools)) if pools.exists() else [], [], "a pool is left")

    def run_echo(self, times, *args, value='{"number":1.0}', **options):
        (self.work / "times").write_text(str(times))
        self.assert_run(self.run_workflow([step("Echo", ECHO, ["Next"], value_schema=NUMBER, **options), next_step()],
                                          "--entrypoint-value", value, *args))

    def run_agents(self, *args, **more):
        self.assert_run(self.run_workflow([step("Ask", pool("Say hello!"), ["Next"]), next_step()], "--agents", "2",
                                          "--agent-exec", ANSWER, *args, **more))


class Commands(ReplayCase):
    def test_the_response_is_printed_and_compared(self):
        self.run_echo(2)
        result = self.replay("last", "0")
        self.assertEqual(result.json, [{"kind": "Next", "value": {"number": 1.0}}] * 2)
        self.assertIn('"number": 1.0 }', result.out, "numbers are as they were written")
        self.assertTrue(result.err.endswith(SAME), result.err)

    def test_a_difference_is_told_line_by_line(self):
        self.run_echo(2)
        (self.work / "times").write_text("1")
        result = self.replay("last", "0")
        self.assertEqual(len(result.json), 1)
        self.assertIn(DIFFERS + "@@ -2,9 +2,5 @@\n", result.err)
        self.assertIn('\n-    "kind": "Next",\n', result.err)

    def test_it_is_colored_on_a_terminal(self):
        self.run_echo(2)
        (self.work / "times").write_text("1")
        terminal = ProgramTerminal(self, f"{binary('barnum')} replay last 0 >/dev/null")
        try:
            terminal.wait_for("ended with 0")
            self.assertIn("\x1b[31m-", terminal.tmux("capture-pane", "-p", "-e"))
        finally:
            terminal.close()

    def test_another_value_is_given_as_text_or_in_a_file(self):
        self.run_echo(1)
        result = self.replay("last", "0", "--value", '{"number": 2, /* more */ "x": null}')
        self.assertEqual(result.json, [{"kind": "Next", "value": {"number": 2, "x": None}}])
        (self.work / "elsewhere").mkdir()
        (self.work / "elsewhere/value.json").write_text('{"number": 3}')
        result = self.replay("last", "0", "--value", "value.json", cwd=self.work / "elsewhere")
        self.assertEqual(result.json[0]["value"], {"number": 3})

    def test_a_value_that_does_not_match_is_refused(self):
        self.run_echo(1)
        result = self.replay("last", "0", "--value", '{"number": "two"}', code=2)
        self.assertIn("barnum: --value has 1 error; nothing was started:", result.err)
        self.assertIn("--value takes JSON", self.replay("last", "0", "--value", "nothing.json", code=2).err)

    def test_a_task_that_is_not_there_is_refused(self):
        self.run_echo(1)
        self.assertRegex(self.replay("last", "7", code=2).err, r"there is no task 7 in .*/state.ndjson; the last one in it is 1\n")

    def test_a_task_that_failed_is_tried_once_by_any_of_its_numbers(self):
        self.assert_run(self.run_workflow([step("Bad", "echo x >>tries; echo reason >&2; exit 3", ["Next"], options={"max_retries": 1}),
                                           next_step()]), 1)
        for number in ("0", "1"):
            result = self.replay("last", number, code=1)
            self.assertEqual(result.out, "")
            self.assertIn("ERROR task 1 Bad: failed: the command exited with code 3\n    reason\n", result.err)
            self.assertTrue(result.err.endswith("recorded: failed, CommandFailed, exit code 3: the command exited with code 3\n    reason\n"),
                            result.err)
        self.assertEqual(self.count("tries"), 4)

    def test_a_failure_is_told_beside_the_recorded_response(self):
        self.run_echo(2)
        (self.work / "times").unlink()
        self.assertTrue(self.replay("last", "0", code=1).err.endswith("recorded: done, 2 next\n"))

    def test_a_response_is_checked(self):
        self.run_echo(1)
        result = self.replay("last", "0", env={"KIND": "Other"}, code=1)
        self.assertRegex(result.err, 'ERROR task 0 Echo: failed: .*"Other"')

    def test_hooks_that_belong_to_the_attempt_are_run(self):
        hooks = {"pre": command("jq '. + 1'"), "post": command("jq '.next[0].value += 10'"),
                 "finally": command("touch finally-ran; echo '[]'")}
        hooked = step("Hooked", """jq -c '[{kind: "Next", value: .value}]'""", ["Next"], **hooks)
        self.assert_run(self.run_workflow([hooked, next_step()], "--entrypoint-value", "1"))
        (self.work / "finally-ran").unlink()
        self.assertEqual(self.replay("last", "0").json, [{"kind": "Next", "value": 12}])
        self.assertFalse((self.work / "finally-ran").exists())
        self.assertEqual(self.replay("last", "0", "--value", "5").json, [{"kind": "Next", "value": 16}])

    def test_a_finally_is_replayed(self):
        last = command("""jq -c '[{kind: "Next", value: .}]'""")
        self.assert_run(self.run_workflow([step("First", "echo '[]'", **{"finally": last}), next_step()], "--entrypoint-value", "7"))
        result = self.replay("last", "1")
        self.assertEqual(result.json, [{"kind": "Next", "value": 7}])
        self.assertTrue(result.err.endswith(SAME), result.err)
        (self.work / "text").write_text("")
        self.assertIn("task 1 First (finally) is done by a shell command",
                      self.replay("last", "1", "--instructions", "text", code=2).err)

    def test_commands_run_as_in_the_run_but_with_an_id_of_their_own(self):
        script = "pwd >>seen; env | grep ^BARNUM_ | sort >>seen; echo '[]'"
        self.assert_run(self.run_workflow([step("Look", script)]))
        (self.work / "elsewhere").mkdir()
        self.replay("last", "0", cwd=self.work / "elsewhere")
        lines = self.seen_text()
        first, again = lines[:len(lines) // 2], lines[len(lines) // 2:]
        self.assertEqual([line for line in first if "BARNUM_RUN_" not in line], [line for line in again if "BARNUM_RUN_" not in line])
        self.assertNotEqual(first, again)

    def test_a_log_without_a_record_will_do(self):
        self.run_echo(1, "--state-log", "run.ndjson")
        shutil.rmtree(self.runs)
        self.assertTrue(self.replay("run.ndjson", "0").err.endswith(SAME))
        self.assertFalse(self.runs.exists())

    def test_a_damaged_log_is_refused(self):
        self.run_echo(1, "--state-log", "run.ndjson")
        log = self.work / "run.ndjson"
        log.write_text(log.read_text().replace('"number":1', '"number":2', 1))
        self.assertIn("run.ndjson: ", self.replay("run.ndjson", "0", code=74).err)


class Living(ReplayCase):
    def test_a_run_that_lives_goes_on(self):
        wait = "await go; echo '[]'"
        run = self.start_run([step("Split", emit(("Wait", 1)), ["Wait"]), step("Wait", f"touch started; {wait}")])
        wait_until((self.work / "started").exists, "the second task")
        result = self.run_program("barnum", "replay", "last", "0")
        self.assert_exit(result, 0)
        self.assertTrue(result.err.endswith(SAME), result.err)
        self.assertEqual([listed["pid"] for listed in self.ps("-a")], [run.pid])
        (self.work / "started").unlink()
        again = self.start("barnum", "replay", "last", "1")
        wait_until((self.work / "started").exists, "the replay of a task that has not ended")
        self.assertEqual(len(self.ps("-a")), 1, "a replay is not a run")
        (self.work / "go").touch()
        result = again.result()
        self.assert_exit(result, 0)
        self.assertTrue(result.err.endswith("recorded: nothing yet, the attempt has not ended\n"), result.err)
        self.assert_run(run.result())

    def start_replay(self, script):
        config = [step("Wait", f"[ -e first ] || {{ touch first; echo '[]'; exit; }}; {script}")]
        self.assert_run(self.run_workflow(config))
        before = snapshot(self.runs)
        process = self.start("barnum", "replay", "last", "0")
        wait_until((self.work / "began").exists, "the command of the replay")
        return process, before

    def test_a_signal_ends_it_with_its_command(self):
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            for name in ("first", "began"):
                (self.work / name).unlink(missing_ok=True)
            process, before = self.start_replay("touch began; sleep 1000")
            process.signal(number)
            result = process.result()
            self.assertEqual((result.code, result.out), (code, ""), str(result))
            self.assertEqual(marked_processes(self.mark), {})
            self.assert_untouched(before)

    def test_a_signal_ends_it_while_nobody_reads_the_response(self):
        long = "printf '[{\"kind\":\"Next\",\"value\":\"'; head -c 500000 /dev/zero | tr '\\0' x; printf '\"}]'"
        self.assert_run(self.run_workflow([step("Long", long, ["Next"]), step("Next", "echo '[]'")]))
        os.mkfifo(self.work / "response")
        reader = os.open(self.work / "response", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        replay = self.start("sh", "-c", f"exec {binary('barnum')} replay last 0 > response")
        unread = array.array("i", [0])
        wait_until(lambda: fcntl.ioctl(reader, termios.FIONREAD, unread) == 0 and unread[0] > 0, "the response to begin")
        replay.signal(signal.SIGTERM)
        self.assert_exit(replay.result(), -signal.SIGTERM)

    def test_a_second_signal_ends_it_at_once(self):
        process, before = self.start_replay("trap '' TERM; touch began; while :; do sleep 0.1; done")
        process.signal(signal.SIGTERM)
        wait_until(lambda: "got SIGTERM" in process.err, "the first signal")

        def again():
            process.signal(signal.SIGTERM)
            return not process.running
        wait_until(again, "the second signal")
        self.assertEqual(process.result().code, 143)
        wait_until(lambda: not marked_processes(self.mark), "its command to end")
        self.assert_untouched(before)

    def test_its_command_does_not_outlive_it(self):
        process, before = self.start_replay("touch began; sleep 1000")
        process.signal(signal.SIGKILL)
        process.result()
        wait_until(lambda: not marked_processes(self.mark), "the guard to end the command")
        self.assert_untouched(before)


class Agents(ReplayCase):
    def write_text(self):
        (self.work / "new.md").write_text("Say goodbye!\n")

    def test_the_agents_of_the_run_do_the_task(self):
        self.run_agents()
        result = self.replay("last", "0")
        self.assertEqual(result.json, [{"kind": "Next", "value": {"said": "hello", "of": {}}}])
        self.assertTrue(result.err.endswith(SAME), result.err)

    def test_the_agents_of_the_config_do_the_task(self):
        self.assert_run(self.run_workflow([step("Ask", pool("Say hello!"), ["Next"]), next_step()],
                                          agents=[{"kind": "exec", "exec": ANSWER}]))
        self.assertTrue(self.replay("last", "0").err.endswith(SAME))

    def test_the_pool_of_a_killed_replay_is_removed(self):
        self.run_agents()
        replay = self.start("barnum", "replay", "last", "0", "--agent-exec", "touch began; sleep 1000")
        wait_until((self.work / "began").exists, "the agent to work")
        replay.signal(signal.SIGKILL)
        replay.result()
        wait_until(lambda: not any((self.root / "pools").iterdir()), "the guard to remove the pool")

    def test_other_instructions_are_followed(self):
        self.run_agents()
        self.write_text()
        result = self.replay("last", "0", "--instructions", "new.md", "--value", "1")
        self.assertEqual(result.json[0]["value"], {"said": "goodbye", "of": 1})
        self.assertRegex(result.err, r'\n-.*"said": "hello"')
        self.assertRegex(result.err, r'\n\+.*"said": "goodbye"')

    def test_an_agent_of_its_own_does_the_task_alone(self):
        self.run_agents(agents=[{"kind": "exec", "exec": ANSWER}])
        self.write_text()
        told = """jq -c '[{kind: "Next", value: .instructions}]'"""
        result = self.replay("last", "0", "--instructions", "new.md", "--agent-exec", told)
        self.assertIn("\n\nSay goodbye!\n\n## Valid Responses\n", result.json[0]["value"])
        self.assertNotIn("Say hello!", result.json[0]["value"])
        self.assertIn(DIFFERS, result.err)
        result = self.replay("last", "0", "--agent", "exec,exec=echo '[]'")
        self.assertEqual(result.json, [])

    def test_instructions_that_cannot_be_used_are_refused(self):
        self.run_agents()
        self.assertIn("--instructions: the file nothing.md cannot be read: No such file or directory",
                      self.replay("last", "0", "--instructions", "nothing.md", code=2).err)
        (self.work / "bad.md").write_bytes(b"\xff")
        self.assertIn("bad.md is not valid UTF-8", self.replay("last", "0", "--instructions", "bad.md", code=2).err)
        (self.work / "good.md").write_text("x")
        self.assertIn("--instructions are for an agent, and task 1 Next is done by a shell command",
                      self.replay("last", "1", "--instructions", "good.md", code=2).err)

    def test_an_agent_that_fails(self):
        self.run_agents()
        result = self.replay("last", "0", "--agent-exec", "echo no credit >&2; exit 4", code=1)
        self.assertIn("task 0 Ask: failed: ", result.err)
        self.assertIn("no credit", result.err)
        self.assertTrue(result.err.endswith("recorded: done, 1 next\n"))

    def test_without_an_agent_that_could_do_it_it_ends(self):
        config = [step("Ask", pool("Say hello!") | {"labels": ["gpu"]}, ["Next"]), next_step()]
        self.assert_run(self.run_workflow(config, agents=[{"kind": "exec", "exec": ANSWER, "labels": ["gpu"]}]))
        result = self.replay("last", "0", "--agent-exec", ANSWER, code=1)
        self.assertIn("task 0 Ask cannot be done: no agent of this run has the label gpu", result.err)

    def test_a_signal_ends_its_agents(self):
        self.run_agents()
        before = snapshot(self.runs)
        (self.work / "next-ran").unlink()
        process = self.start("barnum", "replay", "last", "0", "--agent-exec", "touch began; sleep 1000")
        wait_until((self.work / "began").exists, "the agent's command")
        process.signal(signal.SIGTERM)
        self.assert_exit(process.result(), 143)
        self.assertEqual(marked_processes(self.mark), {})
        self.assert_untouched(before)

    def test_transcripts_and_agents_leave_nothing_beside_the_log(self):
        self.run_agents("--state-log", "run.ndjson")
        before = snapshot(self.work)
        self.replay("last", "0")
        after = snapshot(self.work)
        changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        self.assertEqual(changed - {str(self.work), str(self.work / "next-ran")}, set())

    def test_the_pool_of_a_daemon_is_used(self):
        shared = Pool(self)
        daemon = shared.start("--no-heartbeat")
        agent = shared.command("agent", "--exec", ANSWER)
        self.assert_run(self.run_workflow([step("Ask", pool("Say hello!"), ["Next"]), next_step()], "--pool", shared.path.name,
                                          "--no-embedded-pool"))
        result = self.run_program("barnum", "replay", "last", "0")
        self.assert_exit(result, 0)
        self.assertTrue(result.err.endswith(SAME), result.err)
        result = self.run_program("barnum", "replay", "last", "0", "--agent-exec", "echo '[]'")
        self.assertEqual(json.loads(result.out), [], "in a pool of its own")
        self.assert_running(daemon)
        self.assert_running(agent)
