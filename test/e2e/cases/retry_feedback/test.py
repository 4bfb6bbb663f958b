"""What a retry is told of the attempts before it (docs/retries.md, "Retries that learn"), and responses with text around them."""

import json
import os
import signal
import stat

from harness import Pool, wait_until
from harness.runs import RunsCase
from harness.statelog import LogCase, entries
from harness.workflow import KEEP, command, pool, step

MOST = 16 * 1024
# Keeps its task as a line of `contents`. Answers with 1, or with one more than what the last error tells.
GUESS = """task=$(cat); printf '%s\\n' "$task" >>contents
printf '%s' "$task" | jq -c '(.previous_attempts // [{error: "more than 0"}]) | last.error
    | [{kind: "Next", value: (capture("more than (?<n>[0-9]+)").n | tonumber + 1)}]' """
# Lets 3 pass.
GATE = """result=$(cat); n=$(printf '%s' "$result" | jq '.next[0].value')
[ "$n" -ge 3 ] || { echo "it must be more than $n" >&2; exit 1; }; printf '%s' "$result" """
# Notes the variables, and keeps the file that one of them names.
NOTE = """note() { echo "$1 $BARNUM_ATTEMPT $BARNUM_TASK_ID $BARNUM_STEP ${BARNUM_PREVIOUS_ATTEMPTS-none}" >>noted
    [ -z "${BARNUM_PREVIOUS_ATTEMPTS-}" ] || cp "$BARNUM_PREVIOUS_ATTEMPTS" "previous.$1.$BARNUM_TASK_ID"; }; """


def guess(**more):
    options = {"max_retries": 4} | more.pop("options", {})
    return [step("Guess", pool("Guess!"), ["Next"], post=command(GATE), options=options, **more), step("Next", KEEP)]


def answer_of(number):
    return json.dumps([{"kind": "Next", "value": number}], separators=(",", ":"))


def told(number):
    return {"attempt": number, "error": f"the post hook exited with code 1\nit must be more than {number}",
            "response": answer_of(number)}


class FeedbackCase(LogCase, RunsCase):
    def contents(self):
        return [json.loads(line) for line in (self.work / "contents").read_text().splitlines()]

    def run_guess(self, *args, agent=GUESS, code=0, env=None, **more):
        result = self.run_logged(guess(**more), "--agents", "1", "--agent-exec", agent, *args, env=env)
        self.assert_run(result, code)
        return result

    def previous(self, name):
        return json.loads((self.work / f"previous.{name}").read_text())

    def noted(self):
        return [line.split(" ") for line in (self.work / "noted").read_text().splitlines()]


class Agents(FeedbackCase):
    def test_a_gate_passes_at_the_third_attempt_because_the_agent_read_why(self):
        self.run_guess()
        self.assert_seen(("Next", 3))
        first, second, third = self.contents()
        self.assertEqual(list(first), ["task", "instructions"])
        self.assertNotIn("Previous Attempts", first["instructions"])
        self.assertEqual(second["previous_attempts"], [told(1)])
        self.assertEqual(third["previous_attempts"], [told(1), told(2)])
        self.assertEqual(first["task"], third["task"])
        self.assertTrue(third["instructions"].startswith(first["instructions"] + "\n\n## Previous Attempts\n\n"))
        for attempt in third["previous_attempts"]:
            self.assertIn(f"### Attempt {attempt['attempt']}\n", third["instructions"])
            self.assertIn(attempt["error"], third["instructions"])
            self.assertIn(attempt["response"], third["instructions"])

    def test_the_log_has_the_responses_of_attempts_that_are_tried_again(self):
        self.run_guess(options={"max_retries": 1}, code=1)
        first, second = [e["outcome"]["value"]["reason"] for e in entries(self.log()) if e["kind"] == "TaskCompleted"]
        self.assertEqual(first["response"], answer_of(1))
        self.assertNotIn("response", second)
        attempt = json.loads(self.barnum("inspect", self.log(), "--task", "0", "--json").out)["tasks"][0]["attempts"][0]
        self.assertEqual(attempt["failure"]["response"], answer_of(1))
        self.assertIn(f"  its response: {answer_of(1)}\n", self.barnum("inspect", self.log(), "--task", "0").out)

    def test_a_killed_run_tells_the_same_when_it_is_resumed(self):
        gated = GUESS.replace("\nprintf", '\n[ $(wc -l <contents) != 2 ] || await go\nprintf', 1)
        run = self.start_logged(guess(), "--agents", "1", "--agent-exec", gated)
        wait_until(lambda: self.count("contents") == 2, "the second attempt")
        self.kill(run)
        (self.work / "go").touch()
        self.assert_run(self.resume("--agents", "1", "--agent-exec", gated))
        first, second, again, third = self.contents()
        self.assertEqual(second["previous_attempts"], [told(1)])
        self.assertEqual(again, second)
        self.assertEqual(third["previous_attempts"], [told(1), told(2)])
        self.assert_seen(("Next", 3))

    def test_an_agent_that_has_a_retry_keeps_it_while_the_run_is_killed_and_resumed(self):
        shared = Pool(self)
        shared.start("--no-heartbeat")
        run = self.start_logged(guess(), "--no-embedded-pool")
        shared.answer(shared.take(), answer_of(1))
        assignment = shared.take()
        self.assertEqual(assignment["content"]["previous_attempts"], [told(1)])
        self.kill(run)
        resumed = self.start_resume("--no-embedded-pool")
        wait_until(lambda: "task 1 Guess: submitted" in resumed.err, "the task to be submitted again")
        shared.answer(assignment, answer_of(3))
        self.assert_run(resumed.result())
        self.assert_seen(("Next", 3))

    def test_retry_feedback_false_turns_it_off(self):
        fixed = """task=$(cat); printf '%s\\n' "$task" >>contents; echo '[{"kind":"Next","value":1}]'"""
        for where in ({"options": {"max_retries": 2, "retry_feedback": False}}, {"off": True}):
            (self.work / "contents").unlink(missing_ok=True)
            steps = guess(options={"max_retries": 2} | where.get("options", {}))
            steps[0]["post"]["script"] = NOTE + "note post; exit 1"
            more = {"options": {"retry_feedback": False}} if "off" in where else {}
            self.assert_run(self.run_logged(steps, "--agents", "1", "--agent-exec", fixed, log=f"{len(where)}{len(more)}.ndjson",
                                            **more), 1)
            first, second, third = self.contents()
            self.assertEqual((second, third), (first, first))
        self.assertEqual({words[-1] for words in self.noted()}, {"none"})
        for log in ("10.ndjson", "11.ndjson"):
            self.assertNotIn('"response"', self.log(log).read_text())

    def test_secrets_are_replaced_as_in_the_log(self):
        gate = command("cat >/dev/null; echo \"key is $MY_TOKEN\" >&2; exit 1")
        env = {"MY_TOKEN": "hunter2-hunter2"}
        for option, shown in (((), "***"), (("--no-redact",), "hunter2-hunter2")):
            (self.work / "contents").unlink(missing_ok=True)
            steps = guess(options={"max_retries": 1})
            steps[0]["post"] = gate
            agent = """task=$(cat); printf '%s\\n' "$task" >>contents; echo '[]'"""
            self.assert_run(self.run_workflow(steps, "--agents", "1", "--agent-exec", agent, *option, env=env), 1)
            second = self.contents()[1]
            self.assertEqual(second["previous_attempts"][0]["error"], f"the post hook exited with code 1\nkey is {shown}")
            self.assertIn(f"key is {shown}", second["instructions"])

    def test_a_replay_of_a_retry_is_told_the_same(self):
        self.run_guess()
        third = self.contents()[2]
        (self.work / "new.md").write_text("Guess again!")
        for more in ((), ("--instructions", "new.md")):
            result = self.barnum("replay", "last", "0", *more)
            self.assertIn("the response is the same as the recorded one\n", result.err)
            again = self.contents()[-1]
            self.assertEqual(again["previous_attempts"], third["previous_attempts"])
            self.assertEqual(again["instructions"], third["instructions"].replace("Guess!", "Guess again!" if more else "Guess!"))


class Commands(FeedbackCase):
    def test_commands_and_hooks_find_the_same_in_a_file(self):
        kept = "find \"${BARNUM_PREVIOUS_ATTEMPTS-/dev/null}\" -printf '%m\\n' >>modes; "
        steps = [step("Work", NOTE + "note command; " + kept + "cat >/dev/null; [ $BARNUM_ATTEMPT = 3 ] || echo words; echo '[]'",
                      pre=command(NOTE + "note pre; cat"), post=command(NOTE + "note post; cat"),
                      options={"max_retries": 3},
                      **{"finally": command(NOTE + "note finally; [ $BARNUM_ATTEMPT = 2 ] || { echo no >&2; exit 4; }; echo '[]'")})]
        self.assert_run(self.run_workflow(steps, env={"BARNUM_PREVIOUS_ATTEMPTS": "/of/another/run"}))
        noted = self.noted()
        self.assertEqual([words[:4] for words in noted],
                         [[phase, str(task + 1), str(task), "Work"] for task in range(3) for phase in ("pre", "command", "post")]
                         + [["finally", "1", "3", "Work"], ["finally", "2", "4", "Work"]])
        paths = [words[4] for words in noted]
        self.assertEqual(paths[:3] + paths[9:10], ["none"] * 4)
        self.assertEqual([len(set(paths[at:at + 3])) for at in (3, 6)], [1, 1])
        self.assertEqual((self.work / "modes").read_text().split()[1:], ["600", "600"])
        for path in set(paths) - {"none"}:
            self.assertFalse(os.path.exists(path), path)
        (run,) = self.ps("-a")
        self.assertEqual(os.path.dirname(paths[3]), run["path"] + "/attempts")
        self.assertFalse(os.path.exists(run["path"] + "/attempts"))

        (first,) = self.previous("pre.1")
        self.assertEqual((first["attempt"], first["response"]), (1, "words\n[]"))
        self.assertTrue(first["error"].startswith("invalid response: "), first)
        self.assertEqual(self.previous("command.2"), [first, first | {"attempt": 2}])
        self.assertEqual(self.previous("post.2"), self.previous("command.2"))
        self.assertEqual(self.previous("finally.4"),
                         [{"attempt": 1, "error": "the finally hook exited with code 4\nno", "response": None}])

    def test_the_last_three_are_told_each_cut_at_16_kib(self):
        script = (NOTE + "note command; [ $BARNUM_ATTEMPT != 6 ] || { echo '[]'; exit; }; "
                  "yes \"é $BARNUM_ATTEMPT\" | head -n 5000 >&2; printf ü; yes 語 | head -n 20000 | tr -d '\\n'")
        steps = [step("Work", script, post=command("cat >/dev/null; [ $BARNUM_ATTEMPT = 6 ] && echo '{\"kind\":\"Success\",\"next\":[]}' "
                                                   "|| { yes \"é $BARNUM_ATTEMPT\" | head -n 5000 >&2; echo over >&2; exit 1; }"),
                      options={"max_retries": 5})]
        self.assert_run(self.run_logged(steps))
        self.assertEqual([attempt["attempt"] for attempt in self.previous("command.5")], [3, 4, 5])
        for attempt in self.previous("command.5"):
            for text in (attempt["error"], attempt["response"]):
                self.assertLessEqual(len(text.encode()), MOST)
                self.assertGreater(len(text.encode()), MOST - 1100)
                self.assertRegex(text, r"… \[\d+ bytes are left out here\]\n")
                self.assertNotIn("\ufffd", text)
            number = attempt["attempt"]
            self.assertTrue(attempt["error"].startswith("the post hook exited with code 1\n"), attempt["error"][:100])
            self.assertIn(f"\né {number}\né {number}\n", attempt["error"])
            self.assertIn("\nbefore that: invalid response: ", attempt["error"])
            self.assertTrue(attempt["response"].startswith("ü語語"))
            self.assertTrue(attempt["response"].endswith("語語"))

    def test_a_killed_run_leaves_no_file(self):
        script = "[ $BARNUM_ATTEMPT = 2 ] || exit 1; cp \"$BARNUM_PREVIOUS_ATTEMPTS\" previous; touch started; sleep 1000"
        run = self.start_run([step("Work", script, options={"max_retries": 1})])
        wait_until((self.work / "started").exists, "the second attempt")
        path = self.only()["path"]
        self.assertEqual(os.listdir(path + "/attempts"), ["1.json"])
        self.assertEqual(stat.S_IMODE(os.stat(path + "/attempts").st_mode), 0o700)
        self.kill(run)
        self.assertFalse(os.path.exists(path + "/attempts"))

    def test_a_run_without_a_directory_has_the_file_elsewhere(self):
        temporary = self.home / "temporary"
        temporary.mkdir()
        env = {"BARNUM_RUNS": "/dev/null/runs", "TMPDIR": str(temporary)}
        steps = [step("Work", NOTE + "note command; [ $BARNUM_ATTEMPT = 2 ] && echo '[]'", options={"max_retries": 1})]
        self.assert_run(self.run_logged(steps, env=env))
        self.assertTrue(self.noted()[1][-1].startswith(f"{temporary}/barnum-attempts-"))
        self.assertEqual([attempt["attempt"] for attempt in self.previous("command.1")], [1])
        self.assertEqual(os.listdir(temporary), [])

    def test_a_command_is_not_started_without_its_file(self):
        env = {"BARNUM_RUNS": "/dev/null/runs", "TMPDIR": "/proc"}
        result = self.run_logged([step("Work", "echo x >>tries; exit 1", options={"max_retries": 1})], env=env)
        self.assert_run(result, 1)
        self.assertEqual(self.count("tries"), 1)
        self.assertIn("the command was not started: cannot create /proc/barnum-attempts-", result.err)


class Lenient(FeedbackCase):
    ARRAY = '[{"kind": "Next", "value": 7}]'
    TEXTS = ("Here it is:\n```json\n" + ARRAY + "\n```\nThat's all.", "One [1], or []? I say: " + ARRAY, "```\n" + ARRAY + "\n```")

    def lenient(self, action, **options):
        return [step("Ask", action, ["Next"], options=options), step("Next", KEEP)]

    def run_lenient(self, text, is_pool, code, lenient, **more):
        (self.work / "answer").write_text(text)
        (self.work / "seen").unlink(missing_ok=True)
        self.log().unlink(missing_ok=True)
        script = "cat >/dev/null; cat answer"
        args = ("--agents", "1", "--agent-exec", script) if is_pool else ()
        steps = self.lenient(pool() if is_pool else script, **({"lenient_response": True} if lenient else {}))
        result = self.run_logged(steps, *args, **more)
        self.assert_run(result, code)
        return result

    def test_the_array_is_taken_out_of_the_text_around_it_and_this_is_noted(self):
        for is_pool in (False, True):
            for text in self.TEXTS:
                result = self.run_lenient(text, is_pool, 0, True)
                self.assert_seen(("Next", 7))
                self.assertIn("task 0 Ask: its response was taken out of the text around it (lenient_response)", result.err)
                completed = [e for e in entries(self.log()) if e["kind"] == "TaskCompleted"]
                self.assertEqual([e.get("lenient") for e in completed], [True, None])
                inspected = json.loads(self.barnum("inspect", self.log(), "--json").out)
                self.assertEqual([task["attempts"][0]["lenient"] for task in inspected["tasks"]], [True, False])
                self.assertIn("succeeded, lenient response", self.barnum("inspect", self.log(), "--task", "0").out)

    def test_the_option_of_the_config_is_the_default_of_its_steps(self):
        self.run_lenient(self.TEXTS[0], True, 0, False, options={"lenient_response": True})
        self.assert_seen(("Next", 7))

    def test_without_the_option_it_is_refused(self):
        for is_pool in (False, True):
            for text in self.TEXTS:
                self.assertIn("invalid response: ", self.run_lenient(text, is_pool, 1, False).err)
                self.assert_seen()

    def test_a_response_that_needs_nothing_is_not_noted(self):
        result = self.run_lenient(self.ARRAY, True, 0, True)
        self.assertNotIn("lenient", result.err)
        self.assertNotIn('"lenient":', self.log().read_text().split("\n", 1)[1])

    def test_what_is_taken_out_must_be_valid(self):
        result = self.run_lenient('It is [{"kind": "Other", "value": 1}].', False, 1, True)
        self.assertIn('kind "Other" is not a next step', result.err)
        self.run_lenient("There is nothing.", False, 1, True)
        self.assert_seen()
