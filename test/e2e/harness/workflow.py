"""Running workflows: configs written by the test, and steps that leave what they saw in files."""

import json

from harness.case import Case
from harness.waiting import DEADLINE

# Appends what the step got on stdin to the file `seen`, as a line by one write, and ends the chain.
KEEP = """task=$(cat); printf '%s\\n' "$task" >> seen; echo '[]'"""


def command(script):
    return {"kind": "Command", "script": script}


def pool(instructions="Do it."):
    return {"kind": "Pool", "instructions": instructions}


def step(name, action, next_=(), **more):
    return {"name": name, "action": command(action) if isinstance(action, str) else action, "next": list(next_)} | more


def emit(*tasks):
    """The script that prints these tasks; a task is (kind, value)."""
    return f"cat <<'EOF'\n{json.dumps([{'kind': k, 'value': v} for k, v in tasks])}\nEOF"


class WorkflowCase(Case):
    def write_config(self, steps, **more):
        """Writes flow.json, whose entrypoint is the first step unless told otherwise, and returns its path."""
        config = {"entrypoint": steps[0]["name"], "steps": list(steps)} | more
        path = self.work / "flow.json"
        path.write_text(json.dumps({k: v for k, v in config.items() if v is not None}, indent=2))
        return path

    def start_run(self, steps, *args, config=None, env=None, **more):
        path = self.write_config(steps, **more)
        return self.start("barnum", "run", "--config", config or path, *args, env=env)

    def run_workflow(self, steps, *args, deadline=DEADLINE, **more):
        return self.start_run(steps, *args, **more).result(deadline)

    def assert_run(self, result, code=0):
        """The exit code is that, and stdout is clean."""
        self.assert_exit(result, code)
        self.assertEqual(result.out, "")

    def seen_text(self):
        """The lines that KEEP wrote."""
        path = self.work / "seen"
        return path.read_text().splitlines() if path.exists() else []

    def seen(self):
        """What the KEEP steps got, as [(kind, value)] in the order they ran."""
        return [(task["kind"], task["value"]) for task in map(json.loads, self.seen_text())]

    def assert_seen(self, *tasks):
        """In any order."""
        self.assertCountEqual(self.seen(), tasks)

    def count(self, name):
        """Lines of a file that a step appends to."""
        path = self.work / name
        return len(path.read_text().splitlines()) if path.exists() else 0
