#include "config/options_reader.hpp"

#include "base/text.hpp"

#include <chrono>
#include <limits>

namespace config {

namespace {

using Seconds = std::chrono::duration<double>;

struct Between {
    double least;
    double most;
};

constexpr std::int64_t longest_span_s = 1'000'000'000;
constexpr double largest_factor = 1'000'000;

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

// A span of time, or a problem.
std::optional<Seconds> read_seconds(json::View value, std::string_view name, ProblemList& problems) {
    double seconds = value.number();
    if (seconds > 0 && seconds <= longest_span_s) return Seconds(seconds);
    problems.add(value, base::concat("\"", name, "\" must be a number of seconds, more than 0 and at most ",
                                     longest_span_s, ", not ", value.text()));
    return std::nullopt;
}

// The field as a number between the two, or `absent`; anything else is a problem.
double read_between(const FieldValues& fields, std::string_view name, Between range, double absent,
                    ProblemList& problems) {
    auto value = fields.find(name);
    if (!value) return absent;
    double number = value->number();
    if (number >= range.least && number <= range.most) return number;
    problems.add(*value,
                 base::concat("\"", name, "\" must be a number from ", static_cast<std::int64_t>(range.least),
                              " to ", static_cast<std::int64_t>(range.most), ", not ", value->text()));
    return absent;
}

void read_timeout(json::View value, StepOptions& options, ProblemList& problems) {
    auto seconds = read_seconds(value, "timeout", problems);
    if (!seconds) return;
    options.timeout = std::chrono::ceil<std::chrono::milliseconds>(*seconds);
    options.timeout_text = value.text();
}

RetryBackoff read_retry_backoff(json::View value, ProblemList& problems) {
    FieldValues fields = FieldValues::read(value, retry_backoff_type, problems);
    RetryBackoff backoff;
    auto initial = fields.find("initial");
    if (initial) backoff.initial = read_seconds(*initial, "initial", problems).value_or(backoff.initial);
    backoff.factor = read_between(fields, "factor", {1, largest_factor}, backoff.factor, problems);
    backoff.jitter = read_between(fields, "jitter", {0, 1}, backoff.jitter, problems);
    auto max = fields.find("max");
    if (!max) return backoff;
    backoff.max = read_seconds(*max, "max", problems);
    if (backoff.max && *backoff.max < backoff.initial)
        problems.add(*max, base::concat("\"max\" must be at least as long as \"initial\", ", initial->text(),
                                        ", not ", max->text()));
    return backoff;
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
    if (auto value = fields.find("retry_backoff")) {
        options.retry_backoff = read_retry_backoff(*value, problems);
    }
    return options;
}

bool allows_retries(json::View options, bool inherited) {
    auto value = options.find("max_retries");
    if (!value) return inherited;
    return !value->is(json::Kind::number) || value->integer() != 0;
}

std::optional<std::uint32_t> read_max_concurrency(const FieldValues& fields, ProblemList& problems) {
    auto value = fields.find("max_concurrency");
    return value ? read_count(*value, "max_concurrency", 1, problems) : std::nullopt;
}

}  // namespace config
