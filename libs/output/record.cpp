#include "output/record.hpp"

#include "base/checksum.hpp"
#include "base/text.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace output {

namespace {

constexpr std::size_t checksum_digits = 16;
constexpr std::size_t longest_header = 128;

// "1 out 1795411234567 0 3 "
std::string begin_header(const Record& record) {
    return base::concat(record.source, record.stream == Stream::out ? " out " : " err ",
                        record.time.time_since_epoch().count(), " ", record.offset, " ", record.bytes.size(),
                        " ");
}

std::array<char, checksum_digits> checksum_text(std::string_view header, std::string_view bytes) {
    const std::array<std::string_view, 2> pieces{header, bytes};
    std::uint64_t rest = base::checksum(pieces);
    std::array<char, checksum_digits> digits{};
    for (std::size_t i = digits.size(); i-- > 0; rest >>= 4)
        digits.at(i) = "0123456789abcdef"[rest & 15];
    return digits;
}

template<class Number>
bool take_number(std::string_view& text, Number& number) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ' ') return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

bool take_stream(std::string_view& text, Stream& stream) {
    if (!text.starts_with("out ") && !text.starts_with("err ")) return false;
    stream = text.front() == 'o' ? Stream::out : Stream::err;
    text.remove_prefix(4);
    return true;
}

}  // namespace

void append_record(std::string& out, const Record& record) {
    std::string header = begin_header(record);
    auto digits = checksum_text(header, record.bytes);
    out += header;
    out.append(digits.data(), digits.size());
    out += '\n';
    out += record.bytes;
    out += '\n';
}

std::optional<Record> take_record(std::string_view& text) {
    std::size_t header_end = text.substr(0, longest_header).find('\n');
    if (header_end == std::string_view::npos) return std::nullopt;
    std::string_view header = text.substr(0, header_end);
    std::string_view rest = text.substr(header_end + 1);
    Record record;
    std::int64_t time = 0;
    std::size_t size = 0;
    std::string_view unread = header;
    if (!take_number(unread, record.source) || !take_stream(unread, record.stream) ||
        !take_number(unread, time) || !take_number(unread, record.offset) || !take_number(unread, size))
        return std::nullopt;
    if (unread.size() != checksum_digits || rest.size() <= size || rest[size] != '\n') return std::nullopt;
    record.time = Time(std::chrono::milliseconds(time));
    record.bytes = rest.substr(0, size);
    auto expected = checksum_text(header.substr(0, header.size() - checksum_digits), record.bytes);
    if (unread != std::string_view(expected.data(), expected.size())) return std::nullopt;
    text = rest.substr(size + 1);
    return record;
}

}  // namespace output
