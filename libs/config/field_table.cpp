#include "base/limits.hpp"
#include "config/action_fields.hpp"
#include "config/bound_fields.hpp"
#include "config/cost_fields.hpp"
#include "config/fields.hpp"
#include "config/human_fields.hpp"
#include "config/order_fields.hpp"

namespace config {

namespace {

using enum FieldType;

// A step's name has not only blanks, and no control characters.
constexpr std::string_view step_name_pattern =
    "^(?=.*[^ \\u00a0\\u00ad\\u115f\\u1160\\u1680\\u180e\\u2000-\\u200f\\u2028\\u2029\\u202f"
    "\\u205f-\\u2064\\u2800\\u3000\\u3164\\ufeff\\uffa0])"
    "[^\\x01-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]{1,200}$";
static_assert(base::longest_name == 200);

constexpr const ObjectType* config_options[] = {&global_options_type};
constexpr const ObjectType* budgets[] = {&budget_type};
constexpr const ObjectType* config_agents[] = {&agent_type};
constexpr const ObjectType* config_steps[] = {&step_type};
constexpr const ObjectType* step_options[] = {&step_options_type};
constexpr const ObjectType* backoff[] = {&retry_backoff_type};
constexpr const ObjectType* actions[] = {&pool_action_type, &command_action_type, &human_action_type};
constexpr const ObjectType* hook[] = {&command_type};
constexpr const ObjectType* gather_objects[] = {&gather_type};
constexpr const ObjectType* schema_objects[] = {&link_type};

constexpr Field config_fields[] = {
    {"$schema", text, false,
     "The JSON Schema of this file, from which an editor takes completions and hints. Barnum ignores it."},
    {"entrypoint", text, false,
     "The step of a run's first task, whose value is given with --entrypoint-value. Without an entrypoint, a "
     "run needs --initial-state."},
    {"options",
     object,
     false,
     "Defaults for the options of all steps, and options of the whole run.",
     {.objects = config_options}},
    {"env", variables, false,
     "Environment variables for the Commands and hooks of all steps, added to those of Barnum. No name "
     "begins "
     "with BARNUM_."},
    {"agents",
     array,
     false,
     "The agents of a run, which work only for that run, unless --pool is given. --no-agents leaves them "
     "out, and --agent adds others.",
     {.objects = config_agents}},
    {"steps",
     array,
     true,
     "The steps of the workflow, at least one. Their order has no meaning: \"next\" defines which steps may "
     "follow.",
     {.objects = config_steps}},
};

constexpr Field timeout_field = {
    "timeout",
    number,
    false,
    "The time limit of each phase of a task (pre, action, post, finally), in seconds; no limit if absent. "
    "For an agent, the time starts when it gets the task.",
    {.range = seconds_range}};
constexpr Field max_retries_field = {
    "max_retries",
    number,
    false,
    "How often a failed task is retried before it is dropped; 0 if absent.",
    {.range = Range{.what = "a whole number", .most = base::most_counted, .whole = true}}};
constexpr Field retry_on_timeout_field = {"retry_on_timeout", boolean, false,
                                          "Whether a task is retried after a timeout; true if absent."};
constexpr Field retry_on_invalid_response_field = {
    "retry_on_invalid_response", boolean, false,
    "Whether a task is retried after an invalid response: not a JSON array, a step that is not in \"next\", "
    "or a value that does not match its schema; true if absent."};

constexpr Field retry_backoff_field = {
    "retry_backoff",
    object,
    false,
    "The delay before each retry; none if absent. Requires a \"max_retries\" of 1 or more.",
    {.objects = backoff}};

constexpr Field retry_feedback_field = {
    "retry_feedback", boolean, false,
    "Whether a retry is told of the attempts before it: why they failed, and what was answered; true if "
    "absent."};
constexpr Field lenient_response_field = {
    "lenient_response", boolean, false,
    "Whether the response of an action may have words or a code fence around it, out of which the last array "
    "of tasks is taken; false if absent."};

constexpr Field global_options_fields[] = {
    timeout_field,
    max_retries_field,
    {"max_concurrency",
     number,
     false,
     "How many tasks may run at the same time, counted from their pre hook to their post hook; no limit if "
     "absent.",
     {.range = from_one}},
    retry_on_timeout_field,
    retry_on_invalid_response_field,
    retry_backoff_field,
    {"budget",
     object,
     false,
     "What agents may use in a run. When it is spent, the run ends, and can be resumed with more; no limit "
     "if absent.",
     {.objects = budgets}},
    retry_feedback_field,
    lenient_response_field,
    max_tasks_field,
    max_depth_field,
    max_run_seconds_field,
    max_response_bytes_field,
    max_tasks_per_response_field,
};

constexpr Field step_options_fields[] = {timeout_field,
                                         max_retries_field,
                                         retry_on_timeout_field,
                                         retry_on_invalid_response_field,
                                         retry_backoff_field,
                                         retry_feedback_field,
                                         lenient_response_field,
                                         max_response_bytes_field,
                                         max_tasks_per_response_field,
                                         step_concurrency_field,
                                         priority_field,
                                         serial_key_field};

constexpr Field retry_backoff_fields[] = {
    {"initial", number, true, "The delay before the first retry, in seconds.", {.range = seconds_range}},
    {"factor",
     number,
     false,
     "The factor by which the delay grows from one retry to the next; 2 if absent.",
     {.range = Range{.what = "a number", .least = 1, .most = 1'000'000}}},
    {"max",
     number,
     false,
     "The longest delay, in seconds, at least \"initial\"; no limit if absent.",
     {.range = seconds_range}},
    {"jitter",
     number,
     false,
     "The part of each delay, from 0 to 1, by which it may be shortened at random, so that tasks that failed "
     "at the same time are not retried at the same time; 0 if absent.",
     {.range = Range{.what = "a number", .most = 1}}},
};

constexpr Field step_fields[] = {
    {"name",
     text,
     true,
     "The name of the step, which its tasks have as their \"kind\": up to 200 characters. It must be "
     "unique.",
     {.pattern = step_name_pattern}},
    {"value_schema",
     schema,
     false,
     "The JSON Schema (draft-04 to 2020-12) that the value of each task of this step must match, or "
     "{\"link\": \"path\"} to a file that contains it. Any value is allowed if absent.",
     {.objects = schema_objects}},
    {"pre",
     object,
     false,
     "A command that runs before the action. It gets the task's value on stdin, and prints the value that "
     "replaces it. Not in a Human step.",
     {.objects = hook}},
    {"action",
     object,
     true,
     "What does the work of a task: an agent (\"Pool\"), a shell command (\"Command\") or a person "
     "(\"Human\").",
     {.objects = actions}},
    {"post",
     object,
     false,
     "A command that runs after the action. It gets the result of the action on stdin, success or failure, "
     "and prints the result that replaces it. Not in a Human step.",
     {.objects = hook}},
    {"finally",
     object,
     false,
     "A command that runs once for each task, when the task and all its descendants have finished. It gets "
     "the task's value on stdin, and may print tasks of any step.",
     {.objects = hook}},
    {"gather",
     object,
     false,
     "Gathers the results of each task: when the task and all its descendants have finished, one task of the "
     "step \"into\" is submitted. A step has \"gather\" or \"finally\", not both.",
     {.objects = gather_objects}},
    {"next", names, false,
     "The names of the steps that may follow this step. Without any, the step is terminal."},
    {"options",
     object,
     false,
     "Options of this step, which override those of the workflow.",
     {.objects = step_options}},
    {"env", variables, false,
     "Environment variables for the step's Command and hooks, which override those of the workflow."},
};

constexpr Field gather_fields[] = {
    {"into", text, true,
     "The step of the task that is submitted. Its value is {\"value\": …, \"results\": [{\"kind\": …, "
     "\"value\": …}, …], \"dropped\": N}: the value of the task that gathers, the results, and how many "
     "tasks were dropped, of the descendants and the task itself."},
    {"of", names, true,
     "The steps whose tasks are gathered, at least one: the results are the values of the descendants that "
     "are done and belong to one of these steps, in the order of their numbers."},
};

constexpr Field inline_fields[] = {{"inline", text, true, "The text of the instructions, in markdown."}};

constexpr Field link_fields[] = {{"link", text, true,
                                  "The path of a file, relative to the directory of the config. It is read "
                                  "once, together with the config."}};

}  // namespace

const ObjectType config_type = {"config", "the config", "has",
                                "A workflow for `barnum run`: its steps and the transitions between them.",
                                config_fields};
const ObjectType global_options_type = {"options", "the options", "have",
                                        "Options of the workflow, and defaults for its steps.",
                                        global_options_fields};
const ObjectType budget_type = {"budget", "a budget", "has",
                                "What agents may use in a run, in dollars, tokens or both.", budget_fields};
const ObjectType prices_type = {"prices", "\"prices\"", "has",
                                "What a model costs, in US dollars per million tokens.", prices_fields};
const ObjectType step_type = {"step", "a step", "has",
                              "A step: the schema of its values, its action, and the steps that may follow.",
                              step_fields};
const ObjectType step_options_type = {"step_options", "a step's options", "have",
                                      "Options of one step, which override those of the workflow.",
                                      step_options_fields};
const ObjectType retry_backoff_type = {"retry_backoff", "\"retry_backoff\"", "has",
                                       "The delay before a retry, which grows from one retry to the next.",
                                       retry_backoff_fields};
const ObjectType pool_action_type = {"pool_action", "a Pool action", "has",
                                     "An action that an agent of a pool does.", pool_action_fields};
const ObjectType human_action_type = {"human_action", "a Human action", "has",
                                      "An action that a person does.", human_action_fields};
const ObjectType gather_type = {"gather", "\"gather\"", "has",
                                "Which results are gathered, and the step that gets them.", gather_fields};
const ObjectType command_type = {"command", "a hook", "has", "A shell script as a hook.", command_fields};
const ObjectType command_action_type = {"command_action", "a Command", "has", "A shell script as an action.",
                                        command_action_fields};
const ObjectType inline_type = {"inline_instructions", "instructions", "have",
                                "Instructions in the config itself.", inline_fields};
const ObjectType link_type = {"link", "a link", "has", "A link to a file whose content is used.",
                              link_fields};

std::span<const ObjectType* const> object_types() {
    static constexpr const ObjectType* all[] = {
        &config_type, &global_options_type, &retry_backoff_type, &budget_type,  &agent_type,
        &prices_type, &step_type,           &link_type,          &command_type, &pool_action_type,
        &inline_type, &command_action_type, &human_action_type,  &gather_type,  &step_options_type};
    return all;
}

}  // namespace config
