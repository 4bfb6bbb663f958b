"""What a program is told that attaches to a run in the mode `state`: the newest state, and not what led to it."""

import json

from harness import DEADLINE, wait_until
from harness.environment import binary, traceable
from harness.pool import SocketClient
from harness.runs import WAITS, RunsCase
from harness.tracing import Tracing
from harness.workflow import emit, step

HUMAN = {"kind": "Human", "instructions": "Is it good?"}


class States(RunsCase):
    def attach(self):
        client = SocketClient(self.only()["path"] + "/control.sock")
        self.addCleanup(client.close)
        client.send({"kind": "Attach", "mode": "state"})
        return client

    def state(self, client, is_wanted=lambda _: True):
        """The first state that is wanted."""
        while True:
            message = client.receive()
            self.assertEqual(message["kind"], "State")
            if is_wanted(message["state"]):
                return message["state"]

    def test_a_running_task_and_the_end(self):
        run = self.start_waiting()
        client = self.attach()
        state = self.state(client)
        self.assertEqual((state["paused"], state["agents"], state["usage"], state["more"]), (False, None, None, 0))
        self.assertEqual((state["tasks"]["running"], state["tasks"]["done"]), (1, 0))
        self.assertEqual([row["row"] for row in state["steps"]], ["Wait", "Next"])
        (task,) = state["running"]
        self.assertEqual((task["id"], task["step"], task["finally"], task["phase"]), (0, "Wait", False, "command"))
        self.assertAlmostEqual(task["since"], self.only()["started"], delta=1000 * DEADLINE)
        self.barnum("pause", "last")
        self.state(client, lambda state: state["paused"])
        self.barnum("continue", "last")
        (self.work / "go").touch()
        last = self.state(client, lambda state: state["tasks"]["done"] == 1)
        self.assertEqual(last["running"], [])
        message = client.receive()
        while message["kind"] == "State":
            message = client.receive()
        self.assertEqual(message, {"kind": "Ended", "exit_code": 0})
        self.assert_run(run.result())

    def test_a_question_is_a_running_task_in_the_phase_human(self):
        self.start_run([step("Ask", HUMAN)])
        wait_until(lambda: [run for run in self.ps() if run["tasks"].get("waiting_for_human")], "the question")
        (task,) = self.state(self.attach())["running"]
        self.assertEqual((task["step"], task["phase"]), ("Ask", "human"))

    def test_a_viewer_that_reads_nothing_gets_the_newest_state_alone(self):
        tasks = 2000
        questions = 600  # whose names are 50 KB of a state: a connection holds few of them
        fan_out = emit(*[("Ask", n) for n in range(questions)], *[("Quick", n) for n in range(tasks)])
        self.start_run([step("Wait", f"{WAITS} >/dev/null; {fan_out}", ["Ask", "Quick"]), step("Ask", HUMAN),
                        step("Quick", "echo '[]'")], "--fsync", "never")
        wait_until((self.work / "started").exists, "the task to start")
        client = self.attach()
        (self.work / "go").touch()
        wait_until(lambda: self.only()["tasks"]["done"] == tasks + 1, "the tasks to be done", 3 * DEADLINE)
        states = []
        while not states or states[-1]["tasks"]["done"] < tasks + 1:
            states.append(self.state(client))
        self.assertEqual(states[-1]["more"], questions - 500)
        self.assertLess(len(str(states)), 512 * 1024, "what the kernel holds of one connection, and two states")


class EndsMeanwhile(Tracing, RunsCase):
    def test_a_run_that_ends_while_it_is_looked_at_is_not_lost(self):
        self.require_strace()
        run = self.start_waiting()
        stat, looked = f"/proc/{run.pid}/stat", self.home / "looked"
        late = ("-P", stat, "-e", "trace=openat", "-e", "inject=openat:delay_enter=1000000")
        ps = self.start("strace", "-qq", "-o", looked, *late, binary("barnum"), "ps", "-a", "--json", env=traceable())
        wait_until(lambda: looked.exists() and stat in looked.read_text(), "ps to look for the process")
        (self.work / "go").touch()
        self.assert_run(run.result())
        (listed,) = json.loads(ps.result().out)
        self.assertEqual((listed["state"], listed["tasks"]["done"]), ("finished", 1))
