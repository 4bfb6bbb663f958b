#include "base/text.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"
#include "nats/session.hpp"

#include <charconv>

namespace nats {

namespace {

base::Error too_large(const Outgoing& message, std::size_t limit) {
    return error(Errc::too_large, base::concat("a message to ", message.subject, " has ", message.size(),
                                               " bytes; the server takes at most ", limit));
}

base::Error ended_error() {
    return error(Errc::disconnected, "the connection to the servers was ended");
}

}  // namespace

base::Result<void> Session::check(const Outgoing& message) const {
    if (phase_ == Phase::stopped) return error(Errc::disconnected, "the connection to the servers was ended");
    if (!is_subject(message.subject) || !(message.reply.empty() || is_subject(message.reply)))
        return base::invalid(base::concat("not a subject for messages: ", message.subject));
    if (message.size() > info_.max_payload) return too_large(message, info_.max_payload);
    if (waiting_bytes() + message.size() <= settings_.output_limit) return {};
    return error(
        Errc::buffer_full,
        base::concat(waiting_bytes(), " bytes wait to be sent to the server: nothing more is taken"));
}

base::Result<void> Session::publish(const Outgoing& message) {
    auto checked = check(message);
    if (checked.has_value()) send_or_keep(message, {});
    return checked;
}

base::Result<RequestId> Session::request(const Outgoing& message, Time deadline) {
    if (auto checked = check(message); checked.has_error()) return checked.error();
    if (inbox_refusal_) return *inbox_refusal_;
    RequestId id{++last_request_.value};
    requests_.emplace(id, Request{std::string(message.subject), deadline});
    deadlines_.emplace(deadline, id);
    std::string reply = base::concat(inbox_, '.', id.value);
    Outgoing with_reply = message;
    with_reply.reply = reply;
    send_or_keep(with_reply, id);
    return id;
}

void Session::send_or_keep(const Outgoing& message, RequestId request) {
    if (is_ready()) {
        append_publish(output_, message);
        if (request.value != 0) requests_.at(request).is_sent = true;
        return;
    }
    Kept kept{{}, message.size(), request};
    append_publish(kept.bytes, message);
    kept_bytes_ += kept.bytes.size();
    kept_.push_back(std::move(kept));
}

RequestId Session::flush(Time deadline) {
    RequestId id{++last_request_.value};
    if (phase_ == Phase::stopped) {
        act(Reply{id, ended_error()});
        return id;
    }
    requests_.emplace(id, Request{{}, deadline, is_ready()});
    deadlines_.emplace(deadline, id);
    if (is_ready()) {
        output_ += ping_command;
        pings_.emplace_back(id);
    } else {
        kept_.push_back({std::string(ping_command), 0, id});
        kept_bytes_ += ping_command.size();
    }
    return id;
}

// What else was to be done fails as well.
void Session::stop() {
    if (phase_ == Phase::stopped) return;
    if (phase_ == Phase::connecting || is_connected()) end_connection();
    phase_ = Phase::stopped;
    kept_.clear();
    kept_bytes_ = 0;
    while (!requests_.empty())
        finish(requests_.begin()->first, ended_error());
}

void Session::send_kept() {
    std::deque<Kept> kept = std::exchange(kept_, {});
    kept_bytes_ = 0;
    for (Kept& one : kept) {
        bool is_flush = one.bytes == ping_command;
        if (one.size > info_.max_payload) {
            auto refused =
                error(Errc::too_large, base::concat("a message has ", one.size, " bytes; the server ",
                                                    server(), " takes at most ", info_.max_payload));
            if (one.request.value != 0)
                finish(one.request, std::move(refused));
            else
                act(Notice(Refused{std::move(refused)}));
            continue;
        }
        output_ += one.bytes;
        if (one.request.value != 0) requests_.at(one.request).is_sent = true;
        if (is_flush) pings_.emplace_back(one.request);
    }
}

void Session::drop_kept(RequestId request) {
    auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.request == request; });
    if (found == kept_.end()) return;
    kept_bytes_ -= found->bytes.size();
    kept_.erase(found);
}

void Session::withdraw(RequestId id) {
    auto found = requests_.find(id);
    if (found == requests_.end()) return;
    if (!found->second.is_sent) drop_kept(id);
    deadlines_.erase({found->second.deadline, id});
    requests_.erase(found);
}

void Session::finish(RequestId id, base::Result<Message> message) {
    if (!requests_.contains(id)) return;
    withdraw(id);
    act(Reply{id, std::move(message)});
}

void Session::finish_sent(const base::Error& error, bool with_flushes) {
    std::vector<RequestId> sent;
    for (const auto& [id, request] : requests_)
        if (request.is_sent && (with_flushes || !request.subject.empty())) sent.push_back(id);
    for (RequestId id : sent)
        finish(id, error);
}

base::Result<SubscriptionId> Session::subscribe(std::string subject, std::string queue) {
    if (!is_subject_pattern(subject) || !(queue.empty() || is_subject(queue)))
        return base::invalid(base::concat("not a subject for subscriptions: ", subject));
    SubscriptionId id = ++last_subscription_;
    if (is_ready()) append_subscribe(output_, subject, queue, id);
    subscriptions_.emplace(id, Subscription{std::move(subject), std::move(queue)});
    return id;
}

void Session::unsubscribe(SubscriptionId id) {
    if (subscriptions_.erase(id) > 0 && is_ready()) append_unsubscribe(output_, id);
}

std::string Session::new_inbox() {
    // The inbox ends in two words, so that it is none of the subjects of replies.
    return base::concat(inbox_, ".s.", ++last_inbox_);
}

void Session::arrived(Message message) {
    if (message.subscription == inbox_subscription) return replied(std::move(message));
    if (subscriptions_.contains(message.subscription)) act(Deliver{std::move(message)});
}

std::optional<RequestId> Session::request_of_reply(std::string_view subject) const {
    if (!subject.starts_with(inbox_) || subject.size() <= inbox_.size() + 1) return std::nullopt;
    std::string_view word = subject.substr(inbox_.size() + 1);
    RequestId id;
    auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), id.value);
    if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
    if (!requests_.contains(id)) return std::nullopt;
    return id;
}

void Session::replied(Message message) {
    auto id = request_of_reply(message.subject);
    if (!id) return;
    auto said = status(message.headers);
    if (!said || said->code != 503 || !message.payload.empty()) return finish(*id, std::move(message));
    std::string text = base::concat("nobody is there who would answer at ", requests_.at(*id).subject);
    finish(*id, error(Errc::no_responders, std::move(text)));
}

// Servers do not say which message they mean: it is taken for the oldest one to that subject.
void Session::refused_permission(const ReadComplaint& complaint) {
    if (complaint.kind == ComplaintKind::reply)
        if (auto id = request_of_reply(complaint.subject)) return finish(*id, complaint.error);
    for (const auto& [id, request] : requests_)
        if (request.is_sent && request.subject == complaint.subject) return finish(id, complaint.error);
    act(Notice(Refused{complaint.error, complaint.subject}));
}

void Session::refused_subscription(const ReadComplaint& complaint) {
    if (complaint.subject == inbox_ + ".*") {
        inbox_refusal_ = complaint.error;
        act(Notice(Refused{complaint.error, complaint.subject}));
        return finish_sent(complaint.error, false);  // the server answers a flush without it
    }
    bool is_known = false;
    for (const auto& [id, subscription] : subscriptions_) {
        if (subscription.subject != complaint.subject) continue;
        is_known = true;
        act(RefuseSubscription{id, complaint.error});
    }
    if (!is_known) act(Notice(Refused{complaint.error, complaint.subject}));
}

}  // namespace nats
