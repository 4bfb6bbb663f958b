"""`troupe mcp` under 3,000 random calls, cancellations and ends of clients (10,000 in the thorough form), with a daemon that is
killed as well: no task is lost, none is answered twice, and none is held by nobody.

BARNUM_TEST_SEED repeats the choices of an earlier run, though not what the machine made of them."""

import json
import os
import random
import select
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from harness import Pool, is_sanitized, wait_until  # noqa: E402
from harness.environment import is_thorough  # noqa: E402
from harness.mcp import McpCase  # noqa: E402
from harness.pool import inline  # noqa: E402
from oracle import Oracle  # noqa: E402
from players import MOST_OPEN, Player  # noqa: E402

OPERATIONS = 1000 if is_sanitized() else 10_000 if is_thorough() else 3000
PLAYERS = 4
LONGEST_DOWN = 40  # operations without a daemon
WEIGHTS = {Player.take: 8, Player.cancel_waiting: 3, Player.cancel_answered: 1, Player.finish: 6, Player.cancel_finish: 0.5,
           Player.finish_wrongly: 1, Player.finish_late: 1, Player.keep_alive: 1, Player.give_back: 1, Player.submit: 1.5,
           Player.wait: 1.5, Player.withdraw: 0.3, Player.cancel_look: 1, Player.look: 0.3, Player.nonsense: 0.5}


class Game:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.oracle = Oracle()
        self.players = []
        self.by_file = []  # tasks whose submitters know their ids
        self.starts = 0  # of the daemon
        self.is_down = False


class Submitter:
    """Submits on one connection, and again after the daemon was killed what is not answered."""

    def __init__(self, pool, oracle):
        self.pool, self.oracle = pool, oracle
        self.unanswered = {}
        self.connection = None

    def connect(self):
        self.connection = self.pool.connect()
        for task in self.unanswered.values():
            self.send(task)

    def submit(self):
        task = self.oracle.new_task()
        self.unanswered[f"s-{task.number}"] = task
        if self.connection:
            self.send(task)

    def send(self, task):
        schema = {"response_schema": task.schema} if task.schema else {}
        self.connection.send(inline({"n": task.number}, f"s-{task.number}") | {"wants_failures": True} | schema)

    def read(self):
        while self.connection.buffer or select.select([self.connection.socket], [], [], 0)[0]:
            self.note(self.connection.receive())

    def disconnect(self):
        """After the daemon's end: what it had sent counts."""
        try:
            while True:
                self.note(self.connection.receive())
        except EOFError:
            self.connection.close()
            self.connection = None

    def note(self, answer):
        task = self.unanswered.pop(answer["id"])  # a second answer finds nothing
        what = json.loads(answer["stdout"]) if answer["kind"] == "Processed" else answer["reason"]
        self.oracle.answered(task, answer["kind"], what)


class RandomCalls(McpCase):
    def setUp(self):
        super().setUp()
        seed = int(os.environ.get("BARNUM_TEST_SEED") or time.time_ns() % 1000000)
        print(f"     BARNUM_TEST_SEED={seed}", flush=True)
        self.game = Game(seed)
        self.random = self.game.random
        self.pool = Pool(self)
        self.submitter = Submitter(self.pool, self.game.oracle)
        self.start_daemon()

    def test_no_task_is_lost_and_none_is_answered_twice(self):
        players = self.game.players = [Player(self, self.game) for _ in range(PLAYERS)]
        operations = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()), k=OPERATIONS)
        for operation in operations:
            self.disturb()
            player = self.random.choice(players)
            player.note_answers()
            operation(player)
        self.rest()
        self.drain()
        self.game.oracle.check_end()
        self.assertEqual(self.left_files(), [])

    def disturb(self):
        """What happens beside the calls."""
        chance = self.random.random()
        if self.game.is_down:
            self.down_for -= 1
            if self.down_for == 0:
                self.start_daemon()
        elif chance < 0.002:
            self.kill_daemon()
        elif chance < 0.010:
            self.random.choice(self.game.players).settle()
        elif chance < 0.012:
            self.rest()
        elif chance < 0.022:
            self.submitter.read()
        if self.random.random() < 0.12:
            self.submitter.submit()
        if self.random.random() < 0.01:
            self.replace_player()

    def start_daemon(self):
        self.daemon = self.pool.start("--no-heartbeat")
        self.game.is_down = False
        self.game.starts += 1
        self.submitter.connect()

    def kill_daemon(self):
        self.game.is_down = True
        self.down_for = self.random.randint(1, LONGEST_DOWN)
        self.daemon.kill()
        self.submitter.disconnect()

    def replace_player(self):
        player = self.game.players.pop(self.random.randrange(len(self.game.players)))
        player.end(self.random.choice([None, signal.SIGTERM, signal.SIGINT, signal.SIGKILL]))
        self.game.players.append(Player(self, self.game))

    def rest(self):
        """No call is open: each task that is held is held by a client that knows it."""
        if self.game.is_down:
            self.start_daemon()
        for player in self.game.players:
            player.settle()

        def known():
            return all(player.knows_what_is_held() for player in self.game.players) and sorted(
                id_ for player in self.game.players for id_ in player.tasks)
        wait_until(lambda: known() == sorted(self.pool.waiting_agents()) == self.leases(),
                   "the pool to hold what the clients know, and nothing else")

    def leases(self):
        lines = (self.pool.path / "leases").read_text().splitlines()
        return sorted(line.split()[0] for line in lines if line.strip() and line[0] not in "-#")  # "-": of a free slot

    def drain(self):
        """Those who have ended have given everything back: one client finds it all."""
        player, *others = self.game.players
        for other in others:
            other.end()
        while True:
            player.note_answers()
            if player.tasks:
                for _ in range(len(player.tasks)):
                    player.finish()
                for _ in range(len(player.tasks) + MOST_OPEN):
                    player.take()
            elif self.queue_length():
                player.take()
            elif not player.finishing:
                player.settle()
                # In this order: when nobody has a task, none can come back into the queue.
                if not player.tasks and not self.pool.agent_files() and not self.queue_length():
                    break
        while self.submitter.unanswered:
            self.submitter.note(self.submitter.connection.receive())
        self.read_files(player)

    def queue_length(self):
        return self.game.players[0].client.call("pool_status")["queued"]

    def read_files(self, player):
        for task in self.game.by_file:
            if not task.withdrawals:
                answer = player.client.call("wait_task", id=task.file_id)
                self.game.oracle.answered(task, answer["kind"], answer.get("response", answer.get("reason")))

    def left_files(self):
        """Of the pool, that nobody knows."""
        known = {task.file_id for task in self.game.by_file if task.is_withdrawn or not task.withdrawals}
        return self.pool.agent_files() + self.leases() + [
            name for name in self.pool.submission_files() if name.endswith(".request.json") and name.split(".")[0] in known]
