#include "listings/run_list.hpp"

#include "base/dollars.hpp"
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "runs/next_commands.hpp"
#include "runs/record_counts.hpp"
#include "runs/run_end.hpp"
#include "runs/run_json.hpp"
#include "runs/run_lookup.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace listings {

namespace {

using runs::RunRecord;
using runs::RunState;

constexpr std::size_t age_width = 8;  // of most ages; with more, the list would not fit into 80 columns

std::string workflow_of(const RunRecord& record) {
    std::string name = runs::workflow_name(record);
    return name.empty() ? "-" : name;
}

std::string cost_of(const RunRecord& record) {
    if (!record.usd) return "-";
    return base::concat(record.price_list.empty() ? "" : "~", base::dollars_text(*record.usd));
}

// A run that was killed has none: its end is unknown.
std::string duration_of(const ListedRun& listed) {
    const RunRecord& record = listed.run.record;
    if (!record.end && !is_living(listed.state)) return "-";
    auto end = record.end ? record.end->time : base::system_time();
    return terminal::age_text(std::max(end - record.started, std::chrono::milliseconds(0)));
}

std::string busy_agents_of(const ListedRun& listed) {
    auto count = listed.run.record.busy_agents;
    return count && is_living(listed.state) ? std::to_string(*count) : "-";
}

bool has_questions(const ListedRun& listed) {
    return listed.run.record.tasks.asked > 0 && listed.state != RunState::resumed;
}

// The column is in the list only if there are any questions.
std::string asked_of(const ListedRun& listed) {
    return has_questions(listed) ? std::to_string(listed.run.record.tasks.asked) : "-";
}

std::vector<std::string> cells_of(const ListedRun& listed) {
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

// What can be done about a run whose end nobody has told.
std::string text_about(const ListedRun& listed) {
    std::string id = terminal::printable(listed.run.record.id);
    std::string resume = base::concat("resume it with:\n  ", runs::command_to_resume(id));
    const std::string& log = listed.run.record.state_log;
    std::error_code failed;
    const bool has_log = std::filesystem::exists(log, failed);
    if (failed)
        return base::concat(id, " cannot be read: ", terminal::printable(log), ": ", failed.message(),
                            "; check the owner and the mode of its directory");
    if (!has_log)
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

// The run has counted what its state log could not take any more.
bool has_unwritten(const RunRecord& record) {
    return record.end && record.end->result == "log_failed";
}

}  // namespace

std::vector<std::string> run_table(const std::vector<ListedRun>& list) {
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
    bool has_sizes =
        std::ranges::any_of(list, [](const ListedRun& listed) { return listed.bytes.has_value(); });
    if (has_sizes) columns.push_back({"size", Align::right});
    terminal::Table table(columns);
    for (const ListedRun& listed : list) {
        std::vector<std::string> cells = cells_of(listed);
        if (any_asked) cells.push_back(asked_of(listed));
        if (has_sizes) cells.push_back(terminal::size_text(listed.bytes.value_or(0)));
        table.add(std::move(cells));
    }
    return table.lines(false);
}

std::vector<std::string> texts_about_unended(const std::vector<ListedRun>& list) {
    std::vector<std::string> texts;
    for (const ListedRun& listed : list)
        if (listed.state == RunState::lost || listed.state == RunState::damaged)
            texts.push_back(text_about(listed));
    return texts;
}

std::string runs_json(const std::vector<ListedRun>& list) {
    std::string text = "[";
    for (const ListedRun& listed : list)
        text += base::concat(text.size() > 1 ? ",\n " : "",
                             runs::run_json(listed.run, listed.state, listed.bytes));
    return text + "]\n";
}

base::Result<std::vector<ListedRun>> find_listed_runs(bool all) {
    auto found = runs::find_runs();
    if (!found) return found.error();
    if (all) std::ranges::move(runs::find_runs_without_directory(), std::inserter(*found, found->begin()));
    for (runs::FoundRun& run : *found)
        if (run.record.is_damaged || !runs::has_directory(run) || has_unwritten(run.record))
            runs::count_tasks(run);
    std::vector<ListedRun> list;
    auto states = runs::current_states(*found);
    for (std::size_t i = 0; i < found->size(); ++i) {
        bool is_current = is_living(states[i]) || states[i] == RunState::lost ||
                          states[i] == RunState::waiting || states[i] == RunState::damaged;
        if (all || is_current) list.push_back({std::move((*found)[i]), states[i]});
    }
    return list;
}

}  // namespace listings
