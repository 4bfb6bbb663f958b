#include "base/text.hpp"

#include "inspect/format.hpp"
#include "inspect/report.hpp"
#include "workflow/bounds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace inspect {

namespace {

using Align = Table::Align;
using base::concat;
using State = InspectedTask::State;
using Status = InspectedLog::Status;

constexpr std::size_t rows_shown = 20;

// The first tasks of a list, and the number of all.
struct Picked {
    std::vector<const InspectedTask*> tasks;
    std::size_t count = 0;
};

template<class Predicate>
Picked pick(const InspectedLog& log, Predicate predicate) {
    Picked picked;
    for (const InspectedTask& task : log.inspection.tasks())
        if (predicate(task) && ++picked.count <= rows_shown) picked.tasks.push_back(&task);
    return picked;
}

std::string heading(std::string_view what, const Picked& picked) {
    return concat("\n", what, " (", picked.count, ")\n");
}

std::string more(const Picked& picked) {
    if (picked.count == picked.tasks.size()) return "";
    return concat("  … and ", picked.count - picked.tasks.size(), " more (--json shows all)\n");
}

std::string holders(const InspectedLog& log) {
    if (log.holders.empty()) return "";
    std::string text = log.holders.size() == 1 ? " (process " : " (processes ";
    for (std::size_t i = 0; i < log.holders.size(); ++i)
        text += concat(i == 0 ? "" : ", ", log.holders[i]);
    return text + ")";
}

std::uint64_t to_do(const std::vector<StepSummary>& steps) {
    std::uint64_t count = 0;
    for (const StepSummary& row : steps)
        count += row.pending;
    return count;
}

// The options that a resume must repeat, if the workflow uses them.
std::string not_in_the_log(const InspectedLog& log) {
    bool has_pool_steps = std::ranges::any_of(log.replay.config()->steps, &config::Step::is_pool);
    if (!has_pool_steps || log.resume_knows_options) return "";
    return "  with the --root, --pool, --agent, --agents, --agent-exec and --no-agents that the run had: "
           "they "
           "are not in its log\n";
}

std::string status_line(const InspectedLog& log, const std::vector<StepSummary>& steps) {
    std::string dropped =
        log.replay.dropped_count() == 0 ? "" : concat(", ", log.replay.dropped_count(), " dropped");
    std::size_t asked = log.replay.state().asked.size();
    std::string left = concat(", ", base::counted(to_do(steps), "task"), " to do",
                              asked > 0 ? concat(", ", asked, " waiting for a human") : "", dropped);
    std::string result = log.result.empty() ? "" : concat(" (", printable(log.result), ")");
    std::string resume = concat("\n  ", printable(log.resume), "\n", not_in_the_log(log));
    switch (log.status()) {
        case Status::finished:
            return concat("finished", dropped, "\n");
        case Status::running:
            return concat("running", holders(log),
                          log.is_stopped ? " but stopped by a signal: kill -CONT lets it go on" : "", left,
                          "\n");
        case Status::stopped:
            if (!log.later.empty())
                return concat("not running", left, " here; it has been resumed",
                              log.later_run.empty() ? "" : concat(" by the run ", printable(log.later_run)),
                              ", and that run's log is:\n  ", printable(log.later), "\n");
            return concat("not running", result, left, "; resume it with:", resume);
        case Status::unknown:
            break;
    }
    return concat("running or not: its file system has no locks, so that it can't be known", left,
                  "; if it isn't, resume it with:", resume);
}

std::string tail_line(const InspectedLog& log) {
    if (log.tail.dropped_bytes == 0) return "";
    std::string_view what =
        log.tail.torn_group ? "a group of entries that isn't whole" : "an entry that isn't whole";
    return concat("the last ", base::counted(log.tail.dropped_bytes, "byte"), " of the log ",
                  log.tail.dropped_bytes == 1 ? "doesn't" : "don't", " count",
                  log.status() == Status::running ? " yet: " : ": ", what, "\n");
}

// The run, and the earlier ones from which it has taken something over.
std::string run_line(const InspectedLog& log) {
    const statelog::Header& header = log.replay.header();
    bool is_first = log.run_id.empty() || log.run_id == header.run_id;
    if (is_first && header.run_id.empty()) return "";
    std::string text = concat("run ", printable(is_first ? header.run_id : log.run_id));
    const std::string& earlier = log.continues.empty() ? header.run_id : log.continues;
    if (!is_first) text += concat(", which continues run ", printable(earlier));
    if (!is_first && earlier != header.run_id)
        text += concat(" (the first was run ", printable(header.run_id), ")");
    if (!log.retries.empty()) text += concat(", which retries run ", printable(log.retries));
    if (header.reuses) text += concat(", which reuses results of run ", printable(header.reuses->run_id));
    return text + "\n";
}

std::string head(const InspectedLog& log, const std::vector<StepSummary>& steps) {
    const statelog::Header& header = log.replay.header();
    std::string text = run_line(log);
    if (!header.directory.empty()) text += concat("commands run in ", printable(header.directory), "\n");
    text += concat("log ", printable(log.path), ", ", size_text(log.tail.committed_bytes));
    auto from = log.inspection.first_time();
    auto to = log.inspection.last_time();
    if (from) text += concat(", ", time_text(from), " to ", time_text(to));
    if (auto elapsed = span(from, to)) text += concat(" (", duration_text(elapsed), ")");
    return text + "\n" + status_line(log, steps) + tail_line(log);
}

std::string step_table(const InspectedLog& log, const std::vector<StepSummary>& steps) {
    Table table({{"step"},
                 {"pending", Align::right},
                 {"waiting", Align::right},
                 {"done", Align::right},
                 {"dropped", Align::right},
                 {"retries", Align::right},
                 {"mean", Align::right},
                 {"longest", Align::right}});
    for (const StepSummary& row : steps) {
        std::optional<std::chrono::milliseconds> mean;
        std::optional<std::chrono::milliseconds> longest;
        if (row.timed > 0) {
            mean = row.total / static_cast<std::int64_t>(row.timed);
            longest = row.longest;
        }
        table.add({step_label(log, row.step, row.is_finally), std::to_string(row.pending),
                   row.is_finally ? "-" : std::to_string(row.waiting), std::to_string(row.done),
                   std::to_string(row.dropped), std::to_string(row.retried), duration_text(mean),
                   duration_text(longest)});
    }
    return "\n" + table_text(table);
}

std::string usage_table(const InspectedLog& log) {
    const workflow::UsageTable used = log.replay.whole_usage();
    if (used.empty()) return "";
    Table table({{"step"},
                 {"agents"},
                 {"model"},
                 {"reports", Align::right},
                 {"repairs", Align::right},
                 {"turns", Align::right},
                 {"tokens in", Align::right},
                 {"cached", Align::right},
                 {"tokens out", Align::right},
                 {"cost", Align::right}});
    for (const auto& [key, usage] : used.rows())
        table.add({step_label(log, key.step, false), key.kind.empty() ? "others" : printable(key.kind),
                   key.model.empty() ? "-" : printable(key.model), std::to_string(usage.reports),
                   std::to_string(usage.repairs), std::to_string(usage.turns),
                   std::to_string(usage.input_tokens), std::to_string(usage.cached_tokens),
                   std::to_string(usage.output_tokens), workflow::cost_text(usage)});
    const std::string list = used.total().price_list;
    const std::string note =
        list.empty() ? "" : concat("about: by the public price list of ", printable(list), "\n");
    return "\n" + table_text(table) + note;
}

base::Result<std::string> dropped_list(const InspectedLog& log) {
    Picked picked = pick(log, [](const InspectedTask& task) { return task.state == State::dropped; });
    if (picked.count == 0) return std::string();
    std::string text = heading("dropped", picked);
    std::string bounds = workflow::past_bounds_text(*log.replay.config(), log.replay.state().steps);
    if (!bounds.empty()) text += concat("  ", printable(bounds), "\n");
    for (const InspectedTask* task : picked.tasks) {
        const InspectedAttempt& last = log.inspection.attempts()[task->last];
        auto failure = read_failure(log, last);
        if (!failure) return failure.error();
        text += concat("  task ", last.id.value, " ", step_label(log, *task));
        if (task->attempts > 1) text += concat(", ", task->attempts, " attempts");
        if (last.ended) text += concat(", ", time_text(last.ended));
        if (last.duration()) text += concat(", after ", duration_text(last.duration()));
        text += concat(": ", reason_text(*failure), "\n");
        for (const std::string& line : message_lines(failure->message, true))
            text += concat("    ", line, "\n");
    }
    return text + more(picked);
}

// The last failed attempt of a task that was retried.
const InspectedAttempt& last_failed(const Inspection& inspection, const InspectedTask& task) {
    const InspectedAttempt* failed = nullptr;
    for (std::optional<std::uint32_t> i = task.first; i; i = inspection.attempts()[*i].next)
        if (inspection.attempts()[*i].outcome == InspectedAttempt::Outcome::failed)
            failed = &inspection.attempts()[*i];
    return *failed;
}

Picked tried_again(const InspectedLog& log) {
    auto live = [](const InspectedTask& task) { return task.attempts > 1 && task.state == State::pending; };
    auto over = [](const InspectedTask& task) {
        return task.attempts > 1 && task.state != State::pending && task.state != State::dropped;
    };
    Picked picked = pick(log, live);
    Picked rest = pick(log, over);
    picked.count += rest.count;
    rest.tasks.resize(std::min(rest.tasks.size(), rows_shown - picked.tasks.size()));
    picked.tasks.insert(picked.tasks.end(), rest.tasks.begin(), rest.tasks.end());
    return picked;
}

base::Result<std::string> retried_list(const InspectedLog& log) {
    Picked picked = tried_again(log);
    if (picked.count == 0) return std::string();
    Table table({{"task", Align::right}, {"step"}, {"attempts", Align::right}, {"now"}, {"last failure"}});
    for (const InspectedTask* task : picked.tasks) {
        auto failure = read_failure(log, last_failed(log.inspection, *task));
        if (!failure) return failure.error();
        std::string why = reason_text(*failure);
        if (!failure->message.empty())
            why += ": " +
                   clipped(std::string_view(failure->message).substr(0, failure->message.find('\n')), 100);
        table.add({std::to_string(log.inspection.last_id(*task).value), step_label(log, *task),
                   std::to_string(task->attempts), std::string(state_name(task->state)), std::move(why)});
    }
    return heading("failed and tried again", picked) + table_text(table, "  ") + more(picked);
}

std::string pending_list(const InspectedLog& log) {
    Picked picked =
        pick(log, [](const InspectedTask& task) { return task.state == State::pending || task.finally_due; });
    if (picked.count == 0) return "";
    bool running = log.status() == Status::running;
    std::vector<Table::Column> columns{
        {"task", Align::right}, {"step"}, {"attempt", Align::right}, {"submitted"}};
    if (running) columns.push_back({"ago", Align::right});
    Table table(columns);
    for (const InspectedTask* task : picked.tasks) {
        const InspectedAttempt& last = log.inspection.attempts()[task->last];
        std::vector<std::string> cells{std::to_string(last.id.value), step_label(log, *task),
                                       std::to_string(task->attempts), time_text(last.submitted)};
        if (task->finally_due)
            cells = {"-", step_label(log, task->step, true), "1", concat("due after task ", last.id.value)};
        if (running) cells.push_back(task->finally_due ? "-" : duration_text(span(last.submitted, log.now)));
        table.add(std::move(cells));
    }
    return heading("pending", picked) + table_text(table, "  ") + more(picked);
}

std::string waiting_list(const InspectedLog& log) {
    Picked picked = pick(log, [](const InspectedTask& task) { return task.state == State::waiting; });
    if (picked.count == 0) return "";
    Table table({{"task", Align::right}, {"step"}, {"waits for", Align::right}, {"since"}});
    for (const InspectedTask* task : picked.tasks) {
        const InspectedAttempt& last = log.inspection.attempts()[task->last];
        table.add({std::to_string(last.id.value), step_label(log, *task),
                   base::counted(task->waits_for, "task"), time_text(last.ended)});
    }
    return heading("waiting to run their finally", picked) + table_text(table, "  ") + more(picked);
}

}  // namespace

base::Result<std::string> log_text(const InspectedLog& log) {
    auto steps = log.inspection.summarise(*log.replay.config());
    auto dropped = dropped_list(log);
    if (!dropped) return dropped;
    auto retried = retried_list(log);
    if (!retried) return retried;
    return head(log, steps) + step_table(log, steps) + usage_table(log) + *dropped + *retried +
           pending_list(log) + waiting_list(log);
}

}  // namespace inspect
