#include "output/visible_text.hpp"

#include "terminal/escapes.hpp"

#include <algorithm>
#include <array>

namespace output {

namespace {

constexpr std::string_view escape = "u001b";  // behind backslashes
constexpr std::size_t most_slashes = 8;       // of JSON in JSON in JSON

bool is_escape(std::string_view text) {
    return text.starts_with(escape) || text.starts_with("u001B");
}

// The size of a sequence that begins with backslashes; a JSON string in JSON has several.
std::size_t json_sequence_size(std::string_view line, bool is_end) {
    const std::size_t slashes =
        std::min(line.substr(0, most_slashes + 1).find_first_not_of('\\'), line.size());
    if (slashes > most_slashes) return 0;
    const std::string_view rest = line.substr(slashes);
    if (is_escape(rest)) {
        const std::size_t last = slashes + escape.size() - 1;  // stands for the byte ESC
        return last + terminal::sequence_size(line.substr(last));
    }
    return !is_end && escape.starts_with(rest) ? line.size() : 0;
}

std::size_t hidden_size(std::string_view line, bool is_end) {
    if (line[0] == '\\') return json_sequence_size(line, is_end);
    if (line == "\xc2" && !is_end) return 1;  // may be half a control character
    return terminal::hidden_size(line);
}

constexpr std::array<bool, 256> beginnings = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c)
        table[c] = c != '\n' && c != '\t';
    table[0x7f] = table[0xc2] = table['\\'] = true;
    return table;
}();

bool may_be_hidden(char c) {
    return beginnings[static_cast<unsigned char>(c)];
}

}  // namespace

// A sequence ends with its line, as where lines are shown one by one.
VisibleText::VisibleText(std::string_view all, bool is_end) : all_(all) {
    std::size_t copied = 0;
    std::size_t end = 0;  // of the line
    for (std::size_t at = 0; at < all.size();) {
        const auto* found = std::ranges::find_if(all.substr(at), may_be_hidden);
        at = static_cast<std::size_t>(found - all.data());
        if (at >= all.size()) break;
        if (at >= end) end = std::min(all.find('\n', at), all.size());
        const std::size_t size = hidden_size(all.substr(at, end - at), is_end || end < all.size());
        if (size > 0) {
            text_ += all.substr(copied, at - copied);
            copied = at + size;
            hidden_.push_back({text_.size(), at, size});
        }
        at += std::max<std::size_t>(size, 1);
    }
    if (has_hidden()) text_ += all.substr(copied);
}

std::size_t VisibleText::in_all(std::size_t position) const {
    auto next = std::ranges::upper_bound(hidden_, position, {}, &Hidden::before);
    if (next == hidden_.begin()) return position;
    const Hidden& last = *std::prev(next);
    return last.begin + last.size + (position - last.before);
}

std::string VisibleText::hidden_between(std::size_t begin, std::size_t end) const {
    std::string out;
    for (auto it = std::ranges::upper_bound(hidden_, begin, {}, &Hidden::before);
         it != hidden_.end() && it->before < end; ++it)
        out += all_.substr(it->begin, it->size);
    return out;
}

}  // namespace output
