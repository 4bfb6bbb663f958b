"""The Messages API, as Claude Code uses it. {"stop": REASON} is another stop reason than the usual one.

A usage limit is told in headers, which Claude Code heeds only with the token of a subscription (CLAUDE_CODE_OAUTH_TOKEN).
"""

import json

ERRORS = {400: ("invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"),
          401: ("authentication_error", "invalid x-api-key"),
          404: ("not_found_error", "model: no-such-model"),
          429: ("rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
          500: ("api_error", "Internal server error"),
          529: ("overloaded_error", "Overloaded")}
USAGE = {"input_tokens": 1200, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 800, "output_tokens": 42}


class Anthropic:
    TOKENS = 1200 + 800 + 42  # of each answer
    lists = {"data": []}

    def is_model_request(self, path):
        return path.split("?")[0] == "/v1/messages"

    def side_answer(self, path):
        return {"input_tokens": 10} if "count_tokens" in path else {}

    def is_streamed(self, request):
        return request.body.get("stream", False)

    def messages(self, body):
        return [(message["role"], text) for message in body.get("messages", []) for text in texts(message["content"])]

    def error(self, step):
        kind, message = ERRORS[step.get("status", 429)]
        body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
        return step.get("status", 429), limit_headers(step["limit"]) if "limit" in step else {}, body

    def whole_answer(self, step, request):
        content = blocks(step, request)
        return message(request) | {"content": content, "stop_reason": stop_reason(step, content), "usage": USAGE}

    def events(self, step, request):
        content = blocks(step, request)
        out = [{"type": "message_start", "message": message(request)}]
        for index, block in enumerate(content):
            is_text = block["type"] == "text"
            delta = ({"type": "text_delta", "text": block["text"]} if is_text else
                     {"type": "input_json_delta", "partial_json": json.dumps(block["input"])})
            begin = block | ({"text": ""} if is_text else {"input": {}})
            out += [{"type": "content_block_start", "index": index, "content_block": begin},
                    {"type": "content_block_delta", "index": index, "delta": delta},
                    {"type": "content_block_stop", "index": index}]
        stop = {"stop_reason": stop_reason(step, content), "stop_sequence": None}
        return [*out, {"type": "message_delta", "delta": stop, "usage": USAGE}, {"type": "message_stop"}]


def texts(content):
    return [content] if isinstance(content, str) else [block["text"] for block in content if block["type"] == "text"]


def message(request):
    return {"id": f"msg_{id(request)}", "type": "message", "role": "assistant", "model": request.body.get("model"), "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": USAGE | {"output_tokens": 1}}


def blocks(step, request):
    if "text" in step:
        return [{"type": "text", "text": step["text"]}]
    if "tool" in step:
        return [tool_use(step["tool"], step.get("input", {}), request)]
    if "tasks" in step:
        if any(tool.get("name") == "StructuredOutput" for tool in request.body.get("tools", [])):
            return [tool_use("StructuredOutput", {"tasks": step["tasks"]}, request)]
        return [{"type": "text", "text": json.dumps(step["tasks"])}]
    return []


def tool_use(name, arguments, request):
    return {"type": "tool_use", "id": f"toolu_{id(request)}", "name": name, "input": arguments}


def stop_reason(step, content):
    return step.get("stop", "tool_use" if content and content[0]["type"] == "tool_use" else "end_turn")


def limit_headers(until):
    window = "anthropic-ratelimit-unified"
    return {f"{window}-status": "rejected", f"{window}-reset": until, f"{window}-representative-claim": "five_hour",
            f"{window}-5h-status": "rejected", f"{window}-5h-reset": until, f"{window}-5h-utilization": "1.0",
            f"{window}-overage-status": "rejected", f"{window}-overage-disabled-reason": "org_level_disabled"}
