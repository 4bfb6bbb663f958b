"""`troupe status --check`, which a monitor runs: one line, and the exit codes of Nagios' plugins."""

import re
import signal

from harness import Case, HandAgent, Pool, one_host, wait_until

OK, WARNING, CRITICAL, UNKNOWN = range(4)


@one_host("it starts and stops a single daemon")
class Health(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def check(self, code, *options, root=None):
        """The line."""
        result = self.run_program("troupe", "status", "--root", root or self.pool.agent_side.root, "--pool", self.pool.name,
                                  "--check", *options)
        self.assert_exit(result, code)
        self.assertEqual((result.err, result.out.count("\n")), ("", 1))
        return result.out.rstrip()

    def start_agent(self):
        agent = self.pool.command("agent", "--exec", "cat >/dev/null; await go; echo []")
        wait_until(self.pool.waiting_agents, "the agent")
        return agent

    def test_a_pool_with_an_agent_works(self):
        self.pool.start()
        agent = self.start_agent()
        self.assertEqual(self.check(OK), f"TROUPE OK - pool {self.pool.name}: 0 of 1 agent busy, 0 tasks wait | "
                                         "agents=1 busy=0 queue=0 queue_age=0s")
        agent.terminate()

    def test_without_agents_there_is_a_warning(self):
        self.pool.start()
        self.assertIn(f"TROUPE WARNING - pool {self.pool.name}: no agent is attached; 0 tasks wait | ", self.check(WARNING))

    def test_a_queue_may_be_too_old(self):
        self.pool.start()
        agent = self.start_agent()
        submitters = [self.pool.submit(number) for number in range(2)]
        wait_until(lambda: self.pool.status()["queue"]["length"] == 1, "a task that waits")
        self.check(OK)
        self.check(OK, "--max-queue-age", "3600")
        wait_until(lambda: self.pool.status()["queue"]["head"]["for_ms"] > 1, "it to be old enough")
        line = self.check(WARNING, "--max-queue-age", "0.001")
        self.assertTrue(re.search(r"the first task has waited for \S+ \S+; 1 of 1 agent busy, 1 task waits \| ", line), line)
        (self.work / "go").touch()
        for submitter in submitters:
            submitter.result()
        agent.terminate()

    def test_a_draining_pool_is_told(self):
        daemon = self.pool.start()
        submitter = self.pool.submit(1)
        HandAgent(self.pool).task_text()
        drain = self.pool.command("stop", "--drain")
        wait_until(lambda: self.pool.status()["draining"], "the draining")
        self.assertIn("it is draining", self.check(WARNING))
        daemon.terminate()
        for program in (submitter, drain):
            program.result()

    def test_a_pool_without_a_daemon_is_down_and_a_silent_one_hangs(self):
        self.assertIn("TROUPE CRITICAL - no daemon serves the pool", self.check(CRITICAL))
        daemon = self.pool.start()
        daemon.signal(signal.SIGSTOP)
        self.assertRegex(self.check(CRITICAL), "TROUPE CRITICAL - .*5 s")
        daemon.signal(signal.SIGCONT)

    def test_what_cannot_be_asked_is_unknown(self):
        (self.work / "file").write_text("")
        self.assertIn("TROUPE UNKNOWN - ", self.check(UNKNOWN, root=self.work / "file"))
        self.assertIn("is no pool id", self.run_program("troupe", "status", "--pool", "a/b", "--check").out)


class Roots(Case):
    def test_a_root_that_is_not_there_has_no_pools_to_list(self):
        for options in ((), ("--json",)):
            result = self.run_program("troupe", "list", "--root", self.work / "nowhere", *options)
            self.assert_exit(result, 1)
            self.assertEqual(result.out, "")
            self.assertIn(f"there is no directory {self.work}/nowhere", result.err)
        (self.work / "root").mkdir()
        self.assertEqual(self.run_program("troupe", "list", "--root", self.work / "root", "--json").out, "[]\n")
