"""The workflows of config-examples: each run by the command that its opening comment gives, from a copy of its folder.
A test's name begins with that of its example."""

import json
import re
import shutil
from shutil import which

from harness import Case, require, wait_until
from harness.environment import SOURCE_DIR
from harness.examples import EXAMPLES, documented_command, names

TESTED_ELSEWHERE = {"quickstart": "quickstart", "claude-review": "agent_program_examples",
                    "two-models": "agent_program_examples"}


class Examples(Case):
    def setUp(self):
        super().setUp()
        require(which("jq"), "jq is not installed, and the examples need it")
        self.out = self.home / "out"
        self.out.mkdir()

    def run_example(self, example, code=0, files=(), change=lambda command: command):
        """Runs the command with the test's folder for /tmp. `files` are {path: text} to put into the copy of the
        example, `change` edits the command. Returns the log."""
        folder = self.home / example
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(EXAMPLES / example, folder)
        for name, text in dict(files).items():
            (folder / name).write_text(text)
        command = change(documented_command(example)).replace("/tmp/", f"{self.out}/")
        result = self.run_program("/bin/sh", "-c", command, cwd=folder)
        self.assert_exit(result, code)
        self.assertEqual(result.out, "")
        return result.err

    def order(self, log):
        """The steps in the order in which their tasks ended well."""
        return re.findall(r"task \d+ ([^:]+): done", log)

    def read(self, name):
        return (self.out / name).read_text()

    def read_json(self, name):
        return json.loads(self.read(name))


class Census(Case):
    def test_every_example_has_a_test(self):
        tests = [name.removeprefix("test_") for name in dir(Runs) if name.startswith("test_")]
        for example in names():
            if example in TESTED_ELSEWHERE:
                test = (SOURCE_DIR / "test/e2e/cases" / TESTED_ELSEWHERE[example] / "test.py").read_text()
                self.assertIn(example, test)
            else:
                self.assertTrue(any(t.startswith(example.replace("-", "_") + "_") for t in tests),
                                f"config-examples/{example} has no test")

    def test_the_table_lists_every_example_with_the_command_of_its_comment(self):
        rows = re.findall(r"^\| \[(.+)\]\((.+)\) \| .+ \| `(.+)` \|$", (EXAMPLES / "README.md").read_text(), re.M)
        self.assertCountEqual([row[0] for row in rows], names())
        for name, link, command in rows:
            self.assertEqual(link, name)
            self.assertEqual(command, re.sub(r"\s*\\?\n", " ", documented_command(name)), name)

    def test_every_step_has_a_schema(self):
        for example in names() - TESTED_ELSEWHERE.keys():
            config = (EXAMPLES / example / "workflow.jsonc").read_text()
            self.assertEqual(config.count('"value_schema"'), config.count('"action"'), example)

    def test_the_scripts_are_executable(self):
        for example in names() - TESTED_ELSEWHERE.keys():
            for script in (EXAMPLES / example).glob("*.sh"):
                self.assertTrue(script.stat().st_mode & 0o100, script)


class Runs(Examples):
    def test_linear_pipeline_summarizes_an_article(self):
        log = self.run_example("linear-pipeline")
        self.assertEqual(self.order(log), ["Read", "Summarize", "Publish"])
        title, summary = self.read("summary.md").split("\n\n")
        self.assertEqual(title, "# Summary")
        article = " ".join((EXAMPLES / "linear-pipeline/article.txt").read_text().split())
        sentences = [s + "." for s in article.removesuffix(".").split(". ")]
        chosen = summary.strip().splitlines()
        self.assertEqual(len(chosen), 2)
        self.assertEqual([s for s in sentences if s in chosen], chosen)

    def test_branching_sends_each_message_its_way(self):
        self.run_example("branching")
        bugs = self.read("inbox/bugs.txt").splitlines()
        self.assertEqual(sorted(line[:4] + line[-6:] for line in bugs), ["[S1](Cleo)", "[S2] (Ada)"])
        self.assertEqual(self.read("inbox/questions.txt"), "Ben asks: Can I have two windows open at once?\n")
        self.assertIn("cruise", self.read("inbox/discarded.txt"))
        self.assertEqual(len(list((self.out / "inbox").iterdir())), 3)

    def test_sequential_does_one_after_the_other_in_order(self):
        log = self.run_example("sequential")
        self.assertEqual(self.order(log), ["Start"] + ["Migrate"] * 3 + ["Finish"])
        # The second needs what the first made; each counts on the document that the one before it left.
        self.assertEqual(self.read_json("settings.json"),
                         {"user": {"name": "ada", "theme": "dark"}, "timeout_seconds": 300})
        ends_and_starts = re.findall(r"Migrate: (started|done)", log)
        self.assertEqual(ends_and_starts, ["started", "done"] * 3)

    def test_sequential_stops_where_an_item_fails(self):
        log = self.run_example("sequential", code=1, files={"migrations/002-broken.jq": 'error("no")'})
        self.assertEqual(self.order(log), ["Start", "Migrate"])
        self.assertEqual(list(self.out.iterdir()), [])

    def test_shared_files_loses_no_entry(self):
        self.run_example("shared-files")
        terms = json.loads((EXAMPLES / "shared-files/terms.json").read_text())
        for letter in "as":
            self.assertEqual(self.read(f"glossary/{letter}.txt").splitlines(),
                             sorted(f"{t['term']}: {t['meaning']}" for t in terms if t["term"][0] == letter))

    def test_fan_out_finally_counts_each_text_and_then_sums_up(self):
        log = self.run_example("fan-out-finally")
        order = self.order(log)
        self.assertCountEqual(order[1:-2], ["Count", "Keep"] * 3)
        self.assertEqual([order[0], *order[-2:]], ["Scan", "Scan (finally)", "Total"])
        self.assertEqual(self.read_json("words/total.json"),
                         {"files": 3, "words": 32, "longest": "weathercock", "failed": []})

    def test_fan_out_finally_sums_up_although_one_failed(self):
        log = self.run_example("fan-out-finally", code=1, files={"texts/empty.txt": "1, 2, 3"})
        self.assertEqual(self.order(log)[-2:], ["Scan (finally)", "Total"])
        self.assertEqual(self.read_json("words/total.json"),
                         {"files": 4, "words": 32, "longest": "weathercock", "failed": ["empty.txt"]})

    def test_map_reduce_reports_of_all_summaries(self):
        self.run_example("map-reduce")
        self.assertEqual(self.read("report.txt"), "3 texts: ferry.txt is about quarter, lighthouse.txt is about "
                                                  "lighthouse, weather.txt is about weathercock\n")

    def test_map_reduce_names_what_is_missing(self):
        self.run_example("map-reduce", code=1, files={"texts/empty.txt": "1, 2, 3"})
        self.assertIn("not summarized: empty.txt", self.read("report.txt"))

    def test_test_suite_runs_each_test_by_an_agent_and_tells_the_results(self):
        self.run_example("test-suite")
        self.assertEqual(self.read("results.txt"), "passed addition.sh\npassed sorting.sh\npassed words.sh\n3 of 3 passed\n")

    def test_test_suite_names_the_tests_that_fail(self):
        self.run_example("test-suite", files={"tests/words.sh": "false"})
        self.assertEqual(self.read("results.txt").splitlines()[2:], ["FAILED words.sh", "2 of 3 passed"])

    def test_hooks_add_the_text_filter_the_tickets_and_keep_a_journal(self):
        log = self.run_example("hooks")
        self.assertCountEqual(re.findall(r"sample\.py:(\d+): ", log), ["2", "9"])  # line 7 is of low priority
        self.assertEqual(self.journal(), [{"step": "Inspect", "attempt": 1, "file": "sample.py", "kind": "Success",
                                           "found": 3}])

    def test_hooks_note_a_failed_pre_hook_too_and_the_agent_gets_nothing(self):
        agent = {"agent.sh": f"#!/bin/sh\ntouch '{self.out}/asked'\necho '[]'\n"}
        self.run_example("hooks", code=1, files=agent, change=lambda command: command.replace("sample.py", "none.py"))
        [entry] = self.journal()
        self.assertEqual((entry["kind"], entry["file"]), ("PreHookError", "none.py"))
        self.assertIn("none.py", entry["error"])
        self.assertFalse((self.out / "asked").exists())

    def journal(self):
        return [json.loads(line) for line in self.read("journal.ndjson").splitlines()]

    def test_error_recovery_mends_twice_and_stores(self):
        log = self.run_example("error-recovery")
        self.assertEqual(self.order(log), ["Read", "Parse", "Repair", "Parse", "Repair", "Parse", "Store"])
        self.assertEqual(self.read_json("mended.json"), {"name": "marsh", "depths": [1.5, 2, 2.25]})

    def test_error_recovery_leaves_alone_what_is_well(self):
        log = self.run_example("error-recovery", files={"broken.json": '{"a": ["// x", ",]"]}'})
        self.assertEqual(self.order(log), ["Read", "Parse", "Store"])
        self.assertEqual(self.read_json("mended.json"), {"a": ["// x", ",]"]})

    def test_error_recovery_gives_up_after_two_repairs(self):
        log = self.run_example("error-recovery", code=1, files={"broken.json": "{ nothing helps"})
        self.assertEqual(self.order(log), ["Read"] + ["Parse", "Repair"] * 2)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_gate_passes_at_the_third_attempt(self):
        log = self.run_example("gate")
        self.assertEqual(self.order(log), ["Write", "Keep"])
        self.assertEqual(re.findall(r"the title (.*) must become", log), ['"News"', '"A Walk in the Marsh"'])
        self.assertEqual(self.read("slug.jq"), '. | ascii_downcase | gsub("[^a-z0-9]+"; "-")\n')

    def test_gate_passes_at_once_what_is_well(self):
        log = self.run_example("gate", files={"cases.ndjson": '{"title": "A", "slug": "A"}\n'})
        self.assertNotIn("failed", log)
        self.assertEqual(self.read("slug.jq"), ".\n")

    def test_gate_gives_up_after_five_attempts(self):
        log = self.run_example("gate", code=1, files={"cases.ndjson": '{"title": "a", "slug": "b"}\n'})
        self.assertEqual(log.count("Write: failed"), 5)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_gate_does_not_pass_nothing(self):
        log = self.run_example("gate", code=1, files={"agent.sh": "#!/bin/sh\necho '[]'\n"})
        self.assertIn("one Keep was wanted", log)

    def answer_approval(self, *answer, code=0):
        """Starts the example, answers its question when it is asked, and returns the log."""
        shutil.copytree(EXAMPLES / "approval", self.home / "approval")
        run = self.start("/bin/sh", "-c", documented_command("approval").replace("/tmp/", f"{self.out}/"), cwd=self.home / "approval")
        wait_until(lambda: self.run_program("barnum", "todo", "--json").out != "[]\n", "the person to be asked")
        self.assert_exit(self.run_program("barnum", "answer", "last", *answer), 0)
        result = run.result()
        self.assert_exit(result, code)
        return result.err

    def test_approval_publishes_what_the_person_has_left_in_the_plan(self):
        plan = {"from": "drafts", "to": f"{self.out}/published", "files": ["bridge.txt", "library.txt"]}
        log = self.answer_approval("--next", "Publish", "--value", json.dumps(plan))
        self.assertEqual(self.order(log), ["Plan", "Approve", "Publish"])
        self.assertEqual(sorted(path.name for path in (self.out / "published").iterdir()), ["bridge.txt", "library.txt"])

    def test_approval_that_is_refused_publishes_nothing(self):
        log = self.answer_approval("--reject", "too soon", code=1)
        self.assertIn("too soon", log)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_adversarial_review_revises_until_it_is_accepted(self):
        log = self.run_example("adversarial-review")
        self.assertEqual(self.order(log), ["Draft"] + ["Critique", "Revise"] * 4 + ["Critique", "Publish"])
        self.assertIn("\n    accepted after 4 revisions", log)
        self.assertEqual(self.read("message.txt"),
                         "Fix the parser so that it accepts a trailing comma\n\n… in arrays\n")

    def test_adversarial_review_ends_when_the_rounds_are_used_up(self):
        log = self.run_example("adversarial-review",
                               change=lambda command: command.replace('"max_rounds": 5', '"max_rounds": 2'))
        self.assertEqual(self.order(log), ["Draft"] + ["Critique", "Revise"] * 2 + ["Critique", "Publish"])
        self.assertIn("\n    not accepted after 2 revisions", log)
        self.assertTrue(self.read("message.txt").startswith("Fix the parser"))

    def test_adversarial_review_ends_whatever_the_agents_count(self):
        """Both say each time that nothing has been revised yet, and the critic is never content."""
        program = """.task.value as $value | { round: 0, max_rounds: 20, to: "elsewhere" } as $lie |
            if .task.kind == "Critique" then { kind: "Revise", value: ($value + $lie + { faults: ["No."] }) }
            else { kind: "Critique", value: ($lie + { message: "Better" }) } end | [.]"""
        log = self.run_example("adversarial-review", files={"agent.jq": program},
                               change=lambda command: command.replace('"max_rounds": 5', '"max_rounds": 3'))
        self.assertEqual(self.order(log).count("Revise"), 3)
        self.assertEqual(self.read("message.txt"), "Better\n")

    def test_adversarial_review_has_a_critic_try_again_who_says_nothing(self):
        program = """if .task.kind == "Critique" then []
            else [{ kind: "Critique", value: (.task.value | { message: .change, round: 0, max_rounds, to }) }] end"""
        log = self.run_example("adversarial-review", code=1, files={"agent.jq": program})
        self.assertEqual(log.count("Critique: failed"), 3)
        self.assertIn("one task was wanted, and not 0", log)

    def test_code_review_reports_what_was_verified(self):
        log = self.run_example("code-review")
        order = self.order(log)
        self.assertEqual((order.count("Review"), order.count("Verify"), order.count("Keep")), (6, 5, 4))
        self.assertEqual(order[-2:], ["Split (finally)", "Report"])
        places = re.findall(r"^(\S+:\d+): .+\n    (.+)$", self.read("review/review.txt"), re.M)
        self.assertEqual(places, [("deploy.sh:2", "set -x"), ("deploy.sh:5", 'rm -rf "$target/old"'),
                                  ("deploy.sh:6", 'eval "$(cat settings)"'),
                                  ("greet.sh:5", 'echo "DEBUG name is $name" >&2')])

    def test_code_review_of_a_harmless_change_reports_nothing(self):
        patch = "--- a/a.sh\n+++ b/a.sh\n@@ -1 +1 @@\n-eval old\n+echo new\n"
        self.run_example("code-review", files={"sample.patch": patch})
        self.assertEqual(self.read("review/review.txt"), "")
