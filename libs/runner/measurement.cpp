#include "runner/measurement.hpp"

#include <algorithm>

namespace runner {

using std::chrono::milliseconds;

void Measurement::add_script(workflow::Phase phase, Duration time, const process::ChildUse& use) {
    auto& measured = phase == workflow::Phase::pre    ? sum_.pre
                     : phase == workflow::Phase::post ? sum_.post
                                                      : sum_.action;
    measured = std::chrono::round<milliseconds>(time);
    cpu_ += use.cpu;
    sum_.peak_memory = std::max(sum_.peak_memory, use.peak_memory);  // nothing is less than any number
    has_run_script_ = true;
}

void Measurement::add_pool(Duration time) {
    sum_.action = std::chrono::round<milliseconds>(time);
}

std::shared_ptr<const workflow::Measured> Measurement::result() const {
    if (!has_run_script_) return nullptr;
    workflow::Measured measured = sum_;
    measured.cpu = std::chrono::round<milliseconds>(cpu_);
    return std::make_shared<const workflow::Measured>(measured);
}

}  // namespace runner
