#include "config/image_places.hpp"

#include "base/text.hpp"
#include "config/fields.hpp"
#include "config/list_reader.hpp"
#include "json_schema/text_places.hpp"

#include <algorithm>

namespace config {

namespace {

using json::Kind;
using json::View;

// A pre hook makes another value, which the schema says nothing about.
std::optional<std::string> excluded(const ValuePlace& place, const Step& step) {
    if (!step.value_schema || step.pre) return std::nullopt;
    auto keyword = json_schema::excludes_texts(*step.value_schema, place.tokens);
    if (!keyword) return std::nullopt;
    return base::concat(
        "\"images\" has ", json::quote(place.pointer), ", where no value that fits the schema of ",
        json::quote(step.name),
        " has the path of a file or an array of paths (schema: ", keyword->empty() ? "false" : *keyword, ")");
}

}  // namespace

std::vector<ValuePlace> read_image_places(View value, const Step& step, ProblemList& problems) {
    std::vector<ValuePlace> places;
    for (View element : value.elements()) {
        if (!element.is(Kind::string)) {
            problems.add(element,
                         base::concat("\"images\" must have strings, not ", kind_name(element.kind())));
            continue;
        }
        auto place = read_place(element, "an element of \"images\"", problems);
        if (!place) continue;
        if (std::ranges::find(places, place->tokens, &ValuePlace::tokens) != places.end())
            problems.add_unless_begun(element, base::concat(element.text(), " occurs twice in \"images\""));
        else if (auto problem = excluded(*place, step))
            problems.add_unless_begun(element, std::move(*problem));
        places.push_back(std::move(*place));
    }
    return places;
}

}  // namespace config
