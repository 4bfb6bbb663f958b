// What `barnum mcp` offers: its tools, prompts and templates of resources, with their texts. Pure.
#pragma once

#include "mcp/offer.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace run_tools {

inline constexpr std::string_view mcp_schema_uri = "barnum://config-schema";
inline constexpr std::string_view mcp_reference_uri = "barnum://config-reference";
inline constexpr std::string_view mcp_example_prefix = "barnum://examples/";
inline constexpr std::string_view mcp_drawing_prefix = "barnum://drawings/";
inline constexpr std::string_view mcp_run_prefix = "barnum://runs/";
inline constexpr std::string_view mcp_task_part = "/tasks/";

// The states of a run, and of a task, as tools name them.
inline constexpr std::array<std::string_view, 9> mcp_run_states{
    "running", "paused", "finished", "failed", "waiting", "interrupted", "lost", "resumed", "damaged"};
inline constexpr std::array<std::string_view, 5> mcp_task_states{"waiting", "running", "human", "done",
                                                                 "dropped"};
inline constexpr std::array<std::string_view, 2> mcp_streams{"stdout", "stderr"};

// `allowed`: the directories below which configs may be used. The offer has no `is_subscribable`, which
// depends on the runs that there are.
mcp::Offer mcp_offer(const std::vector<std::string>& allowed, bool allows_answers);

// The tools for configs, and those for runs.
std::vector<mcp::Tool> mcp_workflow_tools();
std::vector<mcp::Tool> mcp_run_tools(bool allows_answers);

// The JSON Schema of an object, as texts: `kinds` are JSON strings with commas between them, `more` further
// properties, each with a comma before it.
std::string mcp_result_schema(std::string_view kinds, std::string_view more = {});

// The choices as a JSON array of strings, for a schema.
std::string mcp_enum(std::span<const std::string_view> choices);

// The texts of the prompts.
std::string write_workflow_prompt(std::string_view goal);
std::string explain_failure_prompt(std::string_view run);

}  // namespace run_tools
