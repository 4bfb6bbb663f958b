#include "runner/questions.hpp"

#include <algorithm>
#include <chrono>

namespace runner {

using workflow::TaskId;

namespace {

// The wall clock may be set: it is looked at again after this time.
constexpr std::chrono::milliseconds longest_wait = std::chrono::minutes(1);

}  // namespace

std::optional<statelog::Time> expiry(const config::Step& step, statelog::Time since) {
    const auto* human = std::get_if<config::HumanAction>(&step.action);
    if (!human || !human->expires) return std::nullopt;
    return since + *human->expires;
}

Questions::Questions(const boost::asio::any_io_executor& executor, const config::WorkflowConfig& config,
                     std::function<void(TaskId)> on_expired)
    : config_(config), timer_(executor), on_expired_(std::move(on_expired)) {}

void Questions::add(TaskId task, config::StepId step, Time since) {
    since_.emplace(task, since);
    auto end = expiry(config_.step(step), since);
    if (!end) return;
    end_of_.emplace(task, *end);
    ends_.emplace(*end, task);
    if (ends_.begin()->second == task) set_timer();
}

void Questions::remove(TaskId task) {
    since_.erase(task);
    auto end = end_of_.extract(task);
    if (!end) return;
    ends_.erase({end.mapped(), task});
    set_timer();
}

void Questions::stop_clock() {
    ends_.clear();
    end_of_.clear();
    set_timer();
}

std::optional<Questions::Time> Questions::since(TaskId task) const {
    auto found = since_.find(task);
    return found == since_.end() ? std::nullopt : std::optional(found->second);
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
