"""The relative links of Markdown files, and whether they lead somewhere."""

import re

FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


def relative_links(path):
    """What the file links to on the same machine, as it stands there."""
    text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", path.read_text()))
    return [target for target in TARGET.findall(text) if not re.match(r"[a-z]+:", target)]


def dangling_links(folder):
    """'file: target' of each link from a Markdown file below the folder to what is not there; symlinks are followed."""
    files = sorted({*folder.rglob("*.md"), *folder.glob("*/*.md")})
    return [f"{file.relative_to(folder)}: {target}" for file in files for target in relative_links(file)
            if not (file.parent / target).exists()]
