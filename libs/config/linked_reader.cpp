#include "config/linked_reader.hpp"

#include "base/text.hpp"
#include "config/fields.hpp"
#include "config/file_text.hpp"

#include <filesystem>

namespace config {

namespace {

using json::Kind;
using json::View;

bool is_link(View value) {
    if (!value.is(Kind::object)) return false;
    auto members = value.members();
    return members.size() == 1 && members[0].key.string() == "link" && members[0].value.is(Kind::string);
}

// The levels of nesting around a schema in a config: the config, its steps, a step.
bool is_too_deep_for_a_step(std::string_view schema) {
    return json::check(base::concat("[[[", schema, "]]]")).has_value();
}

// Null if there are problems.
std::shared_ptr<const json_schema::Schema> schema_in(std::string_view text, ProblemList& mistakes) {
    if (auto error = json::check(text, json::Dialect::jsonc)) {
        mistakes.add(error->offset, error->message);
        return nullptr;
    }
    View root = View::of(text);
    for (const json_schema::SchemaProblem& problem : json_schema::check_schema(root))
        mistakes.add(problem.where, problem.message);
    if (!mistakes.empty()) return nullptr;
    auto schema = json_schema::Schema::compile(root);
    if (schema.has_error()) {
        mistakes.add(0, schema.error().message);
    } else if (is_too_deep_for_a_step((*schema)->text())) {
        mistakes.add(0, base::concat("nested too deep: inside the config there would be more than ",
                                     json::max_depth, " levels of arrays and objects"));
    } else {
        return *schema;
    }
    return nullptr;
}

}  // namespace

std::optional<LinkedReader::Linked> LinkedReader::follow(View link) {
    std::string path = (std::filesystem::path(directory_) / link.string()).lexically_normal().string();
    auto text = read_linked_file(path);
    if (text.has_error()) {
        problems_.add(link, base::concat("the linked file ", path, " ", text.error().message));
        return std::nullopt;
    }
    return Linked{std::move(path), std::move(*text)};
}

std::string LinkedReader::instructions(View value) {
    if (value.is(Kind::string)) return value.string();
    if (!value.is(Kind::object)) {
        problems_.add(value, base::concat("\"instructions\" must be a string, {\"inline\": \"text\"} or "
                                          "{\"link\": \"path\"}, not ",
                                          kind_name(value.kind())));
        return "";
    }
    bool by_link = value.find("link").has_value();
    FieldValues fields = FieldValues::read(value, by_link ? link_type : inline_type, problems_);
    auto text = fields.find(by_link ? "link" : "inline");
    if (!text) return "";
    return by_link ? linked_instructions(value, *text) : text->string();
}

std::string LinkedReader::linked_instructions(View value, View link) {
    auto linked = follow(link);
    if (!linked) return "";
    if (auto bad = json::invalid_utf8(linked->text)) {
        ProblemList mistakes(linked->text, linked->path);
        mistakes.add(*bad, "not valid UTF-8");
        problems_.add_linked(link, mistakes.take());
        return "";
    }
    contents_.push_back({value, base::concat("{\"inline\":", json::quote(linked->text), "}")});
    return std::move(linked->text);
}

std::shared_ptr<const json_schema::Schema> LinkedReader::schema(View value) {
    return is_link(value) ? linked_schema(value) : inline_schema(value);
}

std::shared_ptr<const json_schema::Schema> LinkedReader::inline_schema(View value) {
    auto found = json_schema::check_schema(value);
    for (const json_schema::SchemaProblem& problem : found)
        problems_.add(problem.where, "in \"value_schema\": " + problem.message);
    if (!found.empty()) return nullptr;
    auto schema = json_schema::Schema::compile(value);
    if (schema.has_value()) return *schema;
    problems_.add(value, "in \"value_schema\": " + schema.error().message);
    return nullptr;
}

std::shared_ptr<const json_schema::Schema> LinkedReader::linked_schema(View value) {
    View link = *value.find("link");
    auto linked = follow(link);
    if (!linked) return nullptr;
    auto schema = schema_of(*linked, link);
    if (schema) contents_.push_back({value, schema->text()});
    return schema;
}

std::shared_ptr<const json_schema::Schema> LinkedReader::schema_of(const Linked& linked, View link) {
    ProblemList mistakes(linked.text, linked.path);
    auto schema = schema_in(linked.text, mistakes);
    problems_.add_linked(link, mistakes.take());
    return schema;
}

}  // namespace config
