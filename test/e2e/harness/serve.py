"""`barnum serve`, and what its page and programs request of it."""

import http.client
import json
import re

from harness.http import request
from harness.ports import free_address
from harness.waiting import DEADLINE, wait_until

URL = re.compile(r"(https?)://(.+):(\d+)/#token=([0-9a-f]{64})\n")


class Page:
    """The server, started by a Case. `certificate`: it speaks TLS."""

    def __init__(self, case, *options, listen=None, certificate=None, program="barnum", **how):
        self.tls = certificate.client if certificate else None
        more = certificate.options if certificate else ()
        self.process = case.start(program, "serve", "--listen", listen or free_address(), *more, *options, **how)
        wait_until(lambda: self.process.out.endswith("\n") or not self.process.running, "the server to print its URL")
        found = URL.fullmatch(self.process.out)
        if not found:
            raise AssertionError(f"no URL is printed: {self.process.out!r}\n{self.process.err}")
        self.scheme, host, port, self.token = found.groups()
        self.address = host, int(port)

    @property
    def bearer(self):
        return {"Authorization": f"Bearer {self.token}"}

    def request(self, path, method="GET", body=None, **fields):
        """(status, fields, text), without the token."""
        return request(self.address, path, method, body, tls=self.tls, **fields)

    def get(self, path, **fields):
        """(status, fields, text), with the token."""
        return self.request(path, **self.bearer, **fields)

    def json(self, path):
        status, _, text = self.get(path)
        if status != 200:
            raise AssertionError(f"GET {path}: {status} {text}")
        return json.loads(text)

    def post(self, path, body=None, **fields):
        """(status, fields, text), with the token."""
        fields = {"Content-Type": "application/json", **self.bearer, **fields}
        return self.request(path, "POST", json.dumps(body or {}), **fields)

    def login(self):
        """What the browser sends from then on."""
        status, fields, text = self.request("/api/login", "POST", json.dumps({"token": self.token}), Content_Type="application/json")
        if status != 204:
            raise AssertionError(f"login: {status} {text}")
        return {"Cookie": fields["Set-Cookie"].split(";")[0]}

    def events(self, query, **fields):
        return Events(self, f"/api/events?{query}", **fields)

    def output(self, path):
        return Events(self, path)


class Events:
    """A stream of server-sent events."""

    def __init__(self, page, path, **fields):
        kind = http.client.HTTPSConnection if page.tls else http.client.HTTPConnection
        how = {"context": page.tls} if page.tls else {}
        self.connection = kind(*page.address, timeout=DEADLINE, **how)
        self.connection.request("GET", path, headers={**page.bearer, **fields})
        self.response = self.connection.getresponse()
        if self.response.status != 200:
            raise AssertionError(f"GET {path}: {self.response.status} {self.response.read().decode()}")

    def next(self, name=None):
        """(name, data, id) of the next event, or of the next one with that name; None at the end of the stream."""
        event = {}
        for line in self.lines():
            field, _, value = line.partition(": ")
            if line and field:
                event[field] = value
            elif "event" in event and name in (None, event["event"]):
                return event["event"], json.loads(event["data"]) if event["data"][:1] in "{[" else event["data"], event.get("id")
            elif not line:
                event = {}
        return None

    def lines(self):
        try:
            while line := self.response.readline():
                yield line.decode().rstrip("\n")
        except (http.client.IncompleteRead, ConnectionResetError):
            pass

    def close(self):
        self.response.close()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
