"""`barnum run -p`: the first task's value, member by member."""

from harness.runs import RunsCase
from harness.workflow import KEEP, step

SCHEMA = {"type": "object", "additionalProperties": False, "required": ["directory"],
          "properties": {"directory": {"type": "string"}, "count": {"type": "integer"}}}


class Parameters(RunsCase):
    def look(self, *args, schema=SCHEMA):
        return self.run_workflow([step("Look", KEEP, value_schema=schema)], *args)

    def test_members_become_the_value_and_are_remembered(self):
        self.assert_run(self.look("-p", "directory=a b", "--param", "count:=3"))
        value = {"directory": "a b", "count": 3}
        self.assert_seen(("Look", value))
        self.assertEqual(self.only("-a")["parameters"], value)

    def test_whatever_is_remembered_can_be_read(self):
        deep = "[" * 511 + "]" * 511
        for args in (["-p", f"x:={deep}"], [word for n in range(12) for word in ("-p", f"x{n}={'y' * 100_000}")]):
            self.assert_run(self.look(*args, schema={}))
            run = self.only("-a")
            self.assertEqual((run["state"], len(run["parameters"])), ("finished", len(args) // 2))
            self.barnum("rm", "last")
        result = self.look("-p", f"x:=[{deep}]", schema={})
        self.assert_run(result, 2)
        self.assertIn("-p: the object of all parameters is nested too deep: at most 512 levels", result.err)

    def test_a_run_without_them_remembers_none(self):
        self.assert_run(self.look("--entrypoint-value", '{"directory": "x"}'))
        self.assertNotIn("parameters", self.only("-a"))

    def test_a_resumed_run_remembers_them(self):
        run = self.start_waiting("-p", "number:=17")
        self.kill(run)
        (self.work / "go").touch()
        self.barnum("resume", "last")
        self.assertEqual([run["parameters"] for run in self.ps("-a")], [{"number": 17}] * 2)

    def test_the_schema_is_held_against_them(self):
        result = self.look("-p", "directroy=x")
        self.assert_run(result, 2)
        self.assertIn('\n  -p directroy; did you mean "directory"?\n', result.err)
        result = self.look("-p", "directory=x", "-p", "count=3")
        self.assert_run(result, 2)
        self.assertIn("write -p count:=… for another JSON value\n", result.err)
        self.assertEqual(self.seen(), [])

    def test_a_name_that_the_schema_permits_but_does_not_describe_is_doubted(self):
        result = self.look("-p", "directory=x", "-p", "cuont:=3", schema=SCHEMA | {"additionalProperties": True})
        self.assert_run(result)
        self.assertEqual(result.err.count('-p cuont: the schema of "Look" does not describe this member; did you mean "count"?'), 1)

    def test_a_stub_and_a_dry_run_begin_with_them(self):
        self.write_config([step("Look", KEEP, value_schema=SCHEMA)])
        for option in ("--dry-run", "--stub"):
            self.assertIn('{"directory":"here"}', self.barnum("run", "flow.json", option, "-p", "directory=here").out)

    def test_the_members_of_the_schema_are_completed(self):
        self.write_config([step("Look", KEEP, value_schema=SCHEMA)])
        for words in (("-p", "dir"), ("--param", "")):
            offered = self.barnum("__complete", "bash", "--", "run", "--config", "flow.json", *words).out
            self.assertEqual([line.split("\t")[0] for line in offered.splitlines()], ["parts", "directory=", "count:="])
