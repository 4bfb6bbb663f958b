#include "people/answer_draft.hpp"

#include "json/json.hpp"
#include "json_schema/schema.hpp"
#include "samples/stub_walk.hpp"

namespace people {

std::string answer_draft(const config::Step& step, std::string_view own) {
    json::View value = json::View::of(own);
    if (!step.value_schema || !step.value_schema->violation(value)) return json::pretty(value);
    auto made_up = samples::stub_value(step);
    return made_up ? json::pretty(json::View::of(*made_up)) : "{}";
}

}  // namespace people
