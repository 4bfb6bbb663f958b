#include "config/image_paths.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json_schema/pointer.hpp"

#include <variant>

namespace config {

namespace {

using json::Kind;
using json::View;

base::Error nothing_at(const ValuePlace& place) {
    return base::invalid(base::concat("\"images\" of the step: the value of the task has nothing at ",
                                      json::quote(place.pointer),
                                      "; without an image, an empty array is there"));
}

base::Error no_path_at(const ValuePlace& place) {
    return base::invalid(base::concat("\"images\" of the step: the value of the task has at ",
                                      json::quote(place.pointer),
                                      " neither the path of a file nor an array of such paths"));
}

void append(std::string& array, View path) {
    base::append_piece(array, base::concat(array.empty() ? "" : ",", path.text()));
}

}  // namespace

base::Result<std::string> image_paths(const Step& step, std::string_view value) {
    const auto* action = std::get_if<PoolAction>(&step.action);
    if (action == nullptr || action->images.empty()) return std::string();
    std::string paths;
    for (const ValuePlace& place : action->images) {
        auto part = json_schema::find_path(View::of(value), place.tokens);
        if (!part) return nothing_at(place);
        if (part->is(Kind::string)) {
            append(paths, *part);
            continue;
        }
        if (!part->is(Kind::array)) return no_path_at(place);
        for (View path : part->elements()) {
            if (!path.is(Kind::string)) return no_path_at(place);
            append(paths, path);
        }
    }
    return base::concat("[", paths, "]");
}

base::Result<void> check_image_paths(const Step& step, std::string_view value) {
    if (step.pre) return {};
    auto paths = image_paths(step, value);
    if (!paths) return paths.error();
    return {};
}

}  // namespace config
