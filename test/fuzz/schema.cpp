// A value_schema and a value, with an empty line between them: how either is written makes no difference, nor
// does looking twice, and "not" is the contrary.
#include "json_schema/schema.hpp"

#include "base/text.hpp"
#include "fuzz.hpp"
#include "json/json.hpp"

namespace {

using fuzz::must;
using json::View;
using json_schema::Schema;
using Violation = std::optional<std::string>;

void check_problems(View schema, const std::vector<json_schema::SchemaProblem>& problems) {
    std::string_view text = schema.text();
    for (const auto& problem : problems) {
        const char* from = problem.where.text().data();
        must(from >= text.data() && from <= text.data() + text.size(), "a problem is in the schema");
        must(!problem.message.empty() && !json::invalid_utf8(problem.message), "a problem can be read");
    }
}

Violation judge(const Schema& schema, View value) {
    auto found = schema.violation(value);
    return found ? Violation(json_schema::to_string(*found)) : std::nullopt;
}

// A limit of the checking itself is told as a violation, wherever it is met.
bool gave_up(const Violation& violation) {
    auto says = [&](std::string_view part) { return violation->find(part) != std::string::npos; };
    return violation && (says("cannot be checked") || says("cannot be matched") || says("takes too long"));
}

// Nothing in it that means something else one level deeper, or a limit that "not" would turn round.
bool can_be_wrapped(std::string_view schema) {
    auto has = [&](std::string_view part) { return schema.find(part) != std::string_view::npos; };
    return !has("$") && !has("\"id\"") && !has("attern") && !has("\\") && !json::check(schema);
}

void check_contrary(const Schema& schema, View value, const Violation& violation) {
    if (!can_be_wrapped(schema.text()) || gave_up(violation)) return;
    std::string text = base::concat("{\"not\":", schema.text(), "}");
    if (json::check(text)) return;  // too deep
    auto contrary = Schema::compile(View::of(text));
    if (contrary.has_error()) return;  // as deep as a schema can be
    must(violation.has_value() != (*contrary)->violation(value).has_value(), "\"not\" is the contrary");
}

void check_value(const Schema& schema, std::string_view text) {
    // An instrumented program needs several times the stack.
    constexpr std::size_t deep_enough = 100;
    if (json::check(text, json::Dialect::json, deep_enough)) return;
    View value = View::of(text);
    Violation violation = judge(schema, value);
    must(!violation || (!violation->empty() && !json::invalid_utf8(*violation)), "a violation can be read");
    must(!violation || violation->find('\n') == std::string::npos, "a violation is one line");
    must(judge(schema, value) == violation, "a value is judged the same again");
    std::string compact = json::compact(value);
    must(judge(schema, View::of(compact)) == violation, "a compact value is judged the same");
    auto same = Schema::compile(View::of(schema.text()));
    must(same.has_value() && (*same)->text() == schema.text(), "a schema's text is that schema");
    must(judge(**same, value) == violation, "a compact schema judges the same");
    check_contrary(schema, value, violation);
}

}  // namespace

void fuzz::target(std::string_view input) {
    std::size_t gap = input.find("\n\n");
    std::string_view text = input.substr(0, gap);
    if (json::check(text, json::Dialect::jsonc)) return;
    View view = View::of(text);
    auto problems = json_schema::check_schema(view);
    check_problems(view, problems);
    auto schema = Schema::compile(view);
    must(problems.empty() || schema.has_error(), "a schema with a problem is not used");
    if (!schema || gap == std::string_view::npos) return;
    check_value(**schema, input.substr(gap + 2));
}
