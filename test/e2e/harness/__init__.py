"""What the end-to-end cases share. They drive the real binaries and look at what a user can see: exit codes, output,
files, and what comes over the socket. Standard library only."""

from harness.case import Case, require
from harness.environment import is_over_engine, is_sanitized, sanitizer, scaled
from harness.one_host import one_host
from harness.pool import HandAgent, SocketClient
from harness.two_hosts import Pool
from harness.waiting import DEADLINE, holds_for, let_pass, remove_in_use, wait_until, windows

__all__ = ["Case", "DEADLINE", "HandAgent", "Pool", "SocketClient", "holds_for", "is_over_engine", "is_sanitized",
           "let_pass", "one_host", "remove_in_use", "require", "sanitizer", "scaled", "wait_until", "windows"]
