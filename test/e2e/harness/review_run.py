"""A run as people look at it: 1,000 Commands of which some fail and some are tried again, agents, a person who is asked, a
`finally`. It stands still, always at the same numbers, until `go_on()`."""

import json

from harness import wait_until
from harness.workflow import KEEP, step

CHECKS = 1000
FAIL, FLAKY, HOLD = range(0, CHECKS, 100), range(1, CHECKS, 200), range(2, CHECKS, 350)  # of the numbers of Checks
FAILED, RETRIED = len(FAIL), len(FAIL) + len(FLAKY)
# With the List, three Summaries whose Notes are kept, and a fourth of which an agent waits; a person has the question.
TASKS = 1 + CHECKS + 4 + 3 + 1
DONE = TASKS - FAILED - len(HOLD) - 2
ALL = TASKS + 3  # at the end: two more Notes, and the `finally`

CHECK = """read -r task; case $task in
*fail*) echo "reading the file"; echo "error: no such file" >&2; exit 3;;
*flaky*) [ $BARNUM_ATTEMPT = 2 ] || exit 4;;
*hold*) echo "holding" >&2; await go;;
esac; echo '[]'"""
AGENT = """#!/bin/sh
case $(cat) in *slow*) await go;; esac
echo '[{"kind": "Note", "value": {"sentence": "It is fine."}}]'
"""
SENTENCE = {"type": "object", "required": ["sentence"], "properties": {
    "sentence": {"type": "string", "description": "What there is to say."}, "weight": {"type": "integer", "minimum": 1, "maximum": 5}}}
QUESTION = "May these notes be sent?\n\nThey go to everybody."


def check(n):
    kind = "fail" if n in FAIL else "flaky" if n in FLAKY else "hold" if n in HOLD else "pass"
    return {"kind": "Check", "value": {"file": f"src/part-{n:04}.c", "check": kind}}


def write(folder):
    """The workflow, its agent, and the tasks that its List prints."""
    tasks = [*({"kind": "Summarize", "value": {"part": part}} for part in ("one", "two", "three", "slow")), *map(check, range(CHECKS)),
             {"kind": "Approve", "value": {"sentence": "All is well.", "weight": 3}}]
    (folder / "tasks.json").write_text(json.dumps(tasks))
    (folder / "agent.sh").write_text(AGENT)
    (folder / "agent.sh").chmod(0o755)
    steps = [step("List", "cat tasks.json", ["Check", "Summarize", "Approve"], **{"finally": {"kind": "Command", "script": "echo '[]'"}}),
             step("Check", CHECK, options={"max_retries": 1}),
             step("Summarize", {"kind": "Pool", "instructions": "Sum the part up in one sentence."}, ["Note"]),
             step("Note", KEEP, value_schema=SENTENCE),
             step("Approve", {"kind": "Human", "instructions": QUESTION}, ["Note", "Summarize"], value_schema=SENTENCE)]
    path = folder / "review.json"
    path.write_text(json.dumps({"entrypoint": "List", "steps": steps}, indent=1))
    return path


def start(case, *options):
    """The id of the run, which stands still."""
    config = write(case.work)
    run = case.barnum("run", "--detach", "--name", "review", "--config", config, "--agents", "2", "--agent-exec", "./agent.sh",
                      "--jobs", "8", *options).out.strip()
    try:
        wait_until(lambda: stands_still(case, run), "the run to stand still", deadline=600)
    except AssertionError:
        case.end_runs()  # a setUp that fails has no tearDown
        raise
    return run


def stands_still(case, run):
    tasks = next(one for one in case.ps() if one["id"] == run)["tasks"]
    return (tasks["done"], tasks["dropped"], tasks.get("waiting_for_human")) == (DONE, FAILED, 1)


def go_on(case):
    (case.work / "go").touch()


def end(case, run):
    """Lets it go on, answers, and waits for its end."""
    go_on(case)
    case.barnum("answer", run, "--next", "Note", "--value", '{"sentence": "Yes."}')
    case.barnum("wait", run, code=1)
