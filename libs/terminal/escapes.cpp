#include "terminal/escapes.hpp"

#include "base/character.hpp"
#include "base/text.hpp"
#include "terminal/printable_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace terminal {

namespace {

bool is_in(char c, unsigned char first, unsigned char last) {
    auto byte = static_cast<unsigned char>(c);
    return byte >= first && byte <= last;
}

// The sequence goes up to BEL, ESC \ or U+009C; an unfinished one ends with the text.
std::size_t string_sequence_size(std::string_view text) {
    for (std::size_t at = 2; at < text.size(); ++at) {
        if (text[at] == '\x07') return at + 1;
        const bool is_end = text[at] == '\x1b' || text.substr(at, 2) == "\xc2\x9c";
        if (is_end) return std::min(at + 2, text.size());
    }
    return text.size();
}

// `second`: the character behind ESC, or what a C1 control character stands for; both have two bytes with it.
std::size_t sequence_size(std::string_view text, char second) {
    if (std::string_view("]PX^_").find(second) != std::string_view::npos) return string_sequence_size(text);
    const bool is_csi = second == '[';
    std::size_t at = is_csi ? 2 : 1;
    while (at < text.size() && is_in(text[at], 0x20, is_csi ? 0x3f : 0x2f))
        ++at;
    return std::min(at + 1, text.size());
}

bool is_sgr(std::string_view sequence) {
    return sequence.size() > 2 && sequence[1] == '[' && sequence.back() == 'm' &&
           sequence.find_first_not_of("0123456789;:", 2) == sequence.size() - 1;
}

// C1 control characters in UTF-8, U+0080 to U+009F. Each stands for ESC and a character.
bool is_c1(std::string_view text) {
    return text.size() > 1 && text[0] == '\xc2' && is_in(text[1], 0x80, 0x9f);
}

std::string_view without_returns_at_end(std::string_view line) {
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

constexpr std::string_view erases_line = "\x1b[2K";

// Whether the sequence erases what is behind the cursor.
bool erases_rest(std::string_view sequence) {
    return sequence == "\x1b[K" || sequence == "\x1b[0K" || sequence == erases_line;
}

// A line of a terminal that is written to from its beginning several times. Each character is one cell. What
// is written must outlive it. The time is linear in its size, whatever it does: erasing touches no cell.
class Overwritten {
  public:
    Overwritten(std::string_view line, Colors colors) : line_(line), colors_(colors) {
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t hidden = hidden_size(line.substr(at));
            if (hidden == 0)
                put(at);
            else
                obey(line.substr(at, hidden));
            at += std::max<std::size_t>(hidden, 1);
        }
    }

    std::string text() const {
        std::string text;
        std::size_t color = 0;
        std::size_t blanks = 0;  // that nothing has followed yet
        for (const Cell& cell : cells_) {
            const bool is_blank = cell.erasures != erasures_;
            if (is_blank) ++blanks;
            if (is_blank) continue;
            text.append(std::exchange(blanks, 0), ' ');
            if (cell.color != color) text += base::concat(color == 0 ? "" : "\x1b[0m", seen_[cell.color]);
            color = cell.color;
            text += line_.substr(cell.begin, cell.size);
        }
        return text;
    }

  private:
    struct Cell {
        std::size_t begin = 0;
        std::uint32_t size = 0;      // in bytes
        std::uint32_t color = 0;     // in seen_
        std::uint32_t erasures = 0;  // that the line had had when the cell was written
    };

    void put(std::size_t begin) {
        if (at_ > 0 && base::continues_character(line_[begin])) {
            Cell& cell = cells_[at_ - 1];
            if (cell.begin + cell.size == begin) ++cell.size;
            return;
        }
        if (at_ == cells_.size()) cells_.emplace_back();
        cells_[at_++] = {begin, 1, color_, erasures_};
    }

    void obey(std::string_view sequence) {
        if (sequence == "\r") at_ = 0;
        if (erases_rest(sequence)) cells_.resize(at_);
        if (sequence == erases_line) ++erasures_;
        if (colors_ == Colors::kept && is_sgr(sequence)) {
            if (seen_.back() != sequence) seen_.push_back(sequence);
            color_ = static_cast<std::uint32_t>(seen_.size() - 1);
        }
    }

    std::string_view line_;
    Colors colors_;
    std::vector<Cell> cells_;
    std::size_t at_ = 0;
    std::vector<std::string_view> seen_{""};  // colors; the first one is none
    std::uint32_t color_ = 0;
    std::uint32_t erasures_ = 0;
};

bool may_be_hidden(char c) {
    return (is_in(c, 0, 0x1f) && c != '\t') || c == '\x7f' || c == '\xc2';
}

// The line without what is neither a character nor a color.
std::string shown_text(std::string_view line, Colors colors) {
    std::string text;
    std::string plain;  // since the last color
    for (std::string_view rest = line; !rest.empty();) {
        const auto* found = std::ranges::find_if(rest, may_be_hidden);
        const auto at = static_cast<std::size_t>(found - rest.data());
        const std::size_t hidden = hidden_size(rest.substr(at));
        const std::string_view piece = rest.substr(at, hidden);
        plain += rest.substr(0, hidden > 0 ? at : at + 1);
        if (colors == Colors::kept && is_sgr(piece))
            text += base::concat(printable_lines(std::exchange(plain, {})), piece);
        rest.remove_prefix(std::min(at + std::max<std::size_t>(hidden, 1), rest.size()));
    }
    return text + printable_lines(plain);
}

}  // namespace

std::size_t sequence_size(std::string_view text) {
    return text.size() < 2 ? text.size() : sequence_size(text, text[1]);
}

std::size_t hidden_size(std::string_view text) {
    if (text.empty() || text[0] == '\t') return 0;
    if (text[0] == '\x1b') return sequence_size(text);
    constexpr char behind_escape = 0x40;
    if (is_c1(text)) return sequence_size(text, static_cast<char>(text[1] - behind_escape));
    return is_in(text[0], 0, 0x1f) || text[0] == '\x7f' ? 1 : 0;
}

std::string without_escapes(std::string_view line, Colors colors) {
    line = without_returns_at_end(line);
    std::string text;
    if (line.find('\r') == std::string_view::npos) {
        text = shown_text(line, colors);
    } else {
        text = shown_text(Overwritten(line, colors).text(), colors);
    }
    bool has_color = text.find('\x1b') != std::string::npos;
    return has_color ? base::concat(text, "\x1b[0m") : text;
}

}  // namespace terminal
