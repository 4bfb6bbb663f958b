#include "json_schema/text_places.hpp"

#include "json_schema/outline.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/sample_places.hpp"
#include "json_schema/value.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace json_schema {

namespace {

using json::Kind;
using json::View;

using Path = std::span<const std::string>;
using Excluded = std::optional<std::string>;

// What is looked for at the end of a path.
enum class Wanted { texts, text };

std::optional<std::size_t> index_of(const std::string& token) {
    if (token.empty() || token.size() > 9 || (token.size() > 1 && token.front() == '0')) return std::nullopt;
    if (!std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
    return std::stoul(token);
}

bool has(View value, Path path, Wanted wanted) {
    auto part = find_path(value, path);
    if (!part || part->is(Kind::string)) return part.has_value();
    if (wanted == Wanted::text || !part->is(Kind::array)) return false;
    auto items = part->elements();
    return std::ranges::all_of(items, [](View each) { return each.is(Kind::string); });
}

// Whether "type" leaves one of these.
bool allows_type(View schema, std::initializer_list<std::string_view> wanted) {
    auto type = schema.find("type");
    if (!type) return true;
    auto is_wanted = [&](View name) { return std::ranges::find(wanted, name.string()) != wanted.end(); };
    if (!type->is(Kind::array)) return is_wanted(*type);
    auto names = type->elements();
    return std::ranges::any_of(names, is_wanted);
}

class TextPlaces {
  public:
    explicit TextPlaces(View root) : outline_(outline(root)) {}

    Excluded look(View schema, Path path, Wanted wanted = Wanted::texts) const {
        if (schema.is(Kind::boolean)) return schema.boolean() ? Excluded() : pointer_of(schema);
        if (auto target = outline_.at(schema).target)
            if (auto found = look(outline_.subschemas[*target].view, path, wanted)) return found;
        if (auto found = in_parts(schema, path, wanted)) return found;
        if (auto found = in_values(schema, path, wanted)) return found;
        return path.empty() ? at_end(schema, wanted) : on_the_way(schema, path);
    }

  private:
    std::string pointer_of(View schema) const { return outline_.at(schema).pointer; }
    std::string keyword(View schema, std::string_view name) const {
        return extend_pointer(pointer_of(schema), name);
    }

    Excluded in_parts(View schema, Path path, Wanted wanted) const {
        if (auto all = schema.find("allOf"))
            for (View part : all->elements())
                if (auto found = look(part, path, wanted)) return found;
        for (std::string_view name : {"anyOf", "oneOf"}) {
            auto list = schema.find(name);
            if (!list) continue;
            auto parts = list->elements();
            auto excludes = [&](View part) { return look(part, path, wanted).has_value(); };
            if (std::ranges::all_of(parts, excludes)) return keyword(schema, name);
        }
        return std::nullopt;
    }

    Excluded in_values(View schema, Path path, Wanted wanted) const {
        auto constant = schema.find("const");
        if (constant && !has(*constant, path, wanted)) return keyword(schema, "const");
        auto list = schema.find("enum");
        if (!list) return std::nullopt;
        auto values = list->elements();
        bool may_have = std::ranges::any_of(values, [&](View value) { return has(value, path, wanted); });
        return may_have ? Excluded() : keyword(schema, "enum");
    }

    Excluded at_end(View schema, Wanted wanted) const {
        if (allows_type(schema, {"string"})) return std::nullopt;
        if (wanted == Wanted::text || !allows_type(schema, {"array"})) return keyword(schema, "type");
        auto first = item_schema(schema, 0);
        return first ? look(*first, {}, Wanted::text) : std::nullopt;
    }

    Excluded on_the_way(View schema, Path path) const {
        auto index = index_of(path.front());
        bool may_be_object = allows_type(schema, {"object"});
        bool may_be_array = index && allows_type(schema, {"array"});
        if (!may_be_object && !may_be_array) return keyword(schema, "type");
        auto in_array = may_be_array ? in_item(schema, *index, path) : std::nullopt;
        auto in_object = may_be_object ? in_member(schema, path) : std::nullopt;
        if ((may_be_array && !in_array) || (may_be_object && !in_object)) return std::nullopt;
        return in_object ? in_object : in_array;
    }

    Excluded in_member(View schema, Path path) const {
        for (View each : member_schemas(schema, path.front()))
            if (auto found = look(each, path.subspan(1))) return found;
        return std::nullopt;
    }

    Excluded in_item(View schema, std::size_t index, Path path) const {
        auto most = schema.find("maxItems");
        if (most && whole_number(*most).value_or(INT64_MAX) <= static_cast<std::int64_t>(index))
            return keyword(schema, "maxItems");
        auto item = item_schema(schema, index);
        return item ? look(*item, path.subspan(1)) : std::nullopt;
    }

    SchemaOutline outline_;
};

}  // namespace

std::optional<std::string> excludes_texts(const Schema& schema, Path path) {
    View root = View::of(schema.text());
    return TextPlaces(root).look(root, path);
}

}  // namespace json_schema
