#include "mcp/excerpt.hpp"

#include "base/character.hpp"
#include "json/json.hpp"

namespace mcp {

namespace {

std::size_t next_character(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && base::continues_character(text[at]);)
        ++at;
    return at;
}

}  // namespace

std::string_view excerpt(std::string_view text, std::size_t room) {
    if (json::quoted_size(text) <= room) return text;
    // The length `begin` fits and `end` does not; both are between characters.
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (true) {
        std::size_t middle = begin + (end - begin) / 2;
        while (middle > begin && base::continues_character(text[middle]))
            --middle;
        if (middle == begin) middle = next_character(text, begin);
        if (middle == end) break;
        (json::quoted_size(text.substr(0, middle)) <= room ? begin : end) = middle;
    }
    return text.substr(0, begin);
}

}  // namespace mcp
