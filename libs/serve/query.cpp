#include "serve/query.hpp"

#include <algorithm>
#include <charconv>

namespace serve {

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t at = 0; at < text.size(); ++at) {
        unsigned byte = 0;
        const char* digits = text.data() + at + 1;
        bool is_escape = text[at] == '%' && text.size() - at > 2 &&
                         std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        if (is_escape) at += 2;
        decoded += is_escape ? static_cast<char>(byte) : text[at] == '+' ? ' ' : text[at];
    }
    return decoded;
}

std::optional<std::string> parameter(std::string_view target, std::string_view name) {
    std::size_t begin = target.find('?');
    while (begin != std::string_view::npos) {
        std::string_view rest = target.substr(begin + 1);
        std::string_view one = rest.substr(0, rest.find('&'));
        std::string_view key = one.substr(0, one.find('='));
        if (percent_decoded(key) == name)
            return percent_decoded(one.substr(std::min(key.size() + 1, one.size())));
        begin = target.find('&', begin + 1);
    }
    return std::nullopt;
}

}  // namespace serve
