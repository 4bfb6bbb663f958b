#include "config/options_reader.hpp"

#include "base/text.hpp"
#include "config/list_reader.hpp"

#include <chrono>
#include <utility>

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
    if (auto value = fields.find("retry_feedback")) options.retry_feedback = value->boolean();
    if (auto value = fields.find("lenient_response")) options.lenient_response = value->boolean();
    if (auto value = fields.find("max_response_bytes")) options.max_response_bytes = count(*value);
    if (auto value = fields.find("max_tasks_per_response")) options.max_tasks_per_response = count(*value);
    return options;
}

void read_order(const FieldValues& fields, StepOptions& options, ProblemList& problems) {
    options.max_concurrency = read_max_concurrency(fields);
    if (auto value = fields.find("priority")) options.priority = static_cast<std::int32_t>(*value->integer());
    if (auto value = fields.find("serial_key"))
        options.serial_key = read_place(*value, "\"serial_key\"", problems);
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

std::optional<BudgetLimits> read_budget(const FieldValues& fields, ProblemList& problems) {
    auto value = fields.find("budget");
    if (!value) return std::nullopt;
    FieldValues limits = FieldValues::read(*value, budget_type, problems);
    BudgetLimits budget;
    if (auto usd = limits.find("usd")) budget.usd = usd->number();
    if (auto tokens = limits.find("tokens")) budget.tokens = static_cast<std::uint64_t>(*tokens->integer());
    if (auto part = limits.find("warn_at")) budget.warn_at = part->number();
    // A limit that is present but unusable has been reported.
    if (!value->find("usd") && !value->find("tokens"))
        problems.add(*value, "a budget needs \"usd\", \"tokens\" or both");
    return budget;
}

Bounds read_bounds(const FieldValues& fields) {
    Bounds bounds;
    if (auto value = fields.find("max_tasks")) bounds.max_tasks = count(*value);
    if (auto value = fields.find("max_depth")) bounds.max_depth = count(*value);
    if (auto value = fields.find("max_run_seconds")) bounds.max_run_seconds = seconds(*value);
    return bounds;
}

}  // namespace config
