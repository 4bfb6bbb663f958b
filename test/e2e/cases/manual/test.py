"""The manual: a page for each command, made of what --help is made of, which man(1) shows without a warning."""

import gzip
import os
import re
from pathlib import Path
from shutil import which

from harness import Case, is_sanitized, require
from harness.environment import SOURCE_DIR

PROGRAMS = ("barnum", "troupe")
DOCUMENTS = (("config.md", "barnum-config", "5"), ("troupe-protocol.md", "troupe-protocol", "7"))


def commands_in(help_text):
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", help_text, re.MULTILINE)
    return re.findall(r"^  (\w+)", listed.group(1), re.MULTILINE) if listed else []


def options_in(help_text):
    return re.findall(r"^  (?:-\w \[ )?(--[\w-]+)", help_text, re.MULTILINE)


class Manual(Case):
    known = {}  # what programs have printed, and pages as man shows them: the same in each test

    def setUp(self):
        super().setUp()
        self.env |= {"LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80", "PAGER": "cat", "MANPAGER": "cat"}

    def output(self, name, *args):
        result = self.run_program(name, *args)
        self.assert_exit(result, 0)
        return result.out

    def once(self, *words):
        if words not in self.known:
            self.known[words] = self.output(*words)
        return self.known[words]

    def calls(self):
        """Every program and command, as one finds them by --help: (call, its help)."""
        left = [(program,) for program in PROGRAMS]
        while left:
            call = left.pop()
            text = self.once(*call, "--help")
            left += [(*call, name) for name in commands_in(text)]
            yield call, text

    def page(self, call):
        path = self.work / f"{'-'.join(call)}.1"
        path.write_text(self.once(call[0], "man", *call[1:]))
        return path

    def document(self, name, page, section):
        """A document as a page, made as the build does it."""
        require(which("lowdown"), "lowdown is not installed, which makes pages of documents")
        path = self.work / f"{page}.{section}"
        path.write_text(self.output(SOURCE_DIR / "scripts/manual-page", SOURCE_DIR / "docs" / name, page, section,
                                    "0.0", "barnum(1)"))
        return path

    def rendered(self, path):
        require(which("man"), "man is not installed, which shows pages")
        text = path.read_text()
        if text not in self.known:
            self.known[text] = self.output("man", "-E", "UTF-8", "-l", path)
        return self.known[text]

    def section(self, path, name):
        found = re.search(rf"^{name}\n(.*?)(?=^\S)", self.rendered(path), re.MULTILINE | re.DOTALL)
        self.assertTrue(found, f"{path.name} has no section {name}")
        return found.group(1)

    def assert_no_warning(self, path):
        require(which("man"), "man is not installed, which shows pages")
        result = self.run_program("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path)
        self.assert_exit(result, 0)
        self.assertEqual(result.err, "", path.name)

    def assert_name_line(self, path, name):
        line = " ".join(self.section(path, "NAME").split())
        self.assertRegex(line, rf"^{name} - [A-Z][^`]*[^`.]$")

    def test_every_command_has_a_page(self):
        listed = [page for program in PROGRAMS for page in self.output(program, "man", "--list").split()]
        calls = ["-".join(call) for call, _ in self.calls()]
        self.assertGreater(len(calls), 15)
        self.assertEqual(sorted(listed), sorted(calls))

    def test_man_has_nothing_to_say_against_a_page(self):
        for call, _ in self.calls():
            self.assert_no_warning(self.page(call))

    def test_a_page_has_every_option_of_the_help(self):
        for call, text in self.calls():
            shown = self.section(self.page(call), "OPTIONS")
            options = options_in(text)
            self.assertIn("--help", options)
            for option in options:
                self.assertRegex(shown, rf"(?m)^ +(-\w, )?{option}( |$)", call)

    def test_the_synopsis_is_that_of_the_help(self):
        for call, text in self.calls():
            path = self.page(call)
            usage = re.search(r"^Usage: (.*)$", text, re.MULTILINE).group(1)
            self.assertEqual(" ".join(self.section(path, "SYNOPSIS").split()), usage)
            self.assert_name_line(path, "-".join(call))

    def test_examples_and_exit_codes_have_sections(self):
        for call, text in self.calls():
            page = self.page(call).read_text()
            for begin, section in (("Example", "EXAMPLES"), ("Exit code", "EXIT STATUS")):
                if re.search(f"^{begin}", text, re.MULTILINE):
                    self.assertIn(f"\n.SH {section}\n", page, call)

    def test_a_page_refers_only_to_pages_that_there_are(self):
        pages = {f"{'-'.join(call)}(1)": call for call, _ in self.calls()}
        known = {*pages, *(f"{page}({section})" for _, page, section in DOCUMENTS)}
        for name, call in pages.items():
            text = self.section(self.page(call), "SEE ALSO")
            references = re.findall(r"[\w-]+\(\d\)", text)
            self.assertTrue(references, name)
            self.assertLessEqual(set(references), known, name)
            self.assertNotIn(name, references)

    def test_documents_become_pages(self):
        for name, page, section in DOCUMENTS:
            path = self.document(name, page, section)
            self.assert_no_warning(path)
            self.assert_name_line(path, page)
            text = self.rendered(path)
            self.assertIn(f"{page.upper()}({section})", text.splitlines()[0])
            self.assertNotRegex(text, r"(?m)^ *\|.*\|$|<!--|```|T\{", "a table, comment or fence was left as it is")
            self.assertIn("barnum(1)", self.section(path, "SEE ALSO"))

    def test_fields_and_code_of_a_document_are_in_its_page(self):
        text = self.rendered(self.document(*DOCUMENTS[0]))
        document = (SOURCE_DIR / "docs/config.md").read_text()
        fields = re.findall(r"^\| `(\$?\w+)` \| [^|\n]+ \| ", document, re.MULTILINE)
        self.assertGreater(len(fields), 20)
        for field in fields:
            self.assertRegex(text, rf"(?m)^ +{re.escape(field)} \(")
        for code in re.findall(r"^```\w*\n(.*?)^```", document, re.MULTILINE | re.DOTALL):
            for line in code.splitlines():
                self.assertIn(line, text)

    def test_the_build_makes_and_installs_all_pages(self):
        if is_sanitized():
            return  # has no manual: nobody installs such a build
        build = os.environ.get("BARNUM_BUILD_DIR")
        require(build and (Path(build) / "man").is_dir(), "BARNUM_BUILD_DIR is not a folder with a built manual")
        prefix = self.home / "prefix"
        self.assert_exit(self.run_program(os.environ.get("BARNUM_CMAKE", "cmake"), "--install", build, "--prefix",
                                          prefix), 0)
        for call, _ in self.calls():
            page = prefix / "share/man/man1" / f"{'-'.join(call)}.1.gz"
            self.assertEqual(gzip.decompress(page.read_bytes()).decode(), self.page(call).read_text())
        require(which("lowdown"), "lowdown is not installed, which makes pages of documents")
        for _, page, section in DOCUMENTS:
            self.assertTrue((prefix / f"share/man/man{section}/{page}.{section}.gz").is_file(), page)
