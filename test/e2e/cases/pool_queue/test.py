"""`troupe queue`: what waits is listed, cancelled and moved, and its submitters hear of it."""

import json
import os

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import inline
from harness.workflow import WorkflowCase, pool, step


class Queue(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat")

    def queue(self, *options, code=0):
        result = self.pool.command("queue", *options).result()
        self.assert_exit(result, code)
        return result

    def listed(self, *options):
        return json.loads(self.queue("--json", *options).out)

    def submit_all(self, *contents):
        """By files, one after the other; their ids begin with the content."""
        ids = []
        for number, content in enumerate(contents, 1):
            ids.append(self.pool.request_by_file(inline(json.dumps(content)), f"{content}-of-these"))
            wait_until(lambda number=number: self.pool.queued() == number, "the submission")
        return ids

    def order(self):
        """The contents of the tasks, in the order in which one agent gets them."""
        order = []
        while self.pool.queued():
            agent = HandAgent(self.pool)
            order.append(agent.content())
            agent.respond("[]")
            wait_until(lambda agent=agent: not agent.files(), "the response to be taken")
        return order

    def test_the_list_says_who_waits_for_what_and_how_long(self):
        self.assertEqual(self.queue().out, "no task waits\n")
        self.assertEqual(self.listed(), {"kind": "Queue", "length": 0, "tasks": []})
        content = {"task": {"kind": "Review", "value": {"file": "a.c"}}, "instructions": "…"}
        by_socket = self.pool.submit(content, "--label", "gpu")
        wait_until(lambda: self.pool.queued() == 1, "the first")
        self.pool.request_by_file(inline(json.dumps("plain\n\x1b[31m")), "by-file")
        wait_until(lambda: self.pool.queued() == 2, "the second")
        urgent = self.pool.submit([7], "--priority", "5")
        wait_until(lambda: self.pool.queued() == 3, "the third")

        queue = self.listed()
        self.assertEqual(queue["length"], 3)
        self.assertEqual([task["title"] for task in queue["tasks"]], ["[7]", 'Review {"file":"a.c"}', '"plain\\n\\u001b[31m"'])
        self.assertEqual([task["priority"] for task in queue["tasks"]], [5, 0, 0])
        self.assertEqual([task["processes"] for task in queue["tasks"]], [[urgent.pid], [by_socket.pid], []])
        self.assertEqual(queue["tasks"][1]["labels"], ["gpu"])
        self.assertTrue(queue["tasks"][2]["by_file"])
        heading, *rows = self.queue().out.splitlines()
        self.assertEqual(heading.split(), ["task", "waiting", "priority", "labels", "submitter", "title"])
        self.assertRegex(rows[1], rf'^\S+ +[\d.]+ s +0  gpu +troupe {by_socket.pid} +Review {{"file":"a.c"}}$')
        self.assertRegex(rows[2], r'^by-file +[\d.]+ s +0  - +file +"plain\\n\\u001b\[31m"$')
        self.assertEqual(self.queue("--limit", "1").out.splitlines()[-1], "and 2 more; --limit N lists more of them")

    def test_tasks_are_put_first_and_before_others(self):
        self.submit_all("a", "b", "c", "d", "e")
        self.assertEqual(self.queue("--first", "d").out, "d-of-these was moved\n")
        self.queue("--move", "e-of-these", "--move", "a", "--before", "c")
        self.assertEqual([task["title"] for task in self.listed()["tasks"]], ['"d"', '"b"', '"e"', '"a"', '"c"'])
        self.queue("--first", "c", "--first", "a")
        self.assertEqual(self.order(), ["c", "a", "d", "b", "e"])
        self.assertIn("c-of-these is moved in the queue by request", self.daemon.err)

    def test_a_task_is_not_put_before_itself(self):
        self.submit_all("a", "b")
        for task, before in (("b-of", "b-of-these"), ("b-of-these", "b")):
            result = self.queue("--move", task, "--before", before, code=1)
            self.assertIn("b-of-these is the task that --before names: it stays where it is", result.err)
            self.assertEqual(result.out, "")
        self.assertNotIn("is moved in the queue", self.daemon.err)

    def test_what_is_named_twice_is_meant_once(self):
        self.submit_all("a", "b", "c")
        self.assertEqual(self.queue("--first", "c", "--first", "c").out, "c-of-these was moved\n")
        self.assertEqual(self.queue("--cancel", "b", "--cancel", "b").out, "b-of-these was cancelled\n")

    def test_a_cancelled_task_goes_to_no_agent_and_its_submitter_is_told(self):
        first, _ = self.submit_all("a", "b")
        waiting = self.pool.submit('"c"')
        wait_until(lambda: self.pool.queued() == 3, "the third")
        third = self.listed()["tasks"][2]["id"]
        told = self.queue("--cancel", first, "--cancel", third[:8])
        self.assertEqual(told.out, f"{first} was cancelled\n{third} was cancelled\n")
        result = waiting.result()
        self.assertEqual(result.code, 1)
        self.assertIn("it was cancelled in the queue of the pool", result.out + result.err)
        answer = self.pool.response_by_file(first)
        self.assertEqual((answer["kind"], answer["reason"], answer["message"]),
                         ("NotProcessed", "invalid", "it was cancelled in the queue of the pool"))
        self.assertEqual(self.order(), ["b"])
        self.assertEqual(self.pool.status()["counts"]["withdrawn"], 2)

    def test_what_is_not_in_the_queue_is_told_and_the_others_are_changed(self):
        agent = HandAgent(self.pool)
        taken = self.pool.request_by_file(inline('"taken"'), "taken-1")
        self.assertEqual(agent.content(), "taken")
        self.submit_all("same", "b")
        self.pool.request_by_file(inline('"same"'), "same-2")
        wait_until(lambda: self.pool.queued() == 3, "the third")
        told = self.queue("--cancel", taken, "--cancel", "same", "--cancel", "b", code=1)
        self.assertEqual(told.out, "b-of-these was cancelled\n")
        self.assertIn(f"taken-1 is not in the queue; `troupe queue --root {self.root} --pool default` lists the tasks that wait", told.err)
        self.assertIn("same is the beginning of several ids in the queue: give more of it", told.err)
        self.assertIn("x is not in the queue", self.queue("--move", "same-2", "--before", "x", code=1).err)
        self.assertEqual([task["id"] for task in self.listed()["tasks"]], ["same-of-these", "same-2"])
        agent.respond("[]")
        self.assertEqual(self.pool.response_by_file(taken)["kind"], "Processed")

    def test_a_thousand_tasks_are_listed_and_the_rest_is_counted(self):
        with self.pool.connect() as client:
            for number in range(1200):
                client.send(inline(json.dumps(number), f"t{number}"))
            wait_until(lambda: self.pool.queued() == 1200, "all of them")
            queue = self.listed("--limit", "1000")
            self.assertEqual([task["id"] for task in queue["tasks"]], [f"t{number}" for number in range(1000)])
            self.assertEqual((queue["length"], queue["tasks"][0]["processes"]), (1200, [os.getpid()]))


class Runs(WorkflowCase):
    def test_a_run_makes_no_further_attempt_at_a_cancelled_task(self):
        reviews = Pool(self)
        reviews.start("--no-heartbeat")
        run = self.start_run([step("Ask", pool(), options={"max_retries": 5})], "--root", reviews.root, "--pool", reviews.name)
        wait_until(lambda: reviews.queued() == 1, "the task")
        (task,) = json.loads(reviews.command("queue", "--json").result().out)["tasks"]
        self.assertEqual((task["title"], task["program"], task["processes"]), ("Ask {}", "barnum", [run.pid]))
        self.assert_exit(reviews.command("queue", "--cancel", task["id"]).result(), 0)
        self.assert_exit(run.result(), 1)
        self.assertIn("failed (attempt 1 of 6, permanent, dropped): cancelled: it was cancelled in the queue of the pool", run.err)
        inspected = self.run_program("barnum", "inspect", "last").out
        self.assertIn("Cancelled, permanent", inspected)
        self.assertNotIn("AgentFailed", inspected)
        self.assertEqual(reviews.status()["counts"]["submitted"], 1)
