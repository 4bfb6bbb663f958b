"""A program of the kind KIND that greets as its kind does, and then floods its reader with one kind of message.

flood.py KIND [ITS OWN ARGUMENTS]. The value of the task, {"message": NAME, "bytes": N, "times": N}, says with which message
it floods: `times` lines, each with a text of `bytes` bytes where the message has one, and with an id of its own.
"""

import json
import os
import re
import sys
import time


def write_all(data):
    while data:
        data = data[os.write(1, data):]


def put(message):
    write_all((json.dumps(message) + "\n").encode())


def update(**members):
    return {"method": "session/update", "params": {"update": members}}


def notice(method, **params):
    return {"method": method, "params": {"threadId": "one", "turnId": "turn"} | params}


def claude(**members):
    return {"session_id": "one"} | members


def assistant(**block):
    return claude(type="assistant", message={"id": "ID", "content": [block]})


REQUEST = {"id": "ID", "method": "session/request_permission",
           "params": {"toolCall": {"title": "TEXT", "kind": "edit", "locations": [{"path": "TEXT"}]},
                      "options": [{"optionId": "TEXT", "kind": "allow_once"}, {"optionId": "TEXT", "kind": "reject_once"}]}}
UNKNOWN = {"id": "TEXT", "method": "unknown/ID", "params": {}}
ACP = {"words": update(sessionUpdate="agent_message_chunk", content={"text": "TEXT"}),
       "thoughts": update(sessionUpdate="agent_thought_chunk", content={"text": "TEXT"}),
       "plan": update(sessionUpdate="plan", entries=[{"content": "TEXT"}]),
       "title": update(sessionUpdate="tool_call", toolCallId="ID", title="TEXT", kind="TEXT"),
       "refusal": update(sessionUpdate="tool_call_update", toolCallId="TEXT", status="failed",
                         content=[{"content": {"text": "Path not in workspace \"TEXT\""}}]),
       "permission": REQUEST, "request": UNKNOWN, "error": {"id": 99, "error": {"code": 1, "message": "TEXT", "data": "TEXT"}}}
CODEX = {"words": notice("item/agentMessage/delta", itemId="TEXT", delta="TEXT"),
         "message": notice("item/completed", item={"type": "agentMessage", "id": "ID", "text": "TEXT"}),
         "command": notice("item/started", item={"type": "commandExecution", "command": "TEXT"}),
         "call": notice("rawResponseItem/completed", item={"type": "function_call", "call_id": "ID", "name": "TEXT",
                                                           "arguments": "{\"cmd\":\"TEXT\"}"}),
         "usage": {"method": "thread/tokenUsage/updated",
                   "params": {"threadId": "ID TEXT", "tokenUsage": {"total": {"inputTokens": 1}}}},
         "error": notice("error", willRetry=True, error={"message": "TEXT", "codexErrorInfo": "other"}),
         "limits": {"method": "account/rateLimits/updated", "params": {"rateLimits": {"primary": {"TEXT": "TEXT"}}}},
         "request": UNKNOWN}
CLAUDE = {"session": claude(type="system", subtype="init", session_id="ID TEXT", model="TEXT"),
          "words": claude(type="stream_event", event={"type": "content_block_delta", "delta": {"text": "TEXT"}}),
          "tool": assistant(type="tool_use", id="ID", name="TEXT", input={"file_path": "TEXT"}),
          "answer": assistant(type="tool_use", id="ID TEXT", name="StructuredOutput", input={"x": "TEXT"}),
          "code": claude(type="assistant", error="TEXT", message={"id": "ID"}),
          "refusal": claude(type="user", message={"content": [{"is_error": True, "tool_use_id": "ID", "content": "TEXT"}]}),
          "retry": claude(type="system", subtype="api_retry", error="TEXT", error_status=529),
          "limit": claude(type="rate_limit_event", rate_limit_info={"status": "TEXT"})}
MESSAGES = {"acp": ACP, "gemini": ACP, "codex": CODEX, "claude": CLAUDE}
for table in MESSAGES.values():
    table["no JSON"] = None  # a line for people


def flood(kind, wish):
    message = MESSAGES[kind][wish["message"]]
    line = "TEXT ID" if message is None else json.dumps(message)
    text = "x" * (wish["bytes"] // max(1, line.count("TEXT")))
    before, *parts = line.replace("TEXT", text).split("ID")
    for number in range(wish["times"]):
        write_all((before + "".join(str(number) + part for part in parts) + "\n").encode())


def asked(prompt):
    """The wish, which stands in the prompt as JSON, perhaps in a string of JSON."""
    return json.loads(re.search(r'\{[^{}]*"message"[^{}]*\}', prompt.replace("\\", "")).group())


def is_prompt(message):
    return message.get("method") in ("session/prompt", "turn/start") or message.get("type") == "user"


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if method == "initialize":
            put({"id": message["id"], "result": {"protocolVersion": 1}})
        elif method == "session/new":
            put({"id": message["id"], "result": {"sessionId": "one"}})
        elif method == "thread/start":
            put({"id": message["id"], "result": {"thread": {"id": "one"}, "model": "m"}})
        elif is_prompt(message):
            if method == "turn/start":
                put({"id": message["id"], "result": {"turn": {"id": "turn"}}})
            flood(sys.argv[1], asked(line))
            break
    if os.environ.get("FLOOD_STAYS"):
        time.sleep(1000)


if __name__ == "__main__":
    main()
