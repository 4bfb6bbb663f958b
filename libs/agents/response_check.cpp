#include "agents/response_check.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json/suggest.hpp"
#include "json_schema/outline.hpp"
#include "json_schema/schema.hpp"

#include <map>
#include <vector>

namespace agents {

namespace {

using json::Kind;
using json::View;
using SchemaPtr = std::shared_ptr<const json_schema::Schema>;

constexpr std::size_t most_mistakes = 20;

// The values that may follow, by the names of their steps.
using Kinds = std::map<std::string, SchemaPtr, std::less<>>;

std::optional<View> member_at(View value, std::initializer_list<std::string_view> path) {
    std::optional<View> at = value;
    for (std::string_view name : path) {
        if (!at || !at->is(Kind::object)) return std::nullopt;
        at = at->find(name);
    }
    return at;
}

SchemaPtr compiled(const json_schema::SchemaOutline& outline, View part) {
    if (!outline.by_place.contains(part.text().data())) return nullptr;
    auto schema = json_schema::Schema::compile_part(outline, part);
    return schema.has_value() ? *schema : nullptr;
}

// The kinds in a schema as `barnum run` writes it: an array of objects with a constant "kind" and a "value".
// Empty for other schemas.
Kinds kinds_of(View schema, const json_schema::SchemaOutline& outline) {
    Kinds kinds;
    auto choices = member_at(schema, {"items", "anyOf"});
    if (!choices || !choices->is(Kind::array)) return kinds;
    for (View choice : choices->elements()) {
        auto kind = member_at(choice, {"properties", "kind", "const"});
        auto value = member_at(choice, {"properties", "value"});
        if (!kind || !kind->is(Kind::string) || !value) return {};
        SchemaPtr part = compiled(outline, *value);
        if (!part) return {};
        kinds.emplace(kind->string(), std::move(part));
    }
    return kinds;
}

}  // namespace

struct ResponseCheck::Impl {
    std::string text;
    SchemaPtr whole;  // null: everything is valid
    Kinds kinds;

    std::string mistake_in(View element) const;
};

// A task that is wrong in a way that only the whole schema knows has no message here.
std::string ResponseCheck::Impl::mistake_in(View element) const {
    if (!element.is(Kind::object)) return R"(it must be an object with "kind" and "value")";
    auto kind = element.find("kind");
    auto value = element.find("value");
    if (!kind || !kind->is(Kind::string)) return R"("kind" is missing, or is not a string)";
    std::string name = kind->string();
    auto found = kinds.find(name);
    if (found == kinds.end()) {
        std::vector<std::string_view> names;
        for (const auto& known : kinds)
            names.push_back(known.first);
        return base::concat("the kind ", json::quote(name), " may not follow; expected ",
                            json::alternatives(names));
    }
    if (!value) return R"("value" is missing)";
    for (const json::Member& member : element.members())
        if (!member.key.is_string("kind") && !member.key.is_string("value"))
            return base::concat("unknown member ", member.key.text(), R"(; a task has "kind" and "value")");
    auto violation = found->second->violation(*value);
    if (!violation) return "";
    return base::concat("its value does not match the schema of ", json::quote(name), ": ",
                        json_schema::to_string(*violation));
}

ResponseCheck::ResponseCheck(std::string_view schema) : impl_(std::make_unique<Impl>()) {
    impl_->text = schema;
    auto checked = json::checked(impl_->text);
    if (!checked || !checked->is(Kind::object)) return;
    json_schema::SchemaOutline outline = json_schema::outline(*checked);
    if (!outline.problems.empty()) return;
    auto whole = json_schema::Schema::compile(*checked);
    if (whole.has_error()) return;
    impl_->whole = std::move(*whole);
    impl_->kinds = kinds_of(*checked, outline);
}

ResponseCheck::~ResponseCheck() = default;
ResponseCheck::ResponseCheck(ResponseCheck&&) noexcept = default;
ResponseCheck& ResponseCheck::operator=(ResponseCheck&&) noexcept = default;

std::string ResponseCheck::mistakes(std::string_view response) const {
    if (!impl_->whole) return "";
    auto array = json::parse(response, "the answer");
    if (array.has_error())
        return base::concat("It must be a JSON array of tasks and nothing else. ", array.error().message);
    auto violation = impl_->whole->violation(*array);
    if (!violation) return "";
    if (!array->is(Kind::array))
        return impl_->kinds.empty() ? json_schema::to_string(*violation)
                                    : "It must be a JSON array of tasks.";
    std::string text;
    std::size_t count = 0;
    std::size_t number = 0;
    for (View element : impl_->kinds.empty() ? std::vector<View>() : array->elements()) {
        ++number;
        std::string mistake = impl_->mistake_in(element);
        if (mistake.empty() || count == most_mistakes) continue;
        text += base::concat(count++ == 0 ? "" : "\n", "Element ", number, ": ", mistake);
    }
    return text.empty() ? json_schema::to_string(*violation) : text;
}

}  // namespace agents
