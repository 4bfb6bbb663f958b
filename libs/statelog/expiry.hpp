// When a question that waits for a person expires. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "statelog/record.hpp"

#include <optional>

namespace statelog {

// When the question of that step expires; empty: never.
std::optional<Time> expiry(const config::Step& step, Time since);

}  // namespace statelog
