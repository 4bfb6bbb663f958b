#include "json_schema/pointer.hpp"

#include <algorithm>
#include <charconv>

namespace json_schema {

namespace {

using json::Kind;
using json::View;

std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const char* digits = text.data() + i + 1;
        bool encoded = text[i] == '%' && i + 2 < text.size() &&
                       std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        out += encoded ? static_cast<char>(static_cast<unsigned char>(byte)) : text[i];
        if (encoded) i += 2;
    }
    return out;
}

std::string unescaped_token(std::string_view token) {
    std::string out;
    for (std::size_t i = 0; i < token.size(); ++i) {
        bool escaped = token[i] == '~' && i + 1 < token.size();
        if (escaped) ++i;
        out += !escaped ? token[i] : token[i] == '1' ? '/' : '~';
    }
    return out;
}

// Whether a ~ stands for nothing: it is followed by neither 0 nor 1.
bool has_bare_tilde(std::string_view token) {
    for (std::size_t at = token.find('~'); at != token.npos; at = token.find('~', at + 1))
        if (at + 1 == token.size() || (token[at + 1] != '0' && token[at + 1] != '1')) return true;
    return false;
}

std::optional<View> element_at(View array, const std::string& index) {
    std::size_t i = 0;
    auto parsed = std::from_chars(index.data(), index.data() + index.size(), i);
    auto elements = array.elements();
    if (parsed.ec != std::errc() || parsed.ptr != index.data() + index.size() || i >= elements.size()) {
        return std::nullopt;
    }
    return elements[i];
}

}  // namespace

std::string extend_pointer(std::string_view pointer, std::string_view name) {
    std::string out(pointer);
    out += '/';
    for (char c : name) {
        if (c == '~' || c == '/') {
            out += c == '~' ? "~0" : "~1";
        } else {
            out += c;
        }
    }
    return out;
}

std::optional<View> resolve_pointer(View root, std::string_view pointer) {
    std::optional<View> at = root;
    while (at && !pointer.empty()) {
        if (pointer.front() != '/') return std::nullopt;
        std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        std::string token = unescaped_token(percent_decoded(pointer.substr(1, end - 1)));
        pointer.remove_prefix(end);
        at = at->is(Kind::array) ? element_at(*at, token) : at->find(token);
    }
    return at;
}

std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer) {
    std::vector<std::string> tokens;
    while (!pointer.empty()) {
        std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        std::string_view token = pointer.substr(1, end - 1);
        if (pointer.front() != '/' || has_bare_tilde(token)) return std::nullopt;
        tokens.push_back(unescaped_token(token));
        pointer.remove_prefix(end);
    }
    return tokens;
}

std::optional<View> find_path(View root, std::span<const std::string> tokens) {
    std::optional<View> at = root;
    for (const std::string& token : tokens) {
        bool is_array = at->is(Kind::array);
        if (is_array && token.size() > 1 && token.front() == '0') return std::nullopt;  // no index
        at = is_array ? element_at(*at, token) : at->find(token);
        if (!at) break;
    }
    return at;
}

View follow_path(View root, std::span<const std::string> path) {
    View at = root;
    for (const std::string& token : path) {
        std::optional<View> part = at.is(Kind::array) ? element_at(at, token) : at.find(token);
        if (!part) break;
        at = *part;
    }
    return at;
}

std::optional<std::string> keyword_pointer(View schema, std::span<const std::string> path,
                                           std::string_view keyword) {
    View at = schema;
    std::string pointer;
    for (const std::string& token : path) {
        auto properties = at.find("properties");
        auto first = at.find("prefixItems");
        auto items = at.find("items");
        if (auto property = properties ? properties->find(token) : std::nullopt) {
            pointer = extend_pointer(extend_pointer(pointer, "properties"), token);
            at = *property;
        } else if (auto item = first ? element_at(*first, token) : std::nullopt) {
            pointer = extend_pointer(extend_pointer(pointer, "prefixItems"), token);
            at = *item;
        } else if (items && items->is(Kind::object)) {
            pointer += "/items";
            at = *items;
        } else {
            return std::nullopt;
        }
    }
    if (!at.find(keyword)) return std::nullopt;
    return extend_pointer(pointer, keyword);
}

}  // namespace json_schema
