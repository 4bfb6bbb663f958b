"""Requests that can't be accepted are answered `invalid`, at once, over the transport they came by."""

import json
import os

from harness import Case, HandAgent, Pool, wait_until
from harness.pool import file_reference, inline


class Invalid(Case):
    def setUp(self):
        super().setUp()
        self.pool = Pool(self)
        self.daemon = self.pool.start("--no-heartbeat", "--max-message-bytes", "100000")

    def tearDown(self):
        try:
            self.assert_running(self.daemon)
        finally:
            super().tearDown()

    def assert_invalid(self, answer, mention=""):
        self.assertEqual((answer.get("kind"), answer.get("reason")), ("NotProcessed", "invalid"), answer)
        self.assertIsInstance(answer["message"], str)
        self.assertIn(str(mention), answer["message"])

    def assert_refused(self, request, mention=""):
        """Over both transports."""
        with self.subTest(request=str(request)[:80], transport="socket"):
            with self.pool.connect() as client:
                client.send(request)
                self.assert_invalid(client.receive(), mention)
        with self.subTest(request=str(request)[:80], transport="file"):
            id_ = self.pool.request_by_file(request)
            self.assert_invalid(self.pool.response_by_file(id_), mention)

    def assert_still_serves(self):
        agent = HandAgent(self.pool)
        with self.pool.connect() as client:
            client.send(inline({"fine": True}))
            self.assertEqual(agent.content(), {"fine": True})
            agent.respond("[]")
            self.assertEqual(client.receive()["kind"], "Processed")

    def test_envelopes_that_are_not_envelopes(self):
        for request in ("{", "[]", "42", '{"kind": "Inline"', "{}", '{"kind": "Inline"}', '{"kind": "FileReference"}',
                        '{"kind": "Inlined", "content": "{}"}', '{"kind": "Inline", "content": {"a": 1}}',
                        '{"content": "{}"}', '{"kind": "FileReference", "path": 7}', b'{"kind": "Inline\xff"}'):
            self.assert_refused(request)
        self.assert_still_serves()

    def test_bad_json_is_answered_with_the_place(self):
        self.assert_refused('{"kind": nonsense}', "byte 9")

    def test_content_that_is_not_json(self):
        for content in ("", "hello", "{", '{"a": 1} x', "[1,]", '"\\ud800', "\u0000"):
            self.assert_refused({"kind": "Inline", "content": content})

    def test_content_that_is_too_deep(self):
        self.assert_refused({"kind": "Inline", "content": "[" * 600 + "]" * 600})
        self.assert_refused("[" * 40000 + "]" * 40000)

    def test_content_512_deep_is_fine(self):
        agent = HandAgent(self.pool)
        content = "[" * 512 + "]" * 512
        submitter = self.pool.submit(content)
        self.assertEqual(agent.task_text(), content)
        agent.respond("[]")
        self.assert_exit(submitter.result(), 0)

    def test_references_to_what_is_not_a_readable_file(self):
        os.mkfifo(self.work / "fifo")
        (self.work / "bad.json").write_text("not json")
        (self.work / "latin1.json").write_bytes(b'"caf\xe9"')
        (self.work / "big.json").write_text('"' + "x" * 200000 + '"')
        for path in ("missing.json", "fifo", "", "big.json"):
            self.assert_refused(file_reference(self.work / path), self.work / path)
        self.assert_refused(file_reference(self.work / "bad.json"), "byte 0")
        self.assert_refused(file_reference(self.work / "latin1.json"), "byte 4")
        self.assert_refused(file_reference("/dev/zero"), "/dev/zero")
        self.assert_refused(file_reference("relative.json"), "relative.json")
        self.assert_still_serves()

    def test_what_is_over_the_size_cap(self):
        with self.pool.connect() as client:
            client.send_raw(b"1000000000000\n")
            self.assert_invalid(client.receive())
        with self.pool.connect() as client:
            client.send_raw(b"100001\n")
            self.assert_invalid(client.receive())
        id_ = self.pool.request_by_file(inline("x" * 100000))
        self.assert_invalid(self.pool.response_by_file(id_))
        self.assert_still_serves()

    def test_bad_frames(self):
        for header in (b"abc\n", b"-1\n", b"\n", b"10" + b"0" * 12 + b"\n", b"12 34\n", b"0x10\n", b"1" * 40):
            with self.subTest(header=header), self.pool.connect() as client:
                client.send_raw(header)
                self.assert_invalid(client.receive())
                client.wait_for_end()
        self.assert_still_serves()

    def test_half_a_frame_and_silence_disturb_nobody_and_end_within_ten_seconds(self):
        half, silent = self.pool.connect(), self.pool.connect()
        half.send_raw(b"100\n{")
        self.assert_still_serves()
        for client in (half, silent):
            with client:
                client.wait_for_end()
        self.assert_still_serves()

    def test_a_bad_request_is_answered_with_its_id(self):
        with self.pool.connect() as client:
            client.send({"id": "11111111-2222-4333-8444-555555555555", "kind": "Nonsense"})
            answer = client.receive()
            self.assert_invalid(answer)
            self.assertEqual(answer["id"], "11111111-2222-4333-8444-555555555555")

    def test_submit_task_prints_the_refusal_and_exits_1(self):
        for transport in ("socket", "file"):
            result = self.pool.submit("{not json", transport=transport).result()
            self.assert_exit(result, 1)
            self.assert_invalid(result.json)
            result = self.pool.submit(file=self.work / "missing.json", transport=transport).result()
            self.assert_exit(result, 1)
            self.assert_invalid(result.json, self.work / "missing.json")
            self.assertEqual(self.pool.submission_files(), [])

    def test_submit_task_without_a_payload_or_with_two_is_a_usage_error(self):
        for args in ([], ["--data", "1", "--file", "x"], ["--data", "1", "--notify", "pigeon"],
                     ["--data", "1", "--timeout-secs", "soon"], ["--data", "1", "--no-such-option"]):
            result = self.pool.command("submit_task", *args).result()
            self.assert_exit(result, 2)
            self.assertEqual(result.out, "")

    def test_an_odd_request_file_is_no_request(self):
        submissions = self.pool.path / "submissions"
        (submissions / "directory.request.json").mkdir()
        os.mkfifo(submissions / "fifo.request.json")
        (submissions / ".hidden.request.json").write_text(json.dumps(inline(1)))
        (submissions / "notes.txt").write_text("mine")
        secret = self.work / "secret.json"
        secret.write_text(json.dumps(inline("secret")))
        (submissions / "link.request.json").symlink_to(secret)
        agent = HandAgent(self.pool)
        id_ = self.pool.request_by_file(inline({"good": 1}))
        self.assertEqual(agent.content(), {"good": 1})
        agent.respond("[]")
        self.assertEqual(self.pool.response_by_file(id_)["kind"], "Processed")
        wait_until(lambda: agent.files() == [], "the agent's files to go")
        for name in ("notes.txt", ".hidden.request.json"):
            self.assertIn(name, self.pool.submission_files())
