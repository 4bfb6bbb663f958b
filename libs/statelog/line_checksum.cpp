#include "statelog/line_checksum.hpp"

#include "base/checksum.hpp"

#include <cstdint>

namespace statelog {

namespace {

constexpr std::string_view before_digits = R"(,"checksum":")";
constexpr std::string_view after_digits = R"("})";
constexpr std::size_t digit_count = 16;

void append_end(std::string& out, std::uint64_t checksum) {
    constexpr std::string_view digits = "0123456789abcdef";
    out.append(before_digits);
    for (int shift = 60; shift >= 0; shift -= 4)
        out.push_back(digits[(checksum >> shift) & 15]);
    out.append(after_digits);
}

}  // namespace

void end_line(std::string& out, std::size_t begin) {
    append_end(out, base::checksum(std::string_view(out).substr(begin)));
    out.push_back('\n');
}

std::string line_end(std::span<const std::string_view> line) {
    std::string end;
    append_end(end, base::checksum(line));
    end.push_back('\n');
    return end;
}

Checksum checksum_of(std::string_view line) {
    constexpr std::size_t end_size = before_digits.size() + digit_count + after_digits.size();
    if (line.size() < end_size) return Checksum::absent;
    std::string_view content = line.substr(0, line.size() - end_size);
    std::string_view end = line.substr(content.size());
    if (!end.starts_with(before_digits) || !end.ends_with(after_digits)) return Checksum::absent;
    std::string right;
    append_end(right, base::checksum(content));
    return end == right ? Checksum::right : Checksum::wrong;
}

}  // namespace statelog
