"""A server of the Model Context Protocol with one tool, `note`, which returns the variables of the server that were asked for."""

import json
import os
import sys

TOOL = {"name": "note", "description": "Notes a word.", "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}}}


def result_of(message):
    if message["method"] == "initialize":
        return {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "notes", "version": "1"}}
    if message["method"] == "tools/list":
        return {"tools": [TOOL]}
    if message["method"] == "tools/call":
        words = [message["params"]["arguments"]["word"], *(os.environ.get(name, "-") for name in sys.argv[1:])]
        return {"content": [{"type": "text", "text": "noted: " + " ".join(words)}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result_of(request)}), flush=True)
