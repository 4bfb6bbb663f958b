"""One task with 10,000 children: of Commands, and of Pool tasks that three agents share."""

import json
import sys

from harness import Pool, scaled, wait_until
from harness.environment import is_sanitized
from harness.workflow import WorkflowCase, pool, step

DEADLINE = 260


def split(count, name):
    return f"""seq {count} | awk 'BEGIN {{ printf "[" }} {{ printf "%s{{\\"kind\\":\\"{name}\\",\\"value\\":%d}}", (NR > 1 ? "," : ""), $1 }} END {{ print "]" }}'"""


class Fanout(WorkflowCase):
    limit = 270

    def test_ten_thousand_commands(self):
        count = scaled(10_000)
        result = self.run_workflow([step("Split", split(count, "Work"), ["Work"]),
                                    step("Work", "read -r line; echo \"$line\" >> seen; echo '[]'")],
                                   "--log-level", "warn", deadline=DEADLINE)
        self.assert_run(result)
        self.assertEqual(sorted(value for _, value in self.seen()), list(range(1, count + 1)))

    def test_ten_thousand_pool_tasks_with_three_agents(self):
        count = scaled(10_000)
        pool_ = Pool(self)
        run = self.start_run([step("Split", split(count, "Ask"), ["Ask"]), step("Ask", pool("Answer."), ["Keep"]),
                              step("Keep", "cat >> kept; echo >> kept; echo '[]'")], "--log-level", "warn")
        wait_until((pool_.path / "status").exists, "the run's pool")
        agents = self.start(sys.executable, self.fixtures / "quick_agents.py", pool_.path)
        self.assert_run(run.result(DEADLINE))
        self.assert_exit(agents.result(), 0)
        kept = [json.loads(line)["value"] for line in (self.work / "kept").read_text().splitlines() if line]
        self.assertEqual(sorted(kept), list(range(1, count + 1)))
        self.assertEqual((pool_.agent_files(), pool_.submission_files()), ([], []))

    def test_a_thousand_pool_tasks_with_command_line_agents(self):
        count = 200 if is_sanitized() else 1000
        result = self.run_workflow([step("Split", split(count, "Ask"), ["Ask"]), step("Ask", pool("Answer."))],
                                   "--log-level", "warn", "--agents", "3", "--agent-exec", "echo '[]'", deadline=DEADLINE)
        self.assert_run(result)
