#include "json/in_place.hpp"

#include "json/scanner.hpp"

#include <cstring>
#include <string_view>

namespace json {

namespace {

// Outside of strings: bytes that are removed or that need inspection.
bool needs_inspection(char c) {
    return is_space(c) || c == '"' || c == '/' || c == ',';
}

bool is_trailing_comma(std::string_view text, std::size_t comma) {
    char next = Scanner(text, comma + 1).peek();
    return next == ']' || next == '}';
}

// The offset past the white space, comment or trailing comma at `at`; `at` itself if there is none.
std::size_t skip_omitted(std::string_view text, std::size_t at) {
    char c = text[at];
    if (is_space(c)) return at + 1;
    if (c == '/') return comment_end(text, at);
    if (c == ',' && is_trailing_comma(text, at)) return at + 1;
    return at;
}

}  // namespace

// The read position is never before the write position, so unread text is not overwritten.
std::string compact_in_place(std::string checked) {
    std::string_view text = checked;
    std::size_t size = 0;  // of the output so far
    std::size_t from = 0;  // start of the bytes before `at` that are not yet moved
    auto move_up_to = [&](std::size_t end) {
        if (size != from) std::memmove(checked.data() + size, checked.data() + from, end - from);
        size += end - from;
    };
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '"') {
            at = string_end(text, at);
            continue;
        }
        std::size_t past = needs_inspection(text[at]) ? skip_omitted(text, at) : at;
        if (past == at) {
            ++at;
        } else {
            move_up_to(at);
            at = from = past;
        }
    }
    move_up_to(text.size());
    checked.resize(size);
    return checked;
}

}  // namespace json
