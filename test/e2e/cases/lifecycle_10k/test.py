"""The whole lifecycle over and over: every hook runs, and nothing is left of thousands of processes (10,000 in the thorough form)."""

from harness import scaled
from harness.environment import is_thorough
from harness.workflow import WorkflowCase, step

DEADLINE = 1800
TASKS = 2500 if is_thorough() else 500  # of four processes each

# What barnum has open and has not reaped, as a command of its sees it: descriptors and zombies.
COUNT = """echo "$(ls /proc/$PPID/fd | wc -l) $(ps --ppid $PPID -o stat= | grep -c Z)" > {name}; echo '[]'"""


def hook(script):
    return {"kind": "Command", "script": script}


class Lifecycle(WorkflowCase):
    def test_tasks_with_three_hooks_each_leave_nothing(self):
        count = scaled(TASKS)
        split = f"""seq {count} | awk 'BEGIN {{ printf "[" }} {{ printf "%s{{\\"kind\\":\\"Work\\",\\"value\\":%s}}",
                (NR > 1 ? "," : ""), $1 }} END {{ print "]" }}'"""
        steps = [step("Begin", COUNT.format(name="before").replace("echo '[]'", """echo '[{"kind":"Split","value":0}]'"""),
                      ["Split"]),
                 step("Split", split, ["Work"], **{"finally": hook("""echo '[{"kind":"End","value":0}]'""")}),
                 step("Work", "read -r task; printf '%s\\n' \"$task\" >> actions; echo '[]'", pre=hook("cat"),
                      post=hook("cat"), **{"finally": hook("echo x >> finallys; echo '[]'")}),
                 step("End", COUNT.format(name="after"))]
        result = self.run_workflow(steps, "--log-level", "warn", deadline=DEADLINE)
        self.assert_run(result)
        values = [int(line.split('"value":')[1].rstrip("}")) for line in
                  (self.work / "actions").read_text().splitlines()]
        self.assertEqual(sorted(values), list(range(1, count + 1)))
        self.assertEqual((self.work / "finallys").read_text().count("x"), count)
        (files, zombies), (files_before, _) = (map(int, (self.work / name).read_text().split())
                                               for name in ("after", "before"))
        self.assertLess(files, files_before + 20)  # a few of what has just ended; one a task would be thousands
        self.assertEqual(zombies, 0)

    def test_a_hundred_megabytes_go_into_a_command(self):
        size = scaled(100_000_000)
        (self.work / "value.json").write_text('"' + "x" * size + '"')
        steps = [step("Count", "cat | wc -c > seen_bytes; echo '[]'")]
        self.assert_run(self.run_workflow(steps, "--entrypoint-value", "value.json", deadline=DEADLINE))
        envelope = len('{"kind":"Count","value":""}')
        self.assertIn(int((self.work / "seen_bytes").read_text()) - size - envelope, range(3))
