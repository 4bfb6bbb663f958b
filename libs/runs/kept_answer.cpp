#include "runs/kept_answer.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "runs/json_members.hpp"

#include <chrono>
#include <utility>

namespace runs {

std::string to_json(const KeptAnswer& kept) {
    std::string text = to_json(ControlRequest(kept.answer));
    text.resize(text.rfind('}'));
    return base::concat(text, ",\"time\":", kept.time.time_since_epoch().count(), "}\n");
}

base::Result<KeptAnswer> parse_kept_answer(std::string_view text) {
    auto request = parse_control_request(text);
    auto* answer = request ? std::get_if<HumanAnswer>(&*request) : nullptr;
    auto object = json::checked(text);
    auto time = object && object->is(json::Kind::object) ? number_in(*object, "time") : std::nullopt;
    if (!answer || !time) return base::invalid("it is not a person's answer with its time");
    return KeptAnswer{std::move(*answer), Time(std::chrono::milliseconds(*time))};
}

}  // namespace runs
