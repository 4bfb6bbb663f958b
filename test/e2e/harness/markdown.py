"""What the tests of the documentation see of a markdown file: its fenced blocks with the marks before them, its code
spans, its links and the anchors that links can have.

A mark is an HTML comment before a block, or several, with nothing but empty lines between: <!-- exit: 2 -->. Hidden
commands, <!-- run: COMMANDS -->, stand by themselves and become blocks of their own. Comments that no mark's name begins
with say nothing to the tests. It is not a whole markdown parser: fences, headings and links are read as the project's
documents write them."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

MARKS = {"exit", "file", "background", "not run", "output", "fragment"}
SHELL = {"sh", "bash"}
JSON = {"json", "jsonc"}
FENCE = re.compile(r"( *)(`{3,}|~{3,})\s*(\S*)\s*")
COMMENT = re.compile(r"<!--\s*(.*?)\s*-->\s*", re.S)
NAMED = re.compile(r"(?://|#) ([\w./-]+\.\w+)(?::|$)")
SPAN = re.compile(r"(`+)(.+?)\1", re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@dataclass
class Block:
    line: int  # of its opening fence, from 1
    language: str
    text: str
    marks: dict = field(default_factory=dict)
    hidden: bool = False

    @property
    def file(self):
        """The name that it is to be written under: of its mark, or of a comment in its first line."""
        if "file" in self.marks:
            return self.marks["file"]
        named = NAMED.match(self.text) if self.language in JSON | {"python"} else None
        return named.group(1) if named else None


class Document:
    """Raises ValueError, with the line, for a fence that is not closed and a mark that no block follows."""

    def __init__(self, path):
        self.path = path
        self.blocks = []
        self.prose = []  # (line, text) of each paragraph, heading, list item or table row, without fences and comments
        self._read(path.read_text())

    def spans(self):
        """(line, text) of the code spans, line breaks in them as spaces."""
        for line, text in self.prose:
            for found in SPAN.finditer(text):
                yield line + text[:found.start()].count("\n"), " ".join(found.group(2).split()).replace("\\|", "|")

    def links(self):
        """(line, target) of the links; a code span is none."""
        for line, text in self.prose:
            bare = SPAN.sub(lambda span: "\n" * span.group(0).count("\n"), text)
            for found in LINK.finditer(bare):
                yield line + bare[:found.start()].count("\n"), unquote(found.group(1))

    def anchors(self):
        """The fragments that its headings can be linked by, as GitHub makes them."""
        seen = set()
        for _, text in self.prose:
            heading = re.match(r"#{1,6}\s+(.*)", text)
            if heading:
                plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
                slug = base = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
                count = 0
                while slug in seen:
                    count += 1
                    slug = f"{base}-{count}"
                seen.add(slug)
        return seen

    def _read(self, text):
        lines = text.splitlines()
        marks, place, at = {}, 0, 0
        while at < len(lines):
            fence = FENCE.fullmatch(lines[at])
            if fence:
                end = self._end_of_fence(lines, at, fence.group(2))
                indent = len(fence.group(1))
                body = "".join(re.sub(rf"^ {{0,{indent}}}", "", line) + "\n" for line in lines[at + 1:end])
                self.blocks.append(Block(at + 1, fence.group(3), body, marks))
                marks, at = {}, end + 1
            elif lines[at].startswith("<!--"):
                end = next((i for i in range(at, len(lines)) if "-->" in lines[i]), len(lines))
                place, at = at + 1, end + 1
                marks |= self._comment("\n".join(lines[place - 1:at]), place)
            elif marks and lines[at].strip():
                self._refuse(place, f"no block follows the mark {', '.join(marks)}")
            else:
                at = self._paragraph(lines, at)
        if marks:
            self._refuse(place, "no block follows the mark")

    def _end_of_fence(self, lines, start, fence):
        for i in range(start + 1, len(lines)):
            if re.fullmatch(rf" *{fence[0]}{{{len(fence)},}}\s*", lines[i]):
                return i
        self._refuse(start + 1, "the fence is not closed")

    def _comment(self, text, line):
        found = COMMENT.fullmatch(text)
        name, _, value = (found.group(1) if found else "").partition(":")
        if name == "run":
            self.blocks.append(Block(line, "sh", value.strip() + "\n", {}, hidden=True))
        return {name: value.strip()} if name in MARKS else {}

    def _paragraph(self, lines, start):
        """Takes the lines up to the next that is empty or begins something of its own."""
        end = start + 1
        if not lines[start].startswith("#"):
            while end < len(lines) and lines[end].strip() and not re.match(r"[#|<]| *(```|~~~|[-*] )", lines[end]):
                end += 1
        self.prose.append((start + 1, "\n".join(lines[start:end])))
        return end

    def _refuse(self, line, reason):
        raise ValueError(f"{self.path}:{line}: {reason}")


def relative_links(path):
    """What the file links to on the same machine, as it stands there but for fragments."""
    return [place for _, target in Document(path).links()
            if not re.match(r"\w+:", target) and (place := target.partition("#")[0])]


def dangling_links(folder):
    """'file: target' of each link from a Markdown file below the folder to what is not there; symlinks are followed."""
    files = sorted({*folder.rglob("*.md"), *folder.glob("*/*.md")})
    return [f"{file.relative_to(folder)}: {target}" for file in files for target in relative_links(file)
            if not (file.parent / target).exists()]
