"""The own pools of runs that were killed: who removes them, and that no other pool is removed."""

import json
import os
import shutil
import signal

from harness import Pool, wait_until
from harness.runs import RunsCase
from harness.stranger import give_to_nobody
from harness.workflow import pool, step

HANG = "touch began; sleep 1000"
SECRET = "the value of a task"


class LeftPools(RunsCase):
    def agents(self, command=HANG):
        return ["--agents", "1", "--agent-exec", command]

    def kill_run(self, run):
        wait_until((self.work / "began").exists, "the agent's command")
        (self.work / "began").unlink()
        (living,) = [one for one in self.ps() if one["state"] == "running"]
        run.signal(signal.SIGKILL)
        run.result()
        wait_until(lambda: self.state_of(living["id"]) == "lost", "the guard to let go of the state log")
        return living["id"]

    def state_of(self, id_):
        return next(run["state"] for run in self.ps("-a") if run["id"] == id_)

    def killed(self, *args):
        """The id of a run that was killed while its agent was at work."""
        config = self.write_config([step("Ask", pool())])
        return self.kill_run(self.start("barnum", "run", "--config", config, "--entrypoint-value", json.dumps(SECRET),
                                        *self.agents(), *args))

    def path(self, id_):
        return self.root / "pools" / f"run-{id_}"

    def listed(self, *args):
        """What `troupe list` says of each pool."""
        return {each["pool"]: each for each in self.run_program("troupe", "list", "--json", *args).json}

    def abandoned(self):
        return {name for name, each in self.listed().items() if each["abandoned"]}

    def test_a_run_is_removed_with_its_pool(self):
        for command in (["rm", "last"], ["prune", "--older-than", "0s"]):
            id_ = self.killed()
            self.assertIn(SECRET.encode(), b"".join(file.read_bytes() for file in self.path(id_).rglob("*.json")))
            self.barnum(*command)
            self.assertEqual(list((self.root / "pools").iterdir()), [])
            self.assertEqual(self.ps("-a"), [])

    def test_a_dry_run_removes_no_pool(self):
        id_ = self.killed()
        self.barnum("prune", "--older-than", "0s", "--dry-run")
        self.assertTrue(self.path(id_).exists())

    def test_a_pool_in_another_root_is_removed_and_one_of_the_same_name_is_left(self):
        id_ = self.killed("--root", str(self.work / "elsewhere"))
        Pool(self, f"run-{id_}").start("--no-heartbeat")
        self.barnum("rm", "last")
        self.assertEqual(list((self.work / "elsewhere/pools").iterdir()), [])
        self.assertEqual(self.listed()[f"run-{id_}"]["status"], "running")

    def test_the_pool_stays_while_a_run_that_continues_can_need_it(self):
        first = self.killed()
        second = self.kill_run(self.start("barnum", "resume", first))
        self.barnum("rm", first)
        self.assertTrue(self.path(first).exists())
        self.assertEqual(self.abandoned(), set())
        self.barnum("rm", second)
        self.assertFalse(self.path(first).exists())

    def test_the_pool_of_a_living_run_stays(self):
        first = self.killed()
        resumed = self.start("barnum", "resume", first)
        wait_until((self.work / "began").exists, "the agent's command")
        self.barnum("rm", first, code=1)
        self.run_program("troupe", "list", "--prune")
        self.assertTrue(self.path(first).exists())
        resumed.signal(signal.SIGINT)
        self.assert_exit(resumed.result(), 130)

    def test_a_pool_whose_run_is_gone_is_shown_and_removed(self):
        gone, kept = self.killed(), self.killed()
        shutil.rmtree(self.runs / gone)
        self.assertEqual(self.abandoned(), {f"run-{gone}"})
        table = self.run_program("troupe", "list").out
        self.assertRegex(table, rf"\nrun-{gone} +stopped +\S+  \(nobody's: --prune removes it\)\n")
        self.assertRegex(table, rf"\nrun-{kept} +stopped +\S+  \(a run's own\)\n")
        self.assertEqual(self.listed("--prune")[f"run-{gone}"]["status"], "removed")
        self.assertFalse(self.path(gone).exists())
        self.assertEqual(set(self.listed()), {f"run-{kept}"})
        self.assert_run(self.run_program("barnum", "resume", kept, "--agent-exec", "echo '[]'"), 0)

    def test_a_pool_stays_whose_log_may_be_on_a_file_system_that_is_not_mounted(self):
        disk = self.work / "disk"
        (disk / "runs").mkdir(parents=True)
        for runs in (disk / "runs", disk):
            with self.subTest(runs):
                self.env["BARNUM_RUNS"] = str(runs)
                id_ = self.killed()
                disk.rename(self.work / "unmounted")
                disk.mkdir()
                told = self.run_program("troupe", "list", "--json", "--prune")
                self.assertEqual([(pool["status"], pool["abandoned"]) for pool in told.json], [("stopped", False)])
                self.assertRegex(told.err, rf"troupe: the pool run-{id_} stays: nobody can tell whether .* is gone")
                disk.rmdir()
                (self.work / "unmounted").rename(disk)
                shutil.rmtree(runs / id_)
                (runs / "other").mkdir()
                self.assertEqual(self.listed("--prune")[f"run-{id_}"]["status"], "removed")
                (runs / "other").rmdir()

    def test_no_pool_of_anybody_is_removed(self):
        served, stopped, ours = Pool(self, "run-served"), Pool(self, "run-stopped"), Pool(self, "run-ours")
        for each in (served, stopped, ours):
            each.start("--no-heartbeat")
        ours.request_by_file({"kind": "Inline", "content": "1"})
        ours.daemon.signal(signal.SIGKILL)
        ours.daemon.result()
        self.assert_exit(stopped.stop(), 0)
        before = {path: path.stat().st_ino for path in self.root.rglob("*")}
        self.assertEqual({name: each["status"] for name, each in self.listed("--prune").items()},
                         {"run-served": "running", "run-stopped": "stopped", "run-ours": "stopped"})
        self.assertEqual({path: path.stat().st_ino for path in self.root.rglob("*")}, before)

    def test_what_is_noted_counts_only_if_it_is_a_path_in_a_file_of_ours(self):
        id_ = self.killed()
        shutil.rmtree(self.runs / id_)
        owner = self.path(id_) / "owner"
        for break_it in (lambda: owner.write_text("gone\n"), lambda: owner.write_text("/gone"),
                         lambda: owner.unlink() or os.mkfifo(owner), owner.unlink):
            break_it()
            self.assertEqual(self.listed("--prune")[f"run-{id_}"]["status"], "stopped")
        if os.geteuid() == 0:
            owner.write_text("/gone\n")
            give_to_nobody(self.path(id_))
            self.run_program("troupe", "list", "--prune")
            self.assertTrue(owner.exists())

    def test_a_daemon_that_starts_meanwhile_has_the_pool_or_finds_it_taken(self):
        for _ in range(10):
            id_ = f"run-{self.killed_pool()}"
            daemon = Pool(self, id_).command("start")
            prunes = [self.start("troupe", "list", "--prune") for _ in range(2)]
            for prune in prunes:
                self.assert_exit(prune.result(), 0)
            wait_until(lambda: not daemon.running or "is served in" in daemon.err, "the daemon to be ready")
            if daemon.running:
                self.assert_exit(Pool(self, id_).stop(), 0)
                self.assert_exit(daemon.result(), 0)
            else:
                self.assertIn("another daemon serves the pool", daemon.result().err)
            shutil.rmtree(self.root / "pools" / id_, ignore_errors=True)

    def killed_pool(self):
        """As a killed run whose state log is gone would leave it."""
        made = Pool(self, "run-0123")
        for name in ("agents", "submissions", "scratch"):
            os.makedirs(made.path / name, mode=0o700)
        for name in ("daemon.lock", "status", "submissions/one.request.json"):
            (made.path / name).touch(mode=0o600)
        (made.path / "owner").write_text("/gone\n")
        return "0123"
