#include "live_run/replay_text.hpp"

#include "base/text.hpp"
#include "inspect/report.hpp"
#include "json/json.hpp"
#include "terminal/line_diff.hpp"
#include "terminal/printable_lines.hpp"

#include <variant>

namespace live_run {

namespace {

using Response = std::vector<config::NewTask>;

// Indented as in the log.
std::string recorded_failure(const workflow::Failure& failure) {
    std::string message;
    for (char c : terminal::printable_lines(failure.message))
        message += c == '\n' ? "\n    " : std::string(1, c);
    return base::concat("recorded: failed, ", inspect::reason_text(failure), ": ", message, "\n");
}

}  // namespace

std::string response_text(const config::WorkflowConfig& config, const Response& response) {
    std::string array = "[";
    for (const config::NewTask& task : response)
        array += base::concat(array.size() > 1 ? "," : "", R"({"kind":)",
                              json::quote(config.step(task.step).name), R"(,"value":)", task.value, "}");
    array.push_back(']');
    return json::pretty(json::View::of(array)) + "\n";
}

std::string comparison(const config::WorkflowConfig& config,
                       const std::optional<workflow::AttemptResult>& recorded,
                       const workflow::AttemptResult& replayed, bool colored) {
    if (!recorded) return "recorded: nothing yet, the attempt has not ended\n";
    if (const auto* failure = std::get_if<workflow::Failure>(&*recorded)) return recorded_failure(*failure);
    const auto& before = std::get<Response>(*recorded);
    const auto* after = std::get_if<Response>(&replayed);
    if (!after) return base::concat("recorded: done, ", before.size(), " next\n");
    std::string diff =
        terminal::unified_diff(response_text(config, before), response_text(config, *after), colored);
    if (diff.empty()) return "the response is the same as the recorded one\n";
    return base::concat("the response differs from the recorded one (-):\n", diff);
}

}  // namespace live_run
