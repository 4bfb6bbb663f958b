"""`barnum mcp`: what the model of a client learns of runs and their tasks, and how it changes them."""

import json
import shutil
import signal

from harness import wait_until
from harness.barnum_mcp import BarnumMcpCase
from harness.mcp import STATELESS
from harness.runs import QUICK, WAITS
from harness.workflow import emit, pool, step

FAILS = "cat >/dev/null; [ -e mended ] || { echo visible; echo broken >&2; exit 3; }; echo '[]'"
TIME = r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
APPROVE = {"kind": "Human", "instructions": "May it go on?"}


class Runs(BarnumMcpCase):
    def test_a_run_is_started_and_waited_for(self):
        client = self.client()
        client.ask("tools/list")  # the results of all tests are checked against the schemas of the tools
        self.assertEqual(client.call("list_runs"), {"kind": "Runs", "runs": [], "left_out": 0})
        run = self.start_of(client, [step("A", emit(("B", {"n": 1})), ["B"]), step("B", "echo '[]'")], name="mine",
                            entrypoint_value={"x": 1})
        ended = self.end_of(client, "mine")
        self.assertEqual((ended["run"], ended["state"], ended["done"], ended["exit_code"]), (run, "finished", 2, 0))
        status = client.call("run_status", run=run[:8])
        self.assertEqual([(s["step"], s["done"]) for s in status["steps"]], [("A", 1), ("B", 1)])
        self.assertEqual([r["run"] for r in client.call("list_runs")["runs"]], [run])
        self.assertEqual(client.call("list_runs", state="running")["runs"], [])
        task = client.call("read_task", run="last", task=1)
        self.assertEqual((task["task"]["id"], task["task"]["parent"], task["task"]["value"]), (1, 0, {"n": 1}))
        uri = f"barnum://runs/{run}"
        summary = json.loads(client.ask("resources/read", {"uri": uri})["contents"][0]["text"])
        self.assertEqual((summary["run"], summary["done"]), (run, 2))
        self.assertIn(uri, [r["uri"] for r in client.ask("resources/list")["resources"]])
        for name in ("last", "mine", run[:8]):
            again = json.loads(client.ask("resources/read", {"uri": f"barnum://runs/{name}"})["contents"][0]["text"])
            self.assertEqual(again, summary)
            task = json.loads(client.ask("resources/read", {"uri": f"barnum://runs/{name}/tasks/1"})["contents"][0]["text"])
            self.assertEqual(task["value"], {"n": 1})
        for name, text in (("nothing", "list_runs lists the runs"), (run + "/tasks/9", "list_tasks lists"),
                           (run + "/tasks/x", "by its number")):
            error = client.error_of(client.request("resources/read", {"uri": f"barnum://runs/{name}"}))
            self.assertIn(text, error["message"])

    def test_a_failure_is_read_mended_and_retried(self):
        client = self.client()
        run = self.start_of(client, [step("Begin", emit(*[("Bad", {"n": n}) for n in range(30)]), ["Bad"]), step("Bad", FAILS)])
        self.assertEqual(self.end_of(client, run)["dropped"], 30)
        failures = client.call("list_failures", run=run, limit=20)
        self.assertEqual((failures["dropped"], len(failures["failures"]), failures["next_offset"]), (30, 20, 20))
        rest = client.call("list_failures", run=run, offset=20, step="Bad")
        self.assertNotIn("next_offset", rest)
        tasks = {f["id"] for f in failures["failures"] + rest["failures"]}
        self.assertEqual(tasks, set(range(1, 31)))
        self.assertEqual((rest["failures"][0]["exit_code"], rest["failures"][0]["attempts"]), (3, 1))
        self.assertIn("broken", rest["failures"][0]["message"])
        self.assertIn("The steps are: Begin, Bad", client.call("list_failures", run=run, step="Nothing"))
        task = client.call("read_task", run=run, task=7)["task"]
        self.assertIn("broken", task["attempts"][0]["failure"]["message"])
        logs = client.call("read_logs", run=run, task=7)
        self.assertCountEqual([(o["task"], o["step"], o["stream"], o["lines"]) for o in logs["outputs"]],
                              [(7, "Bad", "stdout", ["visible"]), (7, "Bad", "stderr", ["broken"])])
        self.assertRegex(logs["outputs"][0]["since"], TIME)
        logs = client.call("read_logs", run=run, step="Bad", stream="stderr", lines=5)
        self.assertEqual((len(logs["outputs"]), logs["earlier_lines"]), (5, 25))
        (self.work / "mended").touch()
        again = client.call("retry_run", run=run, tasks=[7, 8])
        self.assertEqual((again["kind"], again["retries"]), ("Started", run))
        self.assertEqual(self.end_of(client, again["run"])["done"], 3)  # and Begin, whose tasks they are
        self.assertIn("task 0 was not dropped", client.call("retry_run", run=run, tasks=[0]))
        rest = client.call("retry_run", run=again["run"], step="Bad")["run"]
        self.assertEqual(self.end_of(client, rest)["dropped"], 0)
        self.assertIn(f"nothing to retry: no task of the run {rest} was dropped", client.call("retry_run", run=rest))
        self.assertEqual(len(self.ps("-a")), 3)

    def test_tasks_are_listed_and_read_in_the_same_words(self):
        client = self.client()
        long = {"text": "x" * 1000}
        run = self.start_of(client, [step("Begin", emit(("Bad", {"n": None}), ("Good", long), ("Good", [])), ["Bad", "Good"]),
                                     step("Bad", FAILS), step("Good", "echo '[]'")])
        self.end_of(client, run)
        tasks = client.call("list_tasks", run=run)["tasks"]
        self.assertEqual([(t["id"], t["step"], t["state"]) for t in tasks],
                         [(0, "Begin", "done"), (1, "Bad", "dropped"), (2, "Good", "done"), (3, "Good", "done")])
        self.assertEqual((tasks[1]["value"], tasks[3]["value"]), ({"n": None}, []))
        self.assertTrue(json.dumps(long, separators=(",", ":")).startswith(tasks[2]["value_excerpt"]))
        part = client.call("list_tasks", run=run, limit=3)
        self.assertEqual((len(part["tasks"]), part["next_offset"]), (3, 3))
        rest = client.call("list_tasks", run=run, offset=3)
        self.assertEqual(([t["id"] for t in rest["tasks"]], "next_offset" in rest), ([3], False))
        self.assertEqual([t["id"] for t in client.call("list_tasks", run=run, step="Good", state="done")["tasks"]], [2, 3])
        self.assertEqual(client.call("list_tasks", run=run, state="human")["tasks"], [])
        self.assertIn("The steps are: Begin, Bad, Good", client.call("list_tasks", run=run, step="X"))
        self.assertIn("list_tasks lists", client.call("read_task", run=run, task=99))
        task = client.call("read_task", run=run, task=1)["task"]
        self.assertEqual(set(task), {"id", "step", "state", "parent", "value", "attempts"})
        (attempt,) = task["attempts"]
        for time in ("submitted", "started", "ended"):
            self.assertRegex(attempt[time], TIME)
        self.assertEqual((attempt["failure"]["reason"], attempt["failure"]["exit_code"]), ("CommandFailed", 3))
        begun = client.call("read_task", run=run, task=0)["task"]["attempts"][0]
        self.assertEqual(begun["response"][0], {"kind": "Bad", "value": {"n": None}})
        (failed,) = client.call("list_failures", run=run)["failures"]
        for shown in (task, attempt, attempt["failure"], failed):
            self.assertNotIn(None, shown.values())
            self.assertFalse({"row", "lenient", "permanent", "finally"} & set(shown), shown)

    def test_a_run_is_paused_continued_and_cancelled(self):
        client = self.client()
        run = self.started_waiting(client)
        self.assertEqual(client.call("wait_run", run=run, wait_seconds=1)["kind"], "Wait")
        self.assertEqual(client.call("pause_run", run=run)["kind"], "Done")
        self.assertEqual(client.call("run_status", run=run)["state"], "paused")
        self.assertEqual(client.call("continue_run", run=run)["kind"], "Done")
        self.assertEqual(client.call("run_status", run=run)["state"], "running")
        (counts,) = client.call("run_status", run=run)["steps"]
        self.assertEqual((counts["waiting"], counts["running"], counts["done"]), (0, 1, 0))
        task = client.call("read_task", run=run, task=0)["task"]
        self.assertEqual((task["state"], task["running"]["phase"]), ("running", "command"))
        self.assertRegex(task["running"]["since"], TIME)
        self.assertEqual([t["id"] for t in client.call("list_tasks", run=run, state="running")["tasks"]], [0])
        self.assertIn("is still running. Call wait_run", client.call("retry_run", run=run))
        ended = client.call("cancel_run", run=run, now=True)
        self.assertEqual(ended["kind"], "Ended")
        self.assertIn(f"  barnum resume {run}", ended["message"].splitlines())
        self.assertNotIn("/proc/", (self.runs / run / "run.log").read_text())
        self.assertIn("continue it with `barnum resume", client.call("retry_run", run=run))
        self.assertEqual(self.end_of(client, run)["state"], "interrupted")
        for tool in ("pause_run", "continue_run", "cancel_run"):
            self.assertIn("is not running", client.call(tool, run=run))

    def test_wait_run_blocks_nothing_tells_how_long_and_is_cancelled(self):
        client = self.client()
        run = self.started_waiting(client)
        waiting = client.request("tools/call", {"name": "wait_run", "arguments": {"run": run, "wait_seconds": 45},
                                                "_meta": {"progressToken": 5}})
        wait_until(lambda: client.notifications, "progress")
        self.assertEqual(client.notifications[0]["params"]["progressToken"], 5)
        other = client.start_call("wait_run", run=run, wait_seconds=45)
        self.assertEqual(client.call("run_status", run=run)["left"], 1)
        client.cancel(waiting)
        self.go()
        self.assertEqual(client.result_of(other)["structuredContent"]["kind"], "Ended")
        self.assertNotIn(waiting, client.answers)
        self.assertEqual(client.end(), 0)

    def test_runs_outlive_the_server_however_it_ends(self):
        for number in (None, signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                client = self.client()
                run = self.started_waiting(client)
                client.start_call("wait_run", run=run, wait_seconds=45)
                if number is None:
                    self.assertEqual(client.end(), 0)
                else:
                    client.signal(number)
                    self.assertEqual(client.popen.wait(), -number if number == signal.SIGKILL else 128 + number)
                self.assertEqual(self.only()["state"], "running")
                self.go()
                self.assertEqual(self.end_of(self.client(), run)["state"], "finished")
                (self.work / "go").unlink()
                (self.work / "started").unlink()

    def test_a_cancelled_start_starts_the_run_whole_or_not_at_all(self):
        client = self.client()
        config = str(self.write_config(QUICK))
        for _ in range(10):
            client.cancel(client.start_call("start_run", config=config))
        self.assertEqual(client.end(), 0)
        for run in self.ps("-a"):
            self.barnum("wait", run["id"])
        self.assertEqual({run["state"] for run in self.ps("-a")} - {"finished"}, set())

    def test_a_subscribed_run_tells_its_changes(self):
        for revision in ("2025-11-25", STATELESS):
            with self.subTest(revision=revision):
                client = self.client(revision=revision)
                run = self.started_waiting(client)
                uri = f"barnum://runs/{run}"
                if revision == STATELESS:
                    client.request("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
                else:
                    client.ask("resources/subscribe", {"uri": uri})
                self.assertEqual(client.call("run_status", run=run)["state"], "running")
                self.go()
                wait_until(lambda: [n for n in client.notifications if n["method"] == "notifications/resources/updated"
                                    and n["params"]["uri"] == uri], "the change to be told")
                self.end_of(client, run)
                (self.work / "go").unlink()
                (self.work / "started").unlink()

    def test_only_a_run_that_is_there_is_subscribed_to(self):
        client = self.client()
        error = client.error_of(client.request("resources/subscribe", {"uri": "barnum://runs/last"}))
        self.assertEqual(error["code"], -32002)
        run = self.started_waiting(client)
        client.ask("resources/subscribe", {"uri": "barnum://runs/last"})
        self.assertEqual(client.error_of(client.request("resources/subscribe", {"uri": "barnum://runs/nothing"}))["code"], -32002)
        self.assertEqual(client.call("run_status", run=run)["state"], "running")
        self.go()
        wait_until(lambda: [n for n in client.notifications if n["method"] == "notifications/resources/updated"
                            and n["params"]["uri"] == "barnum://runs/last"], "the change to be told")
        self.end_of(client, run)


class Agents(BarnumMcpCase):
    def missing(self, client, run):
        """What wait_run and run_status say of agents, when the task is at the pool."""
        def at_pool():
            return client.call("run_status", run=run)["steps"][0].get("at_pool") == 1
        wait_until(at_pool, "the task to be at the pool")
        status = client.call("run_status", run=run)
        wait = client.call("wait_run", run=run, wait_seconds=1)
        self.assertEqual(wait["kind"], "Wait")
        self.assertEqual(wait.get("agents_missing"), status.get("agents_missing"))
        return wait.get("agents_missing")

    def test_a_task_waits_and_no_agent_is_attached(self):
        client = self.client()
        run = self.start_of(client, [step("Ask", pool())], pool="nobody")
        self.assertIn("1 task waits for an agent, and none is attached to the pool", self.missing(client, run))
        self.assertIn("--pool nobody", self.missing(client, run))
        client.call("cancel_run", run=run)

    def test_a_pool_that_another_process_serves_is_asked_for_its_agents(self):
        self.start("troupe", "start", "--pool", "shared")
        client = self.client()
        run = self.start_of(client, [step("Ask", pool())], pool="shared")
        self.assertIn("none is attached to the pool", self.missing(client, run))
        self.start("troupe", "agent", "--pool", "shared", "--exec", WAITS)
        wait_until((self.work / "started").exists, "the agent to begin")
        self.assertIsNone(self.missing(client, run))
        self.go()
        self.end_of(client, run)


class People(BarnumMcpCase):
    def test_a_task_for_a_person_is_answered_only_where_it_is_allowed(self):
        steps = [step("Ask", APPROVE | {"expires": 3600}, ["Note", "Other"]),
                 step("Note", "cat >noted; echo '[]'", value_schema={"type": "object"}), step("Other", "echo '[]'")]
        client = self.client()
        run = self.start_of(client, steps)
        self.assertEqual(self.end_of(client, run, "Asking")["tasks_for_people"], [0])
        self.assertEqual(client.call("run_status", run=run)["tasks_for_people"], [0])
        counts = client.call("run_status", run=run)["steps"][0]
        self.assertEqual((counts["running"], counts["waiting_for_people"]), (0, 1))
        task = client.call("read_task", run=run, task=0)["task"]
        uri = f"barnum://runs/{run}/tasks/0"
        self.assertEqual(json.loads(client.ask("resources/read", {"uri": uri})["contents"][0]["text"]), task)
        self.assertEqual((task["state"], task["instructions"]), ("human", "May it go on?"))
        self.assertEqual(task["may_follow"], [{"kind": "Note", "value_schema": {"type": "object"}}, {"kind": "Other"}])
        self.assertLess(task["since"], task["expires"])
        unknown = client.error_of(client.start_call("answer_human", run=run, task=0, response=[]))
        self.assertEqual(unknown["code"], -32602)
        client = self.client("--allow-answers")
        client.ask("tools/list")  # as above; answer_human is in this list only
        self.assertIn("not both", client.call("answer_human", run=run, task=0))
        self.assertIn("not both", client.call("answer_human", run=run, task=0, response=[], reject="no"))
        self.assertIn("Nothing", client.call("answer_human", run=run, task=0, response=[{"kind": "Nothing", "value": {}}]))
        done = client.call("answer_human", run=run, task=0, response=[{"kind": "Note", "value": {"a": "--now"}}])
        self.assertEqual(done["kind"], "Done")
        self.assertEqual(self.end_of(client, run)["done"], 2)
        self.assertEqual(json.loads((self.work / "noted").read_text())["value"], {"a": "--now"})
        task = client.call("read_task", run=run, task=0)["task"]
        self.assertNotIn("instructions", task)
        self.assertRegex(task["attempts"][0]["answered_by"], "^.+ through MCP$")
        self.assertIn("through MCP", client.call("answer_human", run=run, task=0, reject="too late"))
        self.assertIn("run_status lists the tasks that wait", client.call("answer_human", run=run, task=99, reject="no"))

    def test_a_long_question_is_cut_and_whole_in_the_resource(self):
        client = self.client()
        schema = {"type": "object", "description": "d" * 30000}
        run = self.start_of(client, [step("Ask", APPROVE | {"instructions": "é" * 20000}, ["Note"]),
                                     step("Note", "echo '[]'", value_schema=schema)])
        self.end_of(client, run, "Asking")
        shown = client.call("read_task", run=run, task=0)
        task = shown["task"]
        self.assertTrue(("é" * 20000).startswith(task["instructions_excerpt"]))
        self.assertEqual((task["may_follow"], task["schemas_left_out"]), ([{"kind": "Note"}], True))
        whole = json.loads(client.ask("resources/read", {"uri": shown["task_uri"]})["contents"][0]["text"])
        self.assertEqual((whole["instructions"], whole["may_follow"][0]["value_schema"]), ("é" * 20000, schema))
        self.barnum("cancel", run)


class Long(BarnumMcpCase):
    def test_a_value_that_is_a_path_stays_a_text(self):
        client = self.client()
        (self.work / "secret.json").write_text('{"secret": 1}')
        run = self.start_of(client, QUICK, entrypoint_value="secret.json")
        self.end_of(client, run)
        self.assertEqual(client.call("read_task", run=run, task=0)["task"]["value"], "secret.json")

    def test_a_huge_value_and_much_output_are_cut_and_whole_in_a_resource(self):
        client = self.client()
        script = """cat >/dev/null; i=0; while [ $i -lt 3000 ]; do echo "line $i $(printf '%0900d' 0)" >&2; i=$((i+1)); done; """
        (self.work / "next.json").write_text(json.dumps([{"kind": "Next", "value": {"text": "ü" * 60000}}]))
        run = self.start_of(client, [step("Much", script + "cat next.json", ["Next"]),
                                     step("Next", "echo '[]'")])
        self.end_of(client, run)
        task = client.call("read_task", run=run, task=1)
        self.assertGreater(task["task"]["value_left_out"], 80000)
        whole = json.loads(client.ask("resources/read", {"uri": task["task_uri"]})["contents"][0]["text"])
        self.assertEqual(whole["value"]["text"], "ü" * 60000)
        self.assertTrue(json.dumps(whole["value"], separators=(",", ":")).startswith(task["task"]["value_excerpt"]))
        logs = client.call("read_logs", run=run, lines=1000, stream="stderr")
        self.assertEqual(len(logs["outputs"]), 1)
        self.assertTrue(logs["outputs"][0]["lines"][-1].startswith("line 2999"))
        self.assertGreater(logs["earlier_lines"], 0)

    def test_a_run_whose_log_is_damaged_or_gone(self):
        client = self.client()
        run = self.start_of(client, QUICK)
        self.end_of(client, run)
        log = self.runs / run / "state.ndjson"
        log.write_text("nonsense\n")
        self.assertIn("state.ndjson", client.call("run_status", run=run))
        shutil.rmtree(self.runs / run)
        self.assertIn("there is no run", client.call("run_status", run=run))
