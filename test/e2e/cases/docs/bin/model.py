"""A stand-in for a language model behind a command line: reads a prompt as the real ones get it, and answers the task in
it as they would, with the first of the steps that may follow and a made-up value that fits its schema. It says so in
a few words round a fenced block, unless the prompt wants nothing but the answer. With STAND_IN_TALKS=1 it does so always.

With STAND_IN_FAILS=REASON it fails for that reason, and tells it where the real one does.

A prompt that says how to be an agent of a pool (`troupe protocol`) it follows, if it may run commands."""

import json
import os
import re
import subprocess
import sys

NOTHING_ELSE = re.compile(r"nothing else|nothing but|no (other|further) text|only (the|a) JSON|JSON (array )?only", re.I)


def read_stdin():
    return "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()


def failure():
    """Why it is to fail, or nothing."""
    return os.environ.get("STAND_IN_FAILS", "")


def answer(prompt, may_run_commands):
    """The text of the answer."""
    if "Valid Responses" not in prompt and "Terminal Step" not in prompt and "troupe get_task" in prompt:
        return be_an_agent(prompt) if may_run_commands else "I would need your permission to run `troupe get_task`."
    response = json.dumps(next_tasks(instructions_in(prompt)))
    if NOTHING_ELSE.search(prompt) and not os.environ.get("STAND_IN_TALKS"):
        return response
    return f"I have done the task. Here is what comes next:\n\n```json\n{response}\n```\n\nLet me know if you need more."


def instructions_in(prompt):
    """Those of a task's JSON, or the whole prompt, which a script may have put together from them."""
    for start in re.finditer(r"\{", prompt):
        try:
            value, _ = json.JSONDecoder().raw_decode(prompt, start.start())
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("instructions"), str):
            return value["instructions"]
    return prompt


def next_tasks(instructions):
    step = re.search(r"^### ([^\n]+)\n\n(?:Value must match schema:\n```json\n(.+?)\n```)?", instructions, re.M | re.S)
    if not step:
        return []
    return [{"kind": step.group(1), "value": sample(json.loads(step.group(2) or "{}"))}]


def sample(schema):
    if not isinstance(schema, dict):
        return {}
    if "const" in schema:
        return schema["const"]
    for several in ("enum", "examples"):
        if schema.get(several):
            return schema[several][0]
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: sample(schema.get("properties", {}).get(name, {"type": "string"}))
                for name in schema.get("required", [])}
    if kind == "array":
        return [sample(schema.get("items", {}))] * schema.get("minItems", 0)
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 1), 0)
    return {"string": "a text that is long enough for most"[:schema.get("maxLength", 35)], "boolean": True,
            "null": None}[kind]


def be_an_agent(prompt):
    """Takes tasks by the command in the prompt until there are no more."""
    command = re.search(r"troupe(?: --root \S+)? get_task[^\n`]*", prompt).group(0).split(")")[0]
    done = 0
    while True:
        taken = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, check=False)
        if taken.returncode:
            return f"The pool has gone; I have done {done} tasks."
        task = json.loads(taken.stdout)
        if task["kind"] == "Kicked":
            continue
        done += task["kind"] == "Task"
        content = task.get("content") or {}
        with open(task["response_file"], "w") as file:
            json.dump(next_tasks(content.get("instructions", "")), file)
