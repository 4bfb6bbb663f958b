#include "kept_output/logs_reader.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace kept_output {

namespace {

constexpr std::size_t index_piece = 1 << 20;  // bytes, of thousands of sources
constexpr std::size_t longest_index_line = 64 * 1024;
constexpr std::size_t segment_piece = 4 << 20;                                 // bytes
constexpr std::size_t longest_unfinished = output::longest_record + 4 * 1024;  // with the line before it

// Nothing if there is no such file. O_NONBLOCK: no writer is waited for if a FIFO is in its place.
base::Result<io::UniqueFd> open_file(const std::string& path) {
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd && errno == ENOENT) return fd;
    struct stat found {};
    if (!fd || ::fstat(fd.get(), &found) != 0) return base::system_error(base::concat("cannot read ", path));
    if (!S_ISREG(found.st_mode)) return base::invalid(base::concat(path, " is not a regular file"));
    return fd;
}

}  // namespace

base::Result<void> LogsReader::read(const Use& use) {
    while (true) {
        auto more = read_some(use);
        if (!more) return more.error();
        if (!*more) return {};
    }
}

// The index is read after the records, so that it knows their sources. A segment is complete if there was a
// later one before it was read.
base::Result<bool> LogsReader::read_some(const Use& use) {
    if (!index_is_due_) {
        auto all = segments();
        if (!all) return all.error();
        segments_ = std::move(*all);
        auto read = read_more(segment_, segment_path(number_), segment_piece);
        if (!read) return read.error();
        segment_goes_on_ = *read;
        index_is_due_ = true;
    }
    auto more = read_index();
    if (!more || *more) return more;
    index_is_due_ = false;
    use_records(use, !segment_goes_on_ && !segments_.empty() && segments_.back() > number_);
    if (segment_goes_on_) return true;
    if (begins_.empty()) return false;
    auto next = std::ranges::lower_bound(segments_, std::max(number_ + 1, *begins_.begin()));
    if (next == segments_.end()) return false;
    if (auto opened = open(*next); !opened) return opened.error();
    return true;
}

// A segment that is gone was rewritten, and nothing of it is kept.
base::Result<void> LogsReader::open(std::uint32_t number) {
    auto fd = open_file(segment_path(number));
    if (!fd) return fd.error();
    segment_ = GrowingFile{std::move(*fd)};
    unfinished_ = 0;
    number_ = number;
    return {};
}

base::Result<bool> LogsReader::read_index() {
    const std::string path = directory_ + "/index.ndjson";
    if (!index_.fd) {
        auto fd = open_file(path);
        if (!fd) return fd.error();
        index_.fd = std::move(*fd);
    }
    if (!index_.fd) return false;
    auto goes_on = read_more(index_, path, index_piece);
    if (!goes_on) return goes_on.error();
    std::string_view rest = index_.text;
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
        auto source = output::parse_index_line(rest.substr(0, end));
        if (!source) {
            leave_out(rest, end + 1);
            continue;
        }
        rest.remove_prefix(end + 1);
        known_.insert(source->number);
        if (!is_wanted_(*source) || wanted_.contains(source->number)) continue;
        begins_.insert(source->segment);
        const std::uint64_t number = source->number;
        wanted_.emplace(number, Wanted(std::move(*source)));
    }
    if (rest.size() > longest_index_line) leave_out(rest, rest.size());
    index_.text.erase(0, index_.text.size() - rest.size());
    return goes_on;
}

base::Result<bool> LogsReader::read_more(GrowingFile& file, const std::string& path, std::size_t most) const {
    std::array<char, 64 * 1024> piece;
    std::size_t taken = 0;
    while (file.fd && taken < most) {
        ssize_t got = ::pread(file.fd.get(), piece.data(), piece.size(), static_cast<off_t>(file.offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error(base::concat("cannot read ", path));
        if (got == 0) break;
        file.text.append(piece.data(), static_cast<std::size_t>(got));
        file.offset += static_cast<std::uint64_t>(got);
        taken += static_cast<std::size_t>(got);
    }
    return taken >= most;
}

// A record is written at once. One that is still unfinished when more has come is damaged. Of what is no
// record, so much is kept that one may begin in it.
void LogsReader::use_records(const Use& use, bool is_complete) {
    std::string_view rest = segment_.text;
    bool waits_too_long = unfinished_ > 0 && rest.size() > unfinished_;
    unfinished_ = 0;
    while (!rest.empty()) {
        auto record = output::take_record(rest);
        if (!record) {
            auto damage = output::damage_before_record(rest, is_complete || waits_too_long);
            if (!damage && !is_complete) {
                if (rest.size() > longest_unfinished) leave_out(rest, rest.size() - longest_unfinished);
                unfinished_ = rest.size();
                break;
            }
            leave_out(rest, damage.value_or(rest.size()));
            continue;
        }
        waits_too_long = false;
        use_record(use, *record);
    }
    segment_.text.erase(0, segment_.text.size() - rest.size());
}

void LogsReader::use_record(const Use& use, const output::Record& record) {
    is_unknown_ = is_unknown_ || !known_.contains(record.source);
    auto found = wanted_.find(record.source);
    if (found == wanted_.end()) return;
    output::StreamCheck& stream = found->second.streams.at(static_cast<std::size_t>(record.stream));
    auto fresh = stream.without_repeated(record);
    bool& has_ended = found->second.has_ended.at(static_cast<std::size_t>(record.stream));
    if (!fresh || has_ended) return;  // what follows the end of its stream is out of its place
    missing_ += stream.add(*fresh);
    use(found->second.source, *fresh);
    has_ended = fresh->bytes.empty();
    if (has_ended) note_end(record.source);
}

void LogsReader::leave_out(std::string_view& rest, std::size_t size) {
    damaged_ += size;
    rest.remove_prefix(size);
}

// What was cut by a kill is not damaged: nothing follows it.
void LogsReader::read_rest(const Use& use) {
    if (output::damage_before_record(segment_.text, true)) use_records(use, true);
}

// The index is created before the first segment, and with its directory. Each source that is in it has its
// first record in the segment that it names, and ends in a record. The last segment may be one that is just
// begun.
std::vector<std::string> LogsReader::missing(bool has_ended) const {
    std::vector<std::string> found;
    if (missing_ > 0) found.push_back(base::counted(missing_, "byte"));
    const bool is_index_due = !segments_.empty() || (has_ended && has_directory_);
    const bool is_index_gone = is_index_due && (!index_.fd || (has_ended && index_.offset == 0));
    if (is_index_gone) found.emplace_back("index.ndjson");
    const bool has_part = is_unknown_ || (has_ended && !index_.text.empty());
    if (!is_index_gone && has_part) found.emplace_back("a part of index.ndjson");
    std::set<std::uint32_t> gone;
    for (const auto& [number, wanted] : wanted_) {
        const std::uint32_t first = wanted.source.segment;
        const bool is_due = has_ended || (!segments_.empty() && first < segments_.back());
        if (is_due && !std::ranges::binary_search(segments_, first)) gone.insert(first);
    }
    for (std::uint32_t segment : gone)
        found.push_back(base::concat(segment, ".segment"));
    if (has_ended && !wanted_.empty() && gone.empty())
        found.push_back(base::concat("the end of what ", base::counted(wanted_.size(), "phase"), " wrote"));
    return found;
}

void LogsReader::note_end(std::uint64_t source) {
    auto found = wanted_.find(source);
    if (!std::ranges::all_of(found->second.has_ended, std::identity())) return;
    if (auto begin = begins_.find(found->second.source.segment); begin != begins_.end()) begins_.erase(begin);
    wanted_.erase(found);
}

// The numbers of the segments, in order.
base::Result<std::vector<std::uint32_t>> LogsReader::segments() {
    std::vector<std::uint32_t> found;
    std::error_code failed;
    std::filesystem::directory_iterator entries(directory_, failed);
    has_directory_ = !failed;
    for (const auto& entry : entries) {
        if (entry.path().extension() != ".segment") continue;
        if (auto number = base::parse_number<std::uint32_t>(entry.path().stem().string()))
            found.push_back(*number);
    }
    if (failed && failed != std::errc::no_such_file_or_directory)
        return base::Error{failed, base::concat("cannot list ", directory_, ": ", failed.message())};
    std::ranges::sort(found);
    return found;
}

std::string LogsReader::segment_path(std::uint32_t segment) const {
    return base::concat(directory_, "/", segment, ".segment");
}

}  // namespace kept_output
