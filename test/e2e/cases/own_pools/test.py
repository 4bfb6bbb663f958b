"""Runs with agents of their own: in a pool that is theirs alone, unless they name one."""

import shutil
import signal

from harness import Pool, wait_until
from harness.workflow import WorkflowCase, emit, pool, step

COUNT = 6
# Waits until both runs are at work, and notes in which directory it was at which run's task.
COMMAND = """value=$(sed -n 's/.*"value": *"\\([a-z]*\\).*/\\1/p'); touch began
await ../one/began ../two/began
echo $value >> seen; echo '[]'"""
HANG = "touch began; sleep 1000"


class OwnPools(WorkflowCase):
    def agents(self, command, count=2):
        return ["--agents", str(count), "--agent-exec", command]

    def start_hanging(self, *args):
        run = self.start_run([step("Ask", pool())], *self.agents(HANG), *args)
        wait_until((self.work / "began").exists, "the agent's command")
        return run

    def pools(self):
        """Those that are served, as `troupe list` shows them."""
        return {listed["pool"]: listed for listed in self.run_program("troupe", "list", "--json").json
                if listed["status"] == "running"}

    def test_two_runs_in_the_same_root_do_not_do_each_others_tasks(self):
        runs = {}
        for name in ("one", "two"):
            directory = self.work / name
            directory.mkdir()
            config = self.write_config([step("Split", emit(*[("Ask", name)] * COUNT), ["Ask"]), step("Ask", pool())])
            config.rename(directory / "flow.json")
            runs[name] = self.start("barnum", "run", "--config", "flow.json", *self.agents(COMMAND), cwd=directory)
        for name, run in runs.items():
            self.assert_run(run.result())
            self.assertEqual((self.work / name / "seen").read_text().split(), [name] * COUNT)

    def test_other_agents_and_submitters_are_in_another_pool(self):
        daemon = Pool(self).start("--no-heartbeat")
        idle = Pool(self).get_task()
        run = self.start_run([step("Ask", pool())], *self.agents("echo '[]'"))
        self.assert_run(run.result())
        self.assert_running(idle)
        self.assert_running(daemon)

    def test_it_is_listed_while_the_run_lasts(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            run = self.start_hanging()
            (name, listed), = self.pools().items()
            self.assertRegex(name, r"^run-[0-9a-f-]+$")
            self.assertIn(name, self.run_program("troupe", "list").out)
            self.assertIn(f"hosting the run's own pool for its agents at {self.root}/pools/{name}", run.err)
            run.signal(number)
            self.assert_run(run.result(), code)
            self.assertEqual(self.pools(), {})
            self.assertFalse((self.root / "pools" / name).exists())
            (self.work / "began").unlink()

    def test_nothing_of_it_is_left_by_a_run_that_ends_by_itself(self):
        self.assert_run(self.run_workflow([step("Ask", pool())], *self.agents("echo '[]'")))
        self.assertEqual(list((self.root / "pools").iterdir()), [])

    def test_nor_by_one_that_was_killed_and_resumed(self):
        run = self.start_hanging("--state-log", "run.ndjson")
        run.signal(signal.SIGKILL)
        run.result()
        resumed = self.start("barnum", "run", "--resume-from", "run.ndjson", *self.agents("echo '[]'"))
        self.assert_run(resumed.result())
        self.assertEqual(list((self.root / "pools").iterdir()), [])

    def test_copies_of_a_log_that_are_resumed_at_once_have_a_pool_each(self):
        run = self.start_hanging("--state-log", "run.ndjson")
        run.signal(signal.SIGINT)
        run.result()
        shutil.copy(self.work / "run.ndjson", self.work / "copy.ndjson")
        runs = []
        for name in ("run", "copy"):
            runs.append(self.start("barnum", "run", "--resume-from", f"{name}.ndjson",
                                   *self.agents("touch began-$BARNUM_RUN_ID; await go; echo '[]'")))
        wait_until(lambda: len(list(self.work.glob("began-*"))) == 2, "both runs' agents")
        self.assertEqual(len(self.pools()), 2)
        (self.work / "go").touch()
        for run in runs:
            self.assert_run(run.result())

    def test_a_pool_that_is_named_is_shared_and_it_says_so_in_one_line(self):
        shared = Pool(self, "team")
        shared.start("--no-heartbeat")
        run = self.start_hanging("--pool", "team")
        (line,) = [line for line in run.err.splitlines() if str(shared.path) in line]
        self.assertRegex(line, "others.* tasks")
        self.assertEqual(list(self.pools()), ["team"])
        (self.work / "began").unlink()
        submitter = shared.submit({"n": 1})
        wait_until((self.work / "began").exists, "the run's other agent to take another's task")
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)
        self.assertEqual(shared.take()["content"], {"n": 1})
        submitter.terminate()

    def test_a_named_pool_that_nobody_serves_is_hosted_for_others_too(self):
        run = self.start_hanging("--pool", "team")
        (self.work / "began").unlink()
        submitter = Pool(self, "team").submit({"n": 1})
        wait_until((self.work / "began").exists, "the run's other agent to take another's task")
        submitter.terminate()
        submitter.result()
        run.signal(signal.SIGINT)
        self.assert_run(run.result(), 130)

    def test_agents_of_a_pool_of_ones_own_that_must_not_be_hosted_are_refused(self):
        args = [*self.agents("echo '[]'"), "--no-embedded-pool"]
        result = self.run_workflow([step("Ask", pool())], *args)
        self.assert_run(result, 2)
        self.assertIn("--pool", result.err)
        Pool(self).start("--no-heartbeat")
        self.assert_run(self.run_workflow([step("Ask", pool())], *args, "--pool", "default"))
