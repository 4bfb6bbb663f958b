"""A daemon that is killed and started again loses nothing, and gives nothing to two agents."""

import json
import os
import random
import signal
import sys
import threading
import time
import uuid
from collections import Counter

from harness import Case, HandAgent, Pool, holds_for, require, scaled, wait_until
from harness.pool import inline, most_queued_events

SEED = int(os.environ.get("BARNUM_KILL_SEED") or random.SystemRandom().randrange(1_000_000))
HOUR = 3600
STOPPED = {"kind": "NotProcessed", "reason": "stopped"}
TIMEOUT = {"kind": "NotProcessed", "reason": "timeout"}


class ByHand(HandAgent):
    def respond_to(self, content, text):
        """Waits for a task, which must be this one, and answers it."""
        assert self.content() == content, f"{self.content()} instead of {content}"
        self.respond(text)


class Recovery(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.request_id = str(uuid.uuid4())
        self.log = self.work / "agents.log"
        self.log.touch()
        self.limit_file = self.work / "limit"

    def start_pool(self, *options):
        self.daemon = self.pool.start("--no-heartbeat", *options)

    def kill(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.result()

    def restart(self, *options):
        self.kill()
        self.start_pool(*options)

    def assert_gone(self, agent):
        wait_until(lambda: agent.files() == [], f"the files of {agent.uuid} to go")

    def assert_idle(self, agent, why):
        self.pool.still(lambda: not agent.has_task(), why)

    def file_of(self, id_, kind):
        return self.pool.path / "submissions" / f"{id_}.{kind}.json"

    def lease_lines(self):
        text = (self.pool.path / "leases").read_text()
        return [line for line in text.splitlines() if line[0] not in "-#"]

    def fleet(self, count, longest_ms):
        agents = self.start(sys.executable, self.fixtures / "agents.py", self.pool.path, count, longest_ms, self.log,
                            self.limit_file)
        wait_until(lambda: len(self.pool.waiting_agents()) >= count, "the agents to announce themselves")
        return agents

    def notes(self):
        """(start or end, number, agent), in order."""
        return [line.split(" ", 2) for line in self.log.read_text().splitlines()]


class AtWork(Recovery):
    """An agent that has a task when the daemon is killed."""

    def setUp(self):
        super().setUp()
        self.start_pool()

    def test_a_task_stays_with_its_agent_and_is_given_to_nobody_else(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        agent.task_text()
        for _ in range(2):
            self.restart()
        other = ByHand(self.pool)
        self.assert_idle(other, "the task is given to nobody else")
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")
        self.assert_gone(agent)
        self.assertFalse(other.has_task())

    def test_an_agent_at_work_gets_no_second_task(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        first = agent.task_text()
        self.restart()
        second = self.pool.request_by_file(inline({"n": 2}))
        self.pool.still(lambda: agent.task.read_text() == first, "the agent has its first task")
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")
        ByHand(self.pool).respond_to({"n": 2}, "[2]")
        self.assertEqual(self.pool.response_by_file(second)["stdout"], "[2]")

    def test_an_answer_written_while_no_daemon_runs_reaches_the_submitter_by_file(self):
        submitter = self.pool.submit({"n": 1}, transport="file")
        agent = ByHand(self.pool)
        agent.task_text()
        self.kill()
        agent.respond("[1]")
        self.start_pool()
        self.assertEqual(submitter.json()["stdout"], "[1]")
        self.assert_gone(agent)
        self.assertEqual(self.pool.submission_files(), [])

    def test_an_answer_written_while_no_daemon_runs_reaches_the_submitter_on_the_socket(self):
        submitter = self.pool.submit({"n": 1}, transport="socket")
        agent = ByHand(self.pool)
        agent.task_text()
        self.kill()
        agent.respond("[1]")
        self.start_pool()
        self.assertEqual(submitter.json()["stdout"], "[1]")
        self.assert_gone(agent)
        wait_until(lambda: self.pool.submission_files() == [], "nothing to be kept")

    def test_a_submitter_on_the_socket_that_comes_back_joins_the_running_task(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent = ByHand(self.pool)
            agent.task_text()
        self.restart()
        other = ByHand(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assert_idle(other, "the task is given to nobody else")
            agent.respond("[1]")
            self.assertEqual(client.receive(), {"id": self.request_id, "kind": "Processed", "stdout": "[1]"})
        self.assert_gone(agent)

    def test_a_submitter_may_come_back_by_file(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent = ByHand(self.pool)
            agent.task_text()
        self.restart()
        other = ByHand(self.pool)
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.assert_idle(other, "the task is given to nobody else")
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_an_answer_is_kept_for_a_submitter_that_comes_back_later(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent = ByHand(self.pool)
            agent.task_text()
        self.kill()
        agent.respond("[1]")
        self.start_pool()
        self.assert_gone(agent)
        other = ByHand(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assertEqual(client.receive()["stdout"], "[1]")
        self.assertFalse(other.has_task())
        wait_until(lambda: self.pool.submission_files() == [], "nothing to be kept")

    def test_an_answer_that_its_submitter_is_slow_to_take_survives_a_kill(self):
        text = json.dumps("x" * 5_000_000)
        with self.pool.connect() as slow:
            slow.send(inline({"n": 1}, self.request_id))
            agent = ByHand(self.pool)
            agent.respond_to({"n": 1}, text)
            self.assert_gone(agent)
            self.restart()
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assertEqual(client.receive()["stdout"], text)

    def test_an_answer_that_a_slow_submitter_has_taken_at_last_is_not_kept(self):
        text = json.dumps("x" * 5_000_000)
        with self.pool.connect() as slow:
            slow.send(inline({"n": 1}, self.request_id))
            ByHand(self.pool).respond_to({"n": 1}, text)
            wait_until(self.file_of(self.request_id, "response").exists, "the answer to be kept meanwhile")
            self.assertEqual(slow.receive()["stdout"], text)
            wait_until(lambda: self.pool.submission_files() == [], "nothing to be kept")

    def test_an_answer_that_a_slow_submitter_has_taken_is_not_kept_when_the_pool_stops(self):
        text = json.dumps("x" * 5_000_000)
        with self.pool.connect() as slow:
            slow.send(inline({"n": 1}, self.request_id))
            ByHand(self.pool).respond_to({"n": 1}, text)
            wait_until(self.file_of(self.request_id, "response").exists, "the answer to be kept meanwhile")
            self.assertEqual(slow.receive()["stdout"], text)
            self.pool.stop()
        self.assertEqual(self.pool.submission_files(), [])

    def test_a_task_without_an_id_keeps_its_agent_and_its_answer_is_removed(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}))
            agent = ByHand(self.pool)
            first = agent.task_text()
            self.kill()
        self.start_pool()
        with self.pool.connect() as client:
            client.send(inline({"n": 2}))
            self.pool.still(lambda: agent.task.read_text() == first, "the agent has its first task")
            agent.respond("[1]")
            self.assert_gone(agent)
            ByHand(self.pool).respond_to({"n": 2}, "[2]")
            self.assertEqual(client.receive()["stdout"], "[2]")
        self.assertEqual(self.pool.submission_files(), [])

    def test_an_agent_that_took_its_task_file_away_is_at_work(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        agent.task_text()
        agent.task.unlink()
        self.restart()
        self.assert_idle(agent, "it gets no second task")
        agent.respond("[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_a_request_withdrawn_while_no_daemon_ran_has_no_answer(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        agent.task_text()
        self.kill()
        self.file_of(self.request_id, "request").unlink()
        self.start_pool()
        agent.respond("[1]")
        self.assert_gone(agent)
        self.assertEqual(self.pool.submission_files(), [])

    def test_what_was_withdrawn_on_the_socket_is_nobodys_after_a_restart_too(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            agent = ByHand(self.pool)
            agent.task_text()
            client.send({"kind": "Withdraw", "id": self.request_id})
            client.send({"kind": "Nonsense"})
            self.assertEqual(client.receive()["reason"], "invalid")  # so the daemon has read what came before it
            self.restart()
            second = self.pool.request_by_file(inline({"n": 2}))
            self.pool.still(lambda: agent.content() == {"n": 1}, "the agent has its first task")
            agent.respond("[1]")
            self.assert_gone(agent)
        self.assertEqual(self.pool.submission_files(), [f"{second}.request.json"])

    def test_a_response_without_an_end_when_the_daemon_starts_counts_when_it_is_closed(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        agent.task_text()
        self.kill()
        with open(agent.response, "w", encoding="ascii") as file:
            file.write("[1")
            file.flush()
            self.start_pool()
            holds_for(lambda: not self.file_of(self.request_id, "response").exists(), 0.5, "half an answer is none")
            file.write("]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_a_response_that_is_let_go_of_after_it_was_announced_counts(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        agent.task_text()
        other_name = self.work / "response"
        with open(agent.response, "w", encoding="ascii") as file:
            os.link(agent.response, other_name)
            late = os.open(other_name, os.O_WRONLY)  # its end is announced to nobody in agents/
            other_name.unlink()
            file.write("[1]")
        holds_for(lambda: not self.file_of(self.request_id, "response").exists(), 0.5, "somebody may write on")
        os.close(late)
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_stopping_answers_and_kicks_what_was_there_before_the_start(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        agent = ByHand(self.pool)
        agent.task_text()
        self.restart()
        self.assert_exit(self.pool.stop(), 0)
        self.assertEqual(self.pool.response_by_file(self.request_id), STOPPED)
        self.assert_gone(agent)
        for name in "leases", "daemon.leases":
            self.assertFalse((self.pool.path / name).exists(), name)


class Kept(Recovery):
    """Answers that nobody has asked for yet."""

    def setUp(self):
        super().setUp()
        self.start_pool()
        self.kill()

    def keep(self, age):
        """An answer as a daemon keeps it, written `age` seconds ago; its id."""
        id_ = str(uuid.uuid4())
        response = self.file_of(id_, "response")
        response.write_text(json.dumps({"id": id_, "kind": "Processed", "stdout": "[1]"}))
        written = time.time() - age
        os.utime(response, (written, written))
        return id_

    def test_an_hour_after_it_was_written_an_answer_goes_whatever_was_restarted_meanwhile(self):
        old, young = self.keep(HOUR + 1), self.keep(HOUR - 600)
        self.start_pool()
        wait_until(lambda: not self.file_of(old, "response").exists(), "the old one to go")
        self.pool.still(self.file_of(young, "response").exists, "the young one's hour is not over")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, young))
            self.assertEqual(client.receive()["stdout"], "[1]")

    def test_an_answer_goes_when_its_hour_ends_in_a_daemons_life(self):
        began = time.monotonic()
        kept = self.file_of(self.keep(HOUR - 4), "response")
        self.start_pool()
        wait_until(lambda: not kept.exists(), "the answer to go")
        self.assertGreater(time.monotonic() - began, 3.9)

    def test_an_answer_whose_request_is_still_there_is_its_submitters_to_remove(self):
        id_ = self.keep(3 * HOUR)
        self.file_of(id_, "request").write_text(json.dumps(inline({"n": 1})))
        self.start_pool()
        self.pool.still(self.file_of(id_, "response").exists, "its submitter has not fetched it yet")


class HandedBack(Recovery):
    def setUp(self):
        super().setUp()
        self.start_pool()
        self.agent = ByHand(self.pool)

    def test_a_task_handed_back_while_no_daemon_ran_goes_to_the_next_agent(self):
        for way in (lambda agent: agent.ready.unlink(),
                    lambda agent: agent.ready.write_text('{"handed_back": "no time"}')):
            id_ = self.pool.request_by_file(inline({"n": 1}))
            self.agent.task_text()
            self.kill()
            way(self.agent)
            self.start_pool()
            self.assert_gone(self.agent)
            ByHand(self.pool).respond_to({"n": 1}, "[1]")
            self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[1]")
            self.agent = ByHand(self.pool)

    def test_a_task_from_before_the_start_can_be_handed_back_before_its_submitter_is(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.agent.task_text()
        self.restart()
        self.agent.ready.unlink()
        self.assert_gone(self.agent)
        ByHand(self.pool).respond_to({"n": 1}, "[1]")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.assertEqual(client.receive()["stdout"], "[1]")

    def test_one_that_nobody_knows_any_more_waits_for_its_submitter(self):
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            self.agent.task_text()
        self.agent.task.unlink()
        self.restart()
        self.agent.ready.unlink()
        self.assert_gone(self.agent)
        other = ByHand(self.pool)
        self.assert_idle(other, "there is nothing to give")
        with self.pool.connect() as client:
            client.send(inline({"n": 1}, self.request_id))
            other.respond_to({"n": 1}, "[1]")
            self.assertEqual(client.receive()["stdout"], "[1]")

    def test_one_whose_submitter_is_back_is_known_again(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.agent.task_text()
        self.agent.task.unlink()
        self.restart()
        self.agent.ready.unlink()
        ByHand(self.pool).respond_to({"n": 1}, "[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")


class Deadlines(Recovery):
    """Of a task with a timeout of an hour, whose agent was given it before the daemon was killed."""

    def setUp(self):
        super().setUp()
        self.began = time.monotonic()
        self.start_pool("--task-timeout-secs", str(HOUR))
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.agent = ByHand(self.pool)
        self.agent.task_text()
        self.kill()

    def test_a_restart_does_not_prolong_a_tasks_time(self):
        self.pool.make_leases_older(HOUR - 3)
        self.start_pool()
        other = ByHand(self.pool)
        self.assertEqual(self.pool.response_by_file(self.request_id), TIMEOUT)
        self.assertGreater(time.monotonic() - self.began, 2.9)
        self.assert_gone(self.agent)
        self.assertFalse(other.has_task())

    def test_a_deadline_that_passed_meanwhile_is_over_at_once(self):
        self.pool.make_leases_older(HOUR)
        self.start_pool()
        self.assertEqual(self.pool.response_by_file(self.request_id), TIMEOUT)
        self.assert_gone(self.agent)

    def test_an_answer_that_was_there_before_the_deadline_is_looked_at_counts(self):
        self.agent.respond("[1]")
        self.pool.make_leases_older(HOUR)
        self.start_pool()
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")


class ToldToEnd(Recovery):
    def test_an_agent_that_does_not_loses_a_task_of_unknown_content(self):
        """An earlier daemon had given it the task, and it took the file."""
        self.start_pool()
        first = HandAgent(self.pool, '{"name": "first", "ends_when_told": true}')
        with self.pool.connect() as client:
            client.send(inline(7, "t"))
            first.content()
            first.task.unlink()
            self.daemon.signal(signal.SIGKILL)
            self.daemon.result()
        self.start_pool()
        second = HandAgent(self.pool, '{"name": "second"}')
        wait_until(lambda: len(self.pool.status()["agents"]) == 2, "both agents")
        self.assert_exit(self.pool.command("kick", "first").result(), 0)
        wait_until(lambda: "no response in time" in self.daemon.err, "its time to be over")
        with self.pool.connect() as client:
            client.send(inline(7, "t"))
            self.assertEqual(second.content(), 7)
            second.respond("[2]")
            self.assertEqual(client.receive()["stdout"], "[2]")


class DamagedLeases(Recovery):
    """A daemon that cannot know who has a task says so before it gives the task to another agent."""

    def damaged(self, damage):
        self.start_pool()
        self.pool.request_by_file(inline({"n": 1}), str(uuid.uuid4()))
        ByHand(self.pool).task_text()
        self.kill()
        path = self.pool.path / "leases"
        path.write_bytes(damage(path.read_bytes()))
        self.start_pool()
        told = "leases is damaged: an agent may be at work on a task that this daemon does not know of" in self.daemon.err
        self.kill()
        return told

    def test_a_file_that_is_cut_empty_or_has_a_wrong_letter_is_told(self):
        for damage in (lambda text: text[:2100], lambda _: b"", lambda text: b"x" * len(text),
                       lambda text: text[:2048] + b"\xff" + text[2049:]):
            self.assertTrue(self.damaged(damage))

    def test_a_sound_one_is_not(self):
        self.assertFalse(self.damaged(lambda text: text))


class Waiting(Recovery):
    def test_requests_are_queued_by_age_and_then_by_name(self):
        self.start_pool()
        self.kill()
        now = time.time_ns()
        for name, age in (("b", 2), ("a", 1), ("d", 3), ("c", 3)):
            self.pool.request_by_file(inline({"n": name}), name)
            os.utime(self.file_of(name, "request"), ns=(now, now - age * 1_000_000_000))
        self.start_pool()
        for name in ("c", "d", "b", "a"):
            ByHand(self.pool).respond_to({"n": name}, "[]")
            self.assertEqual(self.pool.response_by_file(name)["stdout"], "[]")

    def test_agents_that_wait_are_found_within_a_second(self):
        self.start_pool()
        waiting = self.pool.get_task()
        self.kill()
        announced = ByHand(self.pool)
        for n in range(2):
            self.pool.request_by_file(inline({"n": n}))
        self.start_pool()
        announced.content()
        self.assertEqual(waiting.json()["kind"], "Task")

    def test_an_agent_that_died_meanwhile_gets_nothing(self):
        self.start_pool()
        dead = self.pool.get_task()
        self.kill()
        dead.kill()
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.start_pool()
        ByHand(self.pool).respond_to({"n": 1}, "[1]")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_an_answer_that_is_not_fetched_yet_is_not_worked_for_again(self):
        self.start_pool()
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        ByHand(self.pool).respond_to({"n": 1}, "[1]")
        wait_until(self.file_of(self.request_id, "response").exists, "the answer")
        self.restart()
        other = ByHand(self.pool)
        self.assert_idle(other, "the task is done")
        self.assertEqual(self.pool.response_by_file(self.request_id)["stdout"], "[1]")

    def test_a_request_that_no_event_tells_of_is_found_by_the_scan_of_last_resort(self):
        self.start_pool()
        agent = ByHand(self.pool)
        source = self.work / "request"
        source.write_text(json.dumps(inline({"n": 1})))
        os.link(source, self.file_of(self.request_id, "request"))  # nothing is written there, nothing renamed
        source.unlink()
        self.assert_idle(agent, "a link is not announced")
        self.assertEqual(agent.content(), {"n": 1})


class HalfMade(Recovery):
    """What a daemon may leave that is killed between two system calls."""

    def setUp(self):
        super().setUp()
        self.start_pool()
        self.kill()
        self.agent = ByHand(self.pool)

    def write_lease(self, submission, way="file"):
        line = f"{self.agent.uuid} {submission} {way} {int(time.time() * 1000)} {1000 * HOUR}"
        (self.pool.path / "daemon.leases").rmdir()  # as versions have left it that had no numbers of formats
        (self.pool.path / "leases").unlink()
        (self.pool.path / "daemon.leases").write_text(f"{line:<511}\n")

    def assert_served(self, agent, id_, content):
        agent.respond_to(content, "[1]")
        self.assertEqual(self.pool.response_by_file(id_)["stdout"], "[1]")
        self.assert_gone(agent)

    def test_a_lease_whose_task_is_still_in_scratch_leaves_agent_and_task_waiting(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.write_lease(self.request_id)
        unsent = self.pool.path / "scratch" / self.agent.task.name
        unsent.write_text('{"n": 1}')
        self.start_pool()
        self.assert_served(self.agent, self.request_id, {"n": 1})
        self.assertFalse(unsent.exists())

    def test_a_task_in_scratch_without_a_lease_leaves_agent_and_task_waiting(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        unsent = self.pool.path / "scratch" / self.agent.task.name
        unsent.write_text('{"n": 1}')
        self.start_pool()
        self.assert_served(self.agent, self.request_id, {"n": 1})
        self.assertFalse(unsent.exists())

    def test_what_has_lain_in_scratch_for_a_day_goes_and_what_is_fresh_stays(self):
        old, fresh = (self.pool.path / "scratch" / name for name in ("old.content", "fresh.content"))
        for file in (old, fresh):
            file.write_text("{}")
        yesterday = time.time() - 25 * 3600
        os.utime(old, (yesterday, yesterday))
        self.start_pool()
        self.assertFalse(old.exists())
        self.assertTrue(fresh.exists())

    def test_a_lease_of_an_agent_without_files_means_nothing(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.write_lease(self.request_id)
        self.agent.ready.unlink()
        self.start_pool()
        self.assert_served(ByHand(self.pool), self.request_id, {"n": 1})
        wait_until(lambda: self.lease_lines() == [], "the lease to go, after the agent's files")

    def test_an_answer_already_delivered_is_not_delivered_again(self):
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.write_lease(self.request_id)
        self.file_of(self.request_id, "response").write_text('{"kind":"Processed","stdout":"[1]"}')
        self.agent.respond("[1]")
        self.start_pool()
        self.assert_gone(self.agent)
        self.pool.response_by_file(self.request_id)
        self.assertEqual(self.pool.submission_files(), [])

    def test_a_task_without_a_lease_keeps_its_agent_and_its_answer_is_nobodys(self):
        self.pool.request_by_file(inline({"n": 2}), self.request_id)
        self.agent.task.write_text('{"n": 1}')
        self.start_pool()
        self.assert_served(ByHand(self.pool), self.request_id, {"n": 2})
        self.assertEqual(self.agent.content(), {"n": 1})
        self.agent.respond("[1]")
        self.assert_gone(self.agent)
        self.assertEqual(self.pool.submission_files(), [])

    def test_a_task_without_a_lease_ends_at_its_timeout(self):
        self.agent.task.write_text('{"n": 1, "timeout_seconds": 1}')
        began = time.monotonic()
        self.start_pool()
        self.assert_gone(self.agent)
        self.assertGreaterEqual(time.monotonic() - began, 1)

    def test_a_heartbeat_may_be_answered_to_the_next_daemon(self):
        self.agent.task.write_text('{"kind":"Heartbeat","task":{"instructions":"x","data":null}}')
        self.start_pool()
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.agent.respond('"ok"')
        self.assert_gone(self.agent)
        self.assert_served(ByHand(self.pool), self.request_id, {"n": 1})

    def test_files_of_an_agent_that_was_kicked_go(self):
        self.agent.task.write_text('{"kind":"Kicked","reason":"Timeout"}')
        self.start_pool()
        self.assert_gone(self.agent)

    def test_a_task_of_nobody_goes(self):
        self.agent.task.write_text('{"n": 1}')
        self.agent.ready.unlink()
        self.start_pool()
        self.assert_gone(self.agent)

    def test_a_premature_response_goes_and_its_agent_waits(self):
        self.agent.respond("[0]")
        self.start_pool()
        wait_until(lambda: not self.agent.response.exists(), "the response to go")
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.assert_served(self.agent, self.request_id, {"n": 1})

    def test_a_damaged_file_of_leases_stops_nothing(self):
        (self.pool.path / "leases").write_bytes(os.urandom(700))
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.start_pool()
        self.assert_served(self.agent, self.request_id, {"n": 1})

    def test_a_file_of_leases_that_is_removed_is_written_again(self):
        self.start_pool()
        self.pool.request_by_file(inline({"n": 1}), self.request_id)
        self.agent.task_text()
        for remove in (self.pool.path / "leases").unlink, (self.pool.path / "daemon.leases").rmdir:
            remove()
            wait_until(lambda: all((self.pool.path / name).exists() for name in ("leases", "daemon.leases")), "both")
            wait_until(lambda: len(self.lease_lines()) == 1, "the lease")
        self.restart()
        other = ByHand(self.pool)
        self.assert_idle(other, "the task is given to nobody else")
        self.assert_served(self.agent, self.request_id, {"n": 1})


class Kills(Recovery):
    """Agents and submitters at work, and the daemon killed again and again."""

    agents, by_file, by_socket = 20, 230, 110  # at work, and submitted at once
    most = 60  # are done until a kill besides what the agents are at, however slow the one is who kills

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.answers = {}  # by number, of requests by file
        self.requests = {}  # id → number, of those that wait
        self.by_file_ids = set()  # of those and of those before

    def request(self, number):
        id_ = self.pool.request_by_file(inline({"n": number}))
        self.requests[id_] = number
        self.by_file_ids.add(id_)

    def collect(self):
        """Takes the answers to request files that are there."""
        for name in self.pool.submission_files():
            id_ = name.removesuffix(".response.json")
            if id_ != name and id_ in self.requests:
                number = self.requests.pop(id_)
                self.assertNotIn(number, self.answers)
                self.answers[number] = self.pool.response_by_file(id_)

    def outstanding(self, in_the_run):
        """What is submitted and not answered: request files, and what the run has on its socket."""
        names = set(self.pool.submission_files())
        files = sum(f"{id_}.request.json" in names and f"{id_}.response.json" not in names for id_ in self.requests)
        done = sum(kind == "end" and number.startswith("run-") for kind, number, _ in self.notes())
        return files + min(self.by_socket, in_the_run - done)

    def allow(self, count):
        """The agents end so many tasks in all, and then wait."""
        new = self.work / "limit.new"
        new.write_text(str(count))
        new.rename(self.limit_file)

    def done(self):
        return sum(note[0] == "end" for note in self.notes())

    def run_workflow(self, count):
        """`barnum run`, which submits on one socket, so many at a time."""
        config = {"entrypoint": "List", "options": {"max_concurrency": self.by_socket}, "steps": [
            {"name": "List", "next": ["Do"], "action": {"kind": "Command", "script": "cat tasks; true"}},
            {"name": "Do", "next": [], "action": {"kind": "Pool", "instructions": "x"}}]}
        (self.work / "tasks").write_text(json.dumps([{"kind": "Do", "value": {"n": f"run-{n}"}} for n in range(count)]))
        (self.work / "flow.json").write_text(json.dumps(config))
        return self.start("barnum", "run", "--root", self.root, "--config", self.work / "flow.json",
                          "--no-embedded-pool")

    def assert_each_done_once(self, numbers):
        """Who counts the starts sees both: a task that was lost, and one that was given out twice."""
        starts = Counter(number for kind, number, _ in self.notes() if kind == "start")
        self.assertEqual([n for n in numbers if starts[n] != 1], [], "not done once")
        self.assertEqual(sum(starts.values()), len(numbers))

    def test_nothing_is_lost_and_nothing_done_twice_however_often_the_daemon_is_killed(self):
        print(f"     BARNUM_KILL_SEED={SEED}", flush=True)
        kills, by_socket = max(5, scaled(20)), 1000
        self.start_pool()
        self.fleet(self.agents, 100)
        run = self.run_workflow(by_socket)
        wait_until(lambda: any(number.startswith("run-") for _, number, _ in self.notes()), "the run to submit")
        waiting = []  # at each kill
        number = 0
        for _ in range(kills):
            before = self.done()
            self.allow(before + self.most + self.agents)
            self.collect()
            while len(self.requests) < self.by_file:
                self.request(number)
                number += 1
            more = self.random.randrange(40)
            wait_until(lambda: self.done() >= before + more, "work to be done")
            self.kill()
            waiting.append(self.outstanding(by_socket) - self.agents)
            # Some more is done while there is no daemon; there may be less to do than that.
            kinds = Counter(kind for kind, _, _ in self.notes())
            less = self.random.randrange(kinds["end"], kinds["start"] + 1)
            self.allow(less + self.agents)
            wait_until(lambda: self.done() >= less, "what is at work to be done")
            self.start_pool()
        print(f"     ({min(waiting)} to {max(waiting)} tasks were queued at a kill)", flush=True)
        self.assertGreaterEqual(min(waiting), 200)
        self.limit_file.unlink()
        wait_until(lambda: self.collect() or not self.requests, "all requests to be answered")
        self.assert_exit(run.result(), 0)
        self.assertEqual(self.answers, {n: {"kind": "Processed", "stdout": f" [{n}]"} for n in range(number)})
        self.assert_each_done_once([*map(str, range(number)), *(f"run-{n}" for n in range(by_socket))])
        wait_until(lambda: all(name.endswith(".ready.json") for name in self.pool.agent_files()),
                   "the agents' files to go")
        wait_until(lambda: self.lease_lines() == [], "the leases to go after them")
        # Who is killed when he has just handed an answer to the socket leaves the agent's response, and the next one keeps
        # the answer for an hour: he can't know that the run has got it.
        left = [name.removesuffix(".response.json") for name in self.pool.submission_files()]
        self.assertEqual([id_ for id_ in left if "." in id_ or id_ in self.by_file_ids], [])
        self.assertLessEqual(len(left), kills)

    def test_requests_written_during_the_start_are_not_missed(self):
        self.start_pool()
        self.fleet(10, 0)
        for turn in range(scaled(10)):
            self.kill()
            stop = threading.Event()
            writer = threading.Thread(target=self.write_until, args=(stop, len(self.answers)))
            writer.start()
            self.start_pool()
            stop.set()
            writer.join()
            wait_until(lambda: self.collect() or not self.requests, f"all requests of turn {turn}")
        self.assert_each_done_once([str(n) for n in range(len(self.answers))])

    def write_until(self, stop, number):
        while not stop.is_set():
            self.request(number)
            number += 1
            time.sleep(0.001)  # however long the start takes, they are not too many to be done

    def test_requests_are_found_although_the_kernel_dropped_their_events(self):
        require(most_queued_events() <= 200_000, "the kernel keeps more events than a test should cause")
        count = scaled(1000)
        self.start_pool("--log-level", "debug")
        self.fleet(20, 0)
        self.daemon.signal(signal.SIGSTOP)
        self.pool.fill_event_queue()
        for number in range(count):
            self.request(number)
        self.daemon.signal(signal.SIGCONT)
        wait_until(lambda: self.collect() or not self.requests, "all requests to be answered")
        # They were looked for at once, and not only by the scan of last resort.
        self.assertIn(f"the kernel has dropped events: looking through {self.pool.path}/submissions", self.daemon.err)
        self.assertEqual(len(self.answers), count)
        self.assert_each_done_once([str(n) for n in range(count)])
