"""What an agent may do at each level, whatever its user's own settings allow: the table in docs/agents.md, cell by cell, with the
real programs."""

import json
import re
import sys
from pathlib import Path

from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.environment import SOURCE_DIR

sys.path.insert(0, str(Path(__file__).parent))
from probes import KEY, KEY_NAMES, SECRET, Calls, Probes, rows_of  # noqa: E402

LEVELS = ("read", "edit", "full")
MEANS = {"no": False, "yes": True, "in its sandbox": True}
MODEL = {"gemini": ["model=gemini-3.1-pro-preview"]}
AS_ROOT = {"claude": {"IS_SANDBOX": "1"}}  # may skip all permissions

ALLOWED = {"claude": {"permissions": {"allow": ["Bash", "WebFetch", "WebSearch", "EnterWorktree"]}},
           "gemini": {"tools": {"allowed": ["run_shell_command", "write_file", "google_web_search", "web_fetch"]}}}
CODEX_ALLOWED = """sandbox_mode = "danger-full-access"
web_search = "live"
"""


class LevelCase(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def environment(self, kind, url):
        variables = super().environment(kind, url) | AS_ROOT.get(kind, {}) | {"MY_TOKEN": SECRET, KEY_NAMES[kind]: KEY}
        self.probes.home = Path(variables["HOME"])
        (self.probes.home / "tmp").mkdir()
        self.allow_everything(kind, self.probes.home / f".{kind}")
        return variables

    def allow_everything(self, kind, directory):
        """As a user may have done for sessions of their own."""
        directory.mkdir(exist_ok=True)
        if kind == "codex":
            path = directory / "config.toml"
            path.write_text(CODEX_ALLOWED + path.read_text())
            return
        path = directory / "settings.json"
        settings = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(settings | ALLOWED[kind]))

    def attempt(self, kind, level, *options):
        """The model tries everything, one call after another. Returns the requests of its task."""
        self.probes = Probes(kind, self.home / f"{kind}-{level}")
        self.addCleanup(self.probes.site.close)
        rest = []

        def answer(request):
            if "Do it." not in request.text:  # a tool of the program asks a model, too
                return {"text": "nothing"}
            return rest.pop(0) if rest else {"tasks": []}

        model = self.model(kind, answer)
        agent = self.start_agent(kind, model, "--permissions", level, "--directory", str(self.probes.work), *options)
        rest.extend(call for calls in self.probes.attempts().values() for call in calls)
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], agent.err)
        self.assertEqual(rest, [], "the model has tried everything")
        self.agent = agent
        return [request for request in model.requests if "Do it." in request.text]


class Levels(LevelCase):
    @for_each(KINDS, LEVELS)
    def test_the_table_is_true(self, kind, level):
        requests = self.attempt(kind, level)
        done = self.probes.done(requests)
        rows = rows_of(SOURCE_DIR / "docs" / "agents.md")
        self.assertEqual(list(rows), list(done))
        self.assertEqual(done, {row: MEANS[cells[f"{kind} {level}"]] for row, cells in rows.items()})

    def test_the_user_can_add_a_place_to_the_sandbox_of_codex(self):
        def add(_, directory):
            with (directory / "config.toml").open("r+") as config:
                place = json.dumps(str(self.probes.base))
                old = config.read()
                config.seek(0)
                config.write(f'default_permissions = ":workspace"\n{old}[permissions.barnum.filesystem]\n{place} = "read"\n')

        self.allow_everything = add
        requests = self.attempt("codex", "read")
        done = self.probes.done(requests)
        self.assertTrue(done["read other files"])
        self.assertFalse(done["change other files"])

    def test_gemini_finds_what_is_in_the_directory(self):
        self.probes = Probes("gemini", self.home / "finding")
        self.addCleanup(self.probes.site.close)
        work = self.probes.work
        (work / "deep").mkdir()
        for name in ("first.one", "second.two", "third.three", "fourth.four", "fifth.five"):
            (work / "deep" / name).write_text(f"It says {name.upper()}.")
        calls = {'1 file(s) matching \\"**/*.one': {"tool": "glob", "input": {"pattern": "**/*.one"}},
                 '1 file(s) matching \\"deep/*.{two,2}': {"tool": "glob", "input": {"pattern": "deep/*.{two,2}"}},
                 '1 file(s) matching \\"/': {"tool": "glob", "input": {"pattern": f"{work}/deep/*.three"}},
                 "fourth.four (": {"tool": "list_directory", "input": {"dir_path": str(work / "deep")}},
                 "FIFTH.FIVE": {"tool": "grep_search", "input": {"pattern": r"says\s", "include_pattern": "*.five"}}}
        model = self.model("gemini", [*calls.values(), {"tasks": []}])
        self.start_agent("gemini", model, "--directory", str(work))
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [])
        for told, before, after in zip(calls, model.requests, model.requests[1:], strict=False):
            self.assertNotIn(told, before.text)
            self.assertIn(told, after.text)

    @for_each(KINDS)
    def test_a_secret_reaches_the_tools_if_the_settings_name_it(self, kind):
        requests = self.attempt(kind, "full", "--env", "MY_TOKEN", "--env", "OTHER=1")
        self.assertTrue(self.probes.done(requests)["see secret variables"])


class Refusals(LevelCase):
    """What a model was not let do is told, and by whom."""

    REFUSED = {"claude": {("Bash printf 'it-%s' ran", "claude"), ("Write new.txt", "claude")},
               "codex": {("Run touch new.txt", "codex")},
               "gemini": {("Writing to new.txt", "permissions"), ("printf 'it-%s' ran", "permissions"),
                          ("read_file OUTSIDE", "gemini"), ("glob", "gemini")}}

    def calls(self, kind):
        """Of which all are refused at the level `read`."""
        calls = Calls(kind)
        if kind == "codex":
            return [calls.run("touch new.txt")]
        reads = [] if kind == "claude" else calls.read(self.probes.outside)[:1]
        searches = [{"tool": "glob", "input": {"pattern": "../*"}}] if kind == "gemini" else []
        return [*reads, *searches, calls.write(self.probes.work / "new.txt")[0], calls.run("printf 'it-%s' ran")]

    @for_each(KINDS)
    def test_it_is_in_the_transcript_the_report_and_a_warning(self, kind):
        self.probes = Probes(kind, self.home / f"{kind}-refused")
        self.addCleanup(self.probes.site.close)
        refused = {(what.replace("OUTSIDE", str(self.probes.outside)), by) for what, by in self.REFUSED[kind]}
        model = self.model(kind, [*self.calls(kind), {"tasks": []}])
        workflow = {"entrypoint": "Ask", "steps": [{"name": "Ask", "options": {"timeout": 100}, "next": [],
                                                    "action": {"kind": "Pool", "instructions": "Do it."}}]}
        (self.work / "w.json").write_text(json.dumps(workflow))
        agents = ",".join([f"{kind}=1", f"directory={self.probes.work}", *MODEL.get(kind, [])])
        run = self.run_program("barnum", "run", "--config", "w.json", "--agent", agents, "--state-log", f"{kind}.ndjson",
                               "--log-level", "info", env=self.environment(kind, model.url))
        self.assert_exit(run, 0)
        report = self.run_program("barnum", "inspect", f"{kind}.ndjson", "--json").json["tasks"][0]["attempts"][0]["report"]
        lines = [json.loads(line) for line in Path(report["transcript"]).read_text().splitlines()]
        told = {(line["line"]["what"], line["line"]["by"]) for line in lines if line.get("from") == "refusal"}
        self.assertEqual(told, refused)
        for what, by in refused:
            self.assertIn(f"{what} ({by})", report["refused"])
            self.assertRegex(run.err, rf"agent {kind}-1 was denied: .*{re.escape(f'{what} ({by})')}")


# In the place of a program that speaks ACP: it asks whether it may edit the file of the task, and answers what it was told.
ASKING = """#!/usr/bin/env python3
import json, sys
def send(**message):
    print(json.dumps({"jsonrpc": "2.0"} | message), flush=True)
results = {"initialize": {"protocolVersion": 1}, "session/new": {"sessionId": "s"}}
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") in results:
        send(id=message["id"], result=results[message["method"]])
    elif message.get("method") == "session/prompt":
        text = message["params"]["prompt"][0]["text"]
        path, prompt = json.loads(text[text.rindex("\\n"):]), message["id"]
        options = [{"optionId": word, "kind": word} for word in ("allow_once", "reject_once")]
        send(id=100, method="session/request_permission", params={"sessionId": "s", "options": options,
             "toolCall": {"toolCallId": "c", "kind": "edit", "title": "edit", "locations": [{"path": path}]}})
    elif message.get("id") == 100:
        chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": message["result"]["outcome"]["optionId"]}}
        send(method="session/update", params={"sessionId": "s", "update": chunk})
        send(id=prompt, result={"stopReason": "end_turn"})
"""


class Links(AgentProgramCase):
    """A program of the kind acp may follow links of the directory, so the driver does, too, before it gives leave."""

    needs_programs = False

    def test_a_link_leads_no_change_out_of_the_directory(self):
        directory = self.work / "there"
        (directory / ".git" / "hooks").mkdir(parents=True)
        for name, place in (("out", "../elsewhere"), ("hooks", ".git/hooks"), ("gone", "../nowhere"), ("round", "round"), ("own", ".")):
            (directory / name).symlink_to(place)
        (self.work / "elsewhere").mkdir()
        program = self.work / "asking"
        program.write_text(ASKING)
        program.chmod(0o755)
        self.pool.start("--no-heartbeat")
        self.pool.command("agent", "--kind", "acp", "--exec", str(program), "--permissions", "edit", "--directory", str(directory))
        may = {"new.txt": True, "own/new.txt": True, "out/new.txt": False, "hooks/post-checkout": False, "gone": False, "gone/new.txt": False,
               "round/new.txt": False, ".git/hooks/post-checkout": False, "../elsewhere/new.txt": False}
        for path, is_allowed in may.items():
            for written in (path, str(directory / path)):
                answer = self.submit(json.dumps(written)).json()["stdout"]
                self.assertEqual(answer, "allow_once" if is_allowed else "reject_once", written)


class Warnings(LevelCase):
    """What a program cannot promise is told before its agents begin."""

    def setUp(self):
        super().setUp()
        self.probes = Probes("gemini", self.home / "probes")
        self.addCleanup(self.probes.site.close)

    def warnings(self, kind, *options):
        agent = self.start_agent(kind, "http://127.0.0.1:9", *options)
        agent.signal(15)
        agent.result()
        return [line.split(" WARN  ")[1] for line in agent.err.splitlines() if " WARN " in line]

    @for_each(KINDS)
    def test_a_level_that_holds_needs_none(self, kind):
        self.assertEqual(self.warnings(kind), [])

    def test_a_program_may_act_without_asking(self):
        self.allow_everything = lambda *_: None
        self.assertEqual(self.warnings("acp", "--permissions", "edit"),
                         ["--exec: the program of kind acp is bound by its permissions only as far as it asks before it acts"])

    def test_rules_of_the_user_for_the_tools_that_the_level_has(self):
        def allow(_, directory):
            directory.mkdir()
            (directory / "settings.json").write_text(json.dumps({"permissions": {"allow": ["Bash", "Edit(//srv/**)"]}}))

        self.allow_everything = allow
        warning, = self.warnings("claude", "--permissions", "edit")
        self.assertRegex(warning, r"^--kind: rules in .*/\.claude/settings\.json let claude read or write other files")
