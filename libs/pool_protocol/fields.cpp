#include "pool_protocol/fields.hpp"

#include "base/text.hpp"

namespace pool_protocol {

base::Result<json::View> parse_object(std::string_view text, std::string_view what) {
    if (auto problem = json::check(text))
        return base::invalid(
            base::concat(what, " is not JSON: byte ", problem->offset, ": ", problem->message));
    json::View value = json::View::of(text);
    if (!value.is(json::Kind::object)) return base::invalid(base::concat(what, " is not a JSON object"));
    return value;
}

std::optional<std::string> string_in(const std::optional<json::View>& member) {
    if (!member || !member->is(json::Kind::string)) return std::nullopt;
    return member->string();
}

std::optional<std::string> string_member(json::View object, std::string_view name) {
    return string_in(object.find(name));
}

std::optional<int> int_member(json::View object, std::string_view name) {
    constexpr double largest = 1e6;
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    double number = member->number();
    if (!(number >= -largest && number <= largest)) return std::nullopt;
    return static_cast<int>(number);
}

KickReason kick_reason_in(json::View object) {
    auto reason = string_member(object, "reason");
    return reason ? KickReason::parse(*reason) : KickReason::timeout;
}

bool is_true(const std::optional<json::View>& member) {
    return member && member->is(json::Kind::boolean) && member->boolean();
}

std::string id_member(const std::optional<std::string>& id) {
    return id ? base::concat("\"id\":", json::quote(*id), ",") : std::string();
}

std::string flag(std::string_view name, bool value) {
    return value ? base::concat("\"", name, "\":true,") : std::string();
}

std::string number_member(std::string_view name, const std::optional<int>& number) {
    return number ? base::concat(",\"", name, "\":", *number) : std::string();
}

}  // namespace pool_protocol
