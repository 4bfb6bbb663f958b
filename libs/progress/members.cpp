#include "progress/members.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <cstdio>

namespace progress {

namespace {

std::string members_of(const Amounts& amounts) {
    char usd[400] = "null";
    if (amounts.usd) std::snprintf(usd, sizeof usd, "%.6f", *amounts.usd);
    return base::concat(R"("input_tokens":)", amounts.input_tokens, R"(,"cached_tokens":)",
                        amounts.cached_tokens, R"(,"output_tokens":)", amounts.output_tokens, R"(,"usd":)",
                        usd);
}

std::string text_or_null(std::string_view text) {
    return text.empty() ? "null" : json::quote(text);
}

}  // namespace

std::string members_of(const Counts& counts) {
    return base::concat(R"("waiting":)", counts.waiting, R"(,"running":)", counts.running, R"(,"at_pool":)",
                        counts.at_pool, R"(,"waiting_for_human":)", counts.asked, R"(,"done":)", counts.done,
                        R"(,"dropped":)", counts.dropped, R"(,"retried":)", counts.retried);
}

std::string json_of(const Counts& counts) {
    return base::concat("{", members_of(counts), "}");
}

std::string json_of(const Agents& agents) {
    return base::concat(R"({"idle":)", agents.idle, R"(,"busy":)", agents.busy, R"(,"resting":)",
                        agents.resting, R"(,"parked":)", agents.parked, R"(,"parked_until":)",
                        agents.parked > 0 ? std::to_string(agents.parked_until.count()) : "null", "}");
}

std::string json_of(const Spending& spending, const Model& model) {
    std::string rows;
    for (const AgentUsage& row : spending.rows)
        rows += base::concat(rows.empty() ? "" : ",", R"({"step":)",
                             json::quote(model.steps()[row.step].name), R"(,"kind":)", text_or_null(row.kind),
                             R"(,"model":)", text_or_null(row.model), ",", members_of(row.amounts), "}");
    return base::concat("{", members_of(spending.total), R"(,"rows":[)", rows, "]}");
}

}  // namespace progress
