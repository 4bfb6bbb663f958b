#include "json/byte_members.hpp"

#include "base/hex.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <optional>

namespace json {

namespace {

std::string hex_name(std::string_view name) {
    return base::concat(name, "_hex");
}

std::string array_of(const std::vector<std::string>& texts, bool is_hex) {
    std::string out = "[";
    for (const std::string& text : texts) {
        if (out.size() > 1) out += ',';
        append_quoted(out, is_hex ? base::to_hex(text) : text);
    }
    return out + "]";
}

}  // namespace

std::string byte_member(std::string_view name, std::string_view bytes) {
    std::string text = base::concat("\"", name, "\":", quote(bytes));
    if (invalid_utf8(bytes)) text += base::concat(",\"", name, "_hex\":\"", base::to_hex(bytes), "\"");
    return text;
}

base::Result<std::string> bytes_of_hex(View hex, std::string_view name) {
    auto bytes = hex.is(Kind::string) ? base::from_hex(hex.string()) : std::nullopt;
    if (bytes) return std::move(*bytes);
    return base::invalid(
        base::concat("has a \"", name, "_hex\" that is not the bytes of a text in hexadecimal"));
}

base::Result<std::string> bytes_in(View object, std::string_view name) {
    if (auto hex = object.find(hex_name(name))) return bytes_of_hex(*hex, name);
    auto member = object.find(name);
    return member && member->is(Kind::string) ? member->string() : std::string();
}

std::string byte_array_member(std::string_view name, const std::vector<std::string>& texts) {
    std::string text = base::concat("\"", name, "\":", array_of(texts, false));
    auto is_invalid = [](const std::string& one) { return invalid_utf8(one).has_value(); };
    if (std::ranges::any_of(texts, is_invalid))
        text += base::concat(",\"", name, "_hex\":", array_of(texts, true));
    return text;
}

base::Result<std::vector<std::string>> byte_array_in(View object, std::string_view name) {
    std::vector<std::string> texts;
    auto hex = object.find(hex_name(name));
    auto member = hex ? hex : object.find(name);
    if (!member || !member->is(Kind::array)) return texts;
    for (View element : member->elements()) {
        auto bytes = hex ? bytes_of_hex(element, name) : base::Result<std::string>(std::string());
        if (!bytes) return bytes.error();
        if (!hex && !element.is(Kind::string)) continue;
        texts.push_back(hex ? std::move(*bytes) : element.string());
    }
    return texts;
}

}  // namespace json
