#include "pool_view/status_view.hpp"

#include "base/text.hpp"
#include "pool_protocol/unmatched.hpp"
#include "pool_view/counts_view.hpp"
#include "pool_view/draining.hpp"
#include "pool_view/engine_view.hpp"
#include "terminal/color.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <tuple>

namespace pool_view {

using pool_protocol::AgentStatus;
using pool_protocol::Latency;
using pool_protocol::Status;
using terminal::age_text;
using terminal::duration_text;
using terminal::paint;
using terminal::printable;
using terminal::Style;
using terminal::Table;
using terminal::time_text;
using Lines = std::vector<std::string>;

namespace {

constexpr std::size_t longest_name = 32;
constexpr std::size_t longest_activity = 60;
constexpr std::size_t longest_state = std::string_view("heartbeat").size();
constexpr std::string_view how_to_end = "q: quit";

void add_heading(Lines& lines, const Status& status, bool colored) {
    lines.push_back(base::concat("pool ", paint(printable(status.pool), Style::bold, colored), " in ",
                                 printable(status.path), ", process ", status.pid));
    lines.push_back(base::concat("running for ", age_text(status.time - status.started), ", since ",
                                 time_text(status.started)));
    if (status.program_replaced)
        lines.push_back(paint(base::concat("version ", printable(status.version),
                                           ", whose program was removed or replaced: restart the daemon"),
                              Style::yellow, colored));
    if (status.draining)
        lines.push_back(paint("draining: tasks are no longer assigned; " + draining_text(status),
                              Style::yellow, colored));
}

std::string agents_text(const Status& status, bool colored) {
    // There is work, but nobody to do it.
    if (status.agents.empty())
        return status.queue.length > 0 ? paint("none attached", Style::yellow, colored) : "none attached";
    auto ending = status.agents_in(AgentStatus::State::ending);
    auto asked = status.agents_in(AgentStatus::State::heartbeat);
    return base::concat(status.agents_in(AgentStatus::State::busy), " busy, ",
                        status.agents_in(AgentStatus::State::idle), " idle",
                        ending > 0 ? base::concat(", ", ending, " ending their work") : "",
                        asked > 0 ? base::concat(", ", asked, " checked by heartbeat") : "");
}

// A line for each reason for which agents are away.
void add_away(Lines& lines, const Status& status, bool colored) {
    for (const pool_protocol::AwayGroup& group : pool_protocol::away_groups(status.away)) {
        std::string text =
            base::concat(base::counted(group.agents, "agent"), " until ", time_text(group.until, status.time),
                         ": ", printable(pool_protocol::why_away(group)));
        lines.push_back("away    " + paint(text, Style::yellow, colored));
    }
}

std::string queue_text(const Status& status) {
    // Tasks that no host has are in the engine.
    if (!status.queue.head) return status.engine ? "none on this host" : "empty";
    return base::concat(base::counted(status.queue.length, "task"), ", the first for ",
                        age_text(status.time - status.queue.head->since));
}

// A line for each set of labels that tasks wait for in vain.
Lines unmatched_lines(const Status& status, bool colored) {
    Lines lines;
    for (const auto& tasks : status.queue.unmatched) {
        std::string text =
            base::concat(base::counted(tasks.length, "task"), " for ", age_text(status.time - tasks.since),
                         ": no agent has ", pool_protocol::missing_text(tasks.labels, tasks.missing));
        lines.push_back("        " + paint(text, Style::yellow, colored));
    }
    return lines;
}

Lines latencies(const Status& status, bool colored) {
    constexpr auto right = Table::Align::right;
    std::vector<Table::Column> headings{{"", Table::Align::left}};
    for (const char* heading : {"p50", "p90", "p99", "max"})
        headings.push_back({heading, right, terminal::duration_width});
    Table columns(std::move(headings));
    auto add = [&](const char* name, const Latency& latency) {
        auto text = [&](std::chrono::microseconds duration) {
            return latency.count == 0 ? "-" : duration_text(duration);
        };
        columns.add({name, text(latency.p50), text(latency.p90), text(latency.p99), text(latency.max)});
    };
    add("waiting", status.waiting);
    add("working", status.working);
    return columns.lines(colored);
}

int rank(AgentStatus::State state) {
    if (state == AgentStatus::State::busy) return 0;
    if (state == AgentStatus::State::ending) return 1;
    return state == AgentStatus::State::heartbeat ? 2 : 3;
}

// The first `most` agents in the order of display.
std::vector<const AgentStatus*> first_agents(const Status& status, std::size_t most) {
    std::vector<const AgentStatus*> agents;
    for (const AgentStatus& agent : status.agents)
        agents.push_back(&agent);
    most = std::min(most, agents.size());
    auto place = [](const AgentStatus* agent) {
        return std::tuple(rank(agent->state), agent->since, std::string_view(agent->id));
    };
    std::ranges::partial_sort(agents, agents.begin() + static_cast<std::ptrdiff_t>(most), {}, place);
    agents.resize(most);
    return agents;
}

std::string state_text(AgentStatus::State state, bool colored) {
    std::string name(state_name(state));
    if (state == AgentStatus::State::busy) return paint(name, Style::green, colored);
    return state == AgentStatus::State::idle ? name : paint(name, Style::yellow, colored);
}

std::string submission_text(const AgentStatus& agent) {
    if (agent.state != AgentStatus::State::busy && agent.state != AgentStatus::State::ending) return "-";
    return agent.submission.empty() ? "(withdrawn)" : printable(agent.submission);
}

std::string activity_text(const AgentStatus& agent) {
    std::string text = agent.activity ? printable(pool_protocol::activity_text(*agent.activity)) : "";
    return text.empty() ? "-" : terminal::cut(text, longest_activity);
}

// Which columns there are.
struct Columns {
    bool doing = false;
    bool labels = false;
};

Table agent_table(Columns columns) {
    constexpr auto left = Table::Align::left;
    std::vector<Table::Column> headings{
        {"agent"}, {"state", left, longest_state}, {"for", Table::Align::right, terminal::duration_width}};
    if (columns.doing) headings.push_back({"doing", left, longest_activity});
    headings.push_back({"submission"});
    if (columns.labels) headings.push_back({"labels"});
    return Table(std::move(headings));
}

std::vector<std::string> agent_row(const AgentStatus& agent, Columns columns, pool_protocol::UnixTime now,
                                   bool colored) {
    std::vector<std::string> row{
        terminal::cut(printable(agent.name.empty() ? agent.id : agent.name), longest_name),
        state_text(agent.state, colored), age_text(now - agent.since)};
    if (columns.doing) row.push_back(activity_text(agent));
    row.push_back(submission_text(agent));
    if (columns.labels) row.push_back(agent.labels.empty() ? "-" : agent.labels.joined(", "));
    return row;
}

// Adds at most `rows` lines, including the one with the number of omitted agents.
void add_agents(Lines& lines, const Status& status, std::size_t rows, bool colored) {
    if (status.agents.empty()) return;
    bool all = status.agents.size() < rows;
    std::size_t shown = all ? status.agents.size() : rows > 2 ? rows - 2 : 0;
    Columns columns{
        std::ranges::any_of(status.agents, [](const auto& agent) { return agent.activity.has_value(); }),
        std::ranges::any_of(status.agents, [](const auto& agent) { return !agent.labels.empty(); })};
    Table table = agent_table(columns);
    for (const AgentStatus* agent : first_agents(status, shown))
        table.add(agent_row(*agent, columns, status.time, colored));
    if (shown > 0) std::ranges::move(table.lines(colored), std::back_inserter(lines));
    if (!all)
        lines.push_back(base::concat("… and ", base::counted(status.agents.size() - shown, "agent"),
                                     shown > 0 ? " more" : ""));
}

void fit(Lines& lines, terminal::Size size) {
    if (lines.size() > size.rows) lines.resize(size.rows);
    for (std::string& line : lines)
        line = terminal::cut(line, size.columns);
}

}  // namespace

Lines status_lines(const Status& status, DisplayOptions options) {
    Lines lines;
    add_heading(lines, status, options.colored);
    lines.emplace_back();
    lines.push_back(base::concat("agents  ", agents_text(status, options.colored)));
    add_away(lines, status, options.colored);
    lines.push_back(base::concat("queue   ", queue_text(status)));
    std::ranges::copy(unmatched_lines(status, options.colored), std::back_inserter(lines));
    std::ranges::copy(engine_lines(status, options.colored), std::back_inserter(lines));
    // On a low screen, the agents that have worked longest are shown in preference to the counts.
    constexpr std::size_t first_ones = 3;
    std::size_t kept = status.agents.empty() ? 0 : 2 + std::min(status.agents.size(), first_ones);
    for (const Lines& table : {counts_lines(status, options), latencies(status, options.colored),
                               host_lines(status, options.colored)}) {
        if (table.empty() || lines.size() + 1 + table.size() + kept > options.size.rows) continue;
        lines.emplace_back();
        std::ranges::copy(table, std::back_inserter(lines));
    }
    if (!status.agents.empty()) lines.emplace_back();
    std::size_t left = options.size.rows - std::min(options.size.rows, lines.size());
    add_agents(lines, status, left, options.colored);
    fit(lines, options.size);
    return lines;
}

namespace {

// Breaks the text at spaces.
Lines wrapped(std::string_view text, std::size_t columns) {
    Lines lines{""};
    while (!text.empty()) {
        std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        std::string longer = lines.back().empty() ? std::string(word) : base::concat(lines.back(), " ", word);
        if (lines.back().empty() || terminal::width(longer) <= columns)
            lines.back() = std::move(longer);
        else
            lines.emplace_back(word);
    }
    return lines;
}

Lines with_footer(Lines lines, DisplayOptions options) {
    lines.resize(options.size.rows - 1);
    lines.push_back(paint(how_to_end, Style::dim, options.colored));
    fit(lines, options.size);
    return lines;
}

}  // namespace

// The last row but one stays empty.
Lines screen_lines(const Status& status, DisplayOptions options) {
    DisplayOptions above = options;
    above.size.rows = options.size.rows - std::min<std::size_t>(options.size.rows, 2);
    return with_footer(status_lines(status, above), options);
}

Lines screen_lines(std::string_view problem, DisplayOptions options) {
    Lines lines = wrapped(printable(problem), options.size.columns);
    for (std::string& line : lines)
        line = paint(line, Style::yellow, options.colored);
    return with_footer(std::move(lines), options);
}

}  // namespace pool_view
