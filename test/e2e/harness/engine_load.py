"""Submitters by hand that go on whatever becomes of the edge: each task is submitted under its id until it has its answer.
Each is a thread and keeps to one host."""

import json
import threading
import time

from harness.pool import inline

PAUSE = 0.05
LOOK = 0.2


class Ledger:
    """The answers. `is_over`: what is not answered by then never will be."""

    def __init__(self):
        self.answers, self.problems = {}, []
        self.is_over = threading.Event()

    def note(self, id_, answer):
        if id_ in self.answers:
            self.problems.append(f"{id_} was answered twice: {self.answers[id_]} and {answer}")
        self.answers[id_] = answer


class Submitter(threading.Thread):
    """`contents`: {id: content}. At most `window` of them are out at a time."""

    def __init__(self, host, ledger, contents, window):
        super().__init__(daemon=True)
        self.host, self.ledger, self.window = host, ledger, window
        self.waiting = list(contents.items())
        self.out = {}  # id → request
        self.start()

    def run(self):
        try:
            while (self.waiting or self.out) and not self.ledger.is_over.is_set():
                self.go_on()
        except Exception as error:  # pylint: disable=broad-except
            self.ledger.problems.append(f"the {type(self).__name__} of {self.host.host} ended: {error!r}")
            raise

    def go_on(self):
        raise NotImplementedError

    def more(self):
        """(id, request) of those that may be submitted now."""
        while self.waiting and len(self.out) < self.window:
            id_, content = self.waiting.pop(0)
            self.out[id_] = inline(content, id_) | {"wants_failures": True}
            yield id_, self.out[id_]

    def has_answer(self, id_, answer):
        """Whether that is the end of it; if not, it has to be submitted again."""
        if answer.get("reason") == "stopped":
            return False
        self.ledger.note(id_, answer)
        self.out.pop(id_, None)
        return True


class SocketSubmitter(Submitter):
    def go_on(self):
        try:
            client = self.host.connect()
        except OSError:
            time.sleep(PAUSE)  # the edge is away
            return
        with client:
            try:
                self._serve(client)
            except (OSError, EOFError):
                pass  # what is out is submitted again over the next connection

    def _serve(self, client):
        for request in list(self.out.values()):
            self._send(client, request)
        while (self.waiting or self.out) and not self.ledger.is_over.is_set():
            for _, request in self.more():
                self._send(client, request)
            try:
                answer = client.receive(LOOK)
            except AssertionError:
                continue  # none has come
            self.has_answer(answer["id"], answer)

    @staticmethod
    def _send(client, request):
        client.socket.settimeout(60)
        client.send(request)


class FileSubmitter(Submitter):
    def __init__(self, *args):
        self._served_by = {}  # id → the stamp of the edge that it was submitted to
        super().__init__(*args)

    def go_on(self):
        for id_, request in self.more():
            self._submit(id_, request)
        for id_, request in list(self.out.items()):
            if self._served_by[id_] is None:
                self._submit(id_, request)
            elif (answer := self._answer(id_)) and not self.has_answer(id_, answer):
                self._wait_for_next_edge(id_)
        time.sleep(PAUSE)

    def _submit(self, id_, request):
        self._served_by[id_] = self.host.status_stamp()
        if self._served_by[id_]:  # otherwise later, when there is an edge
            self.host.request_by_file(request, id_)

    def _answer(self, id_):
        request, response = (self.host.path / "submissions" / f"{id_}.{kind}.json" for kind in ("request", "response"))
        try:
            answer = json.loads(response.read_text())
        except FileNotFoundError:
            return None
        request.unlink(missing_ok=True)
        response.unlink()
        return answer

    def _wait_for_next_edge(self, id_):
        if self.host.status_stamp() == self._served_by[id_]:
            time.sleep(PAUSE)  # the one that has stopped is still about to end
        self._served_by[id_] = None
