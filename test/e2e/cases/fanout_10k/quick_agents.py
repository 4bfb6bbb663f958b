"""Three agents in one process, by the file protocol: each answers every task at once. ARG: the pool's directory."""

import ctypes
import json
import os
import sys
import uuid

IN_MOVED_TO, IN_CLOSE_WRITE = 0x80, 0x8
HEADER = 16  # of struct inotify_event


def names(buffer):
    at = 0
    while at < len(buffer):
        length = int.from_bytes(buffer[at + 12:at + HEADER], sys.byteorder)
        yield buffer[at + HEADER:at + HEADER + length].rstrip(b"\0").decode()
        at += HEADER + length


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def announce(agents):
    write(f"{agents}/{uuid.uuid4()}.ready.json", "{}")


def answer(agents, name):
    """The response to one task file; false for a kick."""
    with open(f"{agents}/{name}", encoding="utf-8") as file:
        content = json.load(file)
    if content.get("kind") == "Kicked":
        return False
    response = '"ok"'
    if content.get("kind") != "Heartbeat":
        response = json.dumps([{"kind": "Keep", "value": content["task"]["value"]}])
    write(f"{agents}/{name.removesuffix('.task.json')}.response.json", response)
    return True


def main(pool):
    agents = f"{pool}/agents"
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_CLOEXEC)
    if watch < 0 or libc.inotify_add_watch(watch, agents.encode(), IN_MOVED_TO | IN_CLOSE_WRITE) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    for _ in range(3):
        announce(agents)
    last = []  # answered lately: a file may be announced twice
    while True:
        for name in names(os.read(watch, 1 << 16)):
            if name.endswith(".task.json") and name not in last:
                if not answer(agents, name):
                    return
                last = [name, *last[:9]]
                announce(agents)


main(sys.argv[1])
