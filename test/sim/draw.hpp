// Numbers that look random and follow from a seed, cheap to begin anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sim {

inline std::uint64_t mix(std::uint64_t bits) {
    bits += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

inline std::uint64_t mix(std::uint64_t seed, std::string_view text) {
    for (char c : text)
        seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return mix(seed);
}

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : state_(mix(seed)) {}
    std::uint64_t bits() { return state_ = mix(state_); }
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(bits() % limit); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace sim
