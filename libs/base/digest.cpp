#include "base/digest.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace base {

namespace {

// Odd, so that the multiplication maps different words to different products.
constexpr std::uint64_t spread = 0xC2B2'AE3D'27D4'EB4F;
constexpr std::uint64_t factor = 0x9E37'79B9'7F4A'7C15;

// A multiplication passes differences to higher bits only; the rotation moves them down. After two rounds a
// difference can reach every bit.
std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    return std::rotl(sum + word * spread, 31) * factor;
}

}  // namespace

// Four independent sums, so that the processor can overlap the multiplications.
std::uint64_t digest(std::string_view text) {
    std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
    std::array<std::uint64_t, 4> words{};
    std::uint64_t all = text.size();
    auto take = [&](std::size_t bytes) {
        std::memcpy(words.data(), text.data(), bytes);
        text.remove_prefix(bytes);
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] = mixed(sums[i], words[i]);
    };
    while (text.size() >= sizeof words)
        take(sizeof words);
    words.fill(0);
    if (!text.empty()) take(text.size());
    for (std::uint64_t sum : sums)
        all = mixed(all, sum);
    return all ^ (all >> 32U);
}

}  // namespace base
