"""Files of kept output that are gone, while a run lives and afterwards: `barnum logs` says which, and the run goes on."""

from harness import wait_until
from harness.runs import RunsCase
from harness.workflow import step

WAIT = "await go"
LOUD = "seq 700000 >&2; until [ -e ~/.local/state/barnum/runs/*/output/2.segment ]; do echo more >&2; done"


class Gaps(RunsCase):
    def output(self):
        (run,) = self.runs.iterdir()
        return run / "output"

    def logs(self, *args, code=0):
        return self.barnum("logs", "last", *args, code=code)

    def start_telling(self, script="echo one >&2", *args):
        run = self.start_run([step("Tell", f"{script}; touch started; {WAIT}; echo more >&2; echo '[]'")], *args)
        wait_until((self.work / "started").exists, "the command to start")
        return run

    def end(self, run):
        (self.work / "go").touch()
        self.assert_run(run.result())
        return run.err

    def test_output_without_any_file_is_told_of_a_run_that_has_ended(self):
        self.end(self.start_telling())
        for path in self.output().iterdir():
            path.unlink()
        self.assertIn("index.ndjson missing", self.logs(code=74).err)

    def test_what_is_gone_of_a_living_run_is_told(self):
        run = self.start_telling(LOUD, "--keep-output", "all")
        wait_until((self.output() / "2.segment").exists, "the second segment")
        for name in ("1.segment", "index.ndjson"):
            path = self.output() / name
            away = path.rename(path.with_suffix(".away"))
            self.assertIn(f"{name} missing", self.logs(code=74).err)
            away.rename(path)
        self.logs()
        self.end(run)

    def test_a_segment_that_is_removed_is_named(self):
        run = self.start_telling()
        wait_until(lambda: "one" in self.logs().out, "the first line to be kept")
        segment = self.output() / "1.segment"
        segment.unlink()
        self.assertIn(f"the output of commands is not kept: {segment} was removed: ", self.end(run))

    def test_whoever_follows_a_run_is_told_of_the_one_that_continues_it(self):
        run = self.start_telling()
        first = self.only()["id"]
        follower = self.start("barnum", "logs", first, "-f")
        wait_until(lambda: "one" in follower.out, "the first line")
        self.kill(run)
        (self.work / "go").touch()
        follower.result()
        self.barnum("resume", first)
        (second,) = {found["id"] for found in self.ps("-a")} - {first}
        told = self.barnum("logs", first, "-f")
        self.assertIn(f"the run {first} was resumed by the run {second}: barnum logs -f {second}\n", told.err)
        self.assertNotIn("was resumed", self.barnum("logs", first).err)
