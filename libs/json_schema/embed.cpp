#include "json_schema/embed.hpp"

#include "base/character.hpp"
#include "base/text.hpp"
#include "json_schema/outline.hpp"

#include <algorithm>

namespace json_schema {

namespace {

using json::Kind;
using json::Member;
using json::View;

// `pointer` in the form used in URI fragments.
std::string as_fragment(std::string_view pointer) {
    constexpr std::string_view others = "/-._~!$&'()*+,;=:@";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (char c : pointer) {
        if (base::is_alphanumeric(c) || others.find(c) != others.npos) {
            out += c;
        } else {
            auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte / 16];
            out += digits[byte % 16];
        }
    }
    return out;
}

bool is_identity(View key) {
    return key.is_string("$schema") || key.is_string("$id") || key.is_string("id") ||
           key.is_string("$anchor");
}

class Embedder {
  public:
    Embedder(const SchemaOutline& outline, std::string_view pointer) : outline_(outline), pointer_(pointer) {}

    std::string copy(View value) const {
        if (value.is(Kind::object)) return copy_object(value);
        if (value.is(Kind::array)) return copy_array(value);
        return std::string(value.text());
    }

  private:
    std::string copy_array(View array) const {
        std::string out;
        for (View element : array.elements())
            out += base::concat(out.empty() ? "[" : ",", copy(element));
        return out.empty() ? "[]" : out + "]";
    }

    // Values of "const", "enum" and the like are no schemas, so their members are kept whatever their names.
    std::string copy_object(View object) const {
        auto subschema = outline_.by_place.find(object.text().data());
        bool is_schema = subschema != outline_.by_place.end();
        std::string out;
        for (const Member& member : object.members()) {
            if (is_schema && is_identity(member.key)) continue;
            bool is_reference = is_schema && member.key.is_string("$ref");
            out += base::concat(out.empty() ? "{" : ",", member.key.text(), ":",
                                is_reference ? reference(subschema->second) : copy(member.value));
        }
        return out.empty() ? "{}" : out + "}";
    }

    std::string reference(std::size_t from) const {
        const Subschema& target = outline_.subschemas[*outline_.subschemas[from].target];
        return json::quote(base::concat("#", pointer_, as_fragment(target.pointer)));
    }

    const SchemaOutline& outline_;
    std::string_view pointer_;
};

bool is_movable(const SchemaOutline& outline) {
    if (!outline.problems.empty()) return false;
    const char* own = outline.subschemas.front().document.text().data();
    bool uses_meta_schema = std::ranges::any_of(outline.subschemas, [&](const Subschema& subschema) {
        return subschema.document.text().data() != own;
    });
    bool has_old_limits = outline.draft == Draft::draft4 && (outline.used.contains("exclusiveMinimum") ||
                                                             outline.used.contains("exclusiveMaximum"));
    return !uses_meta_schema && !has_old_limits;
}

}  // namespace

std::optional<std::string> embedded(View schema, std::string_view pointer) {
    SchemaOutline outlined = outline(schema);
    if (!is_movable(outlined)) return std::nullopt;
    return Embedder(outlined, pointer).copy(schema);
}

}  // namespace json_schema
