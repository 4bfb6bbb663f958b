#include "agent_driver/writing.hpp"

#include "agent_driver/failure_words.hpp"
#include "base/character.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace agent_driver {

namespace {

constexpr std::size_t longest_shown = 90;  // bytes; a line of activity has 120

// The end of the text that has at most `size` bytes.
std::string tail_of(std::string_view text, std::size_t size) {
    std::size_t begin = text.size() > size ? text.size() - size : 0;
    while (begin < text.size() && begin > 0 && base::continues_character(text[begin]))
        ++begin;
    return std::string(text.substr(begin));
}

// Spaces and line breaks as one space each.
std::string on_one_line(std::string_view text) {
    std::string out;
    for (char c : text) {
        const bool is_space = static_cast<unsigned char>(c) <= ' ';
        if (!is_space)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out;
}

}  // namespace

std::string Writing::add(const Words& words) {
    if (words.begins) {
        filter_ = make_filter_ ? make_filter_() : Surroundings::Filter();
        kept_.clear();
        is_cut_ = false;
    }
    kept_ += filter_ ? filter_(words.text, false) : words.text;
    if (kept_.size() > most) {
        kept_ = tail_of(kept_, most / 2);
        is_cut_ = true;
    }
    const std::string line = on_one_line(plain_text(kept_));
    if (line.empty()) return "";
    const std::string shown = tail_of(line, longest_shown);
    return base::concat("writes: ", is_cut_ || shown.size() < line.size() ? "…" : "", shown);
}

}  // namespace agent_driver
