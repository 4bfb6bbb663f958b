#include "edge_shell/journal.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "io/log.hpp"
#include "io/trust.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace edge_shell {

namespace {

constexpr std::size_t smallest_rewritten = std::size_t{1} << 20;  // bytes of a file
constexpr std::size_t piece_size = std::size_t{1} << 20;

std::string new_name(const std::string& name) {
    return name + ".new";
}

base::Result<io::UniqueFd> open_own(const io::Directory& directory, const std::string& name, int flags) {
    constexpr int always = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    io::UniqueFd fd(::openat(directory.fd(), name.c_str(), always | flags, 0600));
    const std::string path = directory.path_of(name);
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) return base::system_error(base::concat("cannot open ", path));
    if (!io::is_own_file(status)) return io::not_own_file(status, path);
    if ((status.st_mode & 07777) != 0600 && ::fchmod(fd.get(), 0600) != 0)
        return base::system_error(base::concat("cannot set the mode of ", path));
    return fd;
}

}  // namespace

base::Result<Journal> Journal::open(const io::Directory& directory, std::string name,
                                    const io::FileCalls& calls) {
    if (auto removed = directory.remove(new_name(name)); removed.has_error()) return removed.error();
    auto file = open_own(directory, name, 0);
    if (file.has_error()) return file.error();
    Journal journal(directory, std::move(name), calls);
    journal.file_ = std::move(*file);
    if (auto read = journal.read(); read.has_error())
        return base::with_context(directory.path_of(journal.name_), read.error());
    return journal;
}

base::Result<void> Journal::read() {
    JournalReader reader;
    auto length = io::read_pieces(file_.get(), {}, [&](std::string_view piece) {
        reader.add(piece);
        return base::Result<void>();
    });
    if (length.has_error()) return length.error();
    size_ = reader.size();
    const auto end = static_cast<off_t>(size_);
    if (*length > size_ && ::ftruncate(file_.get(), end) != 0)
        return base::system_error("cannot remove the incomplete line at its end");
    if (::lseek(file_.get(), end, SEEK_SET) < 0) return base::system_error("cannot seek");
    for (const auto& [key, place] : reader.places()) {
        entries_.emplace(key, Entry{place});
        valid_bytes_ += place.size;
    }
    report_damage(reader);
    return {};
}

void Journal::report_damage(const JournalReader& reader) const {
    if (reader.damaged() == 0) return;
    io::log::warn(directory_->path_of(name_), ": ", base::counted(reader.damaged(), "line"),
                  reader.damaged() == 1 ? " is damaged and was skipped: line "
                                        : " are damaged and were skipped, the first is line ",
                  reader.first_damaged(), "; what they said is lost");
}

std::vector<std::string> Journal::keys() const {
    std::vector<std::string> keys;
    keys.reserve(entries_.size());
    for (const auto& [key, entry] : entries_)
        keys.push_back(key);
    std::ranges::sort(keys);
    return keys;
}

base::Result<std::string> Journal::get(std::string_view key) const {
    auto entry = entries_.find(key);
    if (entry == entries_.end()) throw std::out_of_range("no such entry in the journal");
    std::string line;
    if (auto done = read(entry->second.place, line); done.has_error())
        return base::with_context(directory_->path_of(name_), done.error());
    return std::string(text_of_put(line, key));
}

// Appends the bytes of that place, which may begin in the file and end in pending_.
base::Result<void> Journal::read(JournalPlace place, std::string& out) const {
    const std::size_t begin = out.size();
    std::size_t in_file = 0;
    if (place.offset < size_) in_file = std::min<std::uint64_t>(place.size, size_ - place.offset);
    out.resize(begin + in_file);
    for (std::size_t done = 0; done < in_file;) {
        const ssize_t got = ::pread(file_.get(), out.data() + begin + done, in_file - done,
                                    static_cast<off_t>(place.offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return base::system_error("cannot read it", got < 0 ? errno : EIO);
        done += static_cast<std::size_t>(got);
    }
    const std::uint64_t from = std::max(place.offset, size_) - size_;
    if (in_file < place.size) out.append(pending_, from, place.size - in_file);
    return {};
}

void Journal::put(std::string_view key, std::string_view text) {
    if (!is_journal_key(key) || text.find('\n') != text.npos)
        throw std::invalid_argument("not a line of a journal");
    const std::size_t begin = pending_.size();
    append_put(pending_, key, text);
    const JournalPlace place{size_ + begin, pending_.size() - begin};
    auto [found, is_new] = entries_.try_emplace(std::string(key));
    Entry& entry = found->second;
    if (!is_new) valid_bytes_ -= entry.place.size;
    valid_bytes_ += place.size;
    entry = {place, !is_new && is_in_file(entry)};
    if (pending_.size() >= std::max(squeeze_at_, smallest_rewritten)) squeeze();
}

void Journal::erase(std::string_view key) {
    auto entry = entries_.find(key);
    if (entry == entries_.end()) return;
    if (is_in_file(entry->second)) erased_.emplace(key);
    valid_bytes_ -= entry->second.place.size;
    entries_.erase(entry);
    append_erase(pending_, key);
    if (pending_.size() >= std::max(squeeze_at_, smallest_rewritten)) squeeze();
}

base::Result<void> Journal::flush() {
    if (pending_.empty()) return {};
    const bool is_missing = was_removed();
    if (!is_missing && !is_worth_rewriting()) return append();
    auto rewritten = rewrite();
    if (rewritten.has_value() || is_missing) return rewritten;
    rewrite_above_ = size_ + pending_.size() + std::max<std::uint64_t>(valid_bytes_, smallest_rewritten);
    io::log::warn(rewritten.error().message, "; the file grows until it can be written anew");
    return append();
}

// After an error, pending_ begins with the rest of a line, which completes what was written.
base::Result<void> Journal::append() {
    auto written = io::write_all(calls_, file_.get(), pending_);
    if (written.has_error()) {
        const off_t position = ::lseek(file_.get(), 0, SEEK_CUR);
        const std::size_t done = static_cast<std::uint64_t>(position) - size_;
        size_ += done;
        if (done > 0) keep_rest(done);
        return base::with_context(directory_->path_of(name_), written.error());
    }
    size_ += pending_.size();
    pending_.clear();
    erased_.clear();
    is_in_line_ = false;
    squeeze_at_ = 0;
    return {};
}

// `done` bytes of pending_ were written: keys of which no line was in the file may have one now.
void Journal::keep_rest(std::size_t done) {
    is_in_line_ = pending_[done - 1] != '\n';
    JournalReader reader;
    reader.add(std::string_view(pending_).substr(0, is_in_line_ ? pending_.find('\n', done) + 1 : done));
    for (const auto& [key, place] : reader.places()) {
        auto entry = entries_.find(key);
        if (entry == entries_.end())
            erased_.insert(key);
        else
            entry->second.has_older = true;
    }
    pending_.erase(0, done);
}

// Leaves out of pending_ what later changes have made void, so that a full disk doesn't fill the memory.
void Journal::squeeze() {
    std::string left = is_in_line_ ? pending_.substr(0, pending_.find('\n') + 1) : "";
    for (const std::string& key : erased_)
        if (!entries_.contains(key)) append_erase(left, key);
    for (auto& [key, entry] : entries_) {
        if (entry.place.offset < size_) continue;
        const std::uint64_t offset = size_ + left.size();
        left.append(pending_, entry.place.offset - size_, entry.place.size);
        entry.place.offset = offset;
    }
    pending_ = std::move(left);
    squeeze_at_ = 2 * pending_.size();
}

bool Journal::was_removed() const {
    struct stat status {};
    return ::fstat(file_.get(), &status) == 0 && status.st_nlink == 0;
}

bool Journal::is_worth_rewriting() const {
    const std::uint64_t size = size_ + pending_.size();
    return size > std::max<std::uint64_t>(rewrite_above_, smallest_rewritten) && valid_bytes_ < size / 2;
}

base::Result<void> Journal::rewrite() {
    const std::string temporary = new_name(name_);
    if (auto removed = directory_->remove(temporary); removed.has_error()) return removed;
    auto file = open_own(*directory_, temporary, O_EXCL);
    if (file.has_error()) return file.error();
    const std::vector<Entry*> sorted = entries_by_place();
    auto done = write_entries(file->get(), sorted);
    if (done.has_value() && calls_.replace(directory_->fd(), temporary.c_str(), name_.c_str()) != 0)
        done = base::system_error("cannot replace it");
    if (done.has_error()) {
        (void)directory_->remove(temporary);
        return base::with_context(
            base::concat("cannot write ", directory_->path_of(name_), " without what is out of date"),
            done.error());
    }
    file_ = std::move(*file);
    size_ = 0;
    for (Entry* entry : sorted) {
        *entry = {{size_, entry->place.size}};
        size_ += entry->place.size;
    }
    pending_.clear();
    erased_.clear();
    is_in_line_ = false;
    squeeze_at_ = rewrite_above_ = 0;
    return {};
}

std::vector<Journal::Entry*> Journal::entries_by_place() {
    std::vector<Entry*> sorted;
    sorted.reserve(entries_.size());
    for (auto& [key, entry] : entries_)
        sorted.push_back(&entry);
    std::ranges::sort(sorted, {}, [](const Entry* entry) { return entry->place.offset; });
    return sorted;
}

// Neighbours are read together, and about a piece is written together.
base::Result<void> Journal::write_entries(int fd, const std::vector<Entry*>& sorted) const {
    std::string text;
    for (auto at = sorted.begin(); at != sorted.end();) {
        JournalPlace range = (*at)->place;
        for (++at; at != sorted.end() && (*at)->place.offset == range.offset + range.size; ++at) {
            if (range.size >= piece_size) break;
            range.size += (*at)->place.size;
        }
        if (auto done = read(range, text); done.has_error()) return done;
        if (text.size() < piece_size && at != sorted.end()) continue;
        if (auto done = io::write_all(calls_, fd, text); done.has_error()) return done;
        text.clear();
    }
    return {};
}

}  // namespace edge_shell
