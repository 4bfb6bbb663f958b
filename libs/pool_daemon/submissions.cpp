#include "pool_daemon/submissions.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/answers.hpp"
#include "pool_protocol/names.hpp"

#include <utility>
#include <vector>

namespace pool_daemon {

namespace delivery = pool::delivery;
using pool_protocol::Answer;
using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

delivery::AnswerDetails answer_options(const pool_protocol::Request& request) {
    return {request.wants_agent, request.wants_failures};
}

}  // namespace

Submissions::Submissions(const PoolFiles& files, TimerQueue& timers, std::size_t max_message_bytes,
                         pool::Duration reconnect_time, Callbacks callbacks)
    : files_(files, max_message_bytes),
      timers_(timers),
      callbacks_(std::move(callbacks)),
      relay_(peers_, timers) {
    state_.reconnect_time = reconnect_time;
}

void Submissions::frame_received(const Connection& connection, const std::string& frame) {
    std::optional<std::string> own_id;
    auto request = pool_protocol::parse_request(frame, own_id);
    const std::optional<SubmissionId> id = std::move(own_id);
    if (request.has_error())
        if (auto withdrawn = pool_protocol::parse_withdrawal(frame))
            return feed(
                delivery::WithdrawnByPeer{*withdrawn, peers_.add(connection), connection->has_output()});
    connection->expect_reply();
    if (request.has_error()) return refuse(connection, id, request.error().message);
    if (request->wants_unmatched) want_unmatched_.insert(peers_.add(connection));
    if (request->wants_activity) relay_.add(peers_.add(connection));
    if (request->may_host) feed(delivery::HostOffered{peers_.add(connection)});
    request_received(connection, id, std::move(*request));
}

void Submissions::request_received(const Connection& connection, const std::optional<SubmissionId>& id,
                                   pool_protocol::Request request) {
    if (id && !is_waiting(*id))
        if (auto earlier = earlier_answer(*id)) {
            std::string text = to_json(std::exchange(*earlier, {}), *id);
            return feed(delivery::AskedAgain{*id, peers_.add(connection)}, text);
        }
    SubmissionId submission = id ? *id : SubmissionId(base::concat(anonymous_prefix_, ++last_anonymous_));
    auto taken = take_content(submission, request);
    if (taken.has_error() && !is_waiting(submission)) return refuse(connection, id, taken.error().message);
    feed(delivery::Asked{std::move(submission), peers_.add(connection), id.has_value(),
                         answer_options(request)});
}

void Submissions::request_found(const SubmissionId& id) {
    if (files_.is_answered(id) || state_.unwritten.contains(id)) return;
    if (is_waiting(id)) return request_found_again(id);
    if (auto earlier = earlier_answer(id)) {
        // The submitter may have found the kept answer, and be gone.
        if (files_.has_request(id)) feed(delivery::AskedAgainByFile{id}, to_json(*earlier));
        return;
    }
    auto request = files_.read_request(id);
    if (request.has_value()) return add_by_file(id, std::move(*request));
    if (request.error().code == boost::system::errc::no_such_file_or_directory) return;
    if (io::is_temporary(request.error())) return feed(delivery::RequestUnreadable{id});
    refuse_file(id, request.error().message);
}

void Submissions::request_found_again(const SubmissionId& id) {
    feed(delivery::AskedByFile{id, {}});
    if (content(id) != nullptr) return;
    auto request = files_.read_request(id);
    if (request.has_error()) return;
    (void)take_content(id, *request);
    feed(delivery::AskedByFile{id, answer_options(*request)});
}

void Submissions::add_by_file(const SubmissionId& id, pool_protocol::Request request) {
    if (auto taken = take_content(id, request); taken.has_error())
        return refuse_file(id, taken.error().message);
    feed(delivery::AskedByFile{id, answer_options(request)});
}

base::Result<void> Submissions::take_content(const SubmissionId& id, pool_protocol::Request& request) {
    if (is_waiting(id)) io::log::debug("submission ", id, " is with an agent already");
    if (content(id) != nullptr) {
        if (contents_.at(id).schema.empty()) contents_.at(id).schema = std::move(request.response_schema);
        return {};
    }
    auto loaded = files_.load_content(request);
    if (loaded.has_error()) return loaded.error();
    contents_[id].text = std::move(*loaded);
    contents_[id].needs = {request.labels, request.priority};
    contents_[id].schema = std::move(request.response_schema);
    return {};
}

// The earlier answer to the same id; empty if the id is new.
std::optional<Answer> Submissions::earlier_answer(const SubmissionId& id) const {
    if (auto text = replies_.answer(id)) return pool_protocol::parse_answer(*text)->answer;
    if (const std::string* text = files_.unwritten(id)) return pool_protocol::parse_answer(*text)->answer;
    if (auto kept = files_.kept_answer(id)) return kept;
    if (!replies_.contains(id)) return std::nullopt;
    return pool_protocol::Invalid{
        "this id was answered before, and the answer is no longer stored; submit the task with a new id to "
        "run it again"};
}

void Submissions::refuse(const Connection& connection, const std::optional<SubmissionId>& id,
                         const std::string& message) {
    io::log::warn("refused a submission: ", message);
    ++refused_;
    connection->send(to_json(pool_protocol::Invalid{message}, id));
}

void Submissions::refuse_file(const SubmissionId& id, const std::string& message) {
    io::log::warn("refused a submission (", file_name(id, FileKind::request), "): ", message);
    if (files_.write_response(id, to_json(pool_protocol::Invalid{message})))
        ++refused_;
    else
        feed(delivery::WriteFailed{id, delivery::Unwritten::refusal});
}

void Submissions::connection_gone(const Connection& connection, io::FramedSocket::Payloads undelivered) {
    auto peer = peers_.find(connection);
    if (!peer) return;
    for (const std::string& payload : undelivered) {
        auto answered = pool_protocol::parse_answer(payload);
        if (answered.has_error() || !answered->id || !is_kept(answered->answer)) continue;
        feed(delivery::Undelivered{*answered->id, *peer}, payload);
    }
    peers_.remove(*peer);
    want_unmatched_.erase(*peer);
    relay_.remove(*peer);
    feed(delivery::PeerGone{*peer});
}

void Submissions::request_removed(const SubmissionId& id) {
    files_.forget_unwritten(id);
    feed(delivery::RequestRemoved{id});
}

void Submissions::find_removed_requests(const std::unordered_set<std::string>& names) {
    std::vector<SubmissionId> removed;
    for (const auto& [id, waiting] : state_.waiting) {
        // A name that is replaced at this moment may be missing from the list.
        if (waiting.by_file && !names.contains(std::string(file_name(id, FileKind::request))) &&
            !files_.has_request(id))
            removed.push_back(id);
    }
    for (const SubmissionId& id : removed)
        request_removed(id);
}

void Submissions::response_found(const SubmissionId& id) {
    if (state_.due.contains(delivery::Due::expiry, id)) return;
    feed(delivery::ResponseFound{id, files_.response_age(id)});
}

void Submissions::answered_request_found(const SubmissionId& id) {
    if (state_.due.contains(delivery::Due::fetching, id)) return;
    if (auto found = files_.unfetched(id)) feed(delivery::UnfetchedFound{id, found->age, found->is_held});
}

bool Submissions::recover(const SubmissionId& id, bool by_file, delivery::AnswerDetails options,
                          Remains remains) {
    delivery::Recovered event;
    event.submission = id;
    event.has_own_id = !by_file;
    event.has_request = files_.has_request(id);
    event.is_answered = files_.is_answered(id);
    event.options = options;
    if (is_waiting(id)) return false;
    // The options and the schema of a request file are more recent.
    if (event.has_request && !event.is_answered)
        if (auto request = files_.read_request(id); request.has_value()) {
            event.options = answer_options(*request);
            remains.schema = std::move(request->response_schema);
        }
    feed(event);
    if (!is_waiting(id)) return false;
    contents_[id].text = std::move(remains.content);
    contents_[id].schema = std::move(remains.schema);
    return true;
}

void Submissions::give_up(const SubmissionId& id) {
    feed(delivery::GivenUp{id});
    request_found(id);  // it may be asked for now
}

// All peers share one text, and the answer's own text is freed before it is copied, because it may be large.
void Submissions::answer(const SubmissionId& id, Answer answer) {
    auto waiting = state_.waiting.find(id);
    if (waiting == state_.waiting.end()) return;
    const bool kept = is_kept(answer);
    relay_.answered(id.text());
    auto content = contents_.extract(id);
    const std::string text =
        json_for_submitters(std::move(answer), id, waiting->second, std::move(content.mapped().remarks));
    feed(delivery::Answered{id, kept}, text);
}

void Submissions::set_last_error(const SubmissionId& id, std::string last_error) {
    auto found = contents_.find(id);
    if (found != contents_.end() && !last_error.empty())
        found->second.remarks.last_error = std::move(last_error);
}

void Submissions::add_spent(const SubmissionId& id, pool_protocol::AgentReport report) {
    auto found = contents_.find(id);
    if (found == contents_.end()) return;
    auto& spent = found->second.remarks.spent;
    if (spent) add_earlier(report, *spent);
    spent = std::move(report);
}

void Submissions::tell_unmatched(const pool_protocol::Unmatched& unmatched) const {
    auto waiting = state_.waiting.find(SubmissionId(unmatched.id));
    if (waiting == state_.waiting.end() || !waiting->second.has_own_id) return;
    std::string text = to_json(unmatched);
    for (pool::delivery::Peer peer : waiting->second.peers) {
        auto connection = peers_.connection(peer);
        if (!connection || !want_unmatched_.contains(peer)) continue;
        connection->expect_reply();  // one more: the answer is still to come
        connection->send(text);
    }
}

void Submissions::tell_activity(const pool_protocol::TaskActivity& task) {
    auto waiting = state_.waiting.find(SubmissionId(task.id));
    if (waiting != state_.waiting.end() && waiting->second.has_own_id)
        relay_.tell(waiting->second.peers, task);
}

void Submissions::agent_left(const pool_protocol::TaskActivity& task) {
    if (task.used) add_spent(SubmissionId(task.id), pool_protocol::report_of(*task.used));
    tell_activity(task);
}

void Submissions::stop_waiting() {
    std::vector<SubmissionId> all;
    for (const auto& [id, waiting] : state_.waiting)
        all.push_back(id);
    for (const SubmissionId& id : all)
        answer(id, pool_protocol::Stopped{});
}

void Submissions::refuse_anonymous() {
    for (const SubmissionId& id : delivery::anonymous(state_)) {
        answer(id, pool_protocol::Stopped{});
        callbacks_.on_withdrawn(id);
    }
}

Submissions::Connection Submissions::next_host() const {
    auto peer = delivery::next_host(state_);
    return peer ? peers_.connection(*peer) : nullptr;
}

}  // namespace pool_daemon
