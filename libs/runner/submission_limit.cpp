#include "runner/submission_limit.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace runner {

SubmissionLimit::SubmissionLimit(const boost::asio::any_io_executor& executor,
                                 const config::WorkflowConfig& config, const std::vector<std::size_t>& agents)
    : by_step_(config.steps.size()) {
    for (const config::Step& step : config.steps)
        priorities_.push_back(step.options.priority);
    for (std::size_t i = 0; i < agents.size(); ++i) {
        const base::Labels* labels = config::labels_of(config.steps[i]);
        if (labels == nullptr) continue;
        auto& jobs = by_labels_[*labels];
        if (!jobs) jobs = std::make_unique<Jobs>(executor, std::max<std::size_t>(1, agents[i]), [] {});
        by_step_[i] = jobs.get();
    }
}

void SubmissionLimit::set_agents(const std::vector<std::size_t>& agents) {
    for (std::size_t i = 0; i < by_step_.size(); ++i)
        if (by_step_[i] != nullptr) by_step_[i]->set_limit(std::max<std::size_t>(1, agents[i]));
}

boost::asio::awaitable<Job> SubmissionLimit::acquire(config::StepId step) {
    Jobs* jobs = by_step_[step.value];
    if (jobs == nullptr) co_return Job();
    co_return co_await jobs->acquire(priorities_[step.value]);
}

}  // namespace runner
