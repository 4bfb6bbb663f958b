// What is submitted and not yet answered: the contents, and where each answer is to go. Also the answers that
// could not be delivered, kept as response files until they are asked for again (R5). Decides nothing about
// agents.
#pragma once

#include "io/framed_socket.hpp"
#include "pool_daemon/alarms.hpp"
#include "pool_daemon/answered.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_protocol/messages.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pool_daemon {

class Submissions {
  public:
    struct Callbacks {
        std::function<void(const std::string& id, const std::string& content, bool wants_failures)> on_new;
        std::function<void(const std::string& id, bool wants_failures)> on_asked_again;
        std::function<void(const std::string& id)> on_withdrawn;
    };

    Submissions(const PoolFiles& files, Alarms& alarms, std::size_t max_message_bytes, Callbacks callbacks);

    // A frame from the socket: a request, or {"kind":"Withdraw","id":…}.
    void from_socket(const std::shared_ptr<io::FramedSocket>& connection, const std::string& frame);
    void connection_gone(const std::shared_ptr<io::FramedSocket>& connection,
                         io::FramedSocket::Payloads undelivered);

    // <id>.request.json is there, complete. Looked at again, it is the same submission.
    void from_file(const std::string& id);
    void file_removed(const std::string& id);
    // After lost events: whose request is gone. `names`: what is in submissions/ now.
    void look_for_withdrawn(const std::unordered_set<std::string>& names);
    // Whether its request file has been read, and is waited for.
    bool is_by_file(const std::string& id) const;
    // Whether nobody asks for it on a socket, nor may come back and do so.
    bool is_only_by_file(const std::string& id) const;
    // Whether one who asks for it understands that it has failed.
    bool wants_failures(const std::string& id) const;

    // One that is with an agent since an earlier daemon's time (R17). `content` may be empty, when nobody
    // knows it any more. False if nobody waits for it: it was answered, or its request file (`by_file`) is
    // gone. A submitter on a socket has 60 s to ask again (R5).
    bool recover(const std::string& id, bool by_file, bool wants_failures, std::string content);
    // Lets go of one whose content is not known: whoever asks again brings it along.
    void drop(const std::string& id);

    // Answers whoever waits for it. Without anybody, the answer to a request that carried an id is kept.
    void finish(const std::string& id, pool_protocol::Answer answer);

    // What an agent said as it gave the task back, for who is told of its timeout in the end. Empty: the last
    // one's stands.
    void set_trouble(const std::string& id, std::string trouble);

    // Answers those with `stopped` who can't ask again elsewhere: without an id of their own.
    void refuse_anonymous();
    // The connection of the submitter that has waited longest, of those that may host the pool; null if there
    // is none.
    std::shared_ptr<io::FramedSocket> next_host() const;
    bool has_clients() const { return !waiting_.empty() || !hosts_.empty(); }

    // Removes the files of answers that their slow submitters have taken by now: nobody looks later.
    void finish_held();

    // Null if there is none.
    const std::string* content(const std::string& id) const;
    std::size_t size() const { return waiting_.size(); }
    // How many were answered `invalid`.
    std::uint64_t refused() const { return refused_; }

    // <id>.response.json without a request: kept by us or by an earlier daemon; removed when nobody asks for
    // it in time, which is counted from when it was written.
    void expire_later(const std::string& id);

  private:
    using Connections = std::vector<std::shared_ptr<io::FramedSocket>>;

    struct SocketRoute {
        std::shared_ptr<io::FramedSocket> connection;
        std::optional<std::string> id;  // as the request had it
    };
    struct Waiting {
        std::string content;  // empty: not known, and with an agent
        std::string trouble;  // empty: none so far
        std::vector<SocketRoute> sockets;
        bool by_file = false;
        bool has_own_id = false;   // given by the submitter: it may come back and ask again
        bool wants_agent = false;  // in its answer, and a timeout's trouble
        bool wants_failures = false;
        std::uint64_t number = 0;   // in the order of submission
        std::uint64_t absence = 0;  // counts the times that the last submitter went away
    };

    void add(const std::string& id, pool_protocol::Request request, std::optional<SocketRoute> route);
    base::Result<std::string> load(pool_protocol::Request& request) const;
    bool is_answered(const std::string& id) const;
    std::optional<pool_protocol::Answer> earlier_answer(const std::string& id) const;
    std::optional<pool_protocol::Answer> kept_answer(const std::string& id) const;
    void take_back(const std::string& id, const std::shared_ptr<io::FramedSocket>& connection);
    void refuse(const std::string& id, const std::optional<SocketRoute>& route, const std::string& message);
    void withdraw(const std::string& id);
    void left_alone(const std::string& id, Waiting& waiting);
    void join(const std::string& id, Waiting& waiting, pool_protocol::Request& request);
    void note_wishes(const std::string& id, Waiting& waiting, const pool_protocol::Request& request);
    void recall_wishes(const std::string& id, Waiting& waiting) const;
    base::Result<pool_protocol::Request> read_request(const std::string& id) const;
    void keep(const std::string& id, const std::string& answer_json);
    void hold(const std::string& id, Connections connections, const std::string& answer_json);
    void look_at_held(const std::string& id);
    void remove_kept(const std::string& id);
    std::chrono::milliseconds keep_time_left(const std::string& id) const;
    void write_response(const std::string& id, const std::string& answer_json);
    bool put_response(const std::string& id, const std::string& answer_json);
    void write_later(const std::string& id, const std::string& answer_json);

    const PoolFiles& files_;
    Alarms& alarms_;
    std::size_t max_message_bytes_;
    Callbacks callbacks_;
    std::unordered_map<std::string, Waiting> waiting_;
    // Answers on their way to peers that are slow to take them: kept as files for so long.
    std::unordered_map<std::string, Connections> held_;
    std::unordered_set<std::string> expiring_;
    // Answers that the disk has not taken yet; an empty one is to be found again, from the request.
    std::unordered_map<std::string, std::string> unwritten_;
    Answered answered_;  // of requests with an id of the submitter's
    using IdsByConnection =
        std::unordered_map<std::shared_ptr<io::FramedSocket>, std::unordered_set<std::string>>;
    IdsByConnection by_connection_;
    IdsByConnection taken_back_;  // as their answers were on their way
    std::uint64_t last_anonymous_ = 0;
    std::uint64_t last_number_ = 0;
    std::vector<std::shared_ptr<io::FramedSocket>> hosts_;  // who may host the pool, first come, first served
    std::uint64_t refused_ = 0;
};

}  // namespace pool_daemon
