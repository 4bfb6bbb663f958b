"""The published pool program, for the tests that mix it with ours: fetched once by npm, checked by its digest."""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import tarfile

from harness.environment import cache_dir

PACKAGE = "@barnum/troupe@0.2.3"
MEMBER = "package/artifacts/linux-x64/troupe"
SHA256 = "7873a8f38034c4a610a5e36cc7b9c367d8c3d03286c94b9d7b5357d0ea7310e7"


class Unavailable(Exception):
    """Why the package can't be had here."""


def published_troupe():
    """The path of the published binary."""
    if platform.machine() != "x86_64":
        raise Unavailable(f"the published binary is for x86_64, this is {platform.machine()}")
    directory = cache_dir() / "published-troupe-0.2.3"
    directory.mkdir(exist_ok=True)
    with open(directory / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        binary = directory / "troupe"
        if not binary.exists():
            _fetch(directory, binary)
        _check(binary)
        return str(binary)


def _fetch(directory, binary):
    if not shutil.which("npm"):
        raise Unavailable(f"npm is not installed, and {PACKAGE} comes by `npm pack`")
    try:
        done = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=directory, capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"`npm pack {PACKAGE}` did not end within two minutes") from None
    if done.returncode != 0:
        raise Unavailable(f"`npm pack {PACKAGE}` failed: {done.stderr.strip()[-500:]}")
    archive = directory / done.stdout.split()[-1]
    with tarfile.open(archive) as tar:
        binary.with_suffix(".part").write_bytes(tar.extractfile(MEMBER).read())
    os.chmod(binary.with_suffix(".part"), 0o755)
    binary.with_suffix(".part").rename(binary)
    archive.unlink()


def _check(binary):
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()
    if digest != SHA256:
        raise AssertionError(f"{binary} has the SHA-256 {digest}, not {SHA256}: delete it, and find out why it differs")
