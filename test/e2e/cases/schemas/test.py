"""Schemas as zod and pydantic print them: accepted as they are, and answers are judged by them."""

import copy
import json

from harness.environment import SOURCE_DIR
from harness.workflow import KEEP, WorkflowCase, emit, step

REVIEW = {
    "reviewer": "joe@example.com", "change": "https://example.com/change/1", "at": "2026-01-31T12:00:00Z",
    "worst": {"id": "98d80576-482e-427f-8434-7f86890ab222", "line": 7, "severity": "low"}, "findings": [],
    "verdict": {"kind": "reject", "reasons": ["long"]}, "labels": {}, "lines": [1, "a", True], "assignee": None,
    "draft": False,
}
SHAPE = {"shape": {"kind": "group", "members": [{"kind": "circle", "radius": 1}]}, "file": "a/b"}


def changed(value, path, new):
    value = copy.deepcopy(value)
    part = value
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = new
    return value


class Schemas(WorkflowCase):
    def steps(self, value):
        """Ask answers with a task for each of the schemas; only that for Review has the value."""
        data = SOURCE_DIR / "test" / "unit" / "json_schema" / "data"
        linked = {"link": str(data / "zod_review.json")}
        inline = json.loads((data / "pydantic_shapes.json").read_text())
        return [step("Ask", emit(("Review", value), ("Draw", SHAPE)), ["Review", "Draw"]),
                step("Review", KEEP, value_schema=linked), step("Draw", KEEP, value_schema=inline)]

    def test_a_config_with_such_schemas_is_valid_and_formats_that_nobody_checks_are_told(self):
        path = self.write_config(self.steps(REVIEW))
        result = self.run_program("barnum", "config", "validate", "--config", path)
        self.assert_exit(result, 0)
        self.assertIn("Config is valid.", result.out)
        unchecked = [line for line in result.err.splitlines() if "not checked" in line]
        self.assertEqual(len(unchecked), 4, result.err)
        for words in ('in the schema of "Draw", /properties/file/format is "path", which is not checked',
                      "/properties/token/format", "/properties/settings/contentMediaType is not checked",
                      "/properties/settings/contentSchema is not checked"):
            self.assertIn(words, result.err)

    def test_answers_that_fit_lead_to_tasks(self):
        self.assert_run(self.run_workflow(self.steps(REVIEW)))
        self.assert_seen(("Review", REVIEW), ("Draw", SHAPE))

    def test_answers_that_do_not_fit_are_refused_with_the_reason(self):
        for path, new, reason in (
                (("reviewer",), "joe", "at /reviewer: expected "),
                (("change",), "example.com", "at /change: expected a URI"),
                (("worst", "line"), 0, "at /worst/line: expected more than 0"),
                (("lines",), [1, 2], "at /lines/1: expected string"),
                (("lines", 2), "x", "at /lines/2: expected boolean"),
                (("verdict",), {"kind": "reject"}, "at /verdict")):
            with self.subTest(path=path):
                result = self.run_workflow(self.steps(changed(REVIEW, path, new)))
                self.assert_run(result, 1)
                self.assertIn(reason, result.err)
                self.assert_seen()

    def test_a_stub_run_makes_up_values_that_fit(self):
        path = self.write_config(self.steps(REVIEW))
        result = self.run_program("barnum", "run", "--stub", "--config", path)
        self.assertEqual(result.code, 0, result.err)
