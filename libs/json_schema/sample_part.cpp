#include "json_schema/sample_part.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <set>

namespace json_schema {

namespace {

using json::View;

// The value's text, in which each reference leads to "#/definitions/<number of its target>".
std::string with_own_references(const SchemaOutline& outline, View value) {
    std::vector<const Subschema*> references;
    for (const Subschema& each : outline.subschemas)
        if (each.target) references.push_back(&each);
    std::ranges::sort(references, {}, [](const Subschema* each) { return each->view.text().data(); });
    std::string out;
    const char* done = value.text().data();
    const char* end = done + value.text().size();
    for (const Subschema* reference : references) {
        std::string_view text = reference->view.text();
        if (text.data() < done || text.data() >= end) continue;
        out.append(done, text.data());
        out += base::concat(R"({"$ref":"#/definitions/)", *reference->target, R"("})");
        done = text.data() + text.size();
    }
    return out.append(done, end);
}

// Without what may stand at a root only.
std::string definition(const SchemaOutline& outline, View schema) {
    bool is_root = schema.text().data() == outline.subschemas.front().view.text().data();
    if (!is_root || !schema.is(json::Kind::object)) return with_own_references(outline, schema);
    std::string out = "{";
    for (const json::Member& member : schema.members()) {
        if (member.key.is_string("$schema") || member.key.is_string("$id") || member.key.is_string("id"))
            continue;
        out += base::concat(out.size() > 1 ? "," : "", member.key.text(), ":",
                            with_own_references(outline, member.value));
    }
    return out + "}";
}

std::string definitions(const SchemaOutline& outline) {
    std::set<std::size_t> targets;
    for (const Subschema& each : outline.subschemas)
        if (each.target) targets.insert(*each.target);
    std::string out = "{";
    for (std::size_t target : targets)
        out += base::concat(out.size() > 1 ? "," : "", "\"", target,
                            "\":", definition(outline, outline.subschemas[target].view));
    return out + "}";
}

int number_of(Draft draft) {
    if (draft == Draft::draft4) return 4;
    return draft == Draft::draft6 ? 6 : 7;
}

}  // namespace

std::shared_ptr<const Schema> compile_part(const SchemaOutline& outline, View part) {
    std::string text = base::concat(R"({"$schema":"http://json-schema.org/draft-0)", number_of(outline.draft),
                                    R"(/schema#","definitions":)", definitions(outline), R"(,"allOf":[)",
                                    definition(outline, part), "]}");
    auto compiled = Schema::compile(View::of(text));
    return compiled ? *compiled : nullptr;
}

}  // namespace json_schema
