"""Many agents in one process, each with a lock on its ready file as `troupe get_task` has.

fleet.py POOL-DIRECTORY AT-ONCE TASKS: announces as many agents as there are tasks, so many at once; answers the first
task only when that many are at work. A response is the task's content in an array. Ends when all tasks are answered."""

import ctypes
import fcntl
import os
import resource
import sys
import uuid

IN_MOVED_TO, HEADER = 0x80, 16


class Fleet:
    def __init__(self, pool, at_once, tasks):
        self.pool, self.at_once, self.left = pool, at_once, tasks
        self.locks = {}  # of those who wait
        self.at_work = []  # until all are
        libc = ctypes.CDLL(None, use_errno=True)
        self.watch = libc.inotify_init1(os.O_CLOEXEC)
        if self.watch < 0 or libc.inotify_add_watch(self.watch, f"{pool}/agents".encode(), IN_MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def work(self, tasks):
        for _ in range(self.at_once):
            self.announce()
        while tasks:
            for id_ in self.assigned():
                os.close(self.locks.pop(id_))
                self.at_work.append(id_)
                if self.at_once == 0 or len(self.at_work) == self.at_once:
                    self.at_once = 0
                    tasks -= len(self.at_work)
                    while self.at_work:
                        self.answer(self.at_work.pop())

    def announce(self):
        if self.left == 0:
            return
        self.left -= 1
        id_ = str(uuid.uuid4())
        new = f"{self.pool}/scratch/{id_}.ready.json"
        file = os.open(new, os.O_RDWR | os.O_CREAT, 0o600)
        os.write(file, b'{"locked": true}')
        os.close(file)  # closed for writing, so that only its new name is announced
        self.locks[id_] = os.open(new, os.O_RDONLY)
        fcntl.flock(self.locks[id_], fcntl.LOCK_EX)
        os.rename(new, f"{self.pool}/agents/{id_}.ready.json")

    def assigned(self):
        """The uuids whose task files came since the last look."""
        buffer = os.read(self.watch, 1 << 20)
        at = 0
        while at < len(buffer):
            length = int.from_bytes(buffer[at + 12:at + HEADER], sys.byteorder)
            name = buffer[at + HEADER:at + HEADER + length].rstrip(b"\0").decode()
            at += HEADER + length
            if name.endswith(".task.json"):
                yield name.removesuffix(".task.json")

    def answer(self, id_):
        with open(f"{self.pool}/agents/{id_}.task.json", "rb") as task:
            content = task.read()
        with open(f"{self.pool}/agents/{id_}.response.json", "wb") as response:
            response.write(b"[%s]" % content)
        self.announce()


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count = int(sys.argv[3])
    Fleet(sys.argv[1], int(sys.argv[2]), count).work(count)
