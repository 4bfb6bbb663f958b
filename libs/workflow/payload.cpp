#include "workflow/payload.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <utility>

namespace workflow {

base::SplicedText command_input(const config::Step& step, Value value) {
    return {base::concat(R"({"kind":)", json::quote(step.name), R"(,"value":)"), std::move(value), "}"};
}

base::SplicedText pool_payload(const config::Step& step, Value value, const PreviousAttempts& previous,
                               std::string_view images) {
    std::string instructions = step.pool_instructions;
    std::string rest =
        step.options.timeout ? base::concat(R"(,"timeout_seconds":)", step.options.timeout_text) : "";
    if (!images.empty()) rest += base::concat(R"(,"images":)", images);
    if (previous) {
        instructions += feedback_section(*previous);
        rest += base::concat(R"(,"previous_attempts":)", to_json(*previous));
    }
    return {base::concat(R"({"task":{"kind":)", json::quote(step.name), R"(,"value":)"), std::move(value),
            base::concat(R"(},"instructions":)", json::quote(instructions), rest, "}")};
}

}  // namespace workflow
