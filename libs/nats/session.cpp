#include "nats/session.hpp"

#include "base/text.hpp"
#include "nats/error.hpp"

#include <algorithm>

namespace nats {

namespace {

// What a server adds to a message that it stores, for example its subject and sequence. In the leader's
// answer to a look-up, the message is in Base64. What was stored before max_payload was lowered is sent as it
// is.
std::size_t longest_message(std::size_t max_payload) {
    constexpr std::size_t room_for_headers = std::size_t{64} << 10;
    constexpr std::size_t largest_advised = std::size_t{8} << 20;  // by NATS, for max_payload
    std::size_t stored = std::max(max_payload, largest_advised);
    return stored + stored / 3 + room_for_headers;
}

base::Error lost_error(const std::string& server, const base::Error& reason) {
    return {reason.code == Errc::authorization ? reason.code : make_error_code(Errc::disconnected),
            base::concat("the connection to ", server, " is lost: ", reason.message)};
}

// Whoever is between could otherwise say something in the server's name.
base::Error more_than_info(const std::string& server) {
    return error(Errc::protocol, base::concat("the server ", server, " sends more than INFO before TLS"));
}

}  // namespace

Session::Session(Settings settings)
    : settings_(std::move(settings)),
      inbox_(base::concat(settings_.inbox_prefix, '.', settings_.inbox_token)),
      servers_(settings_.servers, settings_.seed) {}

void Session::start(Time now) {
    if (phase_ != Phase::idle) return;
    servers_.advance();
    attempt(now);
}

void Session::try_next(Time now) {
    phase_ = Phase::waiting;
    phase_end_ = now + servers_.advance();
}

void Session::attempt(Time now) {
    phase_ = Phase::connecting;
    phase_end_ = now + settings_.connect_patience;
    act(Connect{servers_.current()});
}

void Session::connected(Authenticate authenticate, Time now) {
    if (phase_ != Phase::connecting) return;
    authenticate_ = std::move(authenticate);
    phase_ = Phase::greeting;
    parser_ = Parser();
    last_words_.reset();
    last_heard_ = now;
}

void Session::failed(base::Error error, Time now) {
    if (phase_ == Phase::connecting || is_connected()) connection_failed(std::move(error), now);
}

void Session::lost(base::Error error, Time now) {
    if (!is_connected()) return;
    if (last_words_) error = *last_words_;
    connection_failed(std::move(error), now);
}

void Session::give_up(base::Error error, Time now) {
    if (is_connected()) connection_failed(std::move(error), now);
}

void Session::end_connection() {
    act(Disconnect{});
    output_.clear();
    pings_.clear();
    ping_sent_.reset();
    inbox_refusal_.reset();
}

void Session::connection_failed(base::Error error, Time now) {
    bool was_ready = is_ready();
    std::string from = server();
    end_connection();
    if (was_ready) {
        servers_.lost_after(now - ready_since_);
        error = lost_error(from, error);
        try_next(now);
        act(Notice(Lost{from, error}));
        finish_sent(error);
    } else {
        try_next(now);
        act(Notice(Failed{std::move(from), std::move(error)}));
    }
}

void Session::received(std::string_view bytes, Time now) {
    if (!is_connected()) return;
    // They did not come through TLS.
    if (phase_ == Phase::securing) return connection_failed(more_than_info(server()), now);
    last_heard_ = now;
    ping_sent_.reset();
    parser_.append(bytes);
    while (is_connected() && phase_ != Phase::securing) {
        auto operation = parser_.next();
        if (operation.has_error()) {
            auto problem = base::with_context(server(), operation.error());
            return connection_failed(std::move(problem), now);
        }
        if (!*operation) return;
        handle(std::move(**operation), now);
    }
}

void Session::handle(Operation operation, Time now) {
    if (auto* message = std::get_if<Message>(&operation)) {
        if (is_ready()) arrived(std::move(*message));
    } else if (std::holds_alternative<Ping>(operation)) {
        pinged(now);
    } else if (std::holds_alternative<Pong>(operation)) {
        answered_ping(now);
    } else if (const auto* info = std::get_if<Info>(&operation)) {
        phase_ == Phase::greeting ? greeted(*info, now) : informed(*info);
    } else if (const auto* complaint = std::get_if<Complaint>(&operation)) {
        complained(*complaint, now);
    }
}

void Session::greeted(const Info& info, Time now) {
    auto parsed = parse_server_info(info.json);
    if (parsed.has_error()) return connection_failed(base::with_context(server(), parsed.error()), now);
    info_ = std::move(*parsed);
    bool wants_tls = servers_.current().uses_tls;
    if (!wants_tls && !info_.needs_tls) return log_in(now);
    if (!info_.offers_tls)
        return connection_failed(
            error(Errc::tls, base::concat("the server ", server(), " has no TLS, which is demanded")), now);
    if (!parser_.is_empty()) return connection_failed(more_than_info(server()), now);
    phase_ = Phase::securing;
    act(StartTls{servers_.current()});
}

void Session::secured(Time now) {
    if (phase_ == Phase::securing) log_in(now);
}

void Session::log_in(Time now) {
    if (!info_.has_headers)
        return connection_failed(
            error(Errc::refused, base::concat("the server ", server(), " (version ", info_.version,
                                              ") has no headers: version 2.9 or newer is needed")),
            now);
    base::Result<Login> login = authenticate_ ? authenticate_(info_.nonce) : base::Result<Login>(Login());
    if (login.has_error()) return connection_failed(login.error(), now);
    has_login_ = !login->user.empty() || !login->signature.empty();
    bool uses_tls = phase_ == Phase::securing;
    phase_ = Phase::login;
    output_ += connect_command({settings_.name, settings_.version, uses_tls, std::move(*login)});
    output_ += ping_command;
    pings_.emplace_back();
}

// So much waits to be sent only if the server does not read.
void Session::pinged(Time now) {
    if (output_.size() > 2 * settings_.output_limit)
        return connection_failed(
            error(Errc::disconnected, base::concat("the server ", server(), " does not read")), now);
    output_ += pong_command;
}

void Session::answered_ping(Time now) {
    if (pings_.empty()) return;
    auto request = pings_.front();
    pings_.pop_front();
    if (phase_ == Phase::login) return become_ready(now);
    if (request) finish(*request, Message());
}

void Session::become_ready(Time now) {
    phase_ = Phase::ready;
    ready_since_ = now;
    parser_.set_longest_message(longest_message(info_.max_payload));
    servers_.learn(info_.addresses);
    append_subscribe(output_, inbox_ + ".*", {}, inbox_subscription);
    for (const auto& [id, subscription] : subscriptions_)
        append_subscribe(output_, subscription.subject, subscription.queue, id);
    act(Notice(Ready{server()}));
    if (info_.is_lame_duck) act(Notice(LameDuck{server()}));
    send_kept();
}

void Session::informed(const Info& info) {
    auto parsed = parse_server_info(info.json);
    if (parsed.has_error()) return act(Notice(Refused{base::with_context(server(), parsed.error())}));
    bool was_lame_duck = info_.is_lame_duck;
    info_ = std::move(*parsed);
    if (!is_ready()) return;
    parser_.set_longest_message(longest_message(info_.max_payload));
    servers_.learn(info_.addresses);
    if (info_.is_lame_duck && !was_lame_duck) act(Notice(LameDuck{server()}));
}

void Session::complained(const Complaint& complaint, Time now) {
    ReadComplaint read = read_complaint(complaint.text, server(), has_login_);
    if (!is_ready()) return connection_failed(std::move(read.error), now);
    switch (read.kind) {
        case ComplaintKind::credentials:
        case ComplaintKind::ends_connection:
            last_words_ = std::move(read.error);
            return;
        case ComplaintKind::subscription:
            return refused_subscription(read);
        case ComplaintKind::publication:
        case ComplaintKind::reply:
            return refused_permission(read);
        case ComplaintKind::other:
            return act(Notice(Refused{std::move(read.error)}));
    }
}

void Session::check_silence(Time now) {
    if (ping_sent_ && now >= *ping_sent_ + settings_.ping_patience) {
        auto silence = std::chrono::duration_cast<std::chrono::seconds>(now - last_heard_).count();
        return connection_failed(
            error(Errc::disconnected, base::concat("nothing was heard of it for ", silence, " s")), now);
    }
    if (ping_sent_ || now < last_heard_ + settings_.ping_after) return;
    ping_sent_ = now;
    pings_.emplace_back();
    output_ += ping_command;
}

void Session::time_passed(Time now) {
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
        RequestId request = deadlines_.begin()->second;
        const std::string& subject = requests_.at(request).subject;
        std::string what = subject.empty() ? "the server has not answered in time"
                                           : base::concat("nobody has answered in time at ", subject);
        if (!is_ready()) what += ", because there is no connection";
        finish(request, error(Errc::timed_out, std::move(what)));
    }
    if (is_ready()) return check_silence(now);
    if (now < phase_end_) return;
    if (phase_ == Phase::waiting) return attempt(now);
    if (phase_ == Phase::connecting || is_connected())
        connection_failed(
            error(Errc::unreachable, base::concat("the server ", server(), " has not answered in time")),
            now);
}

std::optional<Time> Session::next_deadline() const {
    std::optional<Time> next;
    if (is_ready()) {
        next = ping_sent_ ? *ping_sent_ + settings_.ping_patience : last_heard_ + settings_.ping_after;
    } else if (phase_ != Phase::idle && phase_ != Phase::stopped) {
        next = phase_end_;
    }
    if (!deadlines_.empty()) next = std::min(next.value_or(Time::max()), deadlines_.begin()->first);
    return next;
}

}  // namespace nats
