"""Runs whose tasks wait for people: what goes on meanwhile, and what kills, resumes, several people and time do to them."""

import json
import os
import random
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from harness import wait_until
from harness.environment import is_sanitized
from harness.process import marked_processes
from harness.runs import RunsCase
from harness.statelog import entries
from harness.workflow import KEEP, command, emit, step


def human(**more):
    return {"kind": "Human", "instructions": "Is it good?"} | more


def asks(count, *next_, **more):
    """Steps that ask `count` questions at once, each of which may lead to Do."""
    return [step("Start", emit(*(("Ask", i) for i in range(count))), ["Ask"]),
            step("Ask", human(**more), ["Do"]), step("Do", KEEP)]


class HumanRunsCase(RunsCase):
    def todo(self):
        return [task["task_id"] for task in json.loads(self.barnum("todo", "--json").out) if "user" not in task]

    def ask(self, steps, *args, waits_for=1, **more):
        """A run in the foreground, of which so many tasks wait for a person."""
        run = self.start_run(steps, *args, **more)
        wait_until(lambda: len(self.todo()) == waits_for, "the tasks to wait")
        return run

    def answer(self, task, *how, code=0):
        return self.barnum("answer", "last", task, *(how or ("--response", "[]")), code=code)

    def log(self):
        """The entries of the newest run's log."""
        newest = max(self.ps("-a"), key=lambda run: run["started"])
        return entries(Path(newest["state_log"]))

    def completions(self):
        return {entry["task_id"]: entry for entry in self.log() if entry["kind"] == "TaskCompleted"}


class Waiting(HumanRunsCase):
    def test_a_question_holds_no_place_and_the_rest_goes_on(self):
        steps = [step("Start", emit(("Ask", 1), ("Do", 1), ("Do", 2)), ["Ask", "Do"]), step("Ask", human()), step("Do", KEEP)]
        run = self.ask(steps, "--jobs", "1", options={"max_concurrency": 1})
        wait_until(lambda: len(self.seen()) == 2, "the other tasks to be done")
        self.answer(1)
        self.assert_run(run.result())

    def test_a_run_in_which_only_people_can_go_on_says_so_and_goes_on_waiting(self):
        run = self.ask(asks(2), "--on-end", "env >> told; cat > told.json", waits_for=2)
        wait_until((self.work / "told.json").exists, "the command to be told")
        wait_until(lambda: self.only()["tasks"].get("waiting_for_human") == 2, "the record to tell of it")
        self.assertIn(f"BARNUM_WAITING_RUN={self.only()['id']}\n", (self.work / "told").read_text())
        self.assertRegex(self.barnum("ps").out, r" human\n(.*) 2\n")
        self.assertIn("2 waiting for a human", self.barnum("inspect", "last").out)
        self.assertEqual(json.loads(self.barnum("inspect", "last", "--json").out)["waiting_for_human"], [1, 2])
        self.answer(1)
        self.answer(2)
        result = run.result()
        self.assert_run(result)
        self.assertIn("2 tasks waiting for a human, and nothing else to do until then", result.err)
        self.assertEqual(result.err.count("and nothing else to do until then"), 1, "no question is new")

    def test_the_end_of_a_run_counts_what_waits_for_a_person(self):
        result = self.run_workflow(asks(2), "--exit-when-waiting", "--progress", "json")
        (end,) = [event for event in map(json.loads, result.err.splitlines()) if event["event"] == "run_ended"]
        self.assertEqual([end["tasks"][state] for state in ("waiting", "running", "waiting_for_human")], [0, 2, 2])

    def test_exit_when_waiting_ends_the_run_with_75_and_a_resumed_one_goes_on(self):
        result = self.run_workflow(asks(1), "--exit-when-waiting")
        self.assert_run(result, 75)
        self.assertIn("1 task waiting for a human", result.err)
        self.assertIn("resume this run with:", result.err)
        self.assertEqual([run["state"] for run in self.ps()], ["waiting"])
        self.answer(1, "--next", "Do", "--value", "5")
        self.barnum("resume", "last")
        self.assert_seen(("Do", 5))
        self.assertEqual([run["state"] for run in self.ps("-a")], ["resumed", "finished"])

    def test_exit_when_waiting_first_does_what_can_be_done(self):
        steps = [step("Start", emit(("Ask", 1), ("Do", 1)), ["Ask", "Do"]), step("Ask", human()), step("Do", KEEP)]
        self.assert_run(self.run_workflow(steps, "--exit-when-waiting"), 75)
        self.assert_seen(("Do", 1))

    def test_a_rejected_task_is_dropped_its_finally_runs_and_a_retry_asks_again(self):
        steps = [step("Ask", human(), **{"finally": command("echo . >> over; echo '[]'")})]
        run = self.ask(steps, options={"max_retries": 3})
        self.answer(0, "--reject", "too dear")
        result = run.result()
        self.assert_run(result, 1)
        self.assertIn(": too dear", result.err)
        self.assertEqual(self.count("over"), 1)
        self.assertEqual(self.completions()[0]["outcome"]["value"]["reason"]["kind"], "Rejected")
        self.assertTrue(self.completions()[0]["answered_by"])
        again = self.start("barnum", "retry", "last")
        wait_until(lambda: self.todo() == [0], "the task to wait again")
        self.answer(0)
        self.assert_run(again.result())

    def test_a_paused_run_takes_answers_and_starts_nothing(self):
        run = self.ask(asks(1))
        self.barnum("pause", "last")
        self.answer(1, "--next", "Do", "--value", "1")
        self.assertEqual(self.seen(), [])
        self.barnum("continue", "last")
        self.assert_run(run.result())
        self.assert_seen(("Do", 1))

    def test_the_time_limit_of_a_run_ends_the_wait(self):
        result = self.run_workflow([step("Ask", human())], "--max-run-seconds", "0.2")
        self.assert_run(result, 1)
        self.assertIn("not started because of max_run_seconds: 1 of Ask", result.err)

    def test_a_persons_work_is_shown_by_a_dry_run_and_is_not_replayed(self):
        result = self.run_workflow([step("Ask", human())], "--dry-run")
        self.assertIn("1 task to begin with:\n  task 0 Ask ", result.out)
        self.ask([step("Ask", human())], "--exit-when-waiting").result()
        self.assertIn("is done by a person", self.barnum("replay", "last", "0", code=2).err)


class Expiring(HumanRunsCase):
    def reason(self, task):
        return self.completions()[task]["outcome"]["value"]["reason"]

    def let_pass(self, seconds):
        """All that the log of the only run tells was so much earlier."""
        path = Path(self.only()["state_log"])
        path.write_bytes(re.sub(rb'("(?:time|started)":)(\d{13})',
                                lambda found: found[1] + str(int(found[2]) - 1000 * seconds).encode(), path.read_bytes()))
        self.barnum("inspect", "--accept-edits", path)

    def test_a_question_that_nobody_answers_in_time_fails_and_is_not_asked_again(self):
        result = self.run_workflow(asks(1, expires=0.2), options={"max_retries": 5})
        self.assert_run(result, 1)
        self.assertIn("no person has answered in time", result.err)
        self.assertEqual(self.reason(1)["kind"], "Expired")
        self.assertEqual([run["state"] for run in self.ps("-a")], ["failed"])

    def test_the_time_goes_on_while_no_run_lives(self):
        self.ask(asks(1, expires=10_000), "--exit-when-waiting").result()
        self.let_pass(10_000)
        self.assertEqual(self.todo(), [])
        self.assertIn("task 1 has expired", self.answer(1, code=2).err)
        self.barnum("resume", "last", code=1)
        self.assertEqual(self.reason(1)["kind"], "Expired")

    def test_the_time_of_a_question_that_follows_a_kept_answer_begins_with_the_resumed_run(self):
        steps = [step("First", human(), ["Second"]), step("Second", human(expires=10_000))]
        self.ask(steps, "--exit-when-waiting").result()
        self.answer(0, "--next", "Second", "--value", "1")
        path = self.runs / self.only()["id"] / "answers/0.json"
        answer = json.loads(path.read_text())
        answer["time"] -= 10_000_000
        path.write_text(json.dumps(answer))
        self.barnum("resume", "last", code=75)
        self.assertEqual(self.completions()[0]["time"], answer["time"])

    def test_a_retry_begins_the_time_anew(self):
        self.assert_run(self.run_workflow(asks(1, expires=0.2)), 1)
        log = self.log()
        self.barnum("retry", "last", code=1)
        self.assertEqual(self.reason(1)["kind"], "Expired")
        ended = self.completions()[1]
        self.assertGreaterEqual(ended["time"] - self.log()[0]["time"], 200)
        self.assertNotEqual(log[0], self.log()[0])


class Faults(HumanRunsCase):
    def test_two_people_at_once_and_one_answer_counts(self):
        count = 4 if is_sanitized() else 12
        run = self.ask(asks(count), waits_for=count)

        given = [(task, self.start("barnum", "answer", "last", task, "--next", "Do", "--value", 100 * task + who), 100 * task + who)
                 for task in range(1, count + 1) for who in (1, 2, 3)]
        self.assert_run(run.result())
        counted = {}
        for task, result, value in given:
            if result.result().code == 0:
                self.assertNotIn(task, counted)
                counted[task] = value
            else:
                self.assertIn(f"task {task} was answered by ", result.result().err)
        self.assertEqual(len(counted), count)
        self.assert_seen(*(("Do", value) for value in counted.values()))

    def test_an_answer_that_is_there_already_is_a_success_for_who_gave_it(self):
        run = self.ask(asks(4), waits_for=4)
        do = ("--next", "Do", "--value")
        given = {1: (*do, '{"n": 1}'), 2: ("--reject", "why")}
        for task, how in given.items():
            first = self.answer(task, *how).out
            self.assertRegex(first, f"^task {task} is (answered|rejected)")
            wait_until(lambda: task not in self.todo(), "the answer to count")
            self.assertIn(self.answer(task, *how).out.strip(), first)
        for task, how in ((1, (*do, "2")), (1, ("--reject", "why")), (2, ("--reject", "no")), (1, (*do, "1", *do, "2"))):
            self.assertIn("one answer counts", self.answer(task, *how, code=2).err)
        run.signal(signal.SIGTERM)
        run.result()
        self.assertEqual(self.answer(1, *given[1]).out, "task 1 is answered\n")
        for _ in range(2):
            self.assertEqual(self.answer(3, *do, "3").out, "task 3 is answered; that counts when the run is resumed\n")
        self.assertIn("one answer counts", self.answer(3, *do, "4", code=2).err)

    def test_an_answer_waits_for_what_ends_the_commands_of_a_killed_run(self):
        run = self.ask(asks(1))
        (guard,) = [pid for pid in marked_processes(self.mark) if self.name_of(pid) == "barnum-guard"]
        os.kill(guard, signal.SIGSTOP)
        run.signal(signal.SIGKILL)
        run.result()
        answer = self.start("barnum", "answer", "last", "1", "--next", "Do", "--value", "1")
        wait_until(lambda: "waiting until the commands of a killed run have ended" in answer.err, "it to say so")
        os.kill(guard, signal.SIGCONT)
        self.assert_exit(answer.result(), 0)
        self.barnum("resume", "last")
        self.assert_seen(("Do", 1))

    @staticmethod
    def name_of(pid):
        with suppress(FileNotFoundError):
            return Path(f"/proc/{pid}/comm").read_text().strip()

    def test_an_answer_that_comes_before_the_run_takes_some_waits(self):
        run = self.start_run([step("Ask", human(), ["Do"]), step("Do", KEEP)], "--wake", "touch woken; await go")
        wait_until((self.work / "woken").exists, "the run to wait")
        answer = self.start("barnum", "answer", "last", "0", "--next", "Do", "--value", "1")
        (self.work / "go").touch()
        self.assert_exit(answer.result(), 0)
        self.assert_run(run.result())
        self.assert_seen(("Do", 1))

    def test_two_people_at_once_without_a_run(self):
        self.ask(asks(1), "--exit-when-waiting").result()

        people = [self.start("barnum", "answer", "last", "1", "--next", "Do", "--value", value) for value in range(6)]
        results = [one.result() for one in people]
        self.assertEqual(sorted(result.code for result in results), [0, 2, 2, 2, 2, 2])
        self.barnum("resume", "last")
        self.assert_seen(("Do", [result.code for result in results].index(0)))

    def test_what_was_confirmed_survives_a_kill_and_is_not_asked_again(self):
        """Kills the run at random moments round each answer; an answer that was confirmed counts, once."""
        count = 5 if is_sanitized() else 15
        draw = random.Random(7)
        run = self.ask(asks(count), waits_for=count)
        confirmed = set()
        while open_ := self.todo():
            self.assertTrue(run.running, f"the run has ended, and these tasks wait: {open_}\n{run.err}")
            task = str(draw.choice(open_))
            given = self.start("barnum", "answer", "last", task, "--next", "Do", "--value", task)
            if draw.random() < 0.5:
                time.sleep(draw.random() / 50)  # a random moment
                run = self.kill_and_resume(run)
            if given.result().code == 0:
                self.assertNotIn(task, confirmed)
                confirmed.add(task)
        self.assert_run(run.result())
        done = [value for _, value in self.seen()]
        self.assertEqual(set(done), set(range(1, count + 1)))  # a task that ran when it was killed runs again
        completed = [entry["task_id"] for entry in self.log() if entry["kind"] == "TaskCompleted" and "answered_by" in entry]
        self.assertCountEqual(completed, range(1, count + 1))

    def kill_and_resume(self, run):
        """The run that goes on; the same one if it has ended before the kill."""
        run.signal(signal.SIGKILL)
        if run.result().code != -signal.SIGKILL:
            return run
        resumed = self.start("barnum", "resume", "last")
        wait_until(lambda: not resumed.running or self.living(), "the resumed run")
        return resumed

    def living(self):
        return [run for run in self.ps() if run["state"] == "running"]

    def test_an_answer_that_cannot_be_kept_does_not_count(self):
        self.ask(asks(1), "--exit-when-waiting").result()
        (run,) = self.ps()
        (self.runs / run["id"] / "answers").write_text("in the way")
        self.answer(1, code=2)
        (self.runs / run["id"] / "answers").unlink()
        self.answer(1)
        self.barnum("resume", "last")

    def test_a_damaged_answer_is_told_of_and_the_task_waits_on(self):
        self.ask(asks(1), "--exit-when-waiting").result()
        (run,) = self.ps()
        answers = self.runs / run["id"] / "answers"
        answers.mkdir(mode=0o700)
        (answers / "1.json").write_text('{"kind":"Answer","task":1,"us')
        os.mkfifo(answers / "2.json")  # a reader would wait for ever
        self.assertEqual(self.todo(), [1])
        self.assertIn(f"{answers}/1.json is in the way, and is no answer", self.answer(1, code=2).err)
        unfit = {"kind": "Answer", "task": 1, "user": "x", "response": '[{"kind":"Start","value":1}]', "time": 1}
        (answers / "7.json").write_text(json.dumps(unfit | {"response": "[]"}))
        self.assertEqual(self.todo(), [1], "the file belongs to another task")
        (answers / "1.json").write_text(json.dumps(unfit))
        self.assertEqual(self.todo(), [1], "it won't count")
        result = self.barnum("resume", "last", code=75)
        self.assertIn("7.json: the answer cannot be used", result.err)
        self.assertIn("the answer to task 1 does not count", result.err)
        self.answer(1)
        self.barnum("resume", "last")
