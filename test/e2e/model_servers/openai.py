"""The Responses API, as Codex uses it. A tool may have a "namespace". {"failed": {"code": ..., "message": ...}} is a failure within the stream, {"incomplete": REASON} an answer that was cut off."""

import json
import time

ERRORS = {400: {"message": "Your input exceeds the context window of this model.", "type": "invalid_request_error",
                "code": "context_length_exceeded"},
          401: {"message": "Incorrect API key provided.", "type": "invalid_request_error", "code": "invalid_api_key"},
          404: {"message": "The model `no-such-model` does not exist.", "type": "invalid_request_error",
                "code": "model_not_found"},
          429: {"message": "Rate limit reached. Please try again in 20s.", "type": "requests", "code": "rate_limit_exceeded"},
          500: {"message": "The server had an error.", "type": "server_error", "code": None},
          503: {"message": "The engine is currently overloaded.", "type": "server_error", "code": "server_is_overloaded"}}
USAGE = {"input_tokens": 1200, "input_tokens_details": {"cached_tokens": 800}, "output_tokens": 42,
         "output_tokens_details": {"reasoning_tokens": 7}, "total_tokens": 1242}


class OpenAi:
    TOKENS = 1200 + 42  # of each answer
    lists = {"object": "list", "data": [], "models": []}

    def is_model_request(self, path):
        return path.split("?")[0].endswith("/responses")

    def side_answer(self, _):
        return {}

    def is_streamed(self, _):
        return True

    def messages(self, body):
        return [(item["role"], part["text"]) for item in body.get("input", []) if item.get("type") == "message"
                for part in item["content"] if "text" in part]

    def error(self, step):
        if "limit" not in step:
            return step["status"], {}, {"error": ERRORS[step["status"]]}
        headers = {"x-codex-primary-used-percent": "100.0", "x-codex-primary-window-minutes": "300",
                   "x-codex-primary-reset-at": step["limit"]}
        error = {"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus",
                 "resets_at": step["limit"], "resets_in_seconds": max(0, step["limit"] - int(time.time()))}
        return 429, headers, {"error": error}

    def events(self, step, request):
        response = {"id": f"resp_{id(request)}", "object": "response", "model": request.body.get("model"), "output": []}
        begin = {"type": "response.created", "response": response | {"status": "in_progress"}}
        if "failed" in step:
            events = [begin, {"type": "response.failed", "response": response | {"status": "failed", "error": step["failed"]}}]
        elif "incomplete" in step:
            end = response | {"status": "incomplete", "incomplete_details": {"reason": step["incomplete"]}, "usage": USAGE}
            events = [begin, {"type": "response.incomplete", "response": end}]
        else:
            items = output(step, request)
            end = response | {"status": "completed", "output": items, "usage": USAGE}
            events = [begin, *item_events(items), {"type": "response.completed", "response": end}]
        return [event | {"sequence_number": number} for number, event in enumerate(events)]


def output(step, request):
    if "tool" in step:
        return [{"type": "function_call", "id": f"fc_{id(request)}", "call_id": f"call_{id(request)}", "name": step["tool"],
                 "arguments": json.dumps(step.get("input", {})), "status": "completed"}
                | ({"namespace": step["namespace"]} if "namespace" in step else {})]
    text = step.get("text")
    if "tasks" in step:
        has_schema = "format" in (request.body.get("text") or {})
        text = json.dumps({"tasks": step["tasks"]} if has_schema else step["tasks"])
    if text is None:
        return []
    return [{"type": "message", "role": "assistant", "id": f"msg_{id(request)}", "status": "completed",
             "content": [{"type": "output_text", "text": text, "annotations": []}]}]


def item_events(items):
    for item in items:
        yield {"type": "response.output_item.added", "output_index": 0, "item": item | {"status": "in_progress"}}
        if item["type"] == "message":
            yield {"type": "response.output_text.delta", "item_id": item["id"], "output_index": 0, "content_index": 0,
                   "delta": item["content"][0]["text"]}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
