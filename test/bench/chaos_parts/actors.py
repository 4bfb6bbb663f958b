"""Processes that come back when they have ended, until they are told not to."""

import os
import signal
from collections import Counter

from .world import CHAOS, DO_TASK, ENDING, PLAIN, SHELL_AGENT, now, slack

HEARTBEAT_SECONDS = 10  # longer than any pause
AGENT_COUNT = 2
START_SECONDS = slack(2)  # that a start may take
PAUSE_SECONDS = 0.5  # before a process that has ended by itself is started again


class Actor:
    """One process at a time. A life of it has a name of its own, which is its owner's name in the notes."""

    kind = "actor"

    def __init__(self, world, name, pool):
        self.world, self.name, self.pool = world, name, pool
        self.process = None
        self.lives = 0
        self.owner = name
        self.is_wanted = True
        self.begun = 0.0    # of this life, seconds since 1970
        self.not_before = 0.0
        self.paused_until = None
        self.received = Counter()  # signals of this life
        self.faults = []           # by which this life was told to end

    def tick(self):
        """Looks whether it has ended, and starts it if it is missing."""
        if self.process and (code := self.process.poll()) is not None:
            self.process, self.paused_until = None, None
            for fault in self.faults:
                fault.end = now()
            if code < 0 and self.was_told_to_end() and -code not in self.received:
                self.world.complain("ended", f"{self.owner} died of signal {-code}:\n{self.world.tail(self.owner)}")
            self.ended(code)
        if self.paused_until and now() >= self.paused_until:
            self.resume()
        if not self.process and self.is_wanted and now() >= self.not_before:
            self.lives += 1
            self.owner = self.life_name()
            self.begun = now()
            self.received.clear()
            self.faults.clear()
            self.process = self.start()

    def start(self):
        raise NotImplementedError

    def ended(self, code):
        """Judges the end of a life; `code` as in subprocess."""
        if self.was_told_to_end():
            return
        self.not_before = now() + PAUSE_SECONDS
        if not self.may_end(code):
            self.world.complain("ended", f"{self.owner} ended by itself with {code}:\n{self.world.tail(self.owner)}")

    def may_end(self, code):
        """Whether it may end so although nobody told it to: a start needs room on the disk."""
        return code > 0 and self.world.was_full(self.begun, self.begun + START_SECONDS) and self.ended_for("a full disk")

    def ended_for(self, reason):
        self.world.figures[f"{self.kind}s ended by themselves for {reason}"] += 1
        return True

    def life_name(self):
        return f"{self.name}-{self.lives}"

    def a_kind(self):
        return f"an {self.kind}" if self.kind[0] in "aeiou" else f"a {self.kind}"

    def names(self):
        """Whom a fault of this one may disturb."""
        return frozenset({self.owner})

    def was_told_to_end(self):
        return any(number in ENDING for number in self.received)

    def send(self, number):
        self.received[number] += 1
        self.process.send_signal(number)

    def pause(self, seconds):
        self.send(signal.SIGSTOP)
        self.paused_until = now() + seconds

    def resume(self):
        self.paused_until = None
        if self.process:
            self.process.send_signal(signal.SIGCONT)

    def disturb(self, number, in_flight):
        """A signal that ends it, with a note of it as a fault. One that is paused gets it later, and a daemon takes some time to
        end: until then the fault lasts."""
        what = f"{signal.Signals(number).name} of {self.a_kind()}"
        self.faults.append(self.world.note_fault(what, self.names(), in_flight, self.owner, lasts=True))
        self.send(number)


class Daemon(Actor):
    kind = "daemon"

    def start(self):
        return self.world.spawn(self.owner, self.world.troupe, "start", "--pool", self.pool, "--idle-timeout-secs",
                                HEARTBEAT_SECONDS)

    def names(self):
        return frozenset({self.owner, f"pool {self.pool}"})


class Agent(Actor):
    kind = "agent"

    def start(self):
        return self.world.spawn(self.owner, self.world.troupe, "agent", "--pool", self.pool, "--name", self.owner,
                                "--count", AGENT_COUNT, "--exec", DO_TASK)

    def may_end(self, code):
        # Nobody serves the pool any more: for a while, after a fault, and again and again where runs serve it.
        if code == 1 and (self.pool != CHAOS or self.world.was_disturbed_since(self.begun, {f"pool {self.pool}"})):
            return self.ended_for("want of a pool")
        # Each turn of an agent begins with a file.
        return code == 1 and self.world.was_full(self.begun, now()) and self.ended_for("a full disk")


class ShellAgent(Actor):
    """Gets its signals as a group, as it would from a terminal."""

    kind = "shell agent"

    def start(self):
        return self.world.spawn(self.owner, SHELL_AGENT, self.world.troupe, PLAIN, self.owner)

    def send(self, number):
        self.received[number] += 1
        os.killpg(self.process.pid, number)

    def resume(self):
        self.paused_until = None
        if self.process:
            os.killpg(self.process.pid, signal.SIGCONT)
