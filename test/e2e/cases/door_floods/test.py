"""What comes from outside is kept up to a limit, through whichever door it comes, as large and as often as it may come.

Agents' programs have the case program_floods, clients of HTTP harness/http_attacks, models troupe_mcp and barnum_mcp."""

import json
import os
import re
import shutil
import signal
import socket
from contextlib import suppress

from harness import DEADLINE, Pool, is_sanitized, wait_until
from harness.environment import is_thorough
from harness.fake_daemon import FakeDaemon
from harness.peak_memory import PeakMemory
from harness.pool import as_text, inline
from harness.runs import RunsCase
from harness.workflow import emit, step

MB = 1 << 20
LARGE = 1 << 30   # bytes, of which a sparse file takes none
MANY = 1_000_000  # small ones
FILES = 20_000 if is_thorough() else 4000
AGENTS = 20_000
MOST = 160 * MB   # memory
DIGITS = b"9" * 64 * MB
NO_DAEMON_SENDS = 3_000_000_000  # bytes: more than a message may have


class Flooded(PeakMemory, RunsCase):
    def check(self, peak, what, most=MOST):
        if not is_sanitized():  # ASan keeps what was freed
            self.assertLess(peak, most, what)

    def enlarge(self, path, size=LARGE):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Once it is large, a daemon may remove it at once.
        with open(path, "ab") as file:
            os.fchmod(file.fileno(), 0o600)
            os.truncate(file.fileno(), size)

    def fill(self, path, line, times=MANY):
        with open(path, "ab") as file:
            file.write((line.encode() + b"\n") * times)

    def crowd(self, directory, name, text, count=FILES):
        directory.mkdir(mode=0o700, exist_ok=True)
        for number in range(1, count + 1):
            descriptor = os.open(f"{directory}/{name.format(number)}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.write(descriptor, text.encode())
            os.close(descriptor)


class FilesOfRuns(Flooded):
    def test_what_lies_in_a_directory_of_runs(self):
        """Each file as large or as often as it may be, and what the commands that read it say of it."""
        damaged = r"not all of what .*/output had can be printed: "
        doors = [
            ("a large segment", lambda run: self.enlarge(run / "output/1.segment"), ("logs", "last"), 74, damaged),
            ("many records", lambda run: self.fill(run / "output/1.segment", "1 out 1 0 1 0"), ("logs", "last"), 74, damaged),
            ("a large index", lambda run: self.enlarge(run / "output/index.ndjson"), ("logs", "last"), 74, damaged),
            ("many sources", lambda run: self.fill(run / "output/index.ndjson", '{"source":1}'), ("logs", "last"), 74, damaged),
            ("the same in a report", lambda run: self.enlarge(run / "output/1.segment"), ("report", "last", "-o", "r.html"), 0, "r.html"),
            ("a large record", lambda run: self.enlarge(run / "run.json"), ("ps", "-a"), 0, " damaged "),
            ("a log that is no log", lambda run: self.replace_log(run, b""), ("inspect", "last"), 74, "is not a state log"),
            ("a large line at its end", lambda run: self.enlarge(run / "state.ndjson"), ("inspect", "last"), 0, "Tell"),
            ("many lines", lambda run: self.fill(run / "state.ndjson", "{}"), ("inspect", "last"), 74, "line 4, byte "),
            ("no record, and a large line", lambda run: self.replace_log(run, b'{"kind":"Config",'), ("ps", "-a"), 0, " damaged "),
            ("a large answer", lambda run: self.enlarge(run / "answers/1.json"), ("todo",), 0, "^"),
            ("many answers", lambda run: self.crowd(run / "answers", "{}.json", "x"), ("todo",), 0, "^"),
        ]
        for what, flood, words, code, message in doors:
            with self.subTest(what):
                self.flood_run(flood, words, code, message)

    def flood_run(self, flood, words, code, message):
        self.assert_run(self.run_workflow([step("Tell", "echo hello >&2; echo '[]'")]))
        (run,) = self.runs.iterdir()
        flood(run)
        result, peak = self.measured("barnum", *words)
        shutil.rmtree(run)
        self.assert_exit(result, code)
        self.assertRegex(result.out + result.err, message)
        self.check(peak, words)

    def replace_log(self, run, text):
        (run / "run.json").unlink()
        (run / "state.ndjson").write_bytes(text)
        self.enlarge(run / "state.ndjson")

    def test_what_a_resumed_run_reads(self):
        doors = [
            ("zeros at the end of the log", lambda run: self.enlarge(run / "state.ndjson"), r"dropped|incomplete"),
            ("a large answer", lambda run: self.enlarge(run / "answers/1.json"), "1.json: the answer cannot be used: .*larger than"),
            ("many answers", lambda run: self.crowd(run / "answers", "{}.json", "x"), f"{FILES - 10} more answers cannot be used"),
        ]
        asks = [step("Start", emit(("Ask", 1)), ["Ask"]), step("Ask", {"kind": "Human", "instructions": "Is it good?"})]
        for what, flood, message in doors:
            with self.subTest(what):
                self.assert_run(self.run_workflow(asks, "--exit-when-waiting"), 75)
                (run,) = self.runs.iterdir()
                flood(run)
                result, peak = self.measured("barnum", "resume", "last")
                for path in list(self.runs.iterdir()):
                    shutil.rmtree(path)
                self.assert_exit(result, 75)
                self.assertRegex(result.err, message)
                self.check(peak, what)

    def test_parks_of_accounts(self):
        parks = self.home / ".local/state/barnum/parks"
        self.enlarge(parks / "large.json")
        self.crowd(parks, "{}.json", "x")
        result, peak = self.measured("troupe", "accounts")
        self.assert_exit(result, 0)
        self.assertIn("is not believed", result.err)
        self.check(peak, "parks")


class Sockets(Flooded):
    def unread(self, path, data):
        """Sends that without reading what is answered, until the other side takes no more for a moment."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(path))
            link.settimeout(1)
            rest = memoryview(data)
            with suppress(OSError):
                while rest:
                    rest = rest[link.send(rest[:MB]):]

    def frames(self, message, times):
        data = as_text(message).encode()
        return (b"%d\n" % len(data) + data) * times

    def test_the_control_socket_of_a_run(self):
        run = self.start_waiting()
        (directory,) = self.runs.iterdir()
        control = directory / "control.sock"
        for data in (DIGITS, b"99999999999999\n", b"16777216\n" + b"x" * 16 * MB, self.frames({"kind": "Pause"}, MANY),
                     self.frames({"kind": "Nonsense"}, MANY), self.frames({"kind": "Attach", "mode": "table"}, MANY)):
            self.unread(control, data)
        self.assert_running(run)
        self.check(self.peak_so_far(run), "the run")
        self.barnum("continue", "last")
        (self.work / "go").touch()
        self.assert_run(run.result())

    def test_the_socket_of_a_pool(self):
        pool = Pool(self)
        daemon = pool.start("--no-heartbeat")
        session = self.frames({"kind": "Session", "session": "s"}, 1)
        for data in (DIGITS, b"99999999999999\n", b"67108864\n" + b"x" * 64 * MB,
                     self.frames({"kind": "Nonsense"}, MANY), self.frames({"kind": "Status"}, MANY // 10),
                     self.frames({"kind": "Withdraw", "id": "unknown"}, MANY),
                     session + self.frames({"kind": "Away", "name": "agent", "labels": [], "account": None, "until": 9, "reason": "x"}, MANY),
                     session + b"".join(self.frames({"kind": "Away", "name": f"agent-{n}", "labels": [], "account": None, "until": 9,
                                                     "reason": "x" * 200}, 1) for n in range(MANY // 10))):
            self.unread(pool.path / "daemon.sock", data)
        self.assert_running(daemon)
        self.assertEqual(pool.queued(), 0)
        self.check(self.peak_so_far(daemon), "the daemon")


class FilesOfPools(Flooded):
    def test_what_agents_and_submitters_leave_in_a_pool(self):
        pool = Pool(self)
        daemon = pool.start("--no-heartbeat", "--max-message-bytes", 8 * MB)
        agents, submissions = pool.path / "agents", pool.path / "submissions"
        self.enlarge(agents / "large.ready.json")
        self.enlarge(pool.path / "status")
        self.enlarge(submissions / "large.request.json")
        self.assertIn("larger than 8388608 bytes", pool.response_by_file("large")["message"])
        self.crowd(submissions, "note-{}", "x")
        self.crowd(submissions, "{}.response.json", "x")
        self.crowd(agents, "{}.report.json", "x")
        submitter = pool.submit({"n": 1})
        task = pool.take("--name", "careless")
        self.enlarge(agents / f"{task['uuid']}.response.json")
        self.assertIn("8388608", json.loads(submitter.result().out)["message"])
        self.assertRegex(daemon.err, r"ignoring an agent: .*large.ready.json is larger than")
        self.assertLess(daemon.err.count("not a file name of the protocol"), 2000)
        self.check(self.peak_so_far(daemon), "the daemon")

    def test_waiting_agents_cost_little_each(self):
        pool = Pool(self)
        daemon = pool.start("--no-heartbeat")
        self.crowd(pool.path / "agents", "{}.ready.json", "", AGENTS)

        def knows_all():
            asked = pool.command("status", "--json").result()  # while it is busy, it answers too late
            return asked.code == 0 and len(asked.json["agents"]) == AGENTS
        wait_until(knows_all, "the daemon to know all of them", 3 * DEADLINE)
        self.check(self.peak_so_far(daemon), "the daemon")


class Clients(Flooded):
    """A process of this user that serves a pool, and is no daemon."""

    def fake(self, reply):
        return FakeDaemon(self, self.root / "pools" / "default", reply)

    def submit(self, *options):
        return self.measured("troupe", "submit_task", "--data", as_text({"n": 1}), "--timeout-secs", 1, *options)

    def test_a_frame_that_no_daemon_sends(self):
        self.fake(lambda request: b"%d\n" % NO_DAEMON_SENDS + b"x" * MB)
        result, peak = self.submit()
        self.assertNotEqual(result.code, 0)
        self.assertIn(f"the frame is {NO_DAEMON_SENDS} bytes long", result.err)
        self.check(peak, "submit_task")

    def test_frames_that_mean_nothing(self):
        self.fake(lambda request: b'8\n{"a":[]}' * MANY)
        result, peak = self.submit()
        self.assertNotEqual(result.code, 0)
        self.check(peak, "submit_task")

    def test_a_response_file_that_no_daemon_writes(self):
        self.fake(lambda request: None)
        submissions = self.root / "pools/default/submissions"
        submitter = self.start("troupe", "submit_task", "--data", "{}", "--notify", "file")
        wait_until(lambda: list(submissions.glob("*.request.json")), "the request")
        (request,) = submissions.glob("*.request.json")
        self.enlarge(submissions / request.name.replace("request", "response"), NO_DAEMON_SENDS)
        self.assertNotEqual(submitter.result().code, 0)
        self.assertIn("is larger than 2000000000 bytes", submitter.err)

    def test_a_task_file_that_no_daemon_writes(self):
        self.fake(lambda request: None)
        agents = self.root / "pools/default/agents"
        agent = self.start("troupe", "get_task")
        wait_until(lambda: list(agents.glob("*.ready.json")), "the agent")
        (ready,) = agents.glob("*.ready.json")
        self.enlarge(agents / ready.name.replace("ready", "task"), NO_DAEMON_SENDS)
        self.assertNotEqual(agent.result().code, 0)
        self.assertIn("is larger than 2000000000 bytes", agent.err)
