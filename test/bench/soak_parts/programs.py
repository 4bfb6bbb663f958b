"""Real submitters: `troupe submit_task`, over the socket and over files, some of them interrupted, some killed."""

import json
import random
import signal
import subprocess
import time
from collections import Counter

from .worker import Worker

ANSWER_SECONDS = 60
ANSWERED = {None: 0, "timeout": 124, "agent_failed": 1, "agent_lost": 1}  # its exit code, by the answer's reason
INTERRUPTED = 128 + signal.SIGINT


class ProgramSubmitter(Worker):
    """One after the other."""

    def __init__(self, soak, seed):
        super().__init__(soak.ledger)
        self._soak = soak
        self._random = random.Random(seed)
        self._process = None
        self.ends = Counter()  # how many ended in which way

    def work(self):
        while not self.stopping.is_set():
            self._submit(self._random.choice(("socket", "file")),
                         self._random.choices((None, signal.SIGINT, signal.SIGKILL), (70, 15, 15))[0])

    def end_at_once(self):
        if self._process and self._process.poll() is None:
            self._process.kill()

    def _submit(self, way, end_by):
        number, content = self._soak.ledger.submit(wants_failures=True)
        process = self._process = self._spawn(way, number, content)
        if end_by:
            time.sleep(self._random.uniform(0, 0.15))
            process.send_signal(end_by)
        try:
            out, problem = process.communicate(timeout=ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return self._soak.ledger.give_up(number, f"submit_task by {way}", ANSWER_SECONDS)
        self._judge(number, way, process.returncode, end_by, out, problem)

    def _judge(self, number, way, code, end_by, out, problem):
        answer = json.loads(out) if out.endswith(b"\n") else None
        if answer and ANSWERED.get(answer.get("reason")) == code:
            self.ends["answered"] += 1
            self._soak.ledger.answer(number, answer)
        elif end_by == signal.SIGINT and code == INTERRUPTED:
            self.ends["interrupted"] += 1
            self._soak.ledger.withdraw(number)
        elif end_by and code == -end_by:  # SIGINT too, before it is ready for that
            self.ends["killed"] += 1
            self._soak.ledger.abandon(number)
        else:
            self._soak.ledger.complain(f"submit_task, {way}, ended with {code} for {number}: "
                                       f"{problem.decode(errors='replace')[-500:]}")

    def _spawn(self, way, number, content):
        data = ("--data", content)
        if len(content) > 50_000:
            path = self._soak.work / f"content-{number}"  # stays: a daemon that starts again reads it again
            path.write_text(content)
            data = ("--file", str(path))
        return subprocess.Popen([self._soak.troupe, "--log-level", "off", "submit_task", "--notify", way, *data],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self._soak.environment)
