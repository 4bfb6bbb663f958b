#include "output/kept_parts.hpp"

#include "output/record.hpp"

#include <algorithm>

namespace output {

std::size_t longest_record_with(std::optional<std::size_t> limit) {
    constexpr std::size_t records_in_limit = 16;
    constexpr std::size_t shortest = 256;
    if (!limit) return longest_record;
    return std::clamp(*limit / records_in_limit, shortest, longest_record);
}

void KeptParts::add(const Record& record) {
    if (tail_.empty() && head_ + record.size <= limits_.head) {
        head_ += record.size;
        return;
    }
    tail_.push_back(record);
    tail_size_ += record.size;
}

std::vector<KeptParts::Record> KeptParts::drop_above(std::size_t most) {
    std::vector<Record> dropped;
    if (tail_size_ <= most) return dropped;
    while (tail_.size() > 1 && tail_size_ > limits_.tail) {
        const Record& oldest = tail_.front();
        tail_size_ -= oldest.size;
        dropped_content_ += oldest.content;
        ++dropped_records_;
        dropped.push_back(oldest);
        tail_.pop_front();
    }
    return dropped;
}

}  // namespace output
