#include "progress/state.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "progress/members.hpp"

#include <cstdio>

namespace progress {

namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

std::string number_or_null(const std::optional<double>& number) {
    if (!number) return "null";
    char text[48];
    std::snprintf(text, sizeof text, "%.3f", *number);
    return text;
}

std::string steps(const Model& model, Time now) {
    auto etas = model.etas(now);
    std::string text;
    for (std::size_t i = 0; i < model.steps().size(); ++i) {
        const Step& step = model.steps()[i];
        text += base::concat(text.empty() ? "" : ",", R"({"row":)",
                             json::quote(step.of_step + (step.is_finally ? " (finally)" : "")), ",",
                             members_of(model.counts(i)), R"(,"eta_seconds":)",
                             etas[i] ? std::to_string(etas[i]->count()) : "null", "}");
    }
    return base::concat("[", text, "]");
}

// A run knows how long a task has been running, and not since when: its clock has no date.
std::string running(const RunningTask& task, const Model& model, WallTime time, Time now) {
    const Step& step = model.steps()[task.step];
    auto since = time - duration_cast<milliseconds>(now - task.since);
    return base::concat(R"({"id":)", task.id, R"(,"step":)", json::quote(step.of_step), R"(,"finally":)",
                        step.is_finally ? "true" : "false", R"(,"phase":")", name_of(task.phase),
                        R"(","since":)", since.time_since_epoch().count(), R"(,"activity":)",
                        task.activity.empty() ? "null" : json::quote(task.activity), "}");
}

}  // namespace

std::string state(WallTime time, const Model& model, const std::optional<Agents>& agents,
                  const std::optional<Spending>& spending, Time now) {
    std::string tasks;
    std::size_t named = 0;
    for (const auto& list : {model.longest_running(most_named_tasks), model.longest_asked(most_named_tasks)})
        for (const RunningTask& task : list) {
            tasks += base::concat(named++ == 0 ? "" : ",", running(task, model, time, now));
        }
    return base::concat(
        R"({"elapsed_ms":)", duration_cast<milliseconds>(model.elapsed(now)).count(), R"(,"paused":)",
        model.is_paused() ? "true" : "false", R"(,"rate":)", number_or_null(model.total_rate(now)),
        R"(,"tasks":)", json_of(model.total()), R"(,"agents":)", agents ? json_of(*agents) : "null",
        R"(,"standstill":)", agents && !agents->standstill.empty() ? json::quote(agents->standstill) : "null",
        R"(,"usage":)", spending ? json_of(*spending, model) : "null", R"(,"steps":)", steps(model, now),
        R"(,"running":[)", tasks, R"(],"more":)", model.total().running - named, "}");
}

}  // namespace progress
