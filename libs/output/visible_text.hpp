// What a terminal shows of a text, without escape sequences and control characters, and where that stands in
// the text. Sequences count in JSON strings, too, where they begin with "\u001b". Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace output {

class VisibleText {
  public:
    // Unless `is_end`, the text goes on: what may be the beginning of a sequence at its end is not visible.
    // The text must outlive the object.
    VisibleText(std::string_view all, bool is_end);

    bool has_hidden() const { return !hidden_.empty(); }
    // What is visible; empty unless has_hidden(), as all of the text is visible then.
    const std::string& text() const { return text_; }
    // Where the visible text's character at `position` stands in the whole text; its size for the end.
    std::size_t in_all(std::size_t position) const;
    // What is hidden between the characters of the visible text from `begin` to `end`.
    std::string hidden_between(std::size_t begin, std::size_t end) const;

  private:
    struct Hidden {
        std::size_t before = 0;  // the character of the visible text that follows
        std::size_t begin = 0;   // in the whole text
        std::size_t size = 0;
    };
    std::string_view all_;
    std::string text_;
    std::vector<Hidden> hidden_;
};

}  // namespace output
