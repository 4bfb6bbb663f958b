"""`barnum mcp`: what it offers, the configs that the model of a client may use, and how it refuses what is wrong."""

import json
import os
import shutil

from harness.barnum_mcp import BarnumMcpCase
from harness.mcp import STATELESS
from harness.runs import QUICK
from harness.workflow import pool, step

TOOLS = {"validate_workflow", "dry_run_workflow", "draw_workflow", "start_run", "list_runs", "run_status", "wait_run",
         "cancel_run", "pause_run", "continue_run", "retry_run", "list_tasks", "read_task", "read_logs", "list_failures"}
READING = {"validate_workflow", "dry_run_workflow", "draw_workflow", "list_runs", "run_status", "wait_run", "list_tasks",
           "read_task", "read_logs", "list_failures"}
DESTRUCTIVE = {"start_run", "cancel_run", "retry_run"}
FAILS = "cat >/dev/null; [ -e mended ] || { echo visible; echo broken >&2; exit 3; }; echo '[]'"


def arrays_without_items(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "array" and "items" not in schema:
            yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from arrays_without_items(part)


class Offer(BarnumMcpCase):
    def test_tools_prompts_and_resources_in_both_ages(self):
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS):
            with self.subTest(revision=revision):
                client = self.client(revision=revision)
                about = client.ask("server/discover") if revision == STATELESS else client.initialized
                self.assertIn(str(self.work), about["instructions"])
                tools = {t["name"]: t for t in client.ask("tools/list")["tools"]}
                self.assertEqual(set(tools), TOOLS)
                self.assertEqual(list(arrays_without_items(list(tools.values()))), [])
                if revision >= "2025-03-26":
                    for name, tool in tools.items():
                        hints = tool["annotations"]
                        self.assertEqual(hints["readOnlyHint"], name in READING, name)
                        self.assertEqual(hints["destructiveHint"], name in DESTRUCTIVE, name)
                prompts = {p["name"] for p in client.ask("prompts/list")["prompts"]}
                self.assertEqual(prompts, {"write_workflow", "explain_failure"})
                for name, arguments, text in (("write_workflow", {"goal": "sort my mail"}, "sort my mail"),
                                              ("explain_failure", {"run": "nightly"}, "`nightly`"),
                                              ("explain_failure", {}, "`last`")):
                    prompt = client.ask("prompts/get", {"name": name, "arguments": arguments})
                    self.assertIn(text, prompt["messages"][0]["content"]["text"])
                missing = client.error_of(client.request("prompts/get", {"name": "write_workflow"}))
                self.assertEqual(missing["code"], -32602)
                resources = [r["uri"] for r in client.ask("resources/list")["resources"]]
                self.assertEqual(resources[:2], ["barnum://config-reference", "barnum://config-schema"])
                self.assertEqual(client.end(), 0)
        templates = [t["uriTemplate"] for t in self.client().ask("resources/templates/list")["resourceTemplates"]]
        self.assertIn("barnum://drawings/{number}/graph.svg", templates)
        self.assertIn("answer_human", {t["name"] for t in self.client("--allow-answers").ask("tools/list")["tools"]})

    def text_of(self, client, uri):
        return client.ask("resources/read", {"uri": uri})["contents"][0]["text"]

    def test_each_document_is_there_and_each_example_is_valid(self):
        client = self.client()
        resources = [r["uri"] for r in client.ask("resources/list")["resources"]]
        examples = [uri for uri in resources if uri.startswith("barnum://examples/")]
        self.assertIn("barnum://examples/gate", examples)
        descriptions = {r["uri"]: r["description"] for r in client.ask("resources/list")["resources"] if r["uri"] in examples}
        self.assertEqual(descriptions["barnum://examples/approval"],
                         "When a person has to agree before something is done, or changes what is to be done.")
        self.assertEqual(len(set(descriptions.values())), len(examples))
        validate = next(t for t in client.ask("tools/list")["tools"] if t["name"] == "validate_workflow")
        self.assertIn("gets its task, {\"kind\",\"value\"}, as JSON on stdin", validate["description"])
        for uri in examples:
            self.assertIn('"steps"', self.text_of(client, uri))
        self.assertEqual(client.call("validate_workflow", config=self.text_of(client, "barnum://examples/branching"))["kind"],
                         "Valid")
        self.assertIn("# ", self.text_of(client, "barnum://config-reference"))
        self.assertEqual(self.text_of(client, "barnum://config-schema"), self.barnum("config", "schema").out)
        for uri in ("barnum://examples/../x", "barnum://runs/../../x", "barnum://runs/", "barnum://drawings/1/graph.svg",
                    "file:///etc/passwd", "barnum://runs/x/tasks/1"):
            self.assertEqual(client.error_of(client.request("resources/read", {"uri": uri}))["code"], -32002, uri)
        found = client.ask("completion/complete", {"ref": {"type": "ref/resource", "uri": "barnum://examples/{name}"},
                                                   "argument": {"name": "name", "value": "ga"}})
        self.assertEqual(found["completion"]["values"], ["gate"])


class Configs(BarnumMcpCase):
    def test_all_mistakes_with_their_places(self):
        client = self.client()
        text = '{"entrypoint":"X","steps":[{"name":"Y"}]}'
        for config in (text, json.loads(text)):
            with self.subTest(config=config):
                result = client.call("validate_workflow", config=config)
                self.assertEqual(result["kind"], "Invalid")
                places = [(m["file"], m["line"], m["column"]) for m in result["mistakes"]]
                self.assertEqual(places, [("<inline>", 1, 15), ("<inline>", 1, 28)])
                self.assertIn('unknown step "X"', result["mistakes"][0]["message"])
        for tool in ("dry_run_workflow", "draw_workflow"):
            self.assertEqual(client.call(tool, config=text), result)
        (self.work / "bad.json").write_text(text)
        self.assertEqual(client.call("start_run", config="bad.json")["kind"], "Invalid")
        self.assertEqual(self.ps("-a"), [])

    def test_a_valid_config_is_told_its_warnings_and_what_would_be_started(self):
        client = self.client()
        path = self.write_config([step("Begin", "echo '[]'", ["Begin"]), step("Lonely", "echo '[]'")])
        valid = client.call("validate_workflow", config=str(path))
        self.assertEqual(valid["kind"], "Valid")
        self.assertIn("Lonely", " ".join(w["message"] for w in valid["warnings"]))
        self.assertIn("Begin -> Begin", valid["transitions"])
        plan = client.call("dry_run_workflow", config="flow.json", entrypoint_value={"a": [1.50]})
        self.assertEqual(plan["kind"], "Plan")
        self.assertIn('task 0 Begin  {"a":[1.50]}'.replace("1.50", "1.5"), plan["plan"])
        self.assertIn('"nxt"', client.call("dry_run_workflow", config="flow.json", initial_state=[{"nxt": 1}]))
        self.assertEqual(self.ps("-a"), [])

    def test_what_begins_a_run_is_given_once_and_is_something(self):
        client = self.client()
        self.write_config(QUICK)
        for tool in ("start_run", "dry_run_workflow"):
            both = client.call(tool, config="flow.json", initial_state=[{"kind": "Quick", "value": {}}], entrypoint_value={})
            self.assertIn("`entrypoint_value` and `initial_state` cannot both be given", both)
        self.assertEqual(self.ps("-a"), [])
        self.assertIn("ends at once", client.call("dry_run_workflow", config="flow.json", initial_state=[])["warning"])
        self.assertIn("ends at once", client.call("start_run", config="flow.json", initial_state=[])["warning"])
        self.assertNotIn("warning", client.call("start_run", config="flow.json", initial_state=[{"kind": "Quick", "value": {}}]))
        self.end_of(client, "last")

    def test_the_plan_says_that_no_agent_is_there(self):
        client = self.client()
        self.write_config([step("Ask", pool())])
        self.assertIn("tasks of Pool steps wait until agents are attached", client.call("dry_run_workflow", config="flow.json")["plan"])
        self.write_config(QUICK)
        self.assertNotIn("wait until", client.call("dry_run_workflow", config="flow.json")["plan"])

    def test_a_drawing(self):
        client = self.client()
        drawing = client.call("draw_workflow", config=str(self.write_config(QUICK)))
        self.assertIn("Quick", drawing["mermaid"])
        if shutil.which("dot"):
            svg = client.ask("resources/read", {"uri": drawing["svg_uri"]})["contents"][0]
            self.assertEqual(svg["mimeType"], "image/svg+xml")
            self.assertIn("<svg", svg["text"])
        (self.work / "bin").mkdir()
        for name in ("sh", "env"):
            os.symlink(shutil.which(name), self.work / "bin" / name)
        drawing = self.client(env={"PATH": str(self.work / "bin")}).call("draw_workflow", config="flow.json")
        self.assertIn("graphviz", drawing["svg_problem"])

    def test_long_results_are_cut(self):
        client = self.client()
        steps = [step(f"Step{n:04}" + "x" * 40, "echo '[]'", [f"Step{n + 1:04}" + "x" * 40] if n < 1499 else [])
                 for n in range(1500)]
        self.write_config(steps)
        self.assertEqual(client.call("validate_workflow", config="flow.json")["kind"], "Valid")
        drawing = client.call("draw_workflow", config="flow.json")
        whole = client.ask("resources/read", {"uri": drawing["mermaid_uri"]})["contents"][0]["text"]
        self.assertTrue(whole.startswith(drawing["mermaid"]))
        self.assertIn("Step1499", whole)
        (self.work / "bad.json").write_text(json.dumps({"entrypoint": "A", "steps": [{"name": "n" * 2000}] * 60}))
        invalid = client.call("validate_workflow", config="bad.json")
        self.assertGreater(invalid["left_out"], 0)


class Allowed(BarnumMcpCase):
    def setUp(self):
        super().setUp()
        self.outside = self.home / "outside"
        self.outside.mkdir()
        (self.outside / "flow.json").write_text(json.dumps({"entrypoint": "Quick", "steps": QUICK}))
        self.write_config(QUICK)

    def test_only_configs_below_an_allowed_directory_are_used(self):
        client = self.client()
        os.symlink(self.outside / "flow.json", self.work / "link.json")
        os.symlink(self.outside, self.work / "folder")
        os.mkfifo(self.work / "fifo")
        for tool in ("start_run", "validate_workflow", "dry_run_workflow", "draw_workflow"):
            for path in (self.outside / "flow.json", "../outside/flow.json", "link.json", "folder/flow.json", "/etc/passwd",
                         "/proc/self/environ", "folder/nothing"):
                with self.subTest(tool=tool, path=path):
                    self.assertIn("not below a directory that is allowed", client.call(tool, config=str(path)))
            self.assertIn("is not a file", client.call(tool, config="fifo"))
            self.assertIn("is not a file", client.call(tool, config=str(self.work)))
            self.assertIn("there is no file", client.call(tool, config="nothing.json"))
        self.assertIn(f"there is no file {self.work.resolve()}/nothing.json (a path is relative",
                      client.call("validate_workflow", config="nothing.json"))
        self.assertIn(f"../x.json, that is {self.home.resolve()}/x.json, is not below", client.call("start_run", config="../x.json"))
        for text in ("```json\n{}\n```", "entrypoint: A\nsteps: []", 'Here it is: {"entrypoint": "A"}', "x" * 5000):
            wrong = client.call("validate_workflow", config=text)
            self.assertIn("is neither the path of a file nor the text of a config", wrong)
            self.assertNotIn(text, wrong)
        self.assertIn("the text of a config begins with {", client.call("validate_workflow", config="entrypoint: A"))
        self.assertIn("must be the path of a file", client.call("start_run", config=(self.work / "flow.json").read_text()))
        self.assertEqual(self.ps("-a"), [])

    def test_a_text_links_only_to_files_below_an_allowed_directory(self):
        client = self.client()
        (self.work / "ask.md").write_text("Read it.")
        for tool in ("validate_workflow", "dry_run_workflow", "draw_workflow"):
            for field in ("value_schema", "instructions"):
                for link, is_refused in (("/proc/self/environ", True),
                                       ("../secret", True), ("ask.md", False)):
                    action = {"kind": "Pool", "instructions": {"link": link} if field == "instructions" else "Read it."}
                    one = {"name": "A", "action": action} | ({"value_schema": {"link": link}} if field == "value_schema" else {})
                    answer = str(client.call(tool, config=json.dumps({"entrypoint": "A", "steps": [one]})))
                    with self.subTest(tool=tool, field=field, link=link):
                        self.assertEqual("is not below a directory that is allowed" in answer, is_refused, answer)

    def test_other_directories_instead_of_the_current_one(self):
        (self.home / "outside2").mkdir()
        (self.home / "outside2" / "flow.json").write_text((self.work / "flow.json").read_text())
        client = self.client("--allow-dir", self.outside)
        for path in (self.work / "flow.json", self.home / "outside2" / "flow.json"):
            self.assertIn("not below", client.call("start_run", config=str(path)))
        run = client.call("start_run", config=str(self.outside / "flow.json"))["run"]
        self.end_of(client, run)
        client = self.client("--allow-dir", ".", "--allow-dir", self.outside)
        self.assertEqual(client.call("validate_workflow", config=str(self.outside / "flow.json"))["kind"], "Valid")
        self.assertEqual(client.call("validate_workflow", config="flow.json")["kind"], "Valid")

    def test_a_run_from_elsewhere_is_shown_but_not_retried(self):
        (self.outside / "flow.json").write_text(json.dumps({"entrypoint": "Bad", "steps": [step("Bad", FAILS)]}))
        self.barnum("run", self.outside / "flow.json", code=1)
        client = self.client()
        self.assertEqual(client.call("list_failures", run="last")["dropped"], 1)
        self.assertIn("not below", client.call("retry_run", run="last"))
        self.assertEqual(len(self.ps("-a")), 1)


class Hostile(BarnumMcpCase):
    def test_arguments_that_are_wrong_are_told_what_would_be_right(self):
        self.write_config(QUICK)
        client = self.client("--allow-answers")
        for tool, arguments, text in (
                ("run_status", {}, "`run` is required"), ("run_status", {"run": 5}, "must be a string"),
                ("run_status", {"run": "nothing"}, "there is no run nothing; list_runs lists"), ("run_status", {"run": "/etc/passwd"}, "passwd"),
                ("run_status", {"run": "--help"}, "--help"), ("wait_run", {"run": "last", "wait_seconds": 46}, "from 1 to 45"),
                ("list_runs", {"state": "over"}, 'must be "running", "paused"'), ("list_runs", {"limit": 0}, "from 1 to 100"),
                ("read_task", {"run": "last"}, "`task` is required"), ("read_task", {"run": "last", "task": -1}, "0 or more, and is -1"),
                ("read_logs", {"run": "last", "stream": "both"}, 'must be "stdout" or "stderr"'),
                ("retry_run", {"run": "last", "tasks": ["1"]}, "whole numbers"),
                ("retry_run", {"run": "last", "tasks": []}, "names no task"),
                ("validate_workflow", {}, "`config` is required"), ("validate_workflow", {"config": [1]}, "must be a string"),
                ("start_run", {"config": "flow.json", "agents": ["exec=1,exec=touch pwned"]}, "claude, codex or gemini"),
                ("start_run", {"config": "flow.json", "agents": ["claude=0"]}, "claude, codex or gemini"),
                ("start_run", {"config": "flow.json", "agents": ["claude,exec=x"]}, "claude, codex or gemini"),
                ("list_tasks", {"run": "last", "state": "over"}, 'must be "waiting", "running"'),
                ("cancel_run", {"run": "last", "now": "yes"}, "true or false"),
                ("start_run", {"config": "flow.json", "name": "--wake=touch pwned"}, "`name` must be 1 to 64 letters"),
                ("start_run", {"config": "flow.json", "name": "last"}, "not be `last`"),
                ("start_run", {"config": "flow.json", "reuse": "nothing"}, "`reuse`: there is no run nothing; list_runs lists"),
                ("start_run", {"config": "flow.json", "pool": "a/b"}, "is no pool id"),
                ("start_run", {"config": "flow.json", "initial_state": [{"kind": "X"}]}, "`initial_state` has 1 error"),
                ("start_run", {"config": "flow.json", "budget_usd": -1}, "from 0.000001 to 1000000000"),
                ("retry_run", {"run": "last", "tasks": [1], "step": "Quick"}, "`tasks` and `step` cannot both be given"),
                ("start_run", {"config": "flow.json", "budget_usd": "5"}, "a number of dollars"),
                ("start_run", {"config": "flow.json", "jobs": 1.5}, "whole number"),
                ("start_run", {"config": "flow.json", "entrypoint_value": "x" * 200000}, "is longer than"),
                ("start_run", {"config": "--help"}, "there is no file"),
                ("answer_human", {"run": "last"}, "`task` is required")):
            with self.subTest(tool=tool, arguments=str(arguments)[:100]):
                self.assertIn(text, client.call(tool, **arguments))
        self.assertEqual(client.call("list_runs", wait_for_previous=True),
                         {"kind": "Runs", "runs": [], "left_out": 0})
        self.assertEqual(client.call("start_run", config="none", budget=5),
                         '`config`: there is no file ' f"{self.work}/none (a path is relative to the directory in which the server was started)"
                         '\nstart_run has no argument "budget"; did you mean "budget_usd"?')
        self.assertFalse((self.work / "pwned").exists())

