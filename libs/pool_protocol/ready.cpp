#include "pool_protocol/ready.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

#include <array>
#include <utility>

namespace pool_protocol {

namespace {

using Reason = Release::Reason;

constexpr std::array<std::pair<Reason, std::string_view>, 4> reason_names{{
    {Reason::handed_back, "handed_back"},
    {Reason::failed, "failed"},
    {Reason::timeout, "timeout"},
    {Reason::ended, "ended"},
}};

// To older daemons, which don't know reasons, each of these hands the task back.
std::string release_members(const Release& release) {
    return base::concat("\"handed_back\":", json::quote(release.message), ",\"reason\":\"",
                        reason_name(release.reason), "\"", end_members(release), ",");
}

std::optional<Release> parse_release(json::View value) {
    auto message = string_member(value, "handed_back");
    if (!message) return std::nullopt;
    return release_in(value, std::move(*message));
}

}  // namespace

std::string end_members(const Release& release) {
    std::string report = release.report ? base::concat(",\"report\":", to_json(*release.report)) : "";
    return base::concat(number_member("exit_code", release.exit_code),
                        number_member("signal", release.signal),
                        failure_members(release.failure, release.is_permanent), report);
}

Release release_in(json::View object, std::string message) {
    Release release;
    release.message = std::move(message);
    release.reason = parse_reason(string_member(object, "reason").value_or(""));
    release.exit_code = int_member(object, "exit_code");
    release.signal = int_member(object, "signal");
    release.failure = failure_in(object);
    release.is_permanent = is_true(object.find("permanent"));
    release.report = report_in(object);
    return release;
}

std::string_view reason_name(Reason reason) {
    return reason_names.at(static_cast<std::size_t>(reason)).second;
}

Reason parse_reason(std::string_view name) {
    for (const auto& [reason, known] : reason_names)
        if (known == name) return reason;
    return Reason::handed_back;
}

std::string to_json(const Ready& ready) {
    std::string members;
    if (!ready.name.empty()) members += base::concat("\"name\":", json::quote(ready.name), ",");
    members += flag("locked", ready.locked);
    members += flag("keeps_lock", ready.keeps_lock);
    members += flag("ends_when_told", ready.ends_when_told);
    if (!ready.session.empty()) members += base::concat("\"session\":", json::quote(ready.session), ",");
    members += labels_member("labels", ready.labels);
    members += flag("wants_schema", ready.wants_schema);
    members += flag("reports", ready.reports);
    if (!ready.account.empty()) members += base::concat("\"account\":", json::quote(ready.account), ",");
    if (ready.release) members += release_members(*ready.release);
    if (!members.empty()) members.pop_back();
    return base::concat("{", members, "}");
}

Ready parse_ready(std::string_view text) {
    Ready ready;
    if (json::check(text)) return ready;
    json::View value = json::View::of(text);
    ready.name = string_member(value, "name").value_or("");
    ready.locked = is_true(value.find("locked"));
    ready.keeps_lock = is_true(value.find("keeps_lock"));
    ready.ends_when_told = is_true(value.find("ends_when_told"));
    ready.session = string_member(value, "session").value_or("");
    auto labels = labels_in(value.find("labels"));
    if (labels.has_value())
        ready.labels = std::move(*labels);
    else
        ready.labels_problem = std::move(labels.error().message);
    ready.wants_schema = is_true(value.find("wants_schema"));
    ready.reports = is_true(value.find("reports"));
    ready.account = string_member(value, "account").value_or("");
    if (ready.account.size() > Ready::max_account) ready.account.clear();
    ready.release = parse_release(value);
    return ready;
}

}  // namespace pool_protocol
