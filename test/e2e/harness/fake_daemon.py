"""What takes the place of a pool's daemon at its socket, for tests of what submitters do with answers of another kind."""

import json
import socket
import threading
from contextlib import suppress


NO_ANSWER = object()


class FakeDaemon:
    """Serves one connection at a time, until the end of the case. `reply` gets each request and returns the answer
    without its id; or the bytes to be sent; or NO_ANSWER; or None, to close the connection."""

    def __init__(self, case, path, reply, status=""):
        self.reply = reply
        path.mkdir(mode=0o700, parents=True)
        for name in ("agents", "submissions", "scratch"):
            (path / name).mkdir(mode=0o700)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path / "daemon.sock"))
        self.listener.listen()
        (path / "status").write_text(status)
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()
        case.addCleanup(self.end)

    def serve(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            # The other side may go away before it has read everything.
            with suppress(BrokenPipeError, ConnectionResetError), link, link.makefile("rwb") as stream:
                self.serve_one(stream)

    def serve_one(self, stream):
        for length in iter(stream.readline, b""):
            request = json.loads(stream.read(int(length)))
            answer = self.reply(request)
            if answer is None:
                return
            if answer is NO_ANSWER:
                continue
            if not isinstance(answer, bytes):
                data = json.dumps({"id": request["id"]} | answer).encode()
                answer = b"%d\n%s" % (len(data), data)
            stream.write(answer)
            stream.flush()

    def end(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()
