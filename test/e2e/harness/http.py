"""A server's address in a program's log, and requests to it as clients make them: well-behaved ones and others."""

import http.client
import re
import socket

from harness.waiting import DEADLINE, wait_until


def address_in_log(process, text):
    """(host, port) of the first URL after `text` in what the program has logged."""
    pattern = re.compile(re.escape(text) + r" http://([0-9.]+):(\d+)")
    found = wait_until(lambda: pattern.search(process.err_path.read_text()), f"{text!r} in the log")
    return found[1], int(found[2])


def request(address, path, method="GET", body=None, tls=None, **fields):
    """(status, fields, text) of the response. `tls`: an ssl.SSLContext."""
    kind = http.client.HTTPSConnection if tls else http.client.HTTPConnection
    connection = kind(*address, timeout=DEADLINE, **({"context": tls} if tls else {}))
    try:
        connection.request(method, path, body=body, headers={k.replace("_", "-"): v for k, v in fields.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode(errors="replace")
    finally:
        connection.close()


def connect(address):
    connection = socket.create_connection(address, timeout=DEADLINE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def read_all(connection):
    """What the server sends until it closes the connection."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received
