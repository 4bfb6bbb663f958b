#include "json_schema/outline.hpp"

#include "base/suggest.hpp"
#include "base/text.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/shape.hpp"

#include <algorithm>
#include <set>

namespace json_schema {

namespace {

using json::Kind;
using json::Member;
using json::View;

struct DraftName {
    std::string_view uri;
    std::string_view name;
    Draft draft;
};

constexpr DraftName drafts[] = {
    {"http://json-schema.org/draft-04/schema", "draft-04", Draft::draft4},
    {"http://json-schema.org/draft-06/schema", "draft-06", Draft::draft6},
    {"http://json-schema.org/draft-07/schema", "draft-07", Draft::draft7},
};

std::string_view name_of(Draft draft) {
    return std::ranges::find(drafts, draft, &DraftName::draft)->name;
}

const DraftName* find_draft(std::string uri) {
    if (uri.ends_with('#')) uri.pop_back();
    if (uri.starts_with("https:")) uri.erase(4, 1);
    auto found = std::ranges::find(drafts, uri, &DraftName::uri);
    return found == std::end(drafts) ? nullptr : found;
}

// Each schema that sees a value takes room on the stack while the next one looks at it, and so does each
// level of the value.
constexpr std::size_t longest_chain = 16;

class Outliner {
  public:
    explicit Outliner(View root) : root_(root) {}

    SchemaOutline run() {
        read_draft();
        visit(root_, "");
        for (std::size_t i = 0; i < out_.subschemas.size(); ++i)
            follow_reference(i);
        chains_.resize(out_.subschemas.size());
        for (std::size_t i = 0; i < chains_.size(); ++i)
            follow_chain(i, 1);
        return std::move(out_);
    }

  private:
    enum class Mark { unseen, open, done };

    // Of a subschema: how many, itself the first, look at one value after the other.
    struct Chain {
        Mark mark = Mark::unseen;
        std::size_t length = 0;
    };

    template<class... Pieces>
    void problem(View where, const Pieces&... pieces) {
        out_.problems.push_back({where, base::concat(pieces...)});
    }

    static std::string place(const std::string& pointer) {
        return pointer.empty() ? "" : base::concat(" at ", pointer);
    }

    void read_draft() {
        auto schema = root_.find("$schema");
        if (!schema || !schema->is(Kind::string)) return;
        if (const DraftName* found = find_draft(schema->string())) {
            out_.draft = found->draft;
        } else {
            problem(*schema, "$schema is ", schema->text(),
                    "; only draft-04, draft-06 and draft-07 are supported (\"", drafts[2].uri, "#\")");
        }
    }

    std::size_t visit(View schema, const std::string& pointer) {
        std::size_t index = out_.subschemas.size();
        out_.subschemas.push_back({schema, pointer, {}, std::nullopt});
        out_.by_place.emplace(schema.text().data(), index);
        if (schema.is(Kind::object)) {
            visit_members(index, schema, pointer);
        } else if (!schema.is(Kind::boolean)) {
            problem(schema, "a schema must be an object or a boolean", place(pointer));
        }
        return index;
    }

    void visit_members(std::size_t index, View schema, const std::string& pointer) {
        bool has_reference = schema.find("$ref").has_value();
        std::set<std::string> seen;
        for (const Member& member : schema.members()) {
            std::string name = member.key.string();
            if (!seen.insert(name).second)
                problem(member.key, member.key.text(), " stands twice", place(pointer));
            const Keyword* keyword = find_keyword(name);
            if (keyword == nullptr || !keyword->in(out_.draft)) {
                report_unknown(member, name, keyword, pointer);
            } else if (has_reference && keyword->use != Use::annotation && name != "$ref") {
                problem(member.key, "the keyword \"", name, "\"", place(pointer),
                        " has no effect next to $ref; put the two into an \"allOf\"");
            } else {
                visit_keyword(index, *keyword, member.value, extend_pointer(pointer, name));
            }
        }
    }

    void report_unknown(const Member& member, const std::string& name, const Keyword* keyword,
                        const std::string& pointer) {
        if (keyword != nullptr) {
            problem(member.key, "the keyword \"", name, "\"", place(pointer), " is not one of ",
                    name_of(out_.draft));
        } else if (is_foreign_keyword(name)) {
            problem(member.key, "the keyword \"", name, "\"", place(pointer),
                    " cannot be checked: it is not one of draft-04, draft-06 or draft-07");
        } else {
            std::vector<std::string_view> names;
            for (const Keyword& known : keywords())
                names.push_back(known.name);
            problem(member.key, "unknown keyword ", member.key.text(), place(pointer),
                    base::did_you_mean(name, names));
        }
    }

    void visit_keyword(std::size_t index, const Keyword& keyword, View value, const std::string& pointer) {
        if (auto error = shape_error(keyword.shape, value, out_.draft); !error.empty()) {
            problem(value, pointer, " ", error);
            return;
        }
        bool below_root = index != 0;
        if (below_root && (keyword.name == "$schema" || keyword.name == "$id" || keyword.name == "id")) {
            problem(value, pointer, " is not supported: it may only stand at the root of the schema");
        }
        out_.used.insert(keyword.name);
        visit_subschemas(index, keyword, value, pointer);
    }

    void visit_subschemas(std::size_t index, const Keyword& keyword, View value, const std::string& pointer) {
        switch (keyword.shape) {
            case Shape::schema_or_boolean:
                visit_child(index, keyword, value, pointer, true);
                break;
            case Shape::schema:
                visit_child(index, keyword, value, pointer);
                break;
            case Shape::schemas:
                visit_elements(index, keyword, value, pointer);
                break;
            case Shape::schema_map:
            case Shape::pattern_map:
            case Shape::dependencies:
                visit_map(index, keyword, value, pointer);
                break;
            case Shape::items:
                if (value.is(Kind::array)) {
                    visit_elements(index, keyword, value, pointer);
                } else {
                    visit_child(index, keyword, value, pointer);
                }
                break;
            default:
                break;
        }
    }

    void visit_elements(std::size_t index, const Keyword& keyword, View array, const std::string& pointer) {
        std::size_t i = 0;
        for (View element : array.elements())
            visit_child(index, keyword, element, base::concat(pointer, "/", i++));
    }

    void visit_map(std::size_t index, const Keyword& keyword, View map, const std::string& pointer) {
        for (const Member& member : map.members()) {
            if (keyword.shape == Shape::dependencies && member.value.is(Kind::array)) continue;
            visit_child(index, keyword, member.value, extend_pointer(pointer, member.key.string()));
        }
    }

    void visit_child(std::size_t parent, const Keyword& keyword, View schema, const std::string& pointer,
                     bool boolean_in_any_draft = false) {
        if (out_.draft == Draft::draft4 && schema.is(Kind::boolean) && !boolean_in_any_draft) {
            problem(schema, "a schema must be an object in draft-04, not a boolean", place(pointer));
        }
        std::size_t child = visit(schema, pointer);
        if (keyword.same_value) out_.subschemas[parent].same_value.push_back(child);
    }

    void follow_reference(std::size_t index) {
        View schema = out_.subschemas[index].view;
        auto reference = schema.find("$ref");
        if (!reference || !reference->is(Kind::string)) return;
        std::string uri = reference->string();
        if (!uri.starts_with('#')) {
            problem(*reference, "cannot follow $ref ", reference->text(),
                    ": only references into the same schema (\"#/definitions/…\") are supported");
            return;
        }
        auto target = resolve_pointer(root_, std::string_view(uri).substr(1));
        auto found = target ? out_.by_place.find(target->text().data()) : out_.by_place.end();
        if (found == out_.by_place.end()) {
            problem(*reference, "$ref ", reference->text(), " does not point to a schema");
            return;
        }
        out_.subschemas[index].target = found->second;
    }

    // A circle of subschemas that all see the same value would be followed for ever. `place` is the
    // subschema's in the chain that has led to it.
    std::size_t follow_chain(std::size_t index, std::size_t place_in_chain) {
        Chain& chain = chains_[index];
        if (chain.mark == Mark::done || place_in_chain > longest_chain + 1)
            return std::max<std::size_t>(chain.length, 1);
        chain.mark = Mark::open;
        const Subschema& schema = out_.subschemas[index];
        std::vector<std::size_t> next = schema.same_value;
        if (schema.target) next.push_back(*schema.target);
        for (std::size_t child : next) {
            if (chains_[child].mark == Mark::open) {
                problem(schema.view, "the schema", place(schema.pointer),
                        " refers back to itself without going into the value: it would never end");
            } else {
                chain.length = std::max(chain.length, follow_chain(child, place_in_chain + 1));
            }
        }
        ++chain.length;
        chain.mark = Mark::done;
        report_long_chain(schema, chain.length);
        return chain.length;
    }

    // Once: what refers to it is in a longer chain.
    void report_long_chain(const Subschema& schema, std::size_t length) {
        if (length != longest_chain + 1) return;
        problem(
            schema.view, "the schema", place(schema.pointer), " applies more than ", longest_chain,
            " schemas, one within the other or by $ref, to the same value: that is too deep to be checked");
    }

    std::vector<Chain> chains_;  // by subschema
    View root_;
    SchemaOutline out_;
};

}  // namespace

SchemaOutline outline(View schema) {
    return Outliner(schema).run();
}

}  // namespace json_schema
