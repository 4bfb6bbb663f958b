#include "pool_protocol/command_task.hpp"

#include "base/text.hpp"
#include "json/escape.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

#include <algorithm>
#include <array>

namespace pool_protocol {

namespace {

using How = CommandEnd::How;
using json::View;

constexpr std::string_view command_kind = "Command";
constexpr std::int64_t known_version = 1;
// The agent's own, by which its processes are found.
constexpr std::string_view agents_variables = "BARNUM_AGENT";
// The kernel's limit for one argument (MAX_ARG_STRLEN).
constexpr std::size_t longest_script = std::size_t{128} * 1024 - 1;

constexpr std::string_view end_beginning = R"({"kind":"CommandEnd","version":1,)";
constexpr std::array<std::string_view, 5> end_names{"exited", "signalled", "timed_out", "too_much_output",
                                                    "not_started"};

bool has_nul(std::string_view text) {
    return text.find('\0') != text.npos;
}

base::Error not_run(std::string_view why) {
    return base::invalid(base::concat("agents of the kind shell run Commands only; this task ", why));
}

std::string variables_json(const CommandTask& task) {
    std::string members;
    for (const auto& [name, value] : task.variables)
        members += base::concat(members.empty() ? "" : ",", json::quote(name), ":", json::quote(value));
    return base::concat("{", members, "}");
}

// Nothing is wrong if the result is empty.
std::string script_problem(std::string_view script) {
    if (script.find_first_not_of(" \t\r\n") == script.npos) return "has an empty \"script\"";
    if (has_nul(script)) return "has a NUL character in its \"script\"";
    return script.size() > longest_script ? "has a \"script\" of more than 128 KiB" : "";
}

std::string shown_name(std::string_view name) {
    constexpr std::size_t longest_name = 100;
    return json::quote_beginning(name, longest_name);
}

std::string read_variables(View object, CommandTask& task) {
    if (!object.is(json::Kind::object)) return "has \"variables\" that are no object";
    for (const json::Member& member : object.members()) {
        std::string name = member.key.string();
        if (name.empty() || name.find('=') != name.npos || has_nul(name) ||
            name.starts_with(agents_variables))
            return base::concat("must not set the variable ", shown_name(name));
        if (!member.value.is(json::Kind::string)) return "has variables that are no strings";
        std::string value = member.value.string();
        if (has_nul(value)) return base::concat("has a NUL character in the variable ", shown_name(name));
        task.variables.emplace_back(std::move(name), std::move(value));
    }
    return "";
}

std::optional<std::int64_t> whole_number(View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    auto number = member->integer();
    return number && *number >= 0 ? number : std::nullopt;
}

std::string read_command(View object, ParsedCommand& command) {
    auto kind = object.find("kind");
    if (!kind || !kind->is(json::Kind::string) || !kind->is_string(command_kind))
        return "has no \"kind\": \"Command\"";
    auto version = whole_number(object, "version");
    if (!version || *version != known_version)
        return base::concat("has another version than ", known_version, ", the one that this agent knows");
    auto script = string_member(object, "script");
    auto input = object.find("stdin");
    if (!script || !input) return "has no \"script\" or no \"stdin\"";
    if (std::string problem = script_problem(*script); !problem.empty()) return problem;
    command.task.script = std::move(*script);
    command.input = input->text();
    if (auto previous = object.find("previous_attempts")) command.task.previous_attempts = previous->text();
    if (auto most = whole_number(object, "max_output_bytes"))
        command.task.max_output = static_cast<std::size_t>(*most);
    auto variables = object.find("variables");
    return variables ? read_variables(*variables, command.task) : "";
}

std::optional<How> how_of(const std::optional<std::string>& name) {
    auto found = std::ranges::find(end_names, name.value_or(""));
    if (found == end_names.end()) return std::nullopt;
    return static_cast<How>(found - end_names.begin());
}

}  // namespace

base::SplicedText command_content(const CommandTask& task, base::SplicedText input) {
    std::string rest =
        base::concat(R"(,"script":)", json::quote(task.script), R"(,"variables":)", variables_json(task),
                     task.previous_attempts.empty() ? "" : R"(,"previous_attempts":)", task.previous_attempts,
                     R"(,"max_output_bytes":)", task.max_output,
                     task.timeout.empty() ? "" : R"(,"timeout_seconds":)", task.timeout, "}");
    return std::move(input).within(
        base::concat(R"({"kind":")", command_kind, R"(","version":)", known_version, R"(,"stdin":)"), rest);
}

base::Result<ParsedCommand> parse_command(std::string_view content) {
    auto object = json::checked(content);
    if (!object || !object->is(json::Kind::object)) return not_run("is no JSON object");
    ParsedCommand command;
    if (std::string problem = read_command(*object, command); !problem.empty()) return not_run(problem);
    return command;
}

std::string to_text(const CommandEnd& end) {
    return base::concat(end_beginning, R"("end":")", end_names.at(static_cast<std::size_t>(end.how)),
                        R"(","code":)", end.code, R"(,"cpu_us":)", end.cpu.count(),
                        end.peak_memory ? base::concat(R"(,"peak_memory_bytes":)", *end.peak_memory) : "",
                        end.message.empty() ? "" : base::concat(R"(,"message":)", json::quote(end.message)),
                        R"(,"stderr":)", json::quote(end.error_output), "}\n", end.output);
}

std::optional<CommandEnd> parse_command_end(std::string_view text) {
    if (!text.starts_with(end_beginning)) return std::nullopt;
    std::size_t line = std::min(text.find('\n'), text.size());
    auto object = json::checked(text.substr(0, line));
    if (!object || line == text.size()) return std::nullopt;
    auto how = how_of(string_member(*object, "end"));
    auto code = int_member(*object, "code");
    auto error_output = string_member(*object, "stderr");
    if (!how || !code || !error_output) return std::nullopt;
    CommandEnd end;
    end.how = *how;
    end.code = *code;
    end.message = string_member(*object, "message").value_or("");
    end.error_output = std::move(*error_output);
    end.output = text.substr(line + 1);
    end.cpu = std::chrono::microseconds(whole_number(*object, "cpu_us").value_or(0));
    if (auto peak = whole_number(*object, "peak_memory_bytes"))
        end.peak_memory = static_cast<std::uint64_t>(*peak);
    return end;
}

}  // namespace pool_protocol
