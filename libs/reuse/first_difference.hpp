// The first lines in which two texts differ, for people. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reuse {

struct Difference {
    std::size_t line = 1;            // of the first one that differs, from 1
    std::vector<std::string> lines;  // "- old", "+ new", "…"; long ones are shortened
};

// `before` and `after` are different.
Difference first_difference(std::string_view before, std::string_view after);

}  // namespace reuse
