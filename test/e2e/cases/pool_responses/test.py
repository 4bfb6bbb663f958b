"""What agents may write as a response: any bytes, any size, late, twice."""

import json
import signal

from harness import Case, HandAgent, Pool, holds_for, is_sanitized, one_host, wait_until
from harness.pool import inline
from harness.pressure import memory

CAP = 64 << 20  # the default, in bytes


class Responses(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)

    def start_pool(self, *options):
        self.daemon = self.pool.start("--no-heartbeat", *options)

    def agent_with_a_task(self, client, content=1):
        """By socket, if there is a client, and else by file."""
        if client:
            client.send(inline(content))
        else:
            self.request_id = self.pool.request_by_file(inline(content))
        agent = HandAgent(self.pool)
        agent.task_text()
        return agent

    def answer(self, client):
        return client.receive() if client else self.pool.response_by_file(self.request_id)

    def assert_gone(self, agent):
        wait_until(lambda: agent.files() == [], f"the files of {agent.uuid} to go")

    def peak_memory(self):
        return memory(self.daemon.pid, "VmHWM")

    def exchange(self, response, *options):
        """The response as both kinds of submitters get it."""
        self.start_pool(*options)
        for client in (self.pool.connect(), None):
            agent = self.agent_with_a_task(client)
            agent.response.write_bytes(response)
            yield self.answer(client)
            self.assert_gone(agent)
            if client:
                client.close()

    def test_bytes_that_are_not_utf8_arrive_as_replacement_characters(self):
        for answer in self.exchange(b'["\xff\xc3\xa9\xe2\x82", "\xed\xa0\x80\x00"]'):
            self.assertEqual(answer["kind"], "Processed")
            self.assertEqual(answer["stdout"].replace("\ufffd", ""), '["\u00e9", "\0"]')
            self.assertIn("\ufffd\u00e9\ufffd", answer["stdout"])

    def test_what_is_not_json_arrives_as_it_is(self):
        text = 'I think "yes"\\no, see\tline 2\r\nthen \u2028 {"half":'
        for answer in self.exchange(text.encode()):
            self.assertEqual(answer, {"kind": "Processed", "stdout": text})

    def test_submit_task_prints_such_a_response_alone(self):
        self.start_pool()
        for transport in ("socket", "file"):
            submitter = self.pool.submit(1, transport=transport)
            agent = HandAgent(self.pool)
            agent.task_text()
            agent.response.write_bytes(b"\xffno JSON\n")
            result = submitter.result()
            self.assert_exit(result, 0)
            self.assertEqual((result.json["stdout"], result.err), ("\ufffdno JSON\n", ""))

    def test_a_response_over_the_cap_is_refused_at_once_and_one_of_its_size_counts(self):
        self.start_pool("--max-message-bytes", "1000")
        for client in (self.pool.connect(), None):
            agent = self.agent_with_a_task(client)
            agent.respond(json.dumps("x" * 999))
            why = f"agent by hand: {agent.response} is larger than 1000 bytes"
            self.assertEqual(self.answer(client), {"kind": "NotProcessed", "reason": "invalid", "message": why})
            self.assertIn(why, self.daemon.err)
            self.assert_gone(agent)
            agent = self.agent_with_a_task(client)
            agent.respond(json.dumps("x" * 998))
            self.assertEqual(self.answer(client), {"kind": "Processed", "stdout": json.dumps("x" * 998)})
            self.assert_gone(agent)
            if client:
                client.close()

    def test_a_response_that_is_too_long_as_a_JSON_string_is_refused_and_a_shorter_one_counts(self):
        self.start_pool("--max-message-bytes", "1000")
        for client in (self.pool.connect(), None):
            agent = self.agent_with_a_task(client)
            agent.respond("\1" * 400)  # six bytes each
            answer = self.answer(client)
            self.assertEqual(answer["reason"], "invalid")
            self.assertIn("its response of 400 bytes is longer than 2000 bytes as a JSON string", answer["message"])
            self.assert_gone(agent)
            agent = self.agent_with_a_task(client)
            agent.respond("\1" * 300)
            self.assertEqual(self.answer(client), {"kind": "Processed", "stdout": "\1" * 300})
            self.assert_gone(agent)
            if client:
                client.close()

    def test_a_response_that_is_written_again_before_it_was_seen_counts_when_it_is_closed_again(self):
        self.start_pool()
        for client in (self.pool.connect(), None):
            agent = self.agent_with_a_task(client)
            self.daemon.signal(signal.SIGSTOP)
            agent.respond("[1]")
            with open(agent.response, "w", encoding="ascii") as second:
                second.write("[2")
                second.flush()
                self.daemon.signal(signal.SIGCONT)
                holds_for(lambda: agent.response.exists(), 0.5, "half a response is none")
                second.write("]")
            self.assertEqual(self.answer(client)["stdout"], "[2]")
            self.assert_gone(agent)
            if client:
                client.close()

    def test_of_responses_in_quick_succession_one_arrives_whole(self):
        self.start_pool()
        texts = [json.dumps(letter * 100_000) for letter in "abc"]
        with self.pool.connect() as client:
            for _ in range(30):
                agent = self.agent_with_a_task(client)
                for text in texts:
                    agent.respond(text)
                self.assertIn(client.receive()["stdout"], texts)
                self.assert_gone(agent)
            client.send(inline({"last": 1}))
            agent = HandAgent(self.pool)
            self.assertEqual(agent.content(), {"last": 1})
            agent.respond("[]")
            self.assertEqual(client.receive()["stdout"], "[]")  # and not an answer to one before

    @one_host("a message of the engine is smaller")
    def test_a_response_of_50_MB_takes_at_most_twice_the_cap_of_memory(self):
        large = json.dumps("x" * 50_000_000)
        for way in ("socket", "socket with an id", "file"):
            self.start_pool()
            with self.pool.connect() as connection:
                client = connection if way != "file" else None
                if way == "socket with an id":
                    client.send(inline(1, "large"))
                    agent = HandAgent(self.pool)
                    agent.task_text()
                else:
                    agent = self.agent_with_a_task(client)
                agent.respond(large)
                self.assertEqual(self.answer(client)["stdout"], large)
            self.assert_gone(agent)
            print(f"     ({way}: peak memory {self.peak_memory() >> 20} MiB)", flush=True)
            if not is_sanitized():
                self.assertLessEqual(self.peak_memory(), 2 * CAP)
            self.assert_exit(self.pool.stop(), 0)
