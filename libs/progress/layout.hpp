// The columns of the progress table: which ones, their widths, and the text of their cells. Internal to
// progress/table.
#pragma once

#include "progress/model.hpp"
#include "progress/spending.hpp"
#include "terminal/color.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace progress {

// The data of one step.
struct Row {
    std::string_view name;
    bool is_pool = false;
    bool is_human = false;
    Counts counts;
    Amounts used;  // by the agents
    std::optional<double> rate;
    std::optional<std::chrono::seconds> eta;
};

class Layout {
  public:
    // Chooses as many columns as leave room for the names: first with long headings, then with short ones; if
    // it is still too narrow, without the bar, the rate, the tokens, the ETA, the cost, the retries and the
    // running tasks, in this order. There is a column for tasks at the pool, and one for those that wait
    // for a person, if any of the rows may have such tasks, and columns for tokens and cost if any has used
    // some. `live` false: the final table of a run, with the column of waiting tasks only if there are any.
    Layout(const std::vector<Row>& rows, std::size_t columns, bool live, bool colored);

    std::string heading() const;
    std::string line(const Row& row) const;

  private:
    enum class ColumnId {
        waiting,
        at_pool,
        asked,
        running,
        done,
        dropped,
        retries,
        tokens,
        cost,
        bar,
        rate,
        eta
    };
    struct Column {
        ColumnId id;
        std::string_view heading;
        std::size_t width;
    };
    static std::vector<ColumnId> all_columns(const std::vector<Row>& rows, bool live);
    static std::vector<Column> columns_for(const std::vector<Row>& rows, bool long_headings,
                                           const std::vector<ColumnId>& wanted);
    std::string cell(const Column& column, const Row& row) const;
    std::string number(std::uint64_t count, std::size_t width, std::optional<terminal::Style> style) const;

    std::vector<Column> columns_;
    std::size_t name_width_ = 0;
    bool colored_;
};

}  // namespace progress
