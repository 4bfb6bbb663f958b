"""What the programs' own --help says of commands and options, and whether a command in a text fits it."""

import re
import shlex
import subprocess

from harness.environment import binary
from harness.waiting import DEADLINE

PROGRAMS = ("barnum", "troupe")
OPERATORS = {"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1", ")"}


class Usage:
    def __init__(self):
        self.helps = {}
        self.known = {}  # what options() has found; it is asked for thousands of times
        for program in PROGRAMS:
            self._ask((program,))

    def mistake(self, text):
        """Says what of the command in `text` does not exist; '' if all does. What stands for something (…, NAME) and
        what comes after the command itself, a pipe say, is passed over."""
        words = split(text)
        command = (words.pop(0),)
        while words and self.commands(command) and not words[0].startswith("-"):
            if is_placeholder(words[0]):
                return ""
            if words[0] not in self.commands(command):
                return f"`{' '.join(command)}` has no command {words[0]}"
            command += (words.pop(0),)
        for word in words:
            if word.startswith("-") and word not in ("-", "--") and not is_placeholder(word):
                option = word.split("=")[0].rstrip(".,:;)")
                if option not in self.options(command):
                    return f"`{' '.join(command)}` has no option {option}"
        return ""

    def commands(self, command):
        section = re.search(r"^Commands:\n((?: +.+\n)+)", self.helps[command], re.M)
        return re.findall(r"^ +(\S+)  ", section.group(1), re.M) if section else []

    def options(self, command):
        if command not in self.known:
            self.known[command] = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", self._declared(command))) | {"--help", "-h"}
        return self.known[command]

    def all_options(self):
        return set().union(*(self.options(command) for command in self.helps))

    def _declared(self, command):
        """The left column of the options."""
        return "\n".join(re.split(r"(?<=\S)\s{2,}", line)[0] for line in self.helps[command].splitlines()
                         if re.match(r" +-", line))

    def _ask(self, command):
        text = subprocess.run([binary(command[0]), *command[1:], "--help"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, check=True, timeout=DEADLINE).stdout.decode()
        self.helps[command] = text
        for name in self.commands(command):
            self._ask((*command, name))


def is_placeholder(word):
    """COMMAND, …, "…" and the like."""
    return "…" in word or "..." in word or re.fullmatch(r"[A-Z][A-Z_|-]*", word) is not None


def split(text):
    """The words of the first simple command of a shell's text."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words = []
    try:
        for word in lexer:
            if word and set(word) <= set("|&;<>"):
                break
            words.append(word)
    except ValueError:  # a quote that is not closed: a span that was cut off
        return text.split()
    return words


def commands_in(script):
    """The texts, in a shell's script, that begin with one of the programs."""
    joined = re.sub(r"\\\n\s*", " ", script)
    for line in joined.splitlines():
        found = re.match(r"\s*(?:\$ )?((?:barnum|troupe) .*)", line)
        if found:
            yield found.group(1)
