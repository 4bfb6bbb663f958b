// The trace of a state log: it takes what a replay takes, and of that what counts; whatever it takes can be
// written as batches, as JSON and as tables. Its corpus is that of state logs.
#include "trace/trace.hpp"

#include "fuzz.hpp"
#include "json/json.hpp"
#include "private_links.hpp"
#include "statelog/replay.hpp"
#include "trace/attempt_table.hpp"
#include "trace/run_json.hpp"
#include "trace/sample.hpp"
#include "trace/task_json.hpp"

#include <string>
#include <variant>

namespace {

using fuzz::must;
using trace::Trace;

// Whether a replay takes the log, and how many of the entries count.
struct Replayed {
    bool is_taken = false;
    trace::Position position;
};

Replayed replayed(std::string_view text) {
    trace::Position all;
    statelog::Replay replay("LOG", [&](const statelog::Replay& /*of*/, const statelog::Record& record) {
        ++(std::holds_alternative<workflow::TaskSubmitted>(record.entry) ? all.rows : all.completions);
    });
    if (!replay.feed(text)) return {};
    auto tail = replay.finish();
    if (!tail) return {};
    if (tail->torn_group) return replayed(text.substr(0, tail->committed_bytes));
    return {true, all};
}

void check_texts(const Trace& made, std::string_view text) {
    auto read_line = [text](std::uint64_t offset) -> base::Result<std::string> {
        return std::string(text.substr(offset, text.find('\n', offset) - offset));
    };
    must(!json::check(trace::run_json(made, "{}", true)), "a run is JSON");
    must(!json::check(trace::sums_json(made)), "sums are JSON");
    trace::AttemptTable csv(made, read_line, trace::AttemptTable::Format::csv);
    trace::AttemptTable lines(made, read_line, trace::AttemptTable::Format::json);
    trace::Sample sample = trace::sample_of(made, {5, 9, 2});
    trace::TaskJsonOptions options;
    options.most_text = 3;
    options.renumber = [&](trace::Row row) { return trace::number_among(sample.rows, row); };
    for (trace::Row row = 0; row < made.position().rows; ++row) {
        auto task = trace::task_json(made, read_line, row);
        must(task && !json::check(*task), "a task is JSON");
        must(trace::task_json(made, read_line, row, options).has_value(), "also in a sample");
        std::string line;
        must(csv.append(line, row).has_value() && line.ends_with("\r\n"), "an attempt is a line of a table");
        line.clear();
        must(lines.append(line, row).has_value() && !json::check(line), "and one of JSON");
    }
    std::string batch;
    must(made.append_batch(batch, {}) == made.position(), "a batch has everything");
    made.append_chosen(batch, sample.rows);
    must(batch.size() % 8 == 0, "batches are padded");
}

}  // namespace

void fuzz::target(std::string_view input) {
    if (links_may_leave(input)) return;
    Trace made("LOG");
    std::string refusal;
    for (Pieces pieces(input); refusal.empty() && !pieces.done();) {
        auto fed = made.feed(pieces.next());
        if (fed) continue;
        must(statelog::is_damage(fed.error()), "a log is refused for damage only");
        refusal = fed.error().message;
    }
    Replayed wanted = replayed(input);
    bool is_number_too_large = refusal.find("has the task number") != std::string::npos;
    must(refusal.empty() || is_number_too_large || !wanted.is_taken, "what a replay takes, a trace takes");
    if (wanted.is_taken && refusal.empty())
        must(made.position() == wanted.position, "and of that what counts");
    if (made.config()) check_texts(made, input);
}
