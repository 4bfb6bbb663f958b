// Random tests: where their numbers come from, and how many there are to be (seeds.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <random>

namespace workflow_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif

// What one thread does alone shows the thread sanitizer nothing, however often: a look at each path will do.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool is_thread_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool is_thread_sanitized = __has_feature(thread_sanitizer);
#else
inline constexpr bool is_thread_sanitized = false;
#endif

// A count of sequences: in full, under a sanitizer, and under that one.
constexpr std::uint32_t scaled(std::uint32_t full, std::uint32_t sanitized) {
    return is_thread_sanitized ? sanitized / 10 : is_sanitized ? sanitized : full;
}

struct Random {
    explicit Random(std::uint32_t seed) : engine(seed) {}
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(engine() % limit); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    template<class Range>
    auto of(const Range& range) {
        return *(std::begin(range) + below(std::size(range)));
    }
    std::mt19937 engine;
};

inline std::optional<std::uint32_t> from_environment(const char* name) {
    const char* text = std::getenv(name);
    if (!text) return std::nullopt;
    return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

inline std::uint32_t first_seed() {
    return from_environment("BARNUM_RANDOM_FIRST").value_or(1);
}

}  // namespace workflow_test
