#include "pool_view/engine_view.hpp"

#include "base/text.hpp"
#include "terminal/color.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <array>

namespace pool_view {

using pool_protocol::EngineStatus;
using pool_protocol::HostStatus;
using pool_protocol::Status;
using terminal::paint;
using terminal::printable;
using terminal::Style;

namespace {

std::string connection_text(const EngineStatus& engine, const Status& status, bool colored) {
    std::string since = engine.since ? terminal::age_text(status.time - *engine.since) : "";
    std::string lag = engine.lag ? base::concat(", lag ", terminal::duration_text(*engine.lag)) : "";
    if (engine.is_connected) return base::concat(printable(engine.name), ", connected for ", since, lag);
    std::string state = since.empty() ? "not connected yet" : base::concat("not connected for ", since);
    std::string why = engine.problem.empty() ? "" : base::concat(": ", printable(engine.problem));
    return paint(base::concat(printable(engine.name), ", ", state, why), Style::yellow, colored);
}

// What has gone wrong, if anything has.
std::string failures_text(const pool_protocol::EngineCounts& counts) {
    std::string text;
    auto add = [&](std::uint64_t count, const char* what, const char* how) {
        if (count > 0) text += base::concat(text.empty() ? "" : ", ", base::counted(count, what), " ", how);
    };
    add(counts.redelivered, "task", "delivered again");
    add(counts.owners_lost, "task", "whose host was lost");
    add(counts.leases_lost, "task", "taken from agents here");
    add(counts.late_answers, "late answer", "refused");
    add(counts.published_again, "task", "lost or not delivered by the engine, and published again");
    return text;
}

struct HostCount {
    const char* title;
    std::uint64_t pool_protocol::EngineCounts::*count;
};

// What has gone wrong; each has a column if any host has counted it.
constexpr std::array host_counts{HostCount{"again", &pool_protocol::EngineCounts::redelivered},
                                 HostCount{"lost", &pool_protocol::EngineCounts::owners_lost},
                                 HostCount{"taken", &pool_protocol::EngineCounts::leases_lost},
                                 HostCount{"late", &pool_protocol::EngineCounts::late_answers}};

std::vector<HostCount> counts_to_show(const std::vector<HostStatus>& hosts) {
    std::vector<HostCount> shown;
    for (const HostCount& one : host_counts)
        if (std::ranges::any_of(hosts, [&](const HostStatus& host) { return host.counts.*one.count > 0; }))
            shown.push_back(one);
    return shown;
}

}  // namespace

std::vector<std::string> engine_lines(const Status& status, bool colored) {
    if (!status.engine) return {};
    const EngineStatus& engine = *status.engine;
    std::vector<std::string> lines{
        base::concat("engine  ", connection_text(engine, status, colored)),
        base::concat("        this host, ", printable(engine.edge), ", has ",
                     base::counted(engine.leases, "task"), "; its submitters wait for ", engine.submissions)};
    if (engine.kept_answers > 0)
        lines.push_back(paint(base::concat("        ", base::counted(engine.kept_answers, "answer"),
                                           " of its agents, which the engine has not got yet"),
                              Style::yellow, colored));
    if (std::string failures = failures_text(engine.counts); !failures.empty())
        lines.push_back("        " + failures);
    return lines;
}

std::vector<std::string> host_lines(const Status& status, bool colored) {
    if (!status.engine || status.engine->hosts.empty()) return {};
    constexpr auto right = terminal::Table::Align::right;
    constexpr std::size_t lag_width = 7;  // "0.42 ms"
    std::vector<HostStatus> hosts = status.engine->hosts;
    std::ranges::sort(hosts, {}, &HostStatus::edge);
    std::vector<HostCount> counts = counts_to_show(hosts);
    std::vector<terminal::Table::Column> columns{{"host"},
                                                 {"busy", right},
                                                 {"idle", right},
                                                 {"tasks", right},
                                                 {"submissions", right},
                                                 {"connected", right, terminal::duration_width},
                                                 {"lag", right, lag_width}};
    for (const HostCount& one : counts)
        columns.push_back({one.title, right});
    terminal::Table table(columns);
    for (const HostStatus& host : hosts) {
        std::vector<std::string> cells{printable(host.edge),
                                       std::to_string(host.busy),
                                       std::to_string(host.idle),
                                       std::to_string(host.leases),
                                       std::to_string(host.submissions),
                                       host.connected_for ? terminal::age_text(*host.connected_for) : "-",
                                       host.lag ? terminal::duration_text(*host.lag) : "-"};
        for (const HostCount& one : counts)
            cells.push_back(std::to_string(host.counts.*one.count));
        table.add(cells);
    }
    return table.lines(colored);
}

}  // namespace pool_view
