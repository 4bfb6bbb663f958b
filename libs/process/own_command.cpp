#include "process/own_command.hpp"

#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "process/child_process.hpp"

#include <unistd.h>
#include <utility>

namespace process {

namespace {

// Leads to the running program also if its file was replaced meanwhile.
std::string own_program() {
    return base::concat("/proc/", ::getpid(), "/exe");
}

// A line of the log without its time and its level.
std::string_view without_prefix(std::string_view line) {
    constexpr std::string_view prefix = "2026-11-24T22:10:43.000Z INFO  ";
    constexpr std::size_t end_of_time = prefix.find('Z');
    bool is_logged = line.size() > prefix.size() && line[end_of_time] == 'Z' && line[end_of_time + 1] == ' ';
    return is_logged ? line.substr(prefix.size()) : line;
}

}  // namespace

std::string_view without_end(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

boost::asio::awaitable<ChildResult> run_own_command(std::vector<std::string> arguments,
                                                    std::chrono::seconds longest) {
    ChildSpec spec;
    spec.script = R"(exec "$@")";
    spec.arguments = std::move(arguments);
    spec.arguments.insert(spec.arguments.begin(), own_program());
    auto directory = base::current_directory();
    spec.directory = directory ? *directory : "/";
    spec.timeout = longest;
    return run_child(std::move(spec));
}

std::string failure_message(std::string_view name, const ChildResult& result) {
    constexpr std::string_view own = "barnum: ";
    std::string_view output = without_end(result.error_output);
    if (output.empty()) return base::concat("`barnum ", name, "` ", describe(result));
    std::size_t at = output.starts_with(own) ? 0 : output.rfind(base::concat("\n", own));
    if (at == std::string_view::npos)
        return std::string(without_prefix(output.substr(output.rfind('\n') + 1)));
    output.remove_prefix(output.find(own, at) + own.size());
    return std::string(output.substr(0, output.find("\nTry `")));
}

}  // namespace process
