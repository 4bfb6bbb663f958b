"""The page in Chromium: a run of 1,000,000 tasks from the server, a report of 100,000 from its file. The machine's processor draws
it: there is no graphics card for the browser."""

import http.server
import json
import os
import re
import shutil
import statistics
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

from harness import browser, made_log

from .figures import Row
from .programs import timed, wait_for

SMALL = {"entrypoint": "Once", "steps": [{"name": "Once", "action": {"kind": "Command", "script": "echo '[]'"}}]}

ROWS = [
    Row("page", "the page of a run of 1,000,000 tasks: until its tasks are shown",
        "a page that fetches as many bytes and shows a table of 50 rows", 2, True, "s"),
    Row("page scroll", "scrolling through 1,000,000 tasks: 95 of 100 frames are shorter than",
        "the frames of an empty page", 20, True, "ms"),
    Row("page report", "a report of 100,000 tasks: until its tasks are shown",
        "a page of as many bytes with a table of 50 rows", 2, True, "s"),
]

# Resolves with the ms since the navigation began, when the last rows wanted are in the table and drawn.
SHOWN = """(rows) => new Promise((done) => {
    const look = () => {
        const grid = document.querySelector('[role=grid]');
        const all = grid && Number(grid.getAttribute('aria-rowcount')) > rows && grid.querySelector('[role=gridcell]')?.textContent;
        if (all) requestAnimationFrame(() => done(performance.now()));
        else requestAnimationFrame(look);
    };
    look();
})"""
PLAIN_SHOWN = """() => new Promise((done) => {
    const shown = () => document.querySelectorAll('tr').length === 50;
    const look = () => requestAnimationFrame(shown() ? () => done(performance.now()) : look);
    look();
})"""
# The lengths in ms of 600 frames, in which the table is scrolled slowly, then fast, then by jumps.
FRAMES = """(scroll) => new Promise((done) => {
    const grid = document.querySelector('[role=grid]');
    const first = () => grid.querySelector('[role=gridcell]').textContent;
    const began = scroll && first();
    const lengths = [];
    let before = null;
    const step = (now) => {
        if (before !== null) lengths.push(now - before);
        before = now;
        if (lengths.length === 600) return done(scroll && first() === began ? [] : lengths);
        const n = lengths.length;
        if (scroll) grid.scrollTop += n < 200 ? 14 : n < 400 ? 700 : grid.scrollHeight / 250;
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
})"""
TRACE_SIZE = """(run) => fetch(`api/runs/${run}/trace?from=0.0`)
    .then((answer) => answer.arrayBuffer()).then((bytes) => bytes.byteLength)"""
PLAIN = """<!DOCTYPE html><title>plain</title><body><script>
const show = (text) => {
    const table = document.createElement('table');
    for (let i = 0; i < 50; ++i) table.insertRow().insertCell().textContent = text.length + i;
    document.body.append(table);
};
%s
</script>"""
FETCHES = "fetch('data').then((response) => response.arrayBuffer()).then((bytes) => show(new Uint8Array(bytes)));"
HAS = "show(document.getElementById('data').textContent);"


def measure(bench, table):
    if not browser.is_there():
        for row in ROWS:
            table.skip(row.key, "Chromium or what drives it is not there: scripts/install-deps --browser")
        return
    driver = browser.Browser(bench.disk, os.environ | {"HOME": str(bench.disk)})
    try:
        _measure_server(bench, table, driver)
        _measure_report(bench, table, driver)
    finally:
        driver.close()


def _measure_server(bench, table, driver):
    environment, run, count = _finished_run(bench, bench.of(1_000_000))
    with _serving(bench, environment) as (origin, link):
        first = driver.open(link, origin)
        first.get_by_role("grid", name="Runs").wait_for()
        trace = first.script(TRACE_SIZE, run)
        ours, theirs = [], []
        for _ in range(3):
            page = first.tab(f"{origin}#/run/{run}/tasks")
            ours.append(page.script(SHOWN, count) / 1000)
            page.close()
            theirs.append(_plain_seconds(driver, trace))
        seconds = statistics.median(ours)
        table.add("page", seconds, f"{seconds:.2f} s", f"{statistics.median(theirs):.2f} s, {trace / 1e6:.0f} MB")
        page = first.tab(f"{origin}#/run/{run}/tasks")
        page.script(SHOWN, count)
        scrolled, empty = _p95(page.script(FRAMES, True)), _p95(driver.open("about:blank").script(FRAMES, False))
        table.add("page scroll", scrolled, f"{scrolled:.1f} ms", f"{empty:.1f} ms")


def _measure_report(bench, table, driver):
    environment, run, count = _finished_run(bench, bench.of(100_000))
    report, plain = bench.disk / "report.html", bench.disk / "plain.html"
    timed([bench.barnum, "report", run, "-o", report], env=environment)
    text = f'<script type="application/json" id="data">{"x" * report.stat().st_size}</script>'
    plain.write_text(text + PLAIN % HAS)
    ours, theirs = [], []
    for _ in range(3):
        page = driver.open(f"{report.as_uri()}#/run/{run}/tasks", "file://")
        ours.append(page.script(SHOWN, count) / 1000)
        page.context().close()
        page = driver.open(plain.as_uri(), "file://")
        theirs.append(page.script(PLAIN_SHOWN) / 1000)
        page.context().close()
    seconds = statistics.median(ours)
    table.add("page report", seconds, f"{seconds:.2f} s, {report.stat().st_size / 1e6:.1f} MB", f"{statistics.median(theirs):.2f} s")


def _finished_run(bench, count):
    """A run in a directory of its own: its environment, its id, and how many tasks it has."""
    runs = bench.disk / f"runs-{count}"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(bench.disk), "BARNUM_RUNS": str(runs)}
    shutil.rmtree(runs, ignore_errors=True)
    timed([bench.barnum, "run", "--config", json.dumps(SMALL), "--progress", "none"], env=environment)
    (directory,) = runs.iterdir()
    log = directory / "state.ndjson"
    log.unlink()
    tasks, dropped = made_log.write(log, count // 2)  # and about as many that follow
    timed([bench.barnum, "inspect", "--accept-edits", log])  # each line gets its checksum
    record = directory / "run.json"
    counts = {"done": tasks - dropped, "left": 0, "dropped": dropped}
    record.write_text(json.dumps(json.loads(record.read_text()) | {"tasks": counts, "exit_code": 1, "result": "failed"}))
    return environment, directory.name, tasks


@contextmanager
def _serving(bench, environment):
    """`barnum serve`; gives its origin, and the link with the token."""
    output = bench.disk / "serve.out"
    with output.open("w") as file:
        process = subprocess.Popen([bench.barnum, "serve", "--listen", "127.0.0.1:0"], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=file, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: "#token=" in output.read_text() or process.poll() is not None, "barnum serve")
        link = re.search(r"(http://\S+/)#token=\S+", output.read_text())
        yield link.group(1), link.group(0)
    finally:
        process.terminate()
        process.wait(30)


def _plain_seconds(driver, size):
    """How long a page takes that fetches so many bytes, and shows 50 rows."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = (PLAIN % FETCHES).encode() if self.path == "/" else bytes(size) if self.path == "/data" else b""
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if self.path == "/" else "application/octet-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = driver.open(f"http://127.0.0.1:{server.server_port}/")
        seconds = page.script(PLAIN_SHOWN) / 1000
        page.context().close()
        return seconds
    finally:
        server.shutdown()
        server.server_close()


def _p95(values):
    return statistics.quantiles(values, n=20)[-1]
