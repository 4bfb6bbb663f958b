#include "output/segments.hpp"

namespace output {

void Segments::grown(std::size_t size) {
    Segment& segment = segments_[current_];
    segment.size += size;
    if (segment.size < full_size) return;
    ++current_;
    check(current_ - 1);
}

void Segments::dropped(std::uint32_t segment, std::size_t size) {
    segments_[segment].dropped += size;
    check(segment);
}

void Segments::rewritten(std::uint32_t segment, std::size_t size) {
    segments_[segment] = {size, 0};
    due_.erase(segment);
}

std::optional<std::uint32_t> Segments::take_due() {
    if (due_.empty()) return std::nullopt;
    std::uint32_t segment = *due_.begin();
    due_.erase(due_.begin());
    return segment;
}

void Segments::finish() {
    is_finished_ = true;
    for (const auto& [number, segment] : segments_)
        check(number);
}

void Segments::check(std::uint32_t number) {
    const Segment& segment = segments_[number];
    bool is_due =
        is_finished_ ? segment.dropped > 0 : number != current_ && segment.dropped * 2 >= segment.size;
    if (is_due && segment.dropped > 0) due_.insert(number);
}

}  // namespace output
