"""barnum run --fail-fast: the run ends when a task needs an agent that will not come."""

import json
import re

from harness import wait_until
from harness.workflow import KEEP, WorkflowCase, step


def labelled(*labels):
    return {"kind": "Pool", "instructions": "Do it.", "labels": list(labels)}


def agent(label, command, **more):
    return {"kind": "exec", "exec": command, "labels": [label]} | more


def tasks(*kinds):
    return json.dumps([{"kind": kind, "value": {}} for kind in kinds])


class FailFast(WorkflowCase):
    WRITE = step("Write", labelled("writer"), ["Review", "Other"])
    REVIEW = step("Review", labelled("reviewer"))

    def resumed(self, err, **env):
        (line,) = re.findall(r"^ *((?:cd |\S*barnum).*--resume-from.*)$", err, re.M)
        self.assertIn(" --fail-fast", line)
        return self.run_program("bash", "-c", line + " --agent 'exec,exec=echo [],labels=reviewer'")

    def test_a_label_that_no_agent_has(self):
        agents = [agent("writer", f"echo '{tasks('Review')}'")]
        result = self.run_workflow([self.WRITE, self.REVIEW, step("Other", KEEP)], "--fail-fast", "--progress", "json",
                                   agents=agents)
        self.assert_exit(result, 1)
        events = [json.loads(line) for line in result.err.splitlines() if line.startswith("{")]
        (ended,) = [event for event in events if event["event"] == "run_ended"]
        self.assertEqual(ended["result"], "no_agents")
        self.assertEqual(ended["message"],
                         "no agent of this run has the label reviewer, which the Pool step Review requires")
        self.assertEqual(ended["tasks"]["done"], 1)

    def test_what_runs_is_finished_and_the_resumed_run_does_the_rest(self):
        """The last agent with the label ends while another is at work: its work is kept."""
        held = "touch began; await go; echo x >> others; echo '[]'"
        agents = [agent("writer", f"echo '{tasks('Other', 'Other', 'Review')}'"), agent("other", held),
                  agent("reviewer", "nothere-at-all")]
        steps = [self.WRITE, self.REVIEW, step("Other", labelled("other"))]
        run = self.start_run(steps, "--fail-fast", "--state-log", "run.ndjson", agents=agents)
        wait_until((self.work / "began").exists, "the other agent to begin")
        wait_until(lambda: "nothing new is started" in run.err, "the run to wind down")
        self.assertTrue(run.running)
        (self.work / "go").touch()
        result = run.result()
        self.assert_exit(result, 1)
        self.assertRegex(result.err, "run failed: 2 tasks in .*, 2 not finished; no agent of this run is left for the Pool "
                                     "step Review, which requires the label reviewer; the last one, agent-3, has ended: ")
        self.assertRegex(result.err, r"INFO  the command below repeats the options .*; before you start it, correct them .*\n"
                                     r".* INFO  resume this run with:\n")
        self.assertEqual((self.work / "others").read_text(), "x\n")
        resumed = self.resumed(result.err)
        self.assert_exit(resumed, 0)
        self.assertEqual((self.work / "others").read_text(), "x\nx\n")

    def test_a_step_that_is_not_reached_does_not_matter(self):
        result = self.run_workflow([self.WRITE, self.REVIEW, step("Other", KEEP)], "--fail-fast",
                                   agents=[agent("writer", "echo '[]'")])
        self.assert_exit(result, 0)
        self.assertIn("no agent of this run has the label reviewer, which the Pool step Review requires: the run ends when "
                      "it comes to one of its tasks", result.err)

    def test_a_task_with_a_pre_hook_is_not_submitted(self):
        review = self.REVIEW | {"pre": {"kind": "Command", "script": "touch prepared; cat"}}
        result = self.run_workflow([self.WRITE, review, step("Other", KEEP)], "--fail-fast",
                                   agents=[agent("writer", f"echo '{tasks('Review')}'")])
        self.assert_exit(result, 1)
        self.assertIn("1 not finished; no agent of this run has the label reviewer", result.err)

    def test_the_warning_without_fail_fast(self):
        for more in ((), ("--agent", "exec,exec=true,labels=x")):
            result = self.run_workflow([self.WRITE, self.REVIEW, step("Other", KEEP)], "--dry-run", *more,
                                       agents=[agent("writer", "true")])
            self.assert_exit(result, 0)
            self.assertIn("WARN  no agent of this run has the label reviewer, which the Pool step Review requires: its tasks "
                          "wait until the run is ended", result.err)
        for other in (("--agent", "exec,exec=true,labels=reviewer"), ("--pool", "shared"), ("--no-agents",)):
            result = self.run_workflow([self.WRITE, self.REVIEW, step("Other", KEEP)], "--dry-run", *other,
                                       agents=[agent("writer", "true")])
            self.assertNotIn("no agent of this run has", result.err)

    def test_a_shared_pool_tells_after_half_a_minute(self):
        """What runs there is finished; the task that no agent of the pool could take is taken back."""
        write = self.WRITE | {"action": labelled()}
        held = f"case $(jq -r .task.kind) in Other) touch began; await go; echo '[]';; " \
               f"*) echo '{tasks('Other', 'Review')}';; esac"
        run = self.start_run([write, self.REVIEW, step("Other", labelled())], "--fail-fast", "--pool", "shared",
                             "--agent-exec", held, "--agents", "1")
        wait_until(lambda: "nothing new is started" in run.err, "the run to wind down")
        self.assertTrue(run.running)
        (self.work / "go").touch()
        result = run.result()
        self.assert_exit(result, 1)
        self.assertRegex(result.err, "run failed: 2 tasks in .*, 1 not finished; a task waits, and no agent has the label "
                                     "reviewer in the pool in ")
