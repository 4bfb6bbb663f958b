// What the tasks of all runs have done since `barnum serve` began, in sums that never go down. Their number
// is bounded, whatever names there are. Pure.
#pragma once

#include "metrics/exposition.hpp"
#include "pool_protocol/agent_report.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace serve {

// How an attempt ended, or that none was made.
enum class AttemptOutcome { succeeded, retried, dropped, reused, not_started };

class RunTotals {
  public:
    // Names beyond these are counted together, under `other_name`.
    static constexpr std::size_t most_steps = 500;
    static constexpr std::size_t most_models = 100;  // with the kinds of their agents
    static constexpr const char* other_name = "(other)";

    // `step`: "Review", "Review (finally)".
    // Writes the step from now on, with 0 for what has not happened: Prometheus sees no increase in the first
    // value of a series.
    void begin(const std::string& step);
    void add(const std::string& step, AttemptOutcome outcome);
    void add(const pool_protocol::AgentReport& report);

    void write(metrics::Exposition& out) const;

  private:
    struct Tokens {
        std::uint64_t input = 0;
        std::uint64_t output = 0;
    };

    std::map<std::string, std::map<AttemptOutcome, std::uint64_t>> attempts_;  // by step
    std::map<std::pair<std::string, std::string>, Tokens> tokens_;             // by kind and model
    double usd_ = 0;
};

}  // namespace serve
