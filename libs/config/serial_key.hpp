// The serial key of a task: what its value has at the "serial_key" of its step. Pure.
#pragma once

#include "base/fingerprint.hpp"
#include "config/workflow_config.hpp"

#include <optional>
#include <string_view>

namespace config {

// Equal for equal JSON values (json/canonical.hpp). Empty if the step names no key, or if `value`, which is
// JSON text, has none there.
std::optional<base::Fingerprint> serial_key(const StepOptions& options, std::string_view value);

}  // namespace config
