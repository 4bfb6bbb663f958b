// What an agent tells of its work on one task: the program, the model, and what the task has used. An
// addition to the protocol (docs/troupe-protocol.md, "Reports"). Pure.
#pragma once

#include "json/json.hpp"
#include "pool_protocol/agent_activity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

struct AgentReport {
    static constexpr std::size_t max_text = 200;   // of each text but paths, in bytes
    static constexpr std::size_t max_path = 1024;  // bytes

    std::string kind = {};            // of the agent's program: "claude"; not empty
    std::string model = {};           // empty if unknown
    std::string session = {};         // the program's own id of the conversation; may be empty
    int repairs = 0;                  // answers that were sent back
    int turns = 0;                    // requests to the model
    std::uint64_t input_tokens = 0;   // including the cached ones
    std::uint64_t cached_tokens = 0;  // those of `input_tokens` that came from the provider's cache
    std::uint64_t output_tokens = 0;
    std::optional<double> usd = {};  // if the price is known; finite, never negative
    std::string price_list = {};     // the date of the public price list by which `usd` is an estimate
    std::string refused = {};        // what the model was not let do, and by whom: "Write a.txt (claude)"
    std::string transcript = {};     // the absolute path of its file; empty if there is none
    // How many agents have had the task one after the other: the numbers are their sums, the texts those of
    // the last one.
    int agents = 1;
    // When the work has begun that the numbers are about, Unix time in ms; 0 if it is not known.
    std::uint64_t since = 0;

    friend bool operator==(const AgentReport&, const AgentReport&) = default;
};

// A longer text is not read as a report.
inline constexpr std::size_t longest_report = 16 * 1024;  // bytes

// One object on one line. Texts are cut to `max_text`, and numbers to what parse_report() accepts; a path
// that is longer than `max_path` is left out.
std::string to_json(const AgentReport& report);

// The numbers of the report, as an activity without a text.
AgentActivity used_in(const AgentReport& report);
// A report with these numbers.
AgentReport report_of(const AgentActivity& used);

// Adds the numbers of the agents that had the task before.
void add_earlier(AgentReport& report, const AgentReport& earlier);

// Nothing if `value` is not an object with a `kind`, if a member has the wrong type, or if a text or a number
// is too large. Unknown members are ignored.
std::optional<AgentReport> parse_report(json::View value);
// As parse_report() of a view; also nothing if `text` is not JSON or longer than `longest_report`.
std::optional<AgentReport> parse_report(std::string_view text);

}  // namespace pool_protocol
