#include "serve/questions.hpp"

#include "base/text.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <variant>

namespace serve {

namespace {

using config::Step;
using statelog::Time;
using trace::Row;

bool is_asked(const trace::Trace& trace, const trace::Attempt& attempt) {
    return attempt.completion == trace::absent && !attempt.is_finally && attempt.next == trace::absent &&
           trace.config()->steps[attempt.step].is_human();
}

// A task that was copied from the log of an earlier run waits since this one began.
Time since_of(const trace::Trace& trace, const trace::Attempt& attempt) {
    Time begun = trace.header().time.value_or(Time());
    if (std::isnan(attempt.submitted)) return begun;
    return std::max(begun, Time(std::chrono::milliseconds(static_cast<std::int64_t>(attempt.submitted))));
}

std::string next_json(const config::WorkflowConfig& config, const Step& step) {
    std::string text;
    for (config::StepId id : step.next) {
        const Step& next = config.step(id);
        text +=
            base::concat(text.empty() ? "" : ",", "{\"name\":", json::quote(next.name), ",\"value_schema\":",
                         next.value_schema ? std::string_view(next.value_schema->text()) : "null", "}");
    }
    return base::concat("[", text, "]");
}

}  // namespace

std::vector<Row> asked_rows(const trace::Trace& trace, std::size_t most) {
    std::vector<Row> rows;
    for (std::size_t step = 0; step < trace.tallies().size(); ++step)
        if (trace.config()->steps[step].is_human() && trace.tallies()[step].tasks.open() > 0) {
            for (Row row = 0; row < trace.position().rows && rows.size() < most; ++row)
                if (is_asked(trace, trace.attempt(row))) rows.push_back(row);
            break;
        }
    return rows;
}

base::Result<std::string> question_json(const trace::Trace& trace, const trace::ReadLine& read_line, Row row,
                                        std::string_view run_id, std::string_view run_name, Time now) {
    const config::WorkflowConfig& config = *trace.config();
    trace::Attempt attempt = trace.attempt(row);
    const Step& step = config.steps[attempt.step];
    Time since = since_of(trace, attempt);
    auto wait = config::expires_after(step);
    auto end = wait ? std::optional(since + *wait) : std::nullopt;
    if (end && *end <= now) return std::string();
    auto line = read_line(attempt.offset);
    if (!line) return line.error();
    auto record = statelog::read_record(config, *line);
    if (!record) return record.error();
    const auto* submitted = std::get_if<workflow::TaskSubmitted>(&record->entry);
    if (submitted == nullptr) return base::invalid("the log was changed while it was read");
    return base::concat("{\"run\":", json::quote(run_id), ",\"run_name\":", json::quote(run_name),
                        ",\"task\":", attempt.id, ",\"row\":", row, ",\"step\":", json::quote(step.name),
                        ",\"since\":", since.time_since_epoch().count(),
                        ",\"expires\":", end ? std::to_string(end->time_since_epoch().count()) : "null",
                        ",\"value\":", json::quote(*submitted->value),
                        ",\"instructions\":", json::quote(config::instructions_of(step)),
                        ",\"next\":", next_json(config, step), ",\"answerable\":true}");
}

}  // namespace serve
