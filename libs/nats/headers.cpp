#include "nats/headers.hpp"

#include "base/character.hpp"
#include "base/text.hpp"
#include "nats/message.hpp"

#include <stdexcept>

namespace nats {

namespace {

constexpr std::string_view version = "NATS/1.0";

std::string_view without_spaces(std::string_view text) {
    std::size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Takes the line off the text.
std::string_view take_line(std::string_view& text) {
    std::size_t end = text.find(line_end);
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + line_end.size());
    return line;
}

bool ends_name(char c) {
    return c <= ' ' || c == ':' || c == '\x7f';
}

}  // namespace

Headers& Headers::add(std::string_view name, std::string_view value) {
    bool is_name = !name.empty();
    for (char c : name)
        is_name = is_name && !ends_name(c);
    if (!is_name || value.find_first_of(line_end) != value.npos)
        throw std::invalid_argument(base::concat("not a header: ", name));
    lines_ += base::concat(name, ": ", value, line_end);
    return *this;
}

std::string Headers::block() const {
    if (lines_.empty()) return {};
    return base::concat(version, line_end, lines_, line_end);
}

std::optional<std::string_view> header(std::string_view block, std::string_view name) {
    take_line(block);
    while (!block.empty()) {
        std::string_view line = take_line(block);
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':'))
            return without_spaces(line.substr(name.size() + 1));
    }
    return std::nullopt;
}

std::optional<Status> status(std::string_view block) {
    std::string_view line = take_line(block);
    if (!line.starts_with(version)) return std::nullopt;
    line = without_spaces(line.substr(version.size()));
    if (line.size() < 3) return std::nullopt;
    int code = 0;
    for (char c : line.substr(0, 3)) {
        if (!base::is_digit(c)) return std::nullopt;
        code = code * 10 + (c - '0');
    }
    return Status{code, without_spaces(line.substr(3))};
}

}  // namespace nats
