"""Ports for servers that must know them before they start, and keep them over restarts."""

import random
import socket

OWN_RANGE = range(20000, 32000)  # below those that the kernel gives to clients: nobody gets one by chance
_claims = []  # sockets whose names say to the other tests that a port is taken, until this process ends


def free_ports(count):
    """Different ports of the loopback interface that nobody listens on at the moment, and that no other test has been given: a
    server may listen only later, or be killed and started again."""
    found = set()
    while len(found) < count:
        port = random.SystemRandom().choice(OWN_RANGE)
        if _claim(port) and _is_free(port):
            found.add(port)
    return sorted(found)


def free_address():
    """For a server that is to listen there again after a restart."""
    return f"127.0.0.1:{free_ports(1)[0]}"


def _claim(port):
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0barnum-test-port-{port}")
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True


def _is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
