"""The examples of config-examples, as large as one likes: the same steps, schemas, hooks and transitions, with scripts that only print
what follows. A rule for each example says what grows."""

import json
import re
from pathlib import Path

# What grows with the size: "wide", the tasks that the first step leads to; "many", the first tasks; "long", the chain of tasks
# through a cycle, which this step leaves at its end; "tried", the attempts of a task. And how large it is in the example.
RULES = {
    "adversarial-review": ("long", "Critique", 2), "approval": ("wide", "", 3), "branching": ("many", "", 4),
    "claude-review": ("wide", "", 3), "code-review": ("wide", "", 3), "error-recovery": ("long", "Parse", 2),
    "fan-out-finally": ("wide", "", 3), "gate": ("tried", "Write", 3), "hooks": ("many", "", 3), "linear-pipeline": ("many", "", 1),
    "map-reduce": ("wide", "", 3), "quickstart": ("wide", "", 5), "sequential": ("long", "Migrate", 3),
    "shared-files": ("wide", "", 5), "test-suite": ("wide", "", 3), "two-models": ("long", "Critique", 3),
}

COUNT_DOWN = "read -r left <left; echo $((left - 1)) >left; if [ $left -gt 0 ]; then "
UNTOUCHED = {"kind": "Command", "script": "cat"}


def read_config(path):
    """JSONC, with what is linked to in its place."""
    text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda found: found[1] or "", path.read_text())
    config = json.loads(re.sub(r",(\s*[}\]])", r"\1", text))
    for step in config["steps"]:
        schema = step.get("value_schema")
        if schema and "link" in schema:
            step["value_schema"] = json.loads((path.parent / schema["link"]).read_text())
    return config


def sample(schema, number):
    """A value of the schema, with texts of its own for each number."""
    schema = schema if isinstance(schema, dict) else {}
    for word in ("const", "default"):
        if word in schema:
            return schema[word]
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    kind = schema.get("type", "object")
    if kind == "object":
        return {name: sample(schema.get("properties", {}).get(name), number) for name in schema.get("required", [])}
    if kind == "array":
        return [sample(schema.get("items"), number)] * schema.get("minItems", 1)
    start = "/" if schema.get("pattern") == "^/" else ""
    return {"string": f"{start}text-{number}", "integer": max(1, schema.get("minimum", 1)), "number": 1.5, "boolean": True}.get(kind)


class Scaled:
    """The example, so many times as large, in a directory of its own."""

    def __init__(self, examples, name, times):
        self.config = read_config(Path(examples) / name / "workflow.jsonc")
        self.rule, self.place, size = RULES[name]
        self.count = size * times
        self.steps = {step["name"]: step for step in self.config["steps"]}

    def write(self, directory):
        """Returns the options of `barnum run`, and the exit code that it is to have."""
        self.directory = directory
        for step in self.config["steps"]:
            self.simplify(step)
        self.config.pop("agents", None)
        for limit in ("max_tasks", "max_depth"):
            self.config.get("options", {}).pop(limit, None)
        (directory / "left").write_text(f"{self.count}\n")
        (directory / "workflow.json").write_text(json.dumps(self.config))
        entry = self.config["entrypoint"]
        (directory / "first.json").write_text(json.dumps(self.tasks(entry, self.count if self.rule == "many" else 1)))
        waits = any(step["action"]["kind"] == "Human" for step in self.config["steps"])
        return (["--config", directory / "workflow.json", "--initial-state", directory / "first.json",
                 *(["--exit-when-waiting"] if waits else [])], 75 if waits else 0)

    def tasks(self, step, count=1):
        return [{"kind": step, "value": sample(self.steps[step].get("value_schema"), number)} for number in range(count)]

    def simplify(self, step):
        for hook in ("pre", "post"):
            if hook in step:
                step[hook] = UNTOUCHED
        if step["action"]["kind"] == "Human":
            return
        step["action"] = {"kind": "Command", "script": self.script(step)}
        if self.rule == "tried" and step["name"] == self.place:
            step["post"] = {"kind": "Command", "script": f"{COUNT_DOWN}exit 1; else exec cat; fi"}
            step["options"] = step.get("options", {}) | {"max_retries": self.count}

    def script(self, step):
        following = step.get("next", [])
        if self.rule == "wide" and step["name"] == self.config["entrypoint"]:
            path = self.directory / "following.json"
            path.write_text(json.dumps(self.tasks(following[0], self.count)))
            return "exec cat following.json"
        if self.rule == "long" and step["name"] == self.place:
            goes_on = next(name for name in following if self.leads_back(name))
            ends = next(name for name in following if name != goes_on)
            return f"{COUNT_DOWN}{self.echo([goes_on])}; else {self.echo([ends])}; fi"
        return self.echo(following[:1])

    def leads_back(self, name):
        return name == self.place or self.place in self.steps[name].get("next", [])

    def echo(self, names):
        return f"echo '{json.dumps([task for name in names for task in self.tasks(name)])}'"
