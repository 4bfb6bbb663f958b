#include "output/stream_check.hpp"

#include "output/kept_parts.hpp"

#include <algorithm>

namespace output {

std::uint64_t StreamCheck::add(const Record& record) {
    if (record.bytes.empty()) return missing_at_end(record.offset);
    const std::uint64_t from = end_;
    end_ = std::max(end_, record.offset + record.bytes.size());
    if (record.offset <= from) return 0;
    begin_ = record.offset;
    const bool may_be_dropped = !limit_ || (*limit_ > 0 && from >= *limit_);
    return may_be_dropped ? 0 : record.offset - from;
}

std::uint64_t StreamCheck::missing_at_end(std::uint64_t size) const {
    const bool is_limited = limit_ && *limit_ > 0;
    if (end_ < size) return is_limited ? std::min(size - end_, *limit_) : size - end_;
    if (begin_ == 0 || !is_limited) return 0;
    const std::uint64_t last = std::min<std::uint64_t>(longest_record_with(*limit_), *limit_);
    return std::max(*limit_ - last, size - begin_) - (size - begin_);
}

}  // namespace output
