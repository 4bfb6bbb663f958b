#include "progress/events.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "progress/members.hpp"

#include <cstdio>

namespace progress {

namespace {

std::string seconds(Duration span) {
    char text[48];
    std::snprintf(text, sizeof text, "%.3f", std::chrono::duration<double>(span).count());
    return text;
}

// Builds one JSON object; its members have the order of the calls.
class Line {
  public:
    Line(std::string_view event, WallTime time) {
        text_ = base::concat(R"({"event":")", event, R"(","time":)", time.time_since_epoch().count());
    }

    Line& raw(std::string_view name, std::string_view json) {
        text_ += base::concat(",\"", name, "\":", json);
        return *this;
    }
    Line& string(std::string_view name, std::string_view value) { return raw(name, json::quote(value)); }
    Line& number(std::string_view name, std::uint64_t value) { return raw(name, std::to_string(value)); }
    Line& flag(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }

    Line& subject(const Subject& subject) {
        return number("task", subject.task)
            .string("step", subject.step)
            .flag("finally", subject.is_finally)
            .number("attempt", subject.attempt);
    }

    std::string end() { return text_ + "}\n"; }

  private:
    std::string text_;
};

std::string steps(const Model& model) {
    std::string text;
    for (std::size_t step = 0; step < model.steps().size(); ++step)
        text += base::concat(text.empty() ? "" : ",", R"({"row":)", json::quote(model.steps()[step].name),
                             ",", members_of(model.counts(step)), "}");
    return base::concat("[", text, "]");
}

}  // namespace

std::string run_started(WallTime time, std::string_view run_id, std::string_view state_log,
                        const Model& model) {
    return Line("run_started", time)
        .string("run_id", run_id)
        .string("state_log", state_log)
        .raw("tasks", json_of(model.total()))
        .raw("steps", steps(model))
        .end();
}

std::string task_started(WallTime time, const Subject& subject) {
    return Line("task_started", time).subject(subject).end();
}

std::string task_phase(WallTime time, std::uint64_t task, TaskPhase phase) {
    return Line("task_phase", time).number("task", task).string("phase", name_of(phase)).end();
}

std::string task_activity(WallTime time, std::uint64_t task, std::string_view agent,
                          std::string_view activity) {
    return Line("task_activity", time)
        .number("task", task)
        .string("agent", agent)
        .raw("activity", activity)
        .end();
}

std::string task_done(WallTime time, const Subject& subject, Duration took, std::size_t children) {
    return Line("task_done", time)
        .subject(subject)
        .raw("seconds", seconds(took))
        .number("children", children)
        .end();
}

std::string task_retried(WallTime time, const Subject& subject, Duration took, std::uint64_t retry,
                         std::chrono::milliseconds wait, std::string_view message) {
    return Line("task_retried", time)
        .subject(subject)
        .raw("seconds", seconds(took))
        .number("retry", retry)
        .raw("wait_seconds", seconds(wait))
        .string("message", message)
        .end();
}

std::string task_reused(WallTime time, const Subject& subject, std::string_view run_id, std::uint64_t earlier,
                        std::size_t children) {
    return Line("task_reused", time)
        .subject(subject)
        .string("from_run", run_id)
        .number("from_task", earlier)
        .number("children", children)
        .end();
}

std::string task_put_back(WallTime time, const Subject& subject) {
    return Line("task_put_back", time).subject(subject).end();
}

std::string task_dropped(WallTime time, const Subject& subject, Duration took, std::string_view message) {
    return Line("task_dropped", time)
        .subject(subject)
        .raw("seconds", seconds(took))
        .string("message", message)
        .end();
}

std::string summary(WallTime time, const Model& model, std::optional<Agents> agents,
                    const std::optional<Spending>& spending, Time now) {
    Line line("summary", time);
    line.raw("elapsed_seconds", seconds(model.elapsed(now))).raw("tasks", json_of(model.total()));
    if (model.is_paused()) line.raw("paused", "true");
    if (auto rate = model.total_rate(now)) {
        char text[48];
        std::snprintf(text, sizeof text, "%.3f", *rate);
        line.raw("rate", text);
    }
    if (agents) line.raw("agents", json_of(*agents));
    if (agents && !agents->standstill.empty()) line.string("standstill", agents->standstill);
    if (spending) line.raw("usage", json_of(*spending, model));
    return line.raw("steps", steps(model)).end();
}

std::string run_ended(WallTime time, std::string_view result, std::string_view message, const Model& model,
                      const std::optional<Spending>& spending, Time now) {
    Line line("run_ended", time);
    line.string("result", result);
    if (!message.empty()) line.string("message", message);
    line.raw("elapsed_seconds", seconds(model.elapsed(now))).raw("tasks", json_of(model.total()));
    if (spending) line.raw("usage", json_of(*spending, model));
    return line.raw("steps", steps(model)).end();
}

std::string log_line(WallTime time, std::string_view level, std::string_view message,
                     std::string_view command) {
    Line line("log", time);
    line.string("level", level).string("message", message);
    if (!command.empty()) line.string("command", command);
    return line.end();
}

}  // namespace progress
