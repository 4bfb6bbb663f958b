"""A program of the kind `acp` whose model says 1 MB for ever."""

import json
import os
import sys


def put(message):
    os.write(1, (json.dumps(message) + "\n").encode())


def write_all(data):
    while data:
        data = data[os.write(1, data):]


for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        put({"id": message["id"], "result": {"protocolVersion": 1}})
    elif message.get("method") == "session/new":
        put({"id": message["id"], "result": {"sessionId": "one"}})
    elif message.get("method") == "session/prompt":
        words = {"sessionUpdate": "agent_message_chunk", "content": {"text": "x" * 1_000_000}}
        chunk = (json.dumps({"method": "session/update", "params": {"update": words}}) + "\n").encode()
        while True:
            write_all(chunk)
