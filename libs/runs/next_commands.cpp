#include "runs/next_commands.hpp"

#include "base/text.hpp"
#include "json/shown_word.hpp"

#include <cerrno>
#include <string_view>

namespace runs {

// A server starts commands by a path that is gone when the server ends (own_command).
std::string own_name() {
    std::string_view name = program_invocation_name;
    return name.starts_with("/proc/") ? "barnum" : std::string(name);
}

std::string short_command_to_resume(const std::string& log_path) {
    std::string word =
        log_path.starts_with('-') ? "./" + log_path : log_path;  // or it would be taken for an option
    return base::concat("barnum run --resume-from ", json::shown_word(word));
}

std::string command_to_resume(const std::string& run_id) {
    return base::concat(json::shown_word(own_name()), " resume ", json::shown_word(run_id));
}

std::string command_to_inspect(const std::string& log_path) {
    return base::concat(json::shown_word(own_name()), " inspect ", json::shown_word(log_path));
}

}  // namespace runs
