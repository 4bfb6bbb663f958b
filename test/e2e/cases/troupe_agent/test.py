"""`troupe agent --exec`: the loop that takes tasks, answers heartbeats, and runs a command for each task."""

import json
import signal

from harness import Case, Pool, holds_for, one_host, wait_until, windows
from harness.statelog import entries


class Agent(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def agent(self, command, *options):
        return self.pool.command("agent", "--exec", command, *options)

    def submit_all(self, contents):
        """Submits at once, and returns the responses in order."""
        transports = ("socket", "file")
        submitters = [self.pool.submit(c, transport=transports[n % 2]) for n, c in enumerate(contents)]
        return [s.json()["stdout"] for s in submitters]

    def test_it_runs_the_command_for_each_task_with_the_content_on_stdin(self):
        self.pool.start()
        agent = self.agent("cat")
        responses = self.submit_all([f'{{"n": {n}, "x": 1.0}}' for n in range(6)])
        self.assertEqual([r.strip() for r in responses], [f'{{"n": {n}, "x": 1.0}}' for n in range(6)])
        self.assert_running(agent)
        self.assertEqual(agent.out, "")

    def test_count_is_the_number_of_agents_at_once_each_with_a_name_of_its_own(self):
        daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")
        # A command ends only when all three have begun.
        self.agent("echo x >> began; while [ $(wc -l < began) -lt 3 ]; do sleep 0.1; done; echo '[]'", "--count", "3",
                   "--name", "trio")
        wait_until(lambda: len(self.pool.waiting_agents()) == 3, "three agents")
        self.assertEqual([r.strip() for r in self.submit_all([1, 2, 3])], ["[]"] * 3)
        for n in (1, 2, 3):
            self.assertIn(f"trio-{n}", daemon.err)

    def test_name_is_in_the_ready_file_and_in_the_daemons_log(self):
        daemon = self.pool.start("--log-level", "debug")
        self.agent("echo '[]'", "--name", "worker-of-mine")
        ready = wait_until(lambda: list((self.pool.agent_side.path / "agents").glob("*.ready.json")), "the ready file")[0]
        wait_until(lambda: "worker-of-mine" in ready.read_text(), "the name in the ready file")
        self.submit_all([1])
        wait_until(lambda: "worker-of-mine" in daemon.err, "the name in the log")

    def test_it_answers_heartbeats_itself(self):
        for timeout in windows():  # also for its answers
            daemon = self.pool.start("--idle-timeout-secs", timeout, "--log-level", "debug")
            agent = self.agent("touch ran; echo '[]'")
            first = wait_until(self.pool.waiting_agents, "the agent")
            second = wait_until(lambda: self.pool.waiting_agents() - first, "it to come back after a heartbeat")
            wait_until(lambda: self.pool.waiting_agents() - first - second, "it to come back after another")
            self.assertFalse((self.work / "ran").exists())
            answer, = self.submit_all([1])
            if "kick" not in daemon.err.lower():
                break
            self.pool.stop()
            agent.terminate()
            agent.result()
            (self.work / "ran").unlink()
        self.assert_running(agent)
        self.assertEqual(answer.strip(), "[]")
        self.assertNotIn("kick", daemon.err.lower())

    def test_a_command_that_fails_fails_its_task_at_once_and_says_why(self):
        self.pool.start("--no-heartbeat")
        agent = self.agent("case $(cat) in 1) echo no compiler here >&2; exit 3;; 2) kill -9 $$;; 3) ;; *) echo '[]';; esac")
        failures = (({"message": "agent: the command exited with code 3: no compiler here", "exit_code": 3}, "socket"),
                    ({"message": "agent: the command was killed by SIGKILL (9)", "signal": 9}, "file"),
                    ({"message": "agent: the command exited with code 0 and wrote no response"}, "socket"))
        for content, (failure, transport) in enumerate(failures, 1):
            result = self.pool.submit(content, transport=transport).result()
            self.assert_exit(result, 1)
            self.assertEqual(result.json, {"kind": "NotProcessed", "reason": "agent_failed"} | failure)
        self.assertEqual(self.submit_all([4])[0].strip(), "[]")
        self.assert_running(agent)
        for failure, _ in failures:
            self.assertIn(f"{failure['message']}\n    the task has failed", agent.err)

    def test_a_command_that_goes_on_after_the_kick_and_fails_announces_nobody(self):
        self.pool.start("--no-heartbeat")
        self.agent("touch began; await kicked; touch failed; exit 1", "--on-kick", "keep")
        for timeout in windows():
            first = self.pool.submit({"timeout_seconds": timeout})
            self.assert_exit(first.result(), 124)
            wait_until(lambda: (self.work / "began").exists() or self.pool.waiting_agents(),
                       "the command, or the agent to come back without one")
            if (self.work / "began").exists():
                break
        (self.work / "kicked").touch()
        wait_until((self.work / "failed").exists, "the late failure")
        wait_until(self.pool.waiting_agents, "the agent to come back")
        (self.work / "began").unlink()
        self.pool.submit({"n": 2})
        wait_until((self.work / "began").exists, "the next task to reach the command, and no agent of the past")

    def test_an_agent_that_rests_ends_when_it_is_told_to(self):
        self.pool.start("--no-heartbeat")
        agent = self.agent("exit 75")
        submitter = self.pool.submit({"n": 1})
        wait_until(lambda: "exited with code 75" in agent.err, "the agent to rest")
        agent.signal(signal.SIGTERM)
        self.assert_exit(agent.result(), 128 + signal.SIGTERM)
        self.agent("echo '[7]'")
        self.assertEqual(submitter.json()["stdout"].strip(), "[7]")

    @one_host("that no agent fits a task is not told over hosts")
    def test_tasks_without_any_agent_are_told_of(self):
        for labels, words in (((), ""), (("--label", "gpu"), " --label gpu")):
            daemon = self.pool.start("--no-heartbeat")
            self.pool.submit({"n": 1}, *labels)
            wait_until(lambda: "no agent is attached" in daemon.err, "the warning")
            self.assertIn(f"attach one with `troupe agent --root {self.root} --pool default{words} --kind claude`, or with `--exec CMD`",
                          daemon.err)
            self.pool.stop()

    def test_sigterm_ends_it_and_its_commands_and_hands_their_tasks_back(self):
        self.pool.start("--no-heartbeat")
        agent = self.agent("touch began; sleep 1000", "--count", "3")
        submitter = self.pool.submit({"n": 1})
        wait_until((self.work / "began").exists, "the command")
        agent.signal(15)
        agent.result()
        other = self.pool.take()
        self.assertEqual(other["content"], {"n": 1})
        self.pool.answer(other, "[]")
        self.assert_exit(submitter.result(), 0)

    def test_it_outlives_a_restart_of_the_pool_and_ends_when_there_is_none(self):
        self.pool.start("--no-heartbeat")
        agent = self.agent("echo '[]'", "--count", "2")
        wait_until(lambda: len(self.pool.waiting_agents()) == 2, "two agents")
        self.assert_exit(self.pool.stop(), 0)
        self.pool.start("--no-heartbeat")
        self.assertEqual(self.submit_all([1])[0].strip(), "[]")
        self.assert_exit(self.pool.stop(), 0)
        result = agent.result()
        self.assert_exit(result, 1)
        self.assertIn(str(self.pool.agent_side.path), result.err)

    def test_agents_that_rest_or_work_while_the_pool_stops_end_as_well(self):
        self.pool.start("--no-heartbeat")
        agent = self.agent("mkdir rested && exit 75; touch began; sleep 1000", "--count", "2")
        self.pool.submit({"n": 1})
        wait_until((self.work / "began").exists, "one to rest, and the other to have its task")
        self.assert_exit(self.pool.stop(), 0)
        result = agent.result()
        self.assert_exit(result, 1)
        self.assertIn("troupe: no daemon serves the pool", result.err)

    def test_it_waits_for_as_long_as_it_takes_for_a_pool_that_went_away_without_a_word(self):
        daemon = self.pool.start("--no-heartbeat")
        agent = self.agent("touch began; await go; echo '[]'")
        self.pool.submit(1)
        wait_until((self.work / "began").exists, "the command")
        daemon.kill()
        (self.pool.agent_side.path / "status").unlink()
        (self.work / "go").touch()
        wait_until(lambda: "nobody serves the pool" in agent.err, "the agent to miss its pool")
        holds_for(lambda: agent.running, 11, "it waits for longer than for a pool that was stopped")
        self.pool.start("--no-heartbeat")
        self.assertEqual(self.submit_all([2])[0].strip(), "[]")

    def test_it_says_that_the_daemon_was_killed_and_that_the_next_one_has_come(self):
        self.pool.start("--no-heartbeat").kill()
        agent = self.agent("echo '[]'")
        wait_until(lambda: "nobody serves the pool" in agent.err, "the agent to miss its pool")
        self.pool.start("--no-heartbeat")
        wait_until(lambda: "is served again" in agent.err, "the agent to find its pool")
        self.assertEqual(self.submit_all([1])[0].strip(), "[]")

    @one_host("a message of the engine is smaller")
    def test_a_large_task_and_a_large_response_pass_through(self):
        self.pool.start()
        self.agent("cat")
        content = json.dumps({"text": "x" * 5_000_000})
        (self.work / "large.json").write_text(content)
        for transport in ("socket", "file"):
            answer = self.pool.submit(file=self.work / "large.json", transport=transport).json()
            self.assertEqual(answer["stdout"].strip(), content)

    def test_a_large_task_that_is_handed_back_is_whole_for_the_next_agent(self):
        self.pool.start("--no-heartbeat")
        content = json.dumps({"text": "x" * 200_000, "timeout_seconds": 3600})
        (self.work / "large.json").write_text(content)
        agent = self.agent("wc -c >> sizes; exit 75")
        submitter = self.pool.submit(file=self.work / "large.json")
        wait_until(lambda: "exited with code 75" in agent.err, "the agent to hand it back")
        self.assertEqual((self.work / "sizes").read_text().split(), [str(len(content))])
        self.agent("cat")
        self.assertEqual(submitter.json()["stdout"].strip(), content)

    def test_a_large_task_that_looks_like_a_message_is_a_task(self):
        self.pool.start("--no-heartbeat")
        self.agent("cat")
        content = json.dumps({"text": "x" * 200_000, "kind": "Kicked"})
        (self.work / "large.json").write_text(content)
        answer = self.pool.submit(file=self.work / "large.json").json()
        self.assertEqual(answer["stdout"].strip(), content)

    def test_its_command_finds_its_name_and_an_id_in_its_environment(self):
        self.pool.start("--no-heartbeat")
        # A command ends only when both have begun.
        self.agent("echo x >> began; while [ $(wc -l < began) -lt 2 ]; do sleep 0.1; done; "
                   """printf '["%s", "%s"]' "$BARNUM_AGENT" "$BARNUM_AGENT_ID" """, "--name", "anna", "--count", "2")
        wait_until(lambda: len(self.pool.waiting_agents()) == 2, "two agents")
        known = {agent.removesuffix(".ready.json") for agent in self.pool.waiting_agents()}
        told = [json.loads(response) for response in self.submit_all([1, 2])]
        self.assertEqual({name for name, _ in told}, {"anna-1", "anna-2"})
        self.assertEqual({agent_id for _, agent_id in told}, known)

    def test_the_end_of_one_agent_leaves_the_command_of_another_with_its_name_alone(self):
        self.pool.start("--no-heartbeat")
        agents = []
        for n in (1, 2):
            agents.append(self.agent(f"cat >> began-{n}; await go; echo '[{n}]'"))
            submitter = self.pool.submit({"n": n})
            wait_until((self.work / f"began-{n}").exists, "the command")
        agents[0].terminate()
        agents[0].result()
        (self.work / "go").touch()
        self.assertEqual(submitter.json()["stdout"].strip(), "[2]")
        self.assertEqual((self.work / "began-2").read_text().count('{"n": 2}'), 1, "its command was started anew")

    @one_host("no pool is needed")
    def test_a_program_that_is_not_there_is_told_before_it_waits_for_anything(self):
        (self.work / "agent.sh").write_text("#!/bin/sh\n")
        for command, problem in (("./nothere --fast", "./nothere does not exist; agents run in this directory, "),
                                 ("./agent.sh", "./agent.sh is not executable; "), ("/tmp/", "/tmp/ is a directory")):
            result = self.agent(command).result()
            self.assert_exit(result, 2)
            self.assertIn(f"troupe: --exec: {problem}", result.err)

    def test_an_agent_whose_command_cannot_be_executed_ends_and_its_task_is_anothers(self):
        self.pool.start("--no-heartbeat")
        for count in (1, 2):
            agent = self.agent("nothere-at-all", "--count", str(count))
            submitter = self.pool.submit({"n": 1})
            result = agent.result()
            self.assert_exit(result, 1)
            self.assertIn("the agents' command can't be executed: `nothere-at-all`: the command exited with code 127",
                          result.err)
            task = self.pool.take()
            self.assertEqual(task["content"], {"n": 1})
            self.pool.answer(task, "[]")
            self.assert_exit(submitter.result(), 0)

    @one_host("no pool is needed")
    def test_a_command_is_required(self):
        self.assert_exit(self.pool.command("agent").result(), 2)
        self.assert_exit(self.pool.command("agent", "--exec", "true", "--count", "0").result(), 2)


def failure_of(entry):
    """The reason of a task's failure, None for any other entry."""
    return entry.get("outcome", {}).get("value", {}).get("reason")


@one_host("its agents are those of a run")
class AgentsOfARun(Case):
    CONFIG = {"entrypoint": "Ask", "steps": [
        {"name": "Ask", "action": {"kind": "Pool", "instructions": "Say what you got."}, "next": ["Keep"]},
        {"name": "Keep", "action": {"kind": "Command", "script": "cat >> kept; echo '[]'"}, "next": []}]}

    def test_barnum_run_brings_its_own_agents(self):
        (self.work / "flow.json").write_text(json.dumps(self.CONFIG))
        agents = ["--agents", "2", "--agent-exec", """jq -c '[{kind: "Keep", value: .task}]'"""]
        result = self.run_program("barnum", "run", "--config", "flow.json", "--entrypoint-value", '{"x": 1.0}', *agents)
        self.assert_exit(result, 0)
        self.assertEqual(json.loads((self.work / "kept").read_text())["value"], {"kind": "Ask", "value": {"x": 1.0}})
        self.assertEqual(result.out, "")
        self.assertEqual(list((self.root / "pools").iterdir()), [], "the pool for them is left")

    def test_a_runs_agents_have_the_names_and_ids_that_other_agents_have(self):
        command = """printf '[{"kind": "Keep", "value": "%s"}]' "$BARNUM_AGENT ${#BARNUM_AGENT_ID} ${#BARNUM_RUN_ID}" """
        self.assert_exit(self.run_with_agents(command, count=1).result(), 0)
        self.assertRegex(json.loads((self.work / "kept").read_text())["value"], r"^agent-1 36 \d\d+$")

    def run_with_agents(self, command, *args, count=2, **options):
        config = json.loads(json.dumps(self.CONFIG))
        config["steps"][0]["options"] = options
        (self.work / "flow.json").write_text(json.dumps(config))
        return self.start("barnum", "run", "--config", "flow.json", "--agents", str(count), "--agent-exec", command, *args)

    def test_a_program_that_is_not_there_or_not_executable_is_told_before_anything_starts(self):
        (self.work / "agent.sh").write_text("#!/bin/sh\n")
        for command, problem in (("./nothere --fast", "./nothere does not exist"), ("./agent.sh", "./agent.sh is not executable"),
                                 ("/tmp/", "/tmp/ is a directory"), (" ./nothere; true", "./nothere does not exist")):
            for args in ((), ("--dry-run",)):
                result = self.run_with_agents(command, "--state-log", "run.ndjson", *args).result()
                self.assert_exit(result, 2)
                self.assertIn(f"--agent-exec: {problem}", result.err)
                self.assertFalse((self.work / "run.ndjson").exists())

    def test_a_command_that_may_be_more_than_a_program_is_left_to_the_shell(self):
        for command in ("$HOME/nothere; echo '[]'", "f() { echo '[]'; }; f ./nothere", "A=./nothere; echo '[]'",
                        "'./nothere' || echo '[]'", "{ ./nothere || echo '[]'; }"):
            result = self.run_with_agents(command).result()
            self.assert_exit(result, 0)

    def test_a_command_that_no_agent_can_execute_is_told_once_and_ends_the_run(self):
        result = self.run_with_agents("nothere-at-all", "--state-log", "run.ndjson").result()
        self.assert_exit(result, 1)
        self.assertEqual(result.err.count("nothere-at-all: not found"), 1)
        self.assertIn("1 not finished; none of its agents could execute its command", result.err)
        self.assertIn("resume this run with:", result.err)

    def test_a_command_that_was_once_executed_may_fail_as_it_likes(self):
        command = "if [ -e no ]; then rm no; exit 127; elif [ -e ok ]; then echo '[]'; else touch ok no; echo '[1]'; fi"
        result = self.run_with_agents(command, count=1, max_retries=2).result()
        self.assert_exit(result, 0)
        self.assertIn("(attempt 2 of 3, again as task 2): agent-1: the command exited with code 127", result.err)

    def test_a_failure_of_a_runs_own_agent_is_told_once_and_uses_a_retry(self):
        command = "if [ -e tried ]; then echo '[]'; else touch tried; echo no compiler here >&2; exit 3; fi"
        result = self.run_with_agents(command, count=1, max_retries=1).result()
        self.assert_exit(result, 0)
        self.assertEqual(result.err.count("no compiler here"), 1, result.err)
        self.assertIn("(attempt 1 of 2, again as task 1): agent-1: the command exited with code 3: no compiler here", result.err)

    def test_a_failure_of_an_agent_is_in_the_state_log_with_its_exit_code_and_no_stranger_hears_of_it(self):
        result = self.run_with_agents("cat >/dev/null; echo API key missing >&2; exit 3", "--state-log", "run.ndjson",
                                      count=1, timeout=3600, max_retries=0).result()
        self.assert_exit(result, 1)
        why = "agent-1: the command exited with code 3: API key missing"
        self.assertIn(f"(attempt 1 of 1, dropped): {why}", result.err)
        self.assertEqual(result.err.count("API key missing"), 2, "once when it happened, once at the end\n" + result.err)
        inspected = self.run_program("barnum", "inspect", "run.ndjson", "--task", "0")
        self.assertIn(why, " ".join(inspected.out.split()))
        failures = [reason for reason in map(failure_of, entries(self.work / "run.ndjson")) if reason]
        self.assertEqual(failures, [{"kind": "AgentFailed", "exit_code": 3, "message": why}])

    def test_a_failure_names_the_agent_whose_answer_it_was(self):
        result = self.run_with_agents("echo '[1]'", count=1).result()
        self.assert_exit(result, 1)
        self.assertIn("dropped): agent-1: invalid response: element 1", result.err)

    def test_a_failure_names_the_agent_that_let_the_time_pass(self):
        result = self.run_with_agents("sleep 1000", count=1, timeout=1).result()
        self.assert_exit(result, 1)
        self.assertIn("dropped): agent-1 did not respond within the task's timeout", result.err)

    def test_a_timeout_tells_why_another_agent_gave_the_task_back(self):
        daemon = Pool(self).start()
        run = self.run_with_agents("cat >/dev/null; echo no model >&2; exit 75", "--pool", "default", count=1, timeout=3)
        wait_until(lambda: "hands its task back" in daemon.err, "the first agent to hand the task back")
        other = self.start("troupe", "get_task", "--name", "hanging")
        other.result()
        result = run.result()
        self.assert_exit(result, 1)
        self.assertIn("hanging did not respond within the task's timeout; agent-1 handed the task back: the command "
                      "exited with code 75: no model", result.err)
        self.assertIn("was not done within its timeout", daemon.err)

    def test_an_agent_that_rests_after_a_failure_is_not_said_to_be_missing(self):
        marks = "for n in 1 2 3 4; do [ -e $n ] || { touch $n; exit 1; }; done; echo '[]'"
        result = self.run_with_agents(marks, count=1, max_retries=4).result()
        self.assert_exit(result, 0)
        self.assertEqual(result.err.count("agent-1: the command exited with code 1"), 4, result.err)
        self.assertNotIn("no agent is attached", result.err)

    def test_a_runs_agents_tell_once_that_their_pool_is_gone_and_once_that_they_serve_another(self):
        run = self.run_with_agents("touch began; await go; echo '[]'", "--pool", "default")
        wait_until((self.work / "began").exists, "an agent at work")
        self.assert_exit(self.run_program("troupe", "stop"), 0)
        wait_until(lambda: "the run's agents wait for the pool" in run.err, "the agents to miss their pool")
        daemon = self.start("troupe", "start")
        wait_until(lambda: "the run's agents serve the pool at" in run.err, "the agents to find another")
        (self.work / "go").touch()
        result = run.result()
        self.assert_exit(result, 0)
        self.assertEqual(result.err.count("the run's agents wait for the pool: no daemon serves"), 1, result.err)
        self.assertEqual(result.err.count("the run's agents serve the pool at"), 1, result.err)
        daemon.terminate()
        daemon.result()

    def test_the_runs_agents_are_gone_with_the_run(self):
        (self.work / "flow.json").write_text(json.dumps(self.CONFIG))
        run = self.start("barnum", "run", "--config", "flow.json", "--agents", "3", "--agent-exec",
                         "echo x >> began; sleep 1000")
        wait_until((self.work / "began").exists, "an agent at work")
        run.signal(2)
        self.assert_exit(run.result(), 130)
