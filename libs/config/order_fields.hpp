// The fields of a step's options that say when its tasks may start. Internal to config/field_table.
#pragma once

#include "config/fields.hpp"

namespace config {

inline constexpr double most_priority = 1'000'000;

inline constexpr Field step_concurrency_field = {"max_concurrency",
                                                 FieldType::number,
                                                 false,
                                                 "How many tasks of this step may run at the same time, "
                                                 "counted from their pre hook to their post hook; only "
                                                 "the limit of the workflow if absent.",
                                                 {.range = from_one}};

inline constexpr Field priority_field = {
    "priority",
    FieldType::number,
    false,
    "Of the tasks that may start, those of the steps with the highest priority start first, also at the "
    "pool; 0 "
    "if absent.",
    {.range =
         Range{.what = "a whole number", .least = -most_priority, .most = most_priority, .whole = true}}};

inline constexpr Field serial_key_field = {
    "serial_key",
    FieldType::text,
    false,
    "A JSON pointer into the value, such as \"/file\": tasks that have the same JSON value there, of all "
    "steps "
    "with a serial_key, never run at the same time. A task without a value there has no constraint.",
    {.pattern = pointer_pattern}};

}  // namespace config
