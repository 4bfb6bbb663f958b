#include "json/scanner.hpp"

#include "json/blocks.hpp"

#include <algorithm>
#include <array>

namespace json {

namespace {

// The bytes in a container at which its scan must stop: brackets, and the starts of strings and comments.
constexpr auto stops = [] {
    std::array<bool, 256> table{};
    for (char c : {'[', ']', '{', '}', '"', '/'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

bool is_stop(char c) {
    return stops[static_cast<unsigned char>(c)];
}

// Whether an odd number of backslashes precedes the quote.
bool is_escaped(std::string_view text, std::size_t open, std::size_t quote) {
    std::size_t first = quote;
    while (first > open + 1 && text[first - 1] == '\\')
        --first;
    return (quote - first) % 2 == 1;
}

}  // namespace

// Most strings are short and have no escape, so their end is found within a block or two. For the others
// memchr is faster.
std::size_t string_end(std::string_view text, std::size_t open) {
    std::string_view near = text.substr(0, open + 64);
    std::size_t at = blocks::find_offset<blocks::quote_or_backslash>(near, open + 1);
    if (at < near.size() && near[at] == '"') return at + 1;
    std::size_t quote = text.find('"', at);
    while (quote != std::string_view::npos && is_escaped(text, open, quote))
        quote = text.find('"', quote + 1);
    return quote == std::string_view::npos ? quote : quote + 1;
}

bool is_comment(std::string_view text, std::size_t slash) {
    char next = slash + 1 < text.size() ? text[slash + 1] : '\0';
    return next == '/' || next == '*';
}

std::size_t comment_end(std::string_view text, std::size_t slash) {
    if (text[slash + 1] == '/') {
        std::size_t newline = text.find('\n', slash);
        return newline == std::string_view::npos ? text.size() : newline + 1;
    }
    std::size_t end = text.find("*/", slash + 2);
    return end == std::string_view::npos ? end : end + 2;
}

View Scanner::value() {
    skip_space();
    std::size_t from = at_;
    at_ = end_of_value();
    return View(text_.substr(from, at_ - from));
}

std::size_t Scanner::end_of_value() const {
    if (at_ >= text_.size()) return at_;
    char first = text_[at_];
    if (first == '"') return string_end(text_, at_);
    if (first == '[' || first == '{') return end_of_container();
    auto end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), is_word_byte);
    return static_cast<std::size_t>(end - text_.begin());
}

std::size_t Scanner::end_of_container() const {
    std::size_t depth = 0;
    std::size_t at = at_;
    while (at < text_.size()) {
        char c = text_[at];
        if (!is_stop(c)) {
            ++at;
        } else if (c == '"') {
            at = string_end(text_, at);
        } else if (c == '/') {
            at = comment_end(text_, at);
        } else {
            ++at;
            depth = c == '[' || c == '{' ? depth + 1 : depth - 1;
            if (depth == 0) return at;
        }
    }
    return text_.size();
}

}  // namespace json
