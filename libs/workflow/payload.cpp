#include "workflow/payload.hpp"

#include "base/json.hpp"
#include "base/text.hpp"

namespace workflow {

std::string command_input(const config::Step& step, std::string_view value) {
    return base::concat(R"({"kind":)", json::quote(step.name), R"(,"value":)", value, "}");
}

// In one piece: values may be large, and each string that grows holds two of them for a moment.
std::string pool_payload(const config::Step& step, std::string_view value) {
    std::string timeout =
        step.options.timeout ? base::concat(R"(,"timeout_seconds":)", step.options.timeout_text) : "";
    return base::concat(R"({"task":{"kind":)", json::quote(step.name), R"(,"value":)", value,
                        R"(},"instructions":)", json::quote(step.pool_instructions), timeout, "}");
}

}  // namespace workflow
