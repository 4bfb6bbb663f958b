"""What submitters over files leave behind when they are killed: it is removed a day after the answer, and nothing else is."""

import json
import os
import signal
import time

from harness import Case, HandAgent, Pool, require, wait_until
from harness.pool import inline, most_queued_events
from harness.process import wait_suspended
from harness.workflow import pool, step

HOUR = 3600
LARGE = 2_000_000
EVENTS = 200_000  # that a test may cause


class Leftovers(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def file_of(self, id_, kind):
        return self.pool.path / "submissions" / f"{id_}.{kind}.json"

    def answered(self, id_):
        """Asked for and answered; both files are there."""
        self.pool.request_by_file(inline(1), id_)
        agent = HandAgent(self.pool)
        agent.content()
        agent.respond("[]")
        wait_until(self.file_of(id_, "response").exists, "the answer")
        wait_until(lambda: not agent.files(), "the agent's files to go")
        return id_

    def refused(self, id_):
        self.pool.request_by_file({"kind": "Nonsense"}, id_)
        wait_until(self.file_of(id_, "response").exists, "the refusal")
        return id_

    def make_older(self, id_, hours, kinds=("request", "response")):
        then = time.time() - hours * HOUR
        for kind in kinds:
            os.utime(self.file_of(id_, kind), (then, then))

    def restart(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()
        self.daemon = self.pool.start("--no-heartbeat")

    def wait_gone(self, *ids):
        wait_until(lambda: not any(self.file_of(id_, kind).exists() for id_ in ids for kind in ("request", "response")),
                   f"the files of {ids} to go")

    def assert_there(self, *names):
        self.pool.settle()
        self.assertEqual(self.pool.submission_files(), sorted(f"{name}.json" for name in names))

    def test_answers_that_nobody_has_fetched_for_a_day_are_removed_with_their_requests(self):
        old, invalid, young, again = self.answered("old"), self.refused("invalid"), self.answered("young"), self.answered("again")
        queued = self.pool.request_by_file(inline(2), "queued")
        for id_ in old, invalid, again:
            self.make_older(id_, 25)
        self.make_older(young, 23)
        self.make_older(queued, 25, ["request"])
        os.utime(self.file_of(again, "request"))  # somebody has asked for it again
        self.restart()
        self.wait_gone(old, invalid)
        self.assert_there("again.request", "again.response", "queued.request", "young.request", "young.response")
        self.assertEqual(self.pool.response_by_file(young)["kind"], "Processed")
        agent = HandAgent(self.pool)
        self.assertEqual(agent.content(), 2)  # and it is the only task

    def test_a_daemon_that_goes_on_for_long_removes_them_too(self):
        old = self.answered("old")
        self.make_older(old, 25)
        self.have_the_daemon_look()
        self.wait_gone(old)

    def have_the_daemon_look(self):
        """Through its directories, now and not in half a minute."""
        require(most_queued_events() <= EVENTS, "the kernel's queue of events is too long for this test")
        self.daemon.signal(signal.SIGSTOP)
        wait_suspended([self.daemon.pid])
        self.pool.fill_event_queue()
        self.daemon.signal(signal.SIGCONT)

    def start_run(self, letter):
        """With one task, whose content is so large that it has a file of its own."""
        script = f"printf '[{{\"kind\":\"Ask\",\"value\":\"'; head -c {LARGE} /dev/zero | tr '\\0' {letter}; printf '\"}}]'"
        config = self.work / f"{letter}.json"
        config.write_text(json.dumps({"entrypoint": "Make", "steps": [step("Make", script, ["Ask"]), step("Ask", pool())]}))
        return self.start("barnum", "run", "--config", config, "--root", self.root, "--pool", self.pool.name, "--no-embedded-pool")

    def test_the_content_of_a_request_is_there_as_long_as_its_submitter(self):
        alive = self.start_run("a")
        wait_until(lambda: self.pool.queued() == 1, "its task to be the first")
        killed = self.start_run("b")
        wait_until(lambda: self.pool.queued() == 2, "both tasks")
        contents = list((self.pool.path / "scratch").iterdir())
        self.assertEqual([path.stat().st_size > LARGE for path in contents], [True, True])
        killed.signal(signal.SIGKILL)
        killed.result()
        then = time.time() - 25 * HOUR
        for path in contents:
            os.utime(path, (then, then))
        self.have_the_daemon_look()
        wait_until(lambda: [path.exists() for path in contents].count(True) == 1, "the content that nobody has to go")
        agent = HandAgent(self.pool)
        self.assertEqual(agent.content()["task"]["value"], "a" * LARGE)
        agent.respond("[]")
        self.assert_exit(alive.result(), 0)
        self.assertEqual(list((self.pool.path / "scratch").iterdir()), [])

    def test_a_submitter_that_is_alive_keeps_its_files_however_long_it_sleeps(self):
        sleeping, killed = (self.pool.submit(n, transport="file") for n in (1, 2))
        wait_until(lambda: self.pool.queued() == 2, "the tasks")
        for submitter in sleeping, killed:
            submitter.signal(signal.SIGSTOP)
        wait_suspended([sleeping.pid, killed.pid])
        ids = {}
        for _ in range(2):
            agent = HandAgent(self.pool)
            content = agent.content()
            before = set(self.pool.submission_files())
            agent.respond([content])
            wait_until(lambda: set(self.pool.submission_files()) - before, "the answer")
            ids[content], = (name.split(".")[0] for name in set(self.pool.submission_files()) - before)
        killed.signal(signal.SIGKILL)
        killed.result()
        for id_ in ids.values():
            self.make_older(id_, 1000)
        self.restart()
        self.wait_gone(ids[2])
        self.assert_there(f"{ids[1]}.request", f"{ids[1]}.response")
        sleeping.signal(signal.SIGCONT)
        self.assertEqual(json.loads(sleeping.json()["stdout"]), [1])
        self.assert_there()
