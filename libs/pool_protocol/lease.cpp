#include "pool_protocol/lease.hpp"

#include "base/text.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace pool_protocol {

using std::chrono::milliseconds;

namespace {

constexpr std::string_view format_mark = "#format ";
constexpr std::string_view nothing = "-";
// These come at the end of a line, in this order, because older daemons don't write them.
constexpr std::string_view agent_mark = " agent";
constexpr std::string_view failures_mark = " failures";
constexpr std::string_view priority_mark = " priority=";
constexpr std::string_view labels_mark = " labels=";
constexpr std::int64_t largest = 1'000'000'000'000'000;  // ms; more would overflow the clock

std::optional<milliseconds> parse_ms(std::string_view text) {
    std::int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > largest)
        return std::nullopt;
    return milliseconds(value);
}

// Takes the mark off the end of the line; 0 without one. Nothing if it is not valid.
std::optional<std::int32_t> take_priority(std::string_view& line) {
    std::size_t mark = line.find(priority_mark);
    if (mark == line.npos) return 0;
    std::string_view text = line.substr(mark + priority_mark.size());
    line = line.substr(0, mark);
    std::int32_t priority = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), priority);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return priority;
}

// The fields between single spaces; nothing if their number is wrong.
template<std::size_t Count>
std::optional<std::array<std::string_view, Count>> split(std::string_view line) {
    std::array<std::string_view, Count> fields;
    for (std::size_t i = 0; i < Count; ++i) {
        std::size_t end = i + 1 < Count ? line.find(' ') : line.size();
        if (end == std::string_view::npos) return std::nullopt;
        fields[i] = line.substr(0, end);
        line.remove_prefix(std::min(line.size(), end + 1));
    }
    return fields;
}

}  // namespace

std::string to_line(const LeasesFormat& format) {
    return base::concat(format_mark, format.number, " ", format.version);
}

std::optional<LeasesFormat> parse_leases_format(std::string_view line) {
    if (!line.starts_with(format_mark)) return std::nullopt;
    line.remove_prefix(format_mark.size());
    LeasesFormat format;
    auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), format.number);
    if (error != std::errc() || format.number < 1) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (!line.starts_with(' ')) return std::nullopt;
    format.version = line.substr(1);
    return format;
}

std::string to_line(const Lease& lease) {
    std::string timeout = lease.timeout ? std::to_string(lease.timeout->count()) : std::string(nothing);
    return base::concat(lease.agent, " ", lease.submission ? std::string_view(*lease.submission) : nothing,
                        lease.by_file ? " file " : " socket ", lease.assigned.count(), " ", timeout,
                        lease.wants_agent ? agent_mark : "", lease.wants_failures ? failures_mark : "",
                        lease.priority == 0 ? "" : base::concat(priority_mark, lease.priority),
                        lease.labels.empty() ? "" : base::concat(labels_mark, lease.labels.joined(",")));
}

std::optional<Lease> parse_lease(std::string_view line) {
    base::Result<base::Labels> labels = base::Labels();
    if (std::size_t mark = line.find(labels_mark); mark != line.npos) {
        labels = base::Labels::parse(line.substr(mark + labels_mark.size()));
        line = line.substr(0, mark);
    }
    std::optional<std::int32_t> priority = take_priority(line);
    bool wants_failures = line.ends_with(failures_mark);
    if (wants_failures) line.remove_suffix(failures_mark.size());
    bool wants_agent = line.ends_with(agent_mark);
    if (wants_agent) line.remove_suffix(agent_mark.size());
    auto fields = split<5>(line);
    if (!fields) return std::nullopt;
    auto [agent, submission, way, assigned_text, timeout_text] = *fields;
    auto assigned = parse_ms(assigned_text);
    auto timeout = parse_ms(timeout_text);
    if (labels.has_error() || !priority) return std::nullopt;
    if (!is_id(agent) || (submission != nothing && !is_id(submission)) || !assigned) return std::nullopt;
    if ((way != "file" && way != "socket") || (!timeout && timeout_text != nothing)) return std::nullopt;
    Lease lease{std::string(agent), std::nullopt,       way == "file", *assigned, timeout,
                wants_failures,     std::move(*labels), wants_agent,   *priority};
    if (submission != nothing) lease.submission = std::string(submission);
    return lease;
}

std::optional<milliseconds> time_left(const Lease& lease, milliseconds now) {
    if (!lease.timeout) return std::nullopt;
    return std::clamp(lease.assigned + *lease.timeout - now, milliseconds(0), *lease.timeout);
}

}  // namespace pool_protocol
