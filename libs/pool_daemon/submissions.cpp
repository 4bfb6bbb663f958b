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
    return answer.kind == Answer::Kind::processed || answer.kind == Answer::Kind::timeout;
}

}  // namespace

Submissions::Submissions(const PoolFiles& files, Alarms& alarms, std::size_t max_message_bytes,
                         Callbacks callbacks)
    : files_(files),
      alarms_(alarms),
      max_message_bytes_(max_message_bytes),
      callbacks_(std::move(callbacks)) {}

void Submissions::from_socket(const std::shared_ptr<io::FramedSocket>& connection, const std::string& frame) {
    if (auto withdrawn = pool_protocol::parse_withdrawal(frame)) return take_back(*withdrawn, connection);
    connection->owe();
    SocketRoute route{connection, std::nullopt};
    auto request = pool_protocol::parse_request(frame, route.id);
    if (request.has_error()) return refuse({}, route, request.error().message);
    if (!route.id) return add(base::concat("#", ++last_anonymous_), std::move(*request), std::move(route));
    std::string id = *route.id;
    if (auto earlier = waiting_.contains(id) ? std::nullopt : earlier_answer(id)) {
        connection->send(to_json(*earlier, id));
        if (!files_.submissions.contains(file_name(id, FileKind::request)))
            (void)files_.submissions.remove(file_name(id, FileKind::response));
        return;
    }
    add(id, std::move(*request), std::move(route));
}

void Submissions::from_file(const std::string& id) {
    if (files_.submissions.contains(file_name(id, FileKind::response))) return;  // answered already
    auto found = waiting_.find(id);
    if (found != waiting_.end()) {
        found->second.by_file = true;
        ++found->second.absence;
        return;
    }
    if (auto earlier = earlier_answer(id)) {
        write_response(id, to_json(*earlier));
        return expire_later(id);
    }
    auto text = files_.submissions.read(file_name(id, FileKind::request), max_message_bytes_);
    if (text.has_error() && text.error().code == boost::system::errc::no_such_file_or_directory) return;
    if (text.has_error() && io::is_passing(text.error()))
        return alarms_.after(rewrite_delay, [this, id] { from_file(id); });
    if (text.has_error()) return refuse(id, std::nullopt, text.error().message);
    std::optional<std::string> id_inside;
    auto request = pool_protocol::parse_request(*text, id_inside);
    if (request.has_error()) return refuse(id, std::nullopt, request.error().message);
    add(id, std::move(*request), std::nullopt);
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
        if (route) by_connection_[route->connection].insert(id);
        if (route) found->second.sockets.push_back(std::move(*route));
        callbacks_.on_new(id, found->second.content);
        return;
    }
    ++found->second.absence;
    by_connection_[route->connection].insert(id);
    found->second.sockets.push_back(std::move(*route));
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
    if (route)
        route->connection->send(to_json(Answer::invalid(message), route->id));
    else
        write_response(id, to_json(Answer::invalid(message)));
}

void Submissions::finish(const std::string& id, const Answer& answer) {
    auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    Waiting waiting = std::move(found->second);
    waiting_.erase(found);
    if ((waiting.has_own_id || waiting.by_file) && is_kept(answer)) answered_.remember(id, to_json(answer));
    for (const SocketRoute& route : waiting.sockets) {
        auto owner = by_connection_.find(route.connection);
        if (owner != by_connection_.end()) owner->second.erase(id);
        route.connection->send(to_json(answer, route.id));
    }
    if (waiting.by_file && files_.submissions.contains(file_name(id, FileKind::request)))
        write_response(id, to_json(answer));
    else if (waiting.by_file)
        io::log::debug("submission ", id, " was withdrawn as its answer came");
    else if (waiting.sockets.empty() && is_kept(answer))
        keep(id, to_json(answer));
}

void Submissions::connection_gone(const std::shared_ptr<io::FramedSocket>& connection,
                                  std::deque<std::string> undelivered) {
    for (const std::string& payload : undelivered) {
        auto answered = pool_protocol::parse_answer(payload);
        if (answered.has_value() && answered->id && is_kept(answered->answer))
            keep(*answered->id, to_json(answered->answer));
    }
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
    auto found = waiting_.find(id);
    if (found == waiting_.end() || !found->second.by_file) return;
    found->second.by_file = false;
    if (found->second.sockets.empty()) withdraw(id);
}

void Submissions::look_for_withdrawn() {
    std::vector<std::string> gone;
    for (const auto& [id, waiting] : waiting_)
        if (waiting.by_file && !files_.submissions.contains(file_name(id, FileKind::request)))
            gone.push_back(id);
    for (const std::string& id : gone)
        file_removed(id);
}

// A connection withdraws for itself only: another submitter of the same id still wants the answer.
void Submissions::take_back(const std::string& id, const std::shared_ptr<io::FramedSocket>& connection) {
    auto found = waiting_.find(id);
    auto owned = by_connection_.find(connection);
    if (found == waiting_.end() || owned == by_connection_.end() || owned->second.erase(id) == 0) return;
    std::erase_if(found->second.sockets,
                  [&](const SocketRoute& route) { return route.connection == connection; });
    connection->waive();
    if (found->second.sockets.empty() && !found->second.by_file) withdraw(id);
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

const std::string* Submissions::content(const std::string& id) const {
    auto found = waiting_.find(id);
    return found == waiting_.end() ? nullptr : &found->second.content;
}

void Submissions::keep(const std::string& id, const std::string& answer_json) {
    io::log::info("the answer to submission ", id,
                  " could not be delivered; keeping it until it is asked for");
    write_response(id, answer_json);
    expire_later(id);
}

void Submissions::expire_later(const std::string& id) {
    alarms_.after(keep_time, [this, id] {
        if (!files_.submissions.contains(file_name(id, FileKind::request)))
            (void)files_.submissions.remove(file_name(id, FileKind::response));
    });
}

void Submissions::write_response(const std::string& id, const std::string& answer_json) {
    auto written = files_.submissions.write(files_.scratch, file_name(id, FileKind::response), answer_json);
    if (written.has_value()) return;
    io::log::warn(written.error().message, "; trying again");
    alarms_.after(rewrite_delay, [this, id, answer_json] { write_response(id, answer_json); });
}

}  // namespace pool_daemon
