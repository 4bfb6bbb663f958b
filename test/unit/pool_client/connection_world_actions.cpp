// What a World holds the actions and the state against.
#include "connection_world.hpp"

#include <algorithm>
#include <utility>

namespace connection_test {

void World::must(bool holds, const char* what) const {
    if (!holds) FAIL(what << trace_);
}

void World::feed(const Event& event) {
    for (const Action& action : apply(state_, event, now_))
        std::visit([this](const auto& a) { perform(a); }, action);
    must(to_deliver_.empty(), "an answer was not delivered");
    must(to_fail_.empty(), "a submission did not fail");
    must(to_withdraw_.empty(), "the daemon was not told of the withdrawal");
    must(!to_report_, "an outage was not reported");
    must(!to_await_daemon_end_, "the end of the daemon is not awaited");
    must(!to_discard_, "an answer was not discarded");
    must(!to_fall_back_, "files are used without a report");
}

void World::perform(const Look& action) {
    must(!look_is_due_ && !route_ && anybody_waits(), "a look that nobody needs");
    must(action.uses_socket == (state_.settings.transport != Transport::file), "a look at the wrong thing");
    if (!search_end_) search_end_ = now_ + state_.settings.pool_wait;
    must(!last_look_ || now_ >= std::min(*last_look_ + look_delay, *search_end_), "a look too early");
    last_look_ = now_;
    look_is_due_ = true;
}

void World::perform(const Send& action) {
    Open& open = open_.at(action.submission);
    must(!open.sent_over && !open.is_stopped, "sent although it is under way");
    must(route_ == action.route, "sent over a route that is not there");
    open = {action.route, false, route_number_, ++requests_ * 7919 % 1009};
    if (action.route != Route::shared_connection) return;
    must(sent_over_connection_.insert(action.submission).second, "sent twice over one connection");
    apply(state_, Sent{action.submission, open.bytes}, now_);
}

void World::perform(const SendWithdrawal& action) {
    must(to_withdraw_.erase(action.submission) == 1, "a withdrawal that nobody needs");
}

void World::perform(const AwaitDaemonEnd&) {
    must(std::exchange(to_await_daemon_end_, false), "nobody waits for the end of the daemon");
    awaits_daemon_end_ = true;
}

void World::perform(const DiscardAnswer&) {
    must(std::exchange(to_discard_, false), "an answer was discarded");
}

void World::perform(const ReportFallback&) {
    must(std::exchange(to_fall_back_, false), "files must not be used");
}

void World::perform(const ReportOutage& action) {
    must(to_report_ == action.outage, "a report that nobody needs");
    to_report_.reset();
    is_reported_ = true;
}

void World::end_submission(const SubmissionId& id, std::set<SubmissionId>& expected, const char* what) {
    must(expected.erase(id) == 1, what);
    must(open_.erase(id) == 1, "ended twice");
    sent_over_connection_.erase(id);
}

void World::check() const {
    must(state_.route == route_, "connected or not");
    must(state_.open.size() == open_.size(), "the open submissions");
    must(!route_ || !anybody_waits(), "a submission waits although there is a route");
    must(!anybody_waits() || look_is_due_ || next_deadline(state_), "nobody looks for the pool");
    must(anybody_waits() || !next_deadline(state_), "a search that nobody needs");
    if (auto deadline = next_deadline(state_)) must(*deadline <= *search_end_, "the search takes too long");
}

}  // namespace connection_test
