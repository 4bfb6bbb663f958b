// Entries of a key and a text in a file, for the next process: appended to it, and read when it is opened.
// They survive a SIGKILL at any moment, as soon as flush() has written them. Nothing is synced: they may not
// survive a power failure. The texts stay on the disk, the keys and their places are in memory.
//
// When most of a large file is out of date, it is written anew under another name and replaced. That takes
// time in proportion to what is still valid, and follows at least as many bytes of changes.
//
// Blocking. One process at a time; the lock that says so is the caller's.
#pragma once

#include "base/error.hpp"
#include "edge_shell/journal_lines.hpp"
#include "io/directory.hpp"
#include "io/file_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace edge_shell {

class Journal {
  public:
    // Reads what an earlier process has left, or creates the file with mode 0600. A last line that is
    // incomplete, because that process was killed while it wrote, is dropped. Damaged lines are skipped with
    // a warning: then an entry may be missing, or have an earlier text, or be there although it was erased.
    // `directory` outlives the journal.
    static base::Result<Journal> open(const io::Directory& directory, std::string name,
                                      const io::FileCalls& calls = io::FileCalls::real());

    // The keys in alphabetical order.
    std::vector<std::string> keys() const;
    bool contains(std::string_view key) const { return entries_.contains(key); }
    // The text of the entry, which exists. Fails if the file cannot be read.
    base::Result<std::string> get(std::string_view key) const;

    // Changes take effect at once for get(), and are on the disk after flush(). `key`: see is_journal_key();
    // `text`: one line. Anything else is a bug.
    void put(std::string_view key, std::string_view text);
    // No effect if there is no such entry.
    void erase(std::string_view key);

    // Writes the changes since the last flush(), with one call. After an error they are kept for the next
    // one, and the file has all entries that it had before, and perhaps the first of the changes. A file that
    // was removed is written again. Without changes, does nothing.
    base::Result<void> flush();

    // Bytes that the changes occupy in memory. With a disk that stays full, it is at most about twice what is
    // needed of them, and 1 MiB.
    std::size_t pending_bytes() const { return pending_.size(); }

  private:
    // Its offset is the one in the file after the next flush(): from size_ on, the line is in pending_.
    struct Entry {
        JournalPlace place;
        bool has_older = false;  // an earlier line of the key may be in the file
    };
    struct KeyHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
    };
    using Entries = std::unordered_map<std::string, Entry, KeyHash, std::equal_to<>>;

    Journal(const io::Directory& directory, std::string name, io::FileCalls calls)
        : directory_(&directory), name_(std::move(name)), calls_(std::move(calls)) {}

    base::Result<void> read();
    void report_damage(const JournalReader& reader) const;
    bool is_in_file(const Entry& entry) const { return entry.has_older || entry.place.offset < size_; }
    base::Result<void> read(JournalPlace place, std::string& out) const;

    base::Result<void> append();
    void keep_rest(std::size_t done);
    void squeeze();
    bool was_removed() const;
    bool is_worth_rewriting() const;
    base::Result<void> rewrite();
    base::Result<void> write_entries(int fd, const std::vector<Entry*>& sorted) const;
    std::vector<Entry*> entries_by_place();

    const io::Directory* directory_;
    std::string name_;
    io::FileCalls calls_;
    io::UniqueFd file_;  // its position is size_
    std::uint64_t size_ = 0;
    std::string pending_;  // what follows in the file
    Entries entries_;
    std::uint64_t valid_bytes_ = 0;  // of the lines of entries_
    // Keys that were erased since pending_ was empty, and of which a line may be in the file.
    std::set<std::string, std::less<>> erased_;
    bool is_in_line_ = false;          // the file ends within a line, whose rest begins pending_
    std::size_t squeeze_at_ = 0;       // when pending_ is as long
    std::uint64_t rewrite_above_ = 0;  // bytes of the file
};

}  // namespace edge_shell
