"""Mounts that nobody else sees, and that end with this process, however it ends."""

import ctypes
import os
import subprocess

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000


class Unavailable(Exception):
    """Why nothing can be mounted here."""


def enter():
    """Takes this process, which must have one thread only, into a mount name space of its own."""
    uid, gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if uid else 0)) != 0:
        raise Unavailable(f"no mount name space: {os.strerror(ctypes.get_errno())}")
    if uid:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    _run("mount", "--make-rprivate", "/")


def mount_small(directory, size="1m"):
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", directory)


def unmount(directory):
    _run("umount", "--lazy", directory)


def _run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unavailable(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
