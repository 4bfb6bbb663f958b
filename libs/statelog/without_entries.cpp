#include "statelog/without_entries.hpp"

#include "base/text.hpp"

#include <optional>
#include <utility>

namespace statelog {

namespace {

// The lines of a log that remain, as ranges of bytes.
class RemainingParts {
  public:
    void add(std::uint64_t begin, bool is_left_out) {
        if (!first_) first_ = begin;
        if (is_left_out == !is_open_) return;
        is_open_ = !is_left_out;
        if (is_open_)
            parts_.push_back({begin, begin});
        else
            parts_.back().end = begin;
    }

    std::vector<io::ByteRange> finish(std::uint64_t end) {
        if (is_open_) parts_.back().end = end;
        return std::move(parts_);
    }

    // Where the second line begins.
    std::uint64_t first_line_end(std::uint64_t end) const { return first_.value_or(end); }

  private:
    std::vector<io::ByteRange> parts_;
    std::optional<std::uint64_t> first_;
    bool is_open_ = false;
};

base::Result<void> feed(Replay& replay, int fd, const std::string& path, io::ByteRange range) {
    auto read = io::read_pieces(fd, range, [&](std::string_view piece) { return replay.feed(piece); });
    if (read) return {};
    if (is_damage(read.error())) return read.error();
    return base::with_context(base::concat("the state log ", path), read.error());
}

}  // namespace

base::Result<PartialReplay> replay_without(int fd, const std::string& path, std::uint64_t committed_bytes,
                                           const std::function<bool(const workflow::Entry&)>& leaves_out) {
    RemainingParts remaining;
    // What unfinished attempts have used is left out, too: it belongs to the run before.
    Replay whole(
        path,
        [&](const Replay& replay, const Record& record) {
            remaining.add(replay.record_offset(), leaves_out(record.entry));
        },
        Checksums::verified, [&](const Replay& replay) { remaining.add(replay.record_offset(), true); });
    if (auto fed = feed(whole, fd, path, {0, committed_bytes}); !fed) return fed.error();
    PartialReplay partial{Replay(path), remaining.finish(committed_bytes)};
    auto fed = feed(partial.replay, fd, path, {0, remaining.first_line_end(committed_bytes)});
    for (const io::ByteRange& part : partial.parts)
        if (fed) fed = feed(partial.replay, fd, path, part);
    if (!fed) return fed.error();
    if (auto tail = partial.replay.finish(); !tail) return tail.error();
    return partial;
}

}  // namespace statelog
