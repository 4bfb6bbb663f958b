#include "listings/question_list.hpp"

#include "base/text.hpp"
#include "inspect/task_text.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "runs/next_commands.hpp"
#include "runs/run_lookup.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace listings {

namespace {

std::string_view instructions_of(const AskingRun& run, const people::HumanQuestion& question) {
    return config::instructions_of(run.questions.config->step(question.step));
}

std::string first_line(std::string_view text) {
    constexpr std::string_view space = " \t\r\n";
    std::size_t first = std::min(text.find_first_not_of(space), text.size());
    std::size_t end = std::min(text.find('\n', first), text.size());
    return terminal::printable(text.substr(first, end - first));
}

std::string short_id(const runs::FoundRun& run) {
    constexpr std::size_t shown = 8;
    return terminal::printable(run.record.id.substr(0, shown));
}

std::string name_of(const AskingRun& run) {
    const std::string& name = run.run.record.name;
    return name.empty() ? "-" : terminal::printable(name);
}

bool any_expires(const std::vector<AskingRun>& list) {
    return std::ranges::any_of(list, [](const AskingRun& run) {
        return std::ranges::any_of(run.questions.open, [](const people::HumanQuestion& question) {
            return question.expires_at.has_value();
        });
    });
}

// A living run has its answers in its state log.
bool has_kept_answers(const AskingRun& run) {
    return !is_living(run.state) && !run.questions.given.empty();
}

std::string kept_answers_of(const AskingRun& run) {
    std::string text;
    for (const people::GivenAnswer& given : run.questions.given)
        text +=
            base::concat("Task ", given.task.value, " of ", short_id(run.run), " was ",
                         given.is_rejected ? "rejected" : "answered", " by ", terminal::printable(given.user),
                         " at ", inspect::local_time_text(given.time), ".\n");
    return base::concat(text, "That counts when the run is resumed:\n  ",
                        runs::command_to_resume(run.run.record.id), "\n");
}

std::string run_members(const AskingRun& run) {
    const runs::RunRecord& record = run.run.record;
    return base::concat("{\"run_id\":", json::quote(record.id), ",\"name\":", json::quote(record.name),
                        ",\"state\":\"", state_name(run.state), "\",\"task_id\":");
}

std::string step_names_of(const config::WorkflowConfig& config, const std::vector<config::StepId>& steps) {
    std::string names;
    for (config::StepId step : steps)
        names += base::concat(names.empty() ? "" : ",", json::quote(config.step(step).name));
    return names;
}

std::string to_json(const AskingRun& run, const people::HumanQuestion& question) {
    const config::WorkflowConfig& config = *run.questions.config;
    const config::Step& step = config.step(question.step);
    std::string expires = question.expires_at
                              ? base::concat(",\"expires\":", question.expires_at->time_since_epoch().count())
                              : "";
    return base::concat(run_members(run), question.task.value, ",\"step\":", json::quote(step.name),
                        ",\"value\":", *question.value,
                        ",\"since\":", question.since.time_since_epoch().count(), expires,
                        ",\"instructions\":", json::quote(instructions_of(run, question)), ",\"next\":[",
                        step_names_of(config, step.next), "]}");
}

std::string to_json(const AskingRun& run, const people::GivenAnswer& given) {
    return base::concat(
        run_members(run), given.task.value, ",\"answered\":", given.time.time_since_epoch().count(),
        ",\"user\":", json::quote(given.user), ",\"rejected\":", given.is_rejected ? "true" : "false", "}");
}

}  // namespace

base::Result<std::vector<AskingRun>> find_asking_runs() {
    auto found = runs::find_runs();
    if (!found) return found.error();
    auto states = runs::current_states(*found);
    std::vector<AskingRun> asking;
    for (std::size_t i = 0; i < found->size(); ++i) {
        runs::FoundRun& run = (*found)[i];
        if (!is_living(states[i]) && !is_resumable(run.record, states[i])) continue;
        auto questions = people::read_questions(run);
        if (questions)
            asking.push_back({std::move(run), states[i], std::move(*questions)});
        else
            io::log::warn("the run ", run.record.id, " is left out: ", questions.error().message);
    }
    return asking;
}

std::vector<std::string> question_table(const std::vector<AskingRun>& list) {
    if (std::ranges::all_of(list, [](const AskingRun& run) { return run.questions.open.empty(); })) return {};
    using Align = terminal::Table::Align;
    bool expires = any_expires(list);
    bool names = std::ranges::any_of(list, [](const AskingRun& run) {
        return !run.run.record.name.empty() && !run.questions.open.empty();
    });
    std::vector<terminal::Table::Column> columns{{"run"}};
    if (names) columns.push_back({"name"});
    columns.insert(columns.end(), {{"task", Align::right}, {"step"}, {"since"}});
    if (expires) columns.push_back({"expires"});
    columns.push_back({"instructions"});
    terminal::Table table(std::move(columns));
    for (const AskingRun& run : list)
        for (const people::HumanQuestion& question : run.questions.open) {
            std::vector<std::string> cells{short_id(run.run)};
            if (names) cells.push_back(name_of(run));
            cells.push_back(std::to_string(question.task.value));
            cells.push_back(terminal::printable(run.questions.config->step(question.step).name));
            cells.push_back(inspect::local_time_text(question.since));
            if (expires)
                cells.push_back(question.expires_at ? inspect::local_time_text(*question.expires_at) : "-");
            cells.push_back(first_line(instructions_of(run, question)));
            table.add(std::move(cells));
        }
    return table.lines(false);
}

std::string kept_answers_text(const std::vector<AskingRun>& list) {
    std::string text;
    for (const AskingRun& run : list)
        if (has_kept_answers(run)) text += kept_answers_of(run);
    return text;
}

std::string questions_json(const std::vector<AskingRun>& list) {
    std::string text = "[";
    auto add = [&text](const std::string& one) { text += base::concat(text.size() > 1 ? ",\n " : "", one); };
    for (const AskingRun& run : list) {
        for (const people::HumanQuestion& question : run.questions.open)
            add(to_json(run, question));
        if (!has_kept_answers(run)) continue;
        for (const people::GivenAnswer& given : run.questions.given)
            add(to_json(run, given));
    }
    return text + "]\n";
}

}  // namespace listings
