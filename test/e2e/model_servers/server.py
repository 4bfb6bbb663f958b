"""What the servers share: HTTP on loopback, the script of answers, the record of requests.

A script is a list of steps or a function. Each request to the model takes the next step of the list, and the last step is
repeated; a function is called with the Request and returns the step. A step is a dict:

  {"text": "hi"}                 the model says this
  {"tasks": [...]}               the model responds with these tasks, in the form for which the request asks
  {"tool": "NAME", "input": {}}  the model calls this tool
  {"empty": True}                an answer without content
  {"status": 429}                an HTTP error in the API's own form; "headers" adds headers to it
  {"limit": 1795330000}          the usage limit of an account, which ends at that Unix time (Anthropic, OpenAI)
  {"drop": True}                 the connection is closed instead of an answer
  {"break": True}                beside another member: the answer breaks off in the middle of a line
  {"page": "<html>"}             a page in the place of an answer, with the status 200 or that of "status"

With "hold": "before" the server answers only after release(), with "hold": "within" it sends the first half of the answer
before that, and with "hold": "end" all but its end. A program that ends meanwhile, or close(), ends the wait. Further members are described by the APIs.
"""

import http.server
import json
import select
import socket
import sys
import threading


BROKEN = b'data: {"type": "mess'


class Request:
    """A request to the model. `messages` are pairs of a role and a text, in order: "user" for what the program sends as the
    user's words, "assistant" for the model's own; other roles as the API calls them."""

    def __init__(self, path, body, messages):
        self.path, self.body, self.messages = path, body, messages

    def said(self, role):
        return [text for speaker, text in self.messages if speaker == role]

    @property
    def text(self):
        """Everything in the request, as JSON text without escapes."""
        return json.dumps(self.body, ensure_ascii=False)


class ModelServer:
    """Serves from its construction until close()."""

    def __init__(self, api, script):
        self.requests = []  # to the model, in the order of their arrival
        self.served = 0  # tokens, read and written, of the answers that were sent whole
        self._changed = threading.Condition()
        self.load(script)
        self._closed = False
        self._released = threading.Event()
        handler = type("Handler", (Handler,), {"api": api(), "model": self})
        self._http = Server(("127.0.0.1", 0), handler)
        self.port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def load(self, script):
        """Replaces the script, but for a request that has come before."""
        with self._changed:
            self._steps = script if callable(script) else iter_steps(script)

    def release(self):
        """Answers the requests that are held, and holds no further ones."""
        self._released.set()

    def close(self):
        """Ends the server and every request that is held."""
        self._closed = True
        self._released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def take(self, request):
        """Records the request and returns its step."""
        with self._changed:
            self.requests.append(request)
            return self._steps(request)

    def count(self, tokens):
        with self._changed:
            self.served += tokens

    def wait_for_release(self, connection):
        """Returns whether the request is still to be answered."""
        while not self._released.wait(0.02):
            if has_ended(connection):
                return False
        return not self._closed


def iter_steps(steps):
    rest = list(steps)
    return lambda _: rest.pop(0) if len(rest) > 1 else rest[0]


def has_ended(connection):
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except ConnectionError:
        return True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, ValueError)):  # ValueError: the program closed the connection
            super().handle_error(request, client_address)


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection. `api` is an object with the methods of model_servers/anthropic.py, `model` the ModelServer."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.send_json(200, {})

    def do_GET(self):
        self.send_json(200, self.api.lists)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        if not self.api.is_model_request(self.path):
            return self.send_json(200, self.api.side_answer(self.path))
        request = Request(self.path, body, self.api.messages(body))
        self.answer(request, self.model.take(request))

    def answer(self, request, step):
        if step.get("hold") == "before" and not self.model.wait_for_release(self.connection) or step.get("drop"):
            self.close_connection = True
            return
        if "page" in step:
            return self.send(step.get("status", 200), "text/html", step["page"].encode(), {})
        if "status" in step or "limit" in step:
            status, headers, body = self.api.error(step)
            return self.send_json(status, body, headers | step.get("headers", {}))
        events = self.api.events(step, request)
        if not step.get("break"):
            self.model.count(self.api.TOKENS)
        if not self.api.is_streamed(request):
            if step.get("break"):
                return self.send(200, "application/json", BROKEN, {})
            return self.send_json(200, self.api.whole_answer(step, request))
        self.stream(events, step)

    def stream(self, events, step):
        self.close_connection = True
        try:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            for number, event in enumerate(events):
                held_at = {"within": len(events) // 2, "end": len(events) - 1}.get(step.get("hold"))
                if number == held_at and not self.model.wait_for_release(self.connection):
                    return
                if step.get("break") and number == len(events) // 2:
                    self.wfile.write(BROKEN + b"\n\n")
                    return
                name = f"event: {event['type']}\n" if "type" in event else ""
                self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
        except ConnectionError:
            pass

    def send_json(self, status, value, headers=None):
        self.send(status, "application/json", json.dumps(value).encode(), headers or {})

    def send(self, status, content_type, data, headers):
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(data)))
        for name, text in headers.items():
            self.send_header(name, str(text))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
