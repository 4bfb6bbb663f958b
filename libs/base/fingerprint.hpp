// A 128-bit hash of a text (XXH3), by which texts are told apart that are not kept. Not cryptographic.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace base {

struct Fingerprint {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

Fingerprint fingerprint(std::string_view text);

}  // namespace base
