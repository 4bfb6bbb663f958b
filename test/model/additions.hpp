// What submissions are sent with besides their contents.
#pragma once

#include "base/text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace model {

// The schema that a submission is sent with; none for every second one.
inline std::string schema_of(std::string_view submission) {
    return submission.back() % 2 == 0 ? base::concat("{\"const\":\"", submission, "\"}") : std::string();
}

// The priority that a submission is sent with; none for most.
inline std::int32_t priority_of(std::string_view submission) {
    int digit = submission.back() - '0';
    return digit == 3 ? 2 : digit == 7 ? -1 : 0;
}

}  // namespace model
