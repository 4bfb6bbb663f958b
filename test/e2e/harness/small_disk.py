"""A small disk for one case, which it can fill."""

import functools

from harness import own_mounts
from harness.case import require


def mount(case, name="disk", size="1m"):
    """A disk in the case's home directory, until the end of the case, which is skipped if nothing can be mounted."""
    require(not unavailable(), unavailable())
    disk = case.home / name
    disk.mkdir()
    own_mounts.mount_small(disk, size)
    case.addCleanup(own_mounts.unmount, disk)
    return disk


@functools.cache
def unavailable():
    """Why nothing can be mounted in this process, or nothing."""
    try:
        own_mounts.enter()
        return ""
    except own_mounts.Unavailable as reason:
        return str(reason)
