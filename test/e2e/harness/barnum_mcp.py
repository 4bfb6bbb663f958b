"""A client of `barnum mcp`, and runs that it starts."""

from harness import wait_until
from harness.mcp import McpCase
from harness.runs import WAITS, RunsCase
from harness.workflow import step


class BarnumMcpCase(McpCase, RunsCase):
    program = "barnum"

    def tearDown(self):
        self.end_runs()
        super().tearDown()

    def start_of(self, client, steps, **arguments):
        started = client.call("start_run", config=str(self.write_config(steps)), **arguments)
        self.assertEqual(started["kind"], "Started", started)
        return started["run"]

    def end_of(self, client, run, kind="Ended"):
        while (result := client.call("wait_run", run=run, wait_seconds=45))["kind"] == "Wait":
            pass
        self.assertEqual(result["kind"], kind)
        return result

    def started_waiting(self, client):
        run = self.start_of(client, [step("Wait", WAITS)])
        wait_until((self.work / "started").exists, "the task to start")
        return run

    def go(self):
        (self.work / "go").touch()
