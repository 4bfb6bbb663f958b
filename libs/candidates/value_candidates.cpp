#include "candidates/value_candidates.hpp"

#include "base/text.hpp"
#include "config/file_text.hpp"
#include "inspect/read_file.hpp"
#include "inspect/report.hpp"
#include "json/json.hpp"
#include "pool_client/find_pools.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/log_file.hpp"

#include <filesystem>
#include <optional>
#include <utility>

namespace candidates {

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

// The step that is the config's entrypoint.
std::optional<json::View> entrypoint_of(json::View config) {
    auto entrypoint = config.find("entrypoint");
    auto steps = config.find("steps");
    if (!entrypoint || !entrypoint->is(json::Kind::string) || !steps || !steps->is(json::Kind::array))
        return std::nullopt;
    for (json::View step : steps->elements()) {
        auto name = step.find("name");
        if (name && name->is(json::Kind::string) && name->string() == entrypoint->string()) return step;
    }
    return std::nullopt;
}

std::optional<inspect::InspectedFile> read_short_log(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    if (std::filesystem::file_size(path, error) > longest_log || error) return std::nullopt;
    auto fd = statelog::open_log(path);
    if (fd.has_error()) return std::nullopt;
    auto file = inspect::inspect_file(fd->get(), path);
    if (file.has_error()) return std::nullopt;
    return std::move(*file);
}

cli::Completion tasks_in(const std::string& log) {
    cli::Completion found;
    auto file = read_short_log(log);
    if (!file) return found;
    const inspect::Inspection& inspection = file->inspection;
    for (const inspect::InspectedTask& task : inspection.tasks())
        found.candidates.push_back(
            {std::to_string(inspection.attempts()[task.first].id.value),
             base::concat(file->log.replay.config()->step(task.step).name,
                          task.origin == inspect::InspectedTask::Origin::finally ? " (finally)" : "", ", ",
                          inspect::state_name(task.state))});
    return found;
}

std::string log_of_run(const cli::Line& line) {
    auto named = runs::find_named_run(line.value("run"));
    return named ? named->log : "";
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

std::vector<std::string> parameter_beginnings(std::string_view config) {
    std::vector<std::string> beginnings;
    if (json::check(config, json::Dialect::jsonc)) return beginnings;
    auto step = entrypoint_of(json::View::of(config));
    auto schema = step ? step->find("value_schema") : std::nullopt;
    auto properties = schema ? schema->find("properties") : std::nullopt;
    if (!properties || !properties->is(json::Kind::object)) return beginnings;
    for (const json::Member& member : properties->members()) {
        auto type = member.value.find("type");
        bool is_string = type && type->is(json::Kind::string) && type->is_string("string");
        beginnings.push_back(member.key.string() + (is_string ? "=" : ":="));
    }
    return beginnings;
}

cli::Completion parameter_names(const cli::Line& line) {
    cli::Completion found{cli::Completion::Kind::parts};
    if (line.word.find('=') != std::string::npos) return found;
    for (const std::string& beginning : parameter_beginnings(config_text(line.value("config"))))
        found.candidates.push_back({beginning, "member"});
    return found;
}

cli::Completion tasks_of_log(const cli::Line& line) {
    return tasks_in(line.value("log"));
}

cli::Completion tasks_of_run(const cli::Line& line) {
    return tasks_in(log_of_run(line));
}

cli::Completion steps_of_run(const cli::Line& line) {
    cli::Completion found;
    auto file = read_short_log(log_of_run(line));
    if (!file) return found;
    for (const config::Step& step : file->log.replay.config()->steps)
        found.candidates.push_back({step.name});
    return found;
}

}  // namespace candidates
