#include "pool_protocol/names.hpp"

#include "base/character.hpp"

#include <algorithm>
#include <array>

namespace pool_protocol {

namespace {

// Which characters an id may contain after its first. A table, because every name in the directories is
// checked.
using CharacterSet = std::array<bool, 256>;

constexpr CharacterSet alphanumeric_and(std::string_view more) {
    CharacterSet set{};
    for (unsigned c = 0; c < set.size(); ++c)
        set[c] = base::is_alphanumeric(static_cast<char>(c)) || more.find(static_cast<char>(c)) != more.npos;
    return set;
}

constexpr CharacterSet in_id = alphanumeric_and("._-");
constexpr CharacterSet in_pool_id = alphanumeric_and("_-");

bool matches(std::string_view id, std::size_t longest, const CharacterSet& inside) {
    if (id.empty() || id.size() > longest || !base::is_alphanumeric(id.front())) return false;
    return std::all_of(id.begin(), id.end(), [&](char c) { return inside[static_cast<unsigned char>(c)]; });
}

constexpr std::array<std::string_view, 6> suffixes{".ready.json",    ".task.json",   ".request.json",
                                                   ".response.json", ".schema.json", ".report.json"};

}  // namespace

bool is_id(std::string_view id) {
    return matches(id, 200, in_id);
}

bool is_pool_id(std::string_view id) {
    return matches(id, 64, in_pool_id);
}

bool is_failure_name(std::string_view name) {
    return matches(name, 64, in_pool_id);
}

FileNameText file_name(std::string_view id, FileKind kind) {
    return {id, suffixes[static_cast<std::size_t>(kind)]};
}

std::optional<FileName> parse_file_name(std::string_view name) {
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
        if (!name.ends_with(suffixes[i])) continue;
        std::string_view id = name.substr(0, name.size() - suffixes[i].size());
        if (is_id(id)) return FileName{id, static_cast<FileKind>(i)};
    }
    return std::nullopt;
}

}  // namespace pool_protocol
