"""`barnum config validate | docs | graph | schema`: what they print, where, and with which exit code."""

import json
import shutil

from harness import require
from harness.workflow import WorkflowCase, command, pool, step

STEPS = [step("Start", "./list.sh", ["Look", "End"]), step("Look", pool(), ["End"], options={"timeout": 60}),
         step("End", "./end.sh"), step("Report", "./report.sh")]
STEPS[0]["finally"] = command("jq -c '[{ kind: \"Report\", value: . }]'")
STEPS[0]["pre"] = command("cat")

DOT_LINES = (
    '"Start" [label="Start\\n[pre, finally]", shape=diamond, style=filled, fillcolor="#fff3e0"];',
    '"Look" [label="Look", shape=box, style=filled, fillcolor="#e3f2fd"];',
    '"End" [label="End", shape=diamond, style=filled, fillcolor="#fff3e0", peripheries=2];',
    '"Start" -> "Look";', '"Start" -> "End";', '"Look" -> "End";',
    '"Start" -> "Report" [style=dashed, label="finally"];')


class ConfigCommands(WorkflowCase):
    def config(self, *args, **more):
        return self.run_program("barnum", "config", *args, **more)

    def assert_says(self, result, out="", err="", code=0):
        self.assert_exit(result, code)
        self.assertEqual((result.out, result.err), (out, err))

    def test_validate_prints_each_step_and_what_follows(self):
        path = self.write_config(STEPS)
        out = "Config is valid.\n4 steps:\nStart -> Look, End\nLook -> End\nEnd -> (terminal)\nReport -> (terminal)\n"
        self.assert_says(self.config("validate", "--config", path), out)
        self.assert_says(self.config("validate", "--config", path.read_text()), out)

    def test_validate_tells_all_mistakes_like_a_compiler(self):
        (self.work / "flow.jsonc").write_text('{\n\t"entrypoint": "B",\n\t"steps": [{"name": "A", "nxt": [],\n'
                                              '\t\t"action": {"kind": "Comand"}}]\n}\n')
        self.assert_says(self.config("validate", "--config", "flow.jsonc"), code=2, err="""\
flow.jsonc:2:16: error: "entrypoint" names an unknown step "B"
    2 |     "entrypoint": "B",
      |                   ^~~
flow.jsonc:3:26: error: unknown field "nxt" in a step; did you mean "next"?
    3 |     "steps": [{"name": "A", "nxt": [],
      |                             ^~~~~
flow.jsonc:4:22: error: an action's "kind" is "Pool", "Command" or "Human", not "Comand"; did you mean "Command"?
    4 |         "action": {"kind": "Comand"}}]
      |                            ^~~~~~~~
barnum: the config has 3 errors
""")

    def test_a_mistake_in_inline_text_has_its_place(self):
        self.assert_says(self.config("validate", "--config", '{"a": }'), code=2, err="""\
<inline>:1:7: error: expected a value, found '}'
    1 | {"a": }
      |       ^
barnum: the config has 1 error
""")

    def test_validate_warns_and_the_exit_code_stays_0(self):
        path = self.write_config([step("A", "./a.sh", ["A"]), step("B", {"kind": "Pool"}, value_schema=False)])
        result = self.config("validate", "--config", path)
        self.assert_exit(result, 0)
        self.assertIn("Config is valid.", result.out)
        self.assertEqual(result.err.count(": warning: "), 6, result.err)
        for words in ("a cycle without an exit", "a cycle without a bound", "can't be reached from the entrypoint", "no value fits the schema",
                      'has no "instructions"', 'the Pool step "B" has no timeout: '):
            self.assertIn(words, result.err)

    def test_graph_prints_dot_which_is_the_default(self):
        path = self.write_config(STEPS)
        result = self.config("graph", "--config", path)
        self.assert_exit(result, 0)
        for line in DOT_LINES:
            self.assertIn(line, result.out)
        self.assert_says(self.config("graph", "--config", path, "--format", "dot"), result.out)

    def test_graph_prints_mermaid(self):
        result = self.config("graph", "--config", self.write_config(STEPS), "--format", "mermaid")
        self.assert_exit(result, 0)
        self.assertIn("s0 --> s1\n", result.out)
        self.assertIn("s0 -. finally .-> s3\n", result.out)

    def test_graphviz_takes_the_graph_and_makes_a_picture(self):
        require(shutil.which("dot"), "Graphviz' dot is not installed")
        odd = [step('a"b\\', "true", ["<&#é>", "c\\"]), step("<&#é>", "true"), step("c\\", "true")]
        for steps in (STEPS, odd):
            path = self.write_config(steps)
            dot = self.config("graph", "--config", path).out
            plain = self.run_program("dot", "-Tplain", stdin=dot.encode())
            self.assert_exit(plain, 0)
            self.assertEqual(plain.err, "")
            self.assertEqual(sum(line.startswith("node ") for line in plain.out.splitlines()), len(steps))
            svg = self.config("graph", "--config", path, "--format", "svg")
            self.assert_exit(svg, 0)
            self.assertIn("<svg", svg.out)

    def test_without_graphviz_svg_is_refused_with_the_name_of_the_package(self):
        tools = self.work / "bin"
        tools.mkdir()
        (tools / "sh").symlink_to(shutil.which("sh"))
        result = self.config("graph", "--config", self.write_config(STEPS), "--format", "svg", env={"PATH": tools})
        self.assert_exit(result, 1)
        self.assertEqual(result.out, "")
        self.assertIn("install the package graphviz", result.err)

    def test_docs_prints_a_document(self):
        result = self.config("docs", "--config", self.write_config(STEPS))
        self.assert_exit(result, 0)
        self.assertTrue(result.out.startswith("# Workflow flow.json\n"), result.out)
        for part in ("```mermaid\nflowchart TD\n", "### Look\n\n- Done by: an agent of the pool\n- Leads to: End\n",
                     "```markdown\nDo it.\n```"):
            self.assertIn(part, result.out)

    def test_docs_prints_nothing_that_a_terminal_would_obey(self):
        told = "One \x1b[2J\x9b31mred\u202eder\x07.\n\n\tTwo \u00e9.\n"
        steps = [step("Look", pool(told), ["End"]), step("End", "printf '\x1b]0;title'\n\techo '[]'")]
        result = self.config("docs", "--config", self.write_config(steps))
        self.assert_exit(result, 0)
        self.assertIn("```markdown\nOne ?[2J?31mred?der?.\n\n\tTwo \u00e9.\n```\n", result.out)
        self.assertIn("```sh\nprintf '?]0;title'\n\techo '[]'\n```\n", result.out)

    def test_schema_prints_a_json_schema(self):
        result = self.config("schema")
        self.assert_exit(result, 0)
        schema = json.loads(result.out)
        self.assertEqual(schema["$schema"], "http://json-schema.org/draft-07/schema#")
        self.assertEqual(schema["required"], ["steps"])
        self.assertIn("description", schema["definitions"]["step"]["properties"]["finally"])

    def test_wrong_use_is_told_with_exit_code_2(self):
        for args, words in (((), "Usage: barnum config COMMAND"), (("validat",), 'did you mean "validate"?'),
                            (("validate",), "FILE|JSON is missing"), (("schema", "--config", "x"), "--config"),
                            (("graph", "--config", "{}", "--format", "png"), 'must be "dot", "mermaid" or "svg"'),
                            (("docs", "--config", "{}"), "1 error"), (("graph", "--config", "{}"), "1 error"),
                            (("validate", "--config", "no.jsonc"), "no.jsonc: error: cannot be read")):
            with self.subTest(args=args):
                result = self.config(*args)
                self.assert_exit(result, 2)
                self.assertEqual(result.out, "")
                self.assertIn(words, result.err)

    def test_help_goes_down_to_each_command(self):
        for args in (("config", "--help"), ("help", "config")):
            result = self.run_program("barnum", *args)
            self.assert_exit(result, 0)
            for name in ("validate", "docs", "graph", "schema"):
                self.assertIn(f"\n  {name} ", result.out)
        for args in (("config", "graph", "--help"), ("help", "config", "graph")):
            result = self.run_program("barnum", *args)
            self.assert_exit(result, 0)
            self.assertIn("Usage: barnum config graph [OPTIONS]", result.out)

    def test_nothing_of_a_config_is_run(self):
        path = self.write_config([step("A", "touch ran", pre=command("touch ran"))])
        for name in ("validate", "docs", "graph"):
            self.assert_exit(self.config(name, "--config", path), 0)
        self.assertFalse((self.work / "ran").exists())


class Values(WorkflowCase):
    def test_mistakes_in_a_value_are_shown_in_its_text(self):
        steps = [step("A", "touch ran; echo '[]'", value_schema={"properties": {"n": {"type": "integer"}}})]
        result = self.run_workflow(steps, "--entrypoint-value", '{"n": 1,, }')
        self.assert_run(result, 2)
        self.assertIn("""<inline>:1:9: error: expected a name in double quotes, found ','
    1 | {"n": 1,, }
      |         ^""", result.err)
        (self.work / "value.json").write_text('{\n  "n": "1"\n}')
        result = self.run_workflow(steps, "--entrypoint-value", "value.json")
        self.assert_run(result, 2)
        self.assertIn("""value.json:2:8: error: the value does not fit the schema of "A": at /n: expected integer, \
found a string (schema: /properties/n/type)
    2 |   "n": "1"
      |        ^~~""", result.err)
        self.assertFalse((self.work / "ran").exists())

    def test_all_mistakes_of_an_initial_state_are_told(self):
        result = self.run_workflow([step("Start", "true")], "--initial-state", '[{"kind": "Strat", "value": 1}, 7]')
        self.assert_run(result, 2)
        self.assertIn('<inline>:1:11: error: kind "Strat" is not a step of the config; did you mean "Start"?\n',
                      result.err)
        self.assertIn("<inline>:1:33: error: expected an object", result.err)
