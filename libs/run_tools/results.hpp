// The results of the tools of `barnum mcp`, as JSON that is short enough for every client. Pure.
#pragma once

#include "config/load.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace run_tools {

// The bytes of a result that are for what may be long in it.
inline constexpr std::size_t mcp_room = 36'000;

// A member with a comma before it; nothing if the text is empty.
std::string mcp_member(std::string_view name, std::string_view text);

// The elements of a JSON array, as far as they fit into the room; `left_out` counts the others.
struct FittedList {
    std::string elements = {};  // with commas between them
    std::size_t left_out = 0;
};
FittedList fitted(const std::vector<std::string>& elements, std::size_t room);

// {"kind":"Invalid","mistakes":[…],"left_out":N}
std::string invalid_result(const config::Problems& problems);
// {"kind":"Valid","warnings":[…],…,"transitions":…}
std::string valid_result(const config::Problems& warnings, std::string_view transitions);

// Members of an object, without the braces: what a model needs to know of a run.
std::string run_members(const runs::FoundRun& run, runs::RunState state);
// Whether only tasks that wait for a person are left. A record is some seconds old.
bool waits_for_people(const runs::RunRecord& record);

}  // namespace run_tools
