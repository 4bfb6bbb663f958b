"""Real NATS servers with JetStream: one, or a cluster, each with a store of its own. They keep their ports over restarts."""

import json
import os
import shutil
import signal

from harness.case import require
from harness.ports import free_ports
from harness.process import wait_suspended
from harness.waiting import wait_until

PATIENCE = 10  # seconds for a server to say how it is; a suspended one does not


def nats_server_program():
    path = os.environ.get("PATH", "") + ":/usr/sbin"  # where Debian has it
    program = shutil.which("nats-server", path=path)
    require(program, "nats-server is missing: scripts/install-deps --tests")
    return program


class NatsServer:
    """`config` is in the format of nats-server: what a test needs besides JetStream. `scheme` is that of the address which
    edges get. `store`: where it keeps its data, if not beside its configuration; `most_stored`: bytes, in its format."""

    def __init__(self, case, name="nats", config="", scheme="nats", has_jetstream=True, starts=True, store=None,
                 most_stored=None):
        self.case, self.name, self.config, self.scheme, self.has_jetstream = case, name, config, scheme, has_jetstream
        self.directory = case.home / name
        self.directory.mkdir()
        self.store, self.most_stored = store or self.directory / "store", most_stored
        self.port, self.monitoring_port = free_ports(2)
        self.process = None
        self.is_suspended = False
        self._program = nats_server_program()
        if starts:
            self.start()

    @property
    def address(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def target(self):
        """For a proxy."""
        return "127.0.0.1", self.port

    def start(self, waits=True):
        """Returns when it serves clients and JetStream, unless told otherwise."""
        path = self.directory / "nats.conf"
        path.write_text(self._text())
        self.process = self.case.start(self._program, "-c", path)
        if waits:
            self.wait_ready()

    def wait_ready(self):
        wait_until(lambda: self.is_healthy() or not self.process.running, f"the server {self.name} to be ready")
        self.case.assert_running(self.process)

    def is_healthy(self):
        return self._ask("/healthz") is not None and self._ask("/varz") is not None

    def kill(self):
        """SIGKILL."""
        self.resume()
        self.process.kill()

    def stop(self):
        self.resume()
        self.process.terminate()
        self.process.result()

    def restart(self):
        self.kill()
        self.start()

    def suspend(self):
        """Until resume(): connections stay open, and nobody answers."""
        self.is_suspended = True
        self.process.signal(signal.SIGSTOP)
        wait_suspended([self.process.pid])

    def resume(self):
        self.is_suspended = False
        if self.process:  # it may never have been started
            self.process.signal(signal.SIGCONT)

    def wipe(self):
        """While it is not running: what it has kept is gone."""
        shutil.rmtree(self.store)

    def reconfigure(self, config):
        """Another configuration, taken up without a restart."""
        self.config = config
        (self.directory / "nats.conf").write_text(self._text())
        before = self._ask("/varz")["config_load_time"]
        self.process.signal(signal.SIGHUP)
        wait_until(lambda: (self._ask("/varz") or {}).get("config_load_time", before) != before, "the new configuration")

    # What it tells.

    def connections(self):
        """The number of its clients."""
        return (self._ask("/connz") or {"num_connections": 0})["num_connections"]

    def attempts(self):
        """The number of clients that have tried to connect so far."""
        return (self._ask("/varz") or {"total_connections": 0})["total_connections"]

    def received(self):
        """The number of messages that clients have sent so far."""
        return (self._ask("/varz") or {"in_msgs": 0})["in_msgs"]

    def heard(self, subject):
        """How many messages a subscriber of the subject has got so far: the one that got most."""
        told = self._ask("/connz?subs=detail") or {"connections": []}
        return max((one.get("msgs", 0) for client in told["connections"] for one in client.get("subscriptions_list_detail", [])
                    if one["subject"] == subject), default=0)

    def messages(self):
        """{stream: number of messages}; None while it does not tell."""
        streams = self._streams()
        return None if streams is None else {stream["name"]: stream["state"]["messages"] for stream in streams}

    def deliverable(self, name):
        """How many messages of the stream its consumers know of: they learn of one a moment after it is stored."""
        consumers = [consumer for stream in self._streams() or () if stream["name"] == name
                     for consumer in stream.get("consumer_detail") or ()]
        return sum(consumer.get("num_pending", 0) + consumer.get("num_ack_pending", 0) for consumer in consumers)

    def _streams(self):
        told = self._ask("/jsz?accounts=true&streams=true&consumers=true")
        if not told:
            return None
        return [stream for account in told.get("account_details", []) for stream in account.get("stream_detail", [])]

    def _ask(self, path):
        """None if there is no answer, or it is not well."""
        import http.client  # here, because most cases have no server, and it is a fifth of what they import
        link = http.client.HTTPConnection("127.0.0.1", self.monitoring_port, timeout=PATIENCE)
        try:
            link.request("GET", path)
            response = link.getresponse()
            return json.load(response) if response.status == 200 else None
        except (OSError, ValueError, http.client.HTTPException):
            return None
        finally:
            link.close()

    def _text(self):
        limit = f", max_file_store: {self.most_stored}" if self.most_stored else ""
        jetstream = f"jetstream {{ store_dir: \"{self.store}\"{limit} }}\n" if self.has_jetstream else ""
        return (f"server_name: {self.name}\nlisten: 127.0.0.1:{self.port}\nhttp: 127.0.0.1:{self.monitoring_port}\n"
                f"{jetstream}{self.config}\n")


class NatsCluster:
    """Servers that keep everything three times. Clients are not told of the others' addresses, so that whoever goes through
    a proxy keeps to it."""

    def __init__(self, case, count=3):
        names = [f"nats{n}" for n in range(count)]
        ports = free_ports(count)
        routes = ", ".join(f"\"nats://127.0.0.1:{port}\"" for port in ports)
        self.servers = [NatsServer(case, name, starts=False, config=(
            f"cluster {{ name: tested, listen: 127.0.0.1:{port}, routes: [ {routes} ], no_advertise: true }}"))
            for name, port in zip(names, ports)]
        for server in self.servers:
            server.start(waits=False)
        self.wait_ready()

    @property
    def addresses(self):
        return [server.address for server in self.servers]

    def wait_ready(self):
        for server in self.servers:
            server.wait_ready()
