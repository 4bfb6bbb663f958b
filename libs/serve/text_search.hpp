// Looks for a text, regardless of the case of ASCII letters, in what a state log says of tasks: their values,
// failures and responses. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace serve {

// A text to look for in others. Takes time in proportion to these, at most.
class Needle {
  public:
    // `text` is not empty.
    explicit Needle(std::string_view text);

    bool is_in(std::string_view text) const;

  private:
    std::string folded_;
    std::array<std::size_t, 256> shift_{};  // by the byte under the needle's last one
};

// What a user looks for: it is found in JSON as it is written there, and as it would be as a string.
class EntrySearch {
  public:
    explicit EntrySearch(std::string_view text);

    // Whether the entry in this line of a log is of a task with the text in its value, or in the message or
    // the response of its failure.
    bool is_in(std::string_view line, const config::WorkflowConfig& config) const;

  private:
    bool is_in_json(std::string_view json) const;

    Needle plain_;
    Needle escaped_;
};

}  // namespace serve
