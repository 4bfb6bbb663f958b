#include "agents/conversations.hpp"

#include "agent_driver/prompt.hpp"
#include "base/checksum.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace agents {

Conversations::Key Conversations::key(const agent_driver::Settings& settings, std::string_view account,
                                      std::string_view content) {
    return {
        base::concat(agent_driver::kind_name(settings.kind), "\n", settings.program, "\n", settings.command,
                     "\n", account, "\n", settings.directory, "\n", settings.model, "\n", content.size()),
        base::checksum(content)};
}

void Conversations::keep(Key key, agent_driver::Begun begun, Time now) {
    if (kept_.size() >= most)
        kept_.erase(std::ranges::min_element(kept_, {}, [](const auto& kept) { return kept.second.since; }));
    kept_.emplace(std::move(key), Kept{std::move(begun), now});
}

agent_driver::Begun Conversations::take(const Key& key, Time now) {
    while (true) {
        auto taken = kept_.extract(key);
        if (taken.empty()) return {};
        if (now - taken.mapped().since < longest) return std::move(taken.mapped().begun);
    }
}

bool is_worth_resuming(const WorkEnd& end, bool resumed) {
    const bool is_limit = end.kind == WorkEnd::Kind::parked;
    if (!is_limit && end.kind != WorkEnd::Kind::unavailable) return false;
    if (!end.report || !agent_driver::is_conversation_id(end.report->session)) return false;
    // One that does not get on after an overload may be what the provider cannot take.
    return end.report->turns > 0 || (is_limit && resumed);
}

agent_driver::Begun to_go_on(const WorkEnd& end, const agent_driver::Usage& before) {
    const pool_protocol::AgentReport& report = *end.report;
    agent_driver::Usage used = before;
    used.input += report.input_tokens;
    used.cached += report.cached_tokens;
    used.output += report.output_tokens;
    if (report.usd) used.usd = used.usd.value_or(0) + *report.usd;
    return {report.session, used};
}

bool lacks_conversation(const WorkEnd& end, std::string_view id) {
    const bool has_another = end.report && !end.report->session.empty() && end.report->session != id;
    return has_another || has_no_conversation(end);
}

bool has_no_conversation(const WorkEnd& end) {
    const bool has_failed = end.kind == WorkEnd::Kind::unusable || end.kind == WorkEnd::Kind::failed;
    return has_failed && end.report && end.report->session.empty();
}

}  // namespace agents
