"""The messages of docs/troubleshooting.md, and the texts in the sources that they are made of."""

import ast
import re

from harness.environment import SOURCE_DIR
from harness.markdown import SPAN

PAGE = SOURCE_DIR / "docs/troubleshooting.md"
RAW = r'R"(?P<mark>[^()\\\s]*)\((?P<raw>.*?)\)(?P=mark)"'
TOKEN = re.compile(rf'//[^\n]*|/\*.*?\*/|#\s*include[^\n]*|\'(?:[^\'\\\n]|\\.)\'|{RAW}|"(?P<plain>(?:[^"\\\n]|\\.)*)"', re.S)


class Entry:
    """A section of the page. `messages` are the code spans of its heading, with … for what differs."""

    def __init__(self, line, heading, text):
        self.line, self.heading, self.text = line, heading, text
        self.messages = [span.group(2).strip() for span in SPAN.finditer(heading)]

    @property
    def remedy(self):
        return " ".join(self.text.partition("**What to do:**")[2].split())

    def pieces(self):
        """What must stand in the sources: the texts between the …, and where sentences are joined, without the
        punctuation that may come from elsewhere."""
        for message in self.messages:
            for piece in re.split("…|; ", message):
                stripped = piece.strip(" :;,.()'`")
                if len(stripped) >= 5:
                    yield stripped

    def is_in(self, output):
        """Whether a program has printed all of its messages."""
        return all(re.search(".*?".join(re.escape(" ".join(p.split())) for p in message.split("…")),
                             " ".join(output.split())) for message in self.messages)


def entries():
    found, text = [], PAGE.read_text()
    for section in re.finditer(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", text, re.M | re.S):
        found.append(Entry(text[:section.start()].count("\n") + 1, section.group(1), section.group(2)))
    return found


def literals():
    """The string literals of apps/ and libs/, adjacent ones joined."""
    found = []
    for folder in ("apps", "libs"):
        for path in sorted((SOURCE_DIR / folder).rglob("*.[ch]pp")):
            found += literals_of(path.read_text())
    return found


def literals_of(source):
    joined, end = [], None
    for token in TOKEN.finditer(source):
        if token["raw"] is None and token["plain"] is None:
            continue
        value = token["raw"] if token["raw"] is not None else unescaped(token["plain"])
        if end is not None and not source[end:token.start()].strip():
            joined[-1] += value
        else:
            joined.append(value)
        end = token.end()
    return joined


def unescaped(text):
    try:
        return ast.literal_eval(f'"{text}"')
    except (SyntaxError, ValueError):
        return text
