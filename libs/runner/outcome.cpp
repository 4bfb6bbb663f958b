#include "runner/outcome.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace runner {

namespace {

using Row = std::array<std::string, 4>;

std::string seconds(std::chrono::steady_clock::duration elapsed) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f s", std::chrono::duration<double>(elapsed).count());
    return text;
}

Row row(std::string name, std::uint64_t done, std::uint64_t dropped, std::uint64_t retries) {
    return {std::move(name), std::to_string(done), std::to_string(dropped), std::to_string(retries)};
}

std::vector<Row> rows(const config::WorkflowConfig& config, const Outcome& outcome) {
    std::vector<Row> rows{{"step", "done", "dropped", "retries"}};
    for (std::size_t i = 0; i < config.steps.size(); ++i) {
        const auto& counters = outcome.steps[i];
        rows.push_back(row(config.steps[i].name, counters.done, counters.dropped, counters.retried));
        if (config.steps[i].finally)
            rows.push_back(row(config.steps[i].name + " (finally)", counters.finally_done,
                               counters.finally_dropped, counters.finally_retried));
    }
    return rows;
}

std::string table(const std::vector<Row>& rows) {
    std::array<std::size_t, 4> widths{};
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row& row : rows) {
        text += base::concat("\n", row[0], std::string(widths[0] - row[0].size(), ' '));
        for (std::size_t i = 1; i < row.size(); ++i)
            text += base::concat("  ", std::string(widths[i] - row[i].size(), ' '), row[i]);
    }
    return text;
}

// The first line and the last ones. The log contains the whole message.
std::string shortened(const std::string& message) {
    constexpr std::size_t last_lines = 8;
    std::vector<std::string> lines;
    std::istringstream text(message);
    for (std::string line; std::getline(text, line);)
        lines.push_back(std::move(line));
    if (lines.size() <= last_lines + 2) return message;
    std::string kept = lines.front() + "\n…";
    for (std::size_t i = lines.size() - last_lines; i < lines.size(); ++i)
        kept += "\n" + lines[i];
    return kept;
}

}  // namespace

std::uint64_t tasks_ended(const std::vector<workflow::StepCounters>& steps) {
    std::uint64_t tasks = 0;
    for (const auto& counters : steps)
        tasks += counters.done + counters.dropped + counters.finally_done + counters.finally_dropped;
    return tasks;
}

std::string headline(const Outcome& outcome) {
    std::string text = outcome.all_well() ? "run finished" : "run failed";
    if (outcome.end == Outcome::End::cancelled) text = "run interrupted";
    text += base::concat(": ", base::counted(tasks_ended(outcome.steps) - outcome.tasks_before, "task"),
                         " in ", seconds(outcome.elapsed));
    if (outcome.tasks_before > 0) text += base::concat(", ", outcome.tasks_before, " before that");
    if (outcome.dropped_count > 0) text += base::concat(", ", outcome.dropped_count, " dropped");
    if (outcome.unfinished > 0) text += base::concat(", ", outcome.unfinished, " not finished");
    if (!outcome.message.empty()) text += base::concat("; ", outcome.message);
    return text;
}

std::string failures(const Outcome& outcome) {
    std::string text;
    for (const DroppedTask& task : outcome.dropped)
        text += base::concat("\ndropped: ", task.label, ": ", shortened(task.message));
    if (outcome.dropped_count > outcome.dropped.size())
        text += base::concat("\n… and ", outcome.dropped_count - outcome.dropped.size(),
                             " more, in the log above");
    return text;
}

std::string summary(const config::WorkflowConfig& config, const Outcome& outcome) {
    return headline(outcome) + table(rows(config, outcome)) + failures(outcome);
}

}  // namespace runner
