"""Config files: what is accepted, and that all mistakes are told in one pass, each with its place."""

import json
import os
import re
import resource

from harness.workflow import KEEP, WorkflowCase, step

FIVE_MISTAKES = """\
{
  // Five mistakes, in this order.
  "entrypoint": "Strat",
  "options": { "max_retries": -1 },
  "steps": [
    {
      "name": "Start",
      "action": { "kind": "Command", "script": "true" },
      "nxt": [],
      "next": ["Finish", "Finnish"]
    },
    {
      "name": "Finish",
      "next": []
    }
  ]
}
"""


MOST_CPU = 30  # seconds; what looks at each mistake for each mistake takes minutes


def cpu_seconds():
    """Of all programs that have ended so far: whatever else the machine does meanwhile, it is not in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Config(WorkflowCase):
    def run_text(self, text, *args, name="flow.jsonc"):
        (self.work / name).write_text(text)
        return self.run_program("barnum", "run", "--config", name, *args)

    def problems(self, result):
        """[(line, column, message)] of a refused config."""
        self.assert_run(result, 2)
        found = re.findall(r"^.*?(?:flow\.jsonc?|<inline>):(\d+):(\d+): error: (.*)$", result.err, re.MULTILINE)
        return [(int(line), int(column), message) for line, column, message in found]

    def problems_of(self, config):
        return self.problems(self.run_text(json.dumps(config, indent=2)))

    def assert_one_problem(self, config, *words):
        problems = self.problems_of(config)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0][2])

    def test_five_mistakes_are_all_reported_each_with_its_line_and_column(self):
        problems = self.problems(self.run_text(FIVE_MISTAKES))
        lines = FIVE_MISTAKES.splitlines()
        self.assertEqual([p[0] for p in problems], [3, 4, 9, 10, 12], problems)
        for (line, column, message), token in zip(problems, ('"Strat"', '-1', '"nxt"', '"Finnish"', '{')):
            found = lines[line - 1]
            starts = {found.find(token) + 1, found.find('"entrypoint"') + 1, found.find('"max_retries"') + 1}
            self.assertIn(column, starts - {0}, message)
        messages = [p[2] for p in problems]
        for message, word in zip(messages, ("Strat", "max_retries", "nxt", "Finnish", "action")):
            self.assertIn(word, message)

    def test_of_very_many_mistakes_the_first_hundred_are_told_and_all_counted(self):
        count = 100_000
        (self.work / "many.jsonc").write_text('{"steps":[%s]}' % ",".join('{"nam":%d}' % i for i in range(count)))
        before = cpu_seconds()
        result = self.run_program("barnum", "config", "validate", "many.jsonc")
        self.assertLess(cpu_seconds() - before, MOST_CPU)
        self.assert_exit(result, 2)
        told = re.findall(r"^many\.jsonc:1:(\d+): error: ", result.err, re.MULTILINE)
        self.assertEqual(len(told), 100)
        self.assertEqual([int(column) for column in told], sorted(map(int, told)))
        self.assertTrue(result.err.endswith(f"… and {3 * count - 100} more errors\n"
                                            f"barnum: the config has {3 * count} errors\n"), result.err[-500:])

    def test_very_many_wrong_first_tasks_are_told_like_a_configs_mistakes(self):
        (self.work / "tasks.json").write_text("[%s]" % ",".join('{"kind":"Nope","value":%d}' % i for i in range(50_000)))
        before = cpu_seconds()
        result = self.run_text(json.dumps({"steps": [step("A", "true")]}), "--initial-state", "tasks.json")
        self.assertLess(cpu_seconds() - before, MOST_CPU)
        self.assert_exit(result, 2)
        self.assertIn("--initial-state has 50000 errors; nothing was started:\ntasks.json:1:10: error: ", result.err)
        self.assertEqual(result.err.count("is not a step of the config"), 100)
        self.assertTrue(result.err.endswith("\n… and 49900 more errors\n"), result.err[-500:])

    def test_an_unknown_field_comes_with_the_nearest_known_one(self):
        self.assert_one_problem({"entrypoint": "A", "steps": [step("A", "true", value_shema={})]}, "value_shema",
                                "value_schema")
        self.assert_one_problem({"entrypoint": "A", "steps": [step("A", "true")], "options": {"max_retry": 1}},
                                "max_retry", "max_retries")
        self.assert_one_problem({"entrypont": "A", "entrypoint": "A", "steps": [step("A", "true")]}, "entrypont",
                                "entrypoint")

    def test_wrong_kinds_and_values_are_mistakes(self):
        good = step("A", "true")
        for config, *words in (
                ({"steps": []}, "steps"), ({}, "steps"), ([], "object"),
                ({"steps": [good, good]}, "A"), ({"steps": [good | {"name": ""}]}, "name"),
                ({"steps": [good | {"name": 7}]}, "name"), ({"steps": [{"name": "A", "next": []}]}, "action"),
                ({"steps": [good | {"action": {"kind": "Shell"}}]}, "Shell"),
                ({"steps": [good | {"action": {"kind": "Command"}}]}, "script"),
                ({"steps": [good | {"action": {"kind": "Pool", "instructions": 7}}]}, "instructions"),
                ({"steps": [good | {"next": "B"}]}, "next"), ({"steps": [good | {"next": ["B"]}]}, "B"),
                ({"steps": [good | {"options": {"timeout": -1}}]}, "timeout"),
                ({"steps": [good], "options": {"max_concurrency": 0}}, "max_concurrency"),
                ({"steps": [good], "options": {"retry_on_timeout": "yes"}}, "retry_on_timeout"),
                ({"steps": [good | {"options": {"max_concurrency": 0}}]}, "max_concurrency"),
                ({"steps": [good | {"options": {"priority": "high"}}]}, "priority"),
                ({"steps": [good | {"options": {"serial_key": "file"}}]}, "serial_key", "/file"),
                ({"steps": [good], "options": {"serial_key": "/file"}}, "serial_key", "option of a step"),
                ({"steps": [good], "env": {"A=B": "x"}}, "variable"),
                ({"steps": [good | {"env": {"BARNUM_STEP": "x"}}]}, "BARNUM_STEP"),
                ({"steps": [good | {"env": {"A": 7}}]}, "variable"),
                ({"steps": [good | {"pre": "jq ."}]}, "pre")):
            with self.subTest(config=config):
                self.assert_one_problem(config, *words)

    def test_limits_that_nobody_can_mean_are_mistakes_that_tell_the_range(self):
        seconds = "must be a number of seconds from 0.001 to 1000000000, not "
        flow = lambda **more: {"entrypoint": "A", "steps": [step("A", "echo []")], **more}
        of_a_step = lambda **more: {"entrypoint": "A", "steps": [step("A", "echo []", **more)]}
        for config, *words in (
                (flow(options={"timeout": 1e-300}), f'"timeout" {seconds}1e-300'),
                (of_a_step(options={"timeout": 0.0009}), f'"timeout" {seconds}0.0009'),
                (flow(options={"max_run_seconds": 1e-9}), f'"max_run_seconds" {seconds}1e-09'),
                (of_a_step(options={"max_retries": 1, "retry_backoff": {"initial": 1e-300}}), f'"initial" {seconds}1e-300'),
                (flow(options={"budget": {"usd": 1e-300}}),
                 '"usd" must be a number from 0.000001 to 1000000000, not 1e-300'),
                (flow(options={"budget": {"tokens": 9, "warn_at": 1e-9}}),
                 '"warn_at" must be a number from 0.001 to 1, not 1e-09'),
                (flow(agents=[{"kind": "claude", "max_usd": 1e-300}]),
                 '"max_usd" must be a number from 0.000001 to 1000000, not 1e-300'),
                (flow(options={"max_response_bytes": 99999999999999}),
                 '"max_response_bytes" must be a whole number from 1 to 1000000000, not 99999999999999')):
            with self.subTest(words[0]):
                self.assert_one_problem(config, *words)

    def test_a_step_has_a_name_of_up_to_200_characters(self):
        config = lambda name: {"steps": [step(name, "echo []")]}
        self.assert_run(self.run_text(json.dumps(config("ä" * 200) | {"entrypoint": "ä" * 200})), 0)
        for length in (201, 140_000):
            self.assert_one_problem(config("a" * length), "a step's name has 1 to 200 characters")

    def test_a_human_step_has_variables_for_its_finally_only(self):
        config = lambda **more: {"entrypoint": "Ask", "steps": [
            {"name": "Ask", "action": {"kind": "Human"}, "env": {"X": "1"}, "next": [], **more}]}
        self.assert_one_problem(config(), 'a Human step without a "finally" has no "env"')
        (self.work / "flow.jsonc").write_text(json.dumps(config(
            **{"finally": {"kind": "Command", "script": "echo []"}})))
        self.assert_exit(self.run_program("barnum", "config", "validate", "flow.jsonc"), 0)

    def test_a_syntax_error_is_reported_with_its_place(self):
        problems = self.problems(self.run_text('{\n  "steps": [\n    {"name" "A"}\n  ]\n}'))
        self.assertEqual([p[0] for p in problems], [3], problems)

    def test_comments_and_trailing_commas_are_fine(self):
        result = self.run_text("""// JSONC
            { /* a comment */ "$schema": "./schema.json", "entrypoint": "A",
              "steps": [
                { "name": "A", // the only one
                  "action": { "kind": "Command", "script": "echo '[]' # // no comment" }, "next": [], },
              ], }""")
        self.assert_run(result)

    def test_the_config_may_be_given_inline(self):
        text = json.dumps({"entrypoint": "A", "steps": [step("A", "pwd > where; echo '[]'")]})
        for inline in (text, "// a comment first\n  " + text):
            self.assert_run(self.run_program("barnum", "run", "--config", inline))
            self.assertEqual((self.work / "where").read_text().strip(), str(self.work))
        self.assertEqual(len(self.problems(self.run_program("barnum", "run", "--config", '{"steps": 7}'))), 1)

    def test_schemas_may_be_linked_relative_to_the_config_file(self):
        folder = self.work / "flows"
        (folder / "schemas").mkdir(parents=True)
        (folder / "schemas/file.json").write_text('{"type": "object", "required": ["file"]}')
        config = {"entrypoint": "A", "steps": [step("A", "touch ran; echo '[]'",
                                                    value_schema={"link": "schemas/file.json"})]}
        (folder / "flow.json").write_text(json.dumps(config))
        run = ["barnum", "run", "--config", "flows/flow.json", "--entrypoint-value"]
        self.assert_run(self.run_program(*run, '{"file": "x"}'))
        self.assertTrue((folder / "ran").exists())
        self.assert_run(self.run_program(*run, "{}"), 2)

    def test_a_link_that_leads_nowhere_is_a_mistake_with_its_place(self):
        self.assert_one_problem({"entrypoint": "A", "steps": [step("A", "true", value_schema={"link": "no.json"})]},
                                "no.json")
        self.assert_one_problem({"entrypoint": "A", "steps": [
            step("A", {"kind": "Pool", "instructions": {"link": "no.md"}})]}, "no.md")

    def test_a_linked_schema_that_is_no_schema_is_a_mistake(self):
        (self.work / "schema.json").write_text("{ not json")
        result = self.run_text(json.dumps({"entrypoint": "A", "steps": [
            step("A", "true", value_schema={"link": "schema.json"})]}))
        self.assert_run(result, 2)
        self.assertIn("schema.json", result.err)

    def test_a_schema_that_could_not_be_checked_in_full_is_a_mistake(self):
        for schema, word in (({"type": "object", "unevaluatedProperties": False}, "unevaluatedProperties"),
                             ({"$schema": "https://example.com/my-own-draft"}, "$schema"),
                             ({"properties": {"a": {"minContains": 2}}}, "minContains"),
                             ({"tpye": "object"}, "tpye"), ({"type": "text"}, "text"),
                             ({"$ref": "#/nowhere"}, "nowhere")):
            with self.subTest(schema=schema):
                self.assert_one_problem({"entrypoint": "A", "steps": [step("A", "true", value_schema=schema)]}, word)

    def test_a_config_without_an_entrypoint_needs_an_initial_state(self):
        steps = [step("A", KEEP)]
        self.assert_run(self.run_workflow(steps, entrypoint=None), 2)
        self.assert_run(self.run_workflow(steps, "--entrypoint-value", "1", entrypoint=None), 2)
        self.assert_run(self.run_workflow(steps, "--initial-state", '[{"kind": "A", "value": 1}]', entrypoint=None))
        self.assert_seen(("A", 1))

    def test_a_config_may_come_through_a_pipe(self):
        config = {"entrypoint": "A", "steps": [step("A", "pwd > where; echo '[]'", value_schema={"link": "any.json"})]}
        (self.work / "any.json").write_text("{}")
        (self.work / "generate").write_text(f"cat <<'EOF'\n{json.dumps(config)}\nEOF\n")
        for script in ('exec barnum run --config <(sh generate)', 'sh generate | barnum run --config /dev/stdin',
                       'sh generate > flow.json; exec barnum run --config /dev/stdin < flow.json'):
            with self.subTest(script=script):
                self.assert_run(self.run_program("bash", "-c", script))
                self.assertEqual((self.work / "where").read_text().strip(), str(self.work))
                (self.work / "where").unlink()

    def test_a_mistake_in_a_config_from_a_pipe_has_its_place(self):
        result = self.run_program("bash", "-c", """exec barnum run --config <(echo '{"steps": 7}')""")
        self.assert_run(result, 2)
        self.assertRegex(result.err, r"(?m)^/dev/fd/\d+:1:11: error: \"steps\" must be an array")

    def test_a_config_without_end_is_refused(self):
        os.symlink("/dev/zero", self.work / "endless")
        for path in ("/dev/zero", "endless"):
            result = self.run_program("barnum", "run", "--config", path)
            self.assert_run(result, 2)
            self.assertIn(f"{path}: error: is larger than 64 MiB", result.err)

    def test_a_link_to_a_device_or_a_fifo_is_a_mistake(self):
        os.symlink("/dev/zero", self.work / "endless")
        os.mkfifo(self.work / "fifo")
        for path in ("/dev/zero", "endless", "fifo"):
            self.assert_one_problem({"entrypoint": "A", "steps": [step("A", "true", value_schema={"link": path})]},
                                    path, "not a regular file")
            self.assert_one_problem({"entrypoint": "A", "steps": [
                step("A", {"kind": "Pool", "instructions": {"link": path}})]}, path, "not a regular file")

    def test_a_backoff_without_retries_is_a_mistake(self):
        backoff = {"retry_backoff": {"initial": 1}}
        for config in ({"steps": [step("A", "true")], "options": backoff},
                       {"steps": [step("A", "true", options=backoff)]},
                       {"steps": [step("A", "true", options=backoff | {"max_retries": 0})],
                        "options": {"max_retries": 2}}):
            self.assert_one_problem(config, "retry_backoff", "max_retries")

    def test_an_unknown_field_like_no_other_comes_with_all_known_ones(self):
        self.assert_one_problem({"steps": [step("A", "true", author="me")]}, '"author"',
                                "a step has: name, value_schema")

    def test_a_directory_is_no_value(self):
        for option in ("--entrypoint-value", "--initial-state"):
            result = self.run_workflow([step("Only", KEEP)], option, "/tmp")
            self.assert_run(result, 2)
            self.assertIn("/tmp is not a regular file", result.err)

    def test_nothing_runs_when_the_config_has_a_mistake(self):
        result = self.run_text(json.dumps({"entrypoint": "A", "steps": [step("A", "touch ran; echo '[]'"),
                                                                        step("B", "true", ["Nowhere"])]}),
                               "--wake", "touch woken")
        self.assert_run(result, 2)
        self.assertFalse((self.work / "ran").exists() or (self.work / "woken").exists())
