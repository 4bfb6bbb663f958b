"""What agents have used adds up, however their attempts end: the log, the summary and inspect
say what the model's server has counted."""

import json
import re

from harness import wait_until, windows
from harness.agent_programs import KINDS, ONE_REQUEST, OPTIONS, AgentProgramCase, for_each
from harness.serve import Page
from harness.statelog import entries

READ = {"claude": {"tool": "Read", "input": {"file_path": "a.txt"}},
        "codex": {"tool": "shell_command", "input": {"command": "cat a.txt"}}}
FAILURE = {"claude": {"status": 529}, "codex": {"status": 503}}
TOLD = ("claude", "codex")  # gemini tells what it has used only with its answers


class BillCase(AgentProgramCase):
    def begin(self, kind, script, timeout=600):
        (self.work / "a.txt").write_text("text")
        ask = {"name": "Ask", "next": [], "options": {"max_retries": 0, "timeout": timeout},
               "action": {"kind": "Pool", "instructions": "Do it."}}
        (self.work / "flow.json").write_text(json.dumps({"entrypoint": "Ask", "steps": [ask]}))
        model = self.model(kind, script)
        settings = [kind, *(f"env={text}" for text in ONE_REQUEST.get(kind, [])[1:])]
        settings += [f"model={word}" for word in OPTIONS.get(kind, [])[1:]]
        self.run_env = self.environment(kind, model.url)
        run = self.start("barnum", "run", "--config", "flow.json", "--agent", ",".join(settings), "--state-log",
                         f"{kind}.ndjson", env=self.run_env)
        return model, run

    def reports(self, kind):
        return [entry["report"] for entry in entries(self.work / f"{kind}.ndjson") if entry.get("report")]

    def assert_adds_up(self, kind, model, run):
        told = self.reports(kind)
        table = re.findall(rf"(?m)^ +Ask +{kind} +\S+ +(\d+) +\d+ +(\d+) ", run.err)
        self.assertEqual(sum(int(read) + int(written) for read, written in table), model.served)
        self.assertEqual(sum(report["input_tokens"] + report["output_tokens"] for report in told), model.served)
        usage = json.loads(self.run_program("barnum", "inspect", f"{kind}.ndjson", "--json").out)["usage"]
        self.assertEqual(sum(row["input_tokens"] + row["output_tokens"] for row in usage), model.served)
        return told


class Bills(BillCase):
    @for_each(KINDS)
    def test_an_answer(self, kind):
        model, run = self.begin(kind, [READ[kind], {"tasks": []}] if kind in READ else [{"tasks": []}])
        self.assert_exit(run.result(), 0)
        (report,) = self.assert_adds_up(kind, model, run)
        if kind in TOLD:
            self.assertEqual(report["turns"], len(model.requests))
        self.assertTrue(report["model"])

    @for_each(KINDS)
    def test_repairs(self, kind):
        wrong = {"text": json.dumps([{"kind": "Nope"}])}
        model, run = self.begin(kind, [wrong, {"tasks": []}])
        self.assert_exit(run.result(), 0)
        self.assert_adds_up(kind, model, run)

    @for_each(TOLD)
    def test_an_attempt_whose_time_is_over(self, kind):
        for timeout in windows(shortest=15, longest=240):
            (self.work / f"{kind}.ndjson").unlink(missing_ok=True)
            model, run = self.begin(kind, [READ[kind], {"tasks": [], "hold": "before"}], timeout)
            self.assert_exit(run.result(), 1)
            if len(model.requests) == 2:
                break
        if kind == "codex":
            self.assert_adds_up(kind, model, run)
        (report,) = self.reports(kind)  # Claude Code tells most of what its model has written only with the result
        self.assertEqual((report["kind"], report["input_tokens"]), (kind, {"claude": 2000, "codex": 1200}[kind]))

    @for_each(TOLD)
    def test_a_task_that_was_handed_back(self, kind):
        model, run = self.begin(kind, [READ[kind], FAILURE[kind], READ[kind], {"tasks": []}])
        self.assert_exit(run.result(), 0)
        (report,) = self.assert_adds_up(kind, model, run)
        self.assertEqual(report["agents"], 2)


class Unfinished(BillCase):
    """Attempts that had not ended when their run did. Only Codex tells at once all that it has used."""

    def begin_and_wait(self):
        model, run = self.begin("codex", [READ["codex"], {"tasks": [], "hold": "before"}])
        log = self.work / "codex.ndjson"
        wait_until(lambda: log.exists() and '"UsageReported"' in log.read_text(), "the log to tell what the attempt has used")
        wait_until(lambda: len(model.requests) == 2, "the model to be asked again")
        return model, run

    def used(self, log):
        usage = json.loads(self.run_program("barnum", "inspect", log, "--json").out)["usage"]
        return sum(row["input_tokens"] + row["output_tokens"] for row in usage)

    def resume(self, model, *options):
        return self.run_program("barnum", "run", "--resume-from", "codex.ndjson", "--state-log", "resumed.ndjson", "--agent", "codex",
                                *options, env=self.environment("codex", model.url))

    def assert_resumed_adds_up(self, model):
        before = model.served
        self.assertEqual(self.used("codex.ndjson"), before)
        refused = self.resume(model, "--budget-tokens", str(before))
        self.assert_exit(refused, 75)
        self.assertIn(f"the budget is spent: {before} of {before} tokens", refused.err)
        model.load([{"tasks": []}])
        resumed = self.resume(model, "--budget-tokens", "100000")
        self.assert_exit(resumed, 0)
        self.assertGreater(model.served, before)
        self.assertIn(f"spent {model.served} of 100000 tokens", resumed.err)
        self.assertEqual(self.used("resumed.ndjson"), model.served)
        (read, written), = re.findall(r"(?m)^ +Ask +codex +\S+ +(\d+) +\d+ +(\d+) ", resumed.err)
        self.assertEqual(int(read) + int(written), model.served)

    def test_a_run_that_is_killed(self):
        model, run = self.begin_and_wait()
        run.signal(9)
        self.assert_exit(run.result(), -9)
        self.assert_resumed_adds_up(model)

    def test_a_run_that_is_interrupted(self):
        model, run = self.begin_and_wait()
        run.signal(15)
        ended = run.result()
        self.assert_exit(ended, 143)
        self.assertRegex(ended.err, r"(?m)^ +Ask +- +- +1200 +\d+ +42 ")
        self.assert_resumed_adds_up(model)

    def test_a_page_shows_it(self):
        model, run = self.begin_and_wait()
        page = Page(self, env=self.run_env)
        (found,) = page.json("/api/runs")["runs"]
        for is_living in (True, False):
            (row,) = page.json(f"/api/runs/{found['id']}")["unreported"]
            self.assertEqual((row["step"], row["input_tokens"] + row["output_tokens"]), ("Ask", model.served), is_living)
            with page.events(f"run={found['id']}&from=0.0") as events:
                self.assertEqual(events.next("usage")[1], [row], is_living)
            run.signal(9)
            run.result()


class Shared(BillCase):
    """Agents of a shared pool: they outlive a run, and tasks are taken from them. Only Codex tells at once all that it has used."""

    def begin(self):
        """Returns the model's server and a run whose agent has used something and is not done."""
        (self.work / "a.txt").write_text("text")
        ask = {"name": "Ask", "next": [], "options": {"timeout": 600}, "action": {"kind": "Pool", "instructions": "Do it."}}
        (self.work / "flow.json").write_text(json.dumps({"entrypoint": "Ask", "steps": [ask]}))
        self.pool.start("--no-heartbeat")
        model = self.model("codex", [READ["codex"], {"tasks": [], "hold": "before"}])
        self.start_agent("codex", model)
        run = self.start("barnum", "run", "--config", "flow.json", *self.shared, "--state-log", "first.ndjson")
        log = self.work / "first.ndjson"
        wait_until(lambda: log.exists() and '"UsageReported"' in log.read_text(), "the log to tell what the attempt has used")
        wait_until(lambda: len(model.requests) == 2, "the model to be asked again")
        return model, run

    @property
    def shared(self):
        return ("--pool", self.pool.name, "--no-embedded-pool")

    def states(self):
        return [agent["state"] for agent in self.pool.command("status", "--json").result().json["agents"]]

    def kill(self, run):
        run.signal(9)
        run.result()

    def resume(self):
        return self.start("barnum", "run", "--resume-from", "first.ndjson", "--state-log", "second.ndjson", "--budget-tokens", "100000",
                          *self.shared)

    def used(self, log):
        usage = json.loads(self.run_program("barnum", "inspect", log, "--json").out)["usage"]
        return sum(row["input_tokens"] + row["output_tokens"] for row in usage)

    def assert_resumed_adds_up(self, model, resumed):
        self.assert_exit(resumed, 0)
        self.assertIn(f"spent {model.served} of 100000 tokens", resumed.err)
        self.assertEqual(self.used("second.ndjson"), model.served)

    def test_an_agent_that_is_still_at_work_when_the_run_goes_on(self):
        model, run = self.begin()
        self.kill(run)
        resumed = self.resume()
        wait_until(lambda: (self.work / "second.ndjson").exists(), "the resumed run")
        model.release()
        self.assert_resumed_adds_up(model, resumed.result())

    def test_an_agent_that_has_answered_before_the_run_goes_on(self):
        model, run = self.begin()
        self.kill(run)
        model.release()
        wait_until(lambda: self.states() == ["idle"], "the agent to be done")
        self.assert_resumed_adds_up(model, self.resume().result())

    def test_a_task_that_is_withdrawn(self):
        model, run = self.begin()
        run.signal(15)
        self.assert_exit(run.result(), 143)
        wait_until(lambda: self.states() == ["idle"], "the agent to be idle")
        self.assertEqual(self.used("first.ndjson"), model.served)
        model.load([{"tasks": []}])
        self.assert_resumed_adds_up(model, self.resume().result())

    def test_a_task_that_is_taken_from_its_agent(self):
        model, run = self.begin()
        model.load([{"tasks": []}])
        self.assert_exit(self.pool.command("kick", "codex").result(), 0)
        self.assert_exit(run.result(), 0)
        self.assertEqual(self.used("first.ndjson"), model.served)
