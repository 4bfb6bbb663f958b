"""Runs a document: what its blocks write and do, in their order, in one directory, as a reader would who follows it.

All becomes one bash script, so that variables, functions and background jobs go on from block to block. What each block
prints, and the exit code that it ends with, is kept in files beside the directory."""

import difflib
import json
import re
import shlex

from harness.environment import is_sanitized
from harness.markdown import JSON, SHELL
from harness.process import SANITIZER_REPORTS

PRELUDE = r"""
logs=$1
set -o pipefail
end_jobs() {
    trap '' TERM
    kill -TERM 0
    wait
}
trap end_jobs EXIT
failed() { printf 'a command of the block ended with %s: %s\n' "$1" "$2" >"$logs/failure"; }
echo 0 >"$logs/block"
"""
# Of a block that is to succeed, the first command that fails ends it.
STRICT = """trap 'code=$?; failed "$code" "$BASH_COMMAND"; exit 1' ERR"""
DEADLINE = 480 if is_sanitized() else 300  # seconds for a document, which only one that hangs takes
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DURATION = re.compile(r"\b\d+(?:\.\d+)? (?:ms|s|min|h|d)\b(?: \d+ (?:s|min|h)\b)*")


class Scenario:
    """The script of one document. `case` is the test that runs it, in its folder `work`."""

    def __init__(self, case, document):
        self.case, self.document = case, document
        self.logs = case.home / "blocks"
        self.logs.mkdir()
        self.ran = []  # (block, number) of what commands print
        self.not_run = []
        self.outputs = []  # (block, number of the block whose output it is)

    def run(self, env):
        """Raises AssertionError, with the document's line, for the first thing that is not as the document says."""
        bash = self.case.start("bash", self._write("all", self.script()), self.logs, env=env)
        try:
            bash.result(DEADLINE)
        except AssertionError:
            self._fail(f"the block has not ended {DEADLINE} s after the document's begin", bash)
        if (self.logs / "failure").exists():
            self._fail((self.logs / "failure").read_text(), bash)
        if not (self.logs / "end").exists():
            self._fail("the block ends the shell", bash)
        for block, number in self.ran:
            self._check_background(block, number)
            report = next((mark for mark in SANITIZER_REPORTS if mark in self._printed(number)), None)
            self._refuse_unless(not report, block, f"{report}:\n{self._printed(number)}")
        for block, number in self.outputs:
            self._compare(block, self._printed(number))
        for block in self.document.blocks:
            if block.language in JSON:
                self._check_json(block, env)

    def script(self):
        parts = [PRELUDE]
        for number, block in enumerate(self.document.blocks):
            if "output" in block.marks:
                self._refuse_unless(self.ran, block, "it is the output of no block")
                self.outputs.append((block, self.ran[-1][1]))
            elif "not run" in block.marks:
                self.not_run.append((block, block.marks["not run"]))
            elif block.file:
                parts.append(self._writing(block, number))
            elif block.language in SHELL:
                parts.append(self._running(block, number))
                self.ran.append((block, number))
        return "\n".join([*parts, 'touch "$logs/end"\n'])

    def _writing(self, block, number):
        body = self._write(number, block.text)
        name = shlex.quote(block.file)
        mode = "755" if block.text.startswith("#!") or block.language in SHELL else "644"
        return f"mkdir -p \"$(dirname {name})\" && cp {shlex.quote(str(body))} {name} && chmod {mode} {name} || exit 1"

    def _running(self, block, number):
        path = shlex.quote(str(self._write(number, block.text)))
        run = f'eval "$(cat {path})"'
        to = f'</dev/null >"$logs/{number}.out" 2>&1'
        place = f'echo {number} >"$logs/block"'
        if "background" in block.marks:
            return f'{place}\n( {run}; echo $? >"$logs/{number}.code" ) {to} &'
        if "exit" in block.marks:
            wanted = int(block.marks["exit"])
            return (f'{place}\ntrap - ERR\n{{ {run}; }} {to}\ncode=$?\n'
                    f'[ $code = {wanted} ] || {{ failed $code "and not {wanted}"; exit 1; }}')
        return f"{place}\n{STRICT}\n{{ {run}; }} {to}"

    def _write(self, name, text):
        path = self.logs / f"{name}.sh"
        path.write_text(text)
        return path

    def _printed(self, number):
        path = self.logs / f"{number}.out"
        return path.read_text(errors="replace") if path.exists() else ""

    def _fail(self, reason, bash):
        number = int((self.logs / "block").read_text())
        self._say(self.document.blocks[number].line, f"{reason.strip()}\n{self._printed(number)[-4000:]}\n{bash.err}")

    def _check_background(self, block, number):
        """It may end by itself, when its pool does say, but not because it could not be run."""
        code = self.logs / f"{number}.code"
        if code.exists() and code.read_text().strip() in ("2", "126", "127"):
            self._say(block.line, f"it ended with {code.read_text().strip()}\n{self._printed(number)}")

    def _compare(self, block, printed):
        difference = first_difference(block.text, printed)
        if difference:
            self._say(block.line, f"the block before it prints something else: {difference}\n--- it printed\n{printed}")

    def _check_json(self, block, env):
        """A whole config must be valid, where it stands beside the files of the document; a part of one must parse."""
        value = parse_json(block.text, fragment="fragment" in block.marks)
        if isinstance(value, ValueError):
            self._say(block.line, f"it does not parse: {value}")
        if isinstance(value, dict) and "steps" in value and "fragment" not in block.marks:
            copy = self.case.work / f".block-{block.line}.jsonc"
            copy.write_text(block.text)
            result = self.case.run_program("barnum", "config", "validate", "--config", copy, env=env)
            if result.code:
                self._say(block.line, result.err)

    def _refuse_unless(self, condition, block, reason):
        if not condition:
            self._say(block.line, reason)

    def _say(self, line, text):
        raise AssertionError(f"{self.document.path}:{line}: {text}")


def normal(line):
    """A line without what differs from run to run: times, ids, numbers, the width of columns."""
    line = UUID.sub("ID", line)
    line = DURATION.sub("0 s", line)
    return " ".join(re.sub(r"\d+", "0", line).split())


def first_difference(wanted, printed):
    """'' if the printed text is the wanted one, in which a line `…` stands for any lines, and `…` in a line for any
    characters."""
    want = [normal(line) for line in wanted.strip("\n").splitlines()]
    have = [normal(line) for line in printed.strip("\n").splitlines()]
    at = 0
    for i, part in enumerate(parts := _parts(want)):
        first, last = i == 0, i == len(parts) - 1
        starts = [at] if first else ([len(have) - len(part)] if last else range(at, len(have) - len(part) + 1))
        found = next((s for s in starts if s >= at and all_fit(part, have[s:s + len(part)])), None)
        if found is None or (first and last and len(have) != len(part)):
            return "\n" + "\n".join(difflib.unified_diff(part, have[at:], "document", "printed", lineterm=""))
        at = found + len(part)
    return ""


def all_fit(wanted, printed):
    return len(wanted) == len(printed) and all(
        re.fullmatch(".*".join(map(re.escape, want.split("…"))), line) for want, line in zip(wanted, printed))


def _parts(lines):
    """The lines between those that are `…`."""
    parts = [[]]
    for line in lines:
        if line == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def parse_json(text, fragment):
    """The value of JSON with comments and trailing commas, or the ValueError. A fragment may also be members of an
    object, or leave things out with `…`."""
    plain = without_comments(text)
    if fragment:
        plain = re.sub(r"…", "null", plain)
    for candidate in (plain, "{" + plain + "}") if fragment else (plain,):
        try:
            return json.loads(re.sub(r",(\s*[\]}])", r"\1", candidate))
        except ValueError as e:
            error = e
    try:
        return [json.loads(line) for line in plain.splitlines() if line.strip()]
    except ValueError:
        return error


def without_comments(text):
    token = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)
    return token.sub(lambda t: t.group(0) if t.group(0).startswith('"') else " ", text)
