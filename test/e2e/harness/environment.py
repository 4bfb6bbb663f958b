"""What the tests were given: where the binaries are, how they were built, and where files may be kept between runs."""

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCE_DIR = Path(__file__).resolve().parents[3]


def binary_dirs():
    """BARNUM_BIN_DIRS: the folders with `troupe`, `barnum`, and `await` (await.cpp), separated by colons."""
    dirs = [d for d in os.environ.get("BARNUM_BIN_DIRS", "").split(":") if d]
    if not dirs:
        raise SystemExit("BARNUM_BIN_DIRS is not set: the folders of the binaries troupe, barnum and await, separated by ':'")
    return dirs


@functools.cache
def binary(name):
    found = shutil.which(name, path=":".join(binary_dirs()))
    if not found:
        raise AssertionError(f"no program {name} in {':'.join(binary_dirs())}: build it first")
    return os.path.abspath(found)


def sanitizer():
    """'address', 'thread' or '': what BARNUM_SANITIZED says (1 means address), as set by the build."""
    value = os.environ.get("BARNUM_SANITIZED", "")
    return {"0": "", "1": "address"}.get(value, value)


def is_sanitized():
    return bool(sanitizer())


def is_over_engine():
    """BARNUM_OVER_ENGINE=1: pools are over two hosts (harness/two_hosts.py)."""
    return os.environ.get("BARNUM_OVER_ENGINE", "") == "1"


def is_thorough():
    """BARNUM_THOROUGH=1: the long form of a case, which `scripts/test --thorough` runs besides the usual one."""
    return os.environ.get("BARNUM_THOROUGH", "") == "1"


def scaled(count):
    """A heavy count; a tenth of it in a sanitizer build, and the output says so."""
    if not is_sanitized():
        return count
    print(f"     (sanitizer build: {count // 10} instead of {count})", flush=True)
    return count // 10


def all_required():
    """BARNUM_REQUIRE_ALL=1: nothing may be skipped."""
    return os.environ.get("BARNUM_REQUIRE_ALL", "") == "1"


def cache_dir():
    """A folder outside the source tree that may outlive a run: the build's, or one under the temporary directory."""
    path = Path(os.environ.get("BARNUM_E2E_CACHE") or Path(tempfile.gettempdir()) / f"barnum-e2e-cache-{os.getuid()}")
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


@functools.cache
def npm_tools(name):
    """The directory with what scripts/npm-tools has brought by that name, None if it has not."""
    found = subprocess.run([SOURCE_DIR / "scripts" / "npm-tools", name], capture_output=True, text=True, check=False)
    return Path(found.stdout.strip()) if found.returncode == 0 else None


@functools.cache
def earlier_build():
    """The build folder of an earlier commit, None if scripts/earlier-build has not made it."""
    found = subprocess.run([SOURCE_DIR / "scripts" / "earlier-build"], capture_output=True, text=True, check=False)
    return Path(found.stdout.strip()) if found.returncode == 0 else None


def traceable():
    """The environment for a program under strace: the leak sanitizer can't work beside it, and ends the program."""
    return {"ASAN_OPTIONS": ":".join([*filter(None, [os.environ.get("ASAN_OPTIONS")]), "detect_leaks=0"])}
