"""docs/troubleshooting.md: its messages stand in the sources, and the likely ones are provoked with the real programs;
then what the page says is done, and has to help."""

import json
import os
import re
import shlex
import signal
import socket
import unittest
from pathlib import Path

from harness import Case, Pool, serve, wait_until
from harness.environment import binary
from harness.messages import PAGE, entries, literals

OK = "echo '[]'"
ARRAY = json.dumps([{"kind": "Other", "value": {}}])


class Page(unittest.TestCase):
    def test_every_message_stands_in_the_sources(self):
        texts = literals()
        self.assertGreater(len(texts), 1000)
        missing = [f"{PAGE.name}:{entry.line}: {piece}" for entry in entries() for piece in entry.pieces()
                   if not any(piece in text for text in texts)]
        self.assertEqual(missing, [])

    def test_every_message_can_be_told_from_the_others(self):
        pieces = {entry.heading: list(entry.pieces()) for entry in entries() if entry.messages}
        self.assertEqual([heading for heading, found in pieces.items() if not found], [])
        self.assertEqual(len(pieces), len([e for e in entries() if e.messages]), "a heading occurs twice")
        self.assertGreater(len(pieces), 40)

    def test_every_entry_says_what_to_do(self):
        self.assertEqual([entry.heading for entry in entries() if not entry.remedy], [])


class Provoked(Case):
    def entry(self, part):
        found = [entry for entry in entries() if part in entry.heading]
        self.assertEqual(len(found), 1, f"headings with {part!r}")
        return found[0]

    def assert_told(self, output, part, remedy=""):
        """The message of the entry is in the output, and the entry's advice has `remedy` in it."""
        entry = self.entry(part)
        self.assertTrue(entry.is_in(output), f"not printed: {entry.heading}\n{output}")
        self.assertIn(remedy, entry.remedy)

    def assert_says(self, output, *parts):
        """A message that says itself what is wrong and what to do, and so has no entry."""
        for part in parts:
            self.assertIn(part, " ".join(output.split()))
            self.assertEqual([entry.heading for entry in entries() if part in entry.heading], [])

    def run_flow(self, config, *options, code=1, **how):
        """Runs a config, and returns what it says."""
        result = self.run_program("barnum", "run", "--config", json.dumps(config), *options, **how)
        self.assert_exit(result, code)
        return result.err

    def flow(self, script=OK, **step):
        """A workflow of one Command, and a step that nothing leads to."""
        first = {"name": "First", "action": {"kind": "Command", "script": script}, "next": []}
        other = {"name": "Other", "action": {"kind": "Command", "script": OK},
                 "value_schema": {"type": "object", "required": ["file"]}}
        return {"entrypoint": "First", "steps": [first | step, other]}


class Starting(Provoked):
    def test_mistakes_in_a_config(self):
        wrong = self.flow(nxt=[]) | {"entrypoint": "Frist"}
        del wrong["steps"][1]["name"]
        log = self.run_flow(wrong, code=2)
        self.assert_says(log, "unknown field", "did you mean", "names an unknown step", "is missing in", "the config has 3 errors")
        self.run_flow(self.flow(next=[]), code=0)

    def test_a_config_that_is_not_there(self):
        result = self.run_program("barnum", "run", "--config", "none.jsonc")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "cannot be read")

    def test_a_value_without_quotes(self):
        log = self.run_flow(self.flow(), "--entrypoint-value", "{a:1}", code=2)
        self.assert_told(log, "… has … error…; nothing was started:", """--entrypoint-value '{"a":1}'""")
        self.assert_says(self.run_flow(self.flow(), "--entrypoint-value", "a:1", code=2), "takes JSON (in quotes")
        self.run_flow(self.flow(), "--entrypoint-value", '{"a":1}', code=0)

    def test_no_value_for_an_entrypoint_that_wants_one(self):
        flow = self.flow() | {"entrypoint": "Other"}
        self.assert_told(self.run_flow(flow, code=2), "… has … error…; nothing was started:", "give a value that fits")
        self.run_flow(flow, "--entrypoint-value", '{"file":"a"}', code=0)

    def test_no_entrypoint(self):
        flow = self.flow()
        del flow["entrypoint"]
        self.assert_says(self.run_flow(flow, code=2), 'no "entrypoint"', 'with --initial-state, an array of {"kind","value"}')
        self.run_flow(flow, "--initial-state", '[{"kind": "First", "value": {}}]', code=0)

    def test_agents_without_a_command(self):
        self.assert_says(self.run_flow(self.flow(), "--agents", "2", code=2), "--agents K and --agent-exec CMD must be given")
        log = self.run_flow(self.flow(), "--agents", "2", "--agent-exec", "jq -c []", code=0)
        self.assert_says(log, "no agents are started: the config has no step of kind Pool")

    def test_a_command_without_quotes(self):
        result = self.run_program("troupe", "agent", "--exec", "jq", "[]")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "is not an option", "put quotes around a value with spaces")

    def test_a_wake_script_that_fails(self):
        self.assert_says(self.run_flow(self.flow(), "--wake", "exit 3"), "the --wake script", "its output is on stderr")

    def test_warnings_of_the_validator(self):
        flow = self.flow(action={"kind": "Pool"}, next=["First"])
        result = self.run_program("barnum", "config", "validate", "--config", json.dumps(flow))
        self.assert_exit(result, 0)
        self.assert_says(result.err, 'has no "instructions": its agents are told', "a cycle without an exit", "ends only when")


class ThePage(Provoked):
    def test_a_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            result = self.run_program("barnum", "serve", "--listen", "127.0.0.1:%d" % taken.getsockname()[1])
        self.assert_exit(result, 1)
        self.assert_told(result.err, "cannot listen on", "--listen 127.0.0.1:7421")

    def test_an_address_that_others_can_reach(self):
        result = self.run_program("barnum", "serve", "--listen", "0.0.0.0:0")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "other machines can reach", "give --tls-cert and --tls-key", "`ssh -L`")

    def test_a_request_without_the_token_or_by_another_name(self):
        page = serve.Page(self)
        self.assert_told(page.request("/api/runs")[2], "This needs a login", "behind the `#`")
        self.assert_told(page.get("/api/runs", Host="name.example")[2], "does not name this server", "`localhost`")


class Pools(Provoked):
    def test_no_daemon(self):
        result = self.run_program("troupe", "status")
        self.assert_exit(result, 1)
        self.assert_told(result.err, "start one with `troupe start", "with the command that is given")
        command = re.search(r"`(troupe start [^`]*)`", result.err).group(1)
        daemon = self.start("/bin/sh", "-c", f"exec {command}")
        wait_until(lambda: self.run_program("troupe", "status").code == 0 or not daemon.running, "the pool")
        self.assert_running(daemon)

    def test_a_run_that_waits_for_a_daemon_in_vain(self):
        flow = self.flow(action={"kind": "Pool", "instructions": "Do it."})
        log = self.run_flow(flow, "--no-embedded-pool", "--pool-wait-secs", "0", code=69)
        self.assert_says(log, "waiting for a pool daemon at")
        self.assert_told(log, "start one with `troupe start", "it hosts the pool itself")

    def test_another_daemon(self):
        first = Pool(self).start()
        result = self.run_program("troupe", "start")
        self.assert_exit(result, 1)
        self.assert_says(result.err, "another daemon serves the pool", "stop it with `troupe stop")
        second = self.start("troupe", "start", "--stop")
        self.assert_exit(first.result(), 0)
        wait_until(lambda: "is served in" in second.err, "the second daemon")

    def test_a_path_for_a_pool_s_name(self):
        result = self.run_program("troupe", "status", "--pool", "/tmp/pools/a")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "is no pool id: use 1 to 64 letters")

    def agents_flow(self, command, **how):
        """What a run says whose step goes to an agent with that command, and may be tried again once."""
        flow = self.flow(action={"kind": "Pool", "instructions": "Do it."}, options={"max_retries": 1})
        return self.run_flow(flow, "--agents", "1", "--agent-exec", command, code=0, **how)

    def test_an_agent_that_fails_once(self):
        log = self.agents_flow("[ -e again ] && echo '[]' || { touch again; exit 3; }")
        self.assert_told(log, "`agent…: the command …`", "barnum inspect RUN --task N")
        self.assertIn("(attempt 1 of 2, again as task 1)", log)
        self.assertIn("hosting the run's own pool", log)

    def test_an_agent_that_can_not_do_it_now(self):
        log = self.agents_flow("[ -e again ] && echo '[]' || { touch again; echo no credit >&2; exit 75; }")
        self.assert_told(log, "hands its task back", "exit with another code")
        self.assert_says(log, "every agent of this run rests or has ended", "the next tries again in")
        self.assertIn("no credit", log)
        self.assertNotIn("attempt", log)

    def test_no_embedded_pool_for_agents_of_the_run(self):
        result = self.run_program("barnum", "run", "--config", json.dumps(self.flow()), "--agents", "1",
                                  "--agent-exec", "cat", "--no-embedded-pool")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "--no-embedded-pool cannot be combined with", "give the pool that they are to serve with --pool")

    def test_an_agent_that_is_not_executable(self):
        agent = self.work / "agent.sh"
        agent.write_text("#!/bin/sh\necho '[]'\n")
        flow = self.flow(action={"kind": "Pool", "instructions": "Do it."})
        self.assert_says(self.run_flow(flow, "--agents", "1", "--agent-exec", agent, code=2), "is not executable; `chmod +x")
        options = ["--agents", "1", "--agent-exec", f"cat >/dev/null; {agent}"]
        self.assert_told(self.run_flow(flow, *options), "the agents' command can't be executed", "`chmod +x`")
        self.assert_exit(self.run_program("chmod", "+x", agent), 0)
        self.run_flow(flow, *options, code=0)
        agent.write_text("#!/bin/sh\r\necho '[]'\r\n")
        self.assert_says(self.run_flow(flow, "--agents", "1", "--agent-exec", agent, code=2), "has a carriage return", "`sed -i")

    def test_an_agent_on_a_file_system_that_executes_nothing(self):
        flow = json.dumps(self.flow(action={"kind": "Pool", "instructions": "Do it."}))
        script = "mount -t tmpfs -o noexec tmpfs . && cd \"$PWD\" && printf '#!/bin/sh\n' > a && chmod +x a && exec \"$@\""
        mounted = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
        (self.work / "noexec").mkdir()
        result = self.start(*mounted, binary("barnum"), "run", "--config", flow, "--agents", "1", "--agent-exec", "./a",
                            cwd=self.work / "noexec").result()
        self.assert_exit(result, 2)
        self.assertIn("./a is on a file system that executes nothing", result.err)

    def test_an_agent_that_prints_nothing(self):
        log = self.agents_flow("[ -e again ] && echo '[]' || touch again")
        self.assert_told(log, "and wrote no response", "print its response on stdout")

    def test_an_agent_that_takes_too_long(self):
        pool = Pool(self)
        daemon = pool.start("--task-timeout-secs", "0.2")
        pool.get_task()
        result = self.run_program("troupe", "submit_task", "--data", '{"a":1}')
        self.assert_exit(result, 124)
        self.assert_says(result.out, '{"kind":"NotProcessed","reason":"timeout"')
        wait_until(lambda: self.entry("no response in time").is_in(daemon.err), "the kick in the log")
        wait_until(lambda: "was not done within its timeout" in daemon.err, "the end of the task in the log")
        self.assertIn("--task-timeout-secs", self.entry("no response in time").remedy)

    def test_requests_that_are_refused(self):
        Pool(self).start()
        result = self.run_program("troupe", "submit_task", "--data", "{a:1}")
        self.assert_exit(result, 1)
        self.assert_says(result.out, "the task's content is not JSON: byte 1")
        result = self.run_program("troupe", "submit_task")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "give the task's content either with --data JSON or with --file PATH")


class Tasks(Provoked):
    def answered(self, answer):
        """What a run says whose task has that answer."""
        return self.run_flow(self.flow(f"printf '%s\\n' {shlex.quote(answer)}"))

    def test_answers_that_are_not_valid(self):
        self.assert_told(self.answered("Here you are:\n```json\n[]\n```"), "invalid response: …")
        self.assert_says(self.answered('{"kind":"Other","value":{}}'), "expected a JSON array of tasks")
        self.assert_says(self.answered(""), "use [] for no tasks")
        self.assert_says(self.answered(ARRAY), "this step is terminal: [] is the only response")

    def test_answers_that_do_not_fit(self):
        log = self.run_flow(self.flow(f"echo '{ARRAY}'", next=["First"]))
        self.assert_says(log, "is not a next step of", "expected")
        log = self.run_flow(self.flow(f"echo '{ARRAY}'", next=["Other"]))
        self.assert_says(log, "does not fit the schema of")

    def test_commands_that_fail(self):
        log = self.run_flow(self.flow("no-such-program"))
        self.assert_told(log, "`the … exited with code …`", "Code 127: a program was not found")
        self.assert_told(log, "(…, dropped): …")
        self.assert_says(log, "run failed:", "the run has finished, and `barnum retry` tries its dropped tasks again")
        self.assert_told(self.run_flow(self.flow("kill -KILL $$")), "was killed by SIG")
        log = self.run_flow(self.flow("sleep 1000", options={"timeout": 0.1, "max_retries": 1}))
        self.assert_told(log, "took longer than its timeout", "`timeout`")
        self.assert_says(log, "again as task")

    def test_hooks_that_print_something_else(self):
        hook = {"kind": "Command", "script": "echo well"}
        for name, part in (("pre", "the pre hook's output"), ("post", "the post hook's output"),
                           ("finally", "the finally hook's output")):
            self.assert_says(self.run_flow(self.flow(**{name: hook})), part)
        cat = {"kind": "Command", "script": "cat"}
        self.run_flow(self.flow(pre=cat, post=cat), code=0)


class Logs(Provoked):
    def interrupted(self):
        """A run that was interrupted in its first task, which succeeds at the second time. Returns its log's path."""
        script = f"[ -e again ] || {{ touch again; kill -INT $PPID; sleep 1000; }}; {OK}"
        log = self.run_flow(self.flow(script), "--state-log", "run.ndjson", code=130)
        self.assert_says(log, "got SIG", "send it once more to exit at once")
        self.assert_told(log, "resume this run with:")
        return self.work / "run.ndjson", log

    def resume(self, name="run.ndjson", code=0):
        result = self.run_program("barnum", "run", "--resume-from", name)
        self.assert_exit(result, code)
        return result.err

    def test_an_interrupted_run_is_resumed_by_the_command_it_prints(self):
        _, log = self.interrupted()
        command = log.partition("resume this run with:\n")[2].splitlines()[0]
        self.assert_exit(self.run_program("/bin/sh", "-c", command), 0)

    def test_a_log_that_is_there_already(self):
        options = ["--state-log", "run.ndjson"]
        self.run_flow(self.flow(), *options, code=0)
        self.assert_says(self.run_flow(self.flow(), *options, code=2), "a state log never replaces a file: choose another path")
        (self.work / "run.ndjson").unlink()
        self.run_flow(self.flow(), *options, code=0)
        self.assert_says(self.resume(), "nothing to do: the run in")
        result = self.run_program("barnum", "inspect", "run.ndjson", "--task", "7")
        self.assert_exit(result, 2)
        self.assert_says(result.err, "there is no task")

    def test_a_log_that_has_no_place(self):
        options = ["--state-log", "logs/run.ndjson"]
        log = self.run_flow(self.flow(), *options, code=74)
        self.assert_says(log, "cannot create the state log", "choose another path with --state-log")
        (self.work / "logs").mkdir()
        self.run_flow(self.flow(), *options, code=0)

    def test_a_log_in_use(self):
        run = self.start("barnum", "run", "--config", json.dumps(self.flow("touch on; sleep 1000")), "--state-log",
                         "run.ndjson")
        wait_until((self.work / "on").exists, "the command")
        self.assert_told(self.resume(code=2), "is in use by", "end the process that is named")
        run.signal(signal.SIGINT)
        self.assert_exit(run.result(), 130)

    def test_a_log_that_was_cut_off(self):
        path, _ = self.interrupted()
        path.write_bytes(path.read_bytes() + b'{"kind":"TaskCompl')
        self.assert_says(self.resume(), "bytes are ignored: the run was ended while it wrote")

    def test_a_log_with_damage_in_the_middle(self):
        path, _ = self.interrupted()
        path.write_bytes(path.read_bytes() + b"no entry\nnor this\n")
        log = self.resume(code=74)
        self.assert_told(log, "the log is valid up to there", "`head -c BYTE LOG >repaired.ndjson`")
        command = re.search(r"`(head -c \d+)", log).group(1)
        self.assert_exit(self.run_program("/bin/sh", "-c", f"{command} run.ndjson >repaired.ndjson"), 0)
        self.resume("repaired.ndjson")


class Places(Provoked):
    def assert_refused(self, root, part, remedy):
        result = self.run_program("troupe", "start", "--root", root)
        self.assert_exit(result, 1)
        self.assert_told(result.err, part, remedy)

    def assert_served(self, root):
        daemon = self.start("troupe", "start", "--root", root)
        wait_until(lambda: "is served in" in daemon.err or not daemon.running, "the daemon")
        self.assert_running(daemon)

    def test_a_root_that_others_may_write_to(self):
        self.root.mkdir()
        self.root.chmod(0o777)
        self.assert_refused(self.root, "so its content cannot be trusted", "`chmod go-w`")
        self.assert_exit(self.run_program("/bin/sh", "-c", f"chmod go-w {self.root}"), 0)
        self.assert_served(self.root)

    def test_a_place_that_is_not_sticky(self):
        place = self.home / "tmp"
        place.mkdir()
        place.chmod(0o777)
        self.assert_refused(place / "troupe", "is not sticky", "`chmod +t`")
        self.assert_exit(self.run_program("/bin/sh", "-c", f"chmod +t {place}"), 0)
        self.assert_served(place / "troupe")

    def test_a_link_on_the_way(self):
        self.root.mkdir(mode=0o700)
        link = self.home / "link"
        os.symlink(self.root, link)
        result = self.run_program("troupe", "start", "--root", link)
        self.assert_exit(result, 1)
        self.assert_says(result.err, "is a symbolic link, which is not followed here; give the real path")
        self.assert_served(Path(os.path.realpath(link)))
