"""A usage limit parks the account of an agent: over restarts, and until the limit ends or somebody lifts the park."""

import json
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from harness import wait_until
from harness.agent_programs import AgentProgramCase

HOUR = 3600
MINUTE = 60
LONGEST_PARK = 300  # seconds: one whose limit is over within a minute lasts a minute, and up to another one


class Parks(AgentProgramCase):
    def setUp(self):
        super().setUp()
        self.pool.start("--no-heartbeat")
        self.asked_at = []
        self.steps = []
        self.server = self.model("claude", self.step)
        # Claude reads when a limit ends only with the token of a subscription.
        self.account = self.environment("claude", self.server.url) | {"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": "x"}

    def step(self, _):
        self.asked_at.append(time.time())
        return self.steps.pop(0) if self.steps else {"tasks": []}

    def park(self, until):
        """An agent that has reached a limit, and the submitter of its task."""
        self.steps = [{"limit": until}]
        agent = self.agent()
        submitter = self.submit(1)
        wait_until(lambda: self.asked_at and not self.pool.agent_files(), "the agent to hand the task back")
        return agent, submitter

    def agent(self, **how):
        return self.start_agent("claude", self.server, env=self.account, **how)

    def accounts(self, *args):
        return self.run_program("troupe", "accounts", *args, env=self.account | {"TZ": "XXX-05:30"})

    def local_times(self, until):
        """A pattern for the local times, to the minute, of the ends of a park because of a limit until then."""
        zone = timezone(timedelta(hours=5, minutes=30))
        return "|".join(f"{datetime.fromtimestamp(end, zone):%Y-%m-%d %H:%M}:" for end in (until, until + 60))

    def test_a_park_outlives_the_agent_and_is_lifted_by_a_command(self):
        until = int(time.time()) + HOUR
        agent, submitter = self.park(until)
        agent.signal(15)
        self.assert_exit(agent.result(), 143)
        again = self.agent(attached=False)
        wait_until(lambda: "limit" in again.err, "the next agent to tell that it waits")
        self.assertRegex(self.accounts().out, rf"^claude-[0-9a-f]+: claude \(.*\) is parked until ({self.local_times(until)})")
        self.assertEqual(len(self.asked_at), 1, "a parked account was used")
        self.assert_exit(self.accounts("resume"), 0)
        self.assertEqual(json.loads(submitter.json()["stdout"]), [])
        self.assertEqual(len(self.asked_at), 2)

    def test_a_park_that_was_written_under_another_clock_parks_nobody_and_is_told(self):
        now, decade = int(time.time()), 10 * 365 * 24 * HOUR
        parks = Path(self.account["HOME"]) / ".local/state/barnum/parks"
        for since, until in ((now + decade, now + decade + HOUR), (2 ** 63 - 3, 2 ** 63 - 2), (now, now + decade)):
            with self.subTest(since=since):
                agent, submitter = self.park(now + HOUR)
                agent.signal(15)
                self.assert_exit(agent.result(), 143)
                file, = parks.glob("*.json")
                file.write_text(json.dumps(json.loads(file.read_text()) | {"since": since, "until": until}))
                told = self.accounts("--json")
                self.assertEqual(json.loads(told.out), [])
                self.assertIn(f"{file} is not believed, and parks no account", told.err)
                again = self.agent(attached=False)
                self.assertEqual(json.loads(submitter.json()["stdout"]), [])
                self.assertIn(f"{file} is not believed", again.err)
                again.signal(15)
                self.assert_exit(again.result(), 143)
                file.unlink(missing_ok=True)

    def test_an_account_has_a_key(self):
        before = time.time()
        until = int(before) + HOUR
        agent, submitter = self.park(until)
        account, = self.accounts("--json").json
        self.assertRegex(account.pop("key_digest"), "^[0-9a-f]{8}$")
        self.assertEqual(account | {"key": None, "since": None, "until": None, "reason": None},
                         {"key": None, "kind": "claude", "place": f"{self.account['HOME']}/.claude", "since": None, "until": None,
                          "until_is_known": True, "reason": None})
        self.assertLessEqual(before - 1, account["since"] / 1000)
        self.assertLessEqual(until, account["until"] / 1000)
        self.assertIn("limit", account["reason"])
        other = self.accounts("resume", "claude-x", "--json")
        self.assert_exit(other, 1)
        self.assertEqual(json.loads(other.err)["error"]["exit_code"], 1)
        resumed = self.accounts("resume", account["key"][:12], "--json")
        self.assertEqual([parked | {"key_digest": None} for parked in resumed.json], [account | {"key_digest": None}])
        self.assertEqual(json.loads(submitter.json()["stdout"]), [])
        self.assertEqual(self.accounts("--json").json, [])
        self.assert_running(agent)

    def test_another_key_in_the_same_place_is_another_account(self):
        agent, submitter = self.park(int(time.time()) + HOUR)
        self.account["CLAUDE_CODE_OAUTH_TOKEN"] = "another"
        other = self.agent()
        self.assertEqual(json.loads(submitter.json()["stdout"]), [])
        self.assertEqual(len(self.asked_at), 2)
        self.assert_running(agent)
        self.assertNotIn("parked", other.err)
        account, = self.accounts("--json").json
        self.assertRegex(self.accounts().out, rf", key {account['key_digest']}\) is parked until")

    def test_it_ends_with_the_limit(self):
        # Claude does not tell the end of a limit that is over when it reads of it.
        until = int(time.time()) + MINUTE
        agent, submitter = self.park(until)
        self.assertEqual(json.loads(submitter.json(LONGEST_PARK)["stdout"]), [])
        self.assert_running(agent)
        self.assertGreaterEqual(self.asked_at[1], until)
