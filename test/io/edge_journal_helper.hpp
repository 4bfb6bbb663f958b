// Journals of an edge under test: a directory for one, random changes, what they lead to, and a disk that has
// a limit.
#pragma once

#include "edge_shell/journal.hpp"
#include "io_helper.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>

namespace test {

using Contents = std::map<std::string, std::string>;

struct JournalWorld {
    TemporaryDirectory temporary;
    io::Directory directory = *io::Directory::open(temporary.path());
    std::string name = "engine.notes";

    std::string path() const { return directory.path_of(name); }
    edge_shell::Journal open(const io::FileCalls& calls = io::FileCalls::real()) const {
        auto journal = edge_shell::Journal::open(directory, name, calls);
        REQUIRE(journal.has_value());
        return std::move(*journal);
    }
};

inline Contents contents_of(const edge_shell::Journal& journal) {
    Contents contents;
    for (const std::string& key : journal.keys())
        contents.emplace(key, journal.get(key).value());
    return contents;
}

struct Change {
    std::string key;
    std::optional<std::string> text;  // none: erased
};

// The same for the same arguments. Each text that is put is another one.
inline Change change(std::uint64_t seed, std::uint64_t number, std::uint64_t keys, std::size_t longest) {
    std::mt19937_64 random(seed * 1'000'003 + number);
    std::string key = "k" + std::to_string(random() % keys);
    if (random() % 3 == 0) return {std::move(key), std::nullopt};
    const auto letter = static_cast<char>('a' + random() % 26);
    return {std::move(key), std::to_string(number) + std::string(random() % (longest + 1), letter)};
}

inline void carry_out(edge_shell::Journal& journal, const Change& change) {
    if (change.text)
        journal.put(change.key, *change.text);
    else
        journal.erase(change.key);
}

// Whether something has changed.
inline bool carry_out(Contents& contents, const Change& change) {
    if (!change.text) return contents.erase(change.key) > 0;
    contents[change.key] = *change.text;
    return true;
}

// File calls of a disk with so much room: a write that does not fit is cut short, and without room it fails.
struct LimitedDisk {
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    std::size_t room = unlimited;  // bytes

    // The disk outlives them.
    io::FileCalls calls() {
        io::FileCalls calls = io::FileCalls::real();
        calls.write = [this](int fd, const void* data, std::size_t size) -> ssize_t {
            if (room == 0) {
                errno = ENOSPC;
                return -1;
            }
            const ssize_t written = ::write(fd, data, std::min(size, room));
            if (room != unlimited) room -= static_cast<std::size_t>(written);
            return written;
        };
        return calls;
    }
};

}  // namespace test
