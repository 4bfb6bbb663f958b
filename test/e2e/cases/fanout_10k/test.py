"""One task with a thousand children: of Commands, and of Pool tasks that three agents share. 10,000 in the thorough form."""

import sys

from harness import Pool, scaled, wait_until
from harness.environment import is_sanitized, is_thorough
from harness.workflow import WorkflowCase, pool, step

DEADLINE = 1800
COUNT = 10_000 if is_thorough() else 1000

# As KEEP, without a process besides the shell.
KEEP = """read -r task; printf '%s\\n' "$task" >> seen; echo '[]'"""


def split(count, name):
    """A step that asks for so many tasks of that name, with the values 1, 2, …"""
    script = f"""seq -s , {count} | sed -E 's/[0-9]+/{{"kind":"{name}","value":&}}/g; s/^/[/; s/$/]/'"""
    return step("Split", script, [name])


class Fanout(WorkflowCase):
    def test_thousands_of_commands(self):
        count = scaled(COUNT)
        result = self.run_workflow([split(count, "Work"), step("Work", KEEP)], "--log-level", "warn", deadline=DEADLINE)
        self.assert_run(result)
        self.assertEqual(sorted(value for _, value in self.seen()), list(range(1, count + 1)))

    def test_thousands_of_pool_tasks_with_three_agents(self):
        count = scaled(COUNT)
        pool_ = Pool(self)
        run = self.start_run([split(count, "Ask"), step("Ask", pool("Answer."), ["Keep"]), step("Keep", KEEP)],
                             "--log-level", "warn")
        wait_until((pool_.path / "status").exists, "the run's pool")
        agents = self.start(sys.executable, self.fixtures / "quick_agents.py", pool_.path)
        self.assert_run(run.result(DEADLINE))
        wait_until(lambda: len(pool_.waiting_agents()) == 3, "the agents to wait for the next run")
        pool_.start("--no-heartbeat")
        self.assert_exit(pool_.stop(), 0)
        self.assert_exit(agents.result(), 0)
        self.assertEqual(sorted(value for _, value in self.seen()), list(range(1, count + 1)))
        self.assertEqual((pool_.agent_files(), pool_.submission_files()), ([], []))

    def test_hundreds_of_pool_tasks_with_command_line_agents(self):
        count = 200 if is_sanitized() else COUNT // 10
        agents = ["--agents", "3", "--agent-exec", "echo '[]'"]
        result = self.run_workflow([split(count, "Ask"), step("Ask", pool("Answer."))], "--log-level", "warn", *agents,
                                   deadline=DEADLINE)
        self.assert_run(result)
