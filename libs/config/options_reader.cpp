#include "config/options_reader.hpp"

#include "base/text.hpp"

#include <chrono>

namespace config {

namespace {

using Seconds = std::chrono::duration<double>;

Seconds seconds(json::View value) {
    return Seconds(value.number());
}

// The field's range has been checked to fit.
std::uint32_t count(json::View value) {
    return static_cast<std::uint32_t>(*value.integer());
}

RetryBackoff read_retry_backoff(json::View value, ProblemList& problems) {
    FieldValues fields = FieldValues::read(value, retry_backoff_type, problems);
    RetryBackoff backoff;
    auto initial = fields.find("initial");
    if (initial) backoff.initial = seconds(*initial);
    if (auto factor = fields.find("factor")) backoff.factor = factor->number();
    if (auto jitter = fields.find("jitter")) backoff.jitter = jitter->number();
    auto max = fields.find("max");
    if (!max) return backoff;
    backoff.max = seconds(*max);
    if (initial && *backoff.max < backoff.initial)
        problems.add(*max, base::concat("\"max\" must be at least as long as \"initial\", ", initial->text(),
                                        ", not ", max->text()));
    return backoff;
}

}  // namespace

StepOptions read_options(const FieldValues& fields, StepOptions inherited, ProblemList& problems) {
    StepOptions options = std::move(inherited);
    if (auto value = fields.find("timeout")) {
        options.timeout = std::chrono::ceil<std::chrono::milliseconds>(seconds(*value));
        options.timeout_text = value->text();
    }
    if (auto value = fields.find("max_retries")) options.max_retries = count(*value);
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

std::optional<std::uint32_t> read_max_concurrency(const FieldValues& fields) {
    auto value = fields.find("max_concurrency");
    return value ? std::optional(count(*value)) : std::nullopt;
}

}  // namespace config
