// What happens in a history, as lines for a person.
#pragma once

#include "agenda.hpp"
#include "edge/agent_side.hpp"
#include "edge/submitter_side.hpp"

#include <string>

namespace hosts {

std::string describe(const edge::Entry& entry);
std::string describe(const edge::agent_side::Event& event);
std::string describe(const edge::agent_side::Action& action);
std::string describe(const edge::submitter_side::Event& event);
std::string describe(const edge::submitter_side::Action& action);

void print(Time now, const std::string& who, const std::string& what);

}  // namespace hosts
