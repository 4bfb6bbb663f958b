// Reads the kept output of a run (docs/output.md), also while the run writes it. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "output/record.hpp"
#include "output/source.hpp"
#include "output/stream_check.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace kept_output {

class LogsReader {
  public:
    using IsWanted = std::function<bool(const output::Source&)>;
    using Use = std::function<void(const output::Source&, const output::Record&)>;

    // `directory` is that of the output. `is_wanted` is asked once about each source. Segments without output
    // of wanted sources are skipped as far as the index tells.
    LogsReader(std::string directory, IsWanted is_wanted)
        : directory_(std::move(directory)), is_wanted_(std::move(is_wanted)) {}

    // Calls `use` with the records of wanted sources that have been written since the last call, in their
    // order; what they refer to is valid during the call. Without the directory there are none.
    base::Result<void> read(const Use& use);
    // A part of that, which takes some milliseconds and megabytes. Returns whether there is more.
    base::Result<bool> read_some(const Use& use);
    // To be called after read() if nobody writes any more: reads also what follows a damaged record at the
    // end.
    void read_rest(const Use& use);

    // How many bytes of segments and of the index were left out because they are damaged. An unfinished
    // record at the end is not.
    std::uint64_t damaged() const { return damaged_; }

    // After read(): what is missing of the wanted output: "index.ndjson", "12 bytes". `has_ended`: the run
    // has written all that it would write, and nothing has stopped it.
    std::vector<std::string> missing(bool has_ended) const;

    // The wanted source that has this number.
    const output::Source& source(std::uint64_t number) const { return wanted_.at(number).source; }

  private:
    // A file that grows, read from its beginning.
    struct GrowingFile {
        io::UniqueFd fd;
        std::uint64_t offset = 0;  // of what has not been read
        std::string text = {};     // read, and not used
    };
    struct Wanted {
        explicit Wanted(output::Source wanted)
            : source(std::move(wanted)),
              streams{output::StreamCheck(source.limit), output::StreamCheck(source.limit)} {}

        output::Source source;
        std::array<output::StreamCheck, 2> streams;  // by output::Stream
        std::array<bool, 2> has_ended{};             // by output::Stream
    };
    base::Result<bool> read_index();
    base::Result<void> open(std::uint32_t number);
    // Returns whether there may be more than `most` bytes.
    base::Result<bool> read_more(GrowingFile& file, const std::string& path, std::size_t most) const;
    void use_records(const Use& use, bool is_complete);
    void use_record(const Use& use, const output::Record& record);
    void leave_out(std::string_view& rest, std::size_t size);
    void note_end(std::uint64_t source);
    base::Result<std::vector<std::uint32_t>> segments();
    std::string segment_path(std::uint32_t segment) const;

    std::string directory_;
    IsWanted is_wanted_;
    bool has_directory_ = false;
    std::vector<std::uint32_t> segments_;  // that were there before `segment_` was read
    bool index_is_due_ = false;            // before the records of `segment_` are used
    GrowingFile index_;
    GrowingFile segment_;
    bool segment_goes_on_ = false;  // beyond what was read of it
    std::uint32_t number_ = 0;      // of `segment_`; 0: none is open
    std::uint64_t damaged_ = 0;
    std::uint64_t missing_ = 0;   // bytes, between the records
    std::size_t unfinished_ = 0;  // the size of what was left of `segment_` when nothing more could be used
    std::unordered_set<std::uint64_t> known_;  // the numbers of all sources in the index
    bool is_unknown_ = false;                  // a record is of a source that is not in the index
    std::unordered_map<std::uint64_t, Wanted> wanted_;
    std::multiset<std::uint32_t> begins_;  // the first segments of the wanted sources that have not ended
};

}  // namespace kept_output
