// A run's state as text, the same for states that are the same.
#pragma once

#include "workflow/state.hpp"

#include <string>

namespace fuzz {

std::string text_of(const workflow::State& state);

}  // namespace fuzz
