#include "agent_driver/fields.hpp"

#include <algorithm>

namespace agent_driver {

using json::Kind;
using json::View;

std::optional<View> value_at(View object, Path path) {
    std::optional<View> value = object;
    for (std::string_view name : path)
        if (value) value = value->find(name);
    return value;
}

std::string string_at(View object, Path path) {
    auto value = value_at(object, path);
    return value && value->is(Kind::string) ? value->string() : "";
}

std::optional<std::int64_t> integer_at(View object, Path path) {
    auto value = value_at(object, path);
    return value && value->is(Kind::number) ? value->integer() : std::nullopt;
}

std::optional<double> number_at(View object, Path path) {
    auto value = value_at(object, path);
    if (!value || !value->is(Kind::number)) return std::nullopt;
    return value->number();
}

std::uint64_t count_at(View object, Path path) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, integer_at(object, path).value_or(0)));
}

bool is_true_at(View object, Path path) {
    auto value = value_at(object, path);
    return value && value->is(Kind::boolean) && value->boolean();
}

std::vector<View> elements_at(View object, Path path) {
    auto value = value_at(object, path);
    return value && value->is(Kind::array) ? value->elements() : std::vector<View>();
}

}  // namespace agent_driver
