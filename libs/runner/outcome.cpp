#include "runner/outcome.hpp"

#include "base/text.hpp"
#include "workflow/bounds.hpp"
#include "workflow/counts.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace runner {

namespace {

using Row = std::vector<std::string>;

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
        if (config.steps[i].has_finally())
            rows.push_back(row(config.steps[i].name + " (finally)", counters.finally_done,
                               counters.finally_dropped, counters.finally_retried));
    }
    return rows;
}

// The first columns are texts, the others numbers.
std::string table(const std::vector<Row>& rows, std::size_t texts = 1) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string room(widths[i] - row[i].size(), ' ');
            text += i == 0 ? "\n" : "  ";
            text += i < texts ? row[i] + room : room + row[i];
        }
    }
    return text;
}

Row usage_row(std::string name, const workflow::UsageKey& key, const workflow::Usage& usage) {
    auto shown = [](const std::string& text) { return text.empty() ? "-" : text; };
    return {std::move(name),
            shown(key.kind),
            shown(key.model),
            std::to_string(usage.input_tokens),
            std::to_string(usage.cached_tokens),
            std::to_string(usage.output_tokens),
            workflow::cost_text(usage)};
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

std::string_view result_name(const Outcome& outcome) {
    switch (outcome.end) {
        case Outcome::End::cancelled:
            return "interrupted";
        case Outcome::End::pool_unreachable:
            return "pool_unreachable";
        case Outcome::End::no_agents:
            return "no_agents";
        case Outcome::End::budget_spent:
            return "budget_spent";
        case Outcome::End::waiting:
            return "waiting_for_human";
        case Outcome::End::log_failed:
            return "log_failed";
        case Outcome::End::finished:
            break;
    }
    return outcome.all_well() ? "finished" : "failed";
}

std::string headline(const Outcome& outcome) {
    std::string text = outcome.all_well() ? "run finished" : "run failed";
    if (outcome.end == Outcome::End::cancelled) text = "run interrupted";
    if (outcome.end == Outcome::End::budget_spent || outcome.end == Outcome::End::waiting)
        text = "run stopped";
    text +=
        base::concat(": ", base::counted(workflow::tasks_ended(outcome.steps) - outcome.tasks_before, "task"),
                     " in ", seconds(outcome.elapsed));
    if (outcome.reused > 0) text += base::concat(", ", outcome.reused, " of them reused");
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
    std::size_t failed = outcome.dropped_count - workflow::count_past_bounds(outcome.steps);
    if (failed > outcome.dropped.size())
        text += base::concat("\n… and ", failed - outcome.dropped.size(), " more, in the log above");
    return text;
}

std::string usage(const config::WorkflowConfig& config, const Outcome& outcome) {
    if (outcome.usage.empty()) return "";
    std::vector<Row> rows{{"step", "agents", "model", "tokens in", "cached", "tokens out", "cost"}};
    for (const auto& [key, usage] : outcome.usage.rows())
        rows.push_back(usage_row(config.step(key.step).name, key, usage));
    workflow::Usage total = outcome.usage.total();
    if (rows.size() > 2) rows.push_back(usage_row("total", {}, total));
    std::string text = table(rows, 3);
    if (!total.price_list.empty())
        text += base::concat("\nabout: by the public price list of ", total.price_list);
    if (outcome.budget) text += base::concat("\nspent ", outcome.budget->text());
    return text + (total.repairs > 0 ? base::concat("\nrepaired: ", total.repairs) : "");
}

std::string summary(const config::WorkflowConfig& config, const Outcome& outcome) {
    return headline(outcome) + table(rows(config, outcome)) + usage(config, outcome) + failures(outcome);
}

}  // namespace runner
