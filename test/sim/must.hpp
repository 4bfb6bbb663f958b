// A rule that does not hold, as an exception: what a test does about it is the test's affair.
#pragma once

#include <stdexcept>

namespace sim {

struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void must(bool holds, const char* rule) {
    if (!holds) throw Broken(rule);
}

}  // namespace sim
