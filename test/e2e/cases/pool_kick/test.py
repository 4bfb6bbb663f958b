"""`troupe kick`: an agent that hangs loses its task, and another one does it, once and after the first has ended."""

import os

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline


class Kick(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def kick(self, agent, code=0):
        result = self.pool.command("kick", agent).result()
        self.assert_exit(result, code)
        return result

    def pid(self):
        """Of the command that hangs."""
        file = self.work / "pid"
        wait_until(lambda: file.exists() and file.read_text().strip(), "the command")
        return int(file.read_text())

    def is_alive(self, pid):
        try:
            os.kill(pid, 0)
            return True
        except ProcessLookupError:
            return False

    def test_a_hanging_command_is_ended_before_another_agent_gets_its_task(self):
        # Whoever is first hangs; who comes next notes whether that one still is there.
        script = ('if mkdir hung; then echo $$ >pid; exec sleep 1000; fi; '
                  'kill -0 $(cat pid) 2>/dev/null && echo together >>overlap; echo "[2]"')
        kicks = 0
        for transport in "socket", "file":
            agents = [self.pool.command("agent", "--name", name, "--exec", script) for name in ("one", "two")]
            wait_until(lambda: len(self.pool.waiting_agents()) == 2, "the agents")
            submitter = self.pool.submit(1, transport=transport)
            pid = self.pid()
            hanging, = (agent["name"] for agent in self.pool.agent_side.status()["agents"] if agent["state"] == "busy")
            told = self.kick(hanging)
            self.assertEqual(told.out, f"{hanging} is told to end its work; then the task waits for another agent\n")
            answer = submitter.json()
            self.assertEqual((answer["kind"], answer["stdout"].strip()), ("Processed", "[2]"))
            self.assertFalse(self.is_alive(pid))
            self.assertFalse((self.work / "overlap").exists())
            self.assertIn(f"{hanging} is kicked by request", self.daemon.err)
            kicks += 1
            self.assertEqual(self.pool.agent_side.status()["counts"]["kicked"], kicks)
            wait_until(lambda: len(self.pool.waiting_agents()) == 2, "both agents to wait again")
            for agent in agents:
                agent.terminate()
                agent.result()
            (self.work / "hung").rmdir()
            (self.work / "pid").unlink()

    def test_an_agent_that_cannot_be_told_loses_its_task_at_once(self):
        first = HandAgent(self.pool, '{"name": "first"}')
        id_ = self.pool.request_by_file(inline(7))
        self.assertEqual(first.content(), 7)
        self.assertEqual(self.kick("first").out, "first has lost its task, which waits for another agent\n")
        second = HandAgent(self.pool, '{"name": "second"}')
        self.assertEqual(second.content(), 7)
        second.respond("[2]")
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[2]")
        wait_until(lambda: not first.files(), "the first agent's files to go")

    def test_agents_are_named_by_name_or_id_and_others_are_left_alone(self):
        same = [HandAgent(self.pool, '{"name": "same"}') for _ in range(2)]
        other = HandAgent(self.pool, '{"name": "other"}')
        wait_until(lambda: len(self.pool.agent_side.status()["agents"]) == 3, "the agents")
        self.assertEqual(self.kick("same").out, 2 * "same had no task, and was dismissed\n")
        self.assertEqual(self.daemon.err.count("same is kicked by request") + self.daemon.err.count(") is kicked by request"), 2)
        self.assertNotIn("no response in time", self.daemon.err)
        self.assertIn("no agent same is attached", self.kick("same", code=1).err)
        self.assertTrue(other.files())
        self.kick(other.uuid)
        wait_until(lambda: not any(agent.files() for agent in (*same, other)), "all files to go")
