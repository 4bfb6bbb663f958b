// What a run says of its attempts, and of results that it has taken over.
#include "base/text.hpp"
#include "io/log.hpp"
#include "runner/redacted.hpp"
#include "runner/runner.hpp"
#include "workflow/bounds.hpp"

#include <cstdio>
#include <utility>
#include <variant>

namespace runner {

using workflow::TaskId;

namespace {

// Makes the label only if the line is logged.
template<class... Pieces>
void log_change(const config::WorkflowConfig& config, const Attempt& attempt, const Pieces&... pieces) {
    if (io::log::enabled(io::log::Level::info)) io::log::state_change(label(config, attempt), pieces...);
}

std::string attempt_text(const config::WorkflowConfig& config, const Attempt& attempt) {
    std::uint64_t most = std::uint64_t{config.step(attempt.step).options.max_retries} + 1;
    return base::concat("attempt ", attempt.number, " of ", most);
}

// No attempt is made at what a person does.
std::string drop_text(const config::WorkflowConfig& config, const Attempt& attempt,
                      const workflow::Failure& failure) {
    using enum workflow::Failure::Kind;
    if (failure.kind == rejected || failure.kind == expired) return ": dropped: ";
    return base::concat(": failed (", attempt_text(config, attempt),
                        failure.is_permanent ? ", permanent, dropped): " : ", dropped): ");
}

// "2.0 s", "50 ms"
std::string delay_text(std::chrono::milliseconds time) {
    if (time < std::chrono::seconds(1)) return base::concat(time.count(), " ms");
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

}  // namespace

// A task for the pool is started by an agent, later.
void Runner::announce_start(const Attempt& attempt, bool is_submitted) const {
    log_change(config_, attempt, is_submitted ? ": submitted" : ": started",
               attempt.number > 1 ? base::concat(" (attempt ", attempt.number, ")") : "");
}

void Runner::announce(const Decision& decision) {
    if (observer_) observer_->decided(decision);
    people_.decided(decision);
    const auto& completed = decision.completed();
    if (completed.reused) return announce_reused(decision.attempt, *completed.reused);
    if (completed.report) usage_.count_ended(decision.attempt.step, *completed.report);
    if (completed.is_lenient)
        io::log::info(label(config_, decision.attempt),
                      ": its response was taken out of the text around it (lenient_response)");
    const auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (failed && failed->failure().kind == workflow::Failure::Kind::past_bound)
        return announce_past_bound(decision.attempt, failed->failure());
    if (failed)
        return failed->retry ? announce_retry(decision, *failed) : announce_drop(decision.attempt, *failed);
    const auto& succeeded = std::get<workflow::Succeeded>(completed.outcome);
    log_change(config_, decision.attempt, ": done, ", succeeded.spawned.size(), " next",
               completed.answered ? ", answered by " + completed.answered->user : std::string());
}

void Runner::announce_retry(const Decision& decision, const workflow::Failed& failed) {
    TaskId retry = *failed.retry;
    auto wait = decision.retry_after;
    io::log::warn(label(config_, decision.attempt), ": failed (", attempt_text(config_, decision.attempt),
                  ", again as task ", retry.value, wait ? " in " + delay_text(*wait) : "",
                  "): ", redacted(redaction_.get(), failed.failure().message));
    if (wait) tasks_.spawn(base::concat("wait for task ", retry.value), await_retry(retry, *wait));
}

void Runner::announce_drop(const Attempt& attempt, const workflow::Failed& failed) {
    std::string name = label(config_, attempt);
    std::string message = redacted(redaction_.get(), failed.failure().message);
    io::log::error(name, drop_text(config_, attempt, failed.failure()), message);
    ++outcome_.dropped_count;
    if (outcome_.dropped.size() < dropped_shown)
        outcome_.dropped.push_back({std::move(name), std::move(message)});
}

// Only the first one of each bound is told: there may be very many.
void Runner::announce_past_bound(const Attempt& attempt, const workflow::Failure& failure) {
    ++outcome_.dropped_count;
    auto bound = workflow::bound_of(failure).value();
    bool is_first = !std::exchange(has_told_of_bound_[static_cast<std::size_t>(bound)], true);
    auto text = [&] { return label(config_, attempt) + ": "; };
    if (is_first)
        io::log::warn(text(), failure.message, "; others past ", workflow::bound_name(bound),
                      " are only counted");
    else
        io::log::debug(text, failure.message);
}

// There may be very many, and nothing was done.
void Runner::announce_reused(const Attempt& attempt, const workflow::ReusedFrom& from) {
    ++outcome_.reused;
    io::log::debug([&] { return label(config_, attempt); }, ": reused from task ", from.task.value,
                   " of run ", from.run_id);
}

}  // namespace runner
