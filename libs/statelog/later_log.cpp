#include "statelog/later_log.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace statelog {

namespace fs = std::filesystem;

namespace {

// Stops at the first difference: a config may be long, and most files differ early. If the earlier log has no
// checksums, the first line of the later one has an additional member.
bool begin_with_the_same_line(const fs::path& first, const fs::path& second) {
    std::ifstream one(first, std::ios::binary);
    std::ifstream other(second, std::ios::binary);
    char c = 0;
    for (; one.get(c) && other.peek() == std::char_traits<char>::to_int_type(c); other.get())
        if (c == '\n') return true;
    constexpr std::string_view checksum = R"(,"checksum":)";
    std::array<char, checksum.size()> rest{};
    return c == '}' && one.get() == '\n' && other.read(rest.data(), rest.size()) &&
           std::ranges::equal(rest, checksum);
}

// A log that goes on with another one has more than that. What has no more is a copy, or the log of a run
// that has done nothing.
bool has_nothing_more(const fs::path& log, const fs::path& other) {
    std::ifstream one(log, std::ios::binary);
    std::ifstream two(other, std::ios::binary);
    std::array<char, 65536> of_one{};
    std::array<char, 65536> of_two{};
    while (two.read(of_two.data(), of_two.size()) || two.gcount() > 0) {
        const std::streamsize size = two.gcount();
        one.read(of_one.data(), size);
        if (one.gcount() != size || !std::equal(of_two.begin(), of_two.begin() + size, of_one.begin()))
            return false;
    }
    return true;
}

// Left by a process that was killed before it could rename the file (io/new_file).
bool is_temporary(const fs::path& path) {
    return path.filename().string().starts_with('.') && path.extension() == ".tmp";
}

}  // namespace

std::optional<std::string> later_log(const std::string& path) {
    std::error_code failed;
    fs::path log = fs::absolute(path, failed);
    fs::file_time_type newest = fs::last_write_time(log, failed);
    if (failed) return std::nullopt;
    std::optional<std::string> found;
    for (fs::directory_iterator entry(log.parent_path(), failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code ignored;
        if (!entry->is_regular_file(ignored) || is_temporary(entry->path()) ||
            fs::equivalent(entry->path(), log, ignored))
            continue;
        fs::file_time_type written = entry->last_write_time(ignored);
        if (ignored || written < newest || !begin_with_the_same_line(log, entry->path()) ||
            has_nothing_more(log, entry->path()))
            continue;
        newest = written;
        found = entry->path().string();
    }
    return found;
}

}  // namespace statelog
