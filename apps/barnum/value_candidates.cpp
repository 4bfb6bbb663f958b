#include "value_candidates.hpp"

#include "base/text.hpp"
#include "config/file_text.hpp"
#include "inspect/read_file.hpp"
#include "inspect/report.hpp"
#include "json/json.hpp"
#include "pool_client/find_pools.hpp"
#include "statelog/log_file.hpp"

#include <filesystem>

namespace barnum {

namespace {

constexpr std::uintmax_t longest_log = 8 * 1024 * 1024;  // a tenth of a second

std::string_view trimmed_end(std::string_view text) {
    std::size_t last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool take_end(std::string_view& text, std::string_view end) {
    text = trimmed_end(text);
    if (!text.ends_with(end)) return false;
    text.remove_suffix(end.size());
    return true;
}

// The text of --config's argument, which is a file's name or the text itself.
std::string config_text(const std::string& argument) {
    if (argument.find('{') != std::string::npos &&
        argument.find('{') == argument.find_first_not_of(" \t\r\n"))
        return argument;
    auto text = config::read_linked_file(argument);  // regular files only
    return text.has_value() ? std::move(*text) : "";
}

}  // namespace

cli::Completion pool_names(const cli::Line& line) {
    cli::Completion found;
    for (const auto& pool : pool_client::name_pools(line.value("root")))
        found.candidates.push_back({pool.id, pool.seems_served ? "running" : "stopped"});
    return found;
}

std::string before_kind(std::string_view text) {
    std::size_t quote = text.rfind('"');
    if (quote == std::string_view::npos) return "";
    std::string_view before = text.substr(0, quote);
    if (!take_end(before, ":") || !take_end(before, "\"kind\"")) return "";
    before = trimmed_end(before);
    return before.ends_with('{') || before.ends_with(',') ? std::string(text.substr(0, quote)) : "";
}

std::vector<std::string> step_names(std::string_view config) {
    std::vector<std::string> names;
    if (json::check(config, json::Dialect::jsonc)) return names;
    auto steps = json::View::of(config).find("steps");
    if (!steps || !steps->is(json::Kind::array)) return names;
    for (json::View step : steps->elements())
        if (auto name = step.find("name"); name && name->is(json::Kind::string))
            names.push_back(name->string());
    return names;
}

cli::Completion first_tasks_file_or_steps(const cli::Line& line) {
    std::size_t first = line.word.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || line.word[first] != '[') return {cli::Completion::Kind::files};
    cli::Completion found{cli::Completion::Kind::parts};
    std::string before = before_kind(line.word);
    if (before.empty()) return found;
    for (const std::string& name : step_names(config_text(line.value("config"))))
        found.candidates.push_back({before + json::quote(name), "step"});
    return found;
}

cli::Completion tasks_of_log(const cli::Line& line) {
    cli::Completion found;
    std::string path = line.value("log");
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return found;
    if (std::filesystem::file_size(path, error) > longest_log || error) return found;
    auto fd = statelog::open_log(path);
    if (fd.has_error()) return found;
    auto file = inspect::inspect_file(fd->get(), path);
    if (file.has_error()) return found;
    const inspect::Inspection& inspection = file->inspection;
    for (const inspect::InspectedTask& task : inspection.tasks())
        found.candidates.push_back(
            {std::to_string(inspection.attempts()[task.first].id.value),
             base::concat(file->log.replay.config()->step(task.step).name,
                          task.origin == inspect::InspectedTask::Origin::finally ? " (finally)" : "", ", ",
                          inspect::state_name(task.state))});
    return found;
}

}  // namespace barnum
