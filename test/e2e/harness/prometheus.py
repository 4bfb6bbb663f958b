"""Prometheus and its promtool, as they read metrics."""

import json
import shutil
import subprocess

from harness.case import require
from harness.environment import SOURCE_DIR
from harness.http import request
from harness.ports import free_ports

MONITORING = SOURCE_DIR / "docs/monitoring"


def promtool(case, *arguments, stdin=""):
    require(shutil.which("promtool"), "promtool is missing: scripts/install-deps --tests")
    done = subprocess.run(["promtool", *arguments], input=stdin, capture_output=True, text=True, timeout=60)
    case.assertEqual(done.returncode, 0, done.stdout + done.stderr)
    return done.stdout + done.stderr


class Prometheus:
    """Scrapes an address once a second, started by a Case; `how`: further members of the scrape_config."""

    def __init__(self, case, address, **how):
        require(shutil.which("prometheus"), "prometheus is missing: scripts/install-deps --tests")
        config = case.home / "prometheus.yml"
        config.write_text(json.dumps({
            "global": {"scrape_interval": "1s"}, "rule_files": [str(MONITORING / "alerts.yml")],
            "scrape_configs": [{"job_name": "tested", "static_configs": [{"targets": ["%s:%d" % address]}], **how}]}))
        (self.port,) = free_ports(1)
        self.case = case
        self.process = case.start("prometheus", f"--config.file={config}", f"--storage.tsdb.path={case.home}/tsdb",
                                  f"--web.listen-address=127.0.0.1:{self.port}")

    def query(self, expression):
        """[(labels, value)] of an instant query; None while there is no answer."""
        self.case.assert_running(self.process)
        try:
            _, _, text = request(("127.0.0.1", self.port), "/api/v1/query?query=" + expression)
            return [(found["metric"], float(found["value"][1])) for found in json.loads(text)["data"]["result"]]
        except (ConnectionRefusedError, ValueError, KeyError):
            return None

    def values(self, expression):
        return [value for _, value in self.query(expression) or []]
