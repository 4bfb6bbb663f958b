#include "runs/json_members.hpp"

namespace runs {

using json::Kind;
using json::View;

std::string string_in(View object, std::string_view name) {
    auto member = object.find(name);
    return member && member->is(Kind::string) ? member->string() : "";
}

std::optional<std::int64_t> number_in(View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(Kind::number)) return std::nullopt;
    return member->integer();
}

std::uint64_t count_in(View object, std::string_view name) {
    auto number = number_in(object, name).value_or(0);
    return number < 0 ? 0 : static_cast<std::uint64_t>(number);
}

bool flag_in(View object, std::string_view name) {
    auto member = object.find(name);
    return member && member->is(Kind::boolean) && member->boolean();
}

std::vector<std::string> strings_in(View object, std::string_view name) {
    std::vector<std::string> texts;
    auto member = object.find(name);
    if (!member || !member->is(Kind::array)) return texts;
    for (View element : member->elements())
        if (element.is(Kind::string)) texts.push_back(element.string());
    return texts;
}

std::string array_of(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) {
        if (out.size() > 1) out += ',';
        json::append_quoted(out, text);
    }
    return out + "]";
}

}  // namespace runs
