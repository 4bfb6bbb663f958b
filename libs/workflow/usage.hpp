// What agents have used by their reports, in sums, so that the reports need not be kept. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_report.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace workflow {

struct Usage {
    std::uint64_t reports = 0;  // attempts whose agents have reported
    std::uint64_t repairs = 0;
    std::uint64_t turns = 0;
    std::uint64_t input_tokens = 0;
    std::uint64_t cached_tokens = 0;  // of `input_tokens`
    std::uint64_t output_tokens = 0;
    std::uint64_t priced = 0;     // reports with a price
    double usd = 0;               // of those
    std::string price_list = {};  // the oldest one by which a price is an estimate, by its date

    Usage& operator+=(const Usage& other);
    friend bool operator==(const Usage&, const Usage&) = default;
};

Usage usage_of(const pool_protocol::AgentReport& report);

// What it has cost: "$0.31"; "about $0.31" if that is partly an estimate by a price list; "at least $0.31" if
// some reports have no price; "-" if none has.
std::string cost_text(const Usage& usage);

// The key of a row: which agents, at tasks of which step.
struct UsageKey {
    config::StepId step;
    std::string kind;   // of the agents' program; empty in the row for all others
    std::string model;  // empty if unknown

    friend auto operator<=>(const UsageKey&, const UsageKey&) = default;
};

// The sums of a run.
class UsageTable {
  public:
    // Kinds and models are given by agents, so there may be many. Reports that would need a further row are
    // counted in the row for all others of their step.
    static constexpr std::size_t max_rows = 1000;

    void add(config::StepId step, const pool_protocol::AgentReport& report);
    // Agents whose kind is not known count in the row for all others of the step.
    void add(config::StepId step, const pool_protocol::AgentActivity& used);
    void add(const UsageTable& other);

    bool empty() const { return rows_.empty(); }
    const std::map<UsageKey, Usage>& rows() const { return rows_; }
    Usage of(config::StepId step) const;
    Usage total() const;

    friend bool operator==(const UsageTable&, const UsageTable&) = default;

  private:
    std::map<UsageKey, Usage> rows_;
};

}  // namespace workflow
