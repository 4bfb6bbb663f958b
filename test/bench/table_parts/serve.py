"""`barnum serve`: what it costs a run that somebody watches, and what itself costs with a large run and with many viewers."""

import json
import os
import subprocess
import time
import urllib.request
from contextlib import contextmanager

from harness import made_log

from .figures import Row

ROWS = [
    Row("serve watched", "barnum run of 10,000 Commands, watched by a page of barnum serve: time", "the same, not watched", 1.03, at_most=True),
    Row("serve viewers", "barnum serve with 50 viewers of such a run: processor", "one core", 10, at_most=True, unit="%"),
    Row("serve trace", "barnum serve: time until the trace of a run of 1,000,000 tasks is there", "cat of its log", 2, at_most=True, unit="s"),
    Row("serve memory", "the memory that it takes for that", "the log", 300, at_most=True, unit="MB"),
]

MB = 1_000_000
VIEWERS = 50
GATED = "while [ ! -e go ]; do sleep 0.01; done; cat tasks.json"


def measure(bench, table):
    places = bench.disk / "serve"
    places.mkdir(exist_ok=True)
    environment = {"PATH": "/usr/bin:/bin", "BARNUM_RUNS": str(places / "runs"), "XDG_STATE_HOME": str(places / "state")}
    _measure_runs(bench, table, places, environment)
    _measure_a_large_run(bench, table, places, environment)


def _measure_runs(bench, table, places, environment):
    rounds = 3  # watched and not watched take turns, so that both have the same neighbours on the machine
    watched = alone = share = 0
    with _server(bench, environment) as server:
        for _ in range(rounds):
            alone += _run(bench, places, environment, server, 0)[0]
            watched += _run(bench, places, environment, server, 1)[0]
        seconds, share = _run(bench, places, environment, server, VIEWERS)
    count = bench.of(10_000)
    table.add("serve watched", watched / alone, f"{rounds * count / watched:,.0f}/s", f"{rounds * count / alone:,.0f}/s")
    table.add("serve viewers", 100 * share, f"{100 * share:.1f} %", f"{count / seconds:,.0f} Commands/s")


def _run(bench, places, environment, server, viewers):
    """(seconds, share of a core that the server took) of a run that so many watch."""
    count = bench.of(10_000)
    (places / "tasks.json").write_text(json.dumps([{"kind": "Small", "value": {}}] * count))
    config = json.dumps({"entrypoint": "Gate", "steps": [
        {"name": "Gate", "action": {"kind": "Command", "script": GATED}, "next": ["Small"]},
        {"name": "Small", "action": {"kind": "Command", "script": "echo '[]'"}, "next": []}]})
    run = subprocess.run([bench.barnum, "run", "--detach", "--jobs", "2", "--keep-output", "none", config], env=environment, cwd=places,
                         check=True, capture_output=True, text=True).stdout.strip()
    watching = [server.watch(run) for _ in range(viewers)]
    before, begun = server.processor(), time.perf_counter()
    (places / "go").touch()
    subprocess.run([bench.barnum, "wait", run], env=environment, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begun
    share = (server.processor() - before) / seconds
    for viewer, drain in watching:
        viewer.terminate()
        viewer.wait()
        drain.wait()
    (places / "go").unlink()
    subprocess.run([bench.barnum, "rm", run], env=environment, check=True, stdout=subprocess.DEVNULL)
    return seconds, share


def _measure_a_large_run(bench, table, places, environment):
    first = subprocess.run([bench.barnum, "run", "--detach", '{"entrypoint": "A", "steps": [{"name": "A", "action": '
                            '{"kind": "Command", "script": "echo []"}}]}'], env=environment, check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([bench.barnum, "wait", first], env=environment, check=True, stdout=subprocess.DEVNULL)
    log = places / "runs" / first / "state.ndjson"
    made_log.write(log, bench.of(1_000_000) // 2)  # and about as many that follow
    subprocess.run([bench.barnum, "inspect", "--accept-edits", log], env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    begun = time.perf_counter()
    log.read_bytes()
    reading = time.perf_counter() - begun
    with _server(bench, environment) as server:
        begun = time.perf_counter()
        size = len(server.get(f"/api/runs/{first}/trace?from=0.0"))
        seconds = time.perf_counter() - begun
        memory = server.most_memory()
    table.add("serve trace", seconds, f"{seconds:.2f} s, {size / MB:.0f} MB", f"{reading:.2f} s")
    table.add("serve memory", memory / MB, f"{memory / MB:.0f} MB", f"{log.stat().st_size / MB:.0f} MB")
    subprocess.run([bench.barnum, "rm", first], env=environment, check=True, stdout=subprocess.DEVNULL)


class Server:
    def __init__(self, process):
        self.process = process
        self.url, self.token = process.stdout.readline().strip().split("/#token=")

    def get(self, path):
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request) as response:
            return response.read()

    def watch(self, run):
        """A viewer that has had its first event, and a process that takes what comes then."""
        viewer = subprocess.Popen(["curl", "-sN", "-H", f"Authorization: Bearer {self.token}", f"{self.url}/api/events?run={run}&from=0.0&runs=1"],
                                  stdout=subprocess.PIPE)
        viewer.stdout.readline()
        drain = subprocess.Popen(["cat"], stdin=viewer.stdout, stdout=subprocess.DEVNULL)
        viewer.stdout.close()
        return viewer, drain

    def processor(self):
        """Seconds."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def most_memory(self):
        """Bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


@contextmanager
def _server(bench, environment):
    process = subprocess.Popen([bench.barnum, "serve", "--listen", "127.0.0.1:0"], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    try:
        yield Server(process)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
