"""Requests to a NATS server, as an administrator makes them: one connection for each, without TLS and login."""

import json
import socket

PATIENCE = 30  # seconds; no verdict depends on it


def request(server, subject, body=None):
    """The reply, as JSON. An error of the API fails the test."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link, link.makefile("rb") as lines:
        payload = json.dumps(body).encode() if body is not None else b""
        link.sendall(b'CONNECT {"verbose":false}\r\nSUB answer 1\r\n'
                     + f"PUB {subject} answer {len(payload)}\r\n".encode() + payload + b"\r\n")
        while not (line := lines.readline()).startswith(b"MSG "):
            assert line and not line.startswith(b"-ERR"), f"{server.name}: {line.decode()}"
            if line.startswith(b"PING"):
                link.sendall(b"PONG\r\n")
        reply = json.loads(lines.read(int(line.split()[-1])))
    assert "error" not in reply, f"{subject}: {reply}"
    return reply


def publish(server, subject, text):
    """Returns when the server has it."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link, link.makefile("rb") as lines:
        payload = text.encode()
        link.sendall(b'CONNECT {"verbose":false}\r\n' + f"PUB {subject} {len(payload)}\r\n".encode() + payload + b"\r\nPING\r\n")
        while not (line := lines.readline()).startswith(b"PONG"):
            assert line and not line.startswith(b"-ERR"), f"{server.name}: {line.decode()}"


def stream(server, name):
    return request(server, f"$JS.API.STREAM.INFO.{name}")


def change_stream(server, name, **members):
    """Other values for members of its configuration."""
    request(server, f"$JS.API.STREAM.UPDATE.{name}", stream(server, name)["config"] | members)
