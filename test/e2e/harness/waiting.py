"""Waiting for what the programs do, always with a deadline, which is generous: the machine may be busy."""

import time

from harness.environment import is_sanitized

# Seconds for things that just have to happen.
DEADLINE = 90 if is_sanitized() else 30


def slack(seconds):
    """A span that the specification promises, with room for a busy machine."""
    return seconds * 2 + (8 if is_sanitized() else 3)


def wait_until(condition, what, deadline=DEADLINE):
    """Polls until condition() is true, and returns what it returned."""
    end = time.monotonic() + deadline
    pause = 0.002
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {deadline} s in vain for {what}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def holds_for(condition, seconds, what):
    """Fails as soon as condition() is false within that many seconds: for what must not happen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not condition():
            raise AssertionError(f"no longer true: {what}")
        time.sleep(0.02)
