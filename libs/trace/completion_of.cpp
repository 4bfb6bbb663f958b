#include "trace/completion_of.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <variant>

namespace trace {

namespace {

std::uint32_t milliseconds(std::optional<std::chrono::milliseconds> duration) {
    if (!duration) return absent;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(duration->count(), 0, absent - 1));
}

std::uint32_t tokens_of(const pool_protocol::AgentReport& report) {
    constexpr std::uint64_t most = UINT32_MAX;
    return static_cast<std::uint32_t>(
        std::min(most, std::min(most, report.input_tokens) + std::min(most, report.output_tokens)));
}

void add_report(Completion& completion, const pool_protocol::AgentReport& report) {
    completion.flags |= has_report;
    completion.tokens = tokens_of(report);
    if (report.usd) completion.usd = static_cast<float>(*report.usd);
}

void add_measured(Completion& completion, const workflow::Measured& measured) {
    completion.flags |= has_measured;
    completion.pre = milliseconds(measured.pre);
    completion.post = milliseconds(measured.post);
}

void add_failure(Completion& completion, const workflow::Failed& failed) {
    auto kind = failed.failure().kind;
    completion.outcome = failed.retry ? Outcome::retried : Outcome::dropped;
    completion.reason = static_cast<std::uint8_t>(1 + static_cast<int>(kind));
    if (kind == workflow::Failure::Kind::past_bound) completion.flags |= no_attempt;
}

}  // namespace

double milliseconds_of(std::optional<statelog::Time> time) {
    return time ? static_cast<double>(time->time_since_epoch().count())
                : std::numeric_limits<double>::quiet_NaN();
}

Completion completion_of(const statelog::Record& record) {
    const auto& entry = std::get<workflow::TaskCompleted>(record.entry);
    Completion completion;
    completion.started = milliseconds_of(record.started);
    completion.ended = milliseconds_of(record.time);
    completion.usd = std::numeric_limits<float>::quiet_NaN();
    completion.outcome = Outcome::succeeded;
    if (entry.reused) completion.flags |= reused;
    if (entry.answered) completion.flags |= answered;
    if (entry.is_lenient) completion.flags |= lenient;
    if (entry.report) add_report(completion, *entry.report);
    if (entry.measured) add_measured(completion, *entry.measured);
    if (const auto* failed = std::get_if<workflow::Failed>(&entry.outcome)) add_failure(completion, *failed);
    if (const auto* succeeded = std::get_if<workflow::Succeeded>(&entry.outcome))
        completion.children = static_cast<std::uint32_t>(succeeded->spawned.size());
    return completion;
}

std::optional<double> duration_of(const Attempt& attempt, const Completion& completion) {
    if ((completion.flags & (no_attempt | reused)) != 0) return std::nullopt;
    double begin = std::isnan(completion.started) ? attempt.submitted : completion.started;
    double duration = completion.ended - begin;
    return duration >= 0 ? std::optional(duration) : std::nullopt;  // not if one is unknown
}

std::string_view outcome_name(Outcome outcome) {
    switch (outcome) {
        case Outcome::succeeded:
            return "succeeded";
        case Outcome::retried:
            return "retried";
        case Outcome::dropped:
            return "dropped";
        case Outcome::none:
            break;
    }
    return "none";
}

}  // namespace trace
