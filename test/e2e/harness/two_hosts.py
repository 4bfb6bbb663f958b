"""The pool of a case that runs once more over an engine (BARNUM_OVER_ENGINE=1): submitters, and runs, are on one host,
and all agents on another. Cases that say `Pool` get it from here, whichever it is."""

from harness.environment import is_over_engine
from harness.nats_server import NatsServer
from harness.pool import Pool as OneHost
from harness.process import Result
from harness.waiting import wait_until

COMMANDS_OF_AGENTS = ("agent", "get_task", "kick")


class Both:
    """The same program on both hosts."""

    def __init__(self, here, there):
        self.parts = here, there

    @property
    def running(self):
        return all(part.running for part in self.parts)

    @property
    def out(self):
        return "".join(part.out for part in self.parts)

    @property
    def err(self):
        return "".join(part.err for part in self.parts)

    def signal(self, number):
        for part in self.parts:
            part.signal(number)

    def terminate(self):
        for part in self.parts:
            part.terminate()

    def kill(self):
        for part in self.parts:
            part.kill()

    def result(self, *deadline):
        """Of both, whose exit codes must be the same."""
        here, there = (part.result(*deadline) for part in self.parts)
        if here.code != there.code:
            raise AssertionError(f"not the same on both hosts: {here}\n{there}")
        return Result(here.name, here.code, here.out + there.out, here.err + there.err)


class TwoHosts(OneHost):
    """This pool is that of the submitters' host."""

    def __init__(self, case, name="default", root=None, program="troupe"):
        super().__init__(case, name, root, program)
        self.agent_side = OneHost(case, name, self.root.with_name(f"{self.root.name}-agents"), program)

    def start(self, *options, **how):
        return Both(super().start(*self._engine(), *options, **how), self.agent_side.start(*self._engine(), *options, **how))

    def command(self, name, *options, **how):
        if name in COMMANDS_OF_AGENTS:
            return self.agent_side.command(name, *options, **how)
        if name == "stop":
            return Both(super().command(name, *options, **how), self.agent_side.command(name, *options, **how))
        engine = self._engine() if name == "start" else ()
        return super().command(name, *engine, *options, **how)

    def queued(self):
        """The number of tasks of which this host has not heard yet that an agent has them."""
        engine = self.status()["engine"]
        return engine["submissions"] - len(engine["elsewhere"])

    def wait_tasks_recorded(self, count):
        """A host writes it to the engine a moment later: until then an agent of another one may be given a withdrawn task."""
        wait_until(lambda: (self.case.engine.messages() or {}).get(f"TROUPE_{self.name}_R") == count, f"records of {count} tasks")

    def _engine(self):
        """The options with which a daemon finds the server that all pools of the test share."""
        if not hasattr(self.case, "engine"):
            self.case.engine = NatsServer(self.case)
        return "--engine", self.case.engine.address


Pool = TwoHosts if is_over_engine() else OneHost
