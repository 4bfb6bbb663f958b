#include "workflow/payload.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <utility>

namespace workflow {

base::SplicedText command_input(const config::Step& step, Value value) {
    return {base::concat(R"({"kind":)", json::quote(step.name), R"(,"value":)"), std::move(value), "}"};
}

base::SplicedText pool_payload(const config::Step& step, Value value) {
    std::string timeout =
        step.options.timeout ? base::concat(R"(,"timeout_seconds":)", step.options.timeout_text) : "";
    return {base::concat(R"({"task":{"kind":)", json::quote(step.name), R"(,"value":)"), std::move(value),
            base::concat(R"(},"instructions":)", json::quote(step.pool_instructions), timeout, "}")};
}

}  // namespace workflow
