#include "pool_protocol/agent_report.hpp"

#include "base/text.hpp"
#include "pool_protocol/bounded_members.hpp"

#include <algorithm>

namespace pool_protocol {

namespace {

std::string path_member(std::string_view name, std::string_view path) {
    constexpr std::size_t growth = 3;  // of a byte that is not UTF-8, which is replaced by U+FFFD
    std::size_t most = AgentReport::max_path / (json::invalid_utf8(path) ? growth : 1);
    if (path.empty() || path.size() > most) return {};
    return base::concat("\"", name, "\":", json::quote(path), ",");
}

}  // namespace

std::string to_json(const AgentReport& report) {
    std::string members = base::concat(
        bounded_text_member("kind", report.kind), bounded_text_member("model", report.model),
        bounded_text_member("session", report.session), turns_member("repairs", report.repairs),
        turns_member("turns", report.turns), tokens_member("input_tokens", report.input_tokens),
        tokens_member("cached_tokens", report.cached_tokens),
        tokens_member("output_tokens", report.output_tokens), usd_member(report.usd),
        bounded_text_member("price_list", report.price_list), path_member("refused", report.refused),
        path_member("transcript", report.transcript),
        report.agents > 1 ? turns_member("agents", report.agents) : "", time_member("since", report.since));
    members.pop_back();
    return base::concat("{", members, "}");
}

AgentActivity used_in(const AgentReport& report) {
    return {{},         report.turns,      report.input_tokens, report.cached_tokens, report.output_tokens,
            report.usd, report.price_list, report.since,        report.kind,          report.repairs};
}

AgentReport report_of(const AgentActivity& used) {
    AgentReport report;
    report.kind = used.kind;
    report.repairs = used.repairs;
    report.turns = used.turn;
    report.input_tokens = used.input_tokens;
    report.cached_tokens = used.cached_tokens;
    report.output_tokens = used.output_tokens;
    report.usd = used.usd;
    report.price_list = used.price_list;
    report.since = used.since;
    return report;
}

void add_earlier(AgentReport& report, const AgentReport& earlier) {
    report.repairs += earlier.repairs;
    report.turns += earlier.turns;
    report.input_tokens += earlier.input_tokens;
    report.cached_tokens += earlier.cached_tokens;
    report.output_tokens += earlier.output_tokens;
    report.agents += earlier.agents;
    if (earlier.since != 0 && (report.since == 0 || earlier.since < report.since))
        report.since = earlier.since;
    if (earlier.usd) report.usd = report.usd.value_or(0) + *earlier.usd;
    if (report.price_list.empty()) report.price_list = earlier.price_list;
}

std::optional<AgentReport> parse_report(json::View value) {
    if (!value.is(json::Kind::object)) return std::nullopt;
    AgentReport report;
    BoundedMembers members(value);
    members.read("kind", report.kind);
    members.read("model", report.model);
    members.read("session", report.session);
    members.read("repairs", report.repairs);
    members.read("turns", report.turns);
    members.read("input_tokens", report.input_tokens);
    members.read("cached_tokens", report.cached_tokens);
    members.read("output_tokens", report.output_tokens);
    members.read("usd", report.usd);
    members.read("price_list", report.price_list);
    members.read("refused", report.refused, AgentReport::max_path);
    members.read("transcript", report.transcript, AgentReport::max_path);
    members.read("agents", report.agents);
    members.read_time("since", report.since);
    report.agents = std::max(report.agents, 1);
    if (!members.valid() || report.kind.empty()) return std::nullopt;
    return report;
}

std::optional<AgentReport> parse_report(std::string_view text) {
    if (text.size() > longest_report || json::check(text)) return std::nullopt;
    return parse_report(json::View::of(text));
}

}  // namespace pool_protocol
