#include "runner/questions.hpp"

#include "statelog/expiry.hpp"

#include <algorithm>
#include <chrono>

namespace runner {

using workflow::TaskId;

namespace {

// The wall clock may be set: it is looked at again after this time.
constexpr std::chrono::milliseconds longest_wait = std::chrono::minutes(1);

}  // namespace

Questions::Questions(const boost::asio::any_io_executor& executor, const config::WorkflowConfig& config,
                     std::function<void(TaskId)> on_expired)
    : config_(config), timer_(executor), on_expired_(std::move(on_expired)) {}

void Questions::add(TaskId task, config::StepId step, Time since) {
    auto end = statelog::expiry(config_.step(step), since);
    questions_.emplace(task, Question{since, end});
    if (!end) return;
    ends_.emplace(*end, task);
    if (ends_.begin()->second == task) set_timer();
}

void Questions::remove(TaskId task) {
    auto question = questions_.extract(task);
    if (!question || !question.mapped().end) return;
    ends_.erase({*question.mapped().end, task});
    set_timer();
}

void Questions::stop_clock() {
    ends_.clear();
    set_timer();
}

std::optional<Questions::Time> Questions::since(TaskId task) const {
    auto found = questions_.find(task);
    return found == questions_.end() ? std::nullopt : std::optional(found->second.since);
}

void Questions::set_timer() {
    timer_.cancel();
    if (ends_.empty()) return;
    auto left = std::chrono::milliseconds(ends_.begin()->first - statelog::now());
    timer_.expires_after(std::clamp(left, std::chrono::milliseconds(0), longest_wait));
    timer_.async_wait([this, alive = std::weak_ptr<void>(alive_)](boost::system::error_code ec) {
        if (!ec && !alive.expired()) expire();
    });
}

void Questions::expire() {
    Time now = statelog::now();
    while (!ends_.empty() && ends_.begin()->first <= now) {
        TaskId task = ends_.begin()->second;
        on_expired_(task);
        remove(task);
    }
    set_timer();
}

}  // namespace runner
