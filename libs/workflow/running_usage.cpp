#include "workflow/running_usage.hpp"

#include <algorithm>
#include <utility>

namespace workflow {

namespace {

AttemptUsage added(const AttemptUsage& a, const AttemptUsage& b) {
    AttemptUsage out;
    out.turn = a.turn + b.turn;
    out.input_tokens = a.input_tokens + b.input_tokens;
    out.cached_tokens = a.cached_tokens + b.cached_tokens;
    out.output_tokens = a.output_tokens + b.output_tokens;
    if (a.usd || b.usd) out.usd = a.usd.value_or(0) + b.usd.value_or(0);
    out.price_list = a.price_list.empty() ? b.price_list : a.price_list;
    return out;
}

// Agents tell when their work has begun, or 0. Those of one report have worked on one host, with one clock.
bool is_about(const pool_protocol::AgentReport& report, const AttemptUsage& used) {
    return report.agents > 1 ? used.since >= report.since || used.since == 0 : used.since == report.since;
}

bool is_nothing(const AttemptUsage& used) {
    return used.input_tokens == 0 && used.output_tokens == 0 && used.usd.value_or(0) == 0;
}

}  // namespace

AttemptUsage RunningUsage::Attempt::total() const {
    AttemptUsage sum = added(before, so_far);
    for (const AttemptUsage& each : earlier)
        sum = added(sum, each);
    return sum;
}

void RunningUsage::Attempt::take(const pool_protocol::AgentReport& report) {
    if (has_left || so_far.since != 0) earlier.push_back(so_far);
    std::erase_if(earlier, [&](const AttemptUsage& each) { return is_about(report, each); });
    so_far = used_in(report);
}

// The news of another agent's end may come late: the one that has told something since is not meant.
bool RunningUsage::Attempt::take_late(const AttemptUsage& used) {
    if (used.since == 0 || used.since == so_far.since) return false;
    if (std::ranges::find(counted, used.since) != counted.end()) return true;
    auto known = std::ranges::find(earlier, used.since, &AttemptUsage::since);
    const bool is_late = known != earlier.end() || (so_far.since != 0 && !has_left);
    if (known != earlier.end())
        *known = used;
    else if (is_late)
        earlier.push_back(used);
    return is_late;
}

void RunningUsage::Attempt::leave_out_noted_after(std::uint64_t since) {
    if (since == 0 || noted.empty()) return;
    const std::chrono::milliseconds begun(since);
    while (!noted.empty() && noted.back().time > begun)
        noted.pop_back();
    before = noted.empty() ? AttemptUsage() : noted.back().used;
}

template<class Change>
void RunningUsage::change(Attempt& attempt, Change make) {
    const BudgetUse before = budget_use_of(attempt.total());
    make();
    const BudgetUse after = budget_use_of(attempt.total());
    sum_.tokens += after.tokens - before.tokens;
    sum_.usd += after.usd - before.usd;
    sum_.is_estimate |= after.is_estimate;
}

RunningUsage::RunningUsage(const std::map<TaskId, UsageHistory>& before) {
    for (const auto& [task, noted] : before) {
        Attempt& attempt = attempts_[task];
        attempt.noted = noted;
        change(attempt, [&] { attempt.before = noted.back().used; });
        attempt.written = attempt.total();
    }
}

void RunningUsage::told(TaskId task, const pool_protocol::AgentActivity& activity) {
    if (!attempts_.contains(task) && is_nothing(activity)) return;
    Attempt& attempt = attempts_[task];
    change(attempt, [&] {
        const bool is_another = activity.since == 0 || activity.since != attempt.so_far.since;
        const bool has_left = std::exchange(attempt.has_left, false);
        const bool is_known = activity.since != 0 && attempt.so_far.since != 0;
        if (is_another && (has_left || is_known)) attempt.earlier.push_back(attempt.so_far);
        attempt.leave_out_noted_after(activity.since);
        attempt.so_far = activity;
        attempt.so_far.text.clear();
    });
}

void RunningUsage::left(TaskId task, const std::optional<pool_protocol::AgentActivity>& used) {
    auto known = attempts_.find(task);
    bool is_late = false;
    if (used && known != attempts_.end())
        change(known->second, [&] { is_late = known->second.take_late(*used); });
    if (is_late) return;
    if (used) told(task, *used);
    known = attempts_.find(task);
    if (known != attempts_.end()) known->second.has_left = true;
}

void RunningUsage::reported(TaskId task, const pool_protocol::AgentReport& report) {
    Attempt& attempt = attempts_[task];
    change(attempt, [&] {
        attempt.leave_out_noted_after(report.since);
        attempt.take(report);
    });
}

void RunningUsage::put_back(TaskId task) {
    auto known = attempts_.find(task);
    if (known == attempts_.end()) return;
    Attempt& attempt = known->second;
    attempt.before = attempt.total();
    attempt.noted.clear();
    for (const AttemptUsage& each : attempt.earlier)
        attempt.counted.push_back(each.since);
    attempt.counted.push_back(attempt.so_far.since);
    attempt.earlier.clear();
    attempt.so_far = {};
    attempt.has_left = false;
}

RunningUsage::Ended RunningUsage::ended(TaskId task, std::optional<pool_protocol::AgentReport> report) {
    auto known = attempts_.extract(task);
    if (known.empty()) return {std::move(report), std::nullopt};
    Attempt& attempt = known.mapped();
    AttemptUsage total = attempt.total();
    if (report) {
        change(attempt, [&] { attempt.take(*report); });
        if (!is_nothing(attempt.before))
            pool_protocol::add_earlier(*report, pool_protocol::report_of(attempt.before));
        for (const AttemptUsage& each : attempt.earlier)
            pool_protocol::add_earlier(*report, pool_protocol::report_of(each));
    }
    change(attempt, [&] { attempt = {}; });
    if (!report) return {std::nullopt, is_nothing(total) ? std::nullopt : std::optional(std::move(total))};
    return {std::move(report), std::nullopt};
}

std::optional<AttemptUsage> RunningUsage::Attempt::take_due(Time now) {
    AttemptUsage now_used = total();
    const bool waits = written_at && now < *written_at + interval;
    if (waits || now_used == written) return std::nullopt;
    written = now_used;
    written_at = now;
    return now_used;
}

std::optional<AttemptUsage> RunningUsage::take_due(TaskId task, Time now) {
    auto known = attempts_.find(task);
    return known == attempts_.end() ? std::nullopt : known->second.take_due(now);
}

RunningUsage::Notes RunningUsage::take_due(Time now) {
    Notes notes;
    for (auto& [task, attempt] : attempts_)
        if (auto used = attempt.take_due(now)) notes.emplace_back(task, std::move(*used));
    return notes;
}

bool RunningUsage::is_unwritten(TaskId task) const {
    auto known = attempts_.find(task);
    return known != attempts_.end() && !(known->second.total() == known->second.written);
}

RunningUsage::Notes RunningUsage::take_all() {
    Notes notes;
    for (auto& [task, attempt] : attempts_)
        if (AttemptUsage total = attempt.total(); !(total == attempt.written)) {
            attempt.written = total;
            notes.emplace_back(task, std::move(total));
        }
    return notes;
}

std::optional<RunningUsage::Time> RunningUsage::next_due() const {
    std::optional<Time> next;
    for (const auto& [task, attempt] : attempts_) {
        if (attempt.total() == attempt.written) continue;
        const Time due = attempt.written_at ? *attempt.written_at + interval : Time{};
        next = next ? std::min(*next, due) : due;
    }
    return next;
}

RunningUsage::Notes RunningUsage::totals() const {
    Notes out;
    for (const auto& [task, attempt] : attempts_)
        if (AttemptUsage total = attempt.total(); !is_nothing(total))
            out.emplace_back(task, std::move(total));
    return out;
}

}  // namespace workflow
