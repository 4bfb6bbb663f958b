#include "progress/table.hpp"

#include "base/text.hpp"
#include "progress/layout.hpp"
#include "progress/words.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace progress {

using terminal::Style;

namespace {

constexpr std::size_t most_tasks = 5;
constexpr std::size_t rather_for_steps = 8;     // lines of the table
constexpr std::size_t least_activity = 30;      // columns that a long name leaves for it
constexpr std::chrono::seconds long_enough{2};  // tasks that run for less are not listed

std::string headline(const Model& model, std::optional<Agents> agents,
                     const std::optional<Spending>& spending, Time now, DisplayOptions options) {
    const Counts& total = model.total();
    std::string count = base::concat(total.over(), " of ", base::counted(total.known(), "task"), " in ",
                                     clock_text(model.elapsed(now)));
    std::string line = terminal::paint(count, Style::bold, options.colored);
    if (auto rate = model.total_rate(now)) line += base::concat(", ", rate_text(*rate));
    if (total.dropped > 0)
        line += ", " + terminal::paint(base::concat(total.dropped, " dropped"), Style::red, options.colored);
    if (total.asked > 0)
        line += ", " + terminal::paint(base::concat(total.asked, " waiting for a human"), Style::yellow,
                                       options.colored);
    if (model.is_paused()) line += ", " + terminal::paint("paused", Style::yellow, options.colored);
    if (agents) line += base::concat("; ", agents_text(*agents));
    if (spending) line += base::concat("; ", spending->text);
    return terminal::cut(line, options.size.columns - 1);
}

// The lower the number, the more important the row.
int importance(const Counts& counts) {
    if (counts.running > 0) return 0;
    if (counts.waiting > 0) return 1;
    return counts.over() > 0 ? 2 : 3;
}

// At most `most` steps, in the order of the config.
std::vector<std::size_t> chosen(const Model& model, std::size_t most) {
    std::vector<std::size_t> steps(model.steps().size());
    std::iota(steps.begin(), steps.end(), std::size_t{0});
    if (steps.size() <= most) return steps;
    std::sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(importance(model.counts(a)), a) < std::pair(importance(model.counts(b)), b);
    });
    steps.resize(most);
    std::sort(steps.begin(), steps.end());
    return steps;
}

std::vector<std::string> step_lines(const Model& model, const std::vector<std::size_t>& steps,
                                    const std::optional<Spending>& spending, Time now, DisplayOptions options,
                                    bool live) {
    auto etas =
        live ? model.etas(now) : std::vector<std::optional<std::chrono::seconds>>(model.steps().size());
    auto used = by_step(spending ? *spending : Spending(), model.steps());
    std::vector<Row> rows;
    for (std::size_t step : steps) {
        const Counts& counts = model.counts(step);
        auto rate = live && counts.open() > 0 ? model.rate(step, now) : std::nullopt;
        const Step& of = model.steps()[step];
        rows.push_back({of.name, of.is_pool, of.is_human, counts, used[step], rate, etas[step]});
    }
    Layout layout(rows, options.size.columns - 1, live, options.colored);
    std::vector<std::string> lines{terminal::cut(layout.heading(), options.size.columns - 1)};
    for (const Row& row : rows)
        lines.push_back(terminal::cut(layout.line(row), options.size.columns - 1));
    return lines;
}

// What an agent does may be cut off; the name is cut first if the phase alone does not fit.
std::string task_line(const Model& model, const RunningTask& task, Time now, std::size_t columns) {
    std::string attempt = task.attempt > 1 ? base::concat("attempt ", task.attempt) : "";
    std::string end = base::concat("  ", clock_text(now - task.since), "  ");
    if (task.activity.empty())
        end += base::concat(name_of(task.phase), attempt.empty() ? "" : ", ", attempt);
    else
        end += base::concat(attempt, attempt.empty() ? "" : ", ", task.activity);
    std::string name = base::concat("  task ", task.id, " ", model.steps()[task.step].name);
    std::size_t kept = task.activity.empty() ? end.size() : std::min(terminal::width(end), least_activity);
    if (terminal::width(name) + kept > columns && columns > kept + most_tasks)
        name = terminal::cut(name, columns - kept);
    return terminal::cut(name + end, columns);
}

std::vector<std::string> task_lines(const Model& model, std::size_t most, Time now, DisplayOptions options) {
    std::vector<std::string> lines;
    for (const RunningTask& task : model.longest_running(most)) {
        if (now - task.since < long_enough) break;
        lines.push_back(task_line(model, task, now, options.size.columns - 1));
    }
    if (!lines.empty())
        lines.insert(lines.begin(),
                     terminal::paint(terminal::cut("longest without a result", options.size.columns - 1),
                                     Style::dim, options.colored));
    return lines;
}

std::vector<std::string> usage_lines(const std::optional<Spending>& spending, std::size_t height,
                                     DisplayOptions options) {
    if (!spending || height < rather_for_steps + 2) return {};
    std::vector<std::string> lines;
    for (const std::string& line : {by_agent_text(*spending), by_model_text(*spending)})
        if (!line.empty()) lines.push_back(terminal::cut(line, options.size.columns - 1));
    return lines;
}

std::size_t room_for_tasks(std::size_t height) {
    return height < rather_for_steps ? 0 : std::min(most_tasks, (height - rather_for_steps) / 3);
}

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
    std::move(more.begin(), more.end(), std::back_inserter(lines));
}

}  // namespace

std::string agents_text(const Agents& agents) {
    std::size_t all = agents.idle + agents.busy + agents.resting + agents.parked;
    if (all == 0) return "no agents";
    std::string text = base::concat(agents.busy, " of ", base::counted(all, "agent"), " busy");
    if (agents.resting > 0) text += base::concat(", ", agents.resting, " resting");
    if (agents.parked > 0)
        text += base::concat(", ", agents.parked, " parked until ",
                             terminal::time_text(agents.parked_until, agents.time));
    return text;
}

std::vector<std::string> table(const Model& model, std::optional<Agents> agents,
                               const std::optional<Spending>& spending, Time now, DisplayOptions options) {
    std::size_t height = options.size.rows - 1;
    std::vector<std::string> lines{headline(model, agents, spending, now, options)};
    if (agents && !agents->standstill.empty())
        lines.push_back(terminal::cut(agents->standstill, options.size.columns - 1));
    auto below = usage_lines(spending, height, options);
    append(below, task_lines(model, room_for_tasks(height), now, options));
    std::size_t taken = lines.size() + 1 + below.size();  // 1: the heading
    std::size_t rows = height > taken ? height - taken : 0;
    std::size_t steps = model.steps().size();
    std::size_t shown = steps <= rows || rows < 2 ? std::min(steps, rows) : rows - 1;
    if (shown > 0) append(lines, step_lines(model, chosen(model, shown), spending, now, options, true));
    if (shown < steps && rows >= 2)
        lines.push_back(
            terminal::cut(base::concat("… and ", steps - shown, " more"), options.size.columns - 1));
    append(lines, std::move(below));
    lines.resize(std::min(lines.size(), height));
    return lines;
}

std::vector<std::string> final_table(const Model& model, Time now, DisplayOptions options) {
    std::vector<std::size_t> steps;
    for (std::size_t step = 0; step < model.steps().size(); ++step)
        if (model.counts(step).known() > 0) steps.push_back(step);
    return step_lines(model, steps, std::nullopt, now, options, false);
}

}  // namespace progress
