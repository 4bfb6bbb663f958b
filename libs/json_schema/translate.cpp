#include "json_schema/translate.hpp"

#include "base/text.hpp"
#include "json_schema/formats.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/rules.hpp"
#include "json_schema/value.hpp"

#include <set>

namespace json_schema {

namespace {

using Array = boost::json::array;
using Object = boost::json::object;
using Value = boost::json::value;
using json::Kind;
using json::View;

class Translator {
  public:
    explicit Translator(const SchemaOutline& outline) : outline_(outline) {}

    Value run(View part) {
        Value root = schema(part);
        if (!root.is_object()) return root;
        Object definitions;
        for (std::size_t target : targets()) {
            definitions[std::to_string(target)] = schema(outline_.subschemas[target].view);
        }
        root.get_object()["definitions"] = std::move(definitions);
        return root;
    }

  private:
    std::set<std::size_t> targets() const {
        std::set<std::size_t> found;
        for (const Subschema& subschema : outline_.subschemas) {
            if (subschema.target) found.insert(*subschema.target);
        }
        return found;
    }

    Value schema(View view) const {
        if (view.is(Kind::boolean)) return view.boolean();
        Object out;
        Array also;  // schemas that the value must satisfy as well
        for (const json::Member& member : view.members())
            add_keyword(out, also, view, member);
        if (auto target = outline_.at(view).target) {
            Object reference;
            reference["$ref"] = base::concat("#/definitions/", *target);
            if (out.empty()) return reference;
            also.push_back(std::move(reference));
        }
        if (also.empty()) return out;
        Array& all = out["allOf"].is_array() ? out["allOf"].get_array() : out["allOf"].emplace_array();
        all.insert(all.end(), also.begin(), also.end());
        return out;
    }

    void add_keyword(Object& out, Array& also, View schema, const json::Member& member) const {
        std::string name = member.key.string();
        const Keyword& keyword = *find_keyword(name);
        bool is_note = name == "format" && !find_format(member.value.string());
        if (keyword.use == Use::rule && !is_note) add_rule(out, schema, name, member.value);
        if (keyword.use != Use::constraint || name == "$ref") return;
        std::string word = word_of_draft7(schema, name);
        Value translated = constraint(keyword.shape, member.value);
        if (out.contains(word))
            also.push_back(Object{{word, std::move(translated)}});
        else
            out[word] = std::move(translated);
    }

    static std::string word_of_draft7(View schema, const std::string& name) {
        if (name == "prefixItems") return "items";
        if (name == "items" && schema.find("prefixItems")) return "additionalItems";
        return name.starts_with("dependent") ? "dependencies" : name;
    }

    // In draft-04, "exclusiveMinimum": true modifies "minimum"; later the two are independent.
    void add_rule(Object& out, View schema, const std::string& name, View keyword) const {
        bool tells_how = name.starts_with("exclusive") && keyword.is(Kind::boolean);
        if (tells_how) return;
        std::string exclusive = name == "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
        bool is_limit = name == "minimum" || name == "maximum";
        auto how = is_limit ? schema.find(exclusive) : std::nullopt;
        bool is_exclusive = how && how->is(Kind::boolean) && how->boolean();
        out[rule_name(is_exclusive ? exclusive : name)] =
            rule_value(keyword, extend_pointer(outline_.at(schema).pointer, name));
    }

    Value constraint(Shape shape, View view) const {
        switch (shape) {
            case Shape::schema:
            case Shape::schema_or_boolean:
            case Shape::schemas:
            case Shape::items:
                return view.is(Kind::array) ? schemas(view) : schema(view);
            case Shape::schema_map:
            case Shape::pattern_map:
            case Shape::dependencies:
            case Shape::string_lists:
                return schema_map(view);
            default:
                return to_value(view);
        }
    }

    Value schemas(View view) const {
        Array out;
        for (View element : view.elements())
            out.push_back(schema(element));
        return out;
    }

    Value schema_map(View view) const {
        Object out;
        for (const json::Member& member : view.members()) {
            bool is_list = member.value.is(Kind::array);  // of names, in dependencies
            out[member.key.string()] = is_list ? to_value(member.value) : schema(member.value);
        }
        return out;
    }

    const SchemaOutline& outline_;
};

}  // namespace

boost::json::value translate(const SchemaOutline& outline, View part) {
    return Translator(outline).run(part);
}

}  // namespace json_schema
