#include "workflow/persons_answer.hpp"

#include "base/text.hpp"
#include "config/response.hpp"

#include <utility>

namespace workflow {

base::Result<AttemptResult> result_of(const config::WorkflowConfig& config, const config::Step& step,
                                      const PersonsAnswer& answer) {
    if (answer.response) {
        auto tasks = config::parse_response(config, step, *answer.response);
        if (!tasks) return tasks.error();
        return AttemptResult(std::move(*tasks));
    }
    Failure failure;
    failure.kind = Failure::Kind::rejected;
    failure.message =
        base::concat("rejected by ", answer.user, answer.reason.empty() ? "" : ": ", answer.reason);
    return AttemptResult(std::move(failure));
}

Failure expired_failure() {
    Failure failure;
    failure.kind = Failure::Kind::expired;
    failure.message = "no person has answered in time";
    return failure;
}

}  // namespace workflow
