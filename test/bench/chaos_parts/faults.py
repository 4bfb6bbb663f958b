"""Which fault comes when, and to whom."""

import signal

from .probe import Probe
from .world import now

EVERY = 0.5  # seconds from one fault to the next, on average
PAUSE = (0.1, 4)
FULL = (0.5, 2)
AWAY = (0, 3)  # until a daemon is started again
CALM_SECONDS = 1

TARGETS = {"run": 6, "agent": 6, "daemon": 1.5, "shell agent": 1, "submitter": 2}
SIGNALS = {signal.SIGKILL: 5, signal.SIGTERM: 2, signal.SIGHUP: 1, signal.SIGSTOP: 4}
OTHERS = {"probe": 1.5, "disk": 1}


class Faults:
    """`disk` is None where there is none to be filled. With `only_pauses` nothing is ended by force."""

    def __init__(self, world, actors, disk, notes, random, only_pauses):
        self._world, self._actors, self._disk, self._notes, self._random = world, actors, disk, notes, random
        self._signals = {signal.SIGSTOP: 1} if only_pauses else SIGNALS
        self._kinds = dict(TARGETS) | ({} if only_pauses else {"probe": OTHERS["probe"]})
        self._kinds |= {"disk": OTHERS["disk"]} if disk else {}
        self._free_at = None  # when the disk is freed
        self._next = now() + EVERY
        self._last_end = 0.0
        self.probe = None
        self.deaths = []  # seconds that each task of a dead agent took to run again

    def tick(self):
        if self._free_at and now() >= self._free_at:
            self._free()
        if self.probe:
            self._go_on_probing()
        elif now() >= self._next:
            self._next = now() + self._random.expovariate(1 / EVERY)
            self._strike(self._pick(self._kinds))

    def end(self):
        """All that is paused goes on, the disk is freed. A probe that has begun is judged as it is."""
        if self._free_at:
            self._free()
        for actor in self._actors:
            if actor.paused_until:
                actor.resume()

    def _strike(self, kind):
        if kind == "probe":
            self.probe = Probe(self._world, self._actors, self._notes, self._random)
        elif kind == "disk":
            if not self._free_at:
                self._fill()
        else:
            alive = [actor for actor in self._actors if actor.kind == kind and actor.process]
            if alive:
                self._signal(self._random.choice(alive), self._pick(self._signals))

    def _signal(self, actor, number):
        if number == signal.SIGSTOP:
            if not actor.paused_until:
                seconds = self._random.uniform(*PAUSE)
                self._world.note_fault(f"pause of {actor.a_kind()}", owner=f"{actor.owner} for {seconds:.1f} s")
                actor.pause(seconds)
            return
        names = actor.names()
        everything = any(name.startswith("pool ") for name in names)
        actor.disturb(number, len(self._notes.in_flight(None if everything else names)))
        if actor.kind == "daemon":
            actor.not_before = now() + self._random.uniform(*AWAY)

    def _fill(self):
        seconds = self._random.uniform(*FULL)
        self._world.note_fault("full disk", owner=f"for {seconds:.1f} s")
        self._disk.fill()
        self._free_at = now() + seconds

    def _free(self):
        self._disk.free()
        self._free_at = None

    def _go_on_probing(self):
        is_calm = (not self._free_at and not any(actor.paused_until for actor in self._actors) and
                   not self._world.was_full(now() - CALM_SECONDS, now()) and
                   not (self._world.faults and self._world.faults[-1].time > now() - CALM_SECONDS))
        if self.probe.tick(is_calm):
            self.deaths += self.probe.seconds
            self.probe = None
            self._next = now() + self._random.expovariate(1 / EVERY)

    def _pick(self, weights):
        return self._random.choices(list(weights), list(weights.values()))[0]
