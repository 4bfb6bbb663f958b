// The members of an object that may be of any content: what is missing or of a wrong kind is as good as
// empty.
#pragma once

#include "json/json.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json {

struct LenientObject {
    std::optional<View> object;  // empty: there is no such object

    std::optional<View> of_kind(std::string_view name, Kind kind) const {
        auto value = object ? object->find(name) : std::nullopt;
        return value && value->is(kind) ? value : std::nullopt;
    }
    LenientObject in(std::string_view name) const { return {of_kind(name, Kind::object)}; }
    std::string text(std::string_view name) const {
        auto value = of_kind(name, Kind::string);
        return value ? value->string() : std::string();
    }
    std::int64_t number(std::string_view name, std::int64_t otherwise = 0) const {
        auto value = of_kind(name, Kind::number);
        return value ? value->integer().value_or(otherwise) : otherwise;
    }
    std::uint64_t count(std::string_view name) const {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(number(name), 0));
    }
    bool flag(std::string_view name) const {
        auto value = of_kind(name, Kind::boolean);
        return value && value->boolean();
    }
    std::vector<std::string> texts(std::string_view name) const {
        std::vector<std::string> found;
        if (auto value = of_kind(name, Kind::array))
            for (View element : value->elements())
                if (element.is(Kind::string)) found.push_back(element.string());
        return found;
    }
};

}  // namespace json
