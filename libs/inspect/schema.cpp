#include "base/text.hpp"
#include "inspect/report.hpp"

#include <string>
#include <string_view>

namespace inspect {

namespace {

// The schema, in parts that follow one another.
constexpr std::string_view log = R"schema({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "barnum inspect --json",
  "description": "What a state log tells of its run. With --task, the same with that one task in `tasks`.",
  "type": "object",
  "additionalProperties": false,
  "required": ["log", "run_id", "directory", "status", "holders", "waiting_for_human", "resume", "committed_bytes", "dropped_bytes", "torn",
               "first_time", "last_time", "steps", "usage", "tasks"],
  "properties": {
    "log": { "type": "string", "description": "The path of the log, as it was given." },
    "log_hex": { "type": "string", "description": "Its bytes, two digits each, if they are not UTF-8; then they count." },
    "run_id": { "type": ["string", "null"],
                "description": "The id of the run that began the log; runs that resume it keep it. null if the log has none." },
    "directory": { "type": ["string", "null"],
                   "description": "Where the run's commands run. null if the log does not say." },
    "directory_hex": { "type": "string", "description": "Its bytes, two digits each, if they are not UTF-8; then they count." },
    "status": { "enum": ["running", "stopped", "finished", "unknown"],
                "description": "running: not all is done, and a process holds the log, as its run or to resume it. stopped: not all is done, and nobody holds it; it can be resumed. finished: all tasks are done or dropped. unknown: not all is done, and the file system can't tell whether the log is held." },
    "holders": { "type": "array", "items": { "type": "integer", "minimum": 1 },
                 "description": "The processes that hold the log's lock, as far as they can be seen." },
    "waiting_for_human": { "type": "array", "items": { "$ref": "#/definitions/id" },
                           "description": "The tasks that wait for the answer of a person." },
    "resume": { "type": ["string", "null"],
                "description": "The command, for a shell, that resumes the run; null unless it is stopped, and if a log of a run that has resumed it lies beside it." },
    "committed_bytes": { "type": "integer", "minimum": 0,
                         "description": "How many bytes of the log count: whole entries in whole groups." },
    "dropped_bytes": { "type": "integer", "minimum": 0,
                       "description": "How many bytes follow at the end that do not count (yet)." },
    "torn": { "enum": [null, "entry", "group"],
              "description": "What those bytes are: an entry without its line feed, or a group of entries that is not whole. null if there are none." },
    "first_time": { "$ref": "#/definitions/time", "description": "When the first task was submitted." },
    "last_time": { "$ref": "#/definitions/time", "description": "When the last entry was written." },
    "steps": { "type": "array", "items": { "$ref": "#/definitions/step" },
               "description": "The steps of the config in its order, each followed by its finally if it has one." },
    "usage": { "type": "array", "items": { "$ref": "#/definitions/usage" },
               "description": "The sums of all that agents have reported, by step, program and model." },
    "tasks": { "type": "array", "items": { "$ref": "#/definitions/task" },
               "description": "The tasks in the order of their first submission. All attempts at a task are one; a finally is one of its own." }
  },
)schema";

constexpr std::string_view scalars = R"schema(  "definitions": {
    "time": { "type": ["integer", "null"],
              "description": "Milliseconds since 1970 (UTC). null if the log does not say." },
    "id": { "type": "integer", "minimum": 0, "description": "The number of an attempt in the log." },
    "state": { "enum": ["pending", "waiting", "done", "dropped"],
               "description": "pending: to be started, or running now. waiting: has succeeded, and its finally waits for its descendants. done: has succeeded, and nothing of its own is left to wait for. dropped: has failed, and is not tried again." },
)schema";

constexpr std::string_view step = R"schema(    "step": {
      "description": "The tasks of a step, or its finallys, counted.",
      "type": "object",
      "additionalProperties": false,
      "required": ["step", "is_finally", "pending", "waiting", "done", "dropped", "retried", "mean_ms", "longest_ms"],
      "properties": {
        "step": { "type": "string", "description": "The name of the step." },
        "is_finally": { "type": "boolean", "description": "Whether this is about the step's finallys." },
        "pending": { "type": "integer", "minimum": 0,
                     "description": "To be started, or running. Among the finallys are those that are due and not in the log yet." },
        "waiting": { "type": "integer", "minimum": 0, "description": "Succeeded, with a finally that waits." },
        "done": { "type": "integer", "minimum": 0, "description": "Succeeded, and not waiting." },
        "dropped": { "type": "integer", "minimum": 0, "description": "Failed, and not tried again." },
        "retried": { "type": "integer", "minimum": 0, "description": "Attempts beyond each one's first." },
        "mean_ms": { "type": ["integer", "null"], "minimum": 0,
                     "description": "The mean duration of all attempts that have ended, in milliseconds; null if none is known." },
        "longest_ms": { "type": ["integer", "null"], "minimum": 0, "description": "The longest of these durations." }
      }
    },
)schema";

constexpr std::string_view usage = R"schema(    "usage": {
      "description": "What agents of one kind have used for the tasks of a step.",
      "type": "object",
      "additionalProperties": false,
      "required": ["step", "kind", "model", "reports", "repairs", "turns", "input_tokens", "cached_tokens", "output_tokens", "priced", "usd"],
      "properties": {
        "step": { "type": "string", "description": "The name of the step." },
        "kind": { "type": ["string", "null"], "description": "The agents' program; null in the row for all others, if there are very many." },
        "model": { "type": ["string", "null"], "description": "The model; null if it is not known." },
        "reports": { "type": "integer", "minimum": 1, "description": "The number of attempts with a report." },
        "repairs": { "type": "integer", "minimum": 0, "description": "Answers that were sent back to the model." },
        "turns": { "type": "integer", "minimum": 0, "description": "Requests to the model." },
        "input_tokens": { "type": "integer", "minimum": 0, "description": "Tokens that the model has read, including the cached ones." },
        "cached_tokens": { "type": "integer", "minimum": 0, "description": "Those that came from the provider's cache." },
        "output_tokens": { "type": "integer", "minimum": 0, "description": "Tokens that the model has written." },
        "priced": { "type": "integer", "minimum": 0, "description": "The number of reports that tell a price." },
        "usd": { "type": "number", "minimum": 0, "description": "The sum of these prices, in dollars." },
        "price_list": { "type": "string", "description": "The date of the public price list by which prices are estimates; of the oldest one, if there are several." }
      }
    },
)schema";

constexpr std::string_view task = R"schema(    "task": {
      "description": "A task with all its attempts.",
      "type": "object",
      "additionalProperties": false,
      "required": ["id", "step", "state", "origin", "parent_id", "finally_for", "waits_for", "finally", "attempts"],
      "properties": {
        "id": { "$ref": "#/definitions/id", "description": "The number of its last attempt." },
        "step": { "type": "string", "description": "The name of its step." },
        "state": { "$ref": "#/definitions/state", "description": "Where it stands." },
        "origin": { "enum": ["Initial", "Spawned", "Finally"],
                    "description": "How it came to be: the run began with it, its parent spawned it, or it is the finally of a task." },
        "parent_id": { "type": ["integer", "null"], "minimum": 0,
                       "description": "The attempt whose response announced it. A finally has the parent of its task." },
        "finally_for": { "type": ["integer", "null"], "minimum": 0,
                         "description": "The last attempt of the task whose finally this is; null if it is none." },
        "waits_for": { "type": "integer", "minimum": 0,
                       "description": "While it is waiting: descendants that are not over. Those below another waiting task are counted there." },
        "finally": {
          "type": ["object", "null"],
          "description": "Its own finally; null if there is none to come.",
          "additionalProperties": false,
          "required": ["id", "state"],
          "properties": {
            "id": { "type": ["integer", "null"], "minimum": 0,
                    "description": "The number of the finally's last attempt; null if it is not in the log." },
            "state": { "enum": ["later", "due", "pending", "done", "dropped"],
                       "description": "later: the task or a descendant is not over. due: comes first when the run is resumed. The others are as for a task." }
          }
        },
        "attempts": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/attempt" },
                      "description": "Its attempts, in their order." },
        "value": { "description": "The value that it was submitted with, any JSON." },
        "children": { "type": "array", "items": { "$ref": "#/definitions/child" },
                      "description": "The tasks that it has spawned. Only with --task." }
      }
    },
)schema";

constexpr std::string_view attempt = R"schema(    "attempt": {
      "description": "One attempt.",
      "type": "object",
      "additionalProperties": false,
      "required": ["id", "submitted", "started", "ended", "duration_ms", "outcome", "lenient", "reused", "answered_by", "agent", "measured", "failure", "report"],
      "properties": {
        "id": { "$ref": "#/definitions/id", "description": "Its number in the log." },
        "submitted": { "$ref": "#/definitions/time", "description": "When it was submitted." },
        "started": { "$ref": "#/definitions/time",
                     "description": "When it was started; known only of one that has ended." },
        "ended": { "$ref": "#/definitions/time", "description": "When it ended." },
        "duration_ms": { "type": ["integer", "null"], "minimum": 0,
                         "description": "Milliseconds from its start to its end, or from its submission if its start is not known; null if that can't be told, or if no attempt was made." },
        "outcome": { "enum": [null, "succeeded", "failed"], "description": "How it ended; null if it has not." },
        "lenient": { "type": "boolean", "description": "Whether the response was taken out of the text around it." },
        "reused": {
          "type": ["object", "null"],
          "description": "Set if no attempt was made: the task of an earlier run whose result it has.",
          "additionalProperties": false,
          "required": ["run_id", "task_id"],
          "properties": {
            "run_id": { "type": "string", "description": "The id of that run." },
            "task_id": { "$ref": "#/definitions/id", "description": "The number of the task there." }
          }
        },
        "answered_by": { "type": ["string", "null"], "description": "Set if a person has answered or rejected it: the user." },
        "agent": { "type": ["string", "null"], "description": "The name of the agent that had the task, or its id if it has no name; null if none had it, or if that is not known." },
        "measured": {
          "type": ["object", "null"],
          "description": "Of an attempt that ran local processes (a Command, hooks, a finally): how long its phases took, and what the processes have used; null if there was none.",
          "additionalProperties": false,
          "required": ["pre_ms", "action_ms", "post_ms", "cpu_ms", "peak_memory_bytes"],
          "properties": {
            "pre_ms": { "type": ["integer", "null"], "minimum": 0, "description": "Milliseconds of the pre hook." },
            "action_ms": { "type": ["integer", "null"], "minimum": 0, "description": "Milliseconds of the action or the finally; of a Pool step with the time in the queue." },
            "post_ms": { "type": ["integer", "null"], "minimum": 0, "description": "Milliseconds of the post hook." },
            "cpu_ms": { "type": "integer", "minimum": 0, "description": "The CPU time of all these processes, and of those of their descendants that they have waited for." },
            "peak_memory_bytes": { "type": ["integer", "null"], "minimum": 0, "description": "The most resident memory that one of them had; null if that is not more than barnum itself had." }
          }
        },
        "failure": {
          "type": ["object", "null"],
          "description": "Why it failed; null if it did not.",
          "additionalProperties": false,
          "required": ["reason", "exit_code", "signal", "hook", "message", "name", "permanent", "response"],
          "properties": {
            "reason": { "enum": ["Timeout", "AgentLost", "AgentFailed", "InvalidResponse", "CommandFailed", "HookFailed", "PastBound", "Rejected", "Expired"],
                        "description": "The kind of failure." },
            "exit_code": { "type": ["integer", "null"], "description": "CommandFailed, AgentFailed: the command's exit code." },
            "signal": { "type": ["integer", "null"], "description": "CommandFailed, AgentFailed: the signal that ended the command." },
            "hook": { "type": ["string", "null"], "description": "HookFailed: which hook." },
            "message": { "type": "string", "description": "All that is known, for a person; may end in lines of stderr." },
            "name": { "type": ["string", "null"], "description": "AgentFailed: a short name for programs, if the agent gave one. PastBound: max_tasks, max_depth or max_run_seconds." },
            "permanent": { "type": "boolean", "description": "AgentFailed: trying again could not help, so the task was dropped." },
            "response": { "type": ["string", "null"], "description": "What was answered, as the next attempt is told; null if that is nothing, or none is told." }
          }
        },
        "report": { "anyOf": [{ "type": "null" }, { "$ref": "#/definitions/report" }],
                    "description": "What the agent reports of its work; null if it reports nothing." }
      }
    },
)schema";

constexpr std::string_view report = R"schema(    "report": {
      "description": "What an agent reports of its work on one attempt.",
      "type": "object",
      "additionalProperties": false,
      "required": ["kind", "repairs", "turns", "input_tokens", "cached_tokens", "output_tokens"],
      "properties": {
        "kind": { "type": "string", "description": "The agent's program: claude." },
        "model": { "type": "string", "description": "The model, if it is known." },
        "session": { "type": "string", "description": "The program's own id of the conversation, if it has one." },
        "repairs": { "type": "integer", "minimum": 0, "description": "Answers that were sent back to the model." },
        "turns": { "type": "integer", "minimum": 0, "description": "Requests to the model." },
        "input_tokens": { "type": "integer", "minimum": 0, "description": "Tokens that the model has read, including the cached ones." },
        "cached_tokens": { "type": "integer", "minimum": 0, "description": "Those that came from the provider's cache." },
        "output_tokens": { "type": "integer", "minimum": 0, "description": "Tokens that the model has written." },
        "usd": { "type": "number", "minimum": 0, "description": "The price in dollars, if it is known." },
        "price_list": { "type": "string", "description": "The date of the public price list by which the price is an estimate, if it is one." },
        "refused": { "type": "string", "description": "What the model was not let do, and by whom, if anything." },
        "transcript": { "type": "string", "description": "The path of the attempt's transcript, if there is one." },
        "agents": { "type": "integer", "minimum": 2, "description": "How many agents have had the task one after the other, if more than one: the numbers are their sums, the texts those of the last one." }
      }
    },
)schema";

constexpr std::string_view child = R"schema(    "child": {
      "description": "A task that another one has spawned, in short.",
      "type": "object",
      "additionalProperties": false,
      "required": ["id", "step", "state"],
      "properties": {
        "id": { "$ref": "#/definitions/id", "description": "The number of its last attempt." },
        "step": { "type": "string", "description": "The name of its step." },
        "state": { "$ref": "#/definitions/state", "description": "Where it stands." }
      }
    }
  }
}
)schema";

}  // namespace

std::string inspection_schema() {
    return base::concat(log, scalars, step, usage, task, attempt, report, child);
}

}  // namespace inspect
