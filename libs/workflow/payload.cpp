#include "workflow/payload.hpp"

#include "base/json.hpp"
#include "base/text.hpp"

namespace workflow {

std::string command_input(const config::Step& step, std::string_view value) {
    return base::concat(R"({"kind":)", json::quote(step.name), R"(,"value":)", value, "}");
}

std::string pool_payload(const config::Step& step, std::string_view value) {
    std::string payload = base::concat(R"({"task":)", command_input(step, value), R"(,"instructions":)",
                                       json::quote(step.pool_instructions));
    if (step.options.timeout) payload += base::concat(R"(,"timeout_seconds":)", step.options.timeout_text);
    payload.push_back('}');
    return payload;
}

}  // namespace workflow
