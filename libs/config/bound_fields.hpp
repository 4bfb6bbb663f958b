// The fields of the options that bound a run and its responses, for config/field_table.
#pragma once

#include "base/limits.hpp"
#include "config/fields.hpp"

namespace config {

inline constexpr Field max_tasks_field = {
    "max_tasks",
    FieldType::number,
    false,
    "How many tasks a run may have, without retries and finallys; those past it are dropped. No limit if "
    "absent. --max-tasks overrides it.",
    {.range = from_one}};
inline constexpr Field max_depth_field = {
    "max_depth",
    FieldType::number,
    false,
    "How deep tasks may descend from a first task, which has depth 1; those past it are dropped. No limit if "
    "absent. --max-depth overrides it.",
    {.range = from_one}};
inline constexpr Field max_run_seconds_field = {
    "max_run_seconds",
    FieldType::number,
    false,
    "For how many seconds a run starts tasks; after that, what is not started is dropped. No limit if "
    "absent. --max-run-seconds overrides it.",
    {.range = seconds_range}};

inline constexpr Field max_response_bytes_field = {
    "max_response_bytes",
    FieldType::number,
    false,
    "How many bytes a response may have: what a Command prints, what an agent answers, what a post hook "
    "makes "
    "of it, or what a finally prints. One with more is an invalid response; 67108864 (64 MiB) if absent.",
    {.range = Range{.what = "a whole number", .least = 1, .most = base::most_message_bytes, .whole = true}}};
inline constexpr Field max_tasks_per_response_field = {
    "max_tasks_per_response",
    FieldType::number,
    false,
    "How many tasks a response may have. One with more is an invalid response; 100000 if absent.",
    {.range = from_one}};

}  // namespace config
