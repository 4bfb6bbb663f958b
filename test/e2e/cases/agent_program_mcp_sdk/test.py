"""`troupe mcp` and `barnum mcp` with the official SDK's clients, of both of its versions and in both ages of the protocol."""

import json

from harness import wait_until
from harness.agent_programs import AgentProgramCase, for_each
from harness.mcp_lines import prepare_node, recording
from harness.runs import WAITS
from harness.workflow import emit, step

ERAS = {"session": "legacy", "legacy": "legacy", "auto": "modern", "stateless": "modern"}


class SdkCase(AgentProgramCase):
    def use_all_of(self, program, kind, files=None):
        """What the client of that kind has printed, which has used all that the server offers."""
        work = self.work / kind
        work.mkdir()
        for name, content in (files or {}).items():
            (work / name).write_text(json.dumps(content))
        node = prepare_node(work, self.fixtures / "connect.mjs", self.fixtures / f"{program}.mjs")
        ended = self.run_program(node, f"{program}.mjs", kind, recording(self, program), "mcp", cwd=work, env={"HOME": work})
        self.assert_exit(ended, 0)
        got = ended.json
        self.assertEqual(got["era"], ERAS[kind])
        self.assertEqual(got["server"]["name"], program)
        return got

    def assert_hints(self, tools, reading, destructive, open_world=frozenset()):
        for hint, names in (("readOnlyHint", reading), ("destructiveHint", destructive), ("openWorldHint", open_world)):
            self.assertEqual({tool["name"] for tool in tools if tool["annotations"][hint]}, names, hint)


class Troupe(SdkCase):
    RESULTS = ["pool_status: Status", "submit_task: Submitted", "wait_task: Wait", "next_task: Task", "keep_alive: Held",
               "give_back_task: GivenBack", "next_task: Task", "finish_task: Invalid", "finish_task: Finished",
               "wait_task: Processed", "withdraw_task: Withdrawn", "finish_task: `id` is required.", "pool_status: Status"]

    @for_each(tuple(ERAS))
    def test_a_client_uses_all_that_there_is(self, kind):
        self.pool.start("--no-heartbeat")
        got = self.use_all_of("troupe", kind)
        self.assertEqual(got["results"], self.RESULTS)
        self.assertIn("next_task", got["instructions"])
        self.assertEqual({tool["name"] for tool in got["tools"]}, {line.split(":")[0] for line in self.RESULTS})
        self.assert_hints(got["tools"], {"keep_alive", "pool_status"}, {"withdraw_task"})
        self.assertEqual([prompt["name"] for prompt in got["prompts"]], ["be_an_agent"])
        self.assertIn("2 of them", got["prompt"]["messages"][0]["content"]["text"])
        self.assertEqual([template["uriTemplate"] for template in got["templates"]], ["troupe://tasks/{id}"])
        self.assertEqual(len(got["resources"]), 2)
        self.assertEqual(json.loads(got["content"]), {"n": 1})
        self.assertEqual(got["completion"]["total"], 1)
        self.assertEqual((got["answer"]["response"], got["answer"]["agent"], got["whole"]), ([], "sdk", "[]"))
        self.assertTrue(got["aborted"])
        # Version 2 of the SDK tells the code of the newer age in both.
        self.assertEqual(got["refused"], -32002 if kind == "session" else -32602)
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to be gone")
        self.pool.stop()


class Barnum(SdkCase):
    FAILS = "cat >/dev/null; [ -e mended ] || { echo broken >&2; exit 3; }; echo '[]'"
    FILES = {name: {"entrypoint": steps[0]["name"], "steps": steps} for name, steps in {
        "flow.json": [step("Begin", emit(("Bad", {"n": 1})), ["Bad"]), step("Bad", FAILS)],
        "wait.json": [step("Wait", WAITS)],
        "ask.json": [step("Ask", {"kind": "Human", "instructions": "May it go on?"})]}.items()}
    RESULTS = ["validate_workflow: Invalid", "validate_workflow: Valid", "dry_run_workflow: Plan",
               "draw_workflow: Drawing", "start_run: Started", "wait_run: Ended", "run_status: Run", "list_runs: Runs",
               "list_failures: Failures", "list_tasks: Tasks", "read_task: Task", "read_logs: Logs",
               "retry_run: task 0 was not dropped; the only dropped task is 1 (Bad)", "retry_run: Started",
               "wait_run: Ended", "start_run: Started", "run_status: Run", "wait_run: Wait", "pause_run: Done",
               "continue_run: Done", "list_runs: Runs", "cancel_run: Ended", "start_run: Started", "wait_run: Asking",
               "answer_human: Done", "wait_run: Ended"]

    @for_each(tuple(ERAS))
    def test_a_client_uses_all_that_there_is(self, kind):
        got = self.use_all_of("barnum", kind, self.FILES)
        self.assertEqual(got["results"], self.RESULTS)
        self.check_offer(got)
        run = got["run"]
        self.assertEqual((got["ended"]["run"], got["ended"]["state"], got["ended"]["dropped"]), (run, "failed", 1))
        self.assertEqual([s["step"] for s in got["status"]["steps"]], ["Begin", "Bad"])
        self.assertEqual(got["listed"], [run])
        self.assertEqual([(f["id"], f["exit_code"]) for f in got["failures"]["failures"]], [(1, 3)])
        self.assertEqual([task["id"] for task in got["found"]["tasks"]], [1])
        self.assertEqual((got["task"]["task"]["value"], got["whole_task"]["value"]), ({"n": 1}, {"n": 1}))
        self.assertEqual([output["lines"] for output in got["logs"]["outputs"]], [["broken"]])
        self.assertEqual((got["retried"]["state"], got["retried"]["dropped"]), ("finished", 0))
        self.assertEqual(got["changed"], f"barnum://runs/{got['waiting']}")
        self.assertEqual({progress["total"] for progress in got["progress"]}, {1})
        self.assertTrue(got["aborted"])
        self.assertEqual(got["refused"], -32002 if kind == "session" else -32602)
        self.check_texts(got)

    def check_offer(self, got):
        names = {tool["name"] for tool in got["tools"]}
        self.assertEqual(names, {line.split(":")[0] for line in self.RESULTS})
        self.assertEqual(set(got["without"]), names - {"answer_human"})
        self.assertEqual(got["refused_answer"], -32602)
        self.assert_hints(got["tools"], {name for name in names if name.startswith(("list", "read"))} | {
            "validate_workflow", "dry_run_workflow", "draw_workflow", "run_status", "wait_run"},
            {"start_run", "cancel_run", "retry_run", "answer_human"},
            {"start_run", "continue_run", "retry_run", "answer_human"})
        self.assertIn("start_run", got["instructions"])

    def check_texts(self, got):
        run, texts, found = got["run"], got["texts"], got["completions"]
        self.assertEqual({prompt["name"] for prompt in got["prompts"]}, set(texts))
        self.assertIn("sort my mail", texts["write_workflow"])
        self.assertIn("`mine`", texts["explain_failure"])
        self.assertEqual({template["uriTemplate"] for template in got["templates"]} | set(texts), set(found))
        self.assertEqual(found["barnum://examples/{name}"], ["gate"])
        self.assertIn(run, found["barnum://runs/{run}"])
        self.assertEqual([found["barnum://runs/{run}/tasks/{task}"], found["explain_failure"]], [[run]] * 2)
        self.assertEqual(found["write_workflow"], [])
        resources = got["resources"]
        for uri in ("config-reference", "config-schema", "examples/gate", f"runs/{got['asking']}", f"runs/{run}"):
            self.assertIn(f"barnum://{uri}", resources)
        self.assertEqual(json.loads(resources[f"barnum://runs/{run}"])["dropped"], 1)
        if "svg_uri" in got["drawing"]:
            self.assertIn("<svg", resources[got["drawing"]["svg_uri"]])
