// Values of an enumeration and their names in messages: an array of pairs. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace nats_engine {

// Empty if the table does not have it.
template<class Table, class Value>
std::string_view name_in(const Table& table, Value value) {
    for (const auto& [known, name] : table)
        if (known == value) return name;
    return {};
}

template<class Table>
auto value_in(const Table& table, std::string_view name) {
    std::optional<typename Table::value_type::first_type> found;
    for (const auto& [value, known] : table)
        if (known == name) found = value;
    return found;
}

}  // namespace nats_engine
