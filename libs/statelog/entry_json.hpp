// Parts of entries as members of JSON objects, as programs print them. Not the form in which a log has them.
#pragma once

#include "workflow/entry.hpp"
#include "workflow/usage.hpp"

#include <string>

namespace statelog {

// "reason":…,"exit_code":…,"signal":…,"hook":…,"message":…,"name":…,"permanent":…
std::string failure_members(const workflow::Failure& failure);

// "pre_ms":…,"action_ms":…,"post_ms":…,"cpu_ms":…
std::string measured_members(const workflow::Measured& measured);

// [{"step":…,"kind":…,"model":…,"reports":…,…}], with line breaks between the rows
std::string usage_json(const workflow::UsageTable& usage, const config::WorkflowConfig& config);

}  // namespace statelog
