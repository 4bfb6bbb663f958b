// Reads and writes the protocol's JSON objects, member by member. For this library only.
#pragma once

#include "base/error.hpp"
#include "json/json.hpp"
#include "pool_protocol/kick_reason.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// Fails if `text` is not the JSON of an object. `what` names the text in the error: "the request".
base::Result<json::View> parse_object(std::string_view text, std::string_view what);

// Nothing if the member is absent or of another type.
std::optional<std::string> string_in(const std::optional<json::View>& member);
std::optional<std::string> string_member(json::View object, std::string_view name);
std::optional<int> int_member(json::View object, std::string_view name);
// Of a kick; `timeout` if there is none.
KickReason kick_reason_in(json::View object);
bool is_true(const std::optional<json::View>& member);

// `"id":…,`, or nothing.
std::string id_member(const std::optional<std::string>& id);
// `"name":true,`, or nothing.
std::string flag(std::string_view name, bool value);
// `,"name":7`, or nothing.
std::string number_member(std::string_view name, const std::optional<int>& number);

}  // namespace pool_protocol
