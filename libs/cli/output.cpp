#include "cli/output.hpp"

#include "base/exit_code.hpp"
#include "base/journal_stream.hpp"
#include "cli/command_line.hpp"
#include "json/json.hpp"
#include "json/shown_text.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace cli {

namespace {

bool errors_are_json = false;  // of this process, which runs one command

bool reader_is_gone() {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

std::string words_for(int reason) {
    if (reason == 0) return "";
    return std::string(": ") + (reason == EBADF ? "it is closed" : std::strerror(reason));
}

}  // namespace

int flushed(std::string_view program, int code) {
    if (std::cout.flush()) return code;
    if (reader_is_gone()) return code;
    // The stream does not tell why, and it may have been long ago. A byte more does no harm to what is cut
    // off already.
    int reason = ::write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
    return fail(program, "cannot write to stdout" + words_for(reason), base::ExitCode::io_error);
}

void print_errors_as_json(bool as_json) {
    errors_are_json = as_json;
}

int fail(std::string_view program, std::string_view message, int code) {
    if (errors_are_json) {
        std::cerr << "{\"error\":{\"message\":" << json::quote(message) << ",\"exit_code\":" << code
                  << "}}\n";
        return code;
    }
    std::string_view priority = base::is_journal_stream(STDERR_FILENO) ? "<3>" : "";
    std::cerr << priority << program << ": " << json::shown_text(message) << "\n";
    return code;
}

}  // namespace cli
