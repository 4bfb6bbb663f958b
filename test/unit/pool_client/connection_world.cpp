#include "connection_world.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace connection_test {

namespace {

struct StepInfo {
    const char* name;
    bool concerns_submission = false;
};

constexpr std::array<StepInfo, static_cast<std::size_t>(Step::end)> steps{{{"submit", true},
                                                                           {"withdraw", true},
                                                                           {"answer", true},
                                                                           {"stop", true},
                                                                           {"refuse_largest"},
                                                                           {"answer_nobody", true},
                                                                           {"lose_connection"},
                                                                           {"lose_own", true},
                                                                           {"fail_file", true},
                                                                           {"lose_daemon"},
                                                                           {"find_shared"},
                                                                           {"find_own"},
                                                                           {"find_files"},
                                                                           {"deny_socket"},
                                                                           {"miss"},
                                                                           {"miss_for_good"},
                                                                           {"wait_for_deadline"},
                                                                           {"wait_long"}}};

const StepInfo& info(Step step) {
    return steps.at(static_cast<std::size_t>(step));
}

}  // namespace

bool World::concerns_submission(Step step) {
    return info(step).concerns_submission;
}

bool World::is_sent_over(const SubmissionId& id, Route route) const {
    auto found = open_.find(id);
    return found != open_.end() && found->second.sent_over == route;
}

bool World::anybody_waits() const {
    return std::any_of(open_.begin(), open_.end(), [](const auto& entry) { return entry.second.waits(); });
}

bool World::is_possible(Step step, const SubmissionId& id) const {
    bool is_open = open_.contains(id);
    bool is_sent = is_open && open_.at(id).sent_over;
    bool may_connect = look_is_due_ && state_.settings.transport != Transport::file;
    switch (step) {
        case Step::submit:
            return !is_open;
        case Step::withdraw:
            return is_open;
        case Step::answer:
        case Step::stop:
            return is_sent;
        case Step::answer_nobody:
            return route_ == Route::shared_connection && !is_sent;
        case Step::refuse_largest:
        case Step::lose_connection:
            return route_ == Route::shared_connection;
        case Step::lose_own_connection:
            return is_sent_over(id, Route::own_connections);
        case Step::fail_file:
            return is_sent_over(id, Route::files);
        case Step::lose_daemon:
            return awaits_daemon_end_;
        case Step::find_shared:
        case Step::find_own:
        case Step::deny_socket:
            return may_connect;
        case Step::find_files:
            return look_is_due_ && !may_connect;
        case Step::miss:
        case Step::miss_for_good:
            return look_is_due_;
        case Step::wait_for_deadline:
            return next_deadline(state_).has_value();
        default:
            return true;
    }
}

void World::expect_report(Outage outage) {
    if (!is_reported_) to_report_ = outage;
}

void World::submit(const SubmissionId& id) {
    open_[id] = {};
    feed(Submitted{id});
}

void World::withdraw(const SubmissionId& id) {
    if (is_sent_over(id, Route::shared_connection)) to_withdraw_.insert(id);
    open_.erase(id);
    sent_over_connection_.erase(id);
    feed(Withdrawn{id});
    if (!anybody_waits() && !look_is_due_) search_end_ = last_look_ = std::nullopt;
}

void World::answer(const SubmissionId& id) {
    to_deliver_.insert(id);
    feed(Answered{id, false});
}

void World::stop(const SubmissionId& id) {
    Open& open = open_.at(id);
    auto route = std::exchange(open.sent_over, std::nullopt);
    if (!state_.settings.outlives_pool) {
        to_deliver_.insert(id);
    } else {
        if (is_news(open)) expect_report(Outage::lost);
        to_await_daemon_end_ = route == Route::files && is_news(open);
        open.is_stopped = route == Route::shared_connection || to_await_daemon_end_;
    }
    feed(Answered{id, true});
}

void World::refuse_largest() {
    const SubmissionId* largest = nullptr;
    for (const auto& [id, open] : open_)
        if (open.sent_over == Route::shared_connection &&
            (largest == nullptr || open.bytes > open_.at(*largest).bytes))
            largest = &id;
    if (largest != nullptr) to_deliver_.insert(*largest);
    to_discard_ = largest == nullptr;
    feed(Answered{std::nullopt, false});
}

void World::answer_nobody(const SubmissionId& id) {
    to_discard_ = true;
    feed(Answered{id, false});
}

void World::lose_connection() {
    route_.reset();
    sent_over_connection_.clear();
    for (auto& [id, open] : open_) {
        if (open.sent_over != Route::shared_connection && !open.is_stopped) continue;
        open = {};
        expect_report(Outage::lost);
    }
    feed(ConnectionLost{});
}

void World::lose_own_connection(const SubmissionId& id) {
    Open& open = open_.at(id);
    if (is_news(open)) {
        expect_report(Outage::lost);
        route_.reset();
    }
    open = {};
    feed(OwnConnectionLost{id});
}

void World::fail_file(const SubmissionId& id) {
    to_fail_.insert(id);
    feed(FileFailed{id});
}

// The request files of those that are not answered are still there.
void World::lose_daemon() {
    awaits_daemon_end_ = false;
    route_.reset();
    for (auto& [id, open] : open_)
        if (open.is_stopped) open = {};
    feed(DaemonGone{});
}

void World::find(Route route, const Event& event) {
    look_is_due_ = is_reported_ = false;
    search_end_ = last_look_ = std::nullopt;
    route_ = route;
    ++route_number_;
    feed(event);
}

void World::expect_failures() {
    for (const auto& [id, open] : open_)
        if (open.waits()) to_fail_.insert(id);
    search_end_ = last_look_ = std::nullopt;
}

void World::deny_socket() {
    to_fall_back_ = state_.settings.transport == Transport::automatic;
    if (to_fall_back_) return find(Route::files, SocketDenied{});
    look_is_due_ = false;
    expect_failures();
    feed(SocketDenied{});
}

void World::miss(bool may_come) {
    look_is_due_ = false;
    if (!may_come || now_ >= *search_end_)
        expect_failures();
    else if (anybody_waits())
        expect_report(Outage::not_found);
    else
        search_end_ = last_look_ = std::nullopt;
    feed(PoolMissing{may_come});
}

void World::apply_step(Step step, const SubmissionId& id) {
    switch (step) {
        case Step::submit:
            return submit(id);
        case Step::withdraw:
            return withdraw(id);
        case Step::answer:
            return answer(id);
        case Step::stop:
            return stop(id);
        case Step::refuse_largest:
            return refuse_largest();
        case Step::answer_nobody:
            return answer_nobody(id);
        case Step::lose_connection:
            return lose_connection();
        case Step::lose_own_connection:
            return lose_own_connection(id);
        case Step::fail_file:
            return fail_file(id);
        case Step::lose_daemon:
            return lose_daemon();
        case Step::find_shared:
            return find(Route::shared_connection, PoolFound{Route::shared_connection});
        case Step::find_own:
            return find(Route::own_connections, PoolFound{Route::own_connections});
        case Step::find_files:
            return find(Route::files, PoolFound{Route::files});
        case Step::deny_socket:
            return deny_socket();
        case Step::miss:
        case Step::miss_for_good:
            return miss(step == Step::miss);
        case Step::wait_for_deadline:
            now_ = *next_deadline(state_);
            return feed(TimePassed{});
        case Step::wait_long:
            now_ += 11s;
            return feed(TimePassed{});
        case Step::end:
            return;
    }
}

bool World::take(Step step, const SubmissionId& id) {
    if (!is_possible(step, id)) return false;
    trace_ += ", ";
    trace_ += info(step).name;
    if (concerns_submission(step)) trace_ += " " + id.text();
    apply_step(step, id);
    check();
    return true;
}

void World::end() {
    for (int round = 0; !open_.empty(); ++round) {
        must(round < 100, "no end");
        SubmissionId first = open_.begin()->first;
        bool is_done = take(Step::find_shared, first) || take(Step::find_files, first) ||
                       take(Step::wait_for_deadline, first) || take(Step::answer, first) ||
                       take(Step::lose_connection, first) || take(Step::lose_daemon, first);
        must(is_done, "a submission waits for nothing");
    }
    if (look_is_due_) miss(true);
    must(!state_.search, "a search after the end");
}

}  // namespace connection_test
