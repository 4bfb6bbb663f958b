"""What must be true of the tasks, however calls, cancellations and ends of clients are mixed."""

DEATHS = 3  # of agents, after which a task is given up
SCHEMA = {"type": "array", "items": {"type": "integer"}, "minItems": 2}


class Task:
    def __init__(self, number, kills_before):
        self.number = number
        self.file_id = None  # of a task that was submitted with submit_task
        self.is_sure = True  # False: the client ended before it knew the id
        self.kills_before = kills_before  # clients that were killed before it was submitted
        self.holder = None  # the client that has it, as far as it knows
        self.candidates = []  # valid responses that clients have tried to give in
        self.given_in = None  # the response of which a client knows that it counts
        self.answer = None
        self.withdrawals = 0  # that were asked for
        self.is_withdrawn = False  # as a client knows

    @property
    def schema(self):
        return SCHEMA if self.number % 2 else None


class Oracle:
    def __init__(self):
        self.tasks = []
        self.kills = 0

    def new_task(self):
        self.tasks.append(Task(len(self.tasks), self.kills))
        return self.tasks[-1]

    def response_to(self, task):
        task.candidates.append([task.number, len(task.candidates)])
        return task.candidates[-1]

    def given(self, number, player):
        task = self.tasks[number]
        assert task.holder is None, f"task {number} was given to two clients"
        assert task.given_in is None, f"task {number} was given to a client again"
        assert task.answer is None, f"task {number} was given to a client after its answer"
        task.holder = player
        return task

    def finished(self, task, response):
        assert task.given_in is None, f"task {task.number} was finished twice"
        task.given_in = response

    def taken_away(self, task):
        assert task.withdrawals, f"task {task.number} was taken away"

    def answered(self, task, kind, what):
        """`what`: the response, or the reason why there is none."""
        assert task.answer in (None, (kind, what)), f"task {task.number} was answered {task.answer}, and {kind} {what}"
        task.answer = kind, what
        if kind == "Processed":
            assert what in task.candidates, f"task {task.number} was answered as nobody did: {what}"
        else:
            assert what == "agent_lost", f"task {task.number} was answered {what}"
            assert self.kills - task.kills_before >= DEATHS, f"task {task.number} was given up after fewer deaths"
            assert task.given_in is None, f"task {task.number} was finished, and given up"

    def check_end(self):
        for task in self.tasks:
            if task.withdrawals or not task.is_sure:
                continue
            assert task.answer, f"task {task.number} was lost"
            if task.given_in:
                assert task.answer == ("Processed", task.given_in), f"task {task.number} was answered {task.answer}"
