#include "agents/absence.hpp"

#include "base/text_parts.hpp"

namespace agents {

AbsenceNotice notice_of(const Park& park, std::chrono::system_clock::time_point now) {
    AbsenceNotice notice;
    notice.why = to_string(park);
    notice.time = std::chrono::ceil<std::chrono::milliseconds>(park.until - now);
    notice.is_its_own = true;
    notice.account = to_string(park.account);
    notice.reason = base::first_line(park.reason);
    return notice;
}

Absence::Absence(const AgentOptions& options, AbsenceNotice notice) : options_(options) {
    auto back = std::chrono::system_clock::now() + notice.time;
    pool_protocol::AgentAway away;
    away.name = options.name;
    away.labels = agent_driver::offered_labels(options.group);
    away.account = notice.account;
    away.until = std::chrono::ceil<pool_protocol::UnixTime>(back.time_since_epoch());
    away.reason = notice.account.empty() ? base::first_line(notice.why) : std::string_view(notice.reason);
    options.session->set_away(std::move(away));
    if (options.on_absence) options.on_absence(notice);
}

Absence::~Absence() {
    options_.session->set_back(options_.name);
    if (options_.on_return) options_.on_return();
}

}  // namespace agents
