// The fields of a Human action. Internal to config/field_table.
#pragma once

#include "config/fields.hpp"

namespace config {

inline constexpr const ObjectType* human_instructions[] = {&inline_type, &link_type};

inline constexpr Field human_action_fields[] = {
    {"kind",
     FieldType::text,
     true,
     "\"Human\": a person answers, with `barnum answer`.",
     {.constant = "Human"}},
    {"instructions",
     FieldType::instructions,
     false,
     "What the person is told, in markdown: a string, {\"inline\": \"text\"}, or {\"link\": \"path\"} to a "
     "file.",
     {.objects = human_instructions}},
    {"expires",
     FieldType::number,
     false,
     "How long the task waits for an answer, in seconds, whether or not the run is running. Then it fails, "
     "and is dropped. No limit if absent.",
     {.range = seconds_range}},
};

}  // namespace config
