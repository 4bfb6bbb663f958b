// The exit code of a run that does not begin.
#pragma once

#include "base/exit_code.hpp"
#include "launch/refusal.hpp"

namespace barnum {

inline int exit_code_of(launch::Refusal::Kind kind) {
    switch (kind) {
        case launch::Refusal::Kind::wrong_usage:
            return base::ExitCode::usage;
        case launch::Refusal::Kind::failed:
            return base::ExitCode::failure;
        case launch::Refusal::Kind::io_error:
            return base::ExitCode::io_error;
        case launch::Refusal::Kind::nothing_to_do:
            break;
    }
    return base::ExitCode::ok;
}

}  // namespace barnum
