// The fields of Pool actions, Commands and hooks. Internal to config/field_table.
#pragma once

#include "config/fields.hpp"

#include <string_view>

namespace config {

inline constexpr const ObjectType* instruction_objects[] = {&inline_type, &link_type};

inline constexpr Field pool_action_fields[] = {
    {"kind", FieldType::text, true, "\"Pool\": an agent of the pool does the task.", {.constant = "Pool"}},
    {"instructions",
     FieldType::instructions,
     false,
     "The instructions for the agent, in markdown: a string, {\"inline\": \"text\"}, or {\"link\": \"path\"} "
     "to a file. Barnum adds the list of the steps that may follow, with their schemas.",
     {.objects = instruction_objects}},
    {"labels",
     FieldType::labels,
     false,
     "Only an agent that has all of these labels gets the task; any agent if absent. A label has 1 to 64 "
     "letters, digits, '-', '_', '.', '/' and ':'.",
     {.pattern = label_pattern}},
    {"images",
     FieldType::texts,
     false,
     "Places in the task's value, as JSON pointers such as \"/picture\": each has the path of an image, or "
     "an array of such paths, relative to the directory in which the agent works. The agent's model sees "
     "these images.",
     {.pattern = pointer_pattern}},
};

inline constexpr Field command_kind_field = {
    "kind", FieldType::text, true, "\"Command\": the script is run by a shell.", {.constant = "Command"}};
inline constexpr Field script_field = {
    "script",
    FieldType::text,
    true,
    "The script, run with `sh -c` in the directory of the config. It gets its input as JSON on stdin and "
    "prints JSON.",
    {.pattern = "[^ \\t\\r\\n]"}};

inline constexpr Field command_fields[] = {command_kind_field, script_field};

inline constexpr std::string_view places[] = {"pool"};

inline constexpr Field command_action_fields[] = {
    command_kind_field,
    script_field,
    {"on",
     FieldType::text,
     false,
     "\"pool\": an agent of the kind shell runs the script, in the agent's directory; on the machine of "
     "`barnum run` if absent.",
     {.choices = places}},
    {"labels",
     FieldType::labels,
     false,
     "With \"on\": only an agent of the kind shell that has all of these labels runs the script; any such "
     "agent if absent.",
     {.pattern = label_pattern}},
};

}  // namespace config
