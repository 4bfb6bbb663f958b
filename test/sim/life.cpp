#include "life.hpp"

#include "must.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>

namespace sim {

namespace {

constexpr std::size_t most_entries = 100'000;

workflow::TaskId take_one(std::vector<workflow::TaskId>& from, Draw& draw) {
    std::swap(from[draw.below(from.size())], from.back());
    workflow::TaskId task = from.back();
    from.pop_back();
    return task;
}

}  // namespace

Log Log::first(std::size_t count) const {
    auto kept = static_cast<std::ptrdiff_t>(count);
    return {text.substr(0, ends[count - 1]),
            {entries.begin(), entries.begin() + kept},
            {ends.begin(), ends.begin() + kept},
            {fingerprints.begin(), fingerprints.begin() + kept},
            born,
            acknowledged};
}

std::vector<std::uint64_t> Log::done() const {
    auto done = fingerprints;
    std::erase(done, 0);
    std::ranges::sort(done);
    return done;
}

Life::Life(const Workload& workload, std::uint64_t order)
    : workload_(workload), draw_(order), slots_(1 + draw_.below(6)), state_(workload.config()) {
    log_.text = workload.header();
    commit(workflow::decide_initial(state_, workload.first_tasks()));
    log_.born = log_.entries.size();
}

Life::Life(const Workload& workload, std::uint64_t order, workflow::State state, Log log)
    : workload_(workload),
      draw_(order),
      slots_(1 + draw_.below(6)),
      state_(std::move(state)),
      log_(std::move(log)) {
    take_answers();
    first_bytes_ = log_.text.size();
    for (const auto& group : workflow::decide_due(state_))
        commit(group);
}

void Life::play() {
    while (!over())
        step();
}

void Life::step() {
    start_ready();
    while (!delayed_.empty() && ((running_.empty() && state_.asked.empty()) || draw_.one_in(3))) {
        workflow::make_due(state_, take_one(delayed_, draw_));
        start_ready();
    }
    end_one();
}

void Life::start_ready() {
    while (running_.size() < slots_) {
        auto task = workflow::take_ready(workload_.config(), state_);
        if (!task) return;
        running_.push_back(*task);
    }
}

void Life::take_answers() {
    for (workflow::TaskId id : std::set(state_.asked)) {
        if (!draw_.one_in(3)) continue;
        const workflow::Task& task = state_.tasks.at(id);
        auto result = workload_.outcome(task);
        std::uint64_t done = fingerprint(task, result);
        auto group = decide_end(id, std::move(result));
        if (std::get<workflow::TaskCompleted>(group.front()).answered) log_.acknowledged.push_back(id);
        commit(group, done);
    }
}

workflow::TaskId Life::next_to_end() {
    const auto& asked = state_.asked;
    must(!running_.empty() || !asked.empty(), "something can be done until a run is over");
    if (running_.empty() || (!asked.empty() && draw_.one_in(3)))
        return *std::next(asked.begin(), static_cast<std::ptrdiff_t>(draw_.below(asked.size())));
    return take_one(running_, draw_);
}

// A person answers with tasks or rejects; an expiry is nobody's answer.
workflow::Group Life::decide_end(workflow::TaskId id, workflow::AttemptResult result) const {
    using enum workflow::Failure::Kind;
    const auto* failure = std::get_if<workflow::Failure>(&result);
    bool is_answer = workload_.is_asked(state_.tasks.at(id)) && (!failure || failure->kind == rejected);
    if (is_answer)
        return workflow::decide_answered(workload_.config(), state_, id, std::move(result), {"ann"});
    return workflow::decide(workload_.config(), state_, id, std::move(result));
}

void Life::end_one() {
    must(log_.entries.size() < most_entries, "a run comes to an end");
    workflow::TaskId id = next_to_end();
    const workflow::Task& task = state_.tasks.at(id);
    auto result = workload_.outcome(task);
    std::uint64_t done = fingerprint(task, result);
    auto group = decide_end(id, std::move(result));
    commit(group, done);
    const auto* failed =
        std::get_if<workflow::Failed>(&std::get<workflow::TaskCompleted>(group.front()).outcome);
    if (!failed || !failed->retry || !workflow::retry_delay(workload_.config(), state_, *failed->retry))
        return;
    workflow::delay(state_, *failed->retry);
    delayed_.push_back(*failed->retry);
}

void Life::commit(const workflow::Group& group, std::uint64_t fingerprint) {
    for (const workflow::Entry& entry : group) {
        workflow::apply(workload_.config(), state_, entry).value();
        bool completed = std::holds_alternative<workflow::TaskCompleted>(entry);
        statelog::Time time(std::chrono::milliseconds(log_.entries.size()));
        statelog::append_record(log_.text, workload_.config(), entry, time,
                                completed ? std::optional(time) : std::nullopt);
        log_.entries.push_back(entry);
        log_.ends.push_back(log_.text.size());
        log_.fingerprints.push_back(completed ? fingerprint : 0);
    }
}

}  // namespace sim
