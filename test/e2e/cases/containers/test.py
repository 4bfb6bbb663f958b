"""Programs that are process 1, as in a container: the kernel gives them the orphans of all their descendants."""

import json
import os
import re
import shlex
from pathlib import Path

from harness import Case, Pool, require, wait_until
from harness.environment import SOURCE_DIR, binary

CONTAINER = ("/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
# Its orphan ends by itself, when `end` is there; its grandchild is in a session of its own, and so no member of its group.
LEAVES_ORPHAN = "setsid sh -c 'touch orphan; until [ -e end ]; do sleep 0.1; done' </dev/null >/dev/null 2>&1 & until [ -e orphan ]; do sleep 0.1; done; "


def children(pid):
    """{pid: command line} of the children."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found[int(entry.name)] = (entry / "cmdline").read_text()
        except OSError:
            pass  # it is gone
    return found


class Containers(Case):
    def setUp(self):
        super().setUp()
        require(os.geteuid() == 0, "only root can make name spaces of processes")
        self.work.chmod(0o755)

    def contain(self, *command):
        """Starts it as process 1, and returns it with the process id that it has outside."""
        container = self.start(*CONTAINER, *command)
        started = wait_until(lambda: children(container.pid) or not container.running, "process 1")
        self.assertNotEqual(started, True, str(container.err))
        return container, next(iter(started))

    def test_a_run_reaps_what_its_commands_leave_behind(self):
        steps = [{"name": "Leave", "action": {"kind": "Command", "script": LEAVES_ORPHAN + "echo '[{\"kind\":\"Wait\",\"value\":1}]'"},
                  "next": ["Wait"]},
                 {"name": "Wait", "action": {"kind": "Command", "script": "until [ -e seen ]; do sleep 0.1; done; echo '[]'"},
                  "next": []}]
        (self.work / "flow.json").write_text(json.dumps({"entrypoint": "Leave", "steps": steps}))
        run, init = self.contain(binary("barnum"), "run", "--config", "flow.json")
        orphan = wait_until(lambda: [pid for pid, command in children(init).items() if "touch orphan" in command], "the orphan")
        (self.work / "end").touch()
        wait_until(lambda: not Path(f"/proc/{orphan[0]}").exists(), "the orphan to be reaped")
        (self.work / "seen").touch()
        self.assert_exit(run.result(), 0)

    def test_the_documents_container_of_agents_reaps_what_their_commands_leave_behind(self):
        document = (SOURCE_DIR / "docs/deployment.md").read_text()
        command = shlex.split(re.search(r"^docker run .*?my-agents \\\n(.*)$", document, re.MULTILINE)[1])
        self.assertEqual(command[:2], ["troupe", "agent"])
        script = self.work / "agent.sh"
        script.write_text(f"#!/bin/sh\ncd {self.work}; cat >/dev/null; {LEAVES_ORPHAN} echo '[]'\n")
        script.chmod(0o755)
        pool = Pool(self, name=command[command.index("--pool") + 1])
        pool.start()
        _, init = self.contain(binary("troupe"), *[script if word == "/agent.sh" else word for word in command[1:]])
        for _ in range(2):
            self.assertEqual(pool.submit(1).json()["kind"], "Processed")
        (self.work / "end").touch()
        wait_until(lambda: len(children(init)) == 1, "only the guard to be left")
