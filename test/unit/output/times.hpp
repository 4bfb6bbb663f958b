// The times of records in tests.
#pragma once

#include "output/record.hpp"

namespace output_test {

inline output::Time at(std::int64_t milliseconds) {
    return output::Time(std::chrono::milliseconds(milliseconds));
}

}  // namespace output_test
