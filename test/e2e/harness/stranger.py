"""Another user of the machine, for what they may try on a pool. Needs root, and a user `nobody`."""

import os
import pwd
import stat
from contextlib import contextmanager

NOBODY = "nobody"


@contextmanager
def as_nobody():
    """What is done in here is done by nobody: files, sockets and permissions are theirs."""
    entry = pwd.getpwnam(NOBODY)
    groups, gid, uid = os.getgroups(), os.getegid(), os.geteuid()
    os.setgroups([])
    os.setegid(entry.pw_gid)
    os.seteuid(entry.pw_uid)
    try:
        yield
    finally:
        os.seteuid(uid)
        os.setegid(gid)
        os.setgroups(groups)


def give_to_nobody(path):
    os.chown(path, pwd.getpwnam(NOBODY).pw_uid, -1, follow_symlinks=False)


def tree(path):
    """Everything below, with what an intruder or a daemon could change of it; links are not followed."""
    found = {}
    for directory, names, files in os.walk(path):
        for entry in (directory, *(os.path.join(directory, name) for name in names + files)):
            status = os.lstat(entry)
            text = open(entry, "rb").read() if stat.S_ISREG(status.st_mode) else b""
            found[entry] = (oct(status.st_mode), status.st_uid, status.st_nlink, status.st_ino, text)
    return found
