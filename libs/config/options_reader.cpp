#include "config/options_reader.hpp"

#include "base/text.hpp"

#include <cmath>
#include <limits>

namespace config {

namespace {

constexpr std::int64_t longest_timeout_s = 1'000'000'000;

// A whole number of at least `least` that fits, or a problem.
std::optional<std::uint32_t> read_count(json::View value, std::string_view name, std::int64_t least,
                                        ProblemList& problems) {
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    auto number = value.integer();
    if (number && *number >= least && *number <= most) return static_cast<std::uint32_t>(*number);
    problems.add(value, base::concat("\"", name, "\" must be a whole number from ", least, " to ", most,
                                     ", not ", value.text()));
    return std::nullopt;
}

void read_timeout(json::View value, StepOptions& options, ProblemList& problems) {
    double seconds = value.number();
    if (!(seconds > 0 && seconds <= longest_timeout_s)) {
        problems.add(value, base::concat("\"timeout\" must be a number of seconds, more than 0 and at most ",
                                         longest_timeout_s, ", not ", value.text()));
        return;
    }
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
    options.timeout_text = value.text();
}

}  // namespace

StepOptions read_options(const FieldValues& fields, StepOptions inherited, ProblemList& problems) {
    StepOptions options = std::move(inherited);
    if (auto value = fields.find("timeout")) read_timeout(*value, options, problems);
    if (auto value = fields.find("max_retries")) {
        options.max_retries = read_count(*value, "max_retries", 0, problems).value_or(0);
    }
    if (auto value = fields.find("retry_on_timeout")) options.retry_on_timeout = value->boolean();
    if (auto value = fields.find("retry_on_invalid_response")) {
        options.retry_on_invalid_response = value->boolean();
    }
    return options;
}

std::optional<std::uint32_t> read_max_concurrency(const FieldValues& fields, ProblemList& problems) {
    auto value = fields.find("max_concurrency");
    return value ? read_count(*value, "max_concurrency", 1, problems) : std::nullopt;
}

}  // namespace config
