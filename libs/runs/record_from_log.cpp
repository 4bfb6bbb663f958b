#include "runs/record_from_log.hpp"

#include "json/byte_members.hpp"
#include "json/json.hpp"
#include "runs/json_members.hpp"

#include <algorithm>
#include <utility>

namespace runs {

std::optional<RunRecord> record_from_log(std::string_view line) {
    auto object = json::checked(line);
    if (!object || !object->is(json::Kind::object) || string_in(*object, "kind") != "Config")
        return std::nullopt;
    RunRecord record;
    record.id = string_in(*object, "run_id");
    if (auto directory = json::bytes_in(*object, "directory")) record.directory = std::move(*directory);
    record.started = Time(std::chrono::milliseconds(number_in(*object, "time").value_or(0)));
    return record;
}

bool is_run_id(std::string_view name) {
    constexpr std::string_view pattern = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    auto fits = [](char c, char wanted) {
        bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        return wanted == 'x' ? is_digit : c == wanted;
    };
    return name.size() == pattern.size() && std::ranges::equal(name, pattern, fits);
}

}  // namespace runs
