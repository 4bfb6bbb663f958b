#include "output/stream_check.hpp"

#include "output/kept_parts.hpp"

#include <algorithm>

namespace output {

std::uint64_t StreamCheck::add(const Record& record) {
    if (record.bytes.empty()) {
        has_ended_ = true;
        return missing_at_end(record.offset);
    }
    const std::uint64_t from = end_;
    end_ = std::max(end_, record.offset + record.bytes.size());
    if (record.offset <= from) return 0;
    if (!limit_) return 0;
    if (*limit_ == 0) return record.offset - from;
    const std::uint64_t first = std::clamp(*limit_, from, record.offset);  // up to there, all is kept
    dropped_ = {first, record.offset};
    return first - from;
}

std::optional<Record> StreamCheck::without_repeated(Record record) const {
    if (record.bytes.empty()) return has_ended_ ? std::nullopt : std::optional(record);
    if (record.offset >= end_) return record;
    std::uint64_t repeated = end_ - record.offset;
    if (repeated >= record.bytes.size()) return std::nullopt;
    record.bytes.remove_prefix(repeated);
    record.offset = end_;
    return record;
}

std::uint64_t StreamCheck::missing_at_end(std::uint64_t size) const {
    const std::uint64_t limit = limit_.value_or(0);
    const bool is_limited = limit > 0;
    if (end_ < size) return is_limited ? std::min(size - end_, limit) : size - end_;
    if (!is_limited) return 0;
    const std::uint64_t last = std::min<std::uint64_t>(longest_record_with(limit), limit);
    const std::uint64_t kept_from = size - std::min(size, limit - last);
    return dropped_.end - std::min(dropped_.end, std::max(dropped_.begin, kept_from));
}

}  // namespace output
