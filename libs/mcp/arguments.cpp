#include "mcp/arguments.hpp"

#include "base/text.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <cmath>

namespace mcp {

using json::Kind;
using json::View;

namespace {

std::optional<std::int64_t> whole_number(View value) {
    if (!value.is(Kind::number)) return std::nullopt;
    if (auto integer = value.integer()) return integer;
    constexpr double most = 9e15;  // up to here a double has every whole number
    double number = value.number();
    if (std::trunc(number) != number || std::abs(number) > most) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::string shown(View value) {
    constexpr std::size_t longest = 40;
    return value.text().size() <= longest ? std::string(value.text()) : "something else";
}

}  // namespace

std::optional<View> Arguments::find(std::string_view name) const {
    auto found = object_.find(name);
    return found && !found->is(Kind::null) ? found : std::nullopt;
}

void Arguments::mistake(std::string_view name, std::string_view what) {
    mistakes_ += base::concat(mistakes_.empty() ? "" : "\n", "`", name, "` ", what, ".");
}

std::string Arguments::text(std::string_view name, std::string_view missing) {
    auto found = find(name);
    if (!found) return std::string(missing);
    if (found->is(Kind::string)) return found->string();
    mistake(name, "must be a string");
    return std::string(missing);
}

std::string Arguments::required_text(std::string_view name) {
    std::size_t before = mistakes_.size();
    std::string value = text(name, "");
    if (value.empty() && mistakes_.size() == before) mistake(name, "is required");
    return value;
}

std::string Arguments::choice(std::string_view name, std::span<const std::string_view> choices) {
    std::size_t before = mistakes_.size();
    std::string value = text(name, "");
    if (mistakes_.size() > before || value.empty() || std::ranges::find(choices, value) != choices.end())
        return value;
    mistake(name, base::concat("must be ", json::alternatives(choices)));
    return "";
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t least, std::int64_t most,
                                std::int64_t missing) {
    auto found = find(name);
    if (!found) return missing;
    auto value = whole_number(*found);
    if (value && *value >= least && *value <= most) return *value;
    std::string range = most == no_limit ? base::concat(", ", least, " or more")
                                         : base::concat(" from ", least, " to ", most);
    mistake(name, base::concat("must be a whole number", range, ", and is ", shown(*found)));
    return missing;
}

bool Arguments::flag(std::string_view name) {
    auto found = find(name);
    if (found && found->is(Kind::boolean)) return found->boolean();
    if (found) mistake(name, "must be true or false");
    return false;
}

std::vector<std::string> Arguments::texts(std::string_view name) {
    std::vector<std::string> values;
    auto found = find(name);
    if (!found) return values;
    bool is_list = found->is(Kind::array);
    for (View element : is_list ? found->elements() : std::vector<View>()) {
        is_list = is_list && element.is(Kind::string);
        if (is_list) values.push_back(element.string());
    }
    if (!is_list) mistake(name, "must be an array of strings");
    return values;
}

std::vector<std::int64_t> Arguments::integers(std::string_view name) {
    std::vector<std::int64_t> values;
    auto found = find(name);
    if (!found) return values;
    bool is_list = found->is(Kind::array);
    for (View element : is_list ? found->elements() : std::vector<View>()) {
        auto value = whole_number(element);
        is_list = is_list && value && *value >= 0;
        if (is_list) values.push_back(*value);
    }
    if (!is_list) mistake(name, "must be an array of whole numbers that are not negative");
    return values;
}

std::string Arguments::json(std::string_view name) const {
    auto found = object_.find(name);
    return found ? json::compact(*found) : "";
}

// Models often write JSON into a string.
std::string Arguments::inner_json(std::string_view name) const {
    auto found = object_.find(name);
    if (!found || !found->is(Kind::string)) return json(name);
    std::string text = found->string();
    auto inner = json::checked(text);
    return inner.has_value() ? json::compact(*inner) : json(name);
}

}  // namespace mcp
