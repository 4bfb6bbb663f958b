#include "launch/reuse_plan.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "statelog/replay.hpp"

#include <utility>

namespace launch {

void TakenResults::add(const workflow::Entry& entry) {
    const auto* completed = std::get_if<workflow::TaskCompleted>(&entry);
    if (completed && completed->reused) tasks_.push_back(completed->reused->task);
}

std::variant<ReusePlan, Refusal> plan_reuse(const RunOptions& options,
                                            std::shared_ptr<const config::WorkflowConfig> config) {
    statelog::Reuses source{options.reused_run, *options.reuse};
    auto run = reuse::ReusedRun::read(std::move(source), std::move(config));
    if (!run)
        return Refusal{
            statelog::is_damage(run.error()) ? Refusal::Kind::io_error : Refusal::Kind::wrong_usage,
            base::concat("--reuse: ", run.error().message)};
    auto shared = std::make_shared<reuse::ReusedRun>(std::move(*run));
    return ReusePlan{shared->source(), shared};
}

std::optional<ReusePlan> reuse_again(const std::optional<statelog::Reuses>& source,
                                     std::shared_ptr<const config::WorkflowConfig> config,
                                     const TakenResults& taken) {
    if (!source) return std::nullopt;
    auto run = reuse::ReusedRun::read(*source, std::move(config));
    if (!run) {
        io::log::warn("no more results of run ", source->run_id, " are reused: ", run.error().message);
        return ReusePlan{*source, nullptr};
    }
    run->mark_taken(taken.tasks());
    return ReusePlan{*source, std::make_shared<reuse::ReusedRun>(std::move(*run))};
}

}  // namespace launch
