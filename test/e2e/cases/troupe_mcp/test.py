"""`troupe mcp`: the model of a client takes tasks, gives them in and back, and submits some; whatever becomes of the client."""

import json
import signal

from harness import wait_until, windows
from harness.mcp import STATELESS, McpCase, McpPoolCase
from harness.mcp_lines import keep

SCHEMA = {"type": "array", "items": {"anyOf": [{"type": "object", "required": ["kind", "value"], "properties": {
    "kind": {"const": "Note"}, "value": {"type": "object", "required": ["text"]}}, "additionalProperties": False}]}}


class Protocol(McpPoolCase):
    def test_it_says_what_it_offers_in_both_ages(self):
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS):
            with self.subTest(revision=revision):
                client = self.client(revision=revision)
                about = client.ask("server/discover") if revision == STATELESS else client.initialized
                self.assertIn("next_task", about["instructions"])
                tools = {t["name"]: t for t in client.ask("tools/list")["tools"]}
                self.assertEqual(set(tools), {"next_task", "finish_task", "give_back_task", "keep_alive", "submit_task",
                                              "wait_task", "withdraw_task", "pool_status"})
                self.assertEqual([p["name"] for p in client.ask("prompts/list")["prompts"]], ["be_an_agent"])
                prompt = client.ask("prompts/get", {"name": "be_an_agent", "arguments": {"count": "3"}})
                self.assertIn("until you have finished 3 of them", prompt["messages"][0]["content"]["text"])
                resources = client.ask("resources/list")["resources"]
                self.assertEqual([r["uri"] for r in resources], ["troupe://status"])
                status = client.ask("resources/read", {"uri": "troupe://status"})["contents"][0]["text"]
                self.assertEqual(json.loads(status)["pool"], "default")
                self.assertEqual(client.end(), 0)

    def test_nothing_but_messages_is_on_stdout_and_a_wrong_line_ends_nothing(self):
        client = self.client()
        client.send_text("nonsense\n\n{}\n[]\n")
        client.send_text(b"\xff\n")
        client.send({"id": 77, "method": "tools/call", "params": {"name": "unknown"}})
        self.assertEqual(client.error_of(77)["code"], -32602)
        self.assertEqual([m["error"]["code"] for m in client.answers[None]], [-32700, -32600, -32600, -32700])
        self.assertIn("`id` is required", client.call("finish_task", response=[]))
        self.assertIn("`response` is required", client.call("finish_task", id="x"))
        self.assertIn("from 1 to 45", client.call("next_task", wait_seconds=46))
        self.assertEqual(client.call("pool_status", wait_for_previous=True)["kind"], "Status")

    def test_messages_that_are_piped_in_are_all_answered(self):
        lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
                 {"id": 2, "method": "tools/call", "params": {"name": "pool_status"}}]
        sent = "".join(json.dumps({"jsonrpc": "2.0"} | line) + "\n" for line in lines).encode()
        result = self.run_program("troupe", "mcp", stdin=sent)
        self.assert_exit(result, 0)
        keep(sent, result.out.encode())
        self.assertEqual([json.loads(line)["id"] for line in result.out.splitlines()], [1, 2])

    def test_signals_end_it_in_order(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                client = self.client()
                submitter = self.pool.submit({"n": 1})
                client.next_task()
                client.signal(number)
                self.assertEqual(client.popen.wait(), 128 + number)
                self.wait_for_queue(1)
                self.assertTrue(submitter.running)
                submitter.terminate()
                self.wait_for_queue(0)
        self.assert_nothing_is_left()


class Agent(McpPoolCase):
    def test_a_task_is_taken_checked_and_finished(self):
        submitter = self.pool.submit({"task": {"kind": "Ask"}, "timeout_seconds": 1000}, "--response-schema", json.dumps(SCHEMA))
        client = self.client("--name", "me")
        task = client.next_task()
        self.assertEqual((task["content"]["task"], task["response_schema"]), ({"kind": "Ask"}, SCHEMA))
        self.assertIn(task["seconds_left"], range(900, 1001))
        self.assertEqual(client.call("pool_status")["your_tasks"], [task["id"]])
        held = client.call("keep_alive", id=task["id"])
        self.assertEqual(held["kind"], "Held")
        self.assertIn(held["seconds_left"], range(800, 1001))
        for response, mistake in (([{"kind": "No", "value": {}}], '"No" may not follow'),
                                  ([{"kind": "Note", "value": {}}], "text"), ("no json", "JSON array"), ("", "empty")):
            invalid = client.call("finish_task", id=task["id"], response=response)
            self.assertEqual(invalid["kind"], "Invalid")
            self.assertIn(mistake, invalid["message"])
        self.assertTrue(submitter.running)
        good = [{"kind": "Note", "value": {"text": "x"}}]
        self.assertEqual(client.call("finish_task", id=task["id"], response=good)["kind"], "Finished")
        self.assertEqual(json.loads(submitter.json()["stdout"]), good)
        again = client.call("finish_task", id=task["id"], response=[])
        self.assertEqual(again["kind"], "Finished")
        self.assertIn("Another one changes nothing", again["message"])
        self.assertEqual(client.call("keep_alive", id=task["id"])["kind"], "Finished")
        self.assertIn("You have no task", client.call("finish_task", id="other", response=[]))
        self.assert_nothing_is_left()
        self.assertIn("me", self.daemon.err)

    def test_a_response_may_be_json_in_a_string_or_any_text(self):
        client = self.client()
        for given, schema, answer in (("[]", SCHEMA, "[]"), ("Hello", None, "Hello"), ({"a": 1}, None, '{"a":1}'),
                                      ("7", {"type": "array"}, None), ("Hi", {}, '"Hi"')):
            with self.subTest(given=given):
                options = [] if schema is None else ["--response-schema", json.dumps(schema)]
                submitter = self.pool.submit({"n": 1}, *options)
                task = client.next_task()
                kind = client.call("finish_task", id=task["id"], response=given)["kind"]
                self.assertEqual(kind, "Finished" if answer else "Invalid")
                if answer:
                    self.assertEqual(submitter.json()["stdout"], answer)
                else:
                    client.call("give_back_task", id=task["id"], reason="the test goes on")
                    self.wait_for_queue(1)
                    submitter.terminate()
                    self.wait_for_queue(0)

    def test_without_a_task_it_says_wait_and_tells_how_long_it_has_waited(self):
        client = self.client()
        self.assertEqual(client.call("next_task", wait_seconds=1)["kind"], "Wait")
        self.assert_nothing_is_left()
        result = client.ask("tools/call", {"name": "next_task", "arguments": {"wait_seconds": 1},
                                           "_meta": {"progressToken": "p"}})
        self.assertEqual(result["structuredContent"]["kind"], "Wait")
        self.assertEqual({n["params"]["progressToken"] for n in client.notifications}, {"p"})

    def test_a_waiting_call_blocks_no_other_and_is_cancelled_without_a_trace(self):
        client = self.client()
        waiting = client.start_call("next_task", wait_seconds=45)
        wait_until(self.pool.waiting_agents, "the agent to wait")
        self.assertEqual(client.call("pool_status")["idle_agents"], 1)
        client.cancel(waiting)
        self.assert_nothing_is_left()
        self.assertNotIn(waiting, client.answers)
        submitter = self.pool.submit({"n": 1})
        task = client.next_task()
        client.call("finish_task", id=task["id"], response=[])
        self.assertEqual(submitter.json()["stdout"], "[]")

    def test_a_text_that_breaks_its_schema_is_told_which_part_of_it(self):
        self.pool.submit({"n": 1}, "--response-schema", '{"type": "string", "maxLength": 3}')
        client = self.client()
        call = client.start_call("next_task")
        id_ = client.result_of(call)["structuredContent"]["id"]
        self.assertIn("maxLength", client.call("finish_task", id=id_, response="abcdef")["message"])
        client.cancel(call)  # too late to give the task back: the client has used its id
        self.assertEqual(client.call("finish_task", id=id_, response="abc")["kind"], "Finished")

    def test_a_task_whose_call_was_cancelled_too_late_goes_back(self):
        self.pool.submit({"n": 1})
        client = self.client()
        call = client.start_call("next_task")
        lost = client.result_of(call)["structuredContent"]
        client.cancel(call)
        again = client.next_task()
        self.assertEqual(again["content"], {"n": 1})
        self.assertNotEqual(again["id"], lost["id"])
        self.assertEqual(client.call("finish_task", id=lost["id"], response=[])["kind"], "GivenBack")
        self.wait_for_log("the client has cancelled the call that took the task")

    def test_a_task_whose_result_is_lost_is_told_of_by_the_next_call_and_given_once_more(self):
        submitter = self.pool.submit({"n": 1})
        client = self.client()
        first = client.next_task()  # the model never sees it
        told = client.call("next_task", wait_seconds=45)
        self.assertEqual((told["kind"], told["your_tasks"]), ("Wait", [first["id"]]))
        self.assertIn("call next_task with its id", told["message"])
        self.assertIn("Leave those alone at which you or another agent of this session works", told["message"])
        other = self.pool.submit({"n": 2})
        second = client.next_task()
        self.assertEqual((second["content"], second["your_tasks"]), ({"n": 2}, [first["id"]]))
        again = client.call("next_task", id=first["id"])
        self.assertEqual((again["id"], again["content"], again["your_tasks"]), (first["id"], {"n": 1}, [second["id"]]))
        for task, waiting in ((first, submitter), (second, other)):
            self.assertEqual(client.call("finish_task", id=task["id"], response=[])["kind"], "Finished")
            self.assertEqual(waiting.json()["stdout"], "[]")
        self.assertEqual(client.call("next_task", id=first["id"])["kind"], "Finished")
        self.assertIn("You have no task", client.call("next_task", id="other"))
        self.assertNotIn("your_tasks", client.call("next_task", wait_seconds=1))
        self.assert_nothing_is_left()

    def test_a_task_that_is_given_back_goes_to_the_next_agent(self):
        submitter = self.pool.submit({"n": 1})
        client = self.client()
        task = client.next_task()
        self.assertEqual(client.call("give_back_task", id=task["id"], reason="too hard for me")["kind"], "GivenBack")
        self.assertIn("not yours any more", client.call("finish_task", id=task["id"], response=[])["message"])
        self.wait_for_log("too hard for me")
        other = self.pool.take()
        self.pool.answer(other, [])
        self.assertEqual(submitter.json()["stdout"], "[]")

    def test_labels(self):
        self.pool.submit({"n": 1}, "--label", "gpu")
        self.pool.submit({"n": 2})
        self.wait_for_queue(2)
        self.assertEqual(self.client().next_task()["content"], {"n": 2})
        self.assertEqual(self.client("--label", "gpu").next_task()["content"], {"n": 1})

    def test_several_tasks_at_once(self):
        submitters = [self.pool.submit({"n": n}) for n in range(3)]
        client = self.client()
        calls = [client.start_call("next_task") for _ in submitters]
        tasks = [client.result_of(call)["structuredContent"] for call in calls]
        self.assertEqual(sorted(t["content"]["n"] for t in tasks), [0, 1, 2])
        self.assertEqual(sorted(client.call("pool_status")["your_tasks"]), sorted(t["id"] for t in tasks))
        resources = [r["uri"] for r in client.ask("resources/list")["resources"]]
        self.assertEqual(sorted(resources[1:]), sorted(f"troupe://tasks/{t['id']}" for t in tasks))
        for task in tasks:
            client.call("finish_task", id=task["id"], response=[task["content"]["n"]])
        self.assertEqual([s.json()["stdout"] for s in submitters], ["[0]", "[1]", "[2]"])

    def test_a_task_that_is_taken_away(self):
        client = self.client()
        for timeout in windows():
            submitter = self.pool.submit({"timeout_seconds": timeout})
            task = client.call("next_task")
            self.assert_exit(submitter.result(), 124)
            if task["kind"] == "Task":
                break
        wait_until(lambda: client.call("keep_alive", id=task["id"])["kind"] == "TakenAway", "the task to be taken away")
        taken = client.call("finish_task", id=task["id"], response=[])
        self.assertEqual(taken["kind"], "TakenAway")
        self.assertIn("Timeout", taken["message"])
        self.assert_nothing_is_left()

    def test_a_long_task_is_cut_and_whole_in_a_file_and_a_resource(self):
        text = "ü\n" * 40000
        (self.work / "task.json").write_text(json.dumps({"text": text}))
        self.pool.submit(file=self.work / "task.json")
        client = self.client()
        task = client.next_task()
        self.assertNotIn("content", task)
        self.assertIn("\\u00fc", task["content_excerpt"])
        with open(task["content_file"], encoding="utf-8") as file:
            self.assertEqual(json.load(file)["text"], text)
        whole = client.ask("resources/read", {"uri": f"troupe://tasks/{task['id']}"})["contents"][0]["text"]
        self.assertEqual(json.loads(whole)["text"], text)
        self.assertEqual(client.error_of(client.request("resources/read", {"uri": "troupe://tasks/../x"}))["code"], -32002)


class Ends(McpPoolCase):
    def test_whoever_is_killed_loses_its_task_to_others_at_once(self):
        for how in ("client", "server"):
            with self.subTest(killed=how):
                submitter = self.pool.submit({"n": 1})
                client = self.client()
                client.next_task()
                if how == "client":
                    client.vanish()
                else:
                    client.signal(signal.SIGKILL)
                other = self.pool.take()
                self.pool.answer(other, [2])
                self.assertEqual(submitter.json()["stdout"], "[2]")
        self.assert_nothing_is_left()

    def test_a_killed_daemon_is_waited_for_and_a_task_survives_it(self):
        submitter = self.pool.submit({"n": 1})
        client = self.client()
        task = client.next_task()
        self.daemon.kill()
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")
        self.assertEqual(client.call("finish_task", id=task["id"], response=[3])["kind"], "Finished")
        self.assertEqual(submitter.json()["stdout"], "[3]")
        waiting = client.start_call("next_task", wait_seconds=45)
        wait_until(self.pool.waiting_agents, "the agent to wait")
        self.daemon.kill()
        self.daemon = self.pool.start("--no-heartbeat", "--log-level", "debug")
        self.pool.submit({"n": 2})
        self.assertEqual(client.result_of(waiting)["structuredContent"]["content"], {"n": 2})

    def test_a_pool_that_drains(self):
        self.pool.submit({"n": 1})
        client = self.client()
        task = client.next_task()
        self.assertNotIn("draining", client.call("pool_status"))
        stopping = self.pool.command("stop", "--drain")
        wait_until(lambda: client.call("pool_status").get("draining"), "the daemon to drain")
        self.assertEqual(client.call("finish_task", id=task["id"], response=[])["kind"], "Finished")
        self.assert_exit(stopping.result(), 0)
        self.assertEqual(client.call("next_task", wait_seconds=1)["kind"], "Stopped")

    def test_a_pool_that_stops(self):
        client = self.client()
        waiting = client.start_call("next_task", wait_seconds=45)
        wait_until(self.pool.waiting_agents, "the agent to wait")
        self.pool.stop()
        self.assertEqual(client.result_of(waiting)["structuredContent"]["kind"], "Stopped")
        stopped = client.call("next_task", wait_seconds=1)
        self.assertEqual(stopped["kind"], "Stopped")
        self.assertIn("no daemon serves", stopped["message"])
        self.assertIn("no daemon serves", client.call("pool_status"))


class Submitter(McpPoolCase):
    def test_a_task_is_submitted_and_its_answer_waited_for_across_a_restart_of_the_client(self):
        client = self.client()
        id_ = client.call("submit_task", content={"n": 1}, priority=3, response_schema=SCHEMA)["id"]
        self.assertEqual(client.call("wait_task", id=id_, wait_seconds=1)["kind"], "Wait")
        self.assertEqual(client.end(), 0)
        client = self.client()
        waiting = client.start_call("wait_task", id=id_, wait_seconds=45)
        task = client.next_task()
        self.assertEqual((task["content"], task["response_schema"]), ({"n": 1}, SCHEMA))
        client.call("finish_task", id=task["id"], response=[])
        answer = client.result_of(waiting)["structuredContent"]
        self.assertEqual(answer, {"kind": "Processed", "id": id_, "agent": "tester", "response": []})
        self.assertEqual(self.client().call("wait_task", id=id_), answer)
        self.assertEqual(client.call("withdraw_task", id=id_)["kind"], "Withdrawn")
        self.assertIn("There is no submitted task", client.call("wait_task", id=id_))
        self.assertIn("There is no submitted task", client.call("withdraw_task", id="../../x"))
        self.assertEqual(self.pool.submission_files(), [])

    def test_a_killed_and_a_stopped_daemon_lose_no_submission(self):
        client = self.client()
        id_ = client.call("submit_task", content='{"n": 5}')["id"]
        self.daemon.kill()
        self.daemon = self.pool.start("--no-heartbeat")
        self.wait_for_queue(1)
        self.pool.stop()
        waiting = client.start_call("wait_task", id=id_, wait_seconds=45)
        self.daemon = self.pool.start("--no-heartbeat")
        task = client.next_task()
        self.assertEqual(task["content"], {"n": 5})
        client.call("finish_task", id=task["id"], response=["x" * 50000])
        answer = client.result_of(waiting)["structuredContent"]
        self.assertEqual((answer["kind"], answer["response_bytes"]), ("Processed", 50004))
        link = client.result_of(waiting)["content"][1]["uri"]
        whole = client.ask("resources/read", {"uri": link})["contents"][0]["text"]
        self.assertEqual(json.loads(whole), ["x" * 50000])
        with open(answer["answer_file"], encoding="utf-8") as file:
            self.assertIn("x" * 50000, json.load(file)["stdout"])

    def test_what_is_withdrawn_or_refused_or_fails(self):
        client = self.client()
        id_ = client.call("submit_task", content=1)["id"]
        self.wait_for_queue(1)
        waiting = client.start_call("wait_task", id=id_, wait_seconds=45)
        client.call("withdraw_task", id=id_)
        self.wait_for_queue(0)
        self.assertIn("There is no submitted task", client.result_of(waiting)["content"][0]["text"])
        self.assertIn("`content` is required", client.call("submit_task"))
        self.assertIn("array of strings", client.call("submit_task", content=1, labels="gpu"))
        self.assertIn("must be an object", client.call("submit_task", content=1, response_schema=[]))
        for schema in ({"type": "arry"}, {"$ref": "#/nope"}, '{"$ref": "http://x/y"}'):
            self.assertIn("`response_schema` is not a valid JSON Schema: ", client.call("submit_task", content=1, response_schema=schema))
        self.wait_for_queue(0)
        for timeout in windows():
            id_ = client.call("submit_task", content={"timeout_seconds": timeout})["id"]
            task = client.call("next_task")
            failed = client.call("wait_task", id=id_)
            self.assertEqual((failed["kind"], failed["reason"]), ("NotProcessed", "timeout"))
            if task["kind"] == "Task":
                break
        self.assertEqual(client.call("keep_alive", id=task["id"])["kind"], "TakenAway")
