"""Clients of `troupe mcp` that draw their next call, don't wait for answers, and remember what they know."""

import signal
from typing import Callable, NamedTuple

from harness import wait_until
from harness.mcp import STATELESS, structured

MOST_OPEN = 5  # calls of a client that wait for a task, and that wait for an answer
STILL_KNOWN = 900  # requests after which a server may have forgotten that it has answered one
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS]
NONSENSE = ["{\n", "[]\n", "\n", '{"jsonrpc":"2.0","id":[],"method":"x"}\n',
            '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}\n']


class Call(NamedTuple):
    tool: str
    then: Callable  # called with the structured result, or with "failed"


class Player:
    """`game` has the generator of random numbers, the oracle, the other players, the tasks submitted by file, and how often
    the daemon was started."""

    def __init__(self, test, game):
        self.game, self.oracle, self.random = game, game.oracle, game.random
        self.client = test.client(revision=self.random.choice(REVISIONS))
        self.client.ask("tools/list")  # so that the results can be checked against the schemas of the tools
        self.open = {}  # the calls without an answer, by their requests
        self.tasks = {}  # those that it has, by their ids in the pool
        self.taken_by = {}  # the requests that brought them
        self.finishing = {}  # the ids and tasks of open requests of finish_task
        self.cancelled = set()  # those of them that were cancelled: they may have had an effect
        self.past = []  # ids of tasks that it had
        self.asked = []  # ids of tasks that open calls have named
        self.used = set()  # ids of tasks that answered calls have named: the server knows that the client has them

    # What it knows.

    def note_answers(self):
        answers = self.client.answers
        for request in [r for r in self.open if r in answers]:
            result = self.client.result_of(request)
            self.open.pop(request).then("failed" if result.get("isError") else structured(result))

    def send(self, then, tool, **arguments):
        request = self.client.start_call(tool, **arguments)
        self.open[request] = Call(tool, then)
        return request

    def cancel(self, request):
        """The client does not wait for its answer any more."""
        del self.open[request]
        self.client.cancel(request)

    def calls(self, *tools):
        return [request for request, call in self.open.items() if call.tool in tools]

    def some_id(self):
        return self.random.choice(list(self.tasks))

    def drop(self, id_):
        task = self.tasks.pop(id_)
        self.past.append(id_)
        task.holder = None
        return task

    # The agent's calls.

    def take(self):
        if len(self.calls("next_task")) < MOST_OPEN:
            starts = self.game.starts

            def took(result):
                if result["kind"] == "Task":
                    self.tasks[result["id"]] = self.oracle.given(result["content"]["n"], self)
                    self.taken_by[result["id"]] = request
                elif result["kind"] == "Stopped":
                    assert self.game.is_down or self.game.starts > starts, result
                else:
                    assert result["kind"] == "Wait", result
            request = self.send(took, "next_task", wait_seconds=self.random.choice([1, 45]))

    def cancel_waiting(self):
        if waiting := self.calls("next_task"):
            self.cancel(self.random.choice(waiting))

    def cancel_answered(self):
        """As a client does whose time was over at the moment of the answer."""
        recent = [i for i in self.tasks if i not in self.asked and self.taken_by[i] > self.client.last_id - STILL_KNOWN]
        if recent:
            id_ = self.random.choice(recent)
            self.client.cancel(self.taken_by[id_])
            if id_ not in self.used:
                self.drop(id_)

    def finish(self, cancel=False):
        if not self.tasks:
            return
        id_ = self.some_id()
        task = self.tasks.pop(id_)
        response = self.oracle.response_to(task)

        def finished(result):
            task.holder = None
            self.past.append(id_)
            del self.finishing[request]
            self.cancelled.discard(request)
            if result["kind"] == "Finished":
                self.oracle.finished(task, response)
            else:
                assert result["kind"] == "TakenAway", result
                self.oracle.taken_away(task)
        request = self.send(finished, "finish_task", id=id_, response=response)
        self.finishing[request] = id_, task
        if cancel:
            self.cancelled.add(request)
            self.client.cancel(request)

    def cancel_finish(self):
        self.finish(cancel=True)

    def finish_wrongly(self):
        if wrong := [i for i, task in self.tasks.items() if task.schema]:
            id_ = self.random.choice(wrong)
            self.ask_about(id_, "Invalid", "finish_task", response=self.random.choice([["x"], "no", {}, 7]))

    def keep_alive(self):
        if self.tasks:
            self.ask_about(self.some_id(), "Held", "keep_alive")

    def ask_about(self, id_, kind, tool, **arguments):
        """A call that does nothing to the task, which is the client's unless it was taken away."""
        task = self.tasks[id_]
        self.asked.append(id_)

        def answered(result):
            self.asked.remove(id_)
            self.used.add(id_)
            if result["kind"] == "TakenAway":
                self.oracle.taken_away(task)
                if id_ in self.tasks:
                    self.drop(id_)
            else:
                assert result["kind"] == kind, result
        self.send(answered, tool, id=id_, **arguments)

    def finish_late(self):
        """A response to a task that the client has no more, or never had: it must not count."""
        ids = self.past[-20:] + list(self.random.choice(self.game.players).tasks)
        if strange := [i for i in ids if i not in self.tasks]:
            id_ = self.random.choice(strange)
            knows = id_ in self.past

            def refused(result):
                assert result == "failed" or knows and result["kind"] in ("Finished", "GivenBack", "TakenAway"), result
            self.send(refused, "finish_task", id=id_, response=["late"])

    def give_back(self):
        if self.tasks:
            task = self.drop(id_ := self.some_id())

            def given_back(result):
                assert result["kind"] == "GivenBack" or task.withdrawals, result
            self.send(given_back, "give_back_task", id=id_, reason="the dice say so")

    # The submitter's calls.

    def submit(self):
        task = self.oracle.new_task()
        task.is_sure = False

        def submitted(result):
            task.is_sure, task.file_id = True, result["id"]
            self.game.by_file.append(task)
        schema = {"response_schema": task.schema} if task.schema else {}
        self.send(submitted, "submit_task", content={"n": task.number}, **schema)

    def wait(self):
        if not self.game.by_file or len(self.calls("wait_task")) >= MOST_OPEN:
            return
        task = self.random.choice(self.game.by_file[-50:])
        was_withdrawn = task.is_withdrawn

        def waited(result):
            if result == "failed":
                assert task.withdrawals, f"task {task.number} is not known any more"
                return
            # An answer that the pool was writing at that moment may be found, if only for a moment.
            assert not was_withdrawn or result["kind"] == "Processed", f"task {task.number} was withdrawn: {result}"
            if result["kind"] != "Wait":
                self.oracle.answered(task, result["kind"], result.get("response", result.get("reason")))
        self.send(waited, "wait_task", id=task.file_id, wait_seconds=self.random.choice([1, 45]))

    def withdraw(self):
        if self.game.by_file:
            task = self.random.choice(self.game.by_file[-20:])
            task.withdrawals += 1

            def withdrawn(result):
                assert result != "failed" or task.withdrawals > 1, f"task {task.number} is not known any more"
                task.is_withdrawn = True
            self.send(withdrawn, "withdraw_task", id=task.file_id)

    # Other calls.

    def cancel_look(self):
        """Whether such a call is carried out is all the same."""
        if looks := self.calls("wait_task", "pool_status"):
            self.cancel(self.random.choice(looks))

    def look(self):
        self.send(lambda _: None, "pool_status")

    def nonsense(self):
        self.client.send_text(self.random.choice(NONSENSE))

    # Points of rest, and the end.

    def settle(self):
        """Lets its calls end, and compares what it knows with what its server holds."""
        for request in self.calls("next_task", "wait_task"):
            self.cancel(request)
        wait_until(lambda: self.note_answers() or self.open.keys() <= self.cancelled, "the answers")
        held = self.held()
        self.note_answers()
        for request in self.cancelled:
            id_, task = self.finishing.pop(request)
            del self.open[request]
            if id_ in held:
                self.tasks[id_] = task
            else:
                self.past.append(id_)
                task.holder = None
        self.cancelled.clear()
        wait_until(self.knows_what_is_held, "the server to hold what its client knows, and nothing else")

    def held(self):
        return set(self.client.call("pool_status")["your_tasks"])

    def knows_what_is_held(self):
        held = self.held()
        for id_ in [i for i, task in self.tasks.items() if task.withdrawals and i not in held]:
            self.drop(id_)
        return held == set(self.tasks)

    def end(self, number=None):
        if number == signal.SIGKILL:
            self.oracle.kills += 1
        for task in [*self.tasks.values(), *(task for _, task in self.finishing.values())]:
            task.holder = None
        if number:
            self.client.signal(number)
        self.client.vanish()
