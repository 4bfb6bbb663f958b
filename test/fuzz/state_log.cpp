// A state log: the pieces in which it comes make no difference; it is accepted or refused as damaged, and so
// is the part of it before any byte; what is accepted means the same written anew, and a run can go on
// from it to its end.
#include "base/text.hpp"
#include "fuzz.hpp"
#include "private_links.hpp"
#include "state_text.hpp"
#include "statelog/record.hpp"
#include "statelog/replay.hpp"
#include "workflow/machine.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace {

using fuzz::must;
using statelog::Record;
using statelog::Replay;
using statelog::Tail;

struct Read {
    Replay replay{"LOG"};
    std::optional<Tail> tail;  // none: it is damaged, `problem` says how
    std::string problem;
    std::string written;  // the log anew, without what doesn't count
};

void refuse(Read& read, const base::Error& error) {
    must(statelog::is_damage(error), "a log is refused for damage only");
    must(error.message.starts_with("LOG: line ") ||
             error.message == "LOG is not a state log: its first line is not a Config entry",
         "a refusal names the line, or says that it is no log");
    read.problem = error.message;
}

template<class NextPiece>
Read read_by(NextPiece next) {
    struct Line {
        std::uint64_t offset;
        std::string text;
    };
    std::vector<Line> lines;
    Read read;
    read.replay = Replay("LOG", [&](const Replay& replay, const Record& record) {
        auto time = record.time.value_or(statelog::Time());
        lines.push_back({replay.record_offset(), ""});
        statelog::append_record(lines.back().text, *replay.config(), record.entry, time, record.started);
    });
    for (std::string_view piece = next(); !piece.empty(); piece = next()) {
        auto fed = read.replay.feed(piece);
        if (fed) continue;
        refuse(read, fed.error());
        return read;
    }
    auto tail = read.replay.finish();
    if (!tail) {
        refuse(read, tail.error());
        return read;
    }
    read.tail = *tail;
    statelog::append_header(read.written, read.replay.header(), statelog::Time());
    for (const Line& line : lines)
        if (line.offset < tail->committed_bytes) read.written += line.text;
    return read;
}

Read read_whole(std::string_view text) {
    return read_by([&] { return std::exchange(text, {}); });
}

Read read_in_pieces(std::string_view text) {
    fuzz::Pieces pieces(text);
    return read_by([&] { return pieces.done() ? std::string_view() : pieces.next(); });
}

void check_pieces(const Read& whole, const Read& in_pieces) {
    must(whole.problem == in_pieces.problem, "pieces make no difference to what is refused");
    must(whole.tail.has_value() == in_pieces.tail.has_value(), "pieces make no difference to whether");
    if (!whole.tail) return;
    must(whole.tail->committed_bytes == in_pieces.tail->committed_bytes, "nor to what counts");
    must(whole.tail->torn_line == in_pieces.tail->torn_line, "nor to a torn line");
    must(whole.tail->torn_group == in_pieces.tail->torn_group, "nor to a torn group");
    must(whole.written == in_pieces.written, "nor to what the entries say");
}

// All that begins well goes on well, or stops where the whole does.
void check_prefix(std::string_view text, const Read& whole, std::size_t size) {
    Read prefix = read_whole(text.substr(0, size));
    if (!prefix.tail || !whole.tail) return;
    must(prefix.tail->committed_bytes + prefix.tail->dropped_bytes == size,
         "every byte counts or is dropped");
    must(prefix.tail->committed_bytes <= whole.tail->committed_bytes,
         "more of a log is no less of a history");
    must(whole.written.starts_with(prefix.written), "the beginning of a log is the beginning of its history");
}

// With everything done as soon as it is ready, well or badly in turn, so that retries come to an end as well.
void run_to_the_end(const config::WorkflowConfig& config, workflow::State state) {
    auto apply = [&](const workflow::Group& group) {
        for (const auto& entry : group)
            must(workflow::apply(config, state, entry).has_value(), "what is decided can happen");
    };
    for (const auto& group : workflow::decide_due(state))
        apply(group);
    bool well = false;
    while (auto task = workflow::take_ready(config, state)) {
        well = !well;
        if (well)
            apply(workflow::decide(config, state, *task, std::vector<config::NewTask>()));
        else
            apply(workflow::decide(config, state, *task, workflow::Failure()));
    }
    must(state.over(), "a run that goes on comes to its end");
}

bool same(const statelog::DroppedRecord& a, const statelog::DroppedRecord& b) {
    const auto& [kind, message, exit_code, signal, hook, name, is_permanent, response] = a.failure;
    const auto& other = b.failure;
    return a.task == b.task && a.step == b.step && a.is_finally == b.is_finally && kind == other.kind &&
           message == other.message && exit_code == other.exit_code && signal == other.signal &&
           hook == other.hook && name == other.name && is_permanent == other.is_permanent &&
           response == other.response;
}

void check_accepted(std::string_view text, const Read& whole) {
    Read committed = read_whole(text.substr(0, whole.tail->committed_bytes));
    must(committed.tail && committed.tail->dropped_bytes == 0, "what counts of a log is a whole log");
    must(committed.written == whole.written, "what is dropped says nothing");
    Read anew = read_whole(whole.written);
    must(anew.tail && anew.tail->dropped_bytes == 0, "a log that is written anew is whole");
    must(anew.written == whole.written, "a log that is written anew stays as it is");
    must(fuzz::text_of(anew.replay.state()) == fuzz::text_of(committed.replay.state()),
         "a log that is written anew leads to the same state");
    must(std::ranges::equal(anew.replay.dropped(), committed.replay.dropped(), same),
         "a log that is written anew tells the same failures");
    run_to_the_end(*committed.replay.config(), committed.replay.state());
}

}  // namespace

void fuzz::target(std::string_view input) {
    if (links_may_leave(input)) return;
    Read whole = read_whole(input);
    check_pieces(whole, read_in_pieces(input));
    Pieces choice(input);
    for (int i = 0; i < 3; ++i)
        check_prefix(input, whole, choice.below(input.size() + 1));
    if (whole.tail) check_accepted(input, whole);
}
