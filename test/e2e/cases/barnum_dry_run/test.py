"""`barnum run --dry-run`: says what a run would start, refuses what a run would refuse, and makes nothing."""

import json
import shutil

from harness import wait_until
from harness.examples import EXAMPLES, documented_command, names
from harness.snapshot import snapshot
from harness.workflow import KEEP, WorkflowCase, command, pool, step


class DryRunCase(WorkflowCase):
    def dry_run(self, *args, code=0, **how):
        """Runs it, and checks that nothing below the test's home was made or changed. Returns the result."""
        logs = [self.home / "logs"]
        before = snapshot(self.home, without=logs)
        result = self.run_program("barnum", "run", "--dry-run", *args, **how)
        self.assert_exit(result, code)
        after = snapshot(self.home, without=logs)
        after.pop(str(self.home)), before.pop(str(self.home))  # the logs may be the first thing in it
        self.assertEqual(after, before)
        return result

    def rows(self, result):
        """The lines that begin with a label, as {label: text}."""
        return {line[:14].strip(): line[14:] for line in result.out.splitlines() if line[13:14] == " "}


class Report(DryRunCase):
    def test_it_says_where_what_and_how(self):
        path = self.write_config([step("Ask", pool(), ["Keep"], pre=command("cat"), post=command("cat"),
                                       options={"timeout": 2.5, "max_retries": 3, "retry_on_timeout": False}),
                                  step("Keep", KEEP)], options={"max_concurrency": 7})
        result = self.dry_run("--config", path, "--entrypoint-value", '{"a": 1.0}', "--jobs", "3", "--agents", "2",
                              "--agent-exec", "touch asked", "--wake", "touch woken", "--pool", "other")
        rows = self.rows(result)
        self.assertEqual(rows["config"], str(path))
        self.assertEqual(rows["commands in"], str(self.work))
        self.assertEqual(rows["pool"], f"other, at {self.root}/pools/other; no daemon serves it: the run would host it")
        self.assertEqual(rows["agents"], f"2, each running `touch asked` in {self.work}")
        self.assertEqual(rows["first of all"], "`touch woken`")
        self.assertEqual(rows["state log"], f"{self.home}/.local/state/barnum/runs/<run-id>/state.ndjson")
        self.assertEqual(rows["limits"], "3 local processes, 7 tasks at once")
        self.assertIn('1 task to begin with:\n  task 0 Ask  {"a":1.0}\n      pre → an agent of the pool → post; '
                      "timeout 2.5 s; 3 retries, not on a timeout\n", result.out)

    def test_the_pool_is_served_or_waited_for_or_not_needed(self):
        asks = self.write_config([step("Ask", pool())])
        waits = self.rows(self.dry_run("--config", asks, "--no-embedded-pool", "--pool-wait-secs", "9"))
        self.assertIn("would wait for one, up to 9 s", waits["pool"])
        self.start("troupe", "start")
        wait_until(lambda: (self.root / "pools/default/status").exists(), "the daemon to be ready")
        self.assertIn("a daemon serves it, and would be used", self.rows(self.dry_run("--config", asks))["pool"])
        own = self.dry_run("--config", asks, "--agents", "1", "--agent-exec", "cat")
        self.assertEqual(self.rows(own)["pool"], "one of the run's own, run-<run-id>")
        keeps = self.write_config([step("Keep", KEEP)])
        self.assertEqual(self.rows(self.dry_run("--config", keeps))["pool"], "not needed: no step is of kind Pool")

    def test_long_values_are_cut_and_many_tasks_counted(self):
        path = self.write_config([step("Keep", KEEP)])
        tasks = [{"kind": "Keep", "value": "é" * 500} for _ in range(30)]
        out = self.dry_run("--config", path, "--initial-state", json.dumps(tasks, ensure_ascii=False)).out
        self.assertIn("30 tasks to begin with:\n", out)
        self.assertIn("  … and 10 more\n", out)
        self.assertLessEqual(max(len(line) for line in out.splitlines() if line.startswith("  task")), 100)
        self.assertEqual(out.count("é…\n"), 20)

    def test_what_a_log_leaves_pending(self):
        path = self.write_config([step("Fan", """echo '[{"kind":"Hang","value":1},{"kind":"Hang","value":2}]'""",
                                       ["Hang"], **{"finally": command("echo '[]'")}),
                                  step("Hang", "echo > hangs; sleep 1000")])
        run = self.start("barnum", "run", "--config", path, "--state-log", "run.ndjson")
        wait_until(lambda: (self.work / "hangs").exists(), "a task to hang")
        run.terminate()
        run.result()
        out = self.dry_run("--resume-from", "run.ndjson").out
        self.assertIn("2 tasks pending:\n  task 1 Hang  1\n", out)
        self.assertIn("  task 2 Hang  2\n", out)
        self.assertIn("1 finally would wait", out)

    def test_a_finished_run_has_nothing_left(self):
        self.assert_run(self.run_workflow([step("Keep", KEEP)], "--state-log", "run.ndjson"))
        self.assertIn("nothing to do", self.dry_run("--resume-from", "run.ndjson").err)


class Refusals(DryRunCase):
    def assert_refused_alike(self, *args, code=2):
        dry = self.dry_run(*args, code=code)
        real = self.run_program("barnum", "run", *args)
        self.assert_exit(real, code)
        self.assertEqual((dry.out, dry.err), (real.out, real.err))

    def test_mistakes_are_those_of_a_run(self):
        schema = {"type": "object", "required": ["n"]}
        path = self.write_config([step("Keep", KEEP, value_schema=schema)])
        self.assert_refused_alike("--config", '{"steps": [{"name": 1}]}')
        self.assert_refused_alike("--config", path)
        self.assert_refused_alike("--config", path, "--entrypoint-value", "{")
        self.assert_refused_alike("--config", path, "--initial-state", '[{"kind": "Kep", "value": 1}]')
        self.assert_refused_alike("--config", path, "--entrypoint-value", '{"n": 1}', "--pool", "../x")
        self.assert_refused_alike("--config", path, "--entrypoint-value", '{"n": 1}', "--log-file", "/no/such/log")
        self.assert_refused_alike("--resume-from", "none.ndjson")

    def test_a_state_log_that_could_not_be_made_is_refused(self):
        path = self.write_config([step("Keep", KEEP)])
        self.assert_refused_alike("--config", path, "--state-log", "flow.json")
        self.dry_run("--config", path, "--state-log", "none/run.ndjson", code=74)

    def test_a_root_that_can_have_no_pool_is_refused(self):
        path = self.write_config([step("Ask", pool())])
        root = self.work / "file"
        root.touch()
        for options in ([], ["--agents", "1", "--agent-exec", "cat"]):
            dry = self.dry_run("--config", path, "--root", root, *options, code=2)
            self.assertIn(f"{root}", dry.err)
            real = self.run_program("barnum", "run", "--config", path, "--root", root, *options)
            self.assertNotEqual(real.code, 0)
            self.assertIn(dry.err.strip().removeprefix("barnum: "), real.err)

    def test_it_does_not_go_with_a_stub(self):
        result = self.dry_run("--stub", "--config", self.write_config([step("Keep", KEEP)]), code=2)
        self.assertIn("--dry-run and --stub cannot be combined", result.err)


class Examples(DryRunCase):
    def test_every_example_makes_nothing(self):
        programs = self.home / "programs"
        programs.mkdir()
        for name in ("claude", "codex"):  # of the agents; nothing is started
            (programs / name).touch(0o755)
        self.env["PATH"] = f"{programs}:{self.env['PATH']}"
        for example in sorted(names()):
            with self.subTest(example):
                folder = self.home / example
                shutil.copytree(EXAMPLES / example, folder)
                script = documented_command(example).replace("barnum run", "barnum run --dry-run", 1)
                logs = [self.home / "logs"]
                before = snapshot(folder, self.root, self.work, without=logs)
                result = self.run_program("/bin/sh", "-c", script.replace("/tmp/", f"{self.home}/out/"), cwd=folder)
                self.assert_exit(result, 0)
                self.assertIn(" to begin with:", result.out)
                self.assertEqual(snapshot(folder, self.root, self.work, without=logs), before)
                self.assertFalse((self.home / "out").exists() or (self.home / ".local").exists())
