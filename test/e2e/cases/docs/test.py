"""The documentation, taken at its word: README.md, CONTRIBUTING.md, docs/*.md and the READMEs of the examples. A new
document is found, and tested, without being named here.

Each document is one scenario. Its fenced blocks are taken in their order, in one empty directory and HOME, with the
build's `barnum` and `troupe` on the PATH and a TROUPE_ROOT of the test's own; `claude`, `codex` and `gemini` are the
scripts in bin/, which accept what the real ones accept for unattended use and answer as a model does.

- `sh` and `bash` blocks run in one bash, so that exports and background jobs hold. Every command in them has to
  succeed.
- <!-- exit: N --> before one: its last command ends with N; the others may end with anything.
- <!-- background --> before one: it runs in the background until the document's end.
- <!-- not run: REASON --> before one: it does not run, because it needs root, a network, an account, systemd, docker or this
  repository's own build. Its commands and options are still looked up.
- <!-- file: NAME --> before a block: it is written to that file; a script is made executable. In jsonc, json and python
  a comment in the first line, `// notes.jsonc: …` or `# agent.py: …`, does the same.
- <!-- output --> before a `text` block: the block before it prints that, where digits, times, ids and columns may
  differ; `…` stands for any characters in a line, and alone for any lines. Other `text` blocks are not looked at.
- jsonc and json blocks have to parse. One with "steps" is a config, and has to be valid beside the document's files;
  <!-- fragment --> before one: it is a part of one, or leaves something out with `…`.
- <!-- run: COMMANDS -->, by itself: commands that the reader doesn't see, which set the stage or look at the result.

Besides, `barnum …` and `troupe …` in backticks name commands and options that exist, options in backticks exist
somewhere, links lead to files and headings that are there, no paragraph stands twice, and no merge has left its marks."""

import re
from pathlib import Path
from shutil import which

from harness import Case, require
from harness.document import Scenario
from harness.environment import SOURCE_DIR
from harness.markdown import Document
from harness.usage import PROGRAMS, Usage, commands_in

STAND_INS = Path(__file__).parent / "bin"
REASONS = ("root", "network", "account", "systemd", "docker", "build")
NOT_RUN_AT_MOST = 16
SHORTEST = 80  # of the paragraphs that must not stand twice, in characters: shorter ones are formulas such as "What to do:"
NEEDED = ("jq", "dot", "bash")


def documents():
    return sorted([SOURCE_DIR / "README.md", SOURCE_DIR / "CONTRIBUTING.md", *SOURCE_DIR.glob("docs/*.md"),
                   *SOURCE_DIR.glob("config-examples/**/README.md")])


def name_of(path):
    return str(path.relative_to(SOURCE_DIR))


class Following(Case):
    def follow(self, path):
        require(all(map(which, NEEDED)), f"one of {', '.join(NEEDED)} is not installed")
        scenario = Scenario(self, Document(path))
        runtime = self.home / "runtime"
        runtime.mkdir(mode=0o700)
        scenario.run({"PATH": f"{STAND_INS}:{self.env['PATH']}", "XDG_RUNTIME_DIR": runtime})
        return scenario


class Scenarios(Following):
    pass


def test_of(path):
    def test(self):
        for block, reason in self.follow(path).not_run:
            print(f"     not run: line {block.line}: {reason}", flush=True)
    return test


for document in documents():
    test_name = re.sub(r"\W+", "_", name_of(document).removesuffix(".md"))
    setattr(Scenarios, f"test_{test_name}_does_what_it_says", test_of(document))


def mistakes_in_links(document):
    for line, target in document.links():
        if not leads_somewhere(document, target):
            yield line, f"{target} leads nowhere"


def leads_somewhere(document, target):
    if re.match(r"\w+:", target):
        return target.startswith("https://")
    place, _, anchor = target.partition("#")
    path = document.path.parent / place if place else document.path
    return path.exists() and (not anchor or anchor in Document(path).anchors())


def mistakes_in_commands(document, usage):
    for line, command in commands_of(document):
        mistake = usage.mistake(command)
        if mistake:
            yield line, mistake


def commands_of(document):
    for line, span in document.spans():
        without_variables = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", span)
        if without_variables.split(" ")[0] in PROGRAMS:
            yield line, without_variables
    for block in document.blocks:
        yield from ((block.line, command) for command in commands_in(block.text))


def mistakes_in_options(document, usage, elsewhere):
    for line, span in document.spans():
        option = re.match(r"--[a-z][\w-]*", span)
        if option and option.group() not in usage.all_options():
            if not re.search(rf"(?<![\w-]){re.escape(option.group())}(?![\w-])", elsewhere):
                yield line, f"there is no option {option.group()}"


def left_by_a_merge(document):
    """Conflict markers, and paragraphs that both sides had."""
    text = document.path.read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"(<{7}|>{7})( |$)", line):
            yield number, "a conflict marker"
    first = {}
    for number, paragraph in paragraphs(without_blocks(text)):
        if len(paragraph) >= SHORTEST and paragraph in first:
            yield number, f"the paragraph stands in line {first[paragraph]}, too"
        first.setdefault(paragraph, number)


def without_blocks(text):
    return re.sub(r"^```.*?^```$", lambda block: "\n" * block.group().count("\n"), text, flags=re.M | re.S)


def paragraphs(text):
    line = 1
    for part in re.split(r"(\n\s*\n)", text):
        if part.strip():
            yield line, part.strip()
        line += part.count("\n")


def section_of(path, heading):
    return (SOURCE_DIR / path).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]


def enumerators(room, name):
    """Of the enumeration of that name, or of the one within the struct of that name."""
    pattern = re.compile(rf"(?:struct {name} {{(?:\s+{name}\([^;]*;)?\s+enum class \w+|enum class {name}) {{(.*?)}};", re.DOTALL)
    (text,) = [body for path in (SOURCE_DIR / "libs" / room).glob("*.hpp")
               for body in pattern.findall(re.sub(r" *//.*", "", path.read_text()))]
    return set(re.findall(r"\w+", text))


class Texts(Case):
    def assert_no(self, mistakes_in, *how):
        self.assertEqual([f"{name_of(path)}:{line}: {mistake}" for path in documents()
                          for line, mistake in mistakes_in(Document(path), *how)], [])

    def test_links_lead_to_files_and_headings_that_are_there(self):
        self.assert_no(mistakes_in_links)

    def test_no_paragraph_stands_twice_and_no_conflict_marker_is_left(self):
        self.assert_no(left_by_a_merge)

    def test_commands_in_the_text_exist_with_all_their_options(self):
        self.assert_no(mistakes_in_commands, Usage())

    def test_options_in_the_text_exist_somewhere(self):
        scripts = [path for folder in ("scripts", "test/bench") for path in (SOURCE_DIR / folder).rglob("*")
                   if path.is_file()]
        elsewhere = "".join(path.read_text(errors="ignore") for path in scripts) + " docker run --init "
        self.assert_no(mistakes_in_options, Usage(), elsewhere)

    def test_the_table_of_ends_has_each_end_that_the_code_knows(self):
        rows = [row.split("|")[2:-1] for row in section_of("docs/glossary.md", "How a task ends").splitlines() if row.startswith("|")]
        head, _, *rows = rows
        for number, cell in enumerate(head):
            room, name = re.search(r"`(\w+)::(\w+)`", cell).groups()
            listed = {word for row in rows for word in re.findall(r"`(\w+)`", row[number])}
            known = enumerators(room, name)
            self.assertLessEqual(listed, known, cell)
            if name != "Failure":  # attempts at other steps end in other ways, too
                self.assertEqual(listed, known, cell)

    def test_what_is_not_run_is_little_and_has_its_reason(self):
        blocks = [(path, block) for path in documents() for block in Document(path).blocks if "not run" in block.marks]
        self.assertEqual([f"{name_of(path)}:{block.line}" for path, block in blocks
                          if not any(reason in block.marks["not run"] for reason in REASONS)], [])
        self.assertLessEqual(len(blocks), NOT_RUN_AT_MOST)


class Lies(Following):
    """Documents that are not true have to be noticed."""

    def document(self, text):
        path = self.home / "lie.md"
        path.write_text(text.lstrip())
        return path

    def assert_noticed(self, text, place_and_reason):
        with self.assertRaisesRegex((AssertionError, ValueError), r"lie\.md:" + place_and_reason):
            self.follow(self.document(text))

    def test_a_command_that_fails_before_the_last(self):
        self.assert_noticed("# A\n\n```sh\nfalse\ntrue\n```\n", "3: a command of the block ended with 1: false")

    def test_an_option_that_is_not_there(self):
        self.assert_noticed("```sh\nbarnum config validate --confg x\n```\n", "1: a command .* ended with 2")

    def test_a_block_that_ends_the_shell(self):
        self.assert_noticed("```sh\nexit 0\n```\n```sh\nfalse\n```\n", "1: the block ends the shell")

    def test_another_exit_code(self):
        self.assert_noticed("<!-- exit: 2 -->\n```sh\n(exit 3)\n```\n", "2: a command .* ended with 3: and not 2")

    def test_a_variable_that_was_set_in_a_block_before_holds(self):
        self.follow(self.document("```sh\na=3\ncd /\n```\n```sh\n[ $a$PWD = 3/ ]\n```\n"))

    def test_an_output_that_differs(self):
        text = "```sh\necho one 1; echo two; echo three\n```\n\n<!-- output -->\n```text\n{}\n```\n"
        self.assert_noticed(text.format("one 2\n…\ntwo"), "6: the block before it prints something else")

    def test_numbers_and_what_was_left_out_may_differ_in_an_output(self):
        self.follow(self.document("```sh\nseq 3; echo 12 ms   left 4 s\n```\n<!-- output -->\n"
                                  "```text\n7\n…\n3 s l…t 9 s\n```\n"))

    def test_a_background_job_that_cannot_run(self):
        text = "<!-- background -->\n```sh\nno-such-program\n```\n"
        wait = '<!-- run: until [ -s "$logs/0.code" ]; do sleep 0.1; done -->\n'
        self.assert_noticed(text + wait, "2: it ended with 127")

    def test_a_config_that_is_not_valid(self):
        self.assert_noticed('```jsonc\n{ "steps": [], }\n```\n', "1: .*at least one step")

    def test_json_that_does_not_parse(self):
        self.assert_noticed('```json\n{ "a": 1 "b" }\n```\n', "1: it does not parse")

    def test_marks_that_belong_to_no_block(self):
        self.assert_noticed("<!-- exit: 2 -->\n\nA paragraph.\n", "1: no block follows the mark")
        self.assert_noticed("```sh\ntrue\n", "1: the fence is not closed")

    def test_what_a_merge_has_left(self):
        text = "A sentence of a paragraph that is as long as a paragraph has to be to be looked at, and longer.\n"
        document = Document(self.document(f"{text}\nShort.\n\nShort.\n\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> b\n\n{text}"))
        self.assertEqual(list(left_by_a_merge(document)),
                         [(7, "a conflict marker"), (11, "a conflict marker"), (13, "the paragraph stands in line 1, too")])

    def test_links_and_commands_that_lead_nowhere(self):
        document = Document(self.document("# A b\n\n[a](#a-b) [b](#a-c) [c](none.md) `barnum rnu`\n`troupe top --jsn | x` "
                                          "`troupe stop --drain` `--drain` `--drian`\n"))
        usage = Usage()
        self.assertEqual([mistake for _, mistake in mistakes_in_links(document)],
                         ["#a-c leads nowhere", "none.md leads nowhere"])
        self.assertEqual(list(mistakes_in_commands(document, usage)),
                         [(3, "`barnum` has no command rnu"), (4, "`troupe top` has no option --jsn")])
        self.assertEqual([mistake for _, mistake in mistakes_in_options(document, usage, "")],
                         ["there is no option --drian"])
