"""Starting, finding and stopping a daemon; the command line of `troupe`."""

import json
import os
import signal
import stat
import time

from harness import Case, HandAgent, Pool, one_host, wait_until
from harness.pool import inline

STOPPED = {"kind": "NotProcessed", "reason": "stopped"}


def snapshot(path):
    """What is below a folder, with inode, size and time of change of each."""
    return {str(p.relative_to(path)): (s.st_ino, s.st_size, s.st_mtime_ns, s.st_mode)
            for p in sorted(path.rglob("*")) for s in [p.lstat()]}


class Start(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    @one_host("it starts a single daemon")
    def test_a_daemon_is_ready_when_its_empty_status_file_is_there(self):
        daemon = self.pool.start()
        self.assertEqual((self.pool.path / "status").read_text(), "")
        for name in ("agents", "submissions", "scratch"):
            self.assertTrue((self.pool.path / name).is_dir(), name)
        self.assertEqual((self.pool.path / "daemon.lock").read_text().strip(), str(daemon.pid))
        self.assertTrue(stat.S_ISSOCK((self.pool.path / "daemon.sock").stat().st_mode))

    def test_everything_is_the_owners_alone_whatever_the_umask(self):
        for umask, pool in ((0o000, Pool(self, "open")), (0o777, Pool(self, "shut"))):
            pool.start("--no-heartbeat", umask=umask)
            agent = pool.get_task(umask=0)
            submitter = pool.submit({"n": 1}, transport="file", umask=0)
            assignment = agent.json()
            wrong = [f"{path}: {stat.S_IMODE(path.lstat().st_mode):o}" for root in {self.root, pool.agent_side.root}
                     for path in [root, *root.rglob("*")] if stat.S_IMODE(path.lstat().st_mode) != (0o700 if path.is_dir() else 0o600)]
            self.assertEqual(wrong, [])
            pool.answer(assignment, "[]")
            self.assert_exit(submitter.result(), 0)

    def test_a_second_daemon_exits_1_and_touches_nothing(self):
        self.pool.start("--no-heartbeat")
        agent = self.pool.get_task()
        before = snapshot(self.pool.path)
        result = self.pool.command("start").result()
        self.assert_exit(result, 1)
        self.assertIn("default", result.err)
        self.assertEqual(snapshot(self.pool.path), before)
        submitter = self.pool.submit({"n": 1})
        assignment = agent.json()
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)

    @one_host("it starts a single daemon")
    def test_a_daemon_that_was_killed_does_not_stand_in_the_way_of_the_next(self):
        daemon = self.pool.start()
        daemon.kill()
        (self.pool.path / "daemon.lock").write_text(f"{os.getpid()}\n")  # a recycled PID, and a stranger's
        self.pool.start()
        self.assert_exit(self.pool.stop(), 0)

    def test_start_stop_takes_the_place_of_a_running_daemon(self):
        first = self.pool.start()
        second = self.pool.start("--stop")
        self.assert_exit(first.result(), 0)
        self.assert_running(second)
        Pool(self, "fresh").start("--stop")  # nothing to stop is fine

    @one_host("it starts a single daemon")
    def test_start_json_prints_the_pools_id_alone(self):
        pool = Pool(self, "my-pool_1")
        daemon = pool.start("--json")
        wait_until(lambda: daemon.out.endswith("\n"), "the JSON")
        self.assertEqual(json.loads(daemon.out), {"id": "my-pool_1"})

    def test_logs_go_to_stderr_and_can_be_turned_off(self):
        for level, logs in (("off", False), ("info", True)):
            daemon = self.pool.start("-l", level)
            self.assert_exit(self.pool.stop(), 0)
            daemon.result()
            self.assertEqual(bool(daemon.err), logs, daemon.err)
            self.assertNotIn("INFO", daemon.out)

    @one_host("it starts a single daemon")
    def test_bad_pool_ids_are_usage_errors(self):
        for name in ("../x", "", "a/b", ".", "-x", "_x", "a b", "x" * 65, "é"):
            for command, *args in (["start"], ["stop"], ["get_task"], ["submit_task", "--data", "1"]):
                with self.subTest(name=name, command=command):
                    result = self.run_program("troupe", command, f"--pool={name}", *args, cwd=self.work)
                    self.assert_exit(result, 2)
                    self.assertEqual(result.out, "")
        self.assertFalse(self.root.exists())

    def test_the_longest_pool_id_works(self):
        pool = Pool(self, "x" * 64)
        pool.start()
        self.assert_exit(pool.stop(), 0)

    @one_host("it starts a single daemon")
    def test_the_root_comes_from_the_option_then_the_environment(self):
        one, two = self.home / "one", self.home / "two"
        environment = {"TROUPE_ROOT": one, "AGENT_POOL_ROOT": two}
        self.start("troupe", "start", env=environment)
        wait_until((one / "pools/default/status").exists, "a daemon below TROUPE_ROOT")
        self.start("troupe", "start", env=environment | {"TROUPE_ROOT": ""})
        wait_until((two / "pools/default/status").exists, "a daemon below AGENT_POOL_ROOT")
        self.start("troupe", "--root", "three", "start", env=environment)
        wait_until((self.work / "three/pools/default/status").exists, "a daemon below --root")

    def test_a_root_longer_than_a_socket_address_works(self):
        pool = Pool(self, root=self.home / ("long" * 40) / ("longer" * 20))
        pool.start("--no-heartbeat")
        agent = pool.get_task()
        submitter = pool.submit({"n": 1}, transport="socket")
        assignment = agent.json()
        self.assertEqual(assignment["content"], {"n": 1})
        pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)
        self.assert_exit(pool.stop(), 0)

    @one_host("it starts a single daemon")
    def test_a_root_that_is_a_symlink_is_refused_and_left_alone(self):
        real = self.home / "real"
        real.mkdir(mode=0o755)
        self.root.symlink_to(real)
        result = self.pool.command("start").result()
        self.assert_exit(result, 1)
        self.assertIn("--root", result.err)
        self.assertEqual(list(real.iterdir()), [])
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o755)

    @one_host("it starts a single daemon")
    def test_a_pool_directory_that_is_a_symlink_is_refused_and_left_alone(self):
        elsewhere = self.home / "elsewhere"
        elsewhere.mkdir()
        (self.root / "pools").mkdir(parents=True, mode=0o700)
        self.root.chmod(0o700)
        (self.root / "pools/default").symlink_to(elsewhere)
        self.assert_exit(self.pool.command("start").result(), 1)
        self.assertEqual(list(elsewhere.iterdir()), [])


class Stop(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def assert_ended(self, daemon):
        self.assert_exit(daemon.result(), 0)
        for name in ("status", "daemon.sock"):
            self.assertFalse((self.pool.path / name).exists(), name)
            self.assertFalse((self.pool.agent_side.path / name).exists(), name)

    def ways_to_stop(self):
        return {"SIGTERM": lambda d: d.signal(signal.SIGTERM), "SIGINT": lambda d: d.signal(signal.SIGINT),
                "troupe stop": lambda d: self.assert_exit(self.pool.stop(), 0),
                "the word in status": lambda d: self.write_stop()}

    def write_stop(self):
        for pool in {self.pool, self.pool.agent_side}:
            (pool.path / "status").write_text("stop")

    def test_every_way_to_stop_answers_everybody_and_ends_well(self):
        for number, (how, stop) in enumerate(self.ways_to_stop().items()):
            with self.subTest(how=how):
                self.pool = Pool(self, f"pool-{number}")  # a pool over hosts keeps its tasks
                daemon = self.pool.start("--no-heartbeat")
                (self.pool.path / "notes.txt").write_text("mine")
                busy = HandAgent(self.pool)
                with self.pool.connect() as client:
                    client.send(inline({"n": 1}))
                    self.assertEqual(busy.content(), {"n": 1})
                    client.send(inline({"queued": 1}, "queued"))
                    by_file = self.pool.submit({"n": 2}, transport="file")
                    wait_until(self.pool.submission_files, "the request file")
                    stop(daemon)
                    answers = [client.receive(), client.receive()]
                    self.assertCountEqual(answers, [STOPPED, STOPPED | {"id": "queued"}])
                    result = by_file.result()
                self.assert_exit(result, 1)
                self.assertEqual(result.json, STOPPED)
                self.assert_ended(daemon)
                self.assertEqual((self.pool.path / "notes.txt").read_text(), "mine")
                self.assertEqual(self.pool.submission_files(), [])

    def test_waiting_agents_are_told_that_the_pool_stopped(self):
        for number, (how, stop) in enumerate(self.ways_to_stop().items()):
            with self.subTest(how=how):
                self.pool = Pool(self, f"pool-{number}")  # a pool over hosts keeps its tasks
                daemon = self.pool.start("--no-heartbeat")
                agents = [self.pool.get_task(), self.pool.get_task("--name", "named")]
                stop(daemon)
                for agent in agents:
                    result = agent.result()
                    self.assert_exit(result, 0)
                    kicked = {k: v for k, v in result.json.items() if k in ("kind", "reason", "response_file")}
                    self.assertEqual(kicked, {"kind": "Kicked", "reason": "Stopped"})
                self.assert_ended(daemon)

    def test_stop_returns_when_the_daemon_is_gone(self):
        daemon = self.pool.start()
        self.assert_exit(self.pool.stop(), 0)
        self.assertFalse((self.pool.path / "status").exists())
        self.assert_exit(daemon.result(), 0)

    def test_the_pool_can_be_started_again_after_a_stop(self):
        for _ in range(2):
            self.pool.start("--no-heartbeat")
            agent = self.pool.get_task()
            submitter = self.pool.submit({"n": 1})
            self.pool.answer(agent.json(), "[]")
            self.assert_exit(submitter.result(), 0)
            self.assert_exit(self.pool.stop(), 0)

    @one_host("no pool is needed")
    def test_clients_of_a_pool_without_a_daemon_give_up_after_ten_seconds_and_say_what_to_do(self):
        began = time.monotonic()
        clients = [self.pool.command("get_task"), self.pool.submit("1", transport="socket"),
                   self.pool.submit("1", transport="file")]
        for client in clients:
            result = client.result()
            self.assertGreater(time.monotonic() - began, 9)
            self.assertNotEqual(result.code, 0)
            self.assertEqual(result.out, "")
            self.assertIn(str(self.pool.path), result.err)
            self.assertIn("troupe start", result.err)

    def test_clients_wait_for_a_daemon_that_is_about_to_start(self):
        agent = self.pool.command("get_task")
        submitter = self.pool.submit({"n": 1})
        for client in (agent, submitter):
            wait_until(lambda: "10 s for it" in client.err, "the client to wait")
        self.pool.start("--no-heartbeat")
        assignment = agent.json()
        self.pool.answer(assignment, "[]")
        self.assert_exit(submitter.result(), 0)


@one_host("no pool is needed")
class CommandLine(Case):
    def test_list_shows_each_pool_with_its_state_and_path(self):
        self.assert_exit(self.run_program("troupe", "list"), 1)  # no root yet
        running, stopped, killed = Pool(self, "running"), Pool(self, "stopped"), Pool(self, "killed")
        for pool in (running, stopped, killed):
            daemon = pool.start()
        daemon.kill()
        self.assert_exit(stopped.stop(), 0)
        result = self.run_program("troupe", "list", "--root", self.root)
        self.assert_exit(result, 0)
        rows = [line.split() for line in result.out.splitlines()]
        self.assertEqual(rows[0], ["ID", "STATUS", "PATH"])
        self.assertCountEqual(rows[1:], [["running", "running", str(running.path)],
                                         ["stopped", "stopped", str(stopped.path)],
                                         ["killed", "stopped", str(killed.path)]])

    def test_version_is_on_stdout(self):
        for program in ("troupe", "barnum"):
            text, as_json = self.run_program(program, "version"), self.run_program(program, "version", "--json")
            self.assert_exit(text, 0)
            self.assertIn(as_json.json["version"], text.out)
            self.assertEqual(text.err + as_json.err, "")

    def test_help_is_on_stdout(self):
        for program, command in (("troupe", "get_task"), ("barnum", "run")):
            for args in (["--help"], ["-h"], ["help"], [command, "--help"], ["help", command]):
                result = self.run_program(program, *args)
                self.assert_exit(result, 0)
                self.assertIn(command, result.out)
                self.assertEqual(result.err, "")

    def test_usage_errors_exit_2_with_the_reason_on_stderr(self):
        for program in ("troupe", "barnum"):
            for args in ([], ["no_such_command"], ["--no-such-option"], ["version", "--no-such-option"]):
                result = self.run_program(program, *args)
                self.assert_exit(result, 2)
                self.assertEqual(result.out, "")
                self.assertIn((args or ["version"])[-1], result.err)

    def test_global_options_may_stand_before_and_after_the_command(self):
        for args in (["--root", self.work, "-l", "error", "list"],
                     ["list", "--root", self.work, "--log-level", "error"]):
            self.assert_exit(self.run_program("troupe", *args), 0)

    def test_start_takes_every_option_that_published_scripts_pass(self):
        pool = Pool(self)
        pool.start("--json", "--idle-timeout-secs", "180", "--task-timeout-secs", "300", "--no-heartbeat",
                   "--no-periodic-heartbeat", "--no-initial-heartbeat", "--stop", "--preserve-dirs")
        self.assert_exit(pool.stop(), 0)

    def test_protocol_prints_the_agents_side_with_its_pool_and_name(self):
        plain = self.run_program("troupe", "protocol")
        self.assert_exit(plain, 0)
        for word in ("troupe get_task", "Task", "Heartbeat", "Kicked", "response_file"):
            self.assertIn(word, plain.out)
        named = self.run_program("troupe", "protocol", "--pool", "reviews", "--name", "bob")
        self.assertIn("--pool reviews", named.out)
        self.assertIn("--name bob", named.out)
        low = self.run_program("troupe", "protocol", "--low-level")
        for word in (".ready.json", ".task.json", ".response.json", "daemon.sock"):
            self.assertIn(word, low.out)
