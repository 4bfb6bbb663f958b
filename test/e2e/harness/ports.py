"""Ports for servers that must know them before they start, and keep them over restarts."""

import random
import socket

OWN_RANGE = range(20000, 32000)  # below those that the kernel gives to clients: nobody gets one by chance
_given = set()  # some servers listen only later


def free_ports(count):
    """Different ports of the loopback interface that nobody listens on at the moment, and that were not given before."""
    found = set()
    while len(found) < count:
        port = random.SystemRandom().choice(OWN_RANGE)
        if port in _given:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                found.add(port)
            except OSError:
                pass
    _given.update(found)
    return sorted(found)
