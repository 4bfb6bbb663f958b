// Decides what of the output of a run is kept, and what is written for it: the records of a segment, and
// lines of the index (docs/output.md). A machine: it is told what was written when, and by whom. Pure.
#pragma once

#include "output/kept_parts.hpp"
#include "output/record.hpp"
#include "output/redaction.hpp"
#include "output/segments.hpp"
#include "output/source.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace output {

class Keeper {
  public:
    // The first and the last `limit` bytes of each stream are kept; none: all.
    Keeper(std::optional<std::size_t> limit, std::shared_ptr<const Redaction> redaction);

    // Gives the source its number.
    std::uint64_t begin(Source source);
    // A piece of any size that follows what the source of that number has written before.
    void add(std::uint64_t number, Stream stream, std::string_view piece, Time now);
    // The source writes nothing more; its number must not be used again.
    void end(std::uint64_t number, Time now);

    struct Batch {
        std::uint32_t segment = 1;
        std::string index;    // to be appended to the index, before
        std::string records;  // these are appended to the segment
        std::vector<std::uint64_t> announced;
    };
    bool has_batch() const { return !batch_.records.empty(); }
    // What has come since the last call.
    Batch take_batch();
    // Nothing of the batch was written. The output that follows is kept as far as it can be.
    void lost(const Batch& batch);

    // See Segments::take_due().
    std::optional<std::uint32_t> take_due() { return segments_.take_due(); }
    // The records of a segment that are kept.
    std::string without_dropped(std::string_view records) const;
    void rewritten(std::uint32_t segment, std::size_t size) { segments_.rewritten(segment, size); }
    // All sources have ended.
    void finish() { segments_.finish(); }

  private:
    struct Channel {
        Channel(std::size_t limit, const std::shared_ptr<const Redaction>& redaction)
            : redactor(redaction), parts({limit, limit}) {}
        Redactor redactor;
        KeptParts parts;
        std::uint64_t size = 0;  // bytes so far
    };
    struct OpenSource {
        Source source;
        std::array<Channel, 2> channels;  // by Stream
        bool is_announced = false;        // it is in the index
    };
    // The bytes of a stream that are not kept.
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    void append(OpenSource& source, Stream stream, std::string_view text, Time now);
    void append_piece(OpenSource& source, Stream stream, std::string_view piece, Time now);
    void announce(OpenSource& source);
    void drop(const Source& source, Stream stream, const KeptParts& parts,
              const std::vector<KeptParts::Record>& dropped);
    bool is_dropped(const Record& record) const;
    static std::uint64_t key(std::uint64_t source, Stream stream) {
        return 2 * source + static_cast<std::uint64_t>(stream);
    }

    std::optional<std::size_t> limit_;
    std::size_t longest_record_;  // bytes
    std::shared_ptr<const Redaction> redaction_;
    Segments segments_;
    std::unordered_map<std::uint64_t, OpenSource> open_;
    std::unordered_map<std::uint64_t, Range> dropped_;  // by key()
    std::uint64_t last_number_ = 0;
    Batch batch_;
    std::string redacted_;  // kept for its memory
};

}  // namespace output
