#include "json_schema/sample_places.hpp"

#include <algorithm>
#include <iterator>
#include <regex>

namespace json_schema {

using json::View;

// In 2020-12, "prefixItems" and "items" have replaced the array form of "items" and "additionalItems".
std::optional<View> item_schema(View schema, std::size_t index) {
    auto first = schema.find("prefixItems");
    auto items = schema.find("items");
    auto others = items;
    if (!first && items && items->is(json::Kind::array)) {
        first = items;
        others = schema.find("additionalItems");
    }
    auto tuple = first ? first->elements() : std::vector<View>();
    return index < tuple.size() ? std::optional(tuple[index]) : others;
}

SchemaList item_schemas(const Facts& facts, std::size_t index, std::size_t size) {
    SchemaList wanted;
    for (View schema : facts.structures)
        if (auto own = item_schema(schema, index)) wanted.push_back(*own);
    std::size_t from_end = size - 1 - index;
    if (from_end < facts.of_array.contains.size()) wanted.push_back(facts.of_array.contains[from_end]);
    return wanted;
}

void add_name(std::vector<std::string>& names, std::string name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

std::vector<std::string> declared_names(const Facts& facts) {
    std::vector<std::string> names;
    for (View schema : facts.structures) {
        auto properties = schema.find("properties");
        if (!properties) continue;
        for (const json::Member& member : properties->members())
            if (!member.value.is(json::Kind::boolean) || member.value.boolean())
                add_name(names, member.key.string());
    }
    return names;
}

SchemaList member_schemas(View schema, const std::string& name) {
    SchemaList found;
    auto properties = schema.find("properties");
    if (auto own = properties ? properties->find(name) : std::nullopt) found.push_back(*own);
    if (auto patterns = schema.find("patternProperties"))
        for (const json::Member& member : patterns->members())
            if (std::regex_search(name, std::regex(member.key.string()))) found.push_back(member.value);
    auto others = schema.find("additionalProperties");
    if (others && found.empty()) found.push_back(*others);
    return found;
}

SchemaList member_schemas(const Facts& facts, const std::string& name) {
    SchemaList wanted;
    for (View schema : facts.structures)
        std::ranges::copy(member_schemas(schema, name), std::back_inserter(wanted));
    return wanted;
}

}  // namespace json_schema
