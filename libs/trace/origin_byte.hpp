// An attempt's origin, and whether it is of a `finally`, in one byte. Internal to the trace.
#pragma once

#include "trace/trace.hpp"

namespace trace {

inline constexpr std::uint8_t of_finally = 0x80;

inline std::uint8_t origin_byte(Origin origin, bool is_finally) {
    return static_cast<std::uint8_t>(static_cast<std::uint8_t>(origin) | (is_finally ? of_finally : 0));
}

inline Origin origin_in(std::uint8_t byte) {
    return static_cast<Origin>(byte & ~of_finally);
}

inline bool is_of_finally(std::uint8_t byte) {
    return (byte & of_finally) != 0;
}

}  // namespace trace
