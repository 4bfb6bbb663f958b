"""Tasks that wait for a person: `barnum todo` lists them, `barnum answer` answers them, by options and in a dialog."""

import json
import os
import pwd
import re
from pathlib import Path

from harness import wait_until
from harness.runs import QUICK, RunsCase
from harness.terminal import TerminalCase
from harness.workflow import KEEP, emit, step

USER = pwd.getpwuid(os.geteuid()).pw_name
PLAN = {"type": "object", "required": ["plan"], "properties": {"plan": {"type": "string"}}}
GOAL = {"type": "object", "required": ["goal"], "properties": {"goal": {"enum": ["small", "great"]}}}


def human(**more):
    return {"kind": "Human", "instructions": "\n# Look \x1b at it\nIs the plan good?\n"} | more


TIME = r"\d\d:\d\d:\d\d"


def flow(**more):
    return [step("Approve", human(**more), ["Do it", "Plan"], value_schema=PLAN),
            step("Do it", KEEP, value_schema=PLAN), step("Plan", KEEP, value_schema=GOAL)]


class HumanCase(RunsCase):
    def tearDown(self):
        self.end_runs()
        super().tearDown()

    def ask(self, *args, **more):
        """The id of a new run in the background whose task 0 waits for a person."""
        config = self.write_config(flow(**more))
        value = json.dumps({"plan": "dig"})
        id_ = self.barnum("run", "--detach", "--config", config, "--entrypoint-value", value, *args).out.strip()
        wait_until(lambda: any(one["run_id"] == id_ for one in self.todo()), "the task to wait")
        return id_

    def todo(self):
        return json.loads(self.barnum("todo", "--json").out)

    def kill_run(self, id_):
        (run,) = [run for run in self.ps() if run["id"] == id_]
        os.kill(run["pid"], 9)
        wait_until(lambda: [run["state"] for run in self.ps() if run["id"] == id_] == ["lost"], "the run to be lost")


class Todo(HumanCase):
    def assert_nothing_waits(self):
        result = self.barnum("todo")
        self.assertEqual((result.out, result.err), ("", "nothing waits for a person\n"))
        self.assertEqual(self.barnum("todo", "--json").out, "[]\n")

    def test_nothing_waits(self):
        self.assert_nothing_waits()
        self.assert_run(self.run_workflow(QUICK))
        self.assert_nothing_waits()

    def test_what_waits_is_listed_with_the_first_line_of_its_instructions(self):
        id_ = self.ask()
        head, row = self.barnum("todo").out.splitlines()
        self.assertEqual(head.split(), ["run", "task", "step", "since", "instructions"])
        self.assertRegex(row, rf"^{id_[:8]} +0  Approve  \d\d:\d\d:\d\d  # Look \? at it$")
        (task,) = self.todo()
        self.assertLess(0, task.pop("since"))
        self.assertEqual(task, {"run_id": id_, "name": "", "state": "running", "task_id": 0, "step": "Approve",
                                "value": {"plan": "dig"}, "instructions": human()["instructions"], "next": ["Do it", "Plan"]})
        self.barnum("cancel", id_, "--now")
        self.assertEqual([(task["run_id"], task["state"]) for task in self.todo()], [(id_, "interrupted")])

    def test_the_name_of_a_run_is_shown_if_any_has_one(self):
        self.ask("--name", "release")
        head, row = self.barnum("todo").out.splitlines()
        self.assertEqual(head.split(), ["run", "name", "task", "step", "since", "instructions"])
        self.assertEqual(row.split()[1:4], ["release", "0", "Approve"])

    def test_the_end_of_the_wait_is_shown_if_there_is_one(self):
        self.ask(expires=100_000)
        head, _ = self.barnum("todo").out.splitlines()
        self.assertEqual(head.split(), ["run", "task", "step", "since", "expires", "instructions"])
        (task,) = self.todo()
        self.assertEqual(task["expires"] - task["since"], 100_000_000)

    def test_a_run_that_cannot_be_read_is_told_of_and_hides_no_other(self):
        id_ = self.ask()
        (self.runs / "dead").mkdir()
        for log, text in (("/nowhere/log", None), (str(self.work / "odd.ndjson"), "garbage\n"), (str(self.work / "open.ndjson"), "[[[\n")):
            if text:
                Path(log).write_text(text)
            (self.runs / "dead/run.json").write_text(json.dumps({"id": "dead", "started": 1, "state_log": log}))
            result = self.barnum("todo")
            self.assertIn(id_[:8], result.out)
            self.assertIn("the run dead is left out: ", result.err)


class ByOptions(HumanCase):
    def refused(self, *args):
        return self.barnum("answer", *args, code=2).err

    def test_tasks_follow_in_the_order_of_the_options(self):
        id_ = self.ask()
        (self.work / "goal.json").write_text('{"goal": "great"}  // as we said\n')
        self.barnum("answer", id_, "0", "--next", "Do it", "--value", '{"plan": "delve"}', "--next", "Plan", "--value", "goal.json")
        self.barnum("wait", id_)
        self.assert_seen(("Do it", {"plan": "delve"}), ("Plan", {"goal": "great"}))
        self.assertEqual(self.todo(), [])

    def test_a_response_is_a_whole_answer(self):
        self.ask()
        self.barnum("answer", "last", "--response", "[]")
        self.barnum("wait", "last")
        self.assert_seen()

    def test_a_rejected_task_fails_for_the_reason(self):
        id_ = self.ask()
        self.barnum("answer", "last", "--reject", "too dear")
        self.barnum("wait", "last", code=1)
        self.assertIn("too dear", (self.runs / id_ / "run.log").read_text())
        self.assert_seen()
        (task,) = json.loads(self.barnum("inspect", id_, "--json").out)["tasks"]
        (attempt,) = task["attempts"]
        self.assertEqual((attempt["answered_by"], attempt["failure"]["reason"]), (USER, "Rejected"))
        self.assertIn(f"\nanswered by {USER}\n", self.barnum("inspect", id_, "--task", "0").out)
        for other in (("--response", "[]"), ("--reject", "too late")):
            self.assertIn("one answer counts", self.barnum("answer", id_, "0", *other, code=2).err)

    def test_the_program_through_which_an_answer_came_is_recorded(self):
        id_ = self.ask()
        self.assertIn("--through must be", self.refused(id_, "0", "--response", "[]", "--through", "a\nb"))
        self.barnum("answer", id_, "0", "--response", "[]", "--through", "chat")
        self.barnum("wait", id_)
        (task,) = json.loads(self.barnum("inspect", id_, "--json").out)["tasks"]
        self.assertEqual(task["attempts"][0]["answered_by"], f"{USER} through chat")

    def test_what_does_not_fit_is_refused_and_the_task_waits_on(self):
        self.ask()
        for answer, message in ((["--next", "Nothing", "--value", "1"], 'kind "Nothing" is not a next step of "Approve"'),
                                (["--next", "Plan", "--value", '{"goal": "x"}'], 'does not fit the schema of "Plan"'),
                                (["--next", "Plan", "--value", "{"], "--value: line 1, column 2: "),
                                (["--response", "{}"], "expected a JSON array of tasks"),
                                (["7", "--response", "[]"], "there is no task 7 in this run")):
            self.assertIn(message, self.refused("last", *answer))
        self.assertEqual(len(self.todo()), 1)

    def test_one_answer_counts_and_the_second_is_told_who_was_first(self):
        steps = [*flow(), step("Wait", human(), ["Do it"], value_schema=PLAN)]
        steps[0]["next"].append("Wait")
        self.barnum("run", "-d", self.write_config(steps), "--entrypoint-value", '{"plan": "dig"}')
        wait_until(self.todo, "the task to wait")
        self.barnum("answer", "last", "0", "--next", "Wait", "--value", '{"plan": "delve"}')
        wait_until(lambda: [task["step"] for task in self.todo()] == ["Wait"], "the next task to wait")
        self.assertIn(f"task 0 was answered by {USER} (", self.refused("last", "0", "--response", "[]"))

    def test_of_many_that_wait_the_first_are_named(self):
        steps = [step("Start", emit(*(("Approve", {"plan": str(n)}) for n in range(25))), ["Approve"]), *flow()]
        self.barnum("run", "-d", self.write_config(steps))
        wait_until(lambda: len(self.todo()) == 25, "the tasks to wait")
        numbers = ", ".join(map(str, range(1, 21)))
        self.assertIn(f"one of the numbers {numbers} and 5 others, which `barnum todo` lists\n", self.refused("last", "--response", "[]"))

    def test_of_several_that_wait_one_must_be_named(self):
        steps = [step("Start", "echo '[{\"kind\":\"Ask\",\"value\":1},{\"kind\":\"Ask\",\"value\":2}]'", ["Ask"]), step("Ask", human())]
        self.barnum("run", "-d", self.write_config(steps))
        wait_until(lambda: len(self.todo()) == 2, "two tasks to wait")
        self.assertIn("say which, with one of the numbers 1, 2", self.refused("last", "--response", "[]"))
        for task in ("1", "2"):
            self.barnum("answer", "last", task, "--response", "[]")
        self.barnum("wait", "last")

    def test_a_run_that_was_killed_gets_its_answer_when_it_is_resumed(self):
        id_ = self.ask()
        self.kill_run(id_)
        self.barnum("answer", id_, "--next", "Do it", "--value", '{"plan": "delve"}')
        result = self.barnum("todo")
        self.assertIn(f"Task 0 of {id_[:8]} was answered by {USER} at ", result.out)
        self.assertRegex(result.out, rf"counts when the run is resumed:\n  .*barnum resume {id_}\n$")
        (task,) = self.todo()
        self.assertEqual((task["task_id"], task["user"], task["rejected"]), (0, USER, False))
        self.assertIn(f"by {USER}", self.refused(id_, "0", "--response", "[]"))
        self.barnum("resume", id_)
        self.assert_seen(("Do it", {"plan": "delve"}))
        self.assertEqual(self.todo(), [])

    def test_a_run_whose_answers_cannot_be_listed_is_not_resumed_without_them(self):
        id_ = self.ask()
        self.kill_run(id_)
        self.barnum("answer", id_, "--next", "Do it", "--value", '{"plan": "delve"}')
        answers = self.runs / id_ / "answers"
        answers.rename(answers.with_name("away"))
        answers.symlink_to("nowhere")
        said = f"{answers}: the answers that are kept there cannot be read: "
        self.assertIn(said, self.barnum("todo").err)
        self.assertIn(said, self.barnum("resume", id_, code=74).err)
        answers.unlink()
        answers.with_name("away").rename(answers)
        self.barnum("resume", id_)
        self.assert_seen(("Do it", {"plan": "delve"}))

    def test_a_run_that_exits_when_it_waits_does_so_long_before_its_question_expires(self):
        config = self.write_config(flow(expires=100_000))
        value = json.dumps({"plan": "dig"})
        self.barnum("run", "--exit-when-waiting", "--config", config, "--entrypoint-value", value, code=75)
        (task,) = self.todo()
        self.assertEqual((task["task_id"], task["state"]), (0, "waiting"))
        self.barnum("answer", "last", "--next", "Do it", "--value", '{"plan": "delve"}')
        self.barnum("resume", "last")
        self.assert_seen(("Do it", {"plan": "delve"}))

    def test_a_run_whose_log_is_damaged_gets_no_answer(self):
        id_ = self.ask()
        self.kill_run(id_)
        log = self.runs / id_ / "state.ndjson"
        log.write_bytes(log.read_bytes().replace(b'"TaskSubmitted"', b'"TaskXubmitted"'))
        self.assertIn("line ", self.barnum("answer", id_, "0", "--response", "[]", code=74).err)

    def test_without_a_number_it_is_told_who_was_first(self):
        id_ = self.ask()
        self.kill_run(id_)
        self.barnum("answer", id_, "0", "--response", "[]")
        said = rf"no task of the run waits for a person: task 0 was answered by \S+ \({TIME}\), which counts when the run is resumed"
        self.assertRegex(self.refused(id_, "--response", "[]"), said)
        id_ = self.barnum("resume", id_, "-d").out.strip()
        self.barnum("wait", id_)
        said = rf"no task of the run waits for a person; task 0 was answered by \S+ \({TIME}\)"
        self.assertRegex(self.refused(id_, "--response", "[]"), said)

    def test_a_run_that_is_over_needs_no_answer(self):
        self.assert_run(self.run_workflow(QUICK))
        self.assertIn("no task of the run waits for a person", self.refused("last", "--response", "[]"))
        id_ = self.ask()
        self.kill_run(id_)
        resumed = self.barnum("resume", id_, "-d").out.strip()
        self.assertIn(f"was resumed by the run {resumed}", self.refused(id_, "--response", "[]"))

    def test_tab_offers_what_waits_and_what_may_follow(self):
        self.ask()

        def offered(*words):
            return self.barnum("__complete", "bash", "--", *words).out.splitlines()[1:]
        self.assertEqual([line.split("\t")[0] for line in offered("answer", "last", "")], ["0"])
        self.assertEqual([line.split("\t")[0] for line in offered("answer", "last", "0", "--next", "")], ["Do it", "Plan"])


class InATerminal(HumanCase, TerminalCase):
    def setUp(self):
        super().setUp()
        self.temporary = self.work / "tmp dir"
        self.temporary.mkdir()

    def begin(self, editor=":"):
        """A terminal with the dialog about a task; `editor` is a script whose $1 is the file."""
        self.ask()
        script = self.work / "editor.sh"
        script.write_text(f"#!/bin/sh\n{editor}\n")
        script.chmod(0o755)
        terminal = self.terminal(columns=120, rows=50, env={"VISUAL": "", "EDITOR": f"{script} ''", "TMPDIR": self.temporary})
        terminal.type("clear; barnum answer last; echo exit=$?")
        terminal.wait_for("^Choice:$")
        return terminal

    def say(self, terminal, *lines):
        """Types each line, and waits for what must be shown then. If a line is typed before its prompt is shown, what
        follows stands behind the prompt."""
        for line, prompt in lines:
            terminal.type(line)
            terminal.wait_for(prompt)

    def assert_nothing_is_left(self):
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_the_value_is_edited_and_followed(self):
        terminal = self.begin('file=$2; stat -c "%a %n" "$file" >mode; sed -i s/dig/delve/ "$file"')
        screen = terminal.text()
        for part in ("Run ", ", step Approve", "# Look ? at it", '"plan": "dig"', "  1  Do it", "  2  Plan"):
            self.assertIn(part, screen)
        self.say(terminal, ("1", "^Choice:$"), ("d", "Give this answer"), ("y", "exit=0"))
        self.barnum("wait", "last")
        self.assert_seen(("Do it", {"plan": "delve"}))
        self.assertRegex((self.work / "mode").read_text(), rf"^600 {re.escape(str(self.temporary))}/.*\.json\n$")
        self.assert_nothing_is_left()

    def test_mistakes_are_mended(self):
        terminal = self.begin("""echo . >>calls; case $(wc -l <calls) in
            1) cp "$2" first; echo '{' >"$2";; 2) echo '{"goal": 1}' >"$2";; *) echo '{"goal": "great"}' >"$2";; esac""")
        self.say(terminal, ("2", "the value: line 2, column 1: "), ("e", 'does not fit the schema of "Plan"'),
                 ("e", "The answer so far:"), ("d", "1 task follows"), ("y", "exit=0"))
        self.barnum("wait", "last")
        self.assertEqual(json.loads((self.work / "first").read_text()), {"goal": "small"})
        self.assert_seen(("Plan", {"goal": "great"}))

    def test_the_text_of_an_editor_that_failed_is_kept(self):
        terminal = self.begin("""[ -e failed ] && exit 0; touch failed; echo '{"plan": "half"}' >"$2"; exit 3""")
        self.say(terminal, ("1", "ended with exit code 3; the text is in "), ("e", "The answer so far:"), ("d", "Give"), ("y", "exit=0"))
        self.barnum("wait", "last")
        self.assert_seen(("Do it", {"plan": "half"}))

    def test_an_editor_that_is_not_there_is_told(self):
        terminal = self.begin()
        (self.work / "editor.sh").unlink()
        self.say(terminal, ("1", "was not found: set \\$VISUAL or \\$EDITOR"), ("g", "^What follows"), ("n", "Nothing follows\\."), ("y", "exit=0"))
        self.barnum("wait", "last")
        self.assert_nothing_is_left()

    def test_who_leaves_answers_nothing(self):
        terminal = self.begin("exec sleep 1000 >editing")  # one process: a shell goes on if Ctrl-C comes as a command of it ends
        terminal.type("1")
        wait_until((self.work / "editing").exists, "the editor")
        terminal.key("C-c")  # the editor's
        terminal.wait_for("edit it again")
        terminal.key("C-c")
        screen = "\n".join(terminal.wait_for("exit=130"))
        self.assertIn("barnum: nothing was answered", screen)
        self.assert_nothing_is_left()
        for leave, code in (("C-d", 2), ("q", 2)):
            terminal.type("clear; barnum answer last; echo exit=$?")
            terminal.wait_for("^Choice:$")
            terminal.key(leave)
            terminal.key("Enter") if leave == "q" else None
            self.assertIn("barnum: nothing was answered", "\n".join(terminal.wait_for(f"exit={code}")))
        self.assertEqual(len(self.todo()), 1)

    def test_who_is_late_is_told_who_was_first(self):
        terminal = self.begin()
        self.say(terminal, ("r", "^Reason:$"), ("too dear", "The task is rejected: too dear"))
        self.barnum("answer", "last", "--response", "[]")
        self.barnum("wait", "last")
        terminal.type("y")
        self.assertIn(f"barnum: task 0 was answered by {USER} (", "\n".join(terminal.wait_for("exit=2")))
