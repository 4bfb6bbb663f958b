// What the agents of a run have used by their reports, and its sums by step, kind of agent and model. Pure.
#pragma once

#include "progress/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace progress {

struct Amounts {
    std::uint64_t tokens() const { return input_tokens + output_tokens; }
    Amounts& operator+=(const Amounts& other);

    std::uint64_t input_tokens = 0;   // including the cached ones
    std::uint64_t cached_tokens = 0;  // of `input_tokens`
    std::uint64_t output_tokens = 0;
    std::optional<double> usd = {};  // of the reports with a price; none if no report has one
    bool lacks_prices = false;       // a report has no price
    bool is_estimate = false;        // a price is that of a public list
};

// What one kind of agent with one model has used at the tasks of one step.
struct AgentUsage {
    std::size_t step = 0;  // of the Model
    std::string kind;      // of the agents' program; empty: all others
    std::string model;     // empty if unknown
    Amounts amounts;
};

struct Spending {
    Amounts total;
    std::string text;              // for people: "spent $12.30 of $25.00"
    std::vector<AgentUsage> rows;  // one for each step, kind and model
};

// The sums of all steps.
std::vector<Amounts> by_step(const Spending& spending, const std::vector<Step>& steps);

// The largest three, by price, then by tokens, and how many others there are:
// "by agent: claude $1.27 (83k tokens), codex $0.21 (43k tokens), gemini 2.1k tokens and 2 more". Empty if
// there is only one.
std::string by_step_text(const Spending& spending, const std::vector<Step>& steps);
std::string by_agent_text(const Spending& spending);
std::string by_model_text(const Spending& spending);

// "812", "8.3k", "83k", "1.2M"
std::string tokens_text(std::uint64_t tokens);
// "$1.27"; "~$1.27" if that is an estimate; "≥$1.27" if some reports have no price; empty if none has one.
std::string cost_text(const Amounts& amounts);

}  // namespace progress
