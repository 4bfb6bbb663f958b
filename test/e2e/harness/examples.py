"""The workflows of config-examples, and the command that each one's opening comment gives."""

from harness.environment import SOURCE_DIR

EXAMPLES = SOURCE_DIR / "config-examples"


def names():
    return {path.name for path in EXAMPLES.iterdir() if path.is_dir()}


def documented_command(example):
    """From `barnum run` in the comment to the next empty line of it, without the //."""
    comment = (EXAMPLES / example / "workflow.jsonc").read_text().split("\n{\n")[0]
    lines = [line.removeprefix("//").strip() for line in comment.splitlines()]
    first = next(i for i, line in enumerate(lines) if "barnum run" in line)
    end = next((i for i in range(first, len(lines)) if not lines[i]), len(lines))
    return "\n".join(lines[first:end])
