#include "output/source.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "output/checksum_text.hpp"

#include <concepts>
#include <limits>

namespace output {

namespace {

template<std::integral Number>
bool read_number(json::View object, std::string_view name, Number& number) {
    auto value = object.find(name);
    if (!value || !value->is(json::Kind::number)) return false;
    auto found = value->integer();
    if (!found || *found < 0) return false;
    if (static_cast<std::uint64_t>(*found) > std::numeric_limits<Number>::max()) return false;
    number = static_cast<Number>(*found);
    return true;
}

bool read_text(json::View object, std::string_view name, std::string& text) {
    auto value = object.find(name);
    if (!value || !value->is(json::Kind::string)) return false;
    text = value->string();
    return true;
}

constexpr std::string_view checksum_begin = ",\"checksum\":\"";
constexpr std::string_view checksum_end = "\"}";

std::string checksum_of(std::string_view members) {
    auto digits = checksum_text(members, "");
    return {digits.begin(), digits.end()};
}

// A line without one is of an earlier version.
bool has_wrong_checksum(std::string_view line) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    constexpr std::size_t size = checksum_begin.size() + checksum_digits + checksum_end.size();
    if (line.size() < size) return false;
    std::string_view found = line.substr(line.size() - size);
    if (!found.starts_with(checksum_begin) || !found.ends_with(checksum_end)) return false;
    return found.substr(checksum_begin.size(), checksum_digits) !=
           checksum_of(line.substr(0, line.size() - size));
}

}  // namespace

std::string index_line(const Source& source) {
    std::string line = base::concat("{\"source\":", source.number, ",\"task\":", source.task, ",\"step\":");
    json::append_quoted(line, source.step);
    line += base::concat(",\"attempt\":", source.attempt, ",\"phase\":");
    json::append_quoted(line, source.phase);
    line += base::concat(",\"segment\":", source.segment);
    if (source.limit) line += base::concat(",\"limit\":", *source.limit);
    line += base::concat(checksum_begin, checksum_of(line), checksum_end, "\n");
    return line;
}

std::optional<Source> parse_index_line(std::string_view line) {
    if (has_wrong_checksum(line)) return std::nullopt;
    auto object = json::checked(line);
    if (!object || !object->is(json::Kind::object)) return std::nullopt;
    Source source;
    bool is_whole =
        read_number(*object, "source", source.number) && read_number(*object, "task", source.task) &&
        read_text(*object, "step", source.step) && read_number(*object, "attempt", source.attempt) &&
        read_text(*object, "phase", source.phase) && read_number(*object, "segment", source.segment);
    if (!is_whole) return std::nullopt;
    if (std::uint64_t limit = 0; read_number(*object, "limit", limit)) source.limit = limit;
    return source;
}

}  // namespace output
