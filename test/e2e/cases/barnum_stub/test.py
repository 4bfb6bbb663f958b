"""`barnum run --stub`: the graph is walked with made-up values, and nothing is run or made."""

import json
import re
import shutil

from harness.examples import EXAMPLES, names
from harness.snapshot import snapshot
from harness.workflow import WorkflowCase, command, pool, step

TOUCH = "touch ran; echo '[]'"


class StubCase(WorkflowCase):
    def stub(self, *args, code=0, cwd=None):
        logs = [self.home / "logs"]
        before = snapshot(self.home, without=logs)
        result = self.run_program("barnum", "run", "--stub", *args, cwd=cwd)
        self.assert_exit(result, code)
        after = snapshot(self.home, without=logs)
        after.pop(str(self.home)), before.pop(str(self.home))
        self.assertEqual(after, before)
        return result

    def walked(self, result):
        """[(step, value, [next steps])] in the order of the lines."""
        lines = re.findall(r"^task \d+ (.+?)  (.+)  → (.+)$", result.out, re.M)
        return [(name, json.loads(value), [] if after == "[]" else after.split(", ")) for name, value, after in lines]


class Walk(StubCase):
    def test_each_transition_is_taken_once_and_nothing_is_run(self):
        schema = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string"}}}
        path = self.write_config([
            step("Split", pool(), ["Work", "Split"], pre=command(TOUCH), **{"finally": command(TOUCH)}),
            step("Work", TOUCH, ["Split", "End"], value_schema=schema, post=command(TOUCH)),
            step("End", TOUCH)], options={"max_concurrency": 1})
        result = self.stub("--config", path)
        file = {"file": "text"}
        self.assertEqual(self.walked(result), [
            ("Split", {}, ["Work", "Split"]), ("Work", file, ["Split", "End"]), ("Split", {}, []), ("Split", {}, []),
            ("End", {}, []), ("Split (finally)", {}, []), ("Split (finally)", {}, []), ("Split (finally)", {}, [])])
        self.assertIn("8 tasks with made-up values; nothing was run\n"
                      "steps visited: 3 of 3; transitions taken: 4 of 4\n", result.out)
        self.assertEqual(result.err, "")

    def test_a_step_that_nothing_leads_to_is_a_warning(self):
        path = self.write_config([step("A", TOUCH, ["B"]), step("B", TOUCH), step("Lost", TOUCH, ["B"])])
        out = self.stub("--config", path).out
        self.assertIn("steps visited: 2 of 3; transitions taken: 1 of 2\nwarning: never reached: Lost\n", out)

    def test_the_first_tasks_may_be_given(self):
        path = self.write_config([step("A", TOUCH, ["B"]), step("B", TOUCH)])
        self.assertEqual(self.walked(self.stub("--config", path, "--entrypoint-value", "[1]"))[0], ("A", [1], ["B"]))
        tasks = self.stub("--config", path, "--initial-state", '[{"kind": "B", "value": 1}]')
        self.assertEqual(self.walked(tasks), [("B", 1, [])])

    def test_a_value_that_is_not_found_is_told_with_its_place(self):
        schema = {"type": "object", "required": ["n"],
                  "properties": {"n": {"type": "string", "pattern": "^(?=x)", "maxLength": 0}}}
        path = self.write_config([step("A", TOUCH, ["B", "C"]), step("B", TOUCH, value_schema=schema),
                                  step("C", TOUCH)])
        result = self.stub("--config", path, code=1)
        self.assertEqual(self.walked(result), [("A", {}, ["C"]), ("C", {}, [])])
        self.assertIn("A → B: the value_schema of B: no value was found that satisfies the schema at /properties/n",
                      result.err)
        path = self.write_config([step("B", TOUCH, value_schema=schema)])
        self.assertIn("--entrypoint-value", self.stub("--config", path, code=1).err)

    def test_mistakes_are_those_of_a_run(self):
        self.assertIn("error", self.stub("--config", '{"steps": [{"name": 1}]}', code=2).err)
        path = self.write_config([step("A", TOUCH, value_schema={"type": "object"})])
        self.assertIn("expected object", self.stub("--config", path, "--entrypoint-value", "1", code=2).err)

    def test_options_that_ask_for_work_are_refused(self):
        path = self.write_config([step("A", TOUCH)])
        for args in (["--state-log", "x"], ["--agents", "1", "--agent-exec", "x"], ["--agent", "claude"], ["--wake", "x"],
                     ["--progress", "json"], ["--progress", "tty"], ["--progress", "plain"]):
            self.assertIn(f"--stub cannot be combined with {args[0]}", self.stub("--config", path, *args, code=2).err)
        self.assertIn("--stub cannot be combined with --resume-from", self.stub("--resume-from", "x", code=2).err)


class Examples(StubCase):
    def test_every_example_is_walked_without_a_trace(self):
        for example in sorted(names()):
            with self.subTest(example):
                folder = self.home / example
                shutil.copytree(EXAMPLES / example, folder)
                out = self.stub("--config", "workflow.jsonc", cwd=folder).out
                found = re.search(r"transitions taken: (\d+) of (\d+)$", out, re.M)
                self.assertTrue(found and found[1] == found[2] or "never reached" in out, out)
