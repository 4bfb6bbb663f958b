"""A task that was handed back because of a limit goes on in the same conversation, if that is still there."""

import json
import shutil
import time
from pathlib import Path

from harness import wait_until
from harness.agent_programs import KINDS, ONE_REQUEST, AgentProgramCase, for_each

READ = {"claude": {"tool": "Read", "input": {"file_path": "a.txt"}},
        "codex": {"tool": "exec_command", "input": {"cmd": "cat a.txt"}},
        "gemini": {"tool": "read_file", "input": {"file_path": "a.txt"}}}
LIMIT = {"claude": {"status": 429}, "codex": {"limit": 1}, "gemini": {"status": 429}}
OVERLOAD = {"claude": {"status": 529}, "codex": {"status": 503}, "gemini": {"status": 503}}
# Where the programs keep their conversations, in the home.
KEPT = {"claude": ".claude/projects", "codex": ".codex/sessions", "gemini": ".gemini/tmp"}
MINUTE = 60  # seconds
GO_ON = "This task was interrupted"
VALUE = "The value of this task, as JSON"


def transcripts_of(env):
    """Their texts, in the order in which they were begun."""
    files = (Path(env["HOME"]) / ".local/state/barnum/transcripts/default").iterdir()
    return sorted((path.read_text() for path in files), key=lambda text: json.loads(text.split("\n", 1)[0])["time"])


class Resumed(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def begin(self, kind, failure):
        """An agent whose program has read a file and failed then: (its home, it, the model's server, the submitter)."""
        (self.work / "a.txt").write_text("the word is plover")
        model = self.model(kind, [READ[kind], failure, {"tasks": []}])
        env = self.environment(kind, model.url)
        agent = self.start_agent(kind, model, *ONE_REQUEST.get(kind, []), env=env)
        submitter = self.submit(json.dumps(kind))
        wait_until(lambda: len(model.requests) == 2 and not self.pool.agent_files(), "the task to be handed back")
        self.minute = time.strftime("%M")
        return env, agent, model, submitter

    def lift(self, env):
        wait_until(lambda: self.run_program("troupe", "accounts", "--json", env=env).json, "the park")
        self.assert_exit(self.run_program("troupe", "accounts", "resume", env=env), 0)

    def assert_went_on(self, model, submitter):
        self.assertEqual(json.loads(submitter.json()["stdout"]), [])
        self.assertEqual(len(model.requests), 3)
        text = model.requests[-1].text
        self.assertEqual((text.count(GO_ON), text.count(VALUE)), (1, 1))
        self.assertIn("the word is plover", text)

    @for_each(KINDS)
    def test_after_a_limit(self, kind):
        env, _, model, submitter = self.begin(kind, LIMIT[kind])
        if kind == "gemini":  # it names the files of conversations by the minute, and begins one anew
            wait_until(lambda: time.strftime("%M") != self.minute, "the clock's next minute", 2 * MINUTE)
        self.lift(env)
        self.assert_went_on(model, submitter)

    @for_each(("claude", "codex"))
    def test_after_an_overload(self, kind):
        _, agent, model, submitter = self.begin(kind, OVERLOAD[kind])
        self.assert_went_on(model, submitter)
        self.assertNotIn("begins anew", agent.err)

    @for_each(KINDS)
    def test_a_conversation_that_is_not_there_any_more(self, kind):
        env, agent, model, submitter = self.begin(kind, LIMIT[kind])
        kept = Path(env["HOME"]) / KEPT[kind]
        self.assertTrue(list(kept.iterdir()))
        shutil.rmtree(kept)
        self.lift(env)
        self.assertEqual(json.loads(submitter.json()["stdout"]), [])
        text = model.requests[-1].text
        self.assertEqual((text.count(GO_ON), text.count(VALUE)), (0, 1))
        self.assertNotIn("plover", text)
        self.assertRegex(agent.err, r"the conversation \S+ is not there any more.*; the task begins anew")
        self.assertNotIn("transcripts are not kept", agent.err)
        first, second = transcripts_of(env)
        self.assertIn(VALUE, first)
        self.assertIn(VALUE, second)
        if kind == "claude":  # whose program has ended, and was started again
            self.assertLess(second.index(GO_ON), second.index(VALUE))

    def test_another_task_begins_anew(self):
        env, _, model, submitter = self.begin("claude", LIMIT["claude"])
        submitter.terminate()
        submitter.result()
        other = self.submit("17")
        self.lift(env)
        self.assertEqual(json.loads(other.json()["stdout"]), [])
        self.assertNotIn(GO_ON, model.requests[-1].text)
