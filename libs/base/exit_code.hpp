// The exit codes of both programs.
#pragma once

namespace base {

// Each has the same meaning in all commands; 69 to 74 are those of sysexits.h.
enum ExitCode {
    ok = 0,
    failure = 1,
    usage = 2,
    unavailable = 69,
    internal_error = 70,
    io_error = 74,
    resumable = 75,
};

}  // namespace base
