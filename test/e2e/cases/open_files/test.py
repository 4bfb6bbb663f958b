"""The limit of open files: the programs take what is allowed, what they start has what the user has set, and agents that do not fit
are refused before anything starts."""

from harness import Pool, wait_until
from harness.workflow import WorkflowCase, emit, pool, step

AGENTS = 30
SOFT = 64
TOO_FEW = 200  # for so many agents
NOTED = "ulimit -Sn >> limits; touch begun.$$; await go; echo '[]'"


class OpenFiles(WorkflowCase):
    def limited(self, limit, *words):
        """Starts a command line with that limit: "-Sn 64", "-n 64" (both)."""
        return self.start("sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *words)

    def begun(self):
        return len(list(self.work.glob("begun.*")))

    def agent_script(self):
        path = self.work / "agent.sh"
        path.write_text(NOTED)
        return f"sh {path}"

    def test_agents_beyond_the_soft_limit_all_work(self):
        config = self.write_config([step("Split", emit(*(("Ask", n) for n in range(AGENTS))), ["Ask"]), step("Ask", pool())])
        run = self.limited(f"-Sn {SOFT}", "barnum", "run", config, "--agents", AGENTS, "--agent-exec", self.agent_script())
        wait_until(lambda: self.begun() == AGENTS, "all agents to be at work")
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertEqual(set((self.work / "limits").read_text().split()), {str(SOFT)})

    def test_commands_have_the_limit_of_the_user(self):
        config = self.write_config([step("Show", "ulimit -Sn >&2; ulimit -Hn >&2; echo '[]'")])
        result = self.limited(f"-Sn {SOFT}", "barnum", "run", config).result()
        self.assert_run(result)
        self.assertIn(f" {SOFT}\n", result.err)

    def test_agents_that_do_not_fit_are_refused(self):
        config = self.write_config([step("Ask", pool())])
        for words in (("barnum", "run", config, "--agents", AGENTS, "--agent-exec", self.agent_script()),
                      ("troupe", "agent", "--count", AGENTS, "--exec", self.agent_script())):
            with self.subTest(words[:2]):
                result = self.limited(f"-n {TOO_FEW}", *words).result()
                self.assert_exit(result, 2)
                self.assertIn(f"{AGENTS} agents need 250 open files, and this process may have {TOO_FEW}", result.err)
                self.assertIn("20 fit", result.err)
                self.assertEqual(self.begun(), 0)

    def test_a_run_that_could_start_no_command_is_refused(self):
        config = self.write_config([step("Show", "touch begun.$$; echo '[]'")])
        for limit in (12, 31):
            result = self.limited(f"-n {limit}", "barnum", "run", config).result()
            self.assert_exit(result, 2)
            self.assertIn(f"a run needs 32 open files, and this process may have {limit}: raise the hard limit", result.err)
        self.assertEqual(self.begun(), 0)
        self.assert_run(self.limited("-n 32", "barnum", "run", config, "--jobs", 1).result())

    def test_those_that_are_said_to_fit_do(self):
        daemon_pool = Pool(self)
        daemon_pool.start("--no-heartbeat")
        self.limited(f"-n {TOO_FEW}", "troupe", "agent", "--root", daemon_pool.root, "--count", 20, "--exec", self.agent_script())
        for number in range(20):
            daemon_pool.submit({"n": number})
        wait_until(lambda: self.begun() == 20, "all agents to be at work")

    def test_a_run_is_not_given_more_agents_than_fit(self):
        config = self.write_config([step("Ask", pool())])
        run = self.limited(f"-n {TOO_FEW}", "barnum", "run", config, "--name", "small", "--agents", 1, "--agent-exec", self.agent_script())
        wait_until(lambda: self.begun() == 1, "the agent to be at work")
        result = self.run_program("barnum", "scale", "small", "--agents", AGENTS)
        self.assert_exit(result, 2)
        self.assertIn(f"{AGENTS} agents need 250 open files", result.err)
        (self.work / "go").touch()
        self.assert_run(run.result())
