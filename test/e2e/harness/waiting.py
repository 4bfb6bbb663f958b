"""Waiting for what the programs do. No verdict depends on how long something takes: a deadline only ends a test that hangs.

What has to be quick for a reason is shown by that reason: by what is in the log, by a count, by the order of events, or by
making the slow way hang."""

import errno
import shutil
import time

# Seconds after which something is taken not to happen any more.
DEADLINE = 300


def wait_until(condition, what, deadline=DEADLINE, pause=0.002):
    """Polls until condition() is true, and returns what it returned. `pause`: the first, in seconds."""
    begun = time.monotonic()
    while True:
        asked = time.monotonic()
        value = condition()
        if value:
            return value
        now = time.monotonic()
        waited = now - begun
        if waited > deadline:
            raise AssertionError(f"waited {deadline} s in vain for {what}")
        time.sleep(pause)
        # Asking costs: a program is started for it, or a browser. It takes a ninth of the time, and what takes seconds is found a
        # twentieth later.
        pause = max(min(pause * 1.5, max(0.05, min(waited / 20, 0.25))), min(8 * (now - asked), 0.25))


def let_pass(seconds, since=None):
    """Returns so many seconds after `since`, a time.monotonic(), or after now: for tests of what time does."""
    end = (time.monotonic() if since is None else since) + seconds
    time.sleep(max(0, end - time.monotonic()))


def holds_for(condition, seconds, what):
    """Fails as soon as condition() is false within that many seconds: for what must not happen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not condition():
            raise AssertionError(f"no longer true: {what}")
        time.sleep(0.02)


def remove_in_use(directory):
    """Removes a directory while others may create and remove files in it."""
    def others_were_first(_, __, info):
        if not isinstance(info[1], FileNotFoundError):
            raise info[1]
    for _ in range(1000):
        try:
            return shutil.rmtree(directory, onerror=others_were_first)
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                raise
    raise AssertionError(f"{directory} fills again and again")


def windows(longest=60, shortest=1):
    """Timeouts in seconds for something that has to begin, but not to end, within them: a short one, and longer ones for a
    machine that was too slow for it. The test leaves the loop when one was long enough."""
    seconds = shortest
    while seconds <= longest:
        yield seconds
        seconds *= 4
