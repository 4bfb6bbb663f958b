// Reads and writes the protocol's JSON objects, member by member. For this library only.
#pragma once

#include "base/error.hpp"
#include "base/labels.hpp"
#include "json/json.hpp"
#include "pool_protocol/agent_report.hpp"
#include "pool_protocol/kick_reason.hpp"
#include "pool_protocol/unix_time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// Fails if `text` is not the JSON of an object. `what` names the text in the error: "the request".
base::Result<json::View> parse_object(std::string_view text, std::string_view what);

// Nothing if the member is absent or of another type.
std::optional<std::string> string_in(const std::optional<json::View>& member);
std::optional<std::string> string_member(json::View object, std::string_view name);
// "" if the member is absent or of another type.
std::string text_in(json::View object, std::string_view name);
// 0 if the member is absent, of another type, or negative.
std::uint64_t count_in(json::View object, std::string_view name);
std::optional<int> int_member(json::View object, std::string_view name);
// Between 1970 and 9999, so that differences cannot overflow.
std::optional<UnixTime> time_in(json::View object, std::string_view name);
// A number of milliseconds, which may have decimals; at most 31 years.
std::optional<std::chrono::microseconds> duration_in(json::View object, std::string_view name);
// The reason of a kick; `timeout` if there is none.
StatedKickReason kick_reason_in(json::View object);
// `report`; nothing if it is not valid.
std::optional<AgentReport> report_in(json::View object);
// `failure` (see Release); empty if it is absent or not valid.
std::string failure_in(json::View object);
bool is_true(const std::optional<json::View>& member);
// Control characters become spaces.
std::string on_one_line(std::string text);
// None if the member is absent. Fails if it is not an array of labels.
base::Result<base::Labels> labels_in(const std::optional<json::View>& member);

// Milliseconds with three decimals.
std::string milliseconds_text(std::chrono::microseconds duration);
// `"id":…,`, or nothing.
std::string id_member(const std::optional<std::string>& id);
// `"name":true,`, or nothing.
std::string flag(std::string_view name, bool value);
// `"name":["a","b"],`, or nothing if there are none.
std::string labels_member(std::string_view name, const base::Labels& labels);
// `["a","b"]`
std::string labels_array(const base::Labels& labels);
// `"report":{…},`, or nothing.
std::string report_member(const std::optional<AgentReport>& report);
// `,"failure":"too_large","permanent":true`; each only if it is set.
std::string failure_members(std::string_view failure, bool is_permanent);
// `,"name":7`, or nothing.
std::string number_member(std::string_view name, const std::optional<int>& number);

}  // namespace pool_protocol
