"""Runs a program that the kernel denies one system call: denied.py CALL ERRNO PROGRAM ARG... A small seccomp filter."""

import ctypes
import errno
import os
import platform
import struct
import sys

NUMBERS = {"x86_64": {"socket": 41, "connect": 42, "inotify_init1": 294},
           "aarch64": {"socket": 198, "connect": 203, "inotify_init1": 26}}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, MODE_FILTER = 38, 22, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL_WITH = 0x7FFF0000, 0x00050000


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def deny(number, error):
    """From here on, that system call fails with that error, in this process and all it starts."""
    program = b"".join((instruction(LOAD_WORD, 0), instruction(JUMP_IF_EQUAL, number, 0, 1),
                        instruction(RETURN, FAIL_WITH | error), instruction(RETURN, ALLOW)))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    for args in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, MODE_FILTER, header, 0, 0)):
        if libc.prctl(*args) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


deny(NUMBERS[platform.machine()][sys.argv[1]], getattr(errno, sys.argv[2]))
os.execvp(sys.argv[3], sys.argv[3:])
