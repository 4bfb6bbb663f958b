#include "run_tools/shape.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace run_tools {

using base::concat;
using json::Kind;
using json::View;

namespace {

bool is_one_of(std::string_view name, const auto& names) {
    return std::ranges::find(names, name) != std::ranges::end(names);
}

// What a model need not read.
bool is_left_out(View object, std::string_view name, View value) {
    constexpr std::array<std::string_view, 3> usually_false{"finally", "lenient", "permanent"};
    if (name == "row" || value.is(Kind::null)) return true;
    if (name == "children_count") {
        auto shown = object.find("children");
        return shown && value.integer() == static_cast<std::int64_t>(shown->elements().size());
    }
    if (value.is(Kind::array)) return value.elements().empty();
    return value.is(Kind::boolean) && !value.boolean() && is_one_of(name, usually_false);
}

std::string time_text(View milliseconds) {
    auto whole = milliseconds.integer();
    auto count = whole ? *whole : static_cast<std::int64_t>(milliseconds.number());
    return json::quote(
        base::utc_text(std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(count))));
}

// The JSON that a string contains; the string itself if it contains other text.
std::string inner_json(View text) {
    std::string inner = text.string();
    auto value = json::checked(inner);
    return value.has_value() ? json::compact(*value) : std::string(text.text());
}

std::string shaped(View value);

std::string shaped_member(View object, std::string_view name, View value) {
    constexpr std::array<std::string_view, 4> times{"submitted", "started", "ended", "since"};
    constexpr std::array<std::string_view, 2> texts{"value", "response"};
    if (value.is(Kind::number) && is_one_of(name, times)) return concat("\"", name, "\":", time_text(value));
    if (!value.is(Kind::string) || !is_one_of(name, texts)) return concat("\"", name, "\":", shaped(value));
    if (object.find(concat(name, "_left_out"))) return concat("\"", name, "_excerpt\":", value.text());
    return concat("\"", name, "\":", inner_json(value));
}

std::string shaped(View value) {
    std::string text;
    if (value.is(Kind::object)) {
        for (const auto& [key, member] : value.members()) {
            std::string name = key.string();
            if (is_left_out(value, name, member)) continue;
            text += concat(text.empty() ? "" : ",", shaped_member(value, name, member));
        }
        return concat("{", text, "}");
    }
    if (!value.is(Kind::array)) return std::string(value.text());
    for (View element : value.elements())
        text += concat(text.empty() ? "" : ",", shaped(element));
    return concat("[", text, "]");
}

std::int64_t number_in(View object, std::string_view name) {
    auto value = object.find(name);
    auto number = value && value->is(Kind::number) ? value->integer() : std::nullopt;
    return number.value_or(0);
}

std::optional<View> array_in(std::string_view object, std::string_view name) {
    if (object.empty()) return std::nullopt;
    auto value = View::of(object).find(name);
    return value && value->is(Kind::array) ? value : std::nullopt;
}

// The counts of this step that the run reports.
std::optional<View> reported_counts(std::string_view state, View step) {
    auto finally = step.find("finally");
    std::string row = step.find("step")->string() + (finally && finally->boolean() ? " (finally)" : "");
    auto steps = array_in(state, "steps");
    for (View counts : steps ? steps->elements() : std::vector<View>())
        if (auto name = counts.find("row"); name && name->is_string(row)) return counts;
    return std::nullopt;
}

std::string if_any(std::string_view name, std::int64_t count) {
    return count == 0 ? "" : concat(",\"", name, "\":", count);
}

// Nothing runs in a run that does not report, or it is not known what does.
std::string step_shape(View step, std::optional<View> reported) {
    auto finally = step.find("finally");
    std::int64_t waiting = number_in(step, "waiting");
    std::string running;
    if (reported) {
        std::int64_t asked = number_in(*reported, "waiting_for_human");
        waiting = number_in(*reported, "waiting");
        running =
            concat(",\"running\":", number_in(*reported, "running") - asked,
                   if_any("at_pool", number_in(*reported, "at_pool")), if_any("waiting_for_people", asked));
    }
    return concat(
        "{\"step\":", step.find("step")->text(), finally && finally->boolean() ? ",\"finally\":true" : "",
        ",\"tasks\":", number_in(step, "tasks"), ",\"waiting\":", waiting, running,
        ",\"done\":", number_in(step, "done"), ",\"dropped\":", number_in(step, "dropped"),
        if_any("retried", number_in(step, "retried")), if_any("total_ms", number_in(step, "total_ms")),
        if_any("longest_ms", number_in(step, "longest_ms")), "}");
}

bool is_asked(View task) {
    auto phase = task.find("phase");
    return phase && phase->is_string("human");
}

}  // namespace

std::string mcp_task_shape(std::string_view task) {
    return shaped(View::of(task));
}

std::string mcp_sums_shape(std::string_view sums, std::string_view state) {
    std::string steps;
    auto given = array_in(sums, "steps");
    for (View step : given ? given->elements() : std::vector<View>())
        steps += concat(steps.empty() ? "" : ",", step_shape(step, reported_counts(state, step)));
    auto usage = array_in(sums, "usage");
    bool has_usage = usage && !usage->elements().empty();
    return concat("\"steps\":[", steps, "]", has_usage ? concat(",\"usage\":", shaped(*usage)) : "");
}

std::set<std::uint64_t> mcp_running_tasks(std::string_view state) {
    std::set<std::uint64_t> tasks;
    auto running = array_in(state, "running");
    for (View task : running ? running->elements() : std::vector<View>())
        if (!is_asked(task)) tasks.insert(static_cast<std::uint64_t>(number_in(task, "id")));
    return tasks;
}

std::string mcp_running_member(std::string_view state, std::uint64_t task) {
    auto running = array_in(state, "running");
    for (View one : running ? running->elements() : std::vector<View>()) {
        if (number_in(one, "id") != static_cast<std::int64_t>(task) || is_asked(one)) continue;
        std::string members;
        for (std::string_view name : {"phase", "since", "activity"})
            if (auto value = one.find(name); value && !value->is(Kind::null))
                members += concat(members.empty() ? "" : ",", shaped_member(one, name, *value));
        return concat(",\"running\":{", members, "}");
    }
    return "";
}

AtPool mcp_at_pool(std::string_view state) {
    AtPool pool;
    if (state.empty()) return pool;
    View given = View::of(state);
    auto tasks = given.find("tasks");
    if (tasks && tasks->is(Kind::object)) pool.tasks = static_cast<std::size_t>(number_in(*tasks, "at_pool"));
    auto agents = given.find("agents");
    if (agents && agents->is(Kind::object)) {
        std::int64_t count = 0;
        for (std::string_view name : {"idle", "busy", "resting", "parked"})
            count += number_in(*agents, name);
        pool.agents = static_cast<std::size_t>(count);
    }
    auto standstill = given.find("standstill");
    if (standstill && standstill->is(Kind::string)) pool.standstill = standstill->string();
    return pool;
}

std::string missing_agents(const AtPool& pool, std::string_view attach) {
    if (pool.tasks == 0 || !pool.standstill.empty()) return pool.standstill;
    if (!pool.agents || *pool.agents > 0) return "";
    return concat(base::counted(pool.tasks, "task"), pool.tasks == 1 ? " waits" : " wait",
                  " for an agent, and none is attached to the pool. Attach one with `troupe agent ", attach,
                  " --kind claude`, or with the tools of `troupe mcp ", attach,
                  "`; or cancel the run, and start it with `agents`.");
}

}  // namespace run_tools
