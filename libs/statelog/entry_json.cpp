#include "statelog/entry_json.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "statelog/record.hpp"

#include <charconv>
#include <optional>
#include <string_view>

namespace statelog {

namespace {

std::string number(std::optional<int> value) {
    return value ? std::to_string(*value) : "null";
}

std::string number(std::optional<std::chrono::milliseconds> duration) {
    return duration ? std::to_string(duration->count()) : "null";
}

std::string text_or_null(const std::string& text) {
    return text.empty() ? "null" : json::quote(text);
}

std::string dollars(double amount) {
    char digits[32];
    auto end = std::to_chars(digits, digits + sizeof digits, amount).ptr;
    return {digits, end};
}

}  // namespace

std::string failure_members(const workflow::Failure& failure) {
    return base::concat(
        "\"reason\":\"", reason_name(failure.kind), "\",\"exit_code\":", number(failure.exit_code),
        ",\"signal\":", number(failure.signal), ",\"hook\":", text_or_null(failure.hook),
        ",\"message\":", json::quote(failure.message), ",\"name\":", text_or_null(failure.name),
        ",\"permanent\":", failure.is_permanent ? "true" : "false");
}

std::string measured_members(const workflow::Measured& measured) {
    return base::concat("\"pre_ms\":", number(measured.pre), ",\"action_ms\":", number(measured.action),
                        ",\"post_ms\":", number(measured.post), ",\"cpu_ms\":", measured.cpu.count());
}

std::string usage_json(const workflow::UsageTable& usage, const config::WorkflowConfig& config) {
    std::string text = "[";
    for (const auto& [key, sum] : usage.rows())
        text += base::concat(
            text.size() > 1 ? "," : "", "\n{\"step\":", json::quote(config.step(key.step).name),
            ",\"kind\":", text_or_null(key.kind), ",\"model\":", text_or_null(key.model),
            ",\"reports\":", sum.reports, ",\"repairs\":", sum.repairs, ",\"turns\":", sum.turns,
            ",\"input_tokens\":", sum.input_tokens, ",\"cached_tokens\":", sum.cached_tokens,
            ",\"output_tokens\":", sum.output_tokens, ",\"priced\":", sum.priced,
            ",\"usd\":", dollars(sum.usd),
            sum.price_list.empty() ? "" : base::concat(",\"price_list\":", json::quote(sum.price_list)), "}");
    return text + "]";
}

}  // namespace statelog
