"""Says a secret, which is in the variable MY_TOKEN, in every way in which a program may write it."""

import json
import os
import sys

SECRET = os.environ["MY_TOKEN"]
RED, PLAIN = "\x1b[01;31m\x1b[K", "\x1b[m\x1b[K"


def colored(at):
    """As `grep --color` shows a match within it."""
    return SECRET[:at] + RED + SECRET[at:at + 3] + PLAIN + SECRET[at + 3:]


def in_pieces(write):
    """Each byte by a write of its own, plain and with colors."""
    for text in (SECRET, colored(1), colored(len(SECRET) // 2), SECRET[:5] + "\0\x08" + SECRET[5:]):
        write("it is ")
        for character in text:
            write(character)
        write("!\n")


def across_cuts(write):
    """Such that the first bytes of a line, and the last ones of all, end and begin within it, for each number at which something is cut."""
    half = len(SECRET) // 2
    for size in (120, 200, 2000, 4000, 8000):
        write("x" * (size - half) + SECRET + "\n")
    end = list("y" * (64 * 1024 + half))
    for size in (2000, 4000, 8000, 64 * 1024):
        begin = len(end) - size - half
        end[begin:begin + len(SECRET)] = SECRET
    write("".join(end))


def to_stderr(text):
    os.write(2, text.encode())


def acp():
    """An agent's program that says it wherever the protocol has words, and then does what it was told to."""
    def put(message):
        os.write(1, (json.dumps(message) + "\n").encode())

    def update(**what):
        put({"method": "session/update", "params": {"update": what}})

    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "initialize":
            put({"id": message["id"], "result": {"protocolVersion": 1}})
        elif message.get("method") == "session/new":
            put({"id": message["id"], "result": {"sessionId": "one"}})
        elif message.get("method") == "session/prompt":
            os.write(1, f"for people: {SECRET} {colored(4)}\n".encode())
            across_cuts(to_stderr)
            for text in (SECRET, colored(4), "x" * 100 + SECRET + "x" * 100):
                update(sessionUpdate="tool_call", kind="execute", title=text)
                put({"id": 77, "method": "session/request_permission",
                     "params": {"toolCall": {"title": text, "kind": "execute"}, "options": []}})
            update(sessionUpdate="agent_message_chunk", content={"text": f"I say {SECRET}"})
            end(message["id"], put)


def end(prompt, put):
    how = sys.argv[2]
    if how == "answer":
        put({"id": prompt, "result": {"stopReason": "end_turn"}})
    elif how == "exit":
        sys.exit(3)
    else:
        text = "x" * (4000 - len(SECRET) // 2) + SECRET if how == "too long" else f"{SECRET} and {colored(3)}"
        put({"id": prompt, "error": {"code": -32000 if how == "login" else 1, "message": text,
                                     "data": {"errorKind": "rate_limit" if how == "limit" else ""}}})


if sys.argv[1] == "acp":
    acp()
else:
    in_pieces(to_stderr)
    across_cuts(to_stderr)
    if "invalid" in sys.argv[2:]:
        sys.stdout.write("x" * 190 + SECRET + "no response\n" + colored(4) + "\n")
    sys.exit(int(sys.argv[1]))
