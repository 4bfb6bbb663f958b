#include "reuse/first_difference.hpp"

#include "base/character.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <span>

namespace reuse {

namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t most_lines = 3;    // of each text
constexpr std::size_t most_bytes = 200;  // of a line
constexpr std::size_t before_it = 60;    // how many bytes of a shortened line are equal

Lines lines_of(std::string_view text) {
    Lines lines;
    if (text.empty()) return lines;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    lines.push_back(text);
    return lines;
}

// The offset of the character that contains the byte.
std::size_t character_at(std::string_view line, std::size_t at) {
    while (at > 0 && at < line.size() && base::continues_character(line[at]))
        --at;
    return at;
}

std::string shortened(std::string_view line, std::size_t equal) {
    if (line.size() <= most_bytes) return std::string(line);
    std::size_t from = equal > before_it ? character_at(line, std::min(equal, line.size()) - before_it) : 0;
    std::size_t to = character_at(line, std::min(from + most_bytes, line.size()));
    return base::concat(from > 0 ? "…" : "", line.substr(from, to - from), to < line.size() ? "…" : "");
}

void add(std::vector<std::string>& shown, char sign, std::span<const std::string_view> lines,
         std::size_t equal) {
    for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i)
        shown.push_back(base::concat(sign, " ", shortened(lines[i], i == 0 ? equal : 0)));
    if (lines.size() > most_lines) shown.emplace_back("…");
}

std::size_t common_prefix(std::string_view one, std::string_view other) {
    auto end = std::ranges::mismatch(one, other).in1;
    return static_cast<std::size_t>(end - one.begin());
}

}  // namespace

Difference first_difference(std::string_view before, std::string_view after) {
    Lines old_lines = lines_of(before);
    Lines new_lines = lines_of(after);
    auto first =
        static_cast<std::size_t>(std::ranges::mismatch(old_lines, new_lines).in1 - old_lines.begin());
    std::size_t old_end = old_lines.size();
    std::size_t new_end = new_lines.size();
    while (old_end > first && new_end > first && old_lines[old_end - 1] == new_lines[new_end - 1]) {
        --old_end;
        --new_end;
    }
    bool both = old_end > first && new_end > first;
    std::size_t equal = both ? common_prefix(old_lines[first], new_lines[first]) : 0;
    Difference difference{first + 1, {}};
    add(difference.lines, '-', std::span(old_lines).subspan(first, old_end - first), equal);
    add(difference.lines, '+', std::span(new_lines).subspan(first, new_end - first), equal);
    return difference;
}

}  // namespace reuse
