#include "json_schema/translate.hpp"

#include "base/text.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/rules.hpp"
#include "json_schema/value.hpp"

#include <set>

namespace json_schema {

namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;
using json::Kind;
using json::View;

class Translator {
  public:
    explicit Translator(const SchemaOutline& outline) : outline_(outline) {}

    value run() {
        value root = schema(outline_.subschemas.front().view);
        if (!root.is_object()) return root;
        object definitions;
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

    value schema(View view) const {
        if (view.is(Kind::boolean)) return view.boolean();
        if (auto target = outline_.at(view).target) {
            object reference;
            reference["$ref"] = base::concat("#/definitions/", *target);
            return reference;
        }
        object out;
        for (const json::Member& member : view.members()) {
            std::string name = member.key.string();
            const Keyword& keyword = *find_keyword(name);
            if (keyword.use == Use::rule) add_rule(out, view, name, member.value);
            if (keyword.use == Use::constraint) out[name] = constraint(keyword.shape, member.value);
        }
        return out;
    }

    // In draft-04, "exclusiveMinimum": true says how "minimum" is meant; later, the two stand for themselves.
    void add_rule(object& out, View schema, const std::string& name, View keyword) const {
        bool tells_how = name.starts_with("exclusive") && keyword.is(Kind::boolean);
        if (tells_how) return;
        std::string exclusive = name == "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
        bool is_limit = name == "minimum" || name == "maximum";
        auto how = is_limit ? schema.find(exclusive) : std::nullopt;
        bool is_exclusive = how && how->is(Kind::boolean) && how->boolean();
        out[rule_name(is_exclusive ? exclusive : name)] =
            rule_value(keyword, extend_pointer(outline_.at(schema).pointer, name));
    }

    value constraint(Shape shape, View view) const {
        switch (shape) {
            case Shape::schema:
            case Shape::schema_or_boolean:
            case Shape::schemas:
            case Shape::items:
                return view.is(Kind::array) ? schemas(view) : schema(view);
            case Shape::schema_map:
            case Shape::pattern_map:
            case Shape::dependencies:
                return schema_map(view);
            default:
                return to_value(view);
        }
    }

    value schemas(View view) const {
        array out;
        for (View element : view.elements())
            out.push_back(schema(element));
        return out;
    }

    value schema_map(View view) const {
        object out;
        for (const json::Member& member : view.members()) {
            bool is_list = member.value.is(Kind::array);  // of names, in dependencies
            out[member.key.string()] = is_list ? to_value(member.value) : schema(member.value);
        }
        return out;
    }

    const SchemaOutline& outline_;
};

}  // namespace

value translate(const SchemaOutline& outline) {
    return Translator(outline).run();
}

}  // namespace json_schema
