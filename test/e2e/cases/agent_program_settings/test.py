"""Settings that users of the programs know: how much the model thinks, and which one takes over from an overloaded one."""

import json

from harness.agent_programs import AgentProgramCase, for_each

SAID = {"claude": lambda body: body.get("output_config", {}).get("effort"),
        "codex": lambda body: body.get("reasoning", {}).get("effort")}


class SettingCase(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")

    def do(self, kind, script, *options, **more):
        """One task, with these options of `troupe agent`. Returns the requests of the task, and the agent."""
        model = self.model(kind, script)
        agent = self.start_agent(kind, model, *options, **more)
        self.assertEqual(json.loads(self.submit(1).json()["stdout"]), [], agent.err)
        return [request for request in model.requests if "Do it." in request.text], agent


class Effort(SettingCase):
    @for_each(SAID, ("low", "xhigh"))
    def test_the_model_is_told_it(self, kind, effort):
        requests, _ = self.do(kind, [{"tasks": []}], "--effort", effort)
        self.assertEqual([SAID[kind](request.body) for request in requests], [effort])

    @for_each(SAID)
    def test_in_a_config(self, kind):
        model = self.model(kind, [{"tasks": []}])
        workflow = {"agents": [{"kind": kind, "effort": "high"}], "entrypoint": "Ask",
                    "steps": [{"name": "Ask", "next": [], "action": {"kind": "Pool", "instructions": "Do it."}}]}
        self.assert_exit(self.run_program("barnum", "run", "--config", json.dumps(workflow),
                                          env=self.environment(kind, model.url)), 0)
        self.assertEqual(SAID[kind](model.requests[-1].body), "high")


class Refused(SettingCase):
    def test_a_kind_without_it_is_an_error_of_the_config(self):
        workflow = {"agents": [{"kind": "gemini", "effort": "high"}, {"kind": "codex", "fallback_model": "x"}],
                    "steps": [{"name": "Ask", "next": [], "action": {"kind": "Pool", "instructions": "Do it."}}]}
        done = self.run_program("barnum", "config", "validate", "--config", json.dumps(workflow))
        self.assert_exit(done, 2)
        self.assertIn("effort is not available for gemini: the program has no option for it; claude and codex have one", done.err)
        self.assertIn("fallback_model is not available for codex: the program has no option for it; only claude has one", done.err)


class Fallback(SettingCase):
    def test_another_model_takes_over_from_an_overloaded_one(self):
        def answer(request):
            return {"status": 529} if "opus" in request.body["model"] else {"tasks": []}

        requests, agent = self.do("claude", answer, "--model", "opus", "--fallback-model", "haiku")
        self.assertRegex(requests[0].body["model"], "opus")
        self.assertRegex(requests[-1].body["model"], "haiku")
        self.assert_running(agent)

    def test_the_report_names_the_model_that_has_answered(self):
        model = self.model("claude", lambda request: {"status": 529} if "opus" in request.body["model"] else {"tasks": []})
        workflow = {"agents": [{"kind": "claude", "model": "opus", "fallback_model": "haiku"}], "entrypoint": "Ask",
                    "steps": [{"name": "Ask", "next": [], "action": {"kind": "Pool", "instructions": "Do it."}}]}
        self.assert_exit(self.run_program("barnum", "run", "--config", json.dumps(workflow), "--state-log", "run.ndjson",
                                          env=self.environment("claude", model.url)), 0)
        attempt, = self.run_program("barnum", "inspect", "run.ndjson", "--json").json["tasks"][0]["attempts"]
        self.assertRegex(attempt["report"]["model"], "haiku")


class Skills(SettingCase):
    """The user's own count if the settings allow the tool; those of the directory only if it is trusted."""

    WORDS = "Words of the skill."

    def is_told(self, place, *options):
        """Whether a skill that lies there reaches a model that asks for it."""
        number = len(list(self.home.glob("user-*")))
        places = {"user": self.home / f"user-{number}", "directory": self.work / f"directory-{number}"}
        for path in places.values():
            path.mkdir()
        skill = places[place] / ".claude" / "skills" / "greet" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: greet\ndescription: Greets.\n---\n{self.WORDS}\n")
        script = [{"tool": "Skill", "input": {"skill": "greet"}}, {"tasks": []}]
        requests, agent = self.do("claude", script, "--directory", str(places["directory"]), *options, env={"HOME": str(places["user"])})
        self.end_processes([agent])
        return self.WORDS in requests[-1].text

    def test_a_skill_of_the_user_works_if_the_settings_allow_it(self):
        self.assertTrue(self.is_told("user", "--allow-tools", "Skill"))
        self.assertFalse(self.is_told("user"))

    def test_a_skill_of_the_directory_works_only_if_the_directory_is_trusted(self):
        self.assertFalse(self.is_told("directory", "--allow-tools", "Skill"))
        self.assertTrue(self.is_told("directory", "--allow-tools", "Skill", "--project-settings", "true"))
