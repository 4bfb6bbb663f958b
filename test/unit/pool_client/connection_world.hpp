// Callers, a pool and the ways to it, as a submitter would see them: what the walks through
// pool_client::connection are held against.
#pragma once

#include "connection_events.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace connection_test {

enum class Step {
    submit,
    withdraw,
    answer,
    stop,
    refuse_largest,
    answer_nobody,
    lose_connection,
    lose_own_connection,
    fail_file,
    lose_daemon,
    find_shared,
    find_own,
    find_files,
    deny_socket,
    miss,
    miss_for_good,
    wait_for_deadline,
    wait_long,
    end
};

// Knows the rules only from outside. A copy goes on independently.
class World {
  public:
    World(Transport transport, bool outlives_pool) : state_(with(transport, outlives_pool)) {}

    // Nothing happens, and the result is false, if the step is impossible now.
    bool take(Step step, const SubmissionId& id);
    static bool concerns_submission(Step step);
    // Brings the pool back, and has everything answered.
    void end();

  private:
    struct Open {
        std::optional<Route> sent_over;  // and not lost
        bool is_stopped = false;         // waits for the end of the connection or of the daemon
        int route_number = 0;
        std::size_t bytes = 0;

        bool waits() const { return !sent_over && !is_stopped; }
    };

    void must(bool holds, const char* what) const;
    bool is_possible(Step step, const SubmissionId& id) const;
    bool is_sent_over(const SubmissionId& id, Route route) const;
    bool is_news(const Open& open) const { return route_ && open.route_number == route_number_; }
    bool anybody_waits() const;
    void feed(const Event& event);
    void apply_step(Step step, const SubmissionId& id);
    void submit(const SubmissionId& id);
    void withdraw(const SubmissionId& id);
    void answer(const SubmissionId& id);
    void stop(const SubmissionId& id);
    void refuse_largest();
    void answer_nobody(const SubmissionId& id);
    void lose_connection();
    void lose_own_connection(const SubmissionId& id);
    void fail_file(const SubmissionId& id);
    void lose_daemon();
    void find(Route route, const Event& event);
    void deny_socket();
    void miss(bool may_come);
    void expect_report(Outage outage);
    void expect_failures();
    void check() const;

    void perform(const Look& action);
    void perform(const Send& action);
    void perform(const SendWithdrawal& action);
    void perform(const Deliver& action) { end_submission(action.submission, to_deliver_, "a delivery"); }
    void perform(const Fail& action) { end_submission(action.submission, to_fail_, "a failure"); }
    void perform(const AwaitDaemonEnd&);
    void perform(const DiscardAnswer&);
    void perform(const ReportFallback&);
    void perform(const ReportOutage& action);
    void end_submission(const SubmissionId& id, std::set<SubmissionId>& expected, const char* what);

    State state_;
    Time now_{};
    std::map<SubmissionId, Open> open_;
    std::optional<Route> route_;
    int route_number_ = 0;
    std::set<SubmissionId> sent_over_connection_;  // the present one, by submissions that are still open
    std::optional<Time> search_end_;
    std::optional<Time> last_look_;
    bool look_is_due_ = false;  // its outcome
    bool is_reported_ = false;
    bool awaits_daemon_end_ = false;
    std::size_t requests_ = 0;
    // What the event that is being fed has to lead to.
    std::set<SubmissionId> to_deliver_, to_fail_, to_withdraw_;
    std::optional<Outage> to_report_;
    bool to_await_daemon_end_ = false;
    bool to_discard_ = false;
    bool to_fall_back_ = false;
    std::string trace_;
};

}  // namespace connection_test
