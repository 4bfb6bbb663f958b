// A log's text as the model reads it, with Boost.JSON's own reader and by the document alone. Shares nothing
// with statelog's readers.
#pragma once

#include "log_model.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sim {

// What is to become of a text.
struct Verdict {
    std::size_t refused_at = 0;  // the line, from 1; 0: it can be resumed
    std::string why;
    std::size_t committed_bytes = 0;
    LogModel model;  // of what counts; values as in canonical()
};

// `config` is that of the header, which can be read.
Verdict read_log(const config::WorkflowConfig& config, std::string_view text);

// One text for all that mean the same value.
std::string canonical(std::string_view json);

}  // namespace sim
