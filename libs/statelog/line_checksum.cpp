#include "statelog/line_checksum.hpp"

#include "base/checksum.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace statelog {

namespace {

constexpr std::string_view before_digits = R"(,"checksum":")";
constexpr std::string_view after_digits = R"("})";
constexpr std::size_t digit_count = 16;
constexpr std::size_t end_size = before_digits.size() + digit_count + after_digits.size();

using End = std::array<char, end_size>;

// Formats the whole line end at once: a line should be written in about a microsecond.
End end_of(std::uint64_t checksum) {
    constexpr std::string_view digits = "0123456789abcdef";
    End end;
    char* at = std::ranges::copy(before_digits, end.begin()).out;
    for (int shift = 60; shift >= 0; shift -= 4)
        *at++ = digits[(checksum >> shift) & 15];
    std::ranges::copy(after_digits, at);
    return end;
}

std::string_view text(const End& end) {
    return {end.data(), end.size()};
}

}  // namespace

void end_line(std::string& out, std::size_t begin) {
    out.append(text(end_of(base::checksum(std::string_view(out).substr(begin)))));
    out.push_back('\n');
}

std::string line_end(std::span<const std::string_view> line) {
    return std::string(text(end_of(base::checksum(line)))) + "\n";
}

Checksum checksum_of(std::string_view line) {
    if (line.ends_with(
            '\r'))  // an editor has converted the line ends; a line without a checksum is accepted as it is
        return checksum_of(line.substr(0, line.size() - 1)) == Checksum::absent ? Checksum::absent
                                                                                : Checksum::wrong;
    if (line.size() < end_size) return Checksum::absent;
    std::string_view content = line.substr(0, line.size() - end_size);
    std::string_view end = line.substr(content.size());
    if (!end.starts_with(before_digits) || !end.ends_with(after_digits)) return Checksum::absent;
    return end == text(end_of(base::checksum(content))) ? Checksum::right : Checksum::wrong;
}

}  // namespace statelog
