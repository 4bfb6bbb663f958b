"""`barnum serve`: the list of runs, a run's trace and tasks, and what it tells as it happens."""

import http.client
import json
import os
import shutil
import signal
import socket

from harness import DEADLINE, wait_until
from harness.batches import Trace
from harness.runs import QUICK, WAITS, RunsCase
from harness.serve import Page
from harness.statelog import entries
from harness.tracing import Tracing
from harness.workflow import KEEP, emit, step

TICKS = "n=0; while [ ! -e go ]; do n=$((n+1)); echo line $n; sleep 0.02; done >&2; echo '[]'"


class ServeCase(RunsCase):
    def serve(self, *options, **how):
        self.page = Page(self, *options, **how)
        return self.page

    def path(self, *parts):
        return "/".join(["/api/runs", self.run_id, *map(str, parts)])

    def trace(self, start="0.0"):
        """(the position that is told, the trace) of the batches from there on."""
        connection = http.client.HTTPConnection(*self.page.address, timeout=DEADLINE)
        connection.request("GET", self.path(f"trace?from={start}"), headers=self.page.bearer)
        response = connection.getresponse()
        trace = Trace()
        trace.rows, trace.ends = ([None] * int(count) for count in start.split("."))
        trace.append(response.read())
        connection.close()
        return response.headers["X-Position"], trace

    def log(self):
        return self.runs / self.run_id / "state.ndjson"

    def finished_run(self, steps=None):
        """A run that has ended, which is served."""
        result = self.run_workflow(steps or QUICK)
        (run,) = self.ps("-a")
        self.run_id = run["id"]
        self.serve()
        return result

    def waiting_run(self):
        process = self.start_waiting()
        self.run_id = self.only()["id"]
        self.serve()
        return process

    def go(self):
        (self.work / "go").touch()


class Runs(ServeCase):
    def listed(self):
        return self.page.json("/api/runs")["runs"]

    def test_the_list_is_that_of_ps(self):
        self.run_workflow(QUICK, "--name", "one")
        self.run_workflow([step("Bad", "exit 3")], "--name", "two")
        self.serve()
        self.assertEqual([run | {"resumed_by": None} for run in self.ps("-a")], self.listed())

    def test_without_a_run_the_list_is_empty(self):
        self.serve()
        self.assertEqual(self.listed(), [])
        with self.page.events("runs=1") as events:
            self.assertEqual(events.next(), ("runs", {"changed": [], "removed": []}, None))

    def test_what_changes_is_told(self):
        self.run_workflow(QUICK, "--name", "old")
        self.serve()
        with self.page.events("runs=1") as events:
            first = events.next("runs")[1]
            self.assertEqual([run["name"] for run in first["changed"]], ["old"])
            process = self.start_waiting("--name", "new")
            states = [(run["name"], run["state"]) for run in events.next("runs")[1]["changed"]]
            self.assertEqual(states, [("new", "running")])
            self.go()
            self.assert_run(process.result())
            while states[-1] != ("new", "finished"):
                states += [(run["name"], run["state"]) for run in events.next("runs")[1]["changed"]]
            self.assertEqual(set(states), {("new", "running"), ("new", "finished")})
            self.barnum("rm", "old")
            self.assertEqual(events.next("runs")[1], {"changed": [], "removed": [first["changed"][0]["id"]]})

    def test_a_copied_directory_of_a_run_can_be_removed(self):
        process = self.start_waiting()
        process.signal(signal.SIGTERM)
        process.result()
        first = self.only("-a")["id"]
        self.go()
        self.barnum("resume", first)
        (self.run_id,) = {run["id"] for run in self.ps("-a")} - {first}
        self.serve()
        copy = self.runs / f"{self.run_id}-copy"
        shutil.copytree(self.runs / self.run_id, copy)
        self.assertEqual(len(self.listed()), 3)
        shutil.rmtree(copy)
        self.assertEqual([(run["id"], run["state"]) for run in self.listed()], [(first, "resumed"), (self.run_id, "finished")])
        self.assertEqual(self.page.json(self.path())["run"]["id"], self.run_id)
        self.barnum("rm", self.run_id)
        self.assertEqual(self.page.get(self.path())[0], 404)

    def test_a_resumed_run_names_its_successor(self):
        process = self.start_waiting()
        self.run_id = self.only()["id"]
        self.serve()
        with self.page.events(f"run={self.run_id}&from=0.0") as events:
            self.assertEqual(events.next("run")[1]["resumed_by"], None)
            process.signal(signal.SIGTERM)
            self.assert_run(process.result(), 143)
            resumed = self.barnum("resume", self.run_id, "-d").out.strip()
            told = events.next("run")[1]
            while told["state"] != "resumed":
                told = events.next("run")[1]
            self.assertEqual(told["resumed_by"], resumed)
        self.run_id = resumed
        _, trace = self.trace()
        self.assertEqual(len(trace.rows), 1)
        self.go()
        self.barnum("wait", resumed)

    def test_a_run_says_what_its_steps_are(self):
        self.finished_run([step("First", emit(("Next", 1)), ["Next"]), step("Next", KEEP)])
        run = self.page.json(self.path())
        self.assertEqual((run["entrypoint"], run["live"], run["position"], run["problem"]), ("First", False, "2.2", None))
        self.assertEqual([(one["name"], one["action"], one["next"]) for one in run["steps"]],
                         [("First", "Command", ["Next"]), ("Next", "Command", [])])
        self.assertEqual(run["run"]["id"], self.run_id)

    def test_what_is_not_there(self):
        self.finished_run()
        for path in ("/api/runs/nothing", "/api/runs/nothing/trace", self.path("tasks", 1), self.path("tasks/1/output"),
                     self.path("tasks/1/why"), self.path("nothing")):
            status, _, text = self.page.get(path)
            self.assertEqual(status, 404, path)
            self.assertRegex(json.loads(text)["error"], r"^[A-Z].*\.$")
        self.assertEqual(self.page.get("/api/events?run=nothing")[0], 404)
        self.assertEqual(self.page.get("/api/events")[0], 400)
        self.assertEqual(self.page.get(f"/api/events?run={self.run_id}&from=x")[0], 400)

    def test_a_log_that_cannot_be_read(self):
        self.finished_run()
        self.log().unlink()
        status, _, text = self.page.get(self.path())
        self.assertEqual(status, 500)
        self.assertIn("state.ndjson", json.loads(text)["error"])

    def test_a_log_that_is_cut_off_in_its_first_line(self):
        self.finished_run()
        os.truncate(self.log(), 20)
        status, _, text = self.page.get(self.path())
        self.assertEqual(status, 500)
        self.assertRegex(json.loads(text)["error"], r"state\.ndjson, is cut off in its first line: nothing of the run is left to show\.$")

    def test_a_token_that_can_not_be_written_is_told(self):
        state = self.work / "a file"
        state.write_text("")
        result = self.run_program("barnum", "serve", "--listen", "127.0.0.1:0", env={"XDG_STATE_HOME": str(state)})
        self.assert_exit(result, 74)
        self.assertIn(str(state), result.err)

    def test_of_a_damaged_log_the_part_before_is_shown(self):
        self.finished_run([step("First", emit(*[("Next", n) for n in range(5)]), ["Next"]), step("Next", KEEP)])
        lines = self.log().read_bytes().splitlines(keepends=True)
        lines[-2] = lines[-2].replace(b"Success", b"success")
        self.log().write_bytes(b"".join(lines))
        run = self.page.json(self.path())
        self.assertIn(": line 12, ", run["problem"])
        self.assertEqual(run["position"], "6.4")


class Traces(ServeCase):
    def fan_out(self):
        self.finished_run([step("First", emit(*[("Next", n) for n in range(50)], ("Bad", 1)), ["Next", "Bad"],
                                options={"max_retries": 1}), step("Next", KEEP), step("Bad", "exit 3")])

    def test_it_is_what_the_log_says(self):
        self.fan_out()
        position, trace = self.trace()
        log = entries(self.log())
        submitted = [entry for entry in log if entry["kind"] == "TaskSubmitted"]
        completed = [entry for entry in log if entry["kind"] == "TaskCompleted"]
        self.assertEqual(position, trace.position)
        self.assertEqual([(row["id"], row["submitted"]) for row in trace.rows],
                         [(entry["task_id"], entry["time"]) for entry in submitted])
        self.assertEqual([(trace.rows[end["row"]]["id"], end["ended"]) for end in trace.ends],
                         [(entry["task_id"], entry["time"]) for entry in completed])
        self.assertEqual(sum(end["outcome"] == 3 for end in trace.ends), 1)

    def test_parts_of_it(self):
        self.fan_out()
        end, whole = self.trace()
        for start in ("1.0", "52.1", "52.30", end):
            rows, ends = map(int, start.split("."))
            position, rest = self.trace(start)
            self.assertEqual((position, rest.rows[rows:], rest.ends[ends:]), (end, whole.rows[rows:], whole.ends[ends:]))
        for start in ("53.0", "52.53", "4294967295.4294967295"):
            status, _, text = self.page.get(self.path(f"trace?from={start}"))
            self.assertEqual((status, "0.0" in text), (409, True), start)
        self.assertEqual(self.page.get(self.path("trace?from=1"))[0], 400)

    def test_a_tasks_attempts_value_and_children(self):
        self.finished_run([step("First", emit(("Next", {"n": 1.50}), ("Bad", "<b>")), ["Next", "Bad"]), step("Next", KEEP),
                           step("Bad", "echo no >&2; exit 3", options={"max_retries": 1})])
        first, bad = self.page.json(self.path("tasks/0")), self.page.json(self.path("tasks/2"))
        self.assertEqual((first["step"], first["state"], first["children_count"]), ("First", "done", 2))
        self.assertEqual((bad["value"], bad["state"], bad["parent"]), ('"<b>"', "dropped", 0))
        self.assertEqual([(a["attempt"], a["outcome"], a["failure"]["exit_code"]) for a in bad["attempts"]],
                         [(1, "retried", 3), (2, "dropped", 3)])
        self.assertEqual(bad, self.page.json(self.path("tasks", bad["row"])))

    def test_a_task_that_is_running(self):
        self.waiting_run()
        self.assertEqual(self.page.json(self.path("tasks/0"))["state"], "running")
        self.go()
        self.barnum("wait", self.run_id)
        self.assertEqual(self.page.json(self.path("tasks/0"))["state"], "done")

    def test_a_log_that_is_removed_while_a_task_is_asked_for(self):
        process = self.waiting_run()
        process.signal(signal.SIGSTOP)
        asked = http.client.HTTPConnection(*self.page.address, timeout=DEADLINE)
        asked.request("GET", self.path("tasks/0"), headers=self.page.bearer)  # waits for what the run tells of itself
        self.log().unlink()
        self.assertEqual(self.page.get(self.path())[0], 500)
        self.assertIn(asked.getresponse().status, (200, 404, 500))
        asked.close()
        self.assertEqual(self.page.get("/healthz")[0], 200)
        process.signal(signal.SIGKILL)
        process.signal(signal.SIGCONT)

    def test_a_search_finds_values_and_failures(self):
        self.finished_run([step("First", emit(("Next", {"file": "Main.cpp"}), ("Next", "other"), ("Bad", 1)), ["Next", "Bad"]),
                           step("Next", KEEP), step("Bad", "echo 'no such FILE: \"x\"' >&2; exit 3", options={"max_retries": 1})])
        def found(text):
            return self.page.json(self.path(f"search?text={text}"))
        self.assertEqual(found("main.CPP"), {"rows": [1], "more": False})
        self.assertEqual(found("file"), {"rows": [1, self.page.json(self.path("tasks/3"))["row"]], "more": False})
        self.assertEqual(found("%22x%22")["rows"], found("such")["rows"])
        self.assertEqual(found("TaskSubmitted"), {"rows": [], "more": False})
        self.assertEqual(self.page.get(self.path("search?text="))[0], 400)

    def test_why_a_task_ran(self):
        self.finished_run()
        self.assertIn("task 0 Quick", self.page.json(self.path("tasks/0/why"))["text"])


class Events(ServeCase):
    def test_a_running_run_is_told_as_it_goes_on(self):
        process = self.start_run([step("Wait", f"{WAITS} >/dev/null; {emit(*[('Quick', n) for n in range(1000)])}", ["Quick"]),
                                  step("Quick", "echo '[]'")], "--fsync", "never")
        wait_until((self.work / "started").exists, "the task to start")
        self.run_id = self.only()["id"]
        self.serve()
        trace, count, states = Trace(), 0, []
        with self.page.events(f"run={self.run_id}&from=0.0") as events:
            while True:
                name, data, id_ = events.next()
                if name == "trace":
                    trace.append(data)
                    self.assertEqual(id_, trace.position)
                    count += 1
                elif name == "state":
                    states.append(data)
                    if len(states) == 1:
                        self.assertEqual([task["id"] for task in data["running"]], [0])
                        self.go()
                elif name == "run" and data["state"] == "finished":
                    break
            while trace.position != "1001.1001":
                trace.append(events.next("trace")[1])
        self.assert_run(process.result())
        begun, ended = (self.page.json("/api/runs")["runs"][0][name] for name in ("started", "ended"))
        self.assertLessEqual(count, (ended - begun) / 100 + 3, "at most ten a second")
        self.assertEqual([end["outcome"] for end in trace.ends], [1] * 1001)
        self.assertEqual(len({end["row"] for end in trace.ends}), 1001)

    def test_nothing_is_missing_after_a_restart_of_the_server(self):
        process = self.start_run([step("Wait", f"{WAITS} >/dev/null; {emit(*[('Quick', n) for n in range(1000)])}", ["Quick"]),
                                  step("Quick", "echo '[]'")], "--fsync", "never")
        wait_until((self.work / "started").exists, "the task to start")
        self.run_id = self.only()["id"]
        self.serve()
        cookie = self.page.login()
        trace = Trace()
        with self.page.events(f"run={self.run_id}&from=0.0") as events:
            trace.append(events.next("trace")[1])
            self.go()
            position = trace.position
            while len(trace.ends) < 100:
                _, data, position = events.next("trace")
                trace.append(data)
            self.page.process.kill()
            self.page.process.result()
        self.serve(listen="{}:{}".format(*self.page.address))
        self.assertEqual(self.page.request("/api/session", **cookie)[0], 200, "it stays logged in")
        with self.page.events(f"run={self.run_id}&from=0.0", **{"Last-Event-ID": position}) as events:
            while trace.position != "1001.1001":
                trace.append(events.next("trace")[1])
        self.assert_run(process.result())
        self.assertEqual(vars(trace), vars(self.trace()[1]))

    def test_a_removed_run_is_told(self):
        self.finished_run()
        with self.page.events(f"run={self.run_id}&from=0.0") as events:
            events.next("run")
            self.barnum("rm", self.run_id)
            self.assertEqual(events.next("run")[1], {"gone": True})
        self.assertEqual(self.page.get(self.path())[0], 404)

    def test_a_log_that_was_replaced_is_another_one(self):
        process = self.waiting_run()
        with self.page.events(f"run={self.run_id}&from=0.0") as events:
            events.next("trace")
            shutil.copy(self.log(), self.work / "copy")
            os.rename(self.work / "copy", self.log())
            while events.next("run")[1] != {"gone": True}:
                pass
        process.signal(signal.SIGTERM)
        process.result()

    def test_a_killed_run(self):
        process = self.waiting_run()
        with self.page.events(f"run={self.run_id}&from=0.0") as events:
            self.assertEqual(events.next("state")[1]["tasks"]["running"], 1)
            process.signal(signal.SIGKILL)
            process.result()
            told = events.next("run")[1]
            while told["state"] != "lost":
                told = events.next("run")[1]

    def test_many_viewers_of_one_run(self):
        process = self.waiting_run()
        viewers = [self.page.events(f"run={self.run_id}&from=0.0&runs=1") for _ in range(30)]
        for viewer in viewers:
            viewer.next("state")
        self.go()
        self.assert_run(process.result())
        for viewer in viewers:
            self.assertEqual(viewer.next("trace")[2], "1.1")
            viewer.close()


class Output(ServeCase):
    def lines(self, events):
        name, data, _ = events.next()
        return None if name == "end" else data["lines"]

    def test_what_a_task_writes_is_told_while_it_does(self):
        process = self.start_run([step("Tick", TICKS)])
        wait_until(lambda: self.ps(), "the run")
        self.run_id = self.only()["id"]
        self.serve()
        with self.page.output(self.path("tasks/0/output")) as events:
            texts = []
            while len(texts) < 20:
                texts += [line["text"] for line in self.lines(events)]
            self.go()
            while (more := self.lines(events)) is not None:
                texts += [line["text"] for line in more if line["stream"] == "err"]
        self.assert_run(process.result())
        self.assertEqual(texts, [f"line {n + 1}" for n in range(len(texts))])

    def test_that_of_all_attempts_after_the_end(self):
        self.finished_run([step("Bad", "echo \"try $BARNUM_ATTEMPT\" >&2; echo '<i>'; exit 3", options={"max_retries": 1})])
        with self.page.output(self.path("tasks/0/output")) as events:
            lines = self.lines(events)
            self.assertIsNone(self.lines(events))
        self.assertEqual(sorted((line["attempt"], line["stream"], line["text"]) for line in lines),
                         [(1, "err", "try 1"), (1, "out", "<i>"), (2, "err", "try 2"), (2, "out", "<i>")])

    def test_of_much_output_the_end(self):
        self.finished_run([step("Much", "seq 1000000 >&2; echo '[]'")])
        with self.page.output(self.path("tasks/0/output")) as events:
            lines = self.lines(events)
        self.assertIn("omitted", lines[0])
        self.assertEqual([line["text"] for line in lines if line["stream"] == "err" and "text" in line][-1], "1000000")
        self.assertLess(len(json.dumps(lines)), 4 << 20)


class Idle(Tracing, ServeCase):
    def test_a_server_at_which_nobody_looks_makes_no_system_call(self):
        self.require_strace()
        process = self.waiting_run()
        with self.page.events(f"run={self.run_id}&from=0.0&runs=1&pools=1") as events:
            events.next("state")
        self.page.json(self.path())
        # A run that somebody has looked at is remembered for five minutes, and until then it looks a few times whether that is over.
        calls = next((calls for _ in range(10) if not (calls := self.trace(self.page.process, 2))), "ten times")
        self.assertEqual(calls, [])
        process.terminate()
        process.result()


class Server(ServeCase):
    def test_a_port_in_use_is_an_error(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            result = self.barnum("serve", "--listen", f"127.0.0.1:{port}", code=1)
        self.assertEqual(result.err, f"barnum: --listen: cannot listen on 127.0.0.1:{port}: Address already in use\n")

    def test_signals_end_it_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.serve()
            with self.page.events("runs=1") as events:
                events.next()
                self.page.process.signal(number)
                self.assert_exit(self.page.process.result(), 0)
                self.assertIsNone(events.next())

    def test_several_servers_show_the_same(self):
        self.finished_run()
        first = self.page
        self.serve()
        self.assertEqual(first.token, self.page.token)
        self.assertEqual(first.json("/api/runs"), self.page.json("/api/runs"))

    def test_it_opens_a_browser_with_a_file_that_only_the_user_can_read(self):
        browser = self.work / "browser"
        browser.write_text(f'#!/bin/sh\ncd {self.work}; stat -c %a "$1" >opened; cat "$1" >>opened; mv opened done\n')
        browser.chmod(0o755)
        self.serve("--open", env={"BROWSER": str(browser)})
        opened = self.work / "done"
        wait_until(opened.exists, "the browser to be started")
        self.assertTrue(opened.read_text().startswith("600\n"))
        self.assertIn(f"url={self.page.process.out.strip()}\"", opened.read_text())

    def test_without_a_browser_there_is_a_warning(self):
        self.serve("--open", env={"BROWSER": "/nothing/there"})
        wait_until(lambda: "open the address yourself" in self.page.process.err, "the warning")
        self.assertEqual(self.page.json("/api/runs"), {"runs": []})

    def test_who_it_is(self):
        session = self.serve().json("/api/session")
        self.assertEqual((session["host"], session["version"]), (socket.gethostname(), self.barnum("version").out.split()[-1]))
