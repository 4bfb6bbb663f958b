"""What commands and hooks write is kept, and `barnum logs` prints it: what is kept, how much of it, and what a fault costs."""

import base64
import json
import os
import shutil
import signal
from contextlib import suppress

from harness import is_sanitized, small_disk, wait_until
from harness.environment import binary
from harness.terminal import TerminalCase
from harness.workflow import WorkflowCase, command, emit, pool, step

SECRET = "hunter2-hunter2"
WAIT = "await go"


class OutputCase(WorkflowCase):
    def setUp(self):
        super().setUp()
        self.runs = self.home / ".local/state/barnum/runs"

    def directory(self):
        """Of the only run."""
        (found,) = self.runs.iterdir()
        return found

    def kept_texts(self):
        """The same as texts(), also before anything is kept."""
        return self.texts() if any(self.runs.glob("*/output")) else []

    def logs(self, *args, run="last", code=0, **how):
        result = self.run_program("barnum", "logs", run, *args, **how)
        self.assert_exit(result, code)
        return result

    def lines(self, *args, **how):
        """What --json prints."""
        return [json.loads(line) for line in self.logs("--json", *args, **how).out.splitlines()]

    def texts(self, *args, **how):
        """The lines of stderr. What comes at the same time on stdout may be before or after them."""
        return [line["text"] for line in self.lines(*args, **how) if line["stream"] == "stderr"]

    def size(self):
        """Of what is kept, also while the run replaces segments: a file that goes meanwhile does not count."""
        sizes = 0
        for file in (self.directory() / "output").iterdir():
            with suppress(FileNotFoundError):
                sizes += file.stat().st_size
        return sizes

    def start_waiting(self, script, *args, **more):
        """A run whose command does that, and then waits for the file `go`."""
        run = self.start_run([step("Wait", f"{script}; touch started; {WAIT}; echo '[]'")], *args, **more)
        wait_until((self.work / "started").exists, "the command to start")
        return run

    def follow(self, *args):
        return self.start("barnum", "logs", "last", "-f", "--phase", "command", *args)

    def end(self, run, code=0):
        (self.work / "go").touch()
        result = run.result()
        self.assert_run(result, code)
        return result


class Kept(OutputCase):
    def run_all_phases(self):
        first = step("First", "echo try >&2; [ -e again ] || { touch again; exit 1; }; echo '[]'", pre=command("echo before >&2; cat"),
                     post=command("echo after >&2; cat"), options={"max_retries": 1}, **{"finally": command("echo over >&2; echo '[]'")})
        self.assert_run(self.run_workflow([first | {"next": ["Second"]}, step("Second", "echo '[]'")]))

    def test_every_phase_and_attempt_is_kept_with_its_stream(self):
        self.run_all_phases()
        errors = [(line["task"], line["attempt"], line["phase"], line["text"]) for line in self.lines() if line["stream"] == "stderr"]
        self.assertEqual(errors, [(0, 1, "pre", "before"), (0, 1, "command", "try"), (0, 1, "post", "after"),
                                  (1, 2, "pre", "before"), (1, 2, "command", "try"), (1, 2, "post", "after"),
                                  (2, 1, "finally", "over")])
        out = [line["text"] for line in self.lines("--phase", "command") if line["stream"] == "stdout"]
        self.assertEqual(out, ["[]"])
        # A line without its end on stdout stands where its command ended, with the time of its beginning.
        times = [line["time"] for line in self.lines() if line["stream"] == "stderr"]
        self.assertEqual(times, sorted(times))

    def test_lines_are_selected(self):
        self.run_all_phases()
        for number in (0, 1):
            self.assertEqual({line["attempt"] for line in self.lines("--task", number)}, {1, 2})
        self.assertEqual({line["phase"] for line in self.lines("--task", 2)}, {"finally"})
        self.assertEqual({line["task"] for line in self.lines("--attempt", 2)}, {1})
        self.assertEqual({line["phase"] for line in self.lines("--phase", "post")}, {"post"})
        self.assertEqual(self.lines("--step", "Second"), [])
        self.assertEqual(len(self.lines("--step", "First")), len(self.lines()))
        self.assertEqual(self.lines("--since", "0s"), [])
        self.assertEqual(len(self.lines("--since", "1d")), len(self.lines()))
        self.assertIn("there is no task 7 in the run ", self.logs("--task", 7, code=2).err)
        self.assertIn('the run has no step "Frist"; did you mean "First"?', self.logs("--step", "Frist", code=2).err)

    def test_lines_begin_with_their_step_and_task(self):
        self.run_all_phases()
        self.assertCountEqual(self.logs("--phase", "finally").out.splitlines(), ["First 2 | over", "First 2 | []"])
        self.assertRegex(self.logs("--phase", "finally", "--timestamps").out,
                         r"(?m)^First 2 \| \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z over$")

    def test_an_agents_failure_is_kept(self):
        agent = ["--agents", 1, "--agent-exec", "echo broken >&2; exit 3"]
        self.assert_run(self.run_workflow([step("Ask", pool(), options={"max_retries": 0})], *agent), 1)
        lines = self.lines("--phase", "pool")
        self.assertIn("broken", lines[-1]["text"])
        self.assertEqual({line["stream"] for line in lines}, {"stderr"})

    def test_bytes_that_are_no_text_are_kept(self):
        self.assert_run(self.run_workflow([step("Bytes", r"printf 'a\377\000b\nend' >&2; echo '[]'")]))
        (line, end) = [line for line in self.lines() if line["stream"] == "stderr"]
        self.assertEqual(base64.b64decode(line["base64"]), b"a\xff\0b")
        self.assertEqual(end["text"], "end")

    def test_each_run_has_its_own_output(self):
        run = self.start_run([step("Count", f"echo run >> runs; wc -l < runs >&2; {WAIT}; echo '[]'")], "--state-log", "run.ndjson")
        wait_until(lambda: self.kept_texts() == ["1"], "the first line to be kept")
        run.signal(signal.SIGKILL)
        run.result()
        (self.work / "go").touch()
        first = next(self.runs.iterdir()).name
        wait_until(lambda: self.run_program("barnum", "ps").out.count("no end was recorded"), "the guard to let go of the state log")
        self.assert_run(self.run_program("barnum", "resume", first))
        self.assertEqual(self.texts("--phase", "command", run=first), ["1"])
        self.assertEqual(self.texts("--phase", "command", run="last"), ["2"])


class Bounds(OutputCase):
    LOUD = [step("Loud", "head -c 100000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo '[]'")]

    def test_of_100_mb_the_first_and_the_last_part_are_kept(self):
        self.assert_run(self.run_workflow(self.LOUD))
        out = [line for line in self.lines() if line["stream"] == "stderr"]
        kept = "".join(line.get("text", "") for line in out)
        (omitted,) = [line["omitted"] for line in out if "omitted" in line]
        self.assertEqual(len(kept) + omitted, 100_000_000 + len("end"))
        self.assertTrue(kept.endswith("xend"))
        self.assertTrue(500_000 < len(kept) <= 2 * 256 * 1024, len(kept))
        self.assertLess(self.size(), 600_000)
        self.assertIn(f"Loud 0 | [{omitted} bytes left out]\n", self.logs().out)

    def test_the_size_is_an_option(self):
        self.assert_run(self.run_workflow([step("Loud", "seq 10000 >&2; echo '[]'")], "--keep-output", "1K"))
        texts = [line.get("text") for line in self.lines() if line["stream"] == "stderr"]
        self.assertEqual(texts[:3], ["1", "2", "3"])
        self.assertEqual(texts[-2:], ["9999", "10000"])
        self.assertEqual(texts.count(None), 1)
        self.assertLess(self.size(), 5000)

    def test_all_is_kept_or_nothing(self):
        self.assert_run(self.run_workflow([step("Loud", "seq 120000 >&2; echo '[]'")], "--keep-output", "all"))
        self.assertEqual(self.texts(), [str(n + 1) for n in range(120000)])
        shutil.rmtree(self.directory())
        self.assert_run(self.run_workflow(self.LOUD, "--keep-output", "none"))
        self.assertEqual(sorted(file.name for file in self.directory().iterdir()), ["run.json", "state.ndjson"])
        self.assertEqual(self.logs().out, "")

    def test_a_stream_that_goes_on_stays_small_on_the_disk(self):
        size = 20_000_000 if is_sanitized() else 60_000_000
        run = self.start_waiting(f"head -c {size} /dev/zero >&2")
        wait_until(lambda: self.size() < 9_000_000, "the segments to be rewritten")
        self.end(run)


class Secrets(OutputCase):
    def setUp(self):
        super().setUp()
        self.env |= {"MY_TOKEN": SECRET, "DSN": "other-other"}

    def files(self):
        return b"".join(file.read_bytes() for file in (self.directory() / "output").iterdir())

    def test_a_secret_in_two_pieces_is_replaced(self):
        run = self.start_run(
            [step("Tell", f"printf 'it is {SECRET[:7]}' >&2; {WAIT}; echo '{SECRET[7:]}, really' >&2; echo '[]'")])
        wait_until(lambda: self.kept_texts() == ["it is "], "the first half to be kept")
        result = self.end(run)
        self.assertEqual(self.texts(), ["it is ***, really"])
        self.assertNotIn(SECRET[:7].encode(), self.files())
        self.assertIn("it is ***, really", result.err)

    def test_log_lines_that_quote_output_have_no_secrets(self):
        steps = [step("Fail", 'echo "$MY_TOKEN and $DSN" >&2; exit 1', options={"max_retries": 1})]
        for progress in ("plain", "json"):
            result = self.run_workflow(steps, "--progress", progress)
            self.assert_run(result, 1)
            self.assertNotIn(SECRET, result.err)
            self.assertIn("*** and other-other", result.err)
        self.env["BARNUM_REDACT"] = "OTHER, DSN"
        result = self.run_workflow(steps)
        self.assertIn("*** and ***", result.err)
        self.assertEqual(set(self.texts()), {"*** and ***"})

    def test_secrets_stay_if_that_is_wanted(self):
        result = self.run_workflow([step("Fail", 'echo "$MY_TOKEN" >&2; exit 1', options={"max_retries": 0})], "--no-redact")
        self.assertIn(SECRET, result.err)
        self.assertEqual(self.texts(), [SECRET])


class Followed(OutputCase):
    def test_lines_come_as_they_are_written_and_end_with_the_run(self):
        run = self.start_run([step("Wait", f"{WAIT}; echo now >&2; await more; echo '[]'")])
        wait_until(lambda: self.run_program("barnum", "ps").out.count("running"), "the run to begin")
        viewers = [self.follow(), self.follow("--json")]
        (self.work / "go").touch()
        for viewer in viewers:
            wait_until(lambda: "now" in viewer.out, "the first line")  # noqa: B023
            self.assert_running(viewer)
        (self.work / "more").touch()
        self.assert_run(run.result())
        plain, lines = (viewer.result() for viewer in viewers)
        self.assertEqual((plain.code, plain.out), (0, "Wait 0 | now\nWait 0 | []\n"))
        self.assertEqual([json.loads(line)["text"] for line in lines.out.splitlines()], ["now", "[]"])

    def test_a_follower_sees_all_that_a_stream_writes(self):
        run = self.start_run([step("Loud", f"{WAIT}; seq 120000 >&2; echo '[]'")], "--keep-output", "all")
        wait_until(lambda: self.run_program("barnum", "ps").out.count("running"), "the run to begin")
        viewer = self.follow("--json")
        self.end(run)
        lines = map(json.loads, viewer.result().out.splitlines())
        self.assertEqual([line["text"] for line in lines if line["stream"] == "stderr"], [str(n + 1) for n in range(120000)])

    def test_a_killed_run_ends_its_followers_and_leaves_its_output(self):
        run = self.start_waiting("echo before >&2; printf half >&2")
        viewer = self.follow()
        wait_until(lambda: "before" in viewer.out, "the first line")
        wait_until(lambda: self.texts() == ["before", "half"], "both writes to be kept")
        run.signal(signal.SIGKILL)
        run.result()
        self.assertEqual(viewer.result().out, "Wait 0 | before\nWait 0 | half\n")
        self.assertEqual(self.texts(), ["before", "half"])


class Faults(OutputCase):
    def each_beginning(self, file):
        """Cuts the file to each of its sizes, the whole one last."""
        text = file.read_bytes()
        for size in range(len(text) + 1):
            file.write_bytes(text[:size])
            yield size == len(text), size

    def test_a_torn_end_of_a_killed_run_is_an_end(self):
        run = self.start_waiting("echo one >&2; echo two >&2")
        wait_until(lambda: self.kept_texts() == ["one", "two"], "the lines to be kept")
        run.signal(signal.SIGKILL)
        run.result()
        whole = self.texts()
        for name in ("1.segment", "index.ndjson"):
            for _, size in self.each_beginning(self.directory() / "output" / name):
                shown = self.texts()
                self.assertEqual(shown, whole[:len(shown)], size)

    def test_what_is_missing_of_a_run_that_has_ended_is_told(self):
        self.assert_run(self.run_workflow([step("Tell", "echo one >&2; exec >&2; echo two; echo three", options={"max_retries": 0})]), 1)
        whole = self.texts()
        self.assertEqual(whole, ["one", "two", "three"])
        for name, what in (("1.segment", "the end of what 1 phase wrote missing"), ("index.ndjson", "index.ndjson missing")):
            file = self.directory() / "output" / name
            for is_whole, size in self.each_beginning(file):
                result = self.logs(code=0 if is_whole else 74)
                shown = result.out.splitlines()
                self.assertEqual([line.split(" | ")[1] for line in shown], whole[:len(shown)], size)
                if not is_whole:
                    self.assertRegex(result.err, rf"not all of what .*/output had can be printed: .*{what}")
            away = file.rename(file.with_suffix(".away"))
            self.assertIn(f"{name} missing", self.logs(code=74).err)
            away.rename(file)
        self.assertEqual(self.texts(), whole)

    def test_a_segment_that_is_missing_between_others_is_told(self):
        for keep in ("all", "256K"):
            loud = step("Loud", "seq 700000 >&2; until [ -e ~/.local/state/barnum/runs/*/output/2.segment ]; do echo more >&2; done; echo '[]'")
            self.assert_run(self.run_workflow([loud], "--keep-output", keep))
            segments = sorted((self.directory() / "output").glob("*.segment"), key=lambda path: int(path.stem))
            self.assertGreaterEqual(len(segments), 2, keep)
            for segment in segments:
                away = segment.rename(segment.with_suffix(".away"))
                self.assertIn(" missing", self.logs(code=74).err, (keep, segment.name))
                away.rename(segment)
            shutil.rmtree(self.directory())

    def test_a_flipped_bit_in_the_index_is_told_or_changes_nothing(self):
        _, whole = self.three_records()
        index = self.directory() / "output" / "index.ndjson"
        text = index.read_bytes()
        for at in range(0, len(text), 5):
            damaged = bytearray(text)
            damaged[at] ^= 1 << at % 8
            index.write_bytes(damaged)
            result = self.run_program("barnum", "logs", "last", "--json", "--step", "Tell")
            shown = [json.loads(line)["text"] for line in result.out.splitlines() if '"stderr"' in line]
            self.assertIn(result.code, (0, 74), (at, result.err))
            self.assertTrue(shown == whole or result.code == 74, (at, shown))

    def test_a_follower_does_not_wait_for_a_damaged_size(self):
        run = self.start_run([step("Wait", "printf '%02000d\\n' 1 >&2; await more; "
                                           "until [ -e go ]; do echo next >&2; sleep 0.05; done; echo '[]'")])
        wait_until(lambda: self.runs.exists() and self.kept_texts(), "the first line to be kept")
        segment = self.directory() / "output" / "1.segment"
        segment.write_bytes(segment.read_bytes().replace(b" 0 2001 ", b" 0 9001 ", 1))
        viewer = self.follow()
        (self.work / "more").touch()
        wait_until(lambda: "next" in viewer.out, "what follows the damaged record")
        self.end(run)
        result = viewer.result()
        self.assert_exit(result, 74)
        self.assertEqual(set(result.out.splitlines()), {"Wait 0 | [2001 bytes left out]", "Wait 0 | next", "Wait 0 | []"})

    def test_a_fifo_or_a_device_in_the_place_of_a_file_is_an_error(self):
        self.assert_run(self.run_workflow([step("Tell", "echo one >&2; echo '[]'")]))
        for name in ("1.segment", "index.ndjson"):
            file = self.directory() / "output" / name
            away = file.rename(file.with_suffix(".away"))
            for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
                make(file)
                self.assertIn(f"{file} is not a regular file", self.logs(code=74).err)
                file.unlink()
            away.rename(file)

    def three_records(self):
        """Of a run with three tasks, each of which writes a line on stderr."""
        self.assert_run(self.run_workflow([
            step("Start", emit(("Tell", 1), ("Tell", 2), ("Tell", 3)), ["Tell"]),
            step("Tell", "printf '%s\\n' \"$(cat)\" >&2; echo '[]'")], "--jobs", "1"))
        return self.directory() / "output" / "1.segment", self.texts("--step", "Tell")

    def test_a_damaged_record_costs_no_other_and_is_told(self):
        segment, whole = self.three_records()
        self.assertEqual(len(whole), 3)
        text = segment.read_bytes()
        for at in range(0, len(text), 7):
            damaged = bytearray(text)
            damaged[at] ^= 1 << at % 8
            segment.write_bytes(damaged)
            result = self.run_program("barnum", "logs", "last", "--json", "--step", "Tell")
            lines = [json.loads(line) for line in result.out.splitlines()]
            shown = [line["text"] for line in lines if line["stream"] == "stderr" and "text" in line]
            self.assertEqual([line for line in whole if line in shown], shown, at)
            self.assertGreaterEqual(len(shown), 2, at)
            if len(shown) < 3:
                self.assertIn(result.code, (74,), at)
                self.assertRegex(result.err, r"not all of what .*/output had can be printed: \d+ bytes? (damaged|missing)")

    def test_a_record_after_the_end_of_its_stream_is_missing(self):
        segment, _ = self.three_records()
        *first, text, end = segment.read_bytes().splitlines(keepends=True)
        segment.write_bytes(b"".join([text, end, *first]))  # the end of a stream before its text
        self.assertRegex(self.logs(code=74).err, r"not all of what .*/output had can be printed: ")

    def test_a_line_of_the_index_that_is_gone_is_told(self):
        self.three_records()
        index = self.directory() / "output" / "index.ndjson"
        lines = index.read_bytes().splitlines(keepends=True)
        self.assertGreaterEqual(len(lines), 3)
        for gone in range(len(lines)):
            index.write_bytes(b"".join(lines[:gone] + lines[gone + 1:]))
            self.assertIn("a part of index.ndjson missing", self.logs(code=74).err, gone)

    def test_a_line_of_the_index_that_cannot_be_read_is_told(self):
        _, whole = self.three_records()
        index = self.directory() / "output" / "index.ndjson"
        index.write_bytes(index.read_bytes().replace(b'{"source":2,', b'["source":2,'))
        shown = self.texts("--step", "Tell", code=74)
        self.assertEqual(len(shown), 2)
        self.assertLess(set(shown), set(whole))

    def test_a_full_disk_costs_output_and_not_the_run(self):
        self.env["BARNUM_RUNS"] = str(small_disk.mount(self) / "runs")
        loud = step("Loud", "head -c 1200000 /dev/zero >&2; echo '[]'")
        result = self.run_workflow([loud | {"next": ["Last"], "action": command(loud["action"]["script"].replace(
            "'[]'", "'[{\"kind\": \"Last\", \"value\": 0}]'"))}, step("Last", "echo end >&2; echo '[]'")],
            "--state-log", "run.ndjson", "--keep-output", "all")
        self.assert_run(result)
        self.assertEqual(result.err.count("the output of commands is not kept: "), 1, result.err)
        self.assertIn("No space left on device; the run goes on", result.err)
        self.assertTrue(0 < sum(len(line.get("text", "")) for line in self.lines(code=74) if line["step"] == "Loud") < 1_000_000)

    def test_a_removed_directory_is_told_once_and_ends_nothing(self):
        run = self.start_waiting("echo before >&2")
        wait_until(lambda: self.kept_texts() == ["before"], "the first line to be kept")
        shutil.rmtree(self.directory() / "output")
        result = self.end(run)
        self.assertEqual(result.err.count("the output of commands is not kept: "), 1, result.err)
        self.assertIn("/output was removed: No such file or directory; the run goes on", result.err)
        self.assertEqual(self.logs().out, "")

    def test_a_run_without_a_directory_has_no_output(self):
        self.assert_run(self.run_workflow([step("Quick", "echo '[]'")], "--state-log", "run.ndjson"))
        shutil.rmtree(self.directory())
        self.assertIn("no output is kept of the run of run.ndjson: it has no directory", self.logs(run="run.ndjson", code=2).err)


class Colors(OutputCase, TerminalCase):
    def test_what_a_terminal_would_obey_is_not_printed(self):
        self.assert_run(self.run_workflow([step("Tell", r"printf 'red\233 31mx\n\342\200\256abc\na long text\rNo\n' >&2; echo '[]'")]))
        shown = self.logs().out
        self.assertEqual([line.removeprefix("Tell 0 | ") for line in shown.splitlines() if "[]" not in line],
                         ["red? 31mx", "?abc", "Nolong text"])

    STEPS = [step("Paint", r"printf '\033[31mred\033[0m \033[2Kplain\n' >&2; echo '[]'")]

    def test_escape_sequences_are_kept_and_left_out_where_no_terminal_reads_them(self):
        self.assert_run(self.run_workflow(self.STEPS))
        self.assertCountEqual(self.logs().out.splitlines(), ["Paint 0 | red plain", "Paint 0 | []"])
        self.assertEqual(self.texts()[0], "\x1b[31mred\x1b[0m \x1b[2Kplain")

    def test_a_terminal_shows_colors(self):
        self.assert_run(self.run_workflow(self.STEPS))
        terminal = self.terminal()
        terminal.type(f"{binary('barnum')} logs last")
        terminal.wait_for(r"Paint 0 \| red plain")
        self.assertIn("\x1b[31mred\x1b[", terminal.colored())
