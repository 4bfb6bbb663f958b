// A fast 64-bit hash of a text. It is the same in every build and every process. Not cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

std::uint64_t digest(std::string_view text);

}  // namespace base
