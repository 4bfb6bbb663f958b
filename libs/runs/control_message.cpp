#include "runs/control_message.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "runs/json_members.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace runs {

namespace {

using json::View;

constexpr std::array<std::string_view, 4> modes{"table", "plain", "json", "state"};
constexpr std::size_t largest = 100'000;   // jobs, columns, rows
constexpr std::size_t longest_user = 256;  // bytes

std::string text_of(const Attach& attach) {
    return base::concat("{\"kind\":\"Attach\",\"mode\":\"", modes[static_cast<std::size_t>(attach.mode)],
                        "\",\"columns\":", attach.columns, ",\"rows\":", attach.rows,
                        ",\"colored\":", attach.colored ? "true" : "false", "}");
}

std::string text_of(const Pause& pause) {
    return pause.paused ? R"({"kind":"Pause"})" : R"({"kind":"Continue"})";
}

std::string text_of(const Scale& scale) {
    std::string text = R"({"kind":"Scale")";
    if (scale.jobs) text += base::concat(",\"jobs\":", *scale.jobs);
    if (scale.agents) text += base::concat(",\"agents\":", *scale.agents);
    if (!scale.agent_kind.empty()) text += base::concat(",\"agent_kind\":", json::quote(scale.agent_kind));
    return text + "}";
}

std::string text_of(const HumanAnswer& answer) {
    std::string text =
        base::concat("{\"kind\":\"Answer\",\"task\":", answer.task, ",\"user\":", json::quote(answer.user));
    if (answer.response) return text + base::concat(",\"response\":", json::quote(*answer.response), "}");
    return text + base::concat(",\"reason\":", json::quote(answer.reason), "}");
}

std::string text_of(const Table& table) {
    return base::concat(R"({"kind":"Table","lines":)", array_of(table.lines), "}");
}

std::string text_of(const Text& text) {
    return base::concat(R"({"kind":"Text","text":)", json::quote(text.text), "}");
}

std::string text_of(const State& state) {
    return base::concat(R"({"kind":"State","state":)", state.state, "}");
}

std::string text_of(const Reply& reply) {
    return base::concat("{\"kind\":\"", reply.is_refused ? "Refused" : "Done",
                        "\",\"message\":", json::quote(reply.message), "}");
}

std::string text_of(const Ended& ended) {
    return base::concat(R"({"kind":"Ended","exit_code":)", ended.exit_code, "}");
}

base::Result<ControlRequest> attach_in(View object) {
    std::string mode = string_in(object, "mode");
    const auto* found = std::ranges::find(modes, mode);
    if (found == modes.end()) return base::invalid(base::concat("there is no mode \"", mode, "\""));
    Attach attach;
    attach.mode = static_cast<Attach::Mode>(found - modes.begin());
    constexpr std::size_t least = 2;
    attach.columns = std::clamp<std::size_t>(count_in(object, "columns"), least, largest);
    attach.rows = std::clamp<std::size_t>(count_in(object, "rows"), least, largest);
    attach.colored = flag_in(object, "colored");
    return attach;
}

base::Result<ControlRequest> scale_in(View object) {
    Scale scale;
    if (object.find("jobs")) scale.jobs = count_in(object, "jobs");
    if (object.find("agents")) scale.agents = count_in(object, "agents");
    scale.agent_kind = string_in(object, "agent_kind");
    if (!scale.jobs && !scale.agents)
        return base::invalid("nothing is to be changed: give \"jobs\" or \"agents\"");
    if (!scale.agents && !scale.agent_kind.empty())
        return base::invalid("\"agent_kind\" is given without \"agents\"");
    if (scale.jobs && (*scale.jobs == 0 || *scale.jobs > largest))
        return base::invalid(base::concat("\"jobs\" must be a whole number from 1 to ", largest));
    if (scale.agents && std::cmp_greater(*scale.agents, base::most_agents))
        return base::invalid(base::concat("\"agents\" must be a whole number from 0 to ", base::most_agents));
    return scale;
}

bool is_user_name(const std::string& name) {
    bool has_control = std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    return !name.empty() && name.size() <= longest_user && !has_control;
}

base::Result<ControlRequest> answer_in(View object) {
    HumanAnswer answer;
    auto task = number_in(object, "task");
    if (!task || *task < 0) return base::invalid("\"task\" must be the number of a task");
    answer.task = static_cast<std::uint64_t>(*task);
    answer.user = string_in(object, "user");
    if (!is_user_name(answer.user))
        return base::invalid(base::concat("\"user\" must be a name of 1 to ", longest_user,
                                          " bytes without control characters"));
    auto response = object.find("response");
    if (response && !response->is(json::Kind::string))
        return base::invalid("\"response\" must be a string with a JSON array");
    if (response) answer.response = response->string();
    answer.reason = string_in(object, "reason");
    if (!response && answer.reason.empty())
        return base::invalid(
            "an answer needs a \"response\", or a \"reason\" for which the task is rejected");
    return answer;
}

std::optional<ControlMessage> state_in(View object) {
    auto state = object.find("state");
    if (!state || !state->is(json::Kind::object)) return std::nullopt;
    return State{std::string(state->text())};
}

}  // namespace

std::string to_json(const ControlRequest& request) {
    return std::visit([](const auto& one) { return text_of(one); }, request);
}

base::Result<ControlRequest> parse_control_request(std::string_view text) {
    auto object = json::checked(text);
    if (!object || !object->is(json::Kind::object)) return base::invalid("the request is not a JSON object");
    std::string kind = string_in(*object, "kind");
    if (kind == "Attach") return attach_in(*object);
    if (kind == "Pause" || kind == "Continue") return Pause{kind == "Pause"};
    if (kind == "Scale") return scale_in(*object);
    if (kind == "Answer") return answer_in(*object);
    return base::invalid(base::concat("the run does not know requests of the kind \"", kind,
                                      "\"; it may be of an older version of barnum"));
}

std::string to_json(const ControlMessage& message) {
    return std::visit([](const auto& one) { return text_of(one); }, message);
}

std::optional<ControlMessage> parse_control_message(std::string_view text) {
    auto object = json::checked(text);
    if (!object || !object->is(json::Kind::object)) return std::nullopt;
    std::string kind = string_in(*object, "kind");
    if (kind == "Table") return Table{strings_in(*object, "lines")};
    if (kind == "Text") return Text{string_in(*object, "text")};
    if (kind == "State") return state_in(*object);
    if (kind == "Done" || kind == "Refused") return Reply{kind == "Refused", string_in(*object, "message")};
    if (kind == "Ended") return Ended{static_cast<int>(number_in(*object, "exit_code").value_or(1))};
    return std::nullopt;
}

}  // namespace runs
