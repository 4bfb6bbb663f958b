"""A Debian system with nothing but its base in a folder, to install packages in. It is of this machine's release and comes
from this machine's sources, and is kept from run to run. Needs root. What runs in it has mounts and processes of its own,
which end with it."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from harness.case import require
from harness.environment import cache_dir
from harness.process import MARKER

APT = Path("/etc/apt")
USER = "tester"
# What a machine sets about how packages are fetched: proxies, say, or a mirror that keeps an old state.
FETCHING = re.compile(r'^Acquire::(?:Check-|Retries|https?::).*"[^"]+";$', re.MULTILINE)


def run(*command, **how):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)


def release():
    return re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)[1]


def sources(name):
    """This machine's sources of that release as (sources.list lines, deb822 stanzas), without those of others."""
    lines, stanzas = [], []
    suite = re.compile(rf"(?<![\w-]){name}(?![\w])")
    for file in [APT / "sources.list", *sorted((APT / "sources.list.d").glob("*.list"))]:
        if file.exists():
            lines += [line for line in file.read_text().splitlines() if line.startswith("deb ")
                      and suite.search(line)]
    for file in sorted((APT / "sources.list.d").glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", file.read_text()):
            if any(suite.search(line) for line in stanza.splitlines() if line.startswith("Suites:")):
                stanzas.append(stanza.strip())
    return "\n".join(lines), "\n\n".join(stanzas)


def settings():
    # apt's own user needs devices that it can't be sure of here; signatures are checked all the same.
    return "\n".join(['APT::Sandbox::User "root";', 'Acquire::Languages "none";', *FETCHING.findall(run("apt-config", "dump").stdout)])


def base_archive(include):
    """The archive of the base system with these packages, made unless there is one from the same sources."""
    require(os.geteuid() == 0, "only root can make a clean system")
    require(shutil.which("mmdebstrap"), "mmdebstrap is not installed")
    name = release()
    parts = {"list": sources(name)[0], "sources": sources(name)[1], "conf": settings()}
    key = hashlib.sha256(repr((parts, include)).encode()).hexdigest()[:12]
    archive = cache_dir() / f"{name}-{key}.tar"
    if not archive.exists():
        given = {kind: cache_dir() / f"{name}-{key}.{kind}" for kind in parts}
        for kind, path in given.items():
            path.write_text(parts[kind] + "\n")
        unfinished = archive.with_suffix(".new.tar")
        done = run("mmdebstrap", "--mode=root", "--variant=minbase", f"--include={','.join(include)}",
                   f"--aptopt={given['conf']}", "--dpkgopt=force-unsafe-io", "--skip=cleanup/apt/lists", name, unfinished,
                   *[given[kind] for kind in ("list", "sources") if parts[kind]])
        require(done.returncode == 0, f"a base system can't be made from this machine's sources:\n{done.stderr[-1500:]}")
        unfinished.rename(archive)
    return archive


class CleanRoot:
    """Unpacked into `path`, with an ordinary user."""

    def __init__(self, case, path, include=()):
        self.case, self.path = case, path
        archive = base_archive(include)
        path.mkdir()
        case.assert_exit(case.run_program("/usr/bin/tar", "-xf", archive, "-C", path, deadline=600), 0)
        shutil.copy("/etc/resolv.conf", path / "etc/resolv.conf")
        case.assert_exit(self.run("useradd", "--create-home", "--shell", "/bin/sh", USER), 0)
        self.home = path / "home" / USER

    def run(self, *command, deadline=600):
        """As root."""
        inside = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive",
                  "LC_ALL": "C.UTF-8", MARKER: self.case.mark}
        return self.case.run_program(
            "/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child", "--root", self.path, "--mount-proc",
            "/usr/bin/env", "-i", *[f"{name}={value}" for name, value in inside.items()], *command, deadline=deadline)

    def write(self, path, content, mode=0o644):
        """A file of that system, as bytes or as text."""
        file = self.path / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        file.chmod(mode)

    def run_as_user(self, script):
        """A shell script, in the user's home."""
        return self.run("runuser", "-u", USER, "--", "env", f"HOME=/home/{USER}", "sh", "-c", f"cd && {script}")

    def find(self, *words):
        """Paths in whose names one of the words occurs."""
        found = []
        for folder, names, files in os.walk(self.path):
            found += [os.path.join(folder, name) for name in names + files if any(word in name for word in words)]
        return sorted("/" + os.path.relpath(path, self.path) for path in found)
