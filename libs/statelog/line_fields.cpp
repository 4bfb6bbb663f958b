#include "statelog/line_fields.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <iterator>

namespace statelog {

namespace {

using json::View;

// A line adds a few levels of nesting around a value.
constexpr std::size_t max_line_depth = json::max_depth + 8;

View* field_named(Fields& fields, std::string_view quoted_name) {
    struct Named {
        std::string_view name;
        View Fields::*field;
    };
    static constexpr Named known[] = {
        {"\"kind\"", &Fields::kind},
        {"\"task_id\"", &Fields::task_id},
        {"\"step\"", &Fields::step},
        {"\"value\"", &Fields::value},
        {"\"parent_id\"", &Fields::parent_id},
        {"\"origin\"", &Fields::origin},
        {"\"outcome\"", &Fields::outcome},
        {"\"time\"", &Fields::time},
        {"\"started\"", &Fields::started},
        {"\"config\"", &Fields::config},
        {"\"directory\"", &Fields::directory},
        {"\"directory_hex\"", &Fields::directory_hex},
        {"\"report\"", &Fields::report},
        {"\"reused\"", &Fields::reused},
        {"\"lenient\"", &Fields::lenient},
        {"\"reuses\"", &Fields::reuses},
        {"\"answered_by\"", &Fields::answered_by},
        {"\"measured\"", &Fields::measured},
        {"\"agent\"", &Fields::agent},
        {"\"run_id\"", &Fields::run_id},
        {"\"initial_tasks\"", &Fields::initial_tasks},
        {"\"format\"", &Fields::format},
        {"\"version\"", &Fields::version},
    };
    auto found = std::ranges::find(known, quoted_name, &Named::name);
    return found == std::end(known) ? nullptr : &(fields.*found->field);
}

}  // namespace

base::Result<Fields> fields_of(std::string_view line) {
    auto members = json::members_of(line, max_line_depth);
    if (!members) {
        auto error = json::check(line, json::Dialect::json, max_line_depth);
        return base::invalid(
            error ? base::concat("is not JSON: ", error->message, " (at character ", error->offset + 1, ")")
                  : "is not a JSON object");
    }
    Fields fields;
    for (const json::Member& member : *members)
        if (View* field = field_named(fields, member.key.text())) *field = member.value;
    return fields;
}

}  // namespace statelog
