#include "pool_client/submit_connection.hpp"

#include <algorithm>
#include <utility>

namespace pool_client::connection {

namespace {

using Open = std::unordered_map<SubmissionId, OpenSubmission>;

bool waits(const Open::value_type& entry) {
    return entry.second.stage == Stage::waiting;
}

bool is_shared(const Open::value_type& entry) {
    return entry.second.stage != Stage::waiting && entry.second.route == Route::shared_connection;
}

bool is_stopped_by_file(const Open::value_type& entry) {
    return entry.second.stage == Stage::stopped && entry.second.route == Route::files;
}

bool is_sent(const Open::value_type& entry, Route route) {
    return entry.second.stage == Stage::sent && entry.second.route == route;
}

// The submissions that wait, in the order of submission.
std::vector<Open::pointer> waiting(Open& open) {
    std::vector<Open::pointer> found;
    for (auto& entry : open)
        if (waits(entry)) found.push_back(&entry);
    std::sort(found.begin(), found.end(), [](auto a, auto b) { return a->second.number < b->second.number; });
    return found;
}

class Transition {
  public:
    Transition(State& state, Time now) : s_(state), now_(now) {}

    void operator()(const Submitted& event);
    void operator()(const Withdrawn& event);
    void operator()(const PoolFound& event) { found(event.route); }
    void operator()(const SocketDenied& event);
    void operator()(const PoolMissing& event) { missing(event.may_come); }
    void operator()(const Sent& event);
    void operator()(const Answered& event);
    void operator()(const ConnectionLost& event);
    void operator()(const OwnConnectionLost& event);
    void operator()(const FileFailed& event);
    void operator()(const DaemonGone& event);
    void operator()(const TimePassed& event);

    std::vector<Action> take_actions() { return std::move(actions_); }

  private:
    void send_or_wait(const SubmissionId& id, OpenSubmission& submission);
    void send(const SubmissionId& id, OpenSubmission& submission);
    void search();
    void look();
    void found(Route route);
    void missing(bool may_come);
    void give_up();
    void report(Outage outage);
    void stopped(const SubmissionId& id, OpenSubmission& submission);
    void route_lost(bool (*is_concerned)(const Open::value_type&));
    bool is_on_current_route(const OpenSubmission& submission) const;
    Open::iterator answered(const std::optional<SubmissionId>& id);
    Open::iterator largest();

    State& s_;
    Time now_;
    std::vector<Action> actions_;
};

void Transition::send_or_wait(const SubmissionId& id, OpenSubmission& submission) {
    if (s_.route) return send(id, submission);
    submission.stage = Stage::waiting;
    search();
}

void Transition::send(const SubmissionId& id, OpenSubmission& submission) {
    submission.stage = Stage::sent;
    submission.route = *s_.route;
    submission.route_number = s_.route_number;
    actions_.emplace_back(Send{id, *s_.route});
}

void Transition::search() {
    if (s_.search) return;
    s_.search = Search{now_ + s_.settings.pool_wait, std::nullopt};
    look();
}

void Transition::look() {
    s_.search->next_look.reset();
    actions_.emplace_back(Look{s_.settings.transport != Transport::file});
}

void Transition::found(Route route) {
    s_.search.reset();
    s_.route = route;
    ++s_.route_number;
    s_.is_outage_reported = false;
    for (auto* entry : waiting(s_.open))
        send(entry->first, entry->second);
}

void Transition::missing(bool may_come) {
    if (!may_come || now_ >= s_.search->end) return give_up();
    if (std::none_of(s_.open.begin(), s_.open.end(), waits)) return s_.search.reset();
    report(Outage::not_found);
    s_.search->next_look = std::min(now_ + look_delay, s_.search->end);
}

void Transition::give_up() {
    s_.search.reset();
    for (const auto* entry : waiting(s_.open)) {
        actions_.emplace_back(Fail{entry->first});
        s_.open.erase(SubmissionId(entry->first));
    }
}

// Makes one report for each outage, however many submissions it concerns and however long it lasts.
void Transition::report(Outage outage) {
    if (!std::exchange(s_.is_outage_reported, true)) actions_.emplace_back(ReportOutage{outage});
}

// A submission that was sent over an earlier route, and hears of its end only now, says nothing about this
// one.
bool Transition::is_on_current_route(const OpenSubmission& submission) const {
    return s_.route && submission.route_number == s_.route_number;
}

void Transition::operator()(const Submitted& event) {
    auto& [id, submission] = *s_.open.try_emplace(event.submission).first;
    submission.number = ++s_.last_number;
    send_or_wait(id, submission);
}

void Transition::operator()(const Withdrawn& event) {
    auto found = s_.open.find(event.submission);
    if (found == s_.open.end()) return;
    if (is_sent(*found, Route::shared_connection)) actions_.emplace_back(SendWithdrawal{event.submission});
    s_.open.erase(found);
    bool awaits_look = s_.search && s_.search->next_look;
    if (awaits_look && std::none_of(s_.open.begin(), s_.open.end(), waits)) s_.search.reset();
}

void Transition::operator()(const SocketDenied&) {
    if (s_.settings.transport != Transport::automatic) return missing(false);
    actions_.emplace_back(ReportFallback{});
    found(Route::files);
}

void Transition::operator()(const Sent& event) {
    if (auto found = s_.open.find(event.submission); found != s_.open.end())
        found->second.bytes = event.bytes;
}

Open::iterator Transition::answered(const std::optional<SubmissionId>& id) {
    if (!id) return largest();
    auto found = s_.open.find(*id);
    bool is_expected = found != s_.open.end() && found->second.stage == Stage::sent;
    return is_expected ? found : s_.open.end();
}

// An answer without an id refuses a request for its size.
Open::iterator Transition::largest() {
    auto largest = s_.open.end();
    for (auto entry = s_.open.begin(); entry != s_.open.end(); ++entry) {
        if (!is_sent(*entry, Route::shared_connection)) continue;
        if (largest == s_.open.end() || entry->second.bytes > largest->second.bytes) largest = entry;
    }
    return largest;
}

void Transition::operator()(const Answered& event) {
    auto found = answered(event.submission);
    if (found == s_.open.end()) {
        actions_.emplace_back(DiscardAnswer{});
        return;
    }
    if (event.is_stopped && s_.settings.outlives_pool) return stopped(found->first, found->second);
    actions_.emplace_back(Deliver{found->first});
    s_.open.erase(found);
}

// The daemon that has said so says so again as long as it serves the pool.
void Transition::stopped(const SubmissionId& id, OpenSubmission& submission) {
    submission.may_be_at_work = false;
    bool is_current = is_on_current_route(submission);
    if (is_current) report(Outage::lost);
    bool waits_for_daemon = is_current && submission.route == Route::files;
    if (submission.route != Route::shared_connection && !waits_for_daemon)
        return send_or_wait(id, submission);
    submission.stage = Stage::stopped;
    if (waits_for_daemon) actions_.emplace_back(AwaitDaemonEnd{});
}

void Transition::route_lost(bool (*is_concerned)(const Open::value_type&)) {
    s_.route.reset();
    bool concerns_any = false;
    for (auto& entry : s_.open) {
        if (!is_concerned(entry)) continue;
        if (entry.second.stage == Stage::sent) entry.second.may_be_at_work = true;
        entry.second.stage = Stage::waiting;
        concerns_any = true;
    }
    if (!concerns_any) return;
    report(Outage::lost);
    search();
}

void Transition::operator()(const ConnectionLost&) {
    route_lost(is_shared);
}

// The request files of the others wait for the next daemon.
void Transition::operator()(const DaemonGone&) {
    route_lost(is_stopped_by_file);
}

void Transition::operator()(const OwnConnectionLost& event) {
    auto found = s_.open.find(event.submission);
    if (found == s_.open.end() || !is_sent(*found, Route::own_connections)) return;
    if (is_on_current_route(found->second)) {
        s_.route.reset();
        report(Outage::lost);
    }
    send_or_wait(found->first, found->second);
}

void Transition::operator()(const FileFailed& event) {
    if (s_.open.erase(event.submission) > 0) actions_.emplace_back(Fail{event.submission});
}

void Transition::operator()(const TimePassed&) {
    auto due = next_deadline(s_);
    if (due && *due <= now_) look();
}

}  // namespace

std::vector<Action> apply(State& state, const Event& event, Time now) {
    Transition transition(state, now);
    std::visit(transition, event);
    return transition.take_actions();
}

std::vector<SubmissionId> unassigned(const State& state) {
    std::vector<SubmissionId> ids;
    for (const auto& [id, submission] : state.open) {
        bool was_not_sent = submission.stage == Stage::waiting && !submission.may_be_at_work;
        if (was_not_sent || submission.stage == Stage::stopped) ids.push_back(id);
    }
    return ids;
}

std::optional<Time> next_deadline(const State& state) {
    return state.search ? state.search->next_look : std::nullopt;
}

}  // namespace pool_client::connection
