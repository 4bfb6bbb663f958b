#include "pool_daemon/submissions.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>

namespace pool_daemon {

using pool_protocol::Answer;
using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::chrono::seconds reconnect_time{60};  // R5
constexpr std::chrono::hours keep_time{1};          // R5
constexpr std::chrono::seconds rewrite_delay{1};

// Whether the answer is worth keeping for a submitter that comes back; one who comes back after `stopped`
// wants the work done.
bool is_kept(const Answer& answer) {
    return answer.kind != Answer::Kind::stopped && answer.kind != Answer::Kind::invalid;
}

bool any_has_output(const std::vector<std::shared_ptr<io::FramedSocket>>& connections) {
    return std::any_of(connections.begin(), connections.end(),
                       [](const auto& connection) { return connection->has_output(); });
}

void leave_out_agent(Answer& answer) {
    answer.agent.clear();
    if (answer.kind == Answer::Kind::timeout) answer.text.clear();
}

// To who doesn't know of failures, they are timeouts: what is tried again.
void leave_out_failure(Answer& answer) {
    if (answer.kind == Answer::Kind::failed || answer.kind == Answer::Kind::lost) answer = Answer::timeout();
}

}  // namespace

Submissions::Submissions(const PoolFiles& files, Alarms& alarms, std::size_t max_message_bytes,
                         Callbacks callbacks)
    : files_(files),
      alarms_(alarms),
      max_message_bytes_(max_message_bytes),
      callbacks_(std::move(callbacks)) {}

void Submissions::from_socket(const std::shared_ptr<io::FramedSocket>& connection, const std::string& frame) {
    SocketRoute route{connection, std::nullopt};
    auto request = pool_protocol::parse_request(frame, route.id);
    if (request.has_error())
        if (auto withdrawn = pool_protocol::parse_withdrawal(frame)) return take_back(*withdrawn, connection);
    connection->owe();
    if (request.has_error()) return refuse({}, route, request.error().message);
    if (request->may_host && std::find(hosts_.begin(), hosts_.end(), connection) == hosts_.end())
        hosts_.push_back(connection);
    if (!route.id) return add(base::concat("#", ++last_anonymous_), std::move(*request), std::move(route));
    std::string id = *route.id;
    if (auto earlier = waiting_.contains(id) ? std::nullopt : earlier_answer(id)) {
        std::string answer_json = to_json(*earlier, id);
        earlier.reset();
        answered_.remember(id, answer_json);  // one that an earlier daemon kept is about to go
        connection->send(answer_json);
        if (!connection->has_output()) return remove_kept(id);
        return hold(id, {connection}, answer_json);
    }
    add(id, std::move(*request), std::move(route));
}

// By a response that is one: what somebody else has put there is replaced by the answer.
bool Submissions::is_answered(const std::string& id) const {
    auto name = file_name(id, FileKind::response);
    if (!files_.submissions.contains(name)) return false;
    auto there = files_.submissions.read(name, 2 * max_message_bytes_);
    return there.has_value() || io::is_passing(there.error()) ||
           there.error().code == boost::system::errc::file_too_large;
}

void Submissions::from_file(const std::string& id) {
    if (is_answered(id) || unwritten_.contains(id)) return;
    auto found = waiting_.find(id);
    if (found != waiting_.end()) {
        found->second.by_file = true;
        ++found->second.absence;
        if (!found->second.content.empty()) return;
        auto request = read_request(id);
        if (request.has_error()) return;
        join(id, found->second, *request);
        return note_wishes(id, found->second, *request);
    }
    if (auto earlier = earlier_answer(id)) {
        // Its submitter may have found the answer kept for it, and be gone.
        if (!files_.submissions.contains(file_name(id, FileKind::request))) return;
        write_response(id, to_json(*earlier));
        return expire_later(id);
    }
    auto request = read_request(id);
    if (request.has_value()) return add(id, std::move(*request), std::nullopt);
    if (request.error().code == boost::system::errc::no_such_file_or_directory) return;
    if (io::is_passing(request.error())) return alarms_.after(rewrite_delay, [this, id] { from_file(id); });
    refuse(id, std::nullopt, request.error().message);
}

base::Result<pool_protocol::Request> Submissions::read_request(const std::string& id) const {
    auto text = files_.submissions.read(file_name(id, FileKind::request), max_message_bytes_);
    if (text.has_error()) return text.error();
    std::optional<std::string> id_inside;
    return pool_protocol::parse_request(*text, id_inside);
}

bool Submissions::recover(const std::string& id, bool by_file, bool wants_failures, std::string content) {
    bool requested = files_.submissions.contains(file_name(id, FileKind::request));
    if (is_answered(id) || (by_file && !requested)) return false;
    auto [position, is_new] = waiting_.try_emplace(id);
    if (!is_new) return false;
    Waiting& waiting = position->second;
    waiting.content = std::move(content);
    waiting.wants_failures = wants_failures;
    waiting.by_file = requested;
    waiting.has_own_id = !by_file;
    if (!requested) left_alone(id, waiting);
    if (requested) recall_wishes(id, waiting);
    return true;
}

// Of who asks on a socket they come again with the request.
void Submissions::recall_wishes(const std::string& id, Waiting& waiting) const {
    auto request = read_request(id);
    if (request.has_error()) return;
    waiting.wants_agent = request->wants_agent;
    waiting.wants_failures = request->wants_failures;
}

bool Submissions::wants_failures(const std::string& id) const {
    auto found = waiting_.find(id);
    return found != waiting_.end() && found->second.wants_failures;
}

void Submissions::drop(const std::string& id) {
    withdraw(id);
    from_file(id);  // it may be asking now
}

// Somebody asks for what is with an agent already.
void Submissions::join(const std::string& id, Waiting& waiting, pool_protocol::Request& request) {
    io::log::debug("submission ", id, " is with an agent already");
    if (!waiting.content.empty()) return;
    if (auto content = load(request); content.has_value()) waiting.content = std::move(*content);
}

void Submissions::add(const std::string& id, pool_protocol::Request request,
                      std::optional<SocketRoute> route) {
    auto found = waiting_.find(id);
    if (found == waiting_.end()) {
        auto content = load(request);
        if (content.has_error()) return refuse(id, route, content.error().message);
        found = waiting_.try_emplace(id).first;
        found->second.content = std::move(*content);
        found->second.has_own_id = route && route->id;
        found->second.by_file = !route;
        found->second.wants_agent = request.wants_agent;
        found->second.wants_failures = request.wants_failures;
        found->second.number = ++last_number_;
        if (route) by_connection_[route->connection].insert(id);
        if (route) found->second.sockets.push_back(std::move(*route));
        callbacks_.on_new(id, found->second.content, request.wants_failures);
        return;
    }
    join(id, found->second, request);
    note_wishes(id, found->second, request);
    found->second.has_own_id = true;  // only a request with one can meet another
    ++found->second.absence;
    // Asked twice on one connection, it is answered there once: an answer may be a million times as long.
    if (!by_connection_[route->connection].insert(id).second) return route->connection->waive();
    found->second.sockets.push_back(std::move(*route));
}

void Submissions::note_wishes(const std::string& id, Waiting& waiting,
                              const pool_protocol::Request& request) {
    waiting.wants_agent |= request.wants_agent;
    if (!request.wants_failures || std::exchange(waiting.wants_failures, true)) return;
    callbacks_.on_asked_again(id, true);
}

base::Result<std::string> Submissions::load(pool_protocol::Request& request) const {
    std::string content;
    if (auto* inline_content = std::get_if<pool_protocol::Inline>(&request.payload)) {
        content = std::move(inline_content->content);
    } else {
        const std::string& path = std::get<pool_protocol::FileReference>(request.payload).path;
        auto text = io::read_regular_file(path, max_message_bytes_);
        if (text.has_error()) return text.error();
        content = std::move(*text);
    }
    if (auto problem = pool_protocol::content_problem(content)) return base::invalid(*problem);
    return content;
}

// What the same id was answered before; nothing if it is new.
std::optional<Answer> Submissions::earlier_answer(const std::string& id) const {
    if (auto text = answered_.answer(id)) return pool_protocol::parse_answer(*text)->answer;
    if (auto found = unwritten_.find(id); found != unwritten_.end() && !found->second.empty())
        return pool_protocol::parse_answer(found->second)->answer;
    if (auto kept = kept_answer(id)) return kept;
    if (!answered_.contains(id)) return std::nullopt;
    return Answer::invalid(
        "this id was answered before, and the answer is not kept any more; submit with a new id to have it "
        "done again");
}

// The answer in <id>.response.json that was not asked for yet.
std::optional<Answer> Submissions::kept_answer(const std::string& id) const {
    auto text = files_.submissions.read(file_name(id, FileKind::response), 2 * max_message_bytes_);
    if (text.has_error()) return std::nullopt;
    auto answered = pool_protocol::parse_answer(*text);
    if (answered.has_error() || !is_kept(answered->answer)) return std::nullopt;
    return answered->answer;
}

void Submissions::refuse(const std::string& id, const std::optional<SocketRoute>& route,
                         const std::string& message) {
    io::log::warn("refused a submission",
                  route ? "" : base::concat(" (", file_name(id, FileKind::request), ")"), ": ", message);
    ++refused_;
    if (route) return route->connection->send(to_json(Answer::invalid(message), route->id));
    // One that can't be answered yet is judged again then: its submitter may have made it whole.
    if (put_response(id, to_json(Answer::invalid(message)))) return;
    --refused_;
    write_later(id, {});
}

// One text for all who wait, and the answer's own gone before it is copied: it may be large.
void Submissions::finish(const std::string& id, Answer answer) {
    auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    Waiting waiting = std::move(found->second);
    waiting_.erase(found);
    const bool kept = is_kept(answer);
    if (answer.kind == Answer::Kind::timeout && answer.text.empty()) answer.text = std::move(waiting.trouble);
    if (!waiting.wants_agent) leave_out_agent(answer);
    if (!waiting.wants_failures) leave_out_failure(answer);
    const std::string answer_json =
        to_json(std::exchange(answer, {}), waiting.has_own_id ? std::optional(id) : std::nullopt);
    if ((waiting.has_own_id || waiting.by_file) && kept) answered_.remember(id, answer_json);
    Connections slow;
    for (const SocketRoute& route : waiting.sockets) {
        auto owner = by_connection_.find(route.connection);
        if (owner != by_connection_.end()) owner->second.erase(id);
        route.connection->send(answer_json);
        if (route.id && route.connection->has_output()) slow.push_back(route.connection);
    }
    if (waiting.by_file && files_.submissions.contains(file_name(id, FileKind::request)))
        write_response(id, answer_json);
    else if (waiting.by_file)
        io::log::debug("submission ", id, " was withdrawn as its answer came");
    else if (waiting.sockets.empty() && kept)
        keep(id, answer_json);
    else if (!slow.empty() && kept)
        hold(id, std::move(slow), answer_json);
}

void Submissions::connection_gone(const std::shared_ptr<io::FramedSocket>& connection,
                                  io::FramedSocket::Payloads undelivered) {
    auto taken_back = taken_back_.extract(connection);
    for (const std::string& payload : undelivered) {
        auto answered = pool_protocol::parse_answer(payload);
        if (answered.has_error() || !answered->id || !is_kept(answered->answer)) continue;
        if (taken_back.empty() || !taken_back.mapped().contains(*answered->id)) keep(*answered->id, payload);
    }
    std::erase(hosts_, connection);
    auto owned = by_connection_.extract(connection);
    if (owned.empty()) return;
    for (const std::string& id : owned.mapped()) {
        auto found = waiting_.find(id);
        if (found == waiting_.end()) continue;
        std::erase_if(found->second.sockets,
                      [&](const SocketRoute& r) { return r.connection == connection; });
        if (found->second.sockets.empty() && !found->second.by_file) left_alone(id, found->second);
    }
}

void Submissions::left_alone(const std::string& id, Waiting& waiting) {
    if (!waiting.has_own_id) return withdraw(id);
    alarms_.after(reconnect_time, [this, id, absence = ++waiting.absence] {
        auto found = waiting_.find(id);
        if (found != waiting_.end() && found->second.absence == absence) withdraw(id);
    });
}

void Submissions::file_removed(const std::string& id) {
    unwritten_.erase(id);
    auto found = waiting_.find(id);
    if (found == waiting_.end() || !found->second.by_file) return;
    found->second.by_file = false;
    if (found->second.sockets.empty()) left_alone(id, found->second);
}

bool Submissions::is_by_file(const std::string& id) const {
    auto found = waiting_.find(id);
    return found != waiting_.end() && found->second.by_file && !found->second.content.empty();
}

bool Submissions::is_only_by_file(const std::string& id) const {
    auto found = waiting_.find(id);
    return found != waiting_.end() && found->second.by_file && !found->second.has_own_id;
}

void Submissions::look_for_withdrawn(const std::unordered_set<std::string>& names) {
    std::vector<std::string> gone;
    for (const auto& [id, waiting] : waiting_) {
        std::string request(file_name(id, FileKind::request));
        // A name that is replaced meanwhile may be missing from a list.
        if (waiting.by_file && !names.contains(request) && !files_.submissions.contains(request))
            gone.push_back(id);
    }
    for (const std::string& id : gone)
        file_removed(id);
}

// A connection withdraws for itself only: another submitter of the same id still wants the answer.
void Submissions::take_back(const std::string& id, const std::shared_ptr<io::FramedSocket>& connection) {
    auto found = waiting_.find(id);
    auto owned = by_connection_.find(connection);
    // Its answer may be on its way, and not get there.
    if (found == waiting_.end() && connection->has_output()) taken_back_[connection].insert(id);
    if (found == waiting_.end() || owned == by_connection_.end() || owned->second.erase(id) == 0) return;
    auto answers = std::erase_if(found->second.sockets,
                                 [&](const SocketRoute& route) { return route.connection == connection; });
    for (; answers > 0; --answers)
        connection->waive();
    if (!found->second.sockets.empty()) return;
    if (!found->second.by_file) return withdraw(id);
    found->second.has_own_id = false;  // nobody will come back for it
}

void Submissions::withdraw(const std::string& id) {
    auto found = waiting_.extract(id);
    if (found.empty()) return;
    for (const SocketRoute& route : found.mapped().sockets) {
        auto owner = by_connection_.find(route.connection);
        if (owner != by_connection_.end()) owner->second.erase(id);
        route.connection->waive();
    }
    io::log::debug("submission ", id, " was withdrawn");
    callbacks_.on_withdrawn(id);
}

void Submissions::refuse_anonymous() {
    std::vector<std::string> anonymous;
    for (const auto& [id, waiting] : waiting_)
        if (!waiting.has_own_id && !waiting.by_file) anonymous.push_back(id);
    for (const std::string& id : anonymous) {
        finish(id, Answer::stopped());
        callbacks_.on_withdrawn(id);
    }
}

std::shared_ptr<io::FramedSocket> Submissions::next_host() const {
    if (hosts_.empty()) return nullptr;
    std::shared_ptr<io::FramedSocket> next = hosts_.front();
    std::uint64_t first = last_number_ + 1;
    for (const auto& [id, waiting] : waiting_)
        for (const SocketRoute& route : waiting.sockets)
            if (waiting.number < first &&
                std::find(hosts_.begin(), hosts_.end(), route.connection) != hosts_.end()) {
                first = waiting.number;
                next = route.connection;
            }
    return next;
}

const std::string* Submissions::content(const std::string& id) const {
    auto found = waiting_.find(id);
    return found == waiting_.end() || found->second.content.empty() ? nullptr : &found->second.content;
}

void Submissions::set_trouble(const std::string& id, std::string trouble) {
    auto found = waiting_.find(id);
    if (found != waiting_.end() && !trouble.empty()) found->second.trouble = std::move(trouble);
}

void Submissions::keep(const std::string& id, const std::string& answer_json) {
    io::log::info("the answer to submission ", id,
                  " could not be delivered; keeping it until it is asked for");
    held_.erase(id);
    write_response(id, answer_json);
    expire_later(id);
}

// By the file's age, so that the hour goes on across restarts. An answer that the disk has not taken yet is
// new.
std::chrono::milliseconds Submissions::keep_time_left(const std::string& id) const {
    using std::chrono::milliseconds;
    auto modified = files_.submissions.modified(file_name(id, FileKind::response));
    if (modified.count() == 0) return keep_time;
    auto age = std::chrono::system_clock::now().time_since_epoch() - modified;
    return std::clamp<milliseconds>(keep_time - std::chrono::duration_cast<milliseconds>(age),
                                    milliseconds(0), keep_time);
}

void Submissions::expire_later(const std::string& id) {
    if (!expiring_.insert(id).second) return;
    alarms_.after(keep_time_left(id), [this, id] {
        expiring_.erase(id);
        remove_kept(id);
    });
}

// One that has a request is its submitter's to remove.
void Submissions::remove_kept(const std::string& id) {
    if (files_.submissions.contains(file_name(id, FileKind::request))) return;
    unwritten_.erase(id);
    (void)files_.submissions.remove(file_name(id, FileKind::response));
}

// As long as a part of the answer is in this process only, it would be lost with it, and the agent's response
// is about to go.
void Submissions::hold(const std::string& id, Connections connections, const std::string& answer_json) {
    write_response(id, answer_json);
    held_[id] = std::move(connections);
    alarms_.after(rewrite_delay, [this, id] { look_at_held(id); });
}

void Submissions::look_at_held(const std::string& id) {
    auto found = held_.find(id);
    if (found == held_.end()) return;
    if (any_has_output(found->second)) return alarms_.after(rewrite_delay, [this, id] { look_at_held(id); });
    held_.erase(found);
    remove_kept(id);
}

void Submissions::finish_held() {
    for (const auto& [id, connections] : std::exchange(held_, {}))
        if (!any_has_output(connections)) remove_kept(id);
}

void Submissions::write_response(const std::string& id, const std::string& answer_json) {
    if (!put_response(id, answer_json)) write_later(id, answer_json);
}

bool Submissions::put_response(const std::string& id, const std::string& answer_json) {
    auto written = files_.submissions.write(files_.scratch, file_name(id, FileKind::response), answer_json);
    if (written.has_error()) io::log::warn(written.error().message, "; trying again");
    return written.has_value();
}

void Submissions::write_later(const std::string& id, const std::string& answer_json) {
    unwritten_[id] = answer_json;
    alarms_.after(rewrite_delay, [this, id] {
        auto unwritten = unwritten_.extract(id);
        if (unwritten.empty()) return;
        if (unwritten.mapped().empty()) return from_file(id);
        write_response(id, unwritten.mapped());
    });
}

}  // namespace pool_daemon
