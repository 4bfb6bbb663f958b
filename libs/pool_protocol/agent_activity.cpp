#include "pool_protocol/agent_activity.hpp"

#include "base/dollars.hpp"
#include "base/text.hpp"
#include "json/escape.hpp"
#include "pool_protocol/bounded_members.hpp"
#include "pool_protocol/fields.hpp"

#include <algorithm>

namespace pool_protocol {

namespace {

constexpr std::string_view activity_beginning = R"({"kind":"Activity",)";

}  // namespace

std::string to_json(const AgentActivity& activity) {
    std::string members = base::concat(
        "\"text\":", json::quote_beginning(activity.text, AgentActivity::max_text), ",",
        turns_member("turn", activity.turn), tokens_member("input_tokens", activity.input_tokens),
        tokens_member("cached_tokens", activity.cached_tokens),
        tokens_member("output_tokens", activity.output_tokens), usd_member(activity.usd),
        bounded_text_member("price_list", activity.price_list), time_member("since", activity.since),
        activity.kind.empty() ? "" : bounded_text_member("kind", activity.kind),
        activity.repairs == 0 ? "" : turns_member("repairs", activity.repairs));
    members.pop_back();
    return base::concat("{", members, "}");
}

std::optional<AgentActivity> parse_activity(json::View value) {
    if (!value.is(json::Kind::object)) return std::nullopt;
    AgentActivity activity;
    BoundedMembers members(value);
    members.read("text", activity.text);
    members.read("turn", activity.turn);
    members.read("input_tokens", activity.input_tokens);
    members.read("cached_tokens", activity.cached_tokens);
    members.read("output_tokens", activity.output_tokens);
    members.read("usd", activity.usd);
    members.read("price_list", activity.price_list);
    members.read_time("since", activity.since);
    members.read("kind", activity.kind);
    members.read("repairs", activity.repairs);
    if (!members.valid()) return std::nullopt;
    activity.text = on_one_line(std::move(activity.text));
    return activity;
}

std::string activity_text(const AgentActivity& activity) {
    std::string text = activity.text;
    auto add = [&](std::string_view more) { text += base::concat(text.empty() ? "" : " · ", more); };
    if (activity.turn > 0) add(base::concat("turn ", activity.turn));
    if (activity.usd)
        add(base::concat(activity.price_list.empty() ? "" : "about ", base::dollars_text(*activity.usd)));
    return text;
}

std::string to_json(const TaskActivity& task) {
    return base::concat(activity_beginning, "\"id\":", json::quote(task.id),
                        ",\"agent\":", json::quote(task.agent),
                        ",\"activity\":", task.activity ? to_json(*task.activity) : "null",
                        task.used ? base::concat(",\"used\":", to_json(*task.used)) : "", "}");
}

// Called for every frame to a submitter: an answer may be long.
std::optional<TaskActivity> parse_task_activity(std::string_view frame) {
    if (!frame.starts_with(activity_beginning) || json::check(frame)) return std::nullopt;
    json::View object = json::View::of(frame);
    auto id = string_member(object, "id");
    auto agent = string_member(object, "agent");
    auto member = object.find("activity");
    if (!id || !agent || !member) return std::nullopt;
    TaskActivity task{std::move(*id), on_one_line(std::move(*agent)), std::nullopt};
    if (member->is(json::Kind::null)) {
        if (auto used = object.find("used")) task.used = parse_activity(*used);
        return task;
    }
    task.activity = parse_activity(*member);
    if (!task.activity) return std::nullopt;
    return task;
}

}  // namespace pool_protocol
