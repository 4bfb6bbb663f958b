"""What a later version has written is not misread: a pool, a state log or a record of a higher format is refused, and earlier
versions cannot start on a pool whose agents have tasks."""

import json
import os
import signal
from pathlib import Path

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline


class PoolOfAnotherVersion(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")
        self.version = self.run_program("troupe", "version", "--json").json["version"]
        self.pool.request_by_file(inline(7), "seven")
        self.agent = HandAgent(self.pool)
        self.agent.content()

    def kill(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()

    def leases(self):
        return (self.pool.path / "leases").read_text()

    def assert_once(self):
        """The task is still this agent's, and nobody else gets it."""
        other = HandAgent(self.pool)
        self.pool.still(lambda: not other.has_task(), "the other agent has no task")
        self.agent.respond("[7]")
        self.assertEqual(self.pool.response_by_file("seven")["stdout"], "[7]")

    def test_an_earlier_version_cannot_start_where_agents_have_tasks(self):
        """Each of them has put its file of leases at this place before it served the pool, by rename, and has ended with the
        error if that failed."""
        self.kill()
        self.assertIn(f"#format 2 {self.version} ", self.leases())
        file = self.pool.path / "scratch" / "daemon.leases"
        file.write_text("")
        with self.assertRaises(IsADirectoryError):
            os.rename(file, self.pool.path / "daemon.leases")
        file.unlink()
        self.pool.start("--no-heartbeat")
        self.assert_once()

    def test_it_can_start_after_an_orderly_stop(self):
        self.assert_exit(self.pool.stop(), 0)
        file = self.pool.path / "scratch" / "daemon.leases"
        file.write_text("")
        os.rename(file, self.pool.path / "daemon.leases")
        self.daemon = self.pool.start("--no-heartbeat")  # and this one after it
        wait_until((self.pool.path / "daemon.leases").is_dir, "the place to be taken")
        self.assertNotIn("removed", self.daemon.err)

    def test_a_pool_of_a_later_version_is_refused_until_that_has_stopped(self):
        self.kill()
        leases = self.leases()
        (self.pool.path / "leases").write_text(leases.replace("#format 2 ", "#format 3 9.9.9+", 1))
        before = self.pool.agent_files(), self.pool.submission_files(), self.leases()
        for _ in range(2):
            refused = self.pool.command("start").result()
            self.assert_exit(refused, 1)
            for words in ("of version 9.9.9+", "in format 3", f"this is version {self.version}, which knows formats up to 2",
                          f"troupe stop --root {self.root} --pool default", f"remove {self.pool.path}/leases"):
                self.assertIn(words, refused.err)
        self.assertEqual((self.pool.agent_files(), self.pool.submission_files(), self.leases()), before)
        (self.pool.path / "leases").write_text(leases)
        self.pool.start("--no-heartbeat")
        self.assert_once()


ONCE = json.dumps({"entrypoint": "Once", "steps": [{"name": "Once", "next": [], "action": {
    "kind": "Command", "script": "[ -e once ] || { touch once; kill -INT $PPID; sleep 60; }; echo []"}}]})


class RunOfAnotherVersion(Case):
    """A run that was interrupted, and can be resumed."""

    def setUp(self):
        super().setUp()
        self.version = self.run_program("barnum", "version", "--json").json["version"]
        self.assert_exit(self.run_program("barnum", "run", "--config", ONCE), 130)
        run, = self.run_program("barnum", "ps", "-a", "--json").json
        self.run_id, self.log = run["id"], Path(run["state_log"])
        self.record = self.log.parent / "run.json"

    def change(self, file, old, new):
        text = file.read_text()
        self.assertEqual(text.count(old), 1, text)
        file.write_text(text.replace(old, new))

    def header(self, log):
        return json.loads(log.read_text().splitlines()[0])

    def test_a_state_log_tells_its_format_and_version(self):
        header = self.header(self.log)
        self.assertEqual((header["format"], header["version"]), (4, self.version))

    def test_a_state_log_of_a_later_version_is_refused(self):
        self.change(self.log, f'"format":4,"version":"{self.version}"', '"format":5,"version":"9.9.9"')
        before = self.log.read_bytes()
        new = self.work / "new.ndjson"
        for command in (("run", "--resume-from", self.log, "--state-log", new), ("resume", self.run_id), ("inspect", self.log),
                        ("report", self.run_id), ("retry", self.run_id)):
            refused = self.run_program("barnum", *command)
            self.assertNotEqual(refused.code, 0, command)
            self.assertIn(f"{self.log}: the log was written by version 9.9.9 in format 5, and this program reads formats up to 4",
                          refused.err, command)
        self.assertFalse(new.exists())
        self.assertEqual(self.log.read_bytes(), before)

    def test_a_record_of_a_later_version_is_listed_and_not_resumed(self):
        self.change(self.record, f'"version":"{self.version}","format":3', '"version":"9.9.9","format":4')
        for command in "resume", "retry":
            refused = self.run_program("barnum", command, self.run_id)
            self.assert_exit(refused, 2)
            self.assertIn(f"the record of run {self.run_id} was written by version 9.9.9 in format 4, and this is version {self.version}, "
                          "which knows formats up to 3", refused.err)
        listed, = self.run_program("barnum", "ps", "-a", "--json").json
        self.assertEqual((listed["id"], listed["version"]), (self.run_id, "9.9.9"))
        self.assert_exit(self.run_program("barnum", "inspect", self.run_id), 0)

    def test_a_log_of_an_earlier_version_is_continued_in_the_present_format(self):
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        for line in lines:
            del line["checksum"]
        del lines[0]["format"], lines[0]["version"]
        self.log.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        new = self.work / "new.ndjson"
        self.assert_exit(self.run_program("barnum", "run", "--resume-from", self.log, "--state-log", new), 0)
        header = self.header(new)
        self.assertEqual((header["format"], header["version"]), (4, self.version))
        self.assertEqual({k: header[k] for k in lines[0]}, lines[0])
        self.assert_exit(self.run_program("barnum", "inspect", new), 0)
