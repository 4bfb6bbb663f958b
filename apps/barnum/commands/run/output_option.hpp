// How much of its commands' output a run keeps: the value of --keep-output. Pure.
#pragma once

#include "launch/keep_output.hpp"

#include <optional>
#include <string_view>

namespace barnum {

inline constexpr const char* default_keep_output = "256K";

// A number of bytes, which may end with K, M or G (1024, 1024² and 1024³ bytes); "all" or "none". Nothing if
// it is none of these.
std::optional<launch::KeepOutput> parse_keep_output(std::string_view text);

}  // namespace barnum
