// The tables of docs/config.md are made of the table of fields. After a change of that,
//   BARNUM_UPDATE_DOCS=1 build/test/unit/unit_config "the tables of docs/config.md are those of the code"
// writes them anew.
#include "base/plain_number.hpp"
#include "base/text.hpp"
#include "config/fields.hpp"
#include "load_helper.hpp"
#include "source_dir.hpp"

#include <sstream>

namespace {

const std::filesystem::path document = source_dir() / "docs/config.md";

std::string choices_of(std::span<const std::string_view> choices) {
    std::string text;
    for (std::string_view choice : choices)
        text += base::concat(text.empty()               ? ""
                             : choice == choices.back() ? " or "
                                                        : ", ",
                             "`\"", choice, "\"`");
    return text;
}

// What a field's value is, but for a number's range.
std::string value_of(const config::Field& field) {
    switch (field.type) {
        case config::FieldType::text:
            if (!field.constraints.choices.empty()) return choices_of(field.constraints.choices);
            return field.constraints.constant.empty()
                       ? "a string"
                       : base::concat("`\"", field.constraints.constant, "\"`");
        case config::FieldType::boolean:
            return "`true` or `false`";
        case config::FieldType::number:
            return "a number";
        case config::FieldType::object:
            return "an object";
        case config::FieldType::array:
            return "an array of objects";
        case config::FieldType::labels:
            return "an array of labels, at most 16";
        case config::FieldType::texts:
            return "an array of strings";
        case config::FieldType::variables:
            return "an object of strings";
        case config::FieldType::variables_and_names:
            return "an object of strings, or null";
        case config::FieldType::names:
            return "an array of names";
        case config::FieldType::schema:
            return "a JSON Schema or a link";
        case config::FieldType::instructions:
            break;
    }
    return "a string, an object or a link";
}

std::string range_of(const config::Range& range) {
    return base::concat(range.what, ", ", base::plain_number(range.least), " to ",
                        base::plain_number(range.most));
}

std::string in_table(std::string_view text) {
    std::string out;
    for (char c : text)
        out += c == '|' ? "\\|" : std::string(1, c);
    return out;
}

std::string table(const config::ObjectType& type) {
    std::string out = "| field | value | meaning |\n| --- | --- | --- |\n";
    for (const config::Field& field : type.fields) {
        std::string value = field.constraints.range ? range_of(*field.constraints.range) : value_of(field);
        out += base::concat("| `", field.name, "` | ", value, field.required ? "; **required**" : "", " | ",
                            in_table(field.description), " |\n");
    }
    return out;
}

std::string read() {
    std::ostringstream out;
    out << std::ifstream(document, std::ios::binary).rdbuf();
    return out.str();
}

struct Section {
    std::size_t start;
    std::size_t size;
};

// Between the two comments that enclose the type's table.
Section section(const std::string& text, const config::ObjectType& type) {
    constexpr std::string_view end_mark = "<!-- end of the fields -->";
    std::string start_mark = base::concat("<!-- the fields of ", type.id, " -->\n");
    INFO(start_mark);
    std::size_t start = text.find(start_mark);
    REQUIRE(start != std::string::npos);
    start += start_mark.size();
    std::size_t end = text.find(end_mark, start);
    REQUIRE(end != std::string::npos);
    return {start, end - start};
}

}  // namespace

TEST_CASE("the tables of docs/config.md are those of the code") {
    std::string text = read();
    bool update = std::getenv("BARNUM_UPDATE_DOCS") != nullptr;
    for (const config::ObjectType* type : config::object_types()) {
        Section place = section(text, *type);
        if (update)
            text.replace(place.start, place.size, table(*type));
        else
            CHECK(text.substr(place.start, place.size) == table(*type));
    }
    if (update) std::ofstream(document, std::ios::binary) << text;
}
