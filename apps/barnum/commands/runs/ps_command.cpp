#include "base/dollars.hpp"
#include "base/exit_code.hpp"
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/runs/ps_watch.hpp"
#include "fail.hpp"
#include "runs/next_commands.hpp"
#include "runs/record_counts.hpp"
#include "runs/removal.hpp"
#include "runs/run_end.hpp"
#include "runs/run_json.hpp"
#include "runs/run_lookup.hpp"
#include "screen/full_screen.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <boost/program_options/errors.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <system_error>

namespace barnum {

namespace {

using runs::RunRecord;
using runs::RunState;

constexpr const char* ps_details = R"(Examples:
  barnum ps
      Lists the runs that are running, and those that are lost: killed, or ended by a restart of the machine;
      those whose record is damaged; and those that have ended because only tasks for people were left
      (--exit-when-waiting).
  barnum ps -a
      Lists all runs.
  barnum ps --watch
      Shows the list on the whole screen, updated every second, until q or Ctrl-C.
  barnum ps -a --json | jq -r '.[] | select(.state == "failed") | .id'

The counts of a running run are up to two seconds old. docs/runs.md explains the states.

Exit codes: 0 the runs were listed, even if there are none; 1 --watch without a terminal; 74 the directory of the runs
cannot be read.
)";

constexpr std::size_t age_width = 8;  // of most ages; with more, the list would not fit into 80 columns

struct PsArguments {
    bool all = false;
    bool json = false;
    bool watch = false;
    bool size = false;
};

const cli::OptionTable<PsArguments>& ps_option_table() {
    using cli::into;
    static const cli::OptionTable<PsArguments> table{
        {{"all", cli::none(), "list the runs that have ended as well", 'a'}, into(&PsArguments::all)},
        {{"json", cli::none(), "print a JSON array with all that is known of each run"},
         into(&PsArguments::json)},
        {{"size", cli::none(), "tell what the directory of each run takes on the disk"},
         into(&PsArguments::size)},
        {{"watch", cli::none(), "show the list on the whole screen, updated every second"},
         into(&PsArguments::watch)}};
    return table;
}

struct Listed {
    runs::FoundRun run;
    RunState state;
    std::optional<std::uint64_t> bytes = std::nullopt;  // if they are wanted
};

std::string workflow_of(const RunRecord& record) {
    std::string name = runs::workflow_name(record);
    return name.empty() ? "-" : name;
}

std::string cost_of(const RunRecord& record) {
    if (!record.usd) return "-";
    return base::concat(record.price_list.empty() ? "" : "~", base::dollars_text(*record.usd));
}

// A run that was killed has none: its end is unknown.
std::string duration_of(const Listed& listed) {
    const RunRecord& record = listed.run.record;
    if (!record.end && !is_living(listed.state)) return "-";
    auto end = record.end ? record.end->time : base::system_time();
    return terminal::age_text(std::max(end - record.started, std::chrono::milliseconds(0)));
}

std::string busy_agents_of(const Listed& listed) {
    auto count = listed.run.record.busy_agents;
    return count && is_living(listed.state) ? std::to_string(*count) : "-";
}

bool has_questions(const Listed& listed) {
    return listed.run.record.tasks.asked > 0 && listed.state != RunState::resumed;
}

// In the list only if there are any.
std::string asked_of(const Listed& listed) {
    return has_questions(listed) ? std::to_string(listed.run.record.tasks.asked) : "-";
}

std::vector<std::string> cells_of(const Listed& listed) {
    constexpr std::size_t shown_of_id = 8;
    const RunRecord& record = listed.run.record;
    return {terminal::printable(record.id.substr(0, shown_of_id)),
            record.name.empty() ? "-" : terminal::printable(record.name),
            terminal::printable(workflow_of(record)),
            runs::state_text(record, listed.state),
            std::to_string(record.tasks.done),
            std::to_string(record.tasks.left),
            std::to_string(record.tasks.dropped),
            terminal::time_text(record.started.time_since_epoch(), base::system_time().time_since_epoch()),
            duration_of(listed),
            cost_of(record),
            busy_agents_of(listed)};
}

std::vector<std::string> table_of(const std::vector<Listed>& list) {
    using Align = terminal::Table::Align;
    bool any_asked = std::ranges::any_of(list, has_questions);
    std::vector<terminal::Table::Column> columns({{"run"},
                                                  {"name"},
                                                  {"workflow"},
                                                  {"state"},
                                                  {"done", Align::right},
                                                  {"left", Align::right},
                                                  {"dropped", Align::right},
                                                  {"started"},
                                                  {"for", Align::right, age_width},
                                                  {"cost", Align::right},
                                                  {"busy", Align::right}});
    if (any_asked) columns.push_back({"human", Align::right});
    bool has_sizes = std::ranges::any_of(list, [](const Listed& listed) { return listed.bytes.has_value(); });
    if (has_sizes) columns.push_back({"size", Align::right});
    terminal::Table table(columns);
    for (const Listed& listed : list) {
        std::vector<std::string> cells = cells_of(listed);
        if (any_asked) cells.push_back(asked_of(listed));
        if (has_sizes) cells.push_back(terminal::size_text(listed.bytes.value_or(0)));
        table.add(std::move(cells));
    }
    return table.lines(false);
}

// Of a run whose end nobody has told.
std::string text_about(const Listed& listed) {
    std::string id = terminal::printable(listed.run.record.id);
    std::string resume = base::concat("resume it with:\n  ", runs::command_to_resume(id));
    std::error_code ignored;
    if (!std::filesystem::exists(listed.run.record.state_log, ignored))
        return base::concat(
            id, " has no process and no state log any more, so that nothing of it can be resumed; ",
            "remove it with:\n  barnum rm ", id);
    if (listed.state == RunState::lost)
        return base::concat(id, " has no process any more, and no end was recorded; ", resume);
    bool is_left = is_resumable(listed.run.record, listed.state);
    return base::concat(
        "the record of ", id, ", ", runs::record_name, ", cannot be read; ",
        is_left ? resume : base::concat("it has finished, and can be removed:\n  barnum rm ", id));
}

void print_table(const std::vector<Listed>& list) {
    for (const std::string& line : table_of(list))
        std::cout << line << "\n";
    for (const Listed& listed : list)
        if (listed.state == RunState::lost || listed.state == RunState::damaged)
            std::cout << "\n" << text_about(listed) << "\n";
}

void print_json(const std::vector<Listed>& list) {
    std::string text = "[";
    for (const Listed& listed : list)
        text += base::concat(text.size() > 1 ? ",\n " : "",
                             runs::run_json(listed.run, listed.state, listed.bytes));
    std::cout << text << "]\n";
}

base::Result<std::vector<Listed>> find_listed(bool all) {
    auto found = runs::find_runs();
    if (!found) return found.error();
    if (all) std::ranges::move(runs::find_runs_without_directory(), std::inserter(*found, found->begin()));
    for (runs::FoundRun& run : *found)
        if (run.record.is_damaged || !runs::has_directory(run)) runs::count_tasks(run);
    std::vector<Listed> list;
    auto states = runs::current_states(*found);
    for (std::size_t i = 0; i < found->size(); ++i) {
        bool is_current = is_living(states[i]) || states[i] == RunState::lost ||
                          states[i] == RunState::waiting || states[i] == RunState::damaged;
        if (all || is_current) list.push_back({std::move((*found)[i]), states[i]});
    }
    return list;
}

std::string text_of_none(bool all) {
    return all ? "there is no run yet" : "no run is running or lost; `barnum ps -a` lists all runs";
}

int watch(bool all) {
    if (!screen::is_possible())
        return fail(
            base::ExitCode::failure,
            "`barnum ps --watch` needs a terminal to draw on; `barnum ps` and `barnum ps --json` print "
            "to files and pipes");
    return watch_list([all]() -> std::vector<std::string> {
        auto list = find_listed(all);
        if (!list) return {list.error().message};
        if (list->empty()) return {text_of_none(all)};
        return table_of(*list);
    });
}

int show_runs(const cli::Options& given) {
    PsArguments arguments = cli::read(ps_option_table(), given);
    if (arguments.watch && arguments.json)
        throw boost::program_options::error(
            "--watch and --json cannot be combined: the first draws on a terminal, the second is for "
            "programs");
    if (arguments.watch && arguments.size)
        throw boost::program_options::error(
            "--watch and --size cannot be combined: to measure all runs each second would keep the disk "
            "busy");
    if (arguments.watch) return watch(arguments.all);
    auto list = find_listed(arguments.all);
    if (!list) return fail(base::ExitCode::io_error, list.error().message);
    if (arguments.size)
        for (Listed& listed : *list)
            listed.bytes = runs::space_of(listed.run.path);
    if (list->empty() && !arguments.json)
        std::cerr << text_of_none(arguments.all) << "\n";
    else
        arguments.json ? print_json(*list) : print_table(*list);
    return base::ExitCode::ok;
}

}  // namespace

cli::Command ps_command() {
    return {"ps", "List the runs of this user on this machine.", ps_details,
            cli::options_of(ps_option_table()), show_runs};
}

}  // namespace barnum
