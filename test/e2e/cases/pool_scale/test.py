"""Many agents and many requests."""

import json
import re
import subprocess
import sys
import time
import uuid
from pathlib import Path
from shutil import which

from harness import Case, Pool, is_sanitized, require, wait_until
from harness.environment import binary
from harness.pool import inline


class Scale(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def daemon_status(self, field):
        text = Path(f"/proc/{self.daemon.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", text)[1])

    def submit_all(self, count):
        """Half of them on ten connections, half by file: by id, the number. The connections are to be closed."""
        numbers = {str(uuid.uuid4()): n for n in range(count)}
        ids = list(numbers)
        clients = [self.pool.connect() for _ in range(10)]
        for client in clients:
            self.addCleanup(client.close)
        for n, id_ in enumerate(ids[:count // 2]):
            clients[n % 10].send(inline({"n": n}, id_))
        for id_ in ids[count // 2:]:
            self.pool.request_by_file(inline({"n": numbers[id_]}), id_)
        return numbers, clients

    def collect_files(self, numbers):
        """The answers to request files that are there, by number."""
        found = {}
        for name in self.pool.submission_files():
            id_ = name.removesuffix(".response.json")
            if id_ != name:
                found[numbers[id_]] = self.pool.response_by_file(id_)
        return found

    def collect_from(self, clients, numbers, count):
        """So many answers that come over the socket, the same number on each connection, by number."""
        found = {}
        for n in range(count):
            answer = clients[n % len(clients)].receive()
            found[numbers[answer.pop("id")]] = answer
        return found

    def collect(self, numbers, clients):
        answers = self.collect_from(clients, numbers, len(numbers) // 2)
        missing = len(numbers) - len(answers)
        by_file = {}
        wait_until(lambda: by_file.update(self.collect_files(numbers)) or len(by_file) == missing, "the response files")
        return answers | by_file


class Thousands(Scale):
    def test_1000_agents_and_5000_requests_take_few_threads_and_little_memory(self):
        agents, count = 1000, 5000
        fleet = self.start(sys.executable, self.fixtures / "fleet.py", self.pool.path, agents, count)
        wait_until(lambda: len(self.pool.waiting_agents()) == agents, "the agents to announce themselves")
        began = time.monotonic()
        numbers, clients = self.submit_all(count)
        answers = self.collect(numbers, clients)
        last = time.monotonic()
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")
        gone = time.monotonic() - last
        threads, memory = self.daemon_status("Threads"), self.daemon_status("VmHWM") >> 10
        print(f"     ({last - began:.1f} s, then {gone:.2f} s until no agent file is left; {threads} threads, "
              f"{memory} MiB)", flush=True)
        self.assertEqual(answers, {n: {"kind": "Processed", "stdout": f'[{{"n": {n}}}]'} for n in range(count)})
        self.assertEqual(self.pool.submission_files(), [])
        self.assert_exit(fleet.result(), 0)
        self.assertLessEqual(threads, 4)
        if not is_sanitized():
            self.assertLess(memory, 64)


class CommandLine(Scale):
    agents = 200
    instances = 100  # fewer than the 128 that most machines grant: some are left for others

    def test_200_command_line_agents_all_work_with_half_as_many_inotify_instances(self):
        agents, instances = self.agents, self.instances
        alone = ["unshare", "--user", "--map-root-user"]
        limit = f"echo {instances} > /proc/sys/user/max_inotify_instances"
        require(which("unshare") and subprocess.run([*alone, "sh", "-c", limit], capture_output=True).returncode == 0,
                "no user name space with a limit of its own can be made here")
        directory = self.work / "agents"
        directory.mkdir()
        self.start("unshare", *alone[1:], "sh", self.fixtures / "get_tasks.sh", instances, agents, directory,
                   binary("troupe"), "get_task", "--root", self.root, "--log-level", "debug")
        wait_until(lambda: len(self.pool.waiting_agents()) == agents, "the agents to announce themselves")
        numbers, clients = self.submit_all(agents)
        self.work_all(directory, agents)
        answers = self.collect(numbers, clients)
        self.assertEqual({n: answer["stdout"] for n, answer in answers.items()}, {n: f"[{n}]" for n in range(agents)})
        wait_until(lambda: self.pool.agent_files() == [], "the agents' files to go")
        polled = sum("polling instead" in path.read_text() for path in directory.glob("*.err"))
        print(f"     ({polled} of {agents} had no inotify instance)", flush=True)
        self.assertGreaterEqual(polled, agents - instances)

    def work_all(self, directory, agents):
        """Answers as the agents print what they were given."""
        done = set()

        def more():
            for path in directory.glob("*.out"):
                if path.name not in done:
                    done.add(path.name)
                    assignment = json.loads(path.read_text())
                    self.pool.answer(assignment, f"[{assignment['content']['n']}]")
            return len(done) == agents
        wait_until(more, "each agent to get a task")
