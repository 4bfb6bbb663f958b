#include "pool_view/counts_view.hpp"

#include "terminal/table.hpp"
#include "terminal/units.hpp"

#include <array>
#include <cstdint>

namespace pool_view {

using pool_protocol::StatusCounts;
using terminal::Table;

namespace {

struct CountColumn {
    const char* heading;
    std::uint64_t StatusCounts::*count;
    bool is_shown_always = true;  // or only if there are any
};

// Those that are not shown always explain why the other counts exceed those submitted.
constexpr std::array<CountColumn, 11> count_columns{{{"submitted", &StatusCounts::submitted},
                                                     {"recovered", &StatusCounts::recovered, false},
                                                     {"processed", &StatusCounts::processed},
                                                     {"timeout", &StatusCounts::timed_out},
                                                     {"stopped", &StatusCounts::stopped},
                                                     {"withdrawn", &StatusCounts::withdrawn},
                                                     {"invalid", &StatusCounts::invalid},
                                                     {"handed back", &StatusCounts::handed_back},
                                                     {"kicked", &StatusCounts::kicked},
                                                     {"failed", &StatusCounts::failed, false},
                                                     {"died", &StatusCounts::died, false}}};

}  // namespace

std::vector<std::string> counts_lines(const pool_protocol::Status& status, DisplayOptions options) {
    bool has_earlier = status.total && status.total->counts != status.counts;
    const StatusCounts& most = has_earlier ? status.total->counts : status.counts;
    std::vector<Table::Column> headings;
    std::vector<std::string> row;
    std::vector<std::string> total;
    if (has_earlier) {
        headings.push_back({"daemons", Table::Align::left});
        row.emplace_back("this one");
        total.emplace_back("all so far");
    }
    for (const CountColumn& column : count_columns) {
        if (!column.is_shown_always && most.*column.count == 0) continue;
        headings.push_back({column.heading, Table::Align::right});
        row.push_back(std::to_string(status.counts.*column.count));
        total.push_back(std::to_string(most.*column.count));
    }
    if (has_earlier) {
        headings.push_back({"since", Table::Align::left});
        row.push_back(terminal::time_text(status.started));
        total.push_back(terminal::time_text(status.total->since));
    }
    Table columns(std::move(headings));
    columns.add(std::move(row));
    if (has_earlier) columns.add(std::move(total));
    return columns.folded(options.size.columns, options.colored);
}

}  // namespace pool_view
