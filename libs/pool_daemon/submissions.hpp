// The submitters' side of the pool: requests and withdrawals that come over sockets and in files, and the
// answers that go back the same way. The shell round pool::delivery, which decides who is answered and what
// is kept for how long; knows nothing of agents.
#pragma once

#include "io/framed_socket.hpp"
#include "pool/delivery.hpp"
#include "pool/reply_cache.hpp"
#include "pool_daemon/peers.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submission_files.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_protocol/messages.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pool_daemon {

class Submissions {
  public:
    using SubmissionId = pool::SubmissionId;
    struct Callbacks {
        std::function<void(const SubmissionId& id, const std::string& content, bool wants_failures)> on_new;
        // One that is known already is asked for by a submitter that wants to hear of failures.
        std::function<void(const SubmissionId& id)> on_failures_wanted;
        std::function<void(const SubmissionId& id)> on_withdrawn;
    };
    using Connection = std::shared_ptr<io::FramedSocket>;

    Submissions(const PoolFiles& files, TimerQueue& timers, std::size_t max_message_bytes,
                Callbacks callbacks);

    // A frame from the socket: a request, or {"kind":"Withdraw","id":…}.
    void frame_received(const Connection& connection, const std::string& frame);
    void connection_gone(const Connection& connection, io::FramedSocket::Payloads undelivered);

    // <id>.request.json is there, complete. Found again, it is the same submission.
    void request_found(const SubmissionId& id);
    void request_removed(const SubmissionId& id);
    // After lost events: finds the requests that were removed. `names`: what is in submissions/ now.
    void find_removed_requests(const std::unordered_set<std::string>& names);
    // <id>.response.json is there without a request: it is removed when nobody asks for it in time.
    void response_found(const SubmissionId& id);

    // Whether its request file has been read, and is waited for.
    bool is_by_file(const SubmissionId& id) const;
    // Whether nobody asks for it on a socket, nor may come back and do so.
    bool is_only_by_file(const SubmissionId& id) const;
    // Whether one who asks for it understands that it has failed.
    bool wants_failures(const SubmissionId& id) const;
    // Null if it is not known.
    const std::string* content(const SubmissionId& id) const;

    // One that is with an agent since an earlier daemon's time. `content` may be empty, when nobody knows it
    // any more. False if nobody waits for it: it was answered, or its request file (`by_file`) is gone.
    bool recover(const SubmissionId& id, bool by_file, bool wants_failures, std::string content);
    // Gives up one whose content is not known: a submitter that asks again brings it along.
    void give_up(const SubmissionId& id);

    // Answers those who wait for it. Without any, the answer to a request that carried an id is kept.
    void answer(const SubmissionId& id, pool_protocol::Answer answer);
    // What an agent said as it gave the task back, for the answer if the submission times out in the end. An
    // empty one leaves the one before.
    void set_last_error(const SubmissionId& id, std::string last_error);

    // Answers those with `stopped` who can't ask again elsewhere: without an id of their own.
    void refuse_anonymous();
    // The connection of the submitter that is to host the pool next; null if there is none.
    Connection next_host() const;
    bool has_clients() const { return !state_.waiting.empty() || !state_.hosts.empty(); }
    // Removes the files of answers that their slow peers have taken by now: nobody looks later.
    void end() { feed(pool::delivery::Ending{}); }

    // How many were answered `invalid`.
    std::uint64_t refused() const { return refused_; }

  private:
    // Of a submission that is waited for.
    struct Content {
        std::string text;        // empty: not known, and with an agent
        std::string last_error;  // empty: none so far
    };

    bool is_waiting(const SubmissionId& id) const { return state_.waiting.contains(id); }
    void request_received(const Connection& connection, const std::optional<SubmissionId>& id,
                          pool_protocol::Request request);
    void request_found_again(const SubmissionId& id);
    void add_by_file(const SubmissionId& id, pool_protocol::Request request);
    base::Result<void> take_content(const SubmissionId& id, pool_protocol::Request& request);
    std::optional<pool_protocol::Answer> earlier_answer(const SubmissionId& id) const;
    void refuse(const Connection& connection, const std::optional<SubmissionId>& id,
                const std::string& message);
    void refuse_file(const SubmissionId& id, const std::string& message);

    // `answer_json`: what the actions that follow from the event send or write.
    void feed(const pool::delivery::Event& event, std::string_view answer_json = {});
    void arm_deadline();
    void time_passed();

    void perform(const pool::delivery::Enqueue& action);
    void perform(const pool::delivery::WantFailures& action);
    void perform(const pool::delivery::Withdraw& action);
    void perform(const pool::delivery::CancelReply& action);
    void perform(const pool::delivery::Remember& action, std::string_view answer_json);
    void perform(const pool::delivery::Send& action, std::string_view answer_json);
    void perform(const pool::delivery::WriteResponse& action, std::string_view answer_json);
    void perform(const pool::delivery::RetryWrite& action);
    void perform(const pool::delivery::RemoveResponse& action);
    void perform(const pool::delivery::CheckOutput& action);
    void perform(const pool::delivery::ReadRequest& action);

    SubmissionFiles files_;
    TimerQueue& timers_;
    Callbacks callbacks_;
    pool::delivery::State state_;
    Peers peers_;
    std::unordered_map<SubmissionId, Content> contents_;  // of all that state_ waits for
    pool::ReplyCache replies_;                            // to requests with an id of the submitter's
    std::set<pool::Time> armed_for_;                      // the times that a timer is pending for
    std::uint64_t last_anonymous_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace pool_daemon
