"""Keeps the lines between MCP servers and their clients, and checks those of the servers against the official SDK's schemas
when all tests of the case are over: once, because it takes a moment to load the SDK."""

import functools
import itertools
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.agent_programs import programs_directory
from harness.case import require
from harness.environment import binary
from harness.waiting import DEADLINE

CHECKER = Path(__file__).with_suffix(".mjs")
numbers = itertools.count()


def prepare_node(directory, *scripts):
    """Copies the scripts into the directory, in which they find the SDK. Returns the path of node, which runs them."""
    for script in scripts:
        shutil.copy(script, directory)
    (directory / "node_modules").symlink_to(programs_directory().parent / "node_modules")
    return programs_directory() / "node"


@functools.cache
def directory():
    """Where the lines are kept until they are checked."""
    path = Path(tempfile.mkdtemp(prefix="be2e-lines-"))
    unittest.addModuleCleanup(check, path)
    return path


def keep(sent, received):
    """Keeps the lines of one server, which has ended: bytes."""
    stem = directory() / f"client-{next(numbers)}"
    stem.with_suffix(".sent").write_bytes(sent)
    stem.with_suffix(".received").write_bytes(received)


def recording(case, program):
    """The path of a program that is `program`, `troupe` or `barnum`, and keeps its lines as well."""
    path = case.home / f"recorded-{program}"
    path.write_text(f'#!/bin/sh\nstem={directory()}/$$\ntee $stem.sent | "{binary(program)}" "$@" | tee $stem.received\n')
    path.chmod(0o755)
    return path


def check(path):
    try:
        require(programs_directory(), "the lines of MCP servers; scripts/install-deps --agents brings the SDK")
        node = prepare_node(path, CHECKER)
        checked = subprocess.run([node, CHECKER.name, "."], cwd=path, capture_output=True, text=True, timeout=DEADLINE,
                                 check=False)
        if checked.returncode:
            raise AssertionError(f"lines of servers are not what the schemas say:\n{(checked.stdout + checked.stderr)[:8000]}")
        print(f"     {checked.stdout.strip()} lines of servers are what the schemas say", flush=True)
    finally:
        shutil.rmtree(path)
