// Finds tokens in JSON or JSONC text that json::check has accepted. Does not validate. Private to libs/json.
#pragma once

#include "json/json.hpp"

#include <cstddef>
#include <string_view>

namespace json {

// The offset past the string that opens with the quote at `open`; npos if it is not closed.
std::size_t string_end(std::string_view text, std::size_t open);

// Whether the slash at `slash` starts a comment.
bool is_comment(std::string_view text, std::size_t slash);

// The offset past that comment (for a line comment, past its newline or at the end of the text); npos if it
// is not closed.
std::size_t comment_end(std::string_view text, std::size_t slash);

// True for the bytes of numbers, true, false and null.
inline bool is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '+' || c == '.';
}

inline bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// A cursor. Text after the last token that is read is ignored.
class Scanner {
  public:
    explicit Scanner(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

    // The first byte of the next token, or '\0' at the end.
    char peek();

    // Reads the next value.
    View value();

    // Skips the punctuation byte `c` if it is next. Returns whether it was.
    bool skip(char c);

    std::size_t offset() const { return at_; }

  private:
    void skip_space();
    std::size_t end_of_value() const;
    std::size_t end_of_container() const;

    std::string_view text_;
    std::size_t at_;
};

inline void Scanner::skip_space() {
    while (at_ < text_.size()) {
        if (is_space(text_[at_])) {
            ++at_;
        } else if (text_[at_] == '/') {
            at_ = comment_end(text_, at_);
        } else {
            return;
        }
    }
}

inline char Scanner::peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
}

inline bool Scanner::skip(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
}

}  // namespace json
