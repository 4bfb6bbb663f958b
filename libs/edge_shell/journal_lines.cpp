#include "edge_shell/journal_lines.hpp"

#include "base/checksum.hpp"

#include <algorithm>

namespace edge_shell {

namespace {

constexpr std::size_t checksum_size = 16;
constexpr std::size_t mark_size = 3;  // " + " or " - "
constexpr std::size_t longest_key = 250;

void append_checksum(std::string& out, std::string_view content) {
    constexpr std::string_view digits = "0123456789abcdef";
    const std::uint64_t checksum = base::checksum(content);
    for (int shift = 60; shift >= 0; shift -= 4)
        out.push_back(digits[(checksum >> shift) & 15]);
}

bool has_right_checksum(std::string_view line) {
    std::string checksum;
    append_checksum(checksum, line.substr(checksum_size));
    return line.starts_with(checksum);
}

// The checksum is put before what is behind it, without another copy of that.
template<class... Pieces>
void append_line(std::string& out, const Pieces&... pieces) {
    const std::size_t begin = out.size();
    out.append(checksum_size, '0');
    (out.append(pieces), ...);
    std::string checksum;
    append_checksum(checksum, std::string_view(out).substr(begin + checksum_size));
    checksum.copy(out.data() + begin, checksum_size);
    out.push_back('\n');
}

}  // namespace

bool is_journal_key(std::string_view key) {
    return !key.empty() && key.size() <= longest_key &&
           std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
}

void append_put(std::string& out, std::string_view key, std::string_view text) {
    append_line(out, " + ", key, " ", text);
}

void append_erase(std::string& out, std::string_view key) {
    append_line(out, " - ", key);
}

std::optional<JournalLine> parse_journal_line(std::string_view line) {
    if (line.size() < checksum_size + mark_size || !has_right_checksum(line)) return std::nullopt;
    const std::string_view mark = line.substr(checksum_size, mark_size);
    const std::string_view content = line.substr(checksum_size + mark_size);
    const std::string_view key = content.substr(0, content.find(' '));
    if (!is_journal_key(key)) return std::nullopt;
    const bool has_text = key.size() < content.size();
    if (mark == " + " && has_text) return JournalLine{key, content.substr(key.size() + 1)};
    if (mark == " - " && !has_text) return JournalLine{key, std::nullopt};
    return std::nullopt;
}

std::string_view text_of_put(std::string_view line, std::string_view key) {
    line.remove_suffix(1);
    return line.substr(checksum_size + mark_size + key.size() + 1);
}

void JournalReader::add(std::string_view piece) {
    splitter_.add(piece, [this](std::string_view line) { take(line); });
}

void JournalReader::take(std::string_view line) {
    const JournalPlace place{size_, line.size() + 1};
    size_ += place.size;
    ++lines_;
    auto parsed = parse_journal_line(line);
    if (!parsed) {
        if (damaged_++ == 0) first_damaged_ = lines_;
    } else if (parsed->text) {
        places_[std::string(parsed->key)] = place;
    } else {
        places_.erase(std::string(parsed->key));
    }
}

}  // namespace edge_shell
