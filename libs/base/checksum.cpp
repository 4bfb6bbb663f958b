#include "base/checksum.hpp"

#include "base/fingerprint.hpp"

// xxhash is used as a header-only library: nothing is linked.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace base {

std::uint64_t checksum(std::string_view text) {
    return XXH3_64bits(text.data(), text.size());
}

std::uint64_t checksum(std::span<const std::string_view> pieces) {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (std::string_view piece : pieces)
        XXH3_64bits_update(&state, piece.data(), piece.size());
    return XXH3_64bits_digest(&state);
}

Fingerprint fingerprint(std::string_view text) {
    XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return {hash.high64, hash.low64};
}

}  // namespace base
