"""Commands of agents that fail: the attempt fails at once, and the step's retries decide. Exit code 75 says that the
trouble is the agent's own."""

import json

from harness import Pool, one_host, wait_until
from harness.pool import inline
from harness.statelog import LogCase, entries
from harness.workflow import emit, pool, step

HOUR = 3600
NO_CREDIT = "echo run >> runs; echo 'no credit left' >&2; exit 7"


def reasons(log):
    """Of the failed attempts, in order."""
    return [entry["reason"] for entry in map(flat, log) if "reason" in entry]


def flat(entry):
    """The entry with its outcome's members beside its own."""
    members = dict(entry)
    for value in entry.values():
        if isinstance(value, dict):
            members |= flat(value)
    return members


class FailureCase(LogCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_pool(self):
        self.daemon = self.pool.start("--no-heartbeat")

    def agents(self, command, count=1, name="agent"):
        known = self.pool.waiting_agents()
        agents = self.pool.command("agent", "--exec", command, "--count", str(count), "--name", name)
        wait_until(lambda: len(self.pool.waiting_agents() - known) == count, "the agents to announce themselves")
        return agents

    def names(self):
        """Of the agents that the pool knows."""
        return sorted(agent["name"] for agent in self.pool.agent_side.status()["agents"])

    def run_with_agents(self, command, *args, count=1, retries=2, timeout=HOUR):
        return self.start_logged([step("Ask", pool(), options={"max_retries": retries, "timeout": timeout})],
                                 "--agents", str(count), "--agent-exec", command, *args)


class FailedCommands(FailureCase):
    def test_a_submitter_is_told_at_once(self):
        self.start_pool()
        self.agents(NO_CREDIT)
        for transport in ("socket", "file"):
            result = self.pool.submit({"timeout_seconds": HOUR}, transport=transport).result()
            self.assert_exit(result, 1)
            answer = result.json
            self.assertEqual((answer["kind"], answer["reason"], answer["exit_code"]), ("NotProcessed", "agent_failed", 7))
            self.assertIn("no credit left", answer["message"])
        self.assertEqual(self.count("runs"), 2)

    def test_a_signal_and_an_empty_answer_are_failures_too(self):
        self.start_pool()
        for command, words in (("kill -9 $$", "SIGKILL"), ("true", "no response")):
            agent = self.agents(command)
            answer = self.pool.submit({"timeout_seconds": HOUR}).result().json
            self.assertEqual(answer["reason"], "agent_failed")
            self.assertIn(words, answer["message"])
            agent.terminate()
            agent.result()

    def test_an_agent_goes_on_after_a_failure(self):
        self.start_pool()
        agent = self.agents("if [ -e failed ]; then echo '[1]'; else touch failed; exit 1; fi")
        self.assert_exit(self.pool.submit({"n": 1}).result(), 1)
        self.assertEqual(self.pool.submit({"n": 2}).json()["stdout"], "[1]\n")
        self.assert_running(agent)

    @one_host("its agents are those of a run")
    def test_the_retries_of_a_run_decide(self):
        result = self.run_with_agents(NO_CREDIT, retries=2).result()
        self.assert_run(result, 1)
        self.assertEqual(self.count("runs"), 3)
        failures = reasons(entries(self.log()))
        self.assertEqual([(reason["kind"], reason["exit_code"]) for reason in failures], [("AgentFailed", 7)] * 3)
        for reason in failures:
            self.assertIn("no credit left", reason["message"])
        self.assertIn("no credit left", result.err)
        self.assertNotIn("did not respond", result.err)

    def test_so_they_do_on_the_pool_of_a_daemon(self):
        self.start_pool()
        self.agents("if [ -e failed ]; then echo '[]'; else touch failed; kill -TERM $$; fi")
        run = self.start_logged([step("Ask", pool(), options={"max_retries": 1, "timeout": HOUR})], "--no-embedded-pool")
        self.assert_run(run.result())
        (reason,) = reasons(entries(self.log()))
        self.assertEqual((reason["kind"], reason["signal"]), ("AgentFailed", 15))

    def test_of_a_long_stderr_the_end_is_told(self):
        self.start_pool()
        self.agents("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2; exit 1")
        message = self.pool.submit({"timeout_seconds": HOUR}).result().json["message"]
        self.assertIn("line 2999", message)
        self.assertNotIn("line 1000\n", message)


class TemporaryFailures(FailureCase):
    def test_another_agent_does_the_task_and_no_retry_is_used(self):
        self.start_pool()
        self.agents("echo 'not logged in' >&2; touch tried; exit 75", name="broken")
        run = self.start_logged([step("Ask", pool(), options={"max_retries": 0, "timeout": HOUR})], "--no-embedded-pool")
        wait_until((self.work / "tried").exists, "the agent to try")
        self.agents("echo '[]'", name="good")
        self.assert_run(run.result())
        self.assertEqual(reasons(entries(self.log())), [])
        self.assertIn("not logged in", self.daemon.err)

    def test_the_agent_rests(self):
        self.start_pool()
        self.agents("date +%s.%N >> tries; exit 75", name="broken")
        submitter = self.pool.submit({"n": 1})
        wait_until(lambda: self.count("tries") == 1 and not self.names(), "the agent to be away")
        wait_until(lambda: self.count("tries") == 2, "it to come back")
        first, second = (float(line) for line in (self.work / "tries").read_text().split())
        self.assertGreaterEqual(second - first, 5)
        self.assert_running(submitter)

    @one_host("its agents are those of a run")
    def test_a_run_whose_agents_all_rest_says_so_and_goes_on(self):
        command = "echo x >> tries; if [ -e repaired ]; then echo '[]'; else echo 'not logged in' >&2; exit 75; fi"
        run = self.run_with_agents(command, count=2, retries=0)
        wait_until(lambda: "every agent of this run rests" in run.err, "the standstill to be told")
        self.assertRegex(run.err, r"every agent of this run rests or has ended; the next tries again in \d+ s: .*code 75.*not logged in")
        (self.work / "repaired").touch()
        self.assert_run(run.result())
        self.assertGreaterEqual(self.count("tries"), 3)
        self.assertEqual(reasons(entries(self.log())), [])

    @one_host("its agents are those of a run")
    def test_it_is_the_task_if_the_others_are_done_meanwhile(self):
        # The others come one after the other, and the last one when the wicked one was surely handed back already.
        command = ("case $(cat) in *wicked*) echo >> tries; echo 'no luck' >&2; exit 75;; *finally*) echo '[]'; exit;; esac; "
                   f"if [ $(cat tries | wc -l) -ge 2 ]; then\n{emit(('Ask', 'finally'))}\nelse\n{emit(('Ask', 'good'))}\nfi")
        first = emit(("Ask", "wicked"), ("Ask", "good"))
        steps = [step("First", first, ["Ask"]), step("Ask", pool(), ["Ask"], options={"max_retries": 0, "timeout": HOUR})]
        result = self.start_logged(steps, "--agents", "4", "--agent-exec", command).result()
        self.assert_exit(result, 1)
        (reason,) = reasons(entries(self.log()))
        self.assertEqual((reason["kind"], reason["exit_code"]), ("AgentFailed", 75))
        self.assertIn("exited with code 75: no luck", reason["message"])
        self.assertIn("5th time in a row", reason["message"])
        self.assertGreaterEqual(result.err.count("hands its task back"), 5)

    @one_host("its agents are those of a run")
    def test_the_events_of_its_progress_tell_it_too(self):
        command = "if [ -e repaired ]; then echo '[]'; else echo 'not logged in' >&2; exit 75; fi"
        run = self.run_with_agents(command, "--progress", "json", retries=0)
        wait_until(lambda: any("not logged in" in event.get("standstill", "") for event in self.events(run)),
                   "the event, which comes each 30 s")
        (self.work / "repaired").touch()
        self.assert_run(run.result())
        self.assertNotIn("standstill", self.events(run)[-1])

    @staticmethod
    def events(run):
        whole = run.err[:run.err.rfind("\n") + 1]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


class UnusableCommands(FailureCase):
    @one_host("its agents are those of a run")
    def test_on_a_shared_pool_the_run_waits_for_the_agents_of_others(self):
        self.start_pool()
        path = self.work / "flow.json"
        path.write_text(json.dumps({"steps": [{"name": "Ask", "action": {"kind": "Pool", "instructions": "x"}, "next": []}],
                                    "entrypoint": "Ask"}))
        run = self.start("barnum", "run", "--config", path, "--state-log", "log.ndjson", "--pool", "default", "--agents", "2",
                         "--agent-exec", "nothere-at-all")
        wait_until(lambda: "none of this run's agents could execute its command" in run.err, "the run to say so")
        self.agents("echo '[]'")
        self.assert_exit(run.result(), 0)

    def test_an_agent_whose_command_cannot_be_executed_ends_and_its_task_is_anothers(self):
        self.start_pool()
        (self.work / "notes.txt").write_text("#!/bin/sh\n")
        for command, code in (("nothere-at-all", 127), ("sh -c ./notes.txt", 126)):
            agent = self.agents(command)
            submitter = self.pool.submit({"n": 1})
            result = agent.result()
            self.assert_exit(result, 1)
            self.assertIn(f"the command exited with code {code}", result.err)
            good = self.agents("echo '[]'")
            self.assertEqual(submitter.json()["stdout"], "[]\n")
            good.terminate()
            good.result()

    def test_after_a_success_these_codes_are_failures_like_any_other(self):
        self.start_pool()
        agent = self.agents("if [ -e done ]; then exit 127; else touch done; echo '[]'; fi")
        self.assert_exit(self.pool.submit({"n": 1}).result(), 0)
        answer = self.pool.submit({"n": 2}).result().json
        self.assertEqual((answer["reason"], answer["exit_code"]), ("agent_failed", 127))
        self.assert_running(agent)


class PublishedSubmitters(FailureCase):
    """They know of no failures: the task is handed back, and in the end it has timed out."""

    def setUp(self):
        super().setUp()
        self.start_pool()

    def ask(self, transport, content):
        if transport == "file":
            return self.pool.response_by_file(self.pool.request_by_file(inline(content)))
        with self.pool.connect() as client:
            client.send(inline(content))
            return client.receive()

    def test_three_failures_are_a_timeout(self):
        self.agents("echo x >> tries; exit 1")
        for transport in ("socket", "file"):
            answer = self.ask(transport, {"timeout_seconds": HOUR})
            self.assertEqual(answer, {"kind": "NotProcessed", "reason": "timeout"})
            self.assertEqual(self.count("tries"), 3)
            (self.work / "tries").unlink()

    def test_an_agent_that_can_do_it_does_it(self):
        self.agents("echo x >> tries; if [ $(($(wc -l < tries) % 3)) = 0 ]; then echo '[1]'; else exit 1; fi")
        for transport in ("socket", "file"):
            for content in ({"timeout_seconds": HOUR}, {}):
                answer = self.ask(transport, content)
                self.assertEqual(answer, {"kind": "Processed", "stdout": "[1]\n"})
