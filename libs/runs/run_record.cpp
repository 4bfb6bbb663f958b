#include "runs/run_record.hpp"

#include "base/text.hpp"
#include "json/byte_members.hpp"
#include "json/json.hpp"
#include "json/number.hpp"
#include "runs/json_members.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace runs {

namespace {

using json::Kind;
using json::View;

std::optional<Time> time_in(View object, std::string_view name) {
    auto number = number_in(object, name);
    return number ? std::optional(Time(std::chrono::milliseconds(*number))) : std::nullopt;
}

std::int64_t unix_time(Time time) {
    return time.time_since_epoch().count();
}

std::string end_members(const std::optional<RunEnd>& end) {
    if (!end) return "";
    return base::concat(",\"ended\":", unix_time(end->time), ",\"exit_code\":", end->exit_code,
                        ",\"result\":", json::quote(end->result));
}

std::optional<RunEnd> end_in(View object) {
    auto time = time_in(object, "ended");
    if (!time) return std::nullopt;
    return RunEnd{*time, static_cast<int>(number_in(object, "exit_code").value_or(0)),
                  string_in(object, "result")};
}

std::string parameters_member(const std::string& parameters) {
    return parameters.empty() ? "" : ",\"parameters\":" + parameters;
}

std::string parameters_in(View object) {
    auto parameters = object.find("parameters");
    return parameters && parameters->is(Kind::object) ? json::compact(*parameters) : "";
}

std::string usd_member(std::optional<double> usd) {
    return usd && std::isfinite(*usd) ? base::concat(",\"usd\":", json::number_text(*usd)) : "";
}

std::string price_list_member(const std::string& date) {
    return date.empty() ? "" : base::concat(",\"price_list\":", json::quote(date));
}

std::string busy_agents_member(std::optional<std::uint64_t> count) {
    return count ? base::concat(",\"busy_agents\":", *count) : "";
}

std::string asked_member(std::uint64_t count) {
    return count > 0 ? base::concat(",\"waiting_for_human\":", count) : "";
}

TaskCounts tasks_in(View object) {
    auto tasks = object.find("tasks");
    if (!tasks) return {};
    return {count_in(*tasks, "done"), count_in(*tasks, "left"), count_in(*tasks, "dropped"),
            count_in(*tasks, "waiting_for_human")};
}

// What may contain any bytes: paths, and options, which contain paths.
bool read_bytes(View object, RunRecord& record) {
    auto config = json::bytes_in(object, "config");
    auto directory = json::bytes_in(object, "directory");
    auto state_log = json::bytes_in(object, "state_log");
    auto options = json::byte_array_in(object, "options");
    if (!config || !directory || !state_log || !options) return false;
    record.config = std::move(*config);
    record.directory = std::move(*directory);
    record.state_log = std::move(*state_log);
    record.options = std::move(*options);
    return true;
}

// Whether an absolute path is that of a log in the directory of the run, wherever the directory was.
bool is_in_directory_of(const std::string& run_id, const std::filesystem::path& log) {
    return log.filename() == state_log_name && log.parent_path().filename() == run_id;
}

}  // namespace

RunRecord as_written_in(const std::string& directory, RunRecord record) {
    if (record.state_log == base::concat(directory, "/", state_log_name)) record.state_log = state_log_name;
    return record;
}

RunRecord as_read_in(const std::string& directory, RunRecord record) {
    if (record.state_log.empty()) record.state_log = state_log_name;  // the record is damaged
    if (is_in_directory_of(record.id, record.state_log)) record.state_log = state_log_name;
    if (!record.state_log.starts_with('/')) record.state_log = base::concat(directory, "/", record.state_log);
    return record;
}

std::string to_json(const RunRecord& record) {
    const TaskCounts& tasks = record.tasks;
    return base::concat(
        "{\"id\":", json::quote(record.id), ",\"name\":", json::quote(record.name), ",",
        json::byte_member("config", record.config), ",", json::byte_member("directory", record.directory),
        parameters_member(record.parameters), ",", json::byte_array_member("options", record.options),
        ",\"user\":", json::quote(record.user), ",\"host\":", json::quote(record.host),
        ",\"pid\":", record.process.pid, ",\"process_start\":", record.process.start,
        ",\"boot_id\":", json::quote(record.process.boot_id), ",\"version\":", json::quote(record.version),
        ",\"format\":", record_format, ",\"resumes\":", json::quote(record.resumes),
        ",\"retries\":", json::quote(record.retries), ",\"reuses\":", json::quote(record.reuses), ",",
        json::byte_member("state_log", record.state_log), ",\"started\":", unix_time(record.started),
        record.is_paused ? ",\"paused\":true" : "", ",\"tasks\":{\"done\":", tasks.done,
        ",\"left\":", tasks.left, ",\"dropped\":", tasks.dropped, asked_member(tasks.asked), "}",
        usd_member(record.usd), price_list_member(record.price_list), busy_agents_member(record.busy_agents),
        end_members(record.end), "}\n");
}

// The parameters, which are nested as deep as a value may be, are one level deeper in the record.
std::optional<RunRecord> parse_run_record(std::string_view text) {
    auto object = json::checked(text, json::Dialect::json, json::max_depth + 1);
    if (!object || !object->is(Kind::object)) return std::nullopt;
    auto started = time_in(*object, "started");
    RunRecord record;
    record.id = string_in(*object, "id");
    if (record.id.empty() || !started) return std::nullopt;
    record.name = string_in(*object, "name");
    if (!read_bytes(*object, record)) return std::nullopt;
    record.parameters = parameters_in(*object);
    record.user = string_in(*object, "user");
    record.host = string_in(*object, "host");
    record.process = {static_cast<int>(number_in(*object, "pid").value_or(0)),
                      count_in(*object, "process_start"), string_in(*object, "boot_id")};
    record.version = string_in(*object, "version");
    record.format =
        static_cast<std::uint64_t>(std::max<std::int64_t>(1, number_in(*object, "format").value_or(1)));
    record.resumes = string_in(*object, "resumes");
    record.retries = string_in(*object, "retries");
    record.reuses = string_in(*object, "reuses");
    record.started = *started;
    record.is_paused = flag_in(*object, "paused");
    record.tasks = tasks_in(*object);
    if (auto usd = object->find("usd"); usd && usd->is(Kind::number)) record.usd = usd->number();
    record.price_list = string_in(*object, "price_list");
    if (object->find("busy_agents")) record.busy_agents = count_in(*object, "busy_agents");
    record.end = end_in(*object);
    return record;
}

}  // namespace runs
