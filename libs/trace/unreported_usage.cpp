#include "trace/unreported_usage.hpp"

namespace trace {

void UnreportedUsage::noted(std::uint64_t attempt, config::StepId step, const workflow::AttemptUsage& used) {
    running_[attempt] = {step, used};
    ++version_;
}

void UnreportedUsage::ended(std::uint64_t attempt, bool has_report) {
    auto known = running_.extract(attempt);
    if (known.empty()) return;
    ++version_;
    if (!has_report) ended_.add(known.mapped().step, known.mapped().used);
}

workflow::UsageTable UnreportedUsage::table() const {
    workflow::UsageTable all = ended_;
    for (const auto& [attempt, noted] : running_)
        all.add(noted.step, noted.used);
    return all;
}

}  // namespace trace
