"""The Gemini API, as Gemini CLI uses it. {"stop": REASON} is another reason for the end than "STOP"; {"quota": ID} beside a
status names the quota that is used up, {"retry": SECONDS} how long that lasts. {"block": REASON} refuses the prompt itself.

Only streamed requests take a step: the others are the program's own helpers.
"""

import json

ERRORS = {400: ("INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
          401: ("UNAUTHENTICATED", "Request had invalid authentication credentials."),
          403: ("PERMISSION_DENIED", "Permission denied."),
          404: ("NOT_FOUND", "models/no-such-model is not found for API version v1beta."),
          429: ("RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details."),
          500: ("INTERNAL", "An internal error has occurred."),
          503: ("UNAVAILABLE", "The model is overloaded. Please try again later.")}
USAGE = {"promptTokenCount": 1200, "cachedContentTokenCount": 800, "candidatesTokenCount": 42, "thoughtsTokenCount": 7,
         "totalTokenCount": 1249}


class Gemini:
    TOKENS = 1200 + 42  # of each answer, without those of thinking, which Gemini CLI does not tell
    lists = {"models": []}

    def is_model_request(self, path):
        return ":streamGenerateContent" in path

    def side_answer(self, path):
        return response([{"text": "{}"}], "STOP") if ":generateContent" in path else {"totalTokens": 10}

    def is_streamed(self, _):
        return True

    def messages(self, body):
        roles = {"model": "assistant"}
        return [(roles.get(content["role"], content["role"]), part["text"]) for content in body.get("contents", [])
                for part in content["parts"] if "text" in part]

    def error(self, step):
        name, message = ERRORS[step["status"]]
        error = {"code": step["status"], "message": message, "status": name}
        if "quota" in step:
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
                                 "violations": [{"quotaId": step["quota"]}]}]
        if "retry" in step:
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{step['retry']}s"}]
        return step["status"], {}, {"error": error}

    def events(self, step, request):
        if "block" in step:
            return [{"promptFeedback": {"blockReason": step["block"]}, "usageMetadata": USAGE, "responseId": "r"}]
        parts = []
        if "tool" in step:
            parts = [{"functionCall": {"id": f"call_{id(request)}", "name": step["tool"], "args": step.get("input", {})}}]
        elif "tasks" in step:
            parts = [{"text": json.dumps(step["tasks"])}]
        elif "text" in step:
            parts = [{"text": step["text"]}]
        if step.get("hold") == "end":
            return [response(parts, None), response([{"text": ""}], step.get("stop", "STOP"))]
        return [response([{"text": ""}], None), response(parts, step.get("stop", "STOP"))]


def response(parts, stop):
    candidate = {"content": {"role": "model", "parts": parts}, "index": 0} | ({"finishReason": stop} if stop else {})
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "gemini-3.1-pro-preview", "responseId": "r"}
