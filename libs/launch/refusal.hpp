// Why a run does not begin.
#pragma once

#include "base/error.hpp"

#include <string>
#include <utility>

namespace launch {

struct Refusal {
    enum class Kind {
        wrong_usage,    // what was asked for is wrong, or not possible
        failed,         // nothing is wrong with it, and it did not succeed
        io_error,       // a file is damaged, or could not be read or written
        nothing_to_do,  // the earlier run has finished; that was logged
    };
    Kind kind{};
    std::string message;  // empty if there is nothing to do
};

inline Refusal wrong_usage(std::string message) {
    return {Refusal::Kind::wrong_usage, std::move(message)};
}
inline Refusal io_error(std::string message) {
    return {Refusal::Kind::io_error, std::move(message)};
}

}  // namespace launch
