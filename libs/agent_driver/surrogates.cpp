#include "agent_driver/surrogates.hpp"

#include <algorithm>
#include <charconv>

namespace agent_driver {

namespace {

constexpr std::size_t escape_size = 6;  // of \uXXXX

// The code unit of an escape at the beginning of `text`; 0 if there is none.
unsigned code_unit(std::string_view text) {
    unsigned unit = 0;
    if (text.size() < escape_size || !text.starts_with("\\u")) return 0;
    const char* end = text.data() + escape_size;
    return std::from_chars(text.data() + 2, end, unit, 16).ptr == end ? unit : 0;
}

bool is_high(unsigned unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low(unsigned unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

}  // namespace

std::string without_half_surrogates(std::string_view json) {
    std::string out;
    while (true) {
        const std::size_t plain = std::min(json.find('\\'), json.size());
        out += json.substr(0, plain);
        json.remove_prefix(plain);
        if (json.empty()) break;
        unsigned unit = code_unit(json);
        std::size_t size = 2;
        if (is_high(unit) && is_low(code_unit(json.substr(escape_size)))) size = 2 * escape_size;
        bool is_half = size == 2 && (is_high(unit) || is_low(unit));
        out += is_half ? std::string_view("\\ufffd") : json.substr(0, size);
        json.remove_prefix(is_half ? escape_size : std::min(size, json.size()));
    }
    return out;
}

}  // namespace agent_driver
