// The submitters' side of the pool: receives requests and withdrawals over sockets and in files, and sends or
// writes the answers. The shell around pool::delivery, which decides who is answered, and how long answers
// are kept. Knows nothing of agents.
#pragma once

#include "io/framed_socket.hpp"
#include "pool/delivery.hpp"
#include "pool/reply_cache.hpp"
#include "pool_daemon/activity_relay.hpp"
#include "pool_daemon/answers.hpp"
#include "pool_daemon/peers.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submission_files.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/unmatched.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pool_daemon {

class Submissions {
  public:
    using SubmissionId = pool::SubmissionId;
    // What decides which agent gets it, and when.
    struct Needs {
        base::Labels labels;
        std::int32_t priority = 0;
    };
    struct Callbacks {
        std::function<void(const SubmissionId& id, const std::string& content, const Needs& needs,
                           bool wants_failures)>
            on_new;
        // A submitter that wants to be told of failures asks for a known submission.
        std::function<void(const SubmissionId& id)> on_failures_wanted;
        std::function<void(const SubmissionId& id)> on_withdrawn;
    };
    using Connection = std::shared_ptr<io::FramedSocket>;

    // `reconnect_time`: that a submitter has to ask again after its connection or request file is gone.
    Submissions(const PoolFiles& files, TimerQueue& timers, std::size_t max_message_bytes,
                pool::Duration reconnect_time, Callbacks callbacks);

    // A frame from the socket: a request, or {"kind":"Withdraw","id":…}.
    void frame_received(const Connection& connection, const std::string& frame);
    void connection_gone(const Connection& connection, io::FramedSocket::Payloads undelivered);

    // There is a complete file <id>.request.json. If it was found before, it is the same submission.
    void request_found(const SubmissionId& id);
    void request_removed(const SubmissionId& id);
    // To be called after lost events: finds the requests that were removed. `names`: the current content of
    // submissions/.
    void find_removed_requests(const std::unordered_set<std::string>& names);
    // There is a file <id>.response.json without a request. It is removed unless a submitter asks for it in
    // time.
    void response_found(const SubmissionId& id);
    // There are a request and a response file. Both are removed if no submitter fetches the answer in time.
    void answered_request_found(const SubmissionId& id);

    // The ids of submissions whose submitters gave none begin with it; by default with '#', which no other id
    // does.
    void set_anonymous_prefix(std::string prefix) { anonymous_prefix_ = std::move(prefix); }

    // Whether the submission waits because of a request file that has been read.
    bool is_by_file(const SubmissionId& id) const;
    // Whether the submission was requested only by a file, and no submitter can ask for it on a socket.
    bool is_only_by_file(const SubmissionId& id) const;
    // What at least one of the submission's submitters wants to be told.
    pool::delivery::AnswerDetails options(const SubmissionId& id) const;
    // Null if it is unknown.
    const std::string* content(const SubmissionId& id) const;

    // None if it is unknown, or its content is.
    std::optional<Needs> needs(const SubmissionId& id) const;

    // Who waits for the submission's answer: the processes of its submitters on sockets, as far as they are
    // known.
    std::vector<pid_t> processes(const SubmissionId& id) const;

    // The schema of its response; empty if there is none, or if it is unknown.
    std::string_view schema(const SubmissionId& id) const;

    // What a task's files still tell of a submission; each is empty if it is unknown.
    struct Remains {
        std::string content;
        std::string schema;
    };
    // Takes over a submission that an earlier daemon assigned to an agent. Returns false if no submitter
    // waits for it: it was answered, or its request file (`by_file`) is gone.
    bool recover(const SubmissionId& id, bool by_file, pool::delivery::AnswerDetails options,
                 Remains remains);
    // Gives up a submission whose content is unknown: a submitter that asks again sends the content.
    void give_up(const SubmissionId& id);

    // Answers all submitters that wait for it. If there are none, the answer is kept if the request had an
    // id.
    void answer(const SubmissionId& id, pool_protocol::Answer answer);
    // Stores the message of an agent that handed the task back, for the answer if the submission times out.
    // An empty message does not replace an earlier one.
    void set_last_error(const SubmissionId& id, std::string last_error);

    // An agent that had the task has left without a response, and has told this of its work.
    void add_spent(const SubmissionId& id, pool_protocol::AgentReport report);

    // Tells the submitters on sockets that want to know it that no agent has all labels of the submission.
    void tell_unmatched(const pool_protocol::Unmatched& unmatched) const;

    // Tells the submitters on sockets that want to know it what the agent that has the submission does.
    bool tells_activity() const { return relay_.is_wanted(); }
    void tell_activity(const pool_protocol::TaskActivity& task);
    // An agent of another host has left the task without a response.
    void agent_left(const pool_protocol::TaskActivity& task);

    // Answers `stopped` to all submitters that wait.
    void stop_waiting();
    // Answers `stopped` to submitters that cannot ask again elsewhere, because they gave no id.
    void refuse_anonymous();
    // The connection of the submitter that is to host the pool next; null if there is none.
    Connection next_host() const;
    bool has_clients() const { return !state_.waiting.empty() || !state_.hosts.empty(); }
    // Removes the response files of answers that slow peers have read by now; there is no later check.
    void end() { feed(pool::delivery::Ending{}); }

    // The number of submissions that were answered `invalid`.
    std::uint64_t refused() const { return refused_; }

  private:
    // What a submission that is in state_.waiting has.
    struct Content {
        std::string text;    // empty: unknown, and with an agent
        Needs needs;         // unknown, if the text is
        std::string schema;  // of the response; empty if there is none, or if it is unknown
        Remarks remarks;
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

    // `answer_json`: the text for the actions that send or write an answer.
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
    void perform(const pool::delivery::CheckFetched& action);
    void perform(const pool::delivery::RemoveUnfetched& action);
    void perform(const pool::delivery::ReadRequest& action);

    SubmissionFiles files_;
    TimerQueue& timers_;
    Callbacks callbacks_;
    pool::delivery::State state_;
    Peers peers_;
    std::unordered_set<pool::delivery::Peer> want_unmatched_;  // of the peers
    ActivityRelay relay_;
    std::unordered_map<SubmissionId, Content> contents_;  // of all submissions in state_.waiting
    pool::ReplyCache replies_;                            // to requests with an id of the submitter
    std::set<pool::Time> armed_for_;                      // the times for which a timer is pending
    std::string anonymous_prefix_ = "#";
    std::uint64_t last_anonymous_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace pool_daemon
