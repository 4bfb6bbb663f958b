// The batches of a trace: its columns as bytes, for pages.
#include "trace/trace.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <type_traits>

namespace trace {

namespace {

static_assert(std::endian::native == std::endian::little, "batches are written as they are in memory");

constexpr std::uint32_t magic = 0x31525442;  // "BTR1"

template<class T>
void append_value(std::string& out, T value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    out.append(bytes.data(), bytes.size());
}

// Pads up to the next multiple of `size`, counted from `start`.
void pad(std::string& out, std::size_t start, std::size_t size) {
    std::size_t over = (out.size() - start) % size;
    if (over != 0) out.append(size - over, '\0');
}

// All columns of a batch, filled in one pass.
class Batch {
  public:
    Batch(std::string& out, std::uint32_t first_row, std::uint32_t rows, std::uint32_t ends)
        : out_(out), start_(out.size()) {
        for (std::uint32_t value : {magic, rows, ends, first_row})
            append_value(out, value);
        for (std::size_t size : std::initializer_list<std::size_t>{8, 4, 4, 4, 2, 1})
            add_column(size, rows);
        for (std::size_t size : std::initializer_list<std::size_t>{8, 8, 4, 4, 4, 4, 4, 2, 1, 1, 1})
            add_column(size, ends);
    }

    void set(std::size_t i, const Attempt& attempt) {
        put(0, i, attempt.submitted);
        put(1, i, attempt.id);
        put(2, i, attempt.parent);
        put(3, i, attempt.of);
        put(4, i, attempt.step);
        put(5, i, attempt.origin);
    }

    void set(std::size_t i, const Completion& completion) {
        put(6, i, completion.started);
        put(7, i, completion.ended);
        put(8, i, completion.usd);
        put(9, i, completion.row);
        put(10, i, completion.pre);
        put(11, i, completion.post);
        put(12, i, completion.tokens);
        put(13, i, completion.agent);
        put(14, i, completion.outcome);
        put(15, i, completion.reason);
        put(16, i, completion.flags);
    }

    void finish(std::span<const std::string> agents) {
        append_value(out_, static_cast<std::uint32_t>(agents.size()));
        for (const std::string& name : agents) {
            append_value(out_, static_cast<std::uint32_t>(name.size()));
            std::size_t begin = out_.size();
            out_ += name;
            pad(out_, begin, 4);
        }
        pad(out_, start_, 8);
    }

  private:
    void add_column(std::size_t size, std::size_t count) {
        columns_[used_++] = out_.size();
        out_.append(size * count, '\0');
        pad(out_, start_, 8);
    }
    template<class T>
    void put(std::size_t column, std::size_t i, T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(out_.data() + columns_[column] + i * sizeof value, &value, sizeof value);
    }

    std::string& out_;
    std::size_t start_;
    std::array<std::size_t, 17> columns_{};  // offsets in `out_`
    std::size_t used_ = 0;
};

}  // namespace

Row number_among(std::span<const Row> rows, Row row) {
    auto found = std::ranges::lower_bound(rows, row);
    return found == rows.end() || *found != row ? absent : static_cast<Row>(found - rows.begin());
}

Position Trace::append_batch(std::string& out, Position from, std::uint32_t most, Position until) const {
    until = {std::min(until.rows, committed_.rows), std::min(until.completions, committed_.completions)};
    std::uint32_t rows = std::min(until.rows - from.rows, most);
    std::uint32_t ends = std::min(until.completions - from.completions, most - rows);
    Batch batch(out, from.rows, rows, ends);
    for (std::uint32_t i = 0; i < rows; ++i)
        batch.set(i, attempt(from.rows + i));
    for (std::uint32_t i = 0; i < ends; ++i)
        batch.set(i, completion(from.completions + i));
    Position to{from.rows + rows, from.completions + ends};
    batch.finish(agents_between(from.completions, to.completions));
    return to;
}

void Trace::append_chosen(std::string& out, std::span<const Row> rows) const {
    std::vector<std::uint32_t> ends;
    for (Row row : rows)
        if (rows_.completion[row] != absent) ends.push_back(rows_.completion[row]);
    std::ranges::sort(ends);
    Batch batch(out, 0, static_cast<std::uint32_t>(rows.size()), static_cast<std::uint32_t>(ends.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Attempt chosen = attempt(rows[i]);
        chosen.parent = number_among(rows, chosen.parent);
        chosen.of = number_among(rows, chosen.of);
        batch.set(i, chosen);
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
        Completion chosen = completion(ends[i]);
        chosen.row = number_among(rows, chosen.row);
        batch.set(i, chosen);
    }
    batch.finish(agents_);
}

std::span<const std::string> Trace::agents_between(std::uint32_t from, std::uint32_t to) const {
    auto first = std::ranges::lower_bound(agents_since_, from) - agents_since_.begin();
    auto last = std::ranges::lower_bound(agents_since_, to) - agents_since_.begin();
    return std::span(agents_).subspan(static_cast<std::size_t>(first),
                                      static_cast<std::size_t>(last - first));
}

}  // namespace trace
