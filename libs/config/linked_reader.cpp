#include "config/linked_reader.hpp"

#include "base/text.hpp"
#include "config/fields.hpp"

#include <boost/system/errc.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace config {

namespace {

using json::Kind;
using json::View;

bool is_link(View value) {
    if (!value.is(Kind::object)) return false;
    auto members = value.members();
    return members.size() == 1 && members[0].key.string() == "link" && members[0].value.is(Kind::string);
}

Problem problem_in(const std::string& path, std::string_view text, std::size_t offset, std::string message) {
    json::Position at = json::position(text, offset);
    return {path, at.line, at.column, std::move(message)};
}

}  // namespace

base::Result<std::string> read_file(const std::string& path) {
    if (std::filesystem::is_directory(path)) return base::system_error("cannot be read", EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return base::system_error("cannot be read");
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) return base::system_error("cannot be read");
    return text;
}

std::optional<LinkedReader::Linked> LinkedReader::follow(View link) {
    std::string path = (std::filesystem::path(directory_) / link.string()).lexically_normal().string();
    auto text = read_file(path);
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
    if (!by_link) return text->string();
    auto linked = follow(*text);
    if (!linked) return "";
    if (auto bad = json::invalid_utf8(linked->text)) {
        problems_.add_behind(*text, problem_in(linked->path, linked->text, *bad, "not valid UTF-8"));
    }
    return std::move(linked->text);
}

std::shared_ptr<const Schema> LinkedReader::schema(View value) {
    return is_link(value) ? linked_schema(*value.find("link")) : inline_schema(value);
}

std::shared_ptr<const Schema> LinkedReader::inline_schema(View value) {
    auto found = check_schema(value);
    for (const SchemaProblem& problem : found)
        problems_.add(problem.where, "in \"value_schema\": " + problem.message);
    if (!found.empty()) return nullptr;
    auto schema = Schema::compile(value);
    if (schema.has_value()) return *schema;
    problems_.add(value, "in \"value_schema\": " + schema.error().message);
    return nullptr;
}

std::shared_ptr<const Schema> LinkedReader::linked_schema(View link) {
    auto linked = follow(link);
    if (!linked) return nullptr;
    auto report = [&](std::size_t offset, std::string message) {
        problems_.add_behind(link, problem_in(linked->path, linked->text, offset, std::move(message)));
    };
    if (auto error = json::check(linked->text, json::Dialect::jsonc)) {
        report(error->offset, error->message);
        return nullptr;
    }
    View value = View::of(linked->text);
    auto found = check_schema(value);
    for (const SchemaProblem& problem : found) {
        report(static_cast<std::size_t>(problem.where.text().data() - linked->text.data()), problem.message);
    }
    if (!found.empty()) return nullptr;
    auto schema = Schema::compile(value);
    if (schema.has_value()) return *schema;
    report(0, schema.error().message);
    return nullptr;
}

}  // namespace config
