#include "pool_view/health.hpp"

#include "base/text.hpp"
#include "pool_protocol/unmatched.hpp"
#include "terminal/units.hpp"

#include <array>
#include <vector>

namespace pool_view {

namespace {

using pool_protocol::AgentStatus;
using pool_protocol::Status;
using std::chrono::milliseconds;

std::string_view name_of(Health health) {
    constexpr std::array<std::string_view, 4> names{"OK", "WARNING", "CRITICAL", "UNKNOWN"};
    return names.at(static_cast<std::size_t>(health));
}

milliseconds queue_age(const Status& status) {
    return status.queue.head ? status.time - status.queue.head->since : milliseconds(0);
}

std::string tasks_text(std::uint64_t count) {
    return base::concat(count, count == 1 ? " task waits" : " tasks wait");
}

std::vector<std::string> problems_of(const Status& status, std::optional<milliseconds> max_queue_age) {
    std::vector<std::string> problems;
    if (status.agents.empty()) problems.emplace_back("no agent is attached");
    if (status.draining) problems.emplace_back("it is draining");
    if (max_queue_age && queue_age(status) > *max_queue_age)
        problems.push_back(
            base::concat("the first task has waited for ", terminal::age_text(queue_age(status))));
    for (const auto& unmatched : status.queue.unmatched)
        if (!status.agents.empty())
            problems.push_back(
                base::concat(tasks_text(unmatched.length), " in vain: no agent has ",
                             pool_protocol::missing_text(unmatched.labels, unmatched.missing)));
    if (status.engine && !status.engine->is_connected)
        problems.emplace_back("it is not connected to its engine");
    return problems;
}

std::string summary(const Status& status) {
    std::string busy = base::concat(status.agents_in(AgentStatus::State::busy), " of ",
                                    base::counted(status.agents.size(), "agent"), " busy, ");
    return base::concat(status.agents.empty() ? "" : busy, tasks_text(status.queue.length));
}

// The figures have the form of the guidelines for plugins: name=value, with a unit.
std::string figures(const Status& status) {
    return base::concat(" | agents=", status.agents.size(),
                        " busy=", status.agents_in(AgentStatus::State::busy), " queue=", status.queue.length,
                        " queue_age=", queue_age(status).count() / 1000, "s");
}

}  // namespace

HealthReport health_of(const Status& status, std::optional<milliseconds> max_queue_age) {
    std::string text;
    for (const std::string& problem : problems_of(status, max_queue_age))
        text += base::concat(problem, "; ");
    Health health = text.empty() ? Health::ok : Health::warning;
    return {health, base::concat("TROUPE ", name_of(health), " - pool ", status.pool, ": ", text,
                                 summary(status), figures(status))};
}

HealthReport health_without_status(Health health, std::string_view reason) {
    return {health, base::concat("TROUPE ", name_of(health), " - ", reason)};
}

}  // namespace pool_view
