"""One agent is killed at its work while others are idle, and nothing else happens until its tasks run again: how long
that takes is what a pool promises. The other faults wait meanwhile."""

import signal

from soak_parts.sockets import Connection

from .world import now

PATIENCE = 6  # seconds to wait for a moment that is fit
SAME_MOMENT = 0.05  # seconds; what ended then may have been answered
LIMIT = 60  # far beyond what a busy machine needs; the figures show what was needed


class Probe:
    def __init__(self, world, actors, notes, random):
        self._world, self._notes, self._random = world, notes, random
        self._actors = actors
        self._agents = [actor for actor in actors if actor.kind == "agent"]
        self._give_up_at = now() + PATIENCE
        self._killed_at = None
        self._owner = None
        self._missing = []  # the tasks of the killed agent
        self.seconds = []

    def tick(self, is_calm):
        """True when it is over. `is_calm`: nobody is paused, the disk has room, and the last fault is a while ago."""
        if self._killed_at:
            return self._watch()
        if now() > self._give_up_at:
            self._world.figures["agents not killed for want of idle ones"] += 1
            return True
        if is_calm:
            self._kill_one()
        return False

    def _kill_one(self):
        candidates = [agent for agent in self._agents if agent.process and self._notes.in_flight({agent.owner})]
        if not candidates:
            return
        agent = self._random.choice(candidates)
        if idle_agents(self._world.pool_path(agent.pool)) < len(self._notes.in_flight({agent.owner})):
            return
        self._notes.read()
        victims = [victim for victim in self._notes.in_flight({agent.owner}) if victim.run in self._waiting()]
        if victims:
            agent.disturb(signal.SIGKILL, len(victims))
            self._owner, self._missing, self._killed_at = agent.owner, victims, now()

    def _waiting(self):
        """The runs and submissions that are there to want an answer."""
        return {actor.owner for actor in self._actors if actor.kind in ("run", "submitter") and actor.process}

    def _watch(self):
        for victim in list(self._missing):
            begun = self._notes.executions_of(victim.id)[-1].begun
            if begun > self._killed_at:
                self.seconds.append(begun - self._killed_at)
            if begun > self._killed_at or victim.ended and victim.ended < self._killed_at + SAME_MOMENT:
                self._missing.remove(victim)
        if self._missing and now() > self._killed_at + LIMIT:
            tasks = ", ".join(victim.id for victim in self._missing)
            self._world.complain("hung", f"{self._owner} was killed, others were idle, and its tasks did not run again "
                                         f"within {LIMIT} s: {tasks}")
            self._missing.clear()
        return not self._missing


def idle_agents(pool):
    """0 while tasks are waiting, or if the pool doesn't tell."""
    try:
        connection = Connection(pool)
    except OSError:
        return 0
    connection.send({"kind": "Status"})
    answers = connection.receive()
    connection.close()
    if not answers or answers[0]["queue"]["length"]:
        return 0
    return sum(agent["state"] == "idle" for agent in answers[0]["agents"])
