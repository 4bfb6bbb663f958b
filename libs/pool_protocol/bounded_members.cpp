#include "pool_protocol/bounded_members.hpp"

#include "base/text.hpp"
#include "json/escape.hpp"
#include "json/number.hpp"
#include "pool_protocol/fields.hpp"

#include <algorithm>
#include <cmath>

namespace pool_protocol {

namespace {

// With these bounds, the sums over all tasks of a run cannot overflow.
constexpr std::uint64_t most_tokens = 1'000'000'000'000;
constexpr int most_turns = 1'000'000;
constexpr double most_usd = 1e9;
constexpr std::uint64_t latest_time = 10'000'000'000'000;  // in the year 2286

std::optional<std::uint64_t> bounded_count(json::View member, std::uint64_t most) {
    auto number = member.is(json::Kind::number) ? member.integer() : std::nullopt;
    bool fits = number && *number >= 0 && static_cast<std::uint64_t>(*number) <= most;
    return fits ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

}  // namespace

std::string bounded_text_member(std::string_view name, std::string_view text) {
    return text.empty() ? std::string()
                        : base::concat("\"", name, "\":", json::quote_beginning(text, longest_text), ",");
}

std::string turns_member(std::string_view name, int turns) {
    return base::concat("\"", name, "\":", std::clamp(turns, 0, most_turns), ",");
}

std::string tokens_member(std::string_view name, std::uint64_t tokens) {
    return base::concat("\"", name, "\":", std::min(tokens, most_tokens), ",");
}

std::string usd_member(const std::optional<double>& usd) {
    if (!usd || !std::isfinite(*usd)) return {};
    return base::concat("\"usd\":", json::number_text(std::clamp(*usd, 0.0, most_usd)), ",");
}

std::string time_member(std::string_view name, std::uint64_t time) {
    return time == 0 ? std::string() : base::concat("\"", name, "\":", std::min(time, latest_time), ",");
}

void BoundedMembers::read(std::string_view name, std::string& text, std::size_t most) {
    auto member = find(name);
    if (!member) return;
    if (member->is(json::Kind::string)) text = member->string();
    valid_ = valid_ && member->is(json::Kind::string) && text.size() <= most;
}

void BoundedMembers::read(std::string_view name, int& turns) {
    auto member = find(name);
    if (!member) return;
    auto count = bounded_count(*member, most_turns);
    if (count) turns = static_cast<int>(*count);
    valid_ = valid_ && count;
}

void BoundedMembers::read(std::string_view name, std::uint64_t& tokens) {
    auto member = find(name);
    if (!member) return;
    auto count = bounded_count(*member, most_tokens);
    if (count) tokens = *count;
    valid_ = valid_ && count;
}

void BoundedMembers::read(std::string_view name, std::optional<double>& usd) {
    auto member = find(name);
    if (!member) return;
    if (member->is(json::Kind::number)) usd = member->number();
    valid_ = valid_ && usd && *usd >= 0 && *usd <= most_usd;
}

void BoundedMembers::read_time(std::string_view name, std::uint64_t& time) {
    auto member = find(name);
    if (!member) return;
    auto count = bounded_count(*member, latest_time);
    if (count) time = *count;
    valid_ = valid_ && count;
}

std::optional<json::View> BoundedMembers::find(std::string_view name) const {
    auto member = std::ranges::find_if(
        members_, [&](const json::Member& candidate) { return candidate.key.is_string(name); });
    if (member == members_.end() || member->value.is(json::Kind::null)) return std::nullopt;
    return member->value;
}

}  // namespace pool_protocol
