"""What agents do, and which are away: in the status, to submitters and in the progress of a run."""

import json
import re
import socket
import time

from harness import wait_until
from harness.agent_programs import KINDS, AgentProgramCase, for_each
from harness.pool import inline
from harness.terminal import TerminalCase
from harness.workflow import emit, pool, step

HOUR = 3600

# In the place of Claude Code: for each file of a number that appears it calls a tool once more, and answers when there is
# the file "done".
BUSY = """#!/usr/bin/env python3
import json, os, sys, time
def tell(**message):
    print(json.dumps(message), flush=True)
sys.stdin.readline()
number = 1
while not os.path.exists("done"):
    if not os.path.exists(str(number)):
        time.sleep(0.005)
        continue
    usage = dict(input_tokens=100, cache_read_input_tokens=50, output_tokens=7)
    call = dict(type="tool_use", name="Edit", input=dict(file_path=os.path.join(os.getcwd(), "libs/%d.cpp" % number)))
    tell(type="assistant", message=dict(id="m%d" % number, usage=usage, content=[call]))
    open("called", "w").close()
    number += 1
tell(type="result", subtype="success", is_error=False, result="[]", total_cost_usd=0.31, permission_denials=%s)
"""
# In the place of Claude Code: for each file of a number that appears it writes the next part of its message, which is in parts.json.
WRITER = """#!/usr/bin/env python3
import json, os, sys, time
def tell(**message):
    print(json.dumps(message, separators=(",", ":")), flush=True)
def part(**event):
    tell(type="stream_event", event=event, parent_tool_use_id=None)
sys.stdin.readline()
parts = json.load(open("parts.json"))
part(type="content_block_start", index=0, content_block=dict(type="text", text=""))
for number, text in enumerate(parts):
    while not os.path.exists(str(number)):
        time.sleep(0.005)
    part(type="content_block_delta", index=0, delta=dict(type="text_delta", text=text))
while not os.path.exists("done"):
    time.sleep(0.005)
tell(type="assistant", message=dict(id="m1", usage=dict(input_tokens=1), content=[dict(type="text", text="".join(parts))]))
tell(type="result", subtype="success", is_error=False, result="[]", total_cost_usd=0.31, permission_denials=[])
"""
DENIALS = "[dict(tool_name=name) for name in ('Bash', 'Write', 'Bash')]"

LIMIT = """#!/bin/sh
read -r task
echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You have reached your limit"}'
"""


class ActivityCase(AgentProgramCase):
    needs_programs = False

    def write_program(self, script=BUSY, denials="[]"):
        path = self.work / "program"
        path.write_text(script.replace("%s)", denials + ")") if script is BUSY else script)
        path.chmod(0o755)
        return path

    def busy_agent(self, *options, denials="[]"):
        return self.start_agent("claude", "http://127.0.0.1:9", "--program", self.write_program(denials=denials), *options)

    def call_tool(self, number):
        (self.work / str(number)).touch()

    def end_task(self):
        (self.work / "done").touch()

    def status(self, *options):
        return self.pool.command("status", *options).result()

    def activity(self):
        """What the pool's only agent does, for programs, without the time at which it began."""
        agent, = self.status("--json").json["agents"]
        return agent["activity"] and {name: value for name, value in agent["activity"].items() if name != "since"}

    def wait_for_call(self, number):
        wait_until(lambda: (self.activity() or {}).get("text") == f"Edit libs/{number}.cpp", f"the call {number} in the status")


class Status(ActivityCase):
    def test_the_status_says_what_an_agent_does_as_long_as_it_has_its_task(self):
        self.pool.start("--no-heartbeat")
        self.busy_agent()
        self.assertIsNone(self.activity())
        submitter = self.submit(1)
        self.call_tool(1)
        self.call_tool(2)
        self.wait_for_call(2)
        self.assertEqual(self.activity(), {"text": "Edit libs/2.cpp", "turn": 2, "input_tokens": 300, "cached_tokens": 100,
                                           "output_tokens": 14})
        shown = self.status().out
        self.assertRegex(shown, r"(?m)^agent +state +for +doing +submission$")
        self.assertRegex(shown, r"(?m)^claude +busy .* Edit libs/2\.cpp · turn 2 +[0-9a-f-]{36}$")
        self.end_task()
        self.assert_exit(submitter.result(), 0)
        wait_until(lambda: [agent["activity"] for agent in self.status("--json").json["agents"]] == [None], "the next turn")
        self.assertNotIn("doing", self.status().out)

    def test_tools_that_were_denied_are_told_once(self):
        self.pool.start("--no-heartbeat")
        agent = self.busy_agent(denials=DENIALS)
        self.end_task()
        self.assert_exit(self.submit(1).result(), 0)
        told = "agent claude was denied: Bash (claude), Write (claude); see `permissions` and `allow_tools`"
        wait_until(lambda: told in agent.err, "the warning")
        self.assertEqual(agent.err.count("was denied"), 1)

    def test_a_new_daemon_is_told_again(self):
        daemon = self.pool.start("--no-heartbeat")
        self.busy_agent()
        self.submit(1)
        self.call_tool(1)
        self.wait_for_call(1)
        daemon.signal(9)
        daemon.result()
        self.pool.start("--no-heartbeat")
        self.wait_for_call(1)


class Submitters(ActivityCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def asked(self, id_="1"):
        client = self.pool.connect()
        self.addCleanup(client.close)
        client.send(inline({"task": {"kind": "Ask", "value": 1}}, id_) | {"wants_activity": True})
        return client

    def texts_to(self, client, last):
        """What the client is told until the text is `last`."""
        texts = []
        while not texts or texts[-1] != last:
            frame = client.receive()
            self.assertEqual((frame["kind"], frame["id"], frame["agent"]), ("Activity", "1", "claude"))
            texts.append(frame["activity"]["text"])
        return texts

    def test_a_submitter_that_asks_is_told_what_its_agent_does(self):
        self.busy_agent()
        client = self.asked()
        with self.pool.connect() as quiet:
            quiet.send(inline({"task": {"kind": "Ask", "value": 1}}, "1"))
            self.call_tool(1)
            frame = client.receive()
            self.assertLess(abs(time.time() - frame["activity"].pop("since") / 1000), HOUR)
            self.assertEqual(frame, {"kind": "Activity", "id": "1", "agent": "claude", "activity": {
                "text": "Edit libs/1.cpp", "turn": 1, "input_tokens": 150, "cached_tokens": 50, "output_tokens": 7}})
            self.end_task()
            while (frame := client.receive())["kind"] == "Activity":
                pass
            self.assertEqual(frame["kind"], "Processed")
            self.assertEqual(quiet.receive()["kind"], "Processed", "who has not asked is told nothing else")

    def test_one_that_does_not_read_gets_the_newest_later(self):
        self.busy_agent()
        client = self.asked()
        for number in range(1, 6):
            self.call_tool(number)
            self.wait_for_call(number)
        self.assertEqual(self.texts_to(client, "Edit libs/5.cpp"), ["Edit libs/1.cpp", "Edit libs/5.cpp"])

    def test_it_is_told_that_the_agent_has_given_the_task_back(self):
        agent = self.busy_agent()
        client = self.asked()
        self.call_tool(1)
        self.texts_to(client, "Edit libs/1.cpp")
        agent.signal(15)
        told = client.receive()
        used = told.pop("used")  # in all, by an agent that does not report
        self.assertEqual(told, {"kind": "Activity", "id": "1", "agent": "claude", "activity": None})
        self.assertEqual((used["turn"], used["input_tokens"], used["output_tokens"]), (1, 150, 7))


class Sessions(ActivityCase):
    def send(self, client, frame):
        client.send(json.dumps(frame, separators=(",", ":")))

    def greeted(self, session="s-1", **more):
        client = self.pool.connect()
        self.addCleanup(client.close)
        greeting = {"kind": "Session", "session": session} | more
        self.send(client, greeting)
        self.assertEqual(client.receive(), greeting)
        return client

    def test_the_answer_to_a_greeting_tells_whether_the_daemon_knows_of_activity(self):
        self.pool.start("--no-heartbeat")
        self.greeted()
        self.greeted("s-2", activity=True)

    def test_hostile_frames_do_no_harm(self):
        self.pool.start("--no-heartbeat")
        self.busy_agent()
        self.submit(1)
        self.call_tool(1)
        self.wait_for_call(1)
        stranger = self.greeted(activity=True)
        agent, = self.status("--json").json["agents"]
        activity = {"kind": "Activity", "agent": agent["id"], "activity": {"text": "stolen"}}
        self.send(stranger, activity)  # of another session's agent
        self.send(stranger, activity | {"agent": "nobody"})
        for number in range(2000):
            self.send(stranger, {"kind": "Away", "name": f"a-{number}", "until": 1})
        self.send(stranger, {"kind": "Back", "name": "nobody"})
        refused = [activity | {"activity": {"turn": -1}}, activity | {"activity": {"text": "x" * 1000}},
                   {"kind": "Away", "name": "x" * 1000, "until": 1}, {"kind": "Away", "name": "a"}, {"kind": "Back"}]
        for frame in refused:
            self.send(stranger, frame)
            self.assertEqual(stranger.receive()["reason"], "invalid")
        status = self.status("--json").json
        self.assertEqual(len(status["away"]), 1000)
        self.assertEqual(self.activity()["text"], "Edit libs/1.cpp")
        stranger.close()
        wait_until(lambda: self.status("--json").json["away"] == [], "the end of the session")

    def test_an_older_daemon_is_told_nothing(self):
        """It would take the frames for submissions."""
        for name in ("agents", "submissions", "scratch"):
            (self.pool.path / name).mkdir(mode=0o700, parents=True)
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.pool.path / "daemon.sock"))
        listener.listen()
        (self.pool.path / "status").write_text("")
        agent = self.busy_agent()
        connection = listener.accept()[0]
        self.addCleanup(connection.close)
        stream = connection.makefile("rwb")
        greeting = json.loads(stream.read(int(stream.readline())))
        answer = json.dumps({"kind": "Session", "session": greeting["session"]}, separators=(",", ":")).encode()
        stream.write(b"%d\n%s" % (len(answer), answer))
        stream.flush()
        id_, = self.pool.waiting_agents()
        (self.pool.path / "agents" / f"{id_}.task.json").write_text("{}")
        self.call_tool(1)
        wait_until((self.work / "called").exists, "the call")
        self.end_task()
        wait_until((self.pool.path / "agents" / f"{id_}.response.json").exists, "the response")
        agent.signal(15)
        agent.result()
        self.assertEqual(stream.read(), b"")


class Away(ActivityCase):
    def setUp(self):
        super().setUp()
        self.daemon = self.pool.start("--no-heartbeat")
        self.env["HOME"] = str(self.home)

    def away(self):
        return self.status("--json").json["away"]

    def park(self, *options):
        """An agent whose account has reached a limit, and the submitter of its task."""
        agent = self.start_agent("claude", "http://127.0.0.1:9", "--program", self.write_program(LIMIT), *options, env=self.env)
        submitter = self.submit(1)
        wait_until(self.away, "the agent to be away")
        return agent, submitter

    def test_a_parked_agent_is_in_the_status_until_its_park_is_lifted(self):
        self.park("--label", "writer")
        away, = self.away()
        account = away["account"]
        self.assertRegex(account, rf"^claude \({re.escape(str(self.home))}/\.claude, key [0-9a-f]{{8}}\)$")
        self.assertEqual((away["name"], away["labels"], away["account"], away["reason"]),
                         ("claude", ["writer"], account, "You have reached your limit"))
        self.assertGreater(away["until"], 1000 * time.time())
        self.assertRegex(self.status().out, rf"(?m)^agents  none attached\naway    1 agent until \S+: {re.escape(account)} "
                                            "is parked: You have reached your limit$")
        wait_until(lambda: "no agent is attached" in self.daemon.err, "the daemon's warning")
        self.assertRegex(self.daemon.err, r"no agent is attached to the pool in \S+; 1 agent is away until \S+Z: "
                                          rf"{re.escape(account)} is parked: You have reached your limit\n")
        self.write_program()
        self.end_task()
        self.assert_exit(self.run_program("troupe", "accounts", "resume"), 0)
        wait_until(lambda: self.away() == [], "the agent to be back")

    def test_who_waits_for_its_labels_is_told_that_it_is_away(self):
        self.park("--label", "writer")
        submitter = self.submit(2, "--label", "writer")
        told = "; of those that fit, 1 agent is away until "
        wait_until(lambda: told in submitter.err, "the submitter's warning")
        for log in (submitter.err, self.daemon.err):
            self.assertRegex(log, f"no agent has the label writer in the pool in [^;]+{told}\\S+Z: claude .* is parked: You have")
        self.assertNotIn("attach one with", self.daemon.err)

    def test_it_is_not_away_any_more_when_its_process_has_been_killed(self):
        agent, _ = self.park()
        agent.signal(9)
        wait_until(lambda: self.away() == [], "the end of the session")

    def test_a_new_daemon_is_told_again(self):
        self.park()
        self.daemon.signal(9)
        self.daemon.result()
        self.pool.start("--no-heartbeat")
        wait_until(self.away, "the agent to tell the new daemon")

    def test_an_agent_that_rests_is_away_without_an_account(self):
        self.pool.command("agent", "--exec", "echo no credit >&2; exit 75", "--count", "2")
        self.submit(1)
        wait_until(lambda: len(self.away()) == 2, "both agents to rest")
        self.assertEqual({away["account"] for away in self.away()}, {None})
        self.assertIn("75", self.away()[0]["reason"])
        self.assertRegex(self.status().out, r"(?m)^away    \d agents? until \S+: resting: ")


class Runs(ActivityCase, TerminalCase):
    STEPS = (step("Ask", pool()),)

    def test_the_table_of_a_run_shows_what_its_agents_do(self):
        path = self.write_config(self.STEPS)
        terminal = self.terminal(columns=100)
        terminal.type(f"barnum run --config {path} --agent claude,program={self.write_program()}")
        self.call_tool(1)
        terminal.wait_for(r"^  task 0 Ask  \d:\d\d  claude-1: Edit libs/1\.cpp · turn 1$")
        self.end_task()
        terminal.wait_for("run finished: 1 task")

    def test_parked_agents_are_counted(self):
        path = self.write_config(self.STEPS)
        terminal = self.terminal(columns=120)
        terminal.type(f"barnum run --config {path} --agent claude=2,program={self.write_program(LIMIT)}")
        terminal.wait_for(r"; 0 of 2 agents busy, 2 parked until \d\d:\d\d:\d\d$")
        terminal.key("C-c")
        terminal.wait_for("resume this run with")

    def test_the_events_of_a_run_tell_it(self):
        run = self.start_run(self.STEPS, "--agent", f"claude,program={self.write_program()}", "--progress", "json")
        self.call_tool(1)
        wait_until(lambda: "task_activity" in run.err, "the event")
        self.end_task()
        result = run.result()
        self.assert_run(result)
        events = [json.loads(line) for line in result.err.splitlines()]
        told = [event for event in events if event["event"] == "task_activity"]
        self.assertEqual({(event["task"], event["agent"]) for event in told}, {(0, "claude-1")})
        self.assertEqual(told[0]["activity"]["text"], "Edit libs/1.cpp")
        self.assertEqual(told[0]["activity"]["turn"], 1)

    def test_what_a_working_agent_has_used_counts_for_the_budget(self):
        """It ends its task, and gets no further one."""
        steps = [step("Split", emit(("Ask", 1), ("Ask", 2)), ["Ask"]), step("Ask", pool())]
        run = self.start_run(steps, "--agent", f"claude,program={self.write_program()}", "--budget-tokens", "300",
                             "--progress", "none")
        self.call_tool(1)  # each call uses 157 tokens
        wait_until((self.work / "called").exists, "the first call")
        self.assertNotIn("the budget is spent", run.err)
        self.call_tool(2)
        wait_until(lambda: "the budget is spent: 314 of 300 tokens" in run.err, "the budget to be spent")
        self.end_task()
        result = run.result()
        self.assert_run(result, 75)
        self.assertIn("--budget-tokens 628", result.err)
        self.assertEqual(len(re.findall(r"Ask: done", result.err)), 1)


class Words(ActivityCase, TerminalCase):
    """What a model writes is shown while it writes it."""

    SECRET = "the-words-of-a-secret"
    PARTS = ("The draft begins well. Its key is the-wor", "ds-of-\x1b[1ma-se", "cret, and so", " it ends\n\nwell. " + "More of it. " * 100)

    def begin(self):
        (self.work / "parts.json").write_text(json.dumps(self.PARTS))
        self.env["MY_TOKEN"] = self.SECRET
        return self.start_run((step("Ask", pool()),), "--name", "drafts", "--agent", f"claude,program={self.write_program(WRITER)}",
                              "--progress", "json")

    def told(self, run):
        return [event["activity"]["text"] for event in map(json.loads, run.err.splitlines())
                if event["event"] == "task_activity" and event["activity"]]

    def wait_for_part(self, run, number, text):
        self.call_tool(number)
        wait_until(lambda: (self.told(run) or [""])[-1] == text, f"the part {number}")

    def test_in_attach_before_the_message_has_ended_and_without_secrets(self):
        run = self.begin()
        viewer = self.terminal(columns=150)
        self.wait_for_part(run, 0, "writes: The draft begins well. Its key is")
        viewer.type("barnum attach drafts")
        viewer.wait_for(r"claude-1: writes: The draft begins well\. Its key is")
        self.call_tool(1)
        self.wait_for_part(run, 2, "writes: The draft begins well. Its key is ***, and so")
        viewer.wait_for(r"Its key is \*\*\*, and so")
        self.call_tool(3)
        wait_until(lambda: self.told(run)[-1].startswith("writes: …"), "the end of a long text")
        self.assertLessEqual(max(len(text.encode()) for text in self.told(run)), 200)
        self.end_task()
        result = run.result()
        self.assert_run(result)
        for text in (result.err, *(path.read_text() for path in self.home.rglob("*.ndjson"))):
            for part in (self.SECRET, "ds-of-", "the-wor"):
                self.assertNotIn(part, text)
        transcript, = self.home.rglob("*.transcripts/*.ndjson")
        self.assertNotIn("stream_event", transcript.read_text())

    def test_the_state_log_has_nothing_of_it(self):
        run = self.begin()
        self.wait_for_part(run, 0, "writes: The draft begins well. Its key is")
        log, = (path for path in self.home.rglob("*.ndjson") if ".transcripts" not in str(path))
        before = log.stat().st_size
        self.call_tool(1)
        self.wait_for_part(run, 2, "writes: The draft begins well. Its key is ***, and so")
        self.assertEqual(log.stat().st_size, before)
        self.call_tool(3)
        self.end_task()
        self.assert_run(run.result())


class RealProgram(AgentProgramCase):
    @for_each(KINDS)
    def test_the_status_says_what_the_model_writes(self, kind):
        self.pool.start("--no-heartbeat")
        model = self.model(kind, [{"text": "The words of the model", "hold": "end"}])
        agent = self.start_agent(kind, model, "--max-repairs", "0")
        submitter = self.submit(1)

        def text():
            (state,) = self.pool.command("status", "--json").result().json["agents"]
            return (state["activity"] or {}).get("text", "")
        wait_until(lambda: text() == "writes: The words of the model", "the words")
        model.release()
        submitter.result()
        agent.terminate()
        agent.result()
        self.pool.stop()

    def test_the_status_says_what_claude_code_does_while_its_model_thinks(self):
        (self.work / "notes.txt").write_text("A note.\n")
        self.pool.start("--no-heartbeat")
        model = self.model("claude", [{"tool": "Read", "input": {"file_path": str(self.work / "notes.txt")}},
                                      {"tasks": [], "hold": "before"}])
        self.start_agent("claude", model)
        submitter = self.submit(1)
        wait_until(lambda: len(model.requests) == 2, "the second request")

        def activity():
            agent, = self.pool.command("status", "--json").result().json["agents"]
            return agent["activity"]
        wait_until(lambda: (activity() or {}).get("text") == "Read notes.txt", "the activity")
        self.assertEqual(activity()["turn"], 1)
        self.assertGreater(activity()["input_tokens"], 0)
        self.assertRegex(self.pool.command("status").result().out, r"(?m)^claude +busy .* Read notes\.txt · turn 1 ")
        model.release()
        self.assert_exit(submitter.result(), 0)
