"""State logs of large runs that nobody has run: as of an older version, without checksums."""

import json

BEGUN = 1_763_719_591_417  # milliseconds since 1970
FAILS_ONE_IN = 100

CONFIG = {"entrypoint": "List", "steps": [
    {"name": "List", "action": {"kind": "Command", "script": "ls"}, "next": ["Read"]},
    {"name": "Read", "action": {"kind": "Pool", "instructions": "Read the file."}, "next": ["Note"]},
    {"name": "Note", "action": {"kind": "Command", "script": "cat >>notes"}, "next": []}]}


_text = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps() would make an encoder for each line


def _line(**entry):
    return _text(entry) + "\n"


def _submitted(task, step, value, parent, time):
    return _line(kind="TaskSubmitted", task_id=task, step=step, value=value, parent_id=parent,
                 origin="Initial" if parent is None else "Spawned", time=time)


def _succeeded(task, spawned, started, time, **more):
    return _line(kind="TaskCompleted", task_id=task, outcome={"kind": "Success", "value": {"spawned_task_ids": spawned}},
                 started=started, time=time, **more)


def _dropped(task, started, time):
    reason = {"kind": "AgentFailed", "exit_code": 3, "message": f"agent-1: the command exited with code 3: no file {task}"}
    return _line(kind="TaskCompleted", task_id=task, outcome={"kind": "Failed", "value": {"reason": reason, "retry_task_id": None}},
                 started=started, time=time)


def _report(task):
    return {"kind": "claude", "model": "opus", "session": f"{task * 2654435761 % 2**64:016x}", "turns": 1 + task % 5,
            "input_tokens": 1000 + task % 700, "cached_tokens": 500, "output_tokens": 20 + task % 90, "usd": 0.001 * (1 + task % 9)}


def write(path, files):
    """List has spawned so many tasks of Read, of which one in a hundred was dropped, and the others have spawned one of Note each.
    Returns how many tasks there are, and how many of them were dropped."""
    dropped = 0
    with open(path, "w", encoding="ascii") as log:
        log.write(_line(kind="Config", config=CONFIG, directory="/", run_id="5a3e6b1c-0000-4000-8000-000000000000", initial_tasks=1,
                        time=BEGUN))
        log.write(_submitted(0, "List", {}, None, BEGUN))
        log.write(_succeeded(0, list(range(1, files + 1)), BEGUN, BEGUN + 1000))
        for file in range(1, files + 1):
            log.write(_submitted(file, "Read", {"file": f"src/part{file % 97}/file{file}.cpp", "size": file * 7919 % 100_003}, 0,
                                 BEGUN + 1000))
        note = files
        for file in range(1, files + 1):
            time = BEGUN + 2000 + 4 * file
            if file % FAILS_ONE_IN == 0:
                dropped += 1
                log.write(_dropped(file, time - file * 31 % 900, time))
                continue
            note += 1
            log.write(_succeeded(file, [note], time - file * 37 % 900, time, report=_report(file)))
            log.write(_submitted(note, "Note", {"sentence": f"File {file} has {file * 31 % 977} lines."}, file, time))
            log.write(_succeeded(note, [], time + 1, time + 5, measured={"cpu_ms": file % 13, "peak_memory_bytes": 4096 * (file % 999),
                                                                         "action_ms": 4}))
    return note + 1, dropped
