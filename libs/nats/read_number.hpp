// The numbers of the protocol, which have neither sign nor blanks.
#pragma once

#include <charconv>
#include <concepts>
#include <string_view>
#include <system_error>

namespace nats {

// False if the text is no number, or one that does not fit.
template<std::integral T>
bool read_number(std::string_view text, T& number) {
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace nats
