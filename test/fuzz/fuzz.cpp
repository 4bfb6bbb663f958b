#include "fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace fuzz {

void must(bool holds, std::string_view promise) {
    if (holds) return;
    std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(promise.size()), promise.data());
    std::abort();
}

// FNV-1a: the same everywhere, so that an input means the same everywhere.
Pieces::Pieces(std::string_view text) : rest_(text) {
    for (char c : text)
        bits_ = (bits_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
    bits_ |= 1U;
}

std::string_view Pieces::next() {
    constexpr std::size_t most[] = {1, 2, 7, 100, 100'000};
    std::size_t wanted = 1 + below(most[below(std::size(most))]);
    std::string_view piece = rest_.substr(0, std::min(wanted, rest_.size()));
    rest_.remove_prefix(piece.size());
    return piece;
}

// Xorshift.
std::size_t Pieces::below(std::size_t limit) {
    bits_ ^= bits_ << 13U;
    bits_ ^= bits_ >> 7U;
    bits_ ^= bits_ << 17U;
    return static_cast<std::size_t>(bits_ % limit);
}

}  // namespace fuzz
