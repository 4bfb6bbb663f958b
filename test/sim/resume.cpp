#include "resume.hpp"

#include <algorithm>
#include <chrono>

namespace sim {

namespace {

Fed feed(Fed fed, const Log& log, std::size_t cut) {
    auto result = fed.replay.feed(std::string_view(log.text).substr(fed.bytes, cut - fed.bytes));
    if (!result) throw Broken(result.error().message);
    fed.bytes = cut;
    return fed;
}

void add(LogModel& model, const Log& log, std::size_t from) {
    for (std::size_t i = from; i < log.entries.size(); ++i)
        if (const char* rule = model.add(log.entries[i])) throw Broken(rule);
}

// The entries were written at 0, 1, …
void check_questions(const Log& log, const statelog::Replay& replay) {
    must(replay.asked_since().size() == replay.state().asked.size(), "a question waits since some time");
    for (std::size_t i = 0; i < log.entries.size() && !replay.state().asked.empty(); ++i) {
        const auto* submitted = std::get_if<workflow::TaskSubmitted>(&log.entries[i]);
        if (!submitted || !replay.state().asked.contains(submitted->task)) continue;
        must(replay.asked_since().at(submitted->task) == statelog::Time(std::chrono::milliseconds(i)),
             "a question waits since it was asked");
    }
}

// Those that people were told count.
void check_answers(const Log& log) {
    std::vector<workflow::TaskId> answered;
    for (const auto& entry : log.entries)
        if (const auto* completed = std::get_if<workflow::TaskCompleted>(&entry))
            if (completed->answered) answered.push_back(completed->task);
    for (workflow::TaskId id : log.acknowledged)
        must(std::ranges::count(answered, id) == 1, "an answer counts once, and is not lost");
}

}  // namespace

std::size_t whole_lines(const Log& log, std::size_t cut) {
    return static_cast<std::size_t>(std::ranges::upper_bound(log.ends, cut) - log.ends.begin());
}

void check_tail(const Log& log, std::size_t cut, std::size_t count, const statelog::Tail& tail) {
    std::size_t whole = whole_lines(log, cut);
    must(tail.committed_bytes == log.ends[count - 1], "what counts ends with the last whole group");
    must(tail.dropped_bytes == cut - tail.committed_bytes, "the rest is dropped");
    must(tail.torn_line == (cut > log.ends[whole - 1]), "a torn line is told of");
    must(tail.torn_group == (count < whole), "a torn group is told of");
}

void check_state(const Standing& standing, const workflow::State& state) {
    std::string wrong = difference(standing, state);
    if (!wrong.empty()) throw Broken(wrong);
}

Resumed resume(const Workload& workload, const Log& log, std::size_t cut, const Fed& before) {
    std::size_t count = committed_counts(log.entries)[whole_lines(log, cut)];
    Fed all = feed(before, log, cut);
    auto tail = all.replay.finish();
    if (!tail) throw Broken(tail.error().message);
    check_tail(log, cut, count, *tail);

    Resumed resumed{tail->dropped_bytes > 0 ? feed(before, log, log.ends[count - 1]) : all, log.first(count),
                    LogModel(workload.config())};
    add(resumed.model, resumed.log, 0);
    Standing standing = resumed.model.standing();
    check_state(standing, resumed.fed.replay.state());
    check_questions(resumed.log, resumed.fed.replay);
    check_answers(resumed.log);
    if (!tail->torn_group) check_state(standing, all.replay.state());
    return resumed;
}

Life live_on(const Workload& workload, const Resumed& resumed, std::uint64_t order) {
    return Life(workload, order, resumed.fed.replay.state(), resumed.log);
}

void check_is_over(const LogModel& model) {
    Standing standing = model.standing();
    must(standing.pending.empty(), "no task is lost");
    must(standing.waiting.empty() && standing.due.empty(), "no finally is lost");
}

void check_end(const Resumed& resumed, const Log& log, const std::vector<std::uint64_t>& done) {
    LogModel model = resumed.model;
    add(model, log, resumed.log.entries.size());
    check_answers(log);
    check_is_over(model);
    must(log.done() == done, "what is done is the same, each thing once");
}

}  // namespace sim
