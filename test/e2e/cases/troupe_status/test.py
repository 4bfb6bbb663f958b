"""`troupe status` and `troupe list --json`: what they tell of a situation that is known."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

from harness import DEADLINE, Case, HandAgent, Pool, require, wait_until
from harness.environment import binary
from harness.pool import inline
from harness.stranger import give_to_nobody
from harness.terminal import ProgramTerminal


class Status(Case):
    def setUp(self):
        super().setUp()
        self.terminals = []
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def tearDown(self):
        for terminal in self.terminals:
            terminal.close()
        super().tearDown()

    def status(self, *options):
        return self.pool.command("status", "--json", *options).json()

    def until(self, condition, what):
        """The first status for which that is so."""
        return wait_until(lambda: (status := self.status()) and condition(status) and status, what)

    def agent(self, name):
        """One that waits, and that the daemon knows."""
        agent = HandAgent(self.pool, json.dumps({"name": name}))
        self.until(lambda status: agent.uuid in {a["id"] for a in status["agents"]}, f"{name} to be known")
        return agent

    def test_a_new_pool(self):
        before = time.time() * 1000
        status = self.status()
        self.assertEqual({key: status[key] for key in ("kind", "pool", "path", "pid", "draining", "agents", "queue")},
                         {"kind": "Status", "pool": "default", "path": str(self.pool.path), "pid": self.daemon.pid,
                          "draining": False, "agents": [], "queue": {"length": 0, "head": None, "unmatched": []}})
        self.assertEqual(set(status["counts"].values()), {0})
        self.assertEqual(status["waiting"], {"count": 0, "p50_ms": None, "p90_ms": None, "p99_ms": None,
                                             "max_ms": None})
        self.assertLessEqual(before - 1, status["time"])
        self.assertLessEqual(status["time"], time.time() * 1000)
        self.assertLessEqual(status["started"], status["time"])
        self.assertLess(status["time"] - status["started"], 600_000)

    def test_agents_queue_and_counts_are_those_of_the_situation(self):
        with self.pool.connect() as client:
            # One is processed, one times out, one is withdrawn, one is handed back, two are invalid.
            first = self.agent("first")
            client.send(inline({"n": 1}, "processed"))
            first.content()
            first.respond("[]")
            client.receive()
            self.agent("too slow")
            client.send(inline({"timeout_seconds": 0.05}, "late"))
            self.assertEqual(client.receive()["reason"], "timeout")
            client.send(inline({"n": 3}, "withdrawn"))
            client.send({"kind": "Withdraw", "id": "withdrawn"})
            client.send(inline("no json", "invalid"))
            self.assertEqual(client.receive()["reason"], "invalid")
            self.pool.response_by_file(self.pool.request_by_file("no request"))
            # Two agents, one of them busy with a task that another has handed back, and three tasks in the queue.
            quitter = self.agent("quitter")
            client.send(inline({"timeout_seconds": 100}, "at-work"))
            quitter.content()
            quitter.ready.unlink()
            self.until(lambda status: status["queue"]["length"] == 1, "the task to be handed back")
            busy = self.agent("busy")
            busy.content()
            waiting_since = time.time() * 1000
            for number in range(3):
                client.send(inline({"n": number}, f"queued-{number}"))
            client.send({"kind": "Status", "id": "here"})
            status = client.receive()
        self.assertEqual(status["id"], "here")
        self.assertEqual(status["counts"],
                         {"submitted": 7, "recovered": 0, "processed": 1, "timed_out": 1, "stopped": 0, "withdrawn": 1,
                          "invalid": 2, "handed_back": 1, "kicked": 1, "failed": 0, "died": 0})
        self.assertEqual((status["queue"]["length"], status["queue"]["head"]["submission"]), (3, "queued-0"))
        self.assertLessEqual(waiting_since - 1, status["queue"]["head"]["since"])
        self.assertEqual(status["queue"]["head"]["for_ms"], status["time"] - status["queue"]["head"]["since"])
        self.assertEqual(len(status["agents"]), 1)
        agent = status["agents"][0]
        self.assertEqual((agent["id"], agent["name"], agent["state"], agent["submission"]),
                         (busy.uuid, "busy", "busy", "at-work"))
        self.assertEqual(agent["deadline"] - agent["since"], 100_000)
        self.assertEqual(agent["for_ms"], status["time"] - agent["since"])
        self.assertEqual((status["waiting"]["count"], status["working"]["count"]), (4, 1))
        self.assertLessEqual(status["working"]["p50_ms"], status["working"]["max_ms"])

    def test_idle_asked_and_withdrawn_agents_are_told_apart(self):
        self.pool.stop()
        self.daemon.result()
        daemon = self.pool.start("--idle-timeout-secs", "5")
        asked = self.agent("asked")
        self.until(lambda status: status["agents"][0]["state"] == "heartbeat", "the heartbeat")
        self.assertEqual(json.loads(asked.task_text())["kind"], "Heartbeat")
        self.pool.stop()
        daemon.result()
        self.pool.start("--no-heartbeat")
        with self.pool.connect() as client:
            worker = self.agent("worker")
            client.send(inline({"n": 1}))
            worker.content()
        status = self.until(lambda s: any(a["name"] == "worker" and a["submission"] is None and a["state"] == "busy"
                                          for a in s["agents"]), "the withdrawal")
        self.assertEqual(status["counts"]["withdrawn"], 1)
        idle = self.agent("idle")
        with self.pool.connect() as client:
            client.send({"kind": "Status"})
            states = {a["id"]: (a["state"], a["deadline"]) for a in client.receive()["agents"]}
        self.assertEqual(states[idle.uuid], ("idle", None))

    def test_an_agent_that_was_told_to_end_its_work_is_ending_until_it_has(self):
        anna = HandAgent(self.pool, json.dumps({"name": "anna", "ends_when_told": True}))
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, "mine"))
            anna.content()
            client.send({"kind": "Withdraw", "id": "mine"})
            status = self.until(lambda s: [a["state"] for a in s["agents"]] == ["ending"], "the agent to be told")
        self.assertEqual((status["agents"][0]["submission"], status["counts"]["withdrawn"]), (None, 1))
        shown = self.pool.command("status").result().out
        self.assertIn("\nagents  0 busy, 0 idle, 1 ending their work\n", shown)
        self.assertRegex(shown, r"(?m)^anna +ending +\S.* s +\(withdrawn\)$")
        anna.ready.unlink()
        self.until(lambda s: s["agents"] == [], "the agent to be gone")

    def test_failures_and_deaths_are_counted(self):
        agent = self.pool.command("agent", "--exec", "[ $(cat) = 1 ] && exit 1; touch began; sleep 1000")
        self.assert_exit(self.pool.submit(1).result(), 1)
        self.pool.submit(2)
        wait_until((self.work / "began").exists, "the command")
        agent.kill()
        status = self.until(lambda s: s["counts"]["died"] == 1, "the agent's death to be noticed")
        self.assertEqual((status["counts"]["failed"], status["counts"]["handed_back"], status["queue"]["length"]), (1, 0, 1))

    def test_an_agent_at_work_since_before_a_kill_has_been_at_it_since_then(self):
        agent = self.agent("patient")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, "long"))
            agent.content()
            since = self.status()["agents"][0]["since"]
            self.daemon.kill()
        self.pool.start("--no-heartbeat")
        status = self.status()
        self.assertEqual(status["agents"][0]["submission"], "long")
        self.assertLess(abs(status["agents"][0]["since"] - since), 1000)
        self.assertLess(status["agents"][0]["since"], status["started"])
        self.assertEqual((status["counts"]["submitted"], status["counts"]["recovered"]), (0, 1))

    def test_it_tells_that_it_drains(self):
        agent = self.agent("worker")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, "mine"))
            agent.content()
            self.pool.command("stop", "--drain")
            status = self.until(lambda status: status["draining"], "the daemon to drain")
            self.assertEqual(len(status["agents"]), 1)
            self.assertIn("draining", self.pool.command("status").result().out)
            self.assertEqual(self.list()[0]["status"], "draining")

    def test_plain_output_is_for_people(self):
        self.agent("reviewer")
        result = self.pool.command("status").result()
        self.assert_exit(result, 0)
        self.assertIn("agents  0 busy, 1 idle\nqueue   empty\n", result.out)
        self.assertRegex(result.out, r"reviewer  idle +\S+( s)?  -\n")
        self.assertNotIn("\x1b", result.out)

    # The daemon is not there, or not as it should be.

    def test_without_a_daemon_it_says_how_to_start_one(self):
        self.pool.stop()
        self.daemon.result()
        for options in ((), ("--json",), ("--watch",)):
            result = self.pool.command("status", *options).result()
            self.assert_exit(result, 1)
            self.assertEqual(result.out, "")
            self.assertIn(f"troupe start --root {self.root} --pool default", result.err)

    def test_after_a_kill_it_says_so_too(self):
        self.daemon.kill()
        result = self.pool.command("status").result()
        self.assert_exit(result, 1)
        self.assertIn("no daemon serves", result.err)

    def test_a_suspended_daemon_is_not_waited_for_for_ever(self):
        self.daemon.signal(signal.SIGSTOP)
        result = self.pool.command("status").result()
        self.daemon.signal(signal.SIGCONT)
        self.assert_exit(result, 1)
        self.assertEqual(result.out, "")
        self.assertIn(f"(process {self.daemon.pid}) has not answered within 5 s", result.err)

    def test_a_daemon_that_knows_no_status_is_named_as_such(self):
        self.pool.stop()
        self.daemon.result()
        for answer in (b'{"kind":"NotProcessed","reason":"invalid","message":"what?"}', None):
            with self.subTest(answer=answer):
                with Impostor(self.pool, answer, ready=""):
                    result = self.pool.command("status").result()
                self.assert_exit(result, 1)
                self.assertEqual(result.out, "")
                self.assertIn("what?" if answer else "closed the connection", result.err)

    def test_a_published_daemon_is_not_asked(self):
        self.pool.stop()
        self.daemon.result()
        with Impostor(self.pool, b"{}", ready="ready") as impostor:
            result = self.pool.command("status").result()
            self.assert_exit(result, 1)
            self.assertIn("published daemon", result.err)
            self.assertEqual(impostor.connections(), 0)

    def test_a_sandbox_without_the_socket_is_told_of(self):
        denied = self.fixtures.parent / "pool_sandbox" / "denied.py"
        result = self.start(sys.executable, denied, "connect", "EPERM", binary("troupe"), "status").result()
        self.assert_exit(result, 1)
        self.assertIn("outside the sandbox", result.err)

    def test_somebody_elses_pool_is_refused(self):
        require(os.geteuid() == 0, "only root can give a directory away")
        give_to_nobody(self.pool.path)
        for command in ("status", "top"):
            argv = [binary("troupe"), command]
            result = self.start("script", "-qec", " ".join(argv), "/dev/null") if command == "top" \
                else self.start(*argv)
            result = result.result()
            self.assert_exit(result, 1)
            self.assertIn("nobody", result.err + result.out)
            self.assertIn("TROUPE_ROOT", result.err + result.out)

    # --watch

    def test_watch_prints_a_block_each_second_through_a_pipe(self):
        watching = self.pool.command("status", "--watch")
        wait_until(lambda: watching.out.count("running for ") >= 3, "three blocks")
        self.assertGreaterEqual(watching.out.count("\n\npool default in "), 2)
        watching.signal(signal.SIGINT)
        self.assert_exit(watching.result(), 130)

    def test_watch_json_prints_a_line_each_second(self):
        watching = self.pool.command("status", "--watch", "--json")
        wait_until(lambda: watching.out.count("\n") >= 2, "two lines")
        lines = watching.out.splitlines()
        self.assertGreater(time.monotonic() - watching.started, 0.99 * (len(lines) - 1))
        self.assertLess(json.loads(lines[0])["time"], json.loads(lines[1])["time"])
        watching.terminate()
        watching.result()

    def test_watch_outlives_the_daemon(self):
        for options in ((), ("--json",)):
            watching = self.pool.command("status", "--watch", *options)
            wait_until(lambda: str(self.daemon.pid) in watching.out, "the first status")
            self.pool.stop()
            wait_until(lambda: "no daemon serves" in watching.out + watching.err, "the outage to be told")
            self.daemon = self.pool.start("--no-heartbeat")
            wait_until(lambda: str(self.daemon.pid) in watching.out, "a status of the new daemon")
            self.assertEqual((watching.out + watching.err).count("no daemon serves"), 1)
            watching.terminate()
            watching.result()

    def test_watch_ends_with_its_reader(self):
        done = subprocess.run(f"{binary('troupe')} status --watch | head -n 1", shell=True, env=self.env, timeout=DEADLINE,
                              capture_output=True, text=True, check=True)
        self.assertTrue(done.stdout.startswith("pool default"))
        self.assertEqual(done.stderr, "")

    # In a terminal

    def terminal(self, *options, **size):
        self.terminals.append(ProgramTerminal(self, " ".join([binary("troupe"), *options]), **size))
        return self.terminals[-1]

    def test_top_shows_the_busiest_first_and_gives_the_screen_back(self):
        with self.pool.connect() as client:
            for name in ("first", "second"):
                worker = self.agent(name)
                client.send(inline({"by": name}, f"task-of-{name}"))
                worker.content()
            self.agent("idler")
            terminal = self.terminal("top")
            text = terminal.wait_for("agents  2 busy, 1 idle", "q: quit")
            self.assertNotIn("before", text)
            self.assertEqual([line.split()[0] for line in terminal.screen()[-10:] if "  busy" in line or "  idle" in line],
                             ["first", "second", "idler"])
            self.assertEqual(terminal.screen()[-1], "q: quit")
            client.send(inline({"n": 3}, "third"))
            terminal.wait_for("idler   busy", "third")
            terminal.key("q")
            text = terminal.wait_for("ended with 0", "icanon")
            self.assertEqual(text.split("\n")[:3], ["before", "ended with 0", "icanon"])
            self.assertNotIn("q: quit", text)

    def test_ctrl_c_ends_top_and_restores_the_terminal(self):
        terminal = self.terminal("top")
        terminal.wait_for("q: quit")
        terminal.key("C-c")
        self.assertEqual(terminal.wait_for("ended with 0", "icanon").split("\n")[:3], ["before", "ended with 0", "icanon"])

    def test_top_fits_any_size_and_follows_it(self):
        for number in range(30):
            HandAgent(self.pool, json.dumps({"name": f"agent-{number}"}))
        self.until(lambda status: len(status["agents"]) == 30, "the agents to be known")
        terminal = self.terminal("top")
        terminal.wait_for("more\n\nq: quit", "submitted")
        for columns, rows in ((30, 8), (120, 50), (10, 3), (80, 24)):
            terminal.resize(columns, rows)
            wait_until(lambda: len(terminal.screen()) == rows and terminal.screen()[-1] == "q: quit" and
                       terminal.screen()[0].startswith("pool def"), f"a screen of {columns} by {rows}")
        terminal.key("q")
        terminal.wait_for("ended with 0")

    def test_top_waits_for_a_daemon_that_went_away(self):
        terminal = self.terminal("top", columns=200)
        terminal.wait_for("agents  none attached")
        self.pool.stop()
        wait_until(lambda: "no daemon serves" in (text := terminal.text()) and "agents" not in text, "the outage alone")
        self.pool.start()
        terminal.wait_for("agents  none attached")
        terminal.key("q")
        terminal.wait_for("ended with 0")

    def test_top_without_a_daemon_leaves_the_screen_alone(self):
        self.pool.stop()
        text = self.terminal("top", columns=200).wait_for("ended with 1")
        self.assertIn("before\ntroupe: no daemon serves", text)

    def test_top_needs_a_terminal(self):
        result = self.pool.command("top").result()
        self.assert_exit(result, 1)
        self.assertEqual(result.out, "")
        self.assertIn("needs a terminal", result.err)

    def test_watch_draws_one_block_in_place_and_leaves_it_there(self):
        terminal = self.terminal("status", "--watch")
        terminal.wait_for("agents  none attached")
        self.agent("newcomer")
        terminal.wait_for("newcomer")
        self.assertEqual(terminal.text().count("running for"), 1)
        terminal.key("C-c")
        text = terminal.wait_for("ended with 130")
        self.assertLess(text.index("newcomer"), text.index("ended with"))
        self.assertEqual(text.count("running for"), 1)

    # list --json

    def list(self):
        return self.start("troupe", "list", "--json").json()

    def test_list_json_has_every_pool_of_the_root(self):
        self.agent("idle")
        other = Pool(self, "another")
        ended = other.start()
        other.stop()
        ended.result()
        self.assertEqual(self.list(), [
            {"pool": "another", "path": str(other.path), "status": "stopped", "pid": None, "agents": None,
             "busy": None, "queue": None, "of_run": False, "abandoned": False},
            {"pool": "default", "path": str(self.pool.path), "status": "running", "pid": self.daemon.pid, "agents": 1,
             "busy": 0, "queue": 0, "of_run": False, "abandoned": False}])

    def test_list_json_without_the_root_prints_nothing(self):
        self.assert_exit(self.run_program("troupe", "list", "--json", "--root", self.home / "nowhere"), 1)


class Impostor:
    """Another daemon at the pool's socket, in a process of its own: one answer for each connection, or none."""

    def __init__(self, pool, answer, ready):
        self.pool, self.answer, self.ready = pool, answer, ready

    def __enter__(self):
        self.status = self.pool.path / "status"
        self.status.write_text(self.ready)
        self.status.chmod(0o600)
        path = self.pool.path / "daemon.sock"
        path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        path.chmod(0o600)
        self.listener.listen()
        self.child = os.fork()
        if self.child == 0:
            self.serve()
        return self

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
                connection.recv(1000)
                if self.answer:
                    connection.sendall(b"%d\n" % len(self.answer) + self.answer)
                (self.pool.path / "connections").open("a").write("1")
                connection.close()
            except BaseException:  # this process must not go on as a second test
                os._exit(1)

    def connections(self):
        count = self.pool.path / "connections"
        return len(count.read_text()) if count.exists() else 0

    def __exit__(self, *_):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        self.listener.close()
        self.status.unlink()
