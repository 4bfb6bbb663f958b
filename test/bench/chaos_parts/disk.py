"""The small disk that the pools lie on, which is filled and freed."""

import os

from harness.environment import all_required
from harness.own_mounts import Unavailable, mount_small

from .world import now

SIZE = "4m"
BLOCK = 65536


class Disk:
    def __init__(self, world):
        self._world = world
        self._directory = world.work / "disk"
        self._ballast = self._directory / "ballast"
        self.is_small = self._mount()

    def fill(self):
        self._world.disk_full.append([now(), None])
        descriptor = os.open(self._ballast, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            for size in (BLOCK, 1):
                self._write_until_full(descriptor, size)
        finally:
            os.close(descriptor)

    def free(self):
        self._ballast.unlink(missing_ok=True)
        if self._world.disk_full and self._world.disk_full[-1][1] is None:
            self._world.disk_full[-1][1] = now()

    def _write_until_full(self, descriptor, size):
        try:
            while True:
                os.write(descriptor, b"x" * size)
        except OSError:
            pass

    def _mount(self):
        try:
            mount_small(self._directory, SIZE)
            (self._directory / "root").mkdir(mode=0o700)
            return True
        except Unavailable as reason:
            return without(reason)


def without(reason):
    """Says that there will be no full disk; where everything is required, ends the program."""
    if all_required():
        raise SystemExit(f"BARNUM_REQUIRE_ALL is set, and the disk can't be filled: {reason}")
    print(f"LEFT OUT: no full disk, for nothing can be mounted here: {reason}", flush=True)
    return False
