// What a run keeps of what its commands and agents write, and what is replaced in it.
#pragma once

#include "config/workflow_config.hpp"
#include "output/redaction.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace launch {

struct KeepOutput {
    bool is_kept = true;
    std::optional<std::size_t> limit = {};  // bytes at each end of a stream; none: all
};

inline constexpr const char* default_keep_output = "256K";

// A number of bytes (base/byte_size.hpp), "all" or "none". Nothing if it is none of these.
std::optional<KeepOutput> parse_keep_output(std::string_view text);

// Replaces the secrets of the environment and of the config's variables; without `redacts`, nothing is
// replaced.
std::shared_ptr<const output::Redaction> redaction_for(bool redacts, const config::WorkflowConfig& config);

}  // namespace launch
