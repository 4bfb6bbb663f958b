#include "config/lenient_response.hpp"

#include "agent_driver/last_array.hpp"
#include "json/json.hpp"

namespace config {

namespace {

// JSON of another kind than these is no text around an array.
bool may_be_around_array(std::string_view output) {
    auto value = json::checked(output);
    return !value || value->is(json::Kind::object);
}

}  // namespace

FoundResponse find_response(const Step& step, std::string_view output) {
    if (!step.options.lenient_response || !may_be_around_array(output)) return {output};
    auto array = agent_driver::last_array(output);
    return array ? FoundResponse{*array, true} : FoundResponse{output};
}

}  // namespace config
