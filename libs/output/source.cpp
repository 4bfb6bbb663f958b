#include "output/source.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

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

}  // namespace

std::string index_line(const Source& source) {
    std::string line = base::concat("{\"source\":", source.number, ",\"task\":", source.task, ",\"step\":");
    json::append_quoted(line, source.step);
    line += base::concat(",\"attempt\":", source.attempt, ",\"phase\":");
    json::append_quoted(line, source.phase);
    line += base::concat(",\"segment\":", source.segment, "}\n");
    return line;
}

std::optional<Source> parse_index_line(std::string_view line) {
    auto object = json::checked(line);
    if (!object || !object->is(json::Kind::object)) return std::nullopt;
    Source source;
    bool is_whole =
        read_number(*object, "source", source.number) && read_number(*object, "task", source.task) &&
        read_text(*object, "step", source.step) && read_number(*object, "attempt", source.attempt) &&
        read_text(*object, "phase", source.phase) && read_number(*object, "segment", source.segment);
    if (!is_whole) return std::nullopt;
    return source;
}

}  // namespace output
