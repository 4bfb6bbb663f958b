"""Servers of clients that do nothing are not woken, whether a call waits or none is open."""

from harness import Pool, wait_until
from harness.mcp import McpCase, McpClient
from harness.waiting import let_pass

SESSIONS = 20  # of the 128 inotify instances that Debian grants a user
SECONDS = 6  # longer than the interval of progress
WAIT = 45  # the longest that a call may take
ATTEMPTS = 3  # a time limit that was not reached wakes a server once more


def switches(client):
    """How often the server has gone to sleep: it does so once more each time when it was woken."""
    with open(f"/proc/{client.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))


def woken(clients):
    """How many are woken while a time passes."""
    count = 0
    for _ in range(ATTEMPTS):
        before = [switches(client) for client in clients]
        let_pass(SECONDS)
        if not (count := sum(switches(client) != n for client, n in zip(clients, before))):
            break
    return count


class Idle(McpCase):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.pool.start("--no-heartbeat")

    def test_servers_of_agents_that_wait_for_a_task_or_for_nothing(self):
        clients = [self.client() for _ in range(SESSIONS)]
        for client in clients:
            client.ask("tools/list")  # so that the results can be checked against the schemas of the tools
        waiting = {client: client.start_call("next_task", wait_seconds=WAIT) for client in clients[::2]}
        while True:
            found = woken(clients)
            if not any(request in client.answers for client, request in waiting.items()):
                break
            # The machine was slow, and calls ended meanwhile, as they have to.
            waiting = {client: client.start_call("next_task", wait_seconds=WAIT) for client in waiting}
        self.assertEqual(found, 0)
        self.pool.submit({"n": 1})
        wait_until(lambda: any(request in client.answers for client, request in waiting.items()), "one to get the task")

    def test_servers_of_workflows(self):
        clients = [McpClient(self, "barnum") for _ in range(SESSIONS)]
        self.assertEqual(woken(clients), 0)

    def test_a_call_of_which_the_client_wants_to_know_more_wakes_its_server(self):
        client = self.client()
        client.ask("tools/list")
        client.request("tools/call", {"name": "next_task", "arguments": {"wait_seconds": WAIT}, "_meta": {"progressToken": "p"}})
        wait_until(lambda: len(client.notifications) > 1, "the second notification of progress")
        self.assertEqual([n["method"] for n in client.notifications[:2]], ["notifications/progress"] * 2)
