"""The examples whose agents are real programs, each run by the command that its opening comment gives."""

import json
import re
import shutil

from harness.agent_programs import AgentProgramCase
from harness.examples import EXAMPLES, documented_command


def value_of(request):
    """The task's value, which is an object, as the model was told it."""
    text = "\n".join(request.said("user"))
    return json.JSONDecoder().raw_decode(text, re.search(r"JSON:\s+", text).end())[0]


class Examples(AgentProgramCase):
    def run_example(self, example, env):
        folder = self.home / example
        shutil.copytree(EXAMPLES / example, folder)
        command = documented_command(example).replace("/tmp/", f"{self.home}/out-")
        result = self.run_program("/bin/sh", "-c", command, cwd=folder, env=env)
        self.assert_exit(result, 0)
        self.assertEqual(self.programs(), {})
        return result.err

    def test_claude_review_reports_what_holds_up(self):
        def answer(request):
            value = value_of(request)
            if "diff" in value:
                lines = [n for n, line in enumerate(value["diff"].splitlines()) if line.startswith("+e")]
                return {"tasks": [{"kind": "Verify", "value": {"file": value["file"], "line": n, "remark": f"Line {n} is odd.",
                                                               "out": value["out"]}} for n in lines]}
            return {"tasks": [{"kind": "Keep", "value": value}] if value["file"] == "deploy.sh" else []}
        model = self.model("claude", answer)
        self.run_example("claude-review", self.environment("claude", model.url))
        self.assertEqual((self.home / "out-claude-review" / "review.md").read_text(), "- deploy.sh:9: Line 9 is odd.\n")
        self.assertEqual(len(model.requests), 3 + 2)

    def test_two_models_revise_until_the_critic_is_content(self):
        def write(request):
            value = value_of(request)
            text = value["text"] + "!" if "text" in value else "Text"
            return {"tasks": [{"kind": "Critique", "value": {"topic": value["topic"], "text": text}}]}

        def criticize(request):
            value = value_of(request)
            if value["text"].endswith("!!"):
                return {"tasks": [{"kind": "Publish", "value": {"topic": value["topic"], "text": value["text"]}}]}
            return {"tasks": [{"kind": "Revise", "value": {"topic": value["topic"], "text": value["text"], "faults": ["Dull."]}}]}
        writer, critic = self.model("claude", write), self.model("codex", criticize)
        env = self.environment("claude", writer.url) | self.environment("codex", critic.url)
        log = self.run_example("two-models", env)
        self.assertEqual((self.home / "out-text.md").read_text(), "Text!!\n")
        self.assertIn("written after 2 of at most 3 revisions", log)
        self.assertEqual((len(writer.requests), len(critic.requests)), (3, 3))
