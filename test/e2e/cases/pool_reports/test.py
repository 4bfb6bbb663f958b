"""What goes through the pool besides tasks and responses: the schema of the response, the report of the agent, and the
name of a failure. What the run makes of it, and that no file is left, whenever the daemon is killed."""

import json

from harness import HandAgent, Pool, wait_until
from harness.pool import inline
from harness.statelog import LogCase, entries
from harness.workflow import pool, step

SCHEMA = {"type": "array", "maxItems": 0}
REPORT = {"kind": "claude", "model": "opus", "session": "5f3c", "repairs": 2, "turns": 7, "input_tokens": 12000,
          "cached_tokens": 9000, "output_tokens": 800, "usd": 0.31}
READY = {"name": "by hand", "wants_schema": True, "reports": True}


class ReportingAgent(HandAgent):
    """An agent that wants schemas and reports."""

    def __init__(self, pool, **ready):
        super().__init__(pool, json.dumps(READY | ready))
        self.schema, self.report = (pool.agent_side.path / "agents" / f"{self.uuid}.{kind}.json" for kind in ("schema", "report"))

    def read_schema(self):
        """Of the task, which is there."""
        self.content()
        return json.loads(self.schema.read_text()) if self.schema.exists() else None

    def respond_with(self, report, text="[]"):
        scratch = self.pool.agent_side.path / "scratch" / self.report.name
        scratch.write_text(report if isinstance(report, str) else json.dumps(report))
        scratch.rename(self.report)
        self.respond(text)

    def give_back(self, **members):
        """Hands the task back by its ready file."""
        self.ready.write_text(json.dumps({"handed_back": "another one may have it"} | members))

    def fail(self, **members):
        """Releases the task, as failed, by its ready file."""
        self.ready.write_text(json.dumps({"handed_back": "it went wrong", "reason": "failed"} | members))


def request(id_, **members):
    return inline({"n": 1}, id_) | {"wants_agent": True, "wants_failures": True} | members


class ReportCase(LogCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.start_pool()

    def start_pool(self):
        self.daemon = self.pool.start("--no-heartbeat")

    def restart_killed(self):
        self.daemon.kill()
        self.daemon.result()
        self.start_pool()

    def assert_no_files(self):
        wait_until(lambda: self.pool.agent_files() == [], "all files of agents to go")


class Schemas(ReportCase):
    def test_an_agent_that_wants_it_gets_the_schema_and_another_does_not(self):
        with self.pool.connect() as client:
            for agent, expected in ((ReportingAgent(self.pool), SCHEMA),
                                    (ReportingAgent(self.pool, wants_schema=False), None)):
                client.send(request(agent.uuid, response_schema=SCHEMA))
                self.assertEqual(agent.read_schema(), expected)
                agent.respond("[]")
                self.assertEqual(client.receive()["kind"], "Processed")
            agent = ReportingAgent(self.pool)
            client.send(request("without"))
            self.assertIsNone(agent.read_schema())
            agent.respond("[]")
            client.receive()
        self.assert_no_files()

    def test_submit_task_sends_a_schema_by_text_and_by_file_over_both_transports(self):
        (self.work / "schema.json").write_text(json.dumps(SCHEMA, indent=2))
        for transport in ("socket", "file"):
            for given in (json.dumps(SCHEMA), "schema.json"):
                agent = ReportingAgent(self.pool)
                submitter = self.pool.submit("1", "--response-schema", given, transport=transport)
                self.assertEqual(agent.read_schema(), SCHEMA)
                agent.respond("[]")
                self.assertEqual(submitter.json(), {"kind": "Processed", "stdout": "[]"})

    def test_a_schema_that_is_no_object_is_refused(self):
        with self.pool.connect() as client:
            client.send(request("1", response_schema=[]))
            answer = client.receive()
        self.assertEqual(answer["reason"], "invalid")
        self.assertIn("response_schema", answer["message"])

    def test_a_task_that_is_handed_back_keeps_its_schema(self):
        first = ReportingAgent(self.pool)
        with self.pool.connect() as client:
            client.send(request("1", response_schema=SCHEMA))
            first.content()
            first.ready.unlink()
            second = ReportingAgent(self.pool)
            self.assertEqual(second.read_schema(), SCHEMA)
            second.respond("[]")
            client.receive()
        self.assert_no_files()

    def test_a_task_that_is_handed_back_to_a_new_daemon_keeps_its_schema(self):
        first = ReportingAgent(self.pool)
        with self.pool.connect() as client:
            client.send(request("1", response_schema=SCHEMA))
            first.content()
        self.restart_killed()
        first.ready.unlink()
        second = ReportingAgent(self.pool)
        self.assertEqual(second.read_schema(), SCHEMA)
        with self.pool.connect() as client:
            client.send(request("1", response_schema=SCHEMA))
            second.respond("[2]")
            self.assertEqual(client.receive()["stdout"], "[2]")
        self.assert_no_files()


class Reports(ReportCase):
    def ask(self, agent, act, **members):
        """The answer to a request that the agent gets, and on which it acts."""
        with self.pool.connect() as client:
            client.send(request(agent.uuid, **members))
            agent.content()
            act()
            return client.receive()

    def test_a_report_is_told_to_a_submitter_that_wants_to_know_the_agent(self):
        agent = ReportingAgent(self.pool)
        answer = self.ask(agent, lambda: agent.respond_with(REPORT | {"more": []}))
        self.assertEqual(answer["report"], REPORT)
        agent = ReportingAgent(self.pool)
        answer = self.ask(agent, lambda: agent.respond_with(REPORT), wants_agent=False)
        self.assertEqual(answer, {"id": agent.uuid, "kind": "Processed", "stdout": "[]"})
        self.assert_no_files()

    def test_what_agents_have_used_that_hand_the_task_back_is_added_up(self):
        used = {"kind": "claude", "input_tokens": 100, "turns": 1}
        for end, reason in (("respond", None), ("fail", "agent_failed")):
            with self.pool.connect() as client:
                client.send(request(end))
                for number in range(2):
                    agent = ReportingAgent(self.pool, name=f"{end} {number}")
                    agent.content()
                    agent.give_back(report=used | {"since": 1000 + number})
                    wait_until(lambda agent=agent: not agent.task.exists(), "the task to be taken back")
                agent = ReportingAgent(self.pool)
                agent.content()
                if reason:
                    agent.fail(report=used | {"model": "opus", "since": 1002})
                else:
                    agent.respond_with(used | {"model": "opus", "since": 1002})
                answer = client.receive()
            self.assertEqual(answer.get("reason"), reason)
            report = {key: answer["report"].get(key) for key in ("kind", "model", "input_tokens", "turns", "agents")}
            self.assertEqual(report, {"kind": "claude", "model": "opus", "input_tokens": 300, "turns": 3, "agents": 3})
        self.assert_no_files()

    def test_a_report_that_cannot_be_used_costs_nothing_but_itself(self):
        for report in ("", "{", "[]", '{"kind":7}', json.dumps(REPORT) + 16384 * " "):
            agent = ReportingAgent(self.pool)
            answer = self.ask(agent, lambda: agent.respond_with(report, "[1]"))
            self.assertEqual((answer["stdout"], answer.get("report")), ("[1]", None))
        agent = ReportingAgent(self.pool, reports=False)
        self.assertNotIn("report", self.ask(agent, lambda: agent.respond_with(REPORT)))
        self.pool.stop()
        self.assertNotIn(f"{agent.uuid}.response.json", self.pool.agent_files())

    def test_a_failure_has_its_name_and_its_report(self):
        agent = ReportingAgent(self.pool)
        answer = self.ask(agent, lambda: agent.fail(failure="too_large", permanent=True, report=REPORT))
        self.assertEqual({key: answer[key] for key in ("reason", "failure", "permanent", "report")},
                         {"reason": "agent_failed", "failure": "too_large", "permanent": True, "report": REPORT})
        agent = ReportingAgent(self.pool)
        answer = self.ask(agent, lambda: agent.fail(failure="a b", permanent=1, report=[]))
        self.assertEqual(set(answer), {"id", "agent", "kind", "reason", "message"})
        self.assert_no_files()

    def test_a_failure_over_a_session_has_them_too(self):
        with self.pool.agent_side.connect() as session:
            session.send('{"kind":"Session","session":"s-1"}')
            session.receive()
            agent = ReportingAgent(self.pool, session="s-1")
            release = {"kind": "Release", "agent": agent.uuid, "reason": "failed", "message": "m", "failure": "refusal",
                       "permanent": True, "report": REPORT}
            answer = self.ask(agent, lambda: session.send(json.dumps(release, separators=(",", ":"))))
        self.assertEqual((answer["failure"], answer["permanent"], answer["report"]), ("refusal", True, REPORT))
        self.assert_no_files()


class NothingIsLeft(ReportCase):
    def test_after_a_kick_and_a_late_report(self):
        agent = ReportingAgent(self.pool)
        submitter = self.pool.submit({"timeout_seconds": 0.2}, "--response-schema", json.dumps(SCHEMA))
        self.assert_exit(submitter.result(), 124)  # so long after the agent was given the task
        self.assert_no_files()
        agent.report.write_text(json.dumps(REPORT))
        self.assert_no_files()

    def test_after_a_stop(self):
        agent = ReportingAgent(self.pool)
        submitter = self.pool.submit("1", "--response-schema", json.dumps(SCHEMA))
        agent.content()
        agent.report.write_text(json.dumps(REPORT))
        self.pool.stop()
        submitter.result()
        self.assertEqual(self.pool.agent_files(), [])

    def test_after_a_response_that_was_written_while_no_daemon_ran(self):
        agent = ReportingAgent(self.pool)
        with self.pool.connect() as client:
            client.send(request("1", response_schema=SCHEMA))
            agent.content()
        self.daemon.kill()
        self.daemon.result()
        agent.respond_with(REPORT, "[1]")
        self.start_pool()
        with self.pool.connect() as client:
            client.send(request("1", response_schema=SCHEMA))
            answer = client.receive()
        self.assertEqual((answer["stdout"], answer["report"]), ("[1]", REPORT))
        self.assert_no_files()

    def test_of_an_agent_that_left_while_no_daemon_ran(self):
        for written in ("task", "report"):
            agent = ReportingAgent(self.pool)
            with self.pool.connect() as client:
                client.send(request(written, response_schema=SCHEMA))
                agent.content()
            self.daemon.kill()
            self.daemon.result()
            if written == "report":
                agent.report.write_text(json.dumps(REPORT))
            agent.ready.unlink()
            self.start_pool()
            self.assert_no_files()

    def test_of_a_daemon_that_was_killed_before_the_agent_could_see_its_task(self):
        agent = ReportingAgent(self.pool)
        self.daemon.kill()
        self.daemon.result()
        agent.schema.write_text(json.dumps({"type": "null"}))  # as if it had been killed just after this
        (self.pool.agent_side.path / "scratch" / agent.task.name).write_text("1")
        (self.pool.agent_side.path / "scratch" / agent.schema.name).write_text("1")
        self.start_pool()
        with self.pool.connect() as client:
            client.send(request("1"))
            self.assertIsNone(agent.read_schema())
            agent.respond("[]")
            client.receive()
        self.assert_no_files()
        self.assertEqual(list((self.pool.agent_side.path / "scratch").iterdir()), [])

    def test_of_a_daemon_that_was_killed_while_it_removed_an_agents_files(self):
        self.daemon.kill()
        self.daemon.result()
        for number, kinds in enumerate((("schema", "report", "response"), ("schema", "report"), ("report",))):
            for kind in kinds:
                (self.pool.agent_side.path / "agents" / f"a-{number}.{kind}.json").write_text("{}")
        self.start_pool()
        self.assert_no_files()


class Runs(ReportCase):
    STEPS = (step("Ask", pool(), ["Sort"], options={"max_retries": 3}), step("Sort", pool(), options={"max_retries": 3}))

    def start_it(self, *args):
        return self.start_logged(list(self.STEPS), "--pool", "default", "--root", self.pool.root, *args)

    def inspect(self, *args):
        return self.run_program("barnum", "inspect", self.log(), *args)

    def test_the_agents_get_the_schema_of_the_response(self):
        run = self.start_it()
        agent = ReportingAgent(self.pool)
        schema = agent.read_schema()
        task, = schema["items"]["anyOf"]
        self.assertEqual((schema["type"], task["properties"]["kind"]), ("array", {"const": "Sort"}))
        agent.respond([{"kind": "Sort", "value": {}}])
        agent = ReportingAgent(self.pool)
        self.assertEqual(agent.read_schema(), SCHEMA)
        agent.respond("[]")
        self.assert_run(run.result())

    def test_reports_are_in_the_log_in_inspect_and_in_the_summary(self):
        run = self.start_it()
        agent = ReportingAgent(self.pool)
        agent.content()
        agent.respond_with(REPORT, json.dumps([{"kind": "Sort", "value": {}}]))
        agent = ReportingAgent(self.pool)
        agent.content()
        agent.fail(failure="stalled", report=REPORT | {"repairs": 0, "usd": None})
        agent = ReportingAgent(self.pool)
        agent.content()
        agent.respond("[]")
        result = run.result()
        self.assert_run(result)
        self.assertRegex(result.err, r"step +agents +model +tokens in +cached +tokens out +cost\n +"
                                     r"Ask +claude +opus +12000 +9000 +800 +\$0\.31\n +"
                                     r"Sort +claude +opus +12000 +9000 +800 +-\n +"
                                     r"total +- +- +24000 +18000 +1600 +at least \$0\.31\n +repaired: 2\n")
        ends = [entry for entry in entries(self.log()) if entry["kind"] == "TaskCompleted"]
        self.assertEqual([entry.get("report", {}).get("repairs") for entry in ends], [2, 0, None])
        self.assertEqual(ends[0]["report"], REPORT)
        self.assertEqual([entry.get("agent") for entry in ends], ["by hand"] * 3)
        found = json.loads(self.inspect("--json").out)
        self.assertEqual(found["tasks"][0]["attempts"][0]["report"], REPORT)
        self.assertEqual(found["tasks"][0]["attempts"][0]["agent"], "by hand")
        self.assertEqual([(row["step"], row["repairs"], row["priced"]) for row in found["usage"]],
                         [("Ask", 2, 1), ("Sort", 0, 0)])
        self.assertRegex(self.inspect().out, r"Ask +claude +opus +1 +2 +7 +12000 +9000 +800 +\$0\.31\n")
        self.assertIn("attempt 1 by by hand: claude, model opus, 2 repairs, 7 turns, 12000 tokens in (9000 cached), 800 out, "
                      "$0.31, session 5f3c\n", self.inspect("--task", "0").out)

    def test_a_permanent_failure_is_not_retried_and_its_name_is_shown(self):
        run = self.start_it()
        agent = ReportingAgent(self.pool)
        agent.content()
        agent.fail(failure="too_large", permanent=True, report=REPORT)
        result = run.result()
        self.assert_run(result, 1)
        self.assertIn("too_large: agent by hand: it went wrong", result.err)
        self.assertIn("repaired: 2", result.err)
        failure = json.loads(self.inspect("--json").out)["tasks"][0]["attempts"][0]["failure"]
        self.assertEqual((failure["name"], failure["permanent"]), ("too_large", True))
        self.assertIn("too_large", self.inspect().out)

    def test_a_resumed_run_counts_what_was_before(self):
        run = self.start_it()
        agent = ReportingAgent(self.pool)
        agent.content()
        agent.respond_with(REPORT, json.dumps([{"kind": "Sort", "value": {}}]))
        wait_until(lambda: '"report"' in self.log().read_text(), "the report to be in the log")
        run.kill()
        run.result()
        resumed = self.start("barnum", "run", "--resume-from", self.log(), "--state-log", "resumed.ndjson",
                             "--pool", "default", "--root", self.pool.root)
        agent = ReportingAgent(self.pool)
        agent.content()
        agent.respond_with(REPORT, "[]")
        result = resumed.result()
        self.assert_run(result)
        self.assertRegex(result.err, r"total +- +- +24000 +18000 +1600 +\$0\.62\n +repaired: 4\n")
