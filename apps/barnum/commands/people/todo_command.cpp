#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "inspect/task_text.hpp"
#include "io/log.hpp"
#include "json/json.hpp"
#include "people/human_questions.hpp"
#include "runs/next_commands.hpp"
#include "runs/run_lookup.hpp"
#include "terminal/size.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace {

constexpr const char* todo_details = R"(Examples:
  barnum todo
      Lists the tasks that wait for a person, of the runs that are running and of those that can be resumed.
  barnum todo --json | jq -r '.[] | select(.step == "Approve") | .run_id'

`barnum answer RUN ID` answers one. docs/people.md explains how tasks wait for people.

Exit codes: 0 the tasks were listed, even if there are none; 74 the directory of the runs cannot be read.
)";

struct TodoArguments {
    bool json = false;
};

const cli::OptionTable<TodoArguments>& todo_option_table() {
    static const cli::OptionTable<TodoArguments> table{
        {{"json", cli::none(), "print a JSON array with all that is known of each task"},
         cli::into(&TodoArguments::json)}};
    return table;
}

struct AskingRun {
    runs::FoundRun run;
    runs::RunState state;
    people::RunQuestions questions;
};

// A run that cannot be read does not hide the others.
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

terminal::Table table_of(const std::vector<AskingRun>& list) {
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
    return table;
}

// A living run has its answers in its state log.
bool has_kept_answers(const AskingRun& run) {
    return !is_living(run.state) && !run.questions.given.empty();
}

void print_kept_answers(const AskingRun& run) {
    for (const people::GivenAnswer& given : run.questions.given)
        std::cout << "Task " << given.task.value << " of " << short_id(run.run) << " was "
                  << (given.is_rejected ? "rejected" : "answered") << " by "
                  << terminal::printable(given.user) << " at " << inspect::local_time_text(given.time)
                  << ".\n";
    std::cout << "That counts when the run is resumed:\n  " << runs::command_to_resume(run.run.record.id)
              << "\n";
}

void print_text(const std::vector<AskingRun>& list) {
    if (std::ranges::all_of(list, [](const AskingRun& run) { return run.questions.open.empty(); })) {
        std::cerr << "nothing waits for a person\n";
    } else {
        for (const std::string& line : table_of(list).lines(false))
            std::cout << (terminal::is_terminal(STDOUT_FILENO)
                              ? terminal::cut(line, terminal::size_of(STDOUT_FILENO).columns)
                              : line)
                      << "\n";
    }
    for (const AskingRun& run : list)
        if (has_kept_answers(run)) print_kept_answers(run);
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

void print_json(const std::vector<AskingRun>& list) {
    std::string text = "[";
    auto add = [&text](const std::string& one) { text += base::concat(text.size() > 1 ? ",\n " : "", one); };
    for (const AskingRun& run : list) {
        for (const people::HumanQuestion& question : run.questions.open)
            add(to_json(run, question));
        if (!has_kept_answers(run)) continue;
        for (const people::GivenAnswer& given : run.questions.given)
            add(to_json(run, given));
    }
    std::cout << text << "]\n";
}

int todo(const cli::Options& given) {
    TodoArguments arguments = cli::read(todo_option_table(), given);
    auto list = find_asking_runs();
    if (!list) return fail(base::ExitCode::io_error, list.error().message);
    arguments.json ? print_json(*list) : print_text(*list);
    return base::ExitCode::ok;
}

}  // namespace

cli::Command todo_command() {
    return {"todo", "List the tasks that wait for a person.", todo_details,
            cli::options_of(todo_option_table()), todo};
}

}  // namespace barnum
