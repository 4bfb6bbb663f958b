"""A clean Debian system that is booted: a real systemd is its process 1. Needs root, and cgroup v2."""

import errno
import os
from pathlib import Path

from harness.case import require
from harness.clean_root import CleanRoot
from harness.waiting import wait_until

BOOT = Path(__file__).parent / "boot_system"
PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"


def cgroup_mount():
    """Where this machine has cgroup v2."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    found = [Path(fields[1]) for fields in mounts if fields[2] == "cgroup2" and os.access(fields[1], os.W_OK)]
    require(found, "there is no cgroup v2 here, which a systemd of one's own needs")
    return found[0]


class BootedRoot(CleanRoot):
    def __init__(self, case, path, include=()):
        super().__init__(case, path, ["dbus", "libpam-systemd", "systemd", *include])
        self.cgroup = cgroup_mount() / f"barnum-{case.mark}-{path.name}"
        self.boot()

    def boot(self):
        self.cgroup.mkdir()
        self.process = self.case.start(BOOT, self.path, self.cgroup)
        self.init = wait_until(self._find_init, "process 1")
        wait_until(lambda: self.inside("systemctl", "is-system-running").out.strip() in ("running", "degraded"),
                   "the system to be up")

    def _find_init(self):
        """Its process id out here, once it is systemd."""
        self.case.assert_running(self.process)
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        is_systemd = children and Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n"
        return int(children[0]) if is_systemd else None

    def shut_down(self):
        """At once, as when the power fails."""
        self.process.kill()
        folders = [path for path in self.cgroup.rglob("*") if path.is_dir()]
        for folder in sorted([self.cgroup, *folders], reverse=True):
            wait_until(lambda: self._is_removed(folder), f"{folder} to be empty")

    @staticmethod
    def _is_removed(cgroup):
        try:
            cgroup.rmdir()
        except OSError as error:
            return error.errno == errno.ENOENT
        return True

    def reboot(self):
        self.shut_down()
        self.boot()

    def inside(self, *command, deadline=120):
        """As root, in the booted system."""
        return self.case.run_program(
            "/usr/bin/nsenter", "--target", str(self.init), "--all", "--root", "--wd",
            "/usr/bin/env", "-i", PATH, "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command, deadline=deadline)

    def inside_as(self, user, script, deadline=120):
        """A shell script of that user, whose systemd runs if the user lingers."""
        return self.inside("runuser", "-u", user, "--", "sh", "-c",
                           f"export HOME=~{user} XDG_RUNTIME_DIR=/run/user/$(id -u); cd; {script}", deadline=deadline)

    def succeed(self, result):
        """Its output; if it failed, the journal is shown, too."""
        if result.code != 0:
            journal = self.inside("journalctl", "--no-pager", "--lines=40", "--output=cat").out
            raise AssertionError(f"{result}\nthe journal:\n{journal}")
        return result.out

    def systemctl(self, *words):
        return self.succeed(self.inside("systemctl", *words))

    def shown(self, unit, field):
        """A property of a unit."""
        return self.systemctl("show", "--value", f"--property={field}", unit).strip()
