#include "run_tools/task_results.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "mcp/excerpt.hpp"
#include "run_tools/results.hpp"
#include "run_tools/shape.hpp"
#include "serve/questions.hpp"
#include "statelog/record.hpp"
#include "trace/dropped.hpp"
#include "trace/task_json.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace run_tools {

using base::concat;
using json::quote;
using json::View;
using trace::Trace;

namespace {

constexpr std::size_t longest_task_message = 1'500;
constexpr std::size_t longest_value = 300;
constexpr std::size_t most_human_tasks = 100;
constexpr const char* replaced = "The log of the run was replaced while it was read; try again.";

std::string time_member(View question, std::string_view name) {
    auto value = question.find(name);
    auto time = value && value->is(json::Kind::number) ? value->integer() : std::nullopt;
    if (!time) return "";
    return concat(",\"", name, "\":", quote(base::utc_text(runs::Time(std::chrono::milliseconds(*time)))));
}

// The steps that may follow, as a response names them.
std::string following(View question, bool with_schemas) {
    std::string list;
    for (View step : question.find("next")->elements()) {
        auto schema = step.find("value_schema");
        bool has_schema = with_schemas && schema && !schema->is(json::Kind::null);
        list += concat(list.empty() ? "" : ",", "{\"kind\":", step.find("name")->text(),
                       has_schema ? concat(",\"value_schema\":", json::compact(*schema)) : "", "}");
    }
    return concat("[", list, "]");
}

// What a person is asked. Of a question that is too long, the schemas and the end of the instructions are
// missing.
std::string question_members(View question, std::size_t room) {
    std::string times = time_member(question, "since") + time_member(question, "expires");
    View instructions = *question.find("instructions");
    std::string whole =
        concat(times, instructions.is_string("") ? "" : concat(",\"instructions\":", instructions.text()),
               ",\"may_follow\":", following(question, true));
    if (whole.size() <= room) return whole;
    std::string text = instructions.string();
    return concat(times, ",\"instructions_excerpt\":", quote(mcp::excerpt(text, room / 2)),
                  ",\"may_follow\":", following(question, false), ",\"schemas_left_out\":true");
}

base::Result<std::string> question_of(const Trace& trace, const trace::ReadLine& read_line,
                                      const TaskWanted& wanted, trace::Row last) {
    if (wanted.is_running || trace::state_name(trace, last) != "human") return std::string();
    auto json = serve::question_json(trace, read_line, last, "", "", wanted.now);
    if (!json || json->empty()) return json;
    return question_members(View::of(*json), wanted.limit / 2);
}

base::Result<std::uint16_t> step_named(const Trace& trace, std::string_view wanted) {
    const auto& steps = trace.config()->steps;
    std::string names;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].name == wanted) return static_cast<std::uint16_t>(i);
        names += concat(names.empty() ? "" : ", ", steps[i].name);
    }
    return base::invalid(concat("There is no step ", quote(wanted),
                                ". The steps are: ", mcp::excerpt(names, longest_task_message)));
}

// The value is cut if it is long: it is there to tell tasks of a step from each other.
base::Result<std::string> value_member(const Trace& trace, const trace::ReadLine& read_line, trace::Row row) {
    auto line = read_line(trace.attempt(trace.first_of(row)).offset);
    if (!line) return line.error();
    auto record = statelog::read_record(*trace.config(), *line);
    if (!record) return record.error();
    const auto* submitted = std::get_if<workflow::TaskSubmitted>(&record->entry);
    if (submitted == nullptr) return base::invalid(replaced);
    const std::string& value = *submitted->value;
    if (value.size() <= longest_value) return concat(",\"value\":", value);
    return concat(",\"value_excerpt\":", quote(mcp::excerpt(value, longest_value)));
}

std::string_view state_of(const Trace& trace, trace::Row row, const std::set<std::uint64_t>& running) {
    return running.contains(trace.attempt(row).id) ? "running" : trace::state_name(trace, row);
}

base::Result<std::string> short_task(const Trace& trace, const trace::ReadLine& read_line, trace::Row row,
                                     std::string_view state) {
    auto value = value_member(trace, read_line, row);
    if (!value) return value.error();
    trace::Attempt attempt = trace.attempt(row);
    return concat("{\"id\":", attempt.id, ",\"step\":", quote(trace.config()->steps[attempt.step].name),
                  attempt.is_finally ? ",\"finally\":true" : "", ",\"state\":\"", state, "\"", *value, "}");
}

}  // namespace

bool waits_for_people(const Trace& trace) {
    std::uint64_t asked = 0;
    for (std::size_t i = 0; i < trace.tallies().size(); ++i) {
        const trace::Tally& tally = trace.tallies()[i];
        bool is_human = trace.config()->steps[i].is_human();
        if (tally.finallys.open() > 0 || (!is_human && tally.tasks.open() > 0)) return false;
        asked += tally.tasks.open();
    }
    return asked > 0;
}

std::string human_tasks(const Trace& trace) {
    std::string list;
    for (trace::Row row : serve::asked_rows(trace, most_human_tasks))
        list += concat(list.empty() ? "" : ",", trace.attempt(row).id);
    return list;
}

base::Result<std::string> task_object(const Trace& trace, const trace::ReadLine& read_line,
                                      const TaskWanted& wanted) {
    if (wanted.row >= trace.position().rows) return base::invalid(replaced);
    trace::Row last = trace.last_of(wanted.row);
    auto question = question_of(trace, read_line, wanted, last);
    if (!question) return question.error();
    std::string more = *question;
    if (wanted.is_running) more += mcp_running_member(wanted.reported, trace.attempt(last).id);
    trace::TaskJsonOptions options;
    options.state = wanted.is_running ? "running" : "";
    options.renumber = [&trace](trace::Row shown) { return trace.attempt(shown).id; };
    std::string object;
    for (std::size_t most = SIZE_MAX; object.empty() || object.size() > wanted.limit;) {
        options.most_text = most;
        auto json = trace::task_json(trace, read_line, wanted.row, options);
        if (!json) return json.error();
        object = mcp_task_shape(*json);
        object.insert(object.size() - 1, more);
        if (most == 0) break;
        most = std::min(most, wanted.limit) / 2;
    }
    return object;
}

base::Result<std::string> tasks_result(const Trace& trace, const trace::ReadLine& read_line,
                                       std::string_view run, std::string_view reported,
                                       const TasksWanted& wanted) {
    if (!trace.config()) return base::invalid(replaced);
    std::optional<std::uint16_t> step;
    if (!wanted.step.empty()) {
        auto found = step_named(trace, wanted.step);
        if (!found) return found.error();
        step = *found;
    }
    auto running = mcp_running_tasks(reported);
    std::vector<std::string> tasks;
    std::size_t matching = 0;
    for (trace::Row row = 0; row < trace.position().rows && tasks.size() <= wanted.most; ++row) {
        trace::Attempt attempt = trace.attempt(row);
        if (attempt.next != trace::absent || (step && attempt.step != *step)) continue;
        std::string_view state = state_of(trace, row, running);
        if ((!wanted.state.empty() && state != wanted.state) || matching++ < wanted.offset) continue;
        auto task = short_task(trace, read_line, row, state);
        if (!task) return task.error();
        tasks.push_back(std::move(*task));
    }
    bool has_more = tasks.size() > wanted.most;
    if (has_more) tasks.pop_back();
    FittedList list = fitted(tasks, mcp_room);
    has_more = has_more || list.left_out > 0;
    std::size_t next = wanted.offset + tasks.size() - list.left_out;
    return concat(R"({"kind":"Tasks","run":)", quote(run), ",\"tasks\":[", list.elements, "]",
                  has_more ? concat(",\"next_offset\":", next) : "", "}");
}

base::Result<std::string> failures_result(const Trace& trace, const trace::ReadLine& read_line,
                                          std::string_view run, const FailuresWanted& wanted) {
    trace::DroppedWanted dropped{{}, wanted.offset, wanted.most, longest_task_message};
    if (!wanted.step.empty()) {
        auto step = step_named(trace, wanted.step);
        if (!step) return step.error();
        dropped.step = *step;
    }
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < trace.tallies().size(); ++i)
        if (!dropped.step || *dropped.step == i)
            count += trace.tallies()[i].tasks.dropped + trace.tallies()[i].finallys.dropped;
    auto tasks = trace::dropped_json(trace, read_line, dropped);
    if (!tasks) return tasks.error();
    for (std::string& task : *tasks)
        task = mcp_task_shape(task);
    FittedList list = fitted(*tasks, mcp_room);
    std::size_t shown = tasks->size() - list.left_out;
    std::string more =
        count > wanted.offset + shown ? concat(",\"next_offset\":", wanted.offset + shown) : std::string();
    return concat(R"({"kind":"Failures","run":)", quote(run), ",\"dropped\":", count, ",\"failures\":[",
                  list.elements, "]", more, "}");
}

}  // namespace run_tools
