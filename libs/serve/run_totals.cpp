#include "serve/run_totals.hpp"

#include <array>
#include <string_view>

namespace serve {

namespace {

constexpr std::array<std::string_view, 5> outcome_names{"succeeded", "retried", "dropped", "reused",
                                                        "not_started"};

// The place of the key; of the key for all others if there is no room.
template<class Map>
auto& place_of(Map& map, const typename Map::key_type& key, std::size_t most,
               const typename Map::key_type& other) {
    auto found = map.find(key);
    if (found != map.end()) return found->second;
    return map[map.size() < most ? key : other];
}

}  // namespace

void RunTotals::begin(const std::string& step) {
    auto& outcomes = place_of(attempts_, step, most_steps, other_name);
    for (std::size_t i = 0; i < outcome_names.size(); ++i)
        outcomes.try_emplace(static_cast<AttemptOutcome>(i));
}

void RunTotals::add(const std::string& step, AttemptOutcome outcome) {
    ++place_of(attempts_, step, most_steps, other_name)[outcome];
}

void RunTotals::add(const pool_protocol::AgentReport& report) {
    Tokens& tokens = place_of(tokens_, {report.kind, report.model}, most_models, {other_name, ""});
    tokens.input += report.input_tokens;
    tokens.output += report.output_tokens;
    if (report.usd) usd_ += *report.usd;
}

void RunTotals::write(metrics::Exposition& out) const {
    out.counter(
        "barnum_task_attempts",
        "Attempts at tasks that have ended since this server began, and tasks that were reused or past "
        "a bound.");
    for (const auto& [step, outcomes] : attempts_)
        for (const auto& [outcome, count] : outcomes)
            out.add({{"step", step}, {"outcome", outcome_names.at(static_cast<std::size_t>(outcome))}},
                    count);
    out.counter("barnum_tokens", "Tokens that agents have reported since this server began.");
    for (const auto& [key, tokens] : tokens_) {
        out.add({{"kind", key.first}, {"model", key.second}, {"direction", "input"}}, tokens.input);
        out.add({{"kind", key.first}, {"model", key.second}, {"direction", "output"}}, tokens.output);
    }
    out.counter("barnum_cost_usd",
                "What agents have cost since this server began, as far as they report it.");
    out.add({}, usd_);
}

}  // namespace serve
