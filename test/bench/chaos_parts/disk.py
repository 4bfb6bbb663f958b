"""The small disk that the pools lie on, which is filled and freed."""

import os

from harness import own_mounts
from harness.environment import all_required

from .world import now

SIZE = "4m"
BLOCK = 65536


def small_disk(world):
    """None, said loudly, where nothing can be mounted; where everything is required, that ends the program. To be called
    before there are threads."""
    try:
        if os.geteuid() != 0:
            raise own_mounts.Unavailable("that needs root")
        own_mounts.enter()
        return Disk(world)
    except own_mounts.Unavailable as reason:
        if all_required():
            raise SystemExit(f"BARNUM_REQUIRE_ALL is set, and no small disk can be mounted: {reason}") from None
        print(f"LEFT OUT: the full disk, for no small one can be mounted: {reason}", flush=True)
        return None


class Disk:
    """Raises own_mounts.Unavailable."""

    def __init__(self, world):
        self._world = world
        directory = world.work / "disk"
        self._ballast = directory / "ballast"
        own_mounts.mount_small(directory, SIZE)
        world.root.mkdir(mode=0o700)

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
