#include "config/fields.hpp"

#include <cstdint>
#include <limits>

namespace config {

namespace {

using enum FieldType;

constexpr Range seconds_range = {
    .what = "a number of seconds", .most = 1'000'000'000, .more_than_least = true};
constexpr double most_counted = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view step_name_pattern = "^[^\\x01-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]+$";

constexpr const ObjectType* config_options[] = {&global_options_type};
constexpr const ObjectType* config_steps[] = {&step_type};
constexpr const ObjectType* step_options[] = {&step_options_type};
constexpr const ObjectType* backoff[] = {&retry_backoff_type};
constexpr const ObjectType* actions[] = {&pool_action_type, &command_type};
constexpr const ObjectType* hook[] = {&command_type};
constexpr const ObjectType* instruction_objects[] = {&inline_type, &link_type};
constexpr const ObjectType* schema_objects[] = {&link_type};

constexpr Field config_fields[] = {
    {"$schema", text, false,
     "The JSON Schema of this file, which an editor takes its completions and hints from. Barnum does not "
     "look at it."},
    {"entrypoint", text, false,
     "The step that a run starts with when it is given one value only, by --entrypoint-value. Without it, a "
     "run needs --initial-state."},
    {"options",
     object,
     false,
     "What holds for every step that does not say otherwise, and for the run as a whole.",
     {.objects = config_options}},
    {"steps",
     array,
     true,
     "The steps of the workflow, at least one. Their order means nothing: \"next\" says what follows what.",
     {.objects = config_steps}},
};

constexpr Field timeout_field = {
    "timeout",
    number,
    false,
    "Seconds that each phase of a task (pre, action, post, finally) may take before it is ended; no limit if "
    "absent. An agent's time starts when it gets the task.",
    {.range = seconds_range}};
constexpr Field max_retries_field = {
    "max_retries",
    number,
    false,
    "How often a task that failed is tried again before it is dropped; 0 if absent.",
    {.range = Range{.what = "a whole number", .most = most_counted, .whole = true}}};
constexpr Field retry_on_timeout_field = {
    "retry_on_timeout", boolean, false,
    "Whether a task that ran into its timeout is tried again; true if absent."};
constexpr Field retry_on_invalid_response_field = {
    "retry_on_invalid_response", boolean, false,
    "Whether a task is tried again whose response was not valid: no JSON array, a step that is not in "
    "\"next\", or a value that does not fit its schema; true if absent."};

constexpr Field retry_backoff_field = {"retry_backoff",
                                       object,
                                       false,
                                       "How long a task waits before it is tried again; not at all if "
                                       "absent. It wants a \"max_retries\" of 1 or "
                                       "more.",
                                       {.objects = backoff}};

constexpr Field global_options_fields[] = {
    timeout_field,
    max_retries_field,
    {"max_concurrency",
     number,
     false,
     "How many tasks may be under way at once, from their pre hook to their post hook; no limit if absent.",
     {.range = Range{.what = "a whole number", .least = 1, .most = most_counted, .whole = true}}},
    retry_on_timeout_field,
    retry_on_invalid_response_field,
    retry_backoff_field,
};

constexpr Field step_options_fields[] = {timeout_field, max_retries_field, retry_on_timeout_field,
                                         retry_on_invalid_response_field, retry_backoff_field};

constexpr Field retry_backoff_fields[] = {
    {"initial", number, true, "Seconds that a task waits before its first retry.", {.range = seconds_range}},
    {"factor",
     number,
     false,
     "How many times as long each further wait is as the one before it; 2 if absent.",
     {.range = Range{.what = "a number", .least = 1, .most = 1'000'000}}},
    {"max",
     number,
     false,
     "Seconds that no wait is longer than, at least \"initial\"; no limit if absent.",
     {.range = seconds_range}},
    {"jitter",
     number,
     false,
     "The part of each wait, from 0 to 1, that chance may take off it, so that many tasks that failed "
     "together "
     "don't come back together; 0 if absent.",
     {.range = Range{.what = "a number", .most = 1}}},
};

constexpr Field step_fields[] = {
    {"name",
     text,
     true,
     "What tasks of this step have as their \"kind\". No two steps have the same name.",
     {.pattern = step_name_pattern}},
    {"value_schema",
     schema,
     false,
     "The JSON Schema (draft-04 to 2020-12) that the value of every task of this step has to fit, or "
     "{\"link\": \"path\"} to a file with it. Any value will do if absent.",
     {.objects = schema_objects}},
    {"pre",
     object,
     false,
     "A command that gets the task's value on stdin before the action, and prints the value to use instead.",
     {.objects = hook}},
    {"action",
     object,
     true,
     "What is done with a task: an agent gets it (\"Pool\") or a shell command runs (\"Command\").",
     {.objects = actions}},
    {"post",
     object,
     false,
     "A command that gets the outcome of the action on stdin, good or bad, and prints the outcome that "
     "counts.",
     {.objects = hook}},
    {"finally",
     object,
     false,
     "A command that runs once for each task, when the task itself and all that came of it are over. It gets "
     "the task's value on stdin, and the tasks that it prints may be of any step.",
     {.objects = hook}},
    {"next", names, false,
     "The names of the steps that a task of this step may lead to. Without any, the step is terminal: its "
     "tasks lead to nothing."},
    {"options",
     object,
     false,
     "What holds for this step instead of the workflow's options.",
     {.objects = step_options}},
};

constexpr Field pool_action_fields[] = {
    {"kind",
     text,
     true,
     "\"Pool\": the next agent of the pool that is free does the task.",
     {.constant = "Pool"}},
    {"instructions",
     instructions,
     false,
     "What the agent is told to do, in markdown: a string, {\"inline\": \"text\"} or {\"link\": \"path\"} to "
     "a "
     "file. Which steps may follow, and what their values look like, is added to it.",
     {.objects = instruction_objects}},
};

constexpr Field command_fields[] = {
    {"kind", text, true, "\"Command\": a shell on this machine runs a script.", {.constant = "Command"}},
    {"script",
     text,
     true,
     "What `sh -c` runs, in the directory of the config. It gets its input as JSON on stdin and prints JSON.",
     {.pattern = "[^ \\t\\r\\n]"}},
};

constexpr Field inline_fields[] = {
    {"inline", text, true, "The text of the instructions itself, in markdown."}};

constexpr Field link_fields[] = {
    {"link", text, true,
     "The path of a file, from the directory of the config. It is read once, when the config is."}};

}  // namespace

const ObjectType config_type = {"config", "the config", "has",
                                "A workflow for `barnum run`: steps, and which of them may follow which.",
                                config_fields};
const ObjectType global_options_type = {"options", "the options", "have",
                                        "What holds for every step that does not say otherwise.",
                                        global_options_fields};
const ObjectType step_type = {"step", "a step", "has",
                              "A kind of task: what is done with it, and what it may lead to.", step_fields};
const ObjectType step_options_type = {"step_options", "a step's options", "have",
                                      "What holds for one step instead of the workflow's options.",
                                      step_options_fields};
const ObjectType retry_backoff_type = {"retry_backoff", "\"retry_backoff\"", "has",
                                       "The wait before a retry, which grows from one retry to the next.",
                                       retry_backoff_fields};
const ObjectType pool_action_type = {"pool_action", "a Pool action", "has",
                                     "Work for an agent, which waits for it in a pool.", pool_action_fields};
const ObjectType command_type = {"command", "a Command", "has", "A shell script, as an action or as a hook.",
                                 command_fields};
const ObjectType inline_type = {"inline_instructions", "instructions", "have",
                                "Instructions that stand in the config.", inline_fields};
const ObjectType link_type = {"link", "a link", "has", "A file that is read in.", link_fields};

std::span<const ObjectType* const> object_types() {
    static constexpr const ObjectType* all[] = {&config_type,      &global_options_type, &retry_backoff_type,
                                                &step_type,        &link_type,           &command_type,
                                                &pool_action_type, &inline_type,         &step_options_type};
    return all;
}

}  // namespace config
