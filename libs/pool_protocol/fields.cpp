#include "pool_protocol/fields.hpp"

#include "base/text.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <cmath>

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

std::string text_in(json::View object, std::string_view name) {
    return string_member(object, name).value_or("");
}

std::uint64_t count_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::number)) return 0;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(member->integer().value_or(0), 0));
}

std::optional<int> int_member(json::View object, std::string_view name) {
    constexpr double largest = 1e6;
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    double number = member->number();
    if (!(number >= -largest && number <= largest)) return std::nullopt;
    return static_cast<int>(number);
}

std::optional<UnixTime> time_in(json::View object, std::string_view name) {
    constexpr std::int64_t latest = 253'402'300'799'999;
    auto member = object.find(name);
    auto number = member && member->is(json::Kind::number) ? member->integer() : std::nullopt;
    return number && *number >= 0 && *number <= latest ? std::optional(UnixTime(*number)) : std::nullopt;
}

std::optional<std::chrono::microseconds> duration_in(json::View object, std::string_view name) {
    constexpr double longest = 1e12;  // ms: a double is still exact to the microsecond
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    return std::chrono::microseconds(std::llround(std::clamp(member->number(), 0.0, longest) * 1000));
}

StatedKickReason kick_reason_in(json::View object) {
    auto reason = string_member(object, "reason");
    return reason ? StatedKickReason::parse(*reason) : KickReason::timeout;
}

std::optional<AgentReport> report_in(json::View object) {
    auto member = object.find("report");
    return member ? parse_report(*member) : std::nullopt;
}

std::string failure_in(json::View object) {
    auto name = string_member(object, "failure");
    return name && is_failure_name(*name) ? std::move(*name) : std::string();
}

std::string on_one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return text;
}

bool is_true(const std::optional<json::View>& member) {
    return member && member->is(json::Kind::boolean) && member->boolean();
}

base::Result<base::Labels> labels_in(const std::optional<json::View>& member) {
    if (!member || member->is(json::Kind::null)) return base::Labels();
    std::vector<std::string> texts;
    bool is_array = member->is(json::Kind::array);
    for (json::View element : is_array ? member->elements() : std::vector<json::View>{}) {
        is_array = is_array && element.is(json::Kind::string);
        if (is_array) texts.push_back(element.string());
    }
    if (!is_array) return base::invalid("\"labels\" must be an array of strings");
    auto labels = base::Labels::of(std::move(texts));
    if (labels.has_error()) return base::with_context("\"labels\"", labels.error());
    return labels;
}

std::string milliseconds_text(std::chrono::microseconds duration) {
    std::string thousandths = std::to_string(duration.count() % 1000);
    return base::concat(duration.count() / 1000, ".", std::string(3 - thousandths.size(), '0'), thousandths);
}

std::string id_member(const std::optional<std::string>& id) {
    return id ? base::concat("\"id\":", json::quote(*id), ",") : std::string();
}

std::string flag(std::string_view name, bool value) {
    return value ? base::concat("\"", name, "\":true,") : std::string();
}

std::string labels_array(const base::Labels& labels) {
    return json::quoted_list(labels.texts());
}

std::string labels_member(std::string_view name, const base::Labels& labels) {
    return labels.empty() ? std::string() : base::concat("\"", name, "\":", labels_array(labels), ",");
}

std::string report_member(const std::optional<AgentReport>& report) {
    return report ? base::concat("\"report\":", to_json(*report), ",") : std::string();
}

std::string failure_members(std::string_view failure, bool is_permanent) {
    std::string name = failure.empty() ? "" : base::concat(",\"failure\":", json::quote(failure));
    return base::concat(name, is_permanent ? ",\"permanent\":true" : "");
}

std::string number_member(std::string_view name, const std::optional<int>& number) {
    return number ? base::concat(",\"", name, "\":", *number) : std::string();
}

}  // namespace pool_protocol
