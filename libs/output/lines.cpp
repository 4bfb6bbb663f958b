#include "output/lines.hpp"

#include <algorithm>
#include <map>

namespace output {

void Lines::add(const Record& record) {
    const std::uint64_t key = 2 * record.source + static_cast<std::uint64_t>(record.stream);
    Partial& partial = partial_[key];
    if (record.offset > partial.offset) {
        if (!partial.text.empty()) end_line(record.source, record.stream, partial);
        use_({record.source, record.stream, record.time, {}, record.offset - partial.offset});
    }
    partial.offset = record.offset + record.bytes.size();
    split(record, partial);
    if (!record.bytes.empty()) return;
    if (!partial.text.empty()) end_line(record.source, record.stream, partial);
    partial_.erase(key);
}

void Lines::split(const Record& record, Partial& partial) {
    std::string_view text = record.bytes;
    while (!text.empty()) {
        if (partial.text.empty()) partial.time = record.time;
        const std::size_t newline = text.find('\n');
        const std::size_t room = longest_line - partial.text.size();
        const std::size_t size = std::min({newline, text.size(), room});
        partial.text += text.substr(0, size);
        const bool is_ended = size == newline;
        text.remove_prefix(size + (is_ended ? 1 : 0));
        if (is_ended || size == room) end_line(record.source, record.stream, partial);
    }
}

void Lines::end_line(std::uint64_t source, Stream stream, Partial& partial) {
    use_({source, stream, partial.time, partial.text, 0});
    partial.text.clear();
}

void Lines::finish() {
    std::map<std::uint64_t, Partial> in_order(partial_.begin(), partial_.end());
    partial_.clear();
    for (auto& [key, partial] : in_order)
        if (!partial.text.empty()) end_line(key / 2, key % 2 == 0 ? Stream::out : Stream::err, partial);
}

}  // namespace output
