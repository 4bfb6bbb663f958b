"""`barnum report`: the page in one file, what it contains, of how large a run it contains what, and the trace as a table."""

import base64
import csv
import hashlib
import io
import json
import os
import re
import struct
import zlib
from collections import Counter
from contextlib import suppress
from html.parser import HTMLParser

from harness import DEADLINE, made_log, small_disk, wait_until
from harness.runs import RunsCase
from harness.workflow import command, emit, pool, step

HOSTILE = ['</script><script>alert(1)</script>', "<!--<script>", "<b onclick=x>", "]]>&amp;\"'`${x}"]
LEFT_OUT = 0xFFFFFFFF


class Structure(HTMLParser):
    """The elements of a page, and the texts of its scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.texts, self.policy = [], [], None
        self.in_element = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.texts.append("")
        self.in_element = True
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"]

    def handle_endtag(self, tag):
        self.in_element = False

    def handle_data(self, data):
        if self.in_element:
            self.texts[-1] += data

    def text_of(self, tag, **attrs):
        (found,) = [text for (name, has), text in zip(self.elements, self.texts)
                    if name == tag and all(has.get(key) == value for key, value in attrs.items())]
        return found


def columns(batch):
    """A batch by its description."""
    magic, rows, ends, first = struct.unpack_from("<4I", batch)
    assert (magic, first) == (0x31525442, 0)
    at, found = 16, {}
    for names, count in ((("submitted:d", "id:I", "parent:I", "of:I", "step:H", "origin:B"), rows),
                         (("started:d", "ended:d", "usd:f", "row:I", "pre:I", "post:I", "tokens:I", "agent:H", "outcome:B", "reason:B",
                           "flags:B"), ends)):
        for name, kind in (text.split(":") for text in names):
            found[name] = struct.unpack_from(f"<{count}{kind}", batch, at)
            at += (struct.calcsize(f"<{count}{kind}") + 7) // 8 * 8
    return found


class Report:
    def __init__(self, page):
        self.page = page
        self.structure = Structure(page)
        self.data = json.loads(self.structure.text_of("script", id="barnum-report"))
        self.tasks = [json.loads(line) for line in self._inflated("details").decode().splitlines()]
        self.trace = columns(self._inflated("trace"))

    def _inflated(self, member):
        return zlib.decompress(base64.b64decode(self.data[member], validate=True), -15)

    def task(self, step_name, **more):
        (found,) = [task for task in self.tasks if task["step"] == step_name and all(task[key] == value for key, value in more.items())]
        return found

    def sums(self, step_name, is_finally=False):
        (found,) = [row for row in self.data["sums"]["steps"] if (row["step"], row["finally"]) == (step_name, is_finally)]
        return found


class ReportCase(RunsCase):
    def report(self, run="last", *args, code=0, **how):
        return self.barnum("report", run, *args, code=code, **how)

    def page(self, run="last", **how):
        return Report(self.report(run, "-o", "-", **how).out)

    def html_files(self):
        return sorted(path.name for path in self.work.glob("*.html"))


class Page(ReportCase):
    def run_everything(self):
        first = step("First", emit(("Good", {"n": 1.50}), ("Bad", 2)), ["Good", "Bad"], **{"finally": command("echo over >&2; echo '[]'")})
        good = step("Good", "echo heard >&2; echo '[]'", pre=command("cat"))
        bad = step("Bad", "echo worse >&2; exit 3", options={"max_retries": 1})
        self.assert_exit(self.run_workflow([first, good, bad], "--name", "nightly"), 1)

    def test_it_contains_the_run_its_tasks_their_output_and_the_sums(self):
        self.run_everything()
        report = self.page("nightly")
        run = report.data["run"]
        self.assertEqual((run["run"]["name"], run["run"]["state"], run["run"]["workflow"], run["entrypoint"], run["live"]),
                         ("nightly", "failed", "flow.json", "First", False))
        self.assertEqual([step_["name"] for step_ in run["steps"]], ["First", "Good", "Bad"])
        self.assertIsNone(report.data["sample"])
        self.assertEqual(report.data["questions"], [])

        self.assertEqual([task["row"] for task in report.tasks], sorted(task["row"] for task in report.tasks))
        first = report.task("First", **{"finally": False})
        good, bad = report.task("Good"), report.task("Bad")
        self.assertEqual(first["children"], [good["row"], bad["row"]])
        self.assertEqual(good["value"], '{"n":1.5}')
        self.assertEqual((good["parent"], good["state"], bad["state"]), (first["row"], "done", "dropped"))
        self.assertEqual([(attempt["attempt"], attempt["outcome"], attempt["failure"]["exit_code"]) for attempt in bad["attempts"]],
                         [(1, "retried", 3), (2, "dropped", 3)])
        lines = [(line["attempt"], line["phase"], line["stream"], line["text"]) for line in good["output"] + bad["output"]]
        self.assertCountEqual(lines, [(1, "pre", "out", '{"n":1.5}'), (1, "command", "err", "heard"),
                                      (1, "command", "out", "[]"), (1, "command", "err", "worse"), (2, "command", "err", "worse")])
        self.assertIn("over", [line.get("text") for line in report.task("First", **{"finally": True})["output"]])

        self.assertEqual({key: report.sums("Bad")[key] for key in ("tasks", "waiting", "done", "dropped", "retried")},
                         {"tasks": 1, "waiting": 0, "done": 0, "dropped": 1, "retried": 1})
        self.assertEqual(report.sums("First", True)["done"], 1)
        trace = report.trace
        self.assertEqual((trace["id"], trace["origin"]), ((0, 1, 2, 3, 4), (0, 1, 1, 2, 3)))
        self.assertEqual((trace["parent"], trace["of"]), ((LEFT_OUT, 0, 0, 0, LEFT_OUT), (LEFT_OUT, LEFT_OUT, LEFT_OUT, 2, 0)))
        self.assertEqual(Counter(trace["outcome"]), {1: 3, 2: 1, 3: 1})

    def test_it_is_one_file_that_allows_nothing_but_its_own_script_and_style(self):
        self.run_everything()
        report = self.page()
        structure = report.structure
        for tag, directive in (("script", "script-src"), ("style", "style-src")):
            text = structure.text_of(tag, **({"type": "module"} if tag == "script" else {}))
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            self.assertIn(f"{directive} 'sha256-{digest}'", structure.policy)
        self.assertTrue(structure.policy.startswith("default-src 'none';"), structure.policy)
        self.assertNotIn("unsafe", structure.policy)
        for tag, attrs in structure.elements:
            self.assertNotIn("src", attrs)
            self.assertFalse([name for name in attrs if name.startswith("on") or name == "style"], tag)
            self.assertRegex(attrs.get("href") or "data:", "^data:")

    def test_markup_in_names_values_and_output_is_only_text(self):
        names = [f"Step {number} {text}" for number, text in enumerate(HOSTILE)]
        values = [(name, {text: text + "\u202e\0\x1b"}) for name, text in zip(names, HOSTILE)]
        steps = [step("Start", emit(*values), names), *(step(name, "cat >&2; echo '</script><i>'; exit 1") for name in names)]
        self.assert_exit(self.run_workflow(steps), 1)
        report = self.page()
        wanted = ["html", "head", "meta", "meta", "meta", "meta", "meta", "title", "link", "style", "body", "noscript", "script", "script"]
        self.assertEqual(sorted(tag for tag, _ in report.structure.elements), sorted(wanted))
        for name, text in zip(names, HOSTILE):
            task = report.task(name)
            self.assertEqual(json.loads(task["value"]), {text: text + "\u202e\0\x1b"})
            self.assertEqual([line["text"] for line in task["output"] if line["stream"] == "out"], ["</script><i>"])

    def test_a_name_with_markup_is_the_title(self):
        log = self.work / "hostile.ndjson"
        made_log.write(log, 1)
        log.write_text(log.read_text().replace("5a3e6b1c-", "../<b>&"))
        self.assertEqual(self.report(log).out, "barnum-b0.html\n")
        structure = Structure((self.work / "barnum-b0.html").read_text())
        self.assertTrue(structure.text_of("title").startswith("../<b>&0000-"))

    def test_a_living_run_is_reported_as_it_is(self):
        run = self.start_waiting()
        report = self.page()
        self.assertEqual((report.data["run"]["live"], report.data["run"]["run"]["state"]), (True, "running"))
        self.assertEqual((report.task("Wait")["state"], report.task("Wait")["attempts"][0]["ended"]), ("waiting", None))
        self.assertEqual(report.trace["outcome"], ())
        (self.work / "go").touch()
        self.assert_run(run.result())
        self.assertEqual(self.page().task("Wait")["state"], "done")

    def test_a_killed_run_is_reported_with_a_torn_line_and_without_a_record(self):
        run = self.start_waiting()
        self.kill(run)
        self.assertEqual(self.page().data["run"]["run"]["state"], "lost")
        with open(self.only()["state_log"], "ab") as log:
            log.write(b'{"kind":"TaskCompl')
        self.assertEqual(self.page().task("Wait")["state"], "waiting")
        os.rename(self.only()["state_log"], self.work / "moved.ndjson")
        report = self.page(self.work / "moved.ndjson")
        self.assertEqual((report.data["run"]["run"]["state"], report.data["run"]["run"]["tasks"]["left"]), ("lost", 1))
        self.assertEqual(report.task("Wait")["output"], [])

    def test_what_a_task_has_written_is_contained_with_its_beginning_and_its_end(self):
        loud = step("Loud", "seq 100000 >&2; echo '[]'")
        failing = step("Failing", "seq 100000 >&2; exit 1")
        long_line = step("Line", "head -c 100000 /dev/zero | tr '\\0' x >&2; echo '[]'")
        start = step("Start", emit(("Loud", 1), ("Failing", 1), ("Line", 1)), ["Loud", "Failing", "Line"])
        self.assert_exit(self.run_workflow([start, loud, failing, long_line]), 1)
        report = self.page()
        for name, least, most in (("Loud", 2_000, 4_096), ("Failing", 8_000, 16_384)):
            output = [line for line in report.task(name)["output"] if line["stream"] == "err"]
            texts = [line["text"] for line in output if "text" in line]
            self.assertEqual((texts[0], texts[-1]), ("1", "100000"))
            size = sum(len(text) for text in texts)
            self.assertTrue(least / 4 < size <= most, size)
            left_out = sum(line.get("omitted", 0) for line in output)
            written = sum(len(str(n)) + 1 for n in range(1, 100_001))
            self.assertAlmostEqual(left_out + sum(len(text) + 1 for text in texts), written, delta=20)  # lines may have come in parts
        cut = [line for line in report.task("Line")["output"] if line["stream"] == "err"]
        self.assertEqual(sum(len(line.get("text", "")) + line.get("omitted", 0) for line in cut), 100_000)
        self.assertLess(len(json.dumps(cut)), 10_000)


class Large(ReportCase):
    def test_of_more_than_100_000_tasks_it_contains_a_part_and_says_so(self):
        log = self.work / "large.ndjson"
        tasks, dropped = made_log.write(log, 55_000)
        self.assertGreater(tasks, 105_000)
        report = self.page(log, deadline=4 * DEADLINE)  # a sanitizer's build takes a minute of processor time
        self.assertEqual(report.data["sample"]["tasks"], 100_000)
        self.assertEqual(report.data["sample"]["of"], tasks)
        self.assertRegex(report.data["sample"]["rule"], f"Of {tasks} tasks, this report contains 100000: all with a failed attempt, the ")
        self.assertEqual(len(report.tasks), 100_000)
        states = Counter(task["state"] for task in report.tasks)
        self.assertEqual(states["dropped"], dropped)
        self.assertEqual(report.sums("Read")["tasks"], 55_000)
        self.assertEqual(report.sums("Read")["dropped"], dropped)
        self.assertEqual(sum(row["tasks"] for row in report.data["sums"]["steps"]), tasks)
        self.assertEqual(report.data["sums"]["usage"][0]["reports"], 55_000 - dropped)
        self.assertLess(len(report.page), 15_000_000)
        self.assert_consistent(report)

    def assert_consistent(self, report):
        """What is left out is referred to by nothing."""
        rows = len(report.trace["id"])
        self.assertTrue(all(parent == LEFT_OUT or parent < rows for parent in report.trace["parent"]))
        by_row = {task["row"]: task for task in report.tasks}
        self.assertEqual([by_row[row]["id"] for row in sorted(by_row)], list(report.trace["id"]))
        orphans = 0
        for task in report.tasks:
            orphans += task["step"] == "Note" and task["parent"] is None
            self.assertEqual([by_row[row]["parent"] for row in task["children"]], [task["row"]] * len(task["children"]))
        self.assertGreater(orphans, 0)

    def test_values_of_a_large_log_are_cut_and_say_so(self):
        log = self.work / "wide.ndjson"
        with open(log, "w", encoding="ascii") as file:
            made_log.write(log, 1)
            value = "x" * 30_000_000
            file.write(re.sub(r'"file":"[^"]*"', f'"file":"{value}"', log.read_text()).replace('{"sentence":"File', '{"sentence":"' + value))
        report = self.page(log)
        read = report.task("Read")
        self.assertEqual(len(read["value"]) + read["value_left_out"], len('{"file":"","size":7919}') + 30_000_000)
        self.assertLess(len(report.page), 5_000_000)


class Files(ReportCase):
    def setUp(self):
        super().setUp()
        self.assert_exit(self.run_workflow([step("Quick", "echo '[]'")]), 0)

    def test_the_file_is_named_after_the_run_unless_it_is_given(self):
        name = f"barnum-{self.only('-a')['id'][:8]}.html"
        self.assertEqual(self.report().out, name + "\n")
        self.assertEqual(self.report("last", "-o", "other.html").out, "other.html\n")
        self.assertEqual(self.html_files(), sorted([name, "other.html"]))
        self.assertEqual((self.work / name).stat().st_mode & 0o777, 0o600)

    def test_an_older_report_is_replaced_also_behind_a_link(self):
        (self.work / "real.html").write_text("old")
        (self.work / "real.html").chmod(0o644)
        (self.work / "link.html").symlink_to("real.html")
        self.report("last", "-o", "link.html")
        self.assertTrue((self.work / "link.html").is_symlink())
        self.assertIn("barnum-report", (self.work / "real.html").read_text())
        self.assertEqual((self.work / "real.html").stat().st_mode & 0o777, 0o644)

    def test_a_device_is_not_replaced(self):
        (self.work / "pipe").unlink(missing_ok=True)
        os.mkfifo(self.work / "pipe")
        self.assertIn("pipe is not a regular file", self.report("last", "-o", "pipe", code=2).err)

    def test_the_state_log_is_not_replaced(self):
        log = self.only("-a")["state_log"]
        with open(log, "rb") as file:
            before = file.read()
        (self.work / "link").symlink_to(log)
        for options in (["-o", log], ["--csv", log], ["-o", "link"]):
            self.assertIn("is the state log of the run; name another file", self.report("last", *options, code=2).err)
        with open(log, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_a_full_disk_leaves_what_was_there(self):
        disk = small_disk.mount(self)
        (disk / "page.html").write_text("old")
        with suppress(OSError), open(disk / "fill", "wb", buffering=0) as fill:
            while True:
                fill.write(bytes(4096))
        for name in ("page.html", "new.html"):
            self.assertRegex(self.report("last", "-o", disk / name, code=74).err,
                             f"^barnum: cannot write .*/{name}: .*No space left on device\n$")
        self.assertEqual(sorted(path.name for path in disk.iterdir()), ["fill", "page.html"])
        self.assertEqual((disk / "page.html").read_text(), "old")

    def test_a_damaged_log_is_told_with_its_place_and_nothing_is_written(self):
        log = self.only("-a")["state_log"]
        with open(log, "rb") as file:
            text = file.read()
        with open(log, "wb") as file:
            file.write(text.replace(b'"step":"Quick","value"', b'"step":"Quick","Value"'))
        for args in ([], ["--csv", "trace.csv"], ["--json"]):
            result = self.report("last", *args, code=74)
            self.assertRegex(result.err, r"state\.ndjson: line 2, byte \d+: the entry ")
            self.assertEqual(result.out, "")
        self.assertEqual(self.html_files(), [])
        self.assertFalse((self.work / "trace.csv").exists())


class Trace(ReportCase):
    def rows(self, run="last"):
        text = self.report(run, "--csv", "-").out
        self.assertTrue(text.endswith("\r\n"))
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def objects(self, run="last"):
        return [json.loads(line) for line in self.report(run, "--json").out.splitlines()]

    def test_each_attempt_has_a_row_with_what_is_known_of_it(self):
        steps = [step("First", emit(("Bad", 1)), ["Bad"]), step("Bad", "exit 3", pre=command("cat"), options={"max_retries": 1})]
        self.assert_exit(self.run_workflow(steps), 1)
        rows, objects = self.rows(), self.objects()
        self.assertEqual([(row["task"], row["id"], row["parent"], row["step"], row["attempt"], row["state"], row["reason"], row["exit_code"])
                          for row in rows],
                         [("0", "0", "", "First", "1", "succeeded", "", ""), ("1", "1", "0", "Bad", "1", "retried", "CommandFailed", "3"),
                          ("1", "2", "0", "Bad", "2", "dropped", "CommandFailed", "3")])
        for row, found in zip(rows, objects):
            self.assertEqual(list(row), list(found))
            for name in ("submitted", "started", "ended"):
                self.assertRegex(row[name], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            self.assertEqual(found["started"] - found["submitted"], found["waiting_ms"])
            self.assertTrue(0 <= found["action_ms"] <= found["ended"] - found["started"] + 1, found)
            self.assertGreaterEqual(found["cpu_ms"], 0)
            self.assertEqual({key: str(found[key] if found[key] is not None else "") for key in ("task", "exit_code", "cpu_ms", "pre_ms")},
                             {key: row[key] for key in ("task", "exit_code", "cpu_ms", "pre_ms")})
        self.assertEqual([row["pre_ms"] is None for row in objects], [True, False, False])

    def test_what_agents_have_used_is_in_it(self):
        log = self.work / "made.ndjson"
        made_log.write(log, 200)
        rows = [row for row in self.rows(log) if row["step"] == "Read"]
        self.assertEqual(Counter(row["agent"] for row in rows), {"claude opus": 198, "": 2})
        self.assertEqual(Counter(row["reason"] for row in rows), {"": 198, "AgentFailed": 2})
        self.assertEqual((rows[0]["input_tokens"], rows[0]["cached_tokens"], rows[0]["output_tokens"], rows[0]["cost_usd"]),
                         ("1001", "500", "21", "0.002"))
        self.assertAlmostEqual(sum(row["cost_usd"] or 0 for row in self.objects(log)),
                               sum(0.001 * (1 + task % 9) for task in range(1, 201) if task % 100 != 0))

    def test_agents_have_names_also_if_they_report_nothing(self):
        asked = step("Ask", pool(), options={"max_retries": 1})
        agent = "[ -e failed ] && echo '[]' || { touch failed; exit 3; }"
        self.assert_run(self.run_workflow([asked], "--agents", "1", "--agent-exec", agent))
        rows = self.rows()
        self.assertEqual([row["state"] for row in rows], ["retried", "succeeded"])
        names = {row["agent"] for row in rows}
        self.assertEqual(len(names), 1)
        self.assertRegex(names.pop(), "^[a-z]+-1$")
        report = self.page()
        self.assertEqual(report.trace["agent"], (0, 0))
        self.assertEqual({attempt["agent"] for attempt in report.task("Ask")["attempts"]}, set(report.data["run"]["agents"]))

    def test_a_name_is_one_cell_and_no_formula(self):
        names = ['a,b"c', "=1+1", "@x", "-x", "plain"]
        steps = [step("Start", emit(*((name, 1) for name in names)), names), *(step(name, "echo '[]'") for name in names)]
        self.assert_run(self.run_workflow(steps))
        self.assertEqual(sorted(row["step"] for row in self.rows()), sorted(['a,b"c', "'=1+1", "'@x", "'-x", "plain", "Start"]))
        self.assertEqual(sorted(row["step"] for row in self.objects()), sorted([*names, "Start"]))

    def test_a_living_run_has_open_attempts(self):
        run = self.start_waiting()
        (row,) = self.rows()
        self.assertEqual((row["state"], row["started"], row["ended"], row["waiting_ms"]), ("open", "", "", ""))
        self.report("last", "--csv", "trace.csv")
        self.assertEqual((self.work / "trace.csv").read_bytes().count(b"\r\n"), 2)
        (self.work / "go").touch()
        wait_until(lambda: not run.running, "the run to end")
        self.assert_run(run.result())
