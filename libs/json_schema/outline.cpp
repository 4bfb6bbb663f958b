#include "json_schema/outline.hpp"

#include "base/text.hpp"
#include "json/suggest.hpp"
#include "json_schema/chains.hpp"
#include "json_schema/meta_schema.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/shape.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace json_schema {

namespace {

using json::Kind;
using json::Member;
using json::View;

class Outliner {
  public:
    explicit Outliner(View root) : root_(root), document_(root) {}

    SchemaOutline run() {
        read_draft();
        visit(root_, "");
        for (std::size_t i = 0; i < out_.subschemas.size(); ++i)
            follow_reference(i);
        std::ranges::move(chain_problems(out_.subschemas), std::back_inserter(out_.problems));
        return std::move(out_);
    }

  private:
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
        auto found = find_draft(schema->string());
        draft_ = out_.draft = found.value_or(Draft::unnamed);
        if (found) return;
        problem(*schema, "$schema is ", schema->text(), "; only ", draft_names(), " are supported (\"",
                uri_of(Draft::draft2020), "\")");
    }

    std::size_t visit(View schema, const std::string& pointer) {
        std::size_t index = out_.subschemas.size();
        out_.subschemas.push_back({schema, pointer, document_, {}, std::nullopt});
        out_.by_place.emplace(schema.text().data(), index);
        if (schema.is(Kind::object)) {
            visit_members(index, schema, pointer);
        } else if (!schema.is(Kind::boolean)) {
            problem(schema, "a schema must be an object or a boolean", place(pointer));
        }
        return index;
    }

    void visit_members(std::size_t index, View schema, const std::string& pointer) {
        std::set<std::string> seen;
        for (const Member& member : schema.members()) {
            std::string name = member.key.string();
            if (!seen.insert(name).second)
                problem(member.key, member.key.text(), " occurs twice", place(pointer));
            const Keyword* keyword = find_keyword(name);
            if (keyword == nullptr || !keyword->in(draft_)) {
                report_unknown(member, name, keyword, pointer);
            } else if (auto error = conflict(schema, *keyword, member.value); !error.empty()) {
                problem(member.key, "the keyword \"", name, "\"", place(pointer), error);
            } else {
                visit_keyword(index, *keyword, member.value, extend_pointer(pointer, name));
            }
        }
    }

    // The reason why the keyword has no effect next to another one; "" if it has one.
    std::string conflict(View schema, const Keyword& keyword, View value) const {
        bool is_ignored = ignores_siblings_of_reference(draft_) && schema.find("$ref") &&
                          keyword.use != Use::annotation && keyword.name != "$ref";
        if (is_ignored)
            return base::concat(" has no effect next to $ref in ", name_of(draft_),
                                "; put the two into an \"allOf\"");
        bool is_tuple = keyword.name == "items" && value.is(Kind::array);
        if (schema.find("prefixItems") && (is_tuple || keyword.name == "additionalItems"))
            return " has no effect next to \"prefixItems\"; give the items after those one schema, with "
                   "\"items\"";
        return "";
    }

    void report_unknown(const Member& member, const std::string& name, const Keyword* keyword,
                        const std::string& pointer) {
        std::string_view advice = advice_on(name);
        if (keyword != nullptr) {
            problem(member.key, "the keyword \"", name, "\"", place(pointer), " is not one of ",
                    name_of(draft_));
        } else if (!advice.empty()) {
            problem(member.key, "the keyword \"", name, "\"", place(pointer), " is not supported: ", advice);
        } else {
            std::vector<std::string_view> names;
            for (const Keyword& known : keywords())
                names.push_back(known.name);
            problem(member.key, "unknown keyword ", member.key.text(), place(pointer),
                    json::did_you_mean(name, names));
        }
    }

    void visit_keyword(std::size_t index, const Keyword& keyword, View value, const std::string& pointer) {
        if (auto error = shape_error(keyword.shape, value, draft_); !error.empty()) {
            problem(value, pointer, " ", error);
            return;
        }
        bool is_identity = keyword.name == "$schema" || keyword.name == "$id" ||
                           (keyword.name == "id" && draft_ == Draft::draft4);
        if (is_identity && index != 0)
            problem(value, pointer, " is not supported: it is only allowed at the root of the schema");
        if (keyword.shape == Shape::anchor && !anchors_.emplace(value.string(), index).second)
            problem(value, pointer, " is ", value.text(), ", which is another schema's anchor already");
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
        if (draft_ == Draft::draft4 && schema.is(Kind::boolean) && !boolean_in_any_draft) {
            problem(schema, "a schema must be an object in draft-04, not a boolean", place(pointer));
        }
        std::size_t child = visit(schema, pointer);
        if (keyword.same_value) out_.subschemas[parent].same_value.push_back(child);
    }

    void follow_reference(std::size_t index) {
        auto reference = out_.subschemas[index].view.find("$ref");
        if (!reference || !reference->is(Kind::string)) return;
        std::string uri = reference->string();
        std::size_t fragment = std::min(uri.find('#'), uri.size());
        View document = out_.subschemas[index].document;
        if (fragment > 0) {
            auto meta = visit_meta_schema(uri.substr(0, fragment));
            if (!meta)
                return problem(*reference, "cannot follow $ref ", reference->text(),
                               ": only references into the same schema (\"#/$defs/…\") and to the "
                               "meta-schema of its draft are supported");
            document = *meta;
        }
        auto target = find_target(document, uri.substr(std::min(fragment + 1, uri.size())));
        if (!target) problem(*reference, "$ref ", reference->text(), " does not point to a schema");
        out_.subschemas[index].target = target;
    }

    // `fragment` is a JSON pointer or an anchor.
    std::optional<std::size_t> find_target(View document, const std::string& fragment) const {
        bool is_own = document.text().data() == root_.text().data();
        auto anchor = anchors_.find(fragment);
        if (is_own && anchor != anchors_.end()) return anchor->second;
        auto view = resolve_pointer(document, fragment);
        auto found = view ? out_.by_place.find(view->text().data()) : out_.by_place.end();
        return found == out_.by_place.end() ? std::nullopt : std::optional(found->second);
    }

    // Empty if `uri` is not that of a meta-schema, or that of another draft.
    std::optional<View> visit_meta_schema(const std::string& uri) {
        auto draft = find_draft(uri);
        if (!draft || (*draft != out_.draft && out_.draft != Draft::unnamed)) return std::nullopt;
        View root = meta_schema(*draft);
        if (out_.by_place.contains(root.text().data())) return root;
        document_ = root;
        draft_ = Draft::unnamed;
        visit(root, base::concat(uri_of(*draft), "#"));
        return root;
    }

    View root_;
    View document_;                 // the document that is being visited
    Draft draft_ = Draft::unnamed;  // the schema's own draft
    std::map<std::string, std::size_t> anchors_;
    SchemaOutline out_;
};

}  // namespace

SchemaOutline outline(View schema) {
    return Outliner(schema).run();
}

}  // namespace json_schema
