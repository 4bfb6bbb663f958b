#include "output/checksum_text.hpp"

#include "base/checksum.hpp"

#include <cstdint>

namespace output {

std::array<char, checksum_digits> checksum_text(std::string_view first, std::string_view second) {
    const std::array<std::string_view, 2> pieces{first, second};
    std::uint64_t rest = base::checksum(pieces);
    std::array<char, checksum_digits> digits{};
    for (std::size_t i = digits.size(); i-- > 0; rest >>= 4)
        digits.at(i) = "0123456789abcdef"[rest & 15];
    return digits;
}

}  // namespace output
