#include "output/record.hpp"

#include "base/text.hpp"
#include "output/checksum_text.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace output {

namespace {

constexpr std::size_t longest_header = 128;

// "1 out 1795411234567 0 3 "
std::string begin_header(const Record& record) {
    return base::concat(record.source, record.stream == Stream::out ? " out " : " err ",
                        record.time.time_since_epoch().count(), " ", record.offset, " ", record.bytes.size(),
                        " ");
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

// The line of a record, without the check of its sum.
struct Header {
    Record record;          // without its bytes
    std::size_t begin = 0;  // of the bytes
    std::size_t size = 0;   // of the bytes
    std::string_view checksum;

    std::size_t end() const { return begin + size + 1; }  // of the record
    bool is_whole_in(std::string_view text) const {
        return size < text.size() - begin && text[begin + size] == '\n';
    }
};

std::optional<Header> header_of(std::string_view text) {
    std::size_t end = text.substr(0, longest_header).find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    Header header;
    std::int64_t time = 0;
    std::string_view unread = text.substr(0, end);
    if (!take_number(unread, header.record.source) || !take_stream(unread, header.record.stream) ||
        !take_number(unread, time) || !take_number(unread, header.record.offset) ||
        !take_number(unread, header.size) || unread.size() != checksum_digits)
        return std::nullopt;
    header.record.time = Time(std::chrono::milliseconds(time));
    header.begin = end + 1;
    header.checksum = unread;
    return header;
}

bool begins_with_record(std::string_view text) {
    return take_record(text).has_value();
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
    auto header = header_of(text);
    if (!header || !header->is_whole_in(text)) return std::nullopt;
    Record record = header->record;
    record.bytes = text.substr(header->begin, header->size);
    auto expected = checksum_text(text.substr(0, header->begin - 1 - checksum_digits), record.bytes);
    if (header->checksum != std::string_view(expected.data(), expected.size())) return std::nullopt;
    text.remove_prefix(header->end());
    return record;
}

// A size that no record has is damaged, and nothing is waited for.
// The bytes of a record may look like another one: where its line is intact, they are not searched.
std::optional<std::size_t> damage_before_record(std::string_view text, bool is_complete) {
    auto header = header_of(text);
    if (header && header->size > longest_record) header.reset();
    bool has_end = header && header->size < text.size() - header->begin;
    if (header && !has_end && !is_complete) return std::nullopt;
    if (has_end && begins_with_record(text.substr(header->end()))) return header->end();
    std::size_t at = has_end && header->is_whole_in(text) ? header->end() : 0;
    if (at > 0 && at == text.size()) return at;
    for (at = text.find('\n', at); at != text.npos; at = text.find('\n', at)) {
        ++at;
        if (begins_with_record(text.substr(at))) return at;
    }
    return std::nullopt;
}

}  // namespace output
