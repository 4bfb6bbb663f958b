#include "base/text_parts.hpp"

namespace base {

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

std::string_view cut_to(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
        --bytes;
    return text.substr(0, bytes);
}

}  // namespace base
