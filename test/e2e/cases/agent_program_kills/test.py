"""Ends of the real programs and of `troupe agent` at each phase of a task: nothing is left, and no task is lost."""

import json
import os
import signal

from harness import wait_until, windows
from harness.agent_programs import KINDS, AgentProgramCase, for_each

# When the end comes: the model's script, and whether the model is asked before.
PHASES = {"starting": ([{"tasks": [], "hold": "before"}], False), "waiting": ([{"tasks": [], "hold": "before"}], True),
          "answering": ([{"tasks": [], "hold": "within"}], True)}


class Kills(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def begin(self, kind, phase, *options):
        """An agent that has reached the phase, its model, and the submitter of its task."""
        script, is_asked = PHASES[phase]
        model = self.model(kind, script)
        agent = self.start_agent(kind, model, *options)
        submitter = self.submit(1)
        wait_until(lambda: model.requests if is_asked else self.programs(), f"the program to be at {phase}")
        return agent, model, submitter

    def assert_handed_back(self, submitter):
        """Nothing is left of the program, and another agent does the task."""
        wait_until(lambda: not self.programs(), "the program to end")
        task = self.pool.take()
        self.assertEqual(task["content"]["task"], {"kind": "Ask", "value": 1})
        self.pool.answer(task, "[2]")
        self.assertEqual(json.loads(submitter.json()["stdout"]), [2])

    @for_each(KINDS, PHASES)
    def test_the_end_of_the_program_is_a_failed_attempt(self, kind, phase):
        agent, model, submitter = self.begin(kind, phase)
        os.kill(self.program_of(agent), signal.SIGKILL)
        result = submitter.result()
        self.assert_exit(result, 1)
        self.assertEqual((result.json["reason"], result.json["failure"]), ("agent_failed", "killed"))
        wait_until(lambda: not self.programs(), "the rest of the program to end")
        model.load([{"tasks": []}])
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], "the agent goes on")

    @for_each(KINDS, PHASES)
    def test_sigkill_of_the_agent_ends_its_program(self, kind, phase):
        agent, _, submitter = self.begin(kind, phase)
        agent.signal(signal.SIGKILL)
        self.assert_exit(agent.result(), -signal.SIGKILL)
        self.assert_handed_back(submitter)

    @for_each(KINDS, PHASES)
    def test_sigterm_of_the_agent_ends_its_program(self, kind, phase):
        agent, _, submitter = self.begin(kind, phase)
        agent.signal(signal.SIGTERM)
        self.assert_exit(agent.result(), 128 + signal.SIGTERM)
        self.assertEqual(self.programs(), {}, "the program was still there when the agent had ended")
        self.assert_handed_back(submitter)

    def test_three_agents_end_together(self):
        model = self.model("claude", [{"tasks": [], "hold": "within"}])
        agent = self.start_agent("claude", model, "--count", "3")
        submitters = [self.submit(1) for _ in range(3)]
        wait_until(lambda: len(model.requests) == 3, "all models to be asked")
        agent.signal(signal.SIGTERM)
        self.assert_exit(agent.result(), 128 + signal.SIGTERM)
        for submitter in submitters:
            self.pool.answer(self.pool.take(), "[2]")
        for submitter in submitters:
            self.assertEqual(json.loads(submitter.json()["stdout"]), [2])


class Deadlines(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    @for_each(KINDS)
    def test_the_tasks_deadline_ends_the_program(self, kind):
        model = self.model(kind, [{"tasks": [], "hold": "before"}])
        agent = self.start_agent(kind, model)
        for timeout in windows(100):
            self.assert_exit(self.submit(1, timeout=timeout).result(), 124)
            wait_until(lambda: not self.programs(), "the program to end")
            if model.requests:
                break
        self.assertTrue(model.requests, "the program never got as far as its model")
        model.load([{"tasks": []}])
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], "the agent goes on")

    def test_a_submitter_that_goes_away_ends_the_program(self):
        model = self.model("claude", [{"tasks": [], "hold": "before"}])
        self.start_agent("claude", model)
        submitter = self.submit(1)
        wait_until(lambda: model.requests, "the model to be asked")
        submitter.terminate()
        wait_until(lambda: not self.programs(), "the program to end")
        model.load([{"tasks": []}])
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], "the agent goes on")
