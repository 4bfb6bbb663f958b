#include "trace/attempt_table.hpp"

#include "base/utc_text.hpp"
#include "trace/json_pieces.hpp"
#include "trace/read_entry.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace trace {

namespace {

using workflow::TaskCompleted;

// A cell: nothing, a number, a time, a text or a truth value.
struct Cell {
    enum class Kind { none, number, time, text, truth };
    std::string_view name;  // of its column
    Kind kind = Kind::none;
    std::string text = {};  // as in JSON; of a text, the text itself
    double time = 0;        // ms since 1970
};

class Cells {
  public:
    void add_text(std::string_view name, std::string_view text) {
        cells_.push_back({name, text.empty() ? Cell::Kind::none : Cell::Kind::text, std::string(text)});
    }
    void add_truth(std::string_view name, bool value) {
        cells_.push_back({name, Cell::Kind::truth, std::string(truth(value))});
    }
    // The cell is empty if `time` is not a number.
    void add_time(std::string_view name, double time) {
        cells_.push_back({name, std::isnan(time) ? Cell::Kind::none : Cell::Kind::time, number(time), time});
    }
    void add_number(std::string_view name, double value) {
        cells_.push_back({name, std::isnan(value) ? Cell::Kind::none : Cell::Kind::number, number(value)});
    }
    template<class Integer>
    void add_whole(std::string_view name, const std::optional<Integer>& value) {
        cells_.push_back({name, value ? Cell::Kind::number : Cell::Kind::none,
                          value ? std::to_string(*value) : std::string()});
    }
    const std::vector<Cell>& all() const { return cells_; }

  private:
    std::vector<Cell> cells_;
};

std::optional<std::int64_t> count_of(std::optional<std::chrono::milliseconds> duration) {
    return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
}

void add_failure(Cells& cells, const workflow::Failure* failure) {
    cells.add_text("reason", failure ? statelog::reason_name(failure->kind) : "");
    cells.add_whole("exit_code", failure ? failure->exit_code : std::nullopt);
    cells.add_whole("signal", failure ? failure->signal : std::nullopt);
}

// An attempt without local processes, of which nothing was measured, is nothing but its action.
void add_phases(Cells& cells, const workflow::Measured* measured, std::optional<double> duration) {
    cells.add_whole("pre_ms", measured ? count_of(measured->pre) : std::nullopt);
    if (measured)
        cells.add_whole("action_ms", count_of(measured->action));
    else
        cells.add_number("action_ms", duration.value_or(std::nan("")));
    cells.add_whole("post_ms", measured ? count_of(measured->post) : std::nullopt);
}

void add_report(Cells& cells, const pool_protocol::AgentReport* report) {
    using Count = std::optional<std::uint64_t>;
    cells.add_whole("input_tokens", report ? Count(report->input_tokens) : std::nullopt);
    cells.add_whole("cached_tokens", report ? Count(report->cached_tokens) : std::nullopt);
    cells.add_whole("output_tokens", report ? Count(report->output_tokens) : std::nullopt);
    cells.add_number("cost_usd", report && report->usd ? *report->usd : std::nan(""));
}

void add_used(Cells& cells, const workflow::Measured* measured) {
    cells.add_whole("cpu_ms", measured ? count_of(measured->cpu) : std::nullopt);
    cells.add_whole("peak_memory_bytes", measured ? measured->peak_memory : std::nullopt);
}

const workflow::Failure* failure_of(const TaskCompleted* entry) {
    const auto* failed = entry ? std::get_if<workflow::Failed>(&entry->outcome) : nullptr;
    return failed ? &failed->failure() : nullptr;
}

// The columns after the state. `entry`: the completion in the log; null if the log has nothing of it.
void add_details(Cells& cells, const Attempt& attempt, const Completion& end, const TaskCompleted* entry) {
    add_failure(cells, failure_of(entry));
    cells.add_time("submitted", attempt.submitted);
    cells.add_time("started", end.started);
    cells.add_time("ended", end.ended);
    double waiting = end.started - attempt.submitted;
    cells.add_number("waiting_ms", waiting >= 0 ? waiting : std::nan(""));
    add_phases(cells, entry ? entry->measured.get() : nullptr, duration_of(attempt, end));
    add_report(cells, entry ? entry->report.get() : nullptr);
    add_used(cells, entry ? entry->measured.get() : nullptr);
}

// A spreadsheet takes a text that begins like this for a formula.
bool looks_like_formula(std::string_view text) {
    return std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

void append_csv_text(std::string& out, std::string_view text) {
    bool is_formula = looks_like_formula(text);
    bool is_quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
    if (is_quoted) out += '"';
    if (is_formula) out += '\'';
    for (char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    if (is_quoted) out += '"';
}

// "2026-11-21T14:05:00.628Z"; a time that has no such form stays a number.
std::string utc(double time) {
    constexpr double end_of_9999 = 253'402'300'800'000;
    if (time < 0 || time >= end_of_9999) return number(time);
    return base::utc_text(statelog::Time(std::chrono::milliseconds(static_cast<std::int64_t>(time))));
}

// RFC 4180: lines end with CR LF.
void append_csv(std::string& out, const Cells& cells) {
    std::string_view before;
    for (const Cell& cell : cells.all()) {
        out += std::exchange(before, ",");
        if (cell.kind == Cell::Kind::text) append_csv_text(out, cell.text);
        if (cell.kind == Cell::Kind::time) out += utc(cell.time);
        if (cell.kind == Cell::Kind::number || cell.kind == Cell::Kind::truth) out += cell.text;
    }
    out += "\r\n";
}

void append_json(std::string& out, const Cells& cells) {
    std::string_view before = "{";
    for (const Cell& cell : cells.all()) {
        append(out, std::exchange(before, ","), "\"", cell.name, "\":");
        if (cell.kind == Cell::Kind::text)
            json::append_quoted(out, cell.text);
        else
            append(out, cell.kind == Cell::Kind::none ? "null" : cell.text);
    }
    out += "}\n";
}

}  // namespace

AttemptTable::AttemptTable(const Trace& trace, ReadLine read_line, Format format)
    : trace_(trace), read_line_(std::move(read_line)), format_(format) {
    Row rows = trace.position().rows;
    places_.reserve(rows);
    for (Row row = 0; row < rows; ++row) {
        Attempt attempt = trace.attempt(row);
        bool is_retry = attempt.origin == Origin::retry;
        places_.push_back(is_retry ? Place{places_[attempt.of].first, places_[attempt.of].number + 1}
                                   : Place{row, 1});
    }
}

std::string AttemptTable::head() const {
    if (format_ == Format::json) return {};
    return "task,id,parent,step,finally,attempt,agent,state,reason,exit_code,signal,submitted,started,ended,"
           "waiting_ms,pre_ms,action_ms,post_ms,input_tokens,cached_tokens,output_tokens,cost_usd,cpu_ms,"
           "peak_memory_bytes\r\n";
}

base::Result<void> AttemptTable::append(std::string& out, Row row) const {
    Attempt attempt = trace_.attempt(row);
    Completion end;
    end.started = end.ended = std::nan("");
    if (attempt.completion != absent) end = trace_.completion(attempt.completion);
    std::unique_ptr<TaskCompleted> entry;
    if (end.reason != 0 || (end.flags & (has_report | has_measured)) != 0) {
        auto read = read_entry<TaskCompleted>(trace_, read_line_, end.offset);
        if (!read) return read.error();
        entry = std::make_unique<TaskCompleted>(std::move(*read));
    }
    using Id = std::optional<std::uint32_t>;
    auto task_id = [&](Row of) { return trace_.attempt(places_[of].first).id; };
    Cells cells;
    cells.add_whole("task", Id(task_id(row)));
    cells.add_whole("id", Id(attempt.id));
    cells.add_whole("parent", attempt.parent == absent ? std::nullopt : Id(task_id(attempt.parent)));
    cells.add_text("step", trace_.config()->steps[attempt.step].name);
    cells.add_truth("finally", attempt.is_finally);
    cells.add_whole("attempt", Id(places_[row].number));
    cells.add_text("agent", end.agent == no_agent ? "" : trace_.agents()[end.agent]);
    cells.add_text("state", end.outcome == Outcome::none ? "open" : outcome_name(end.outcome));
    add_details(cells, attempt, end, entry.get());
    format_ == Format::csv ? append_csv(out, cells) : append_json(out, cells);
    return {};
}

}  // namespace trace
