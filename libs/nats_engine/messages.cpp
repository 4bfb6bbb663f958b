#include "base/text.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"
#include "nats_engine/control.hpp"
#include "nats_engine/engine.hpp"

#include <charconv>

namespace nats_engine {

namespace {

edge::Version version_of(const nats::Message& notice) {
    std::string_view text = nats::header(notice.headers, "Nats-Sequence").value_or("");
    edge::Version version = 0;
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), version);
    return problem == std::errc() && end == text.data() + text.size() ? version : 0;
}

}  // namespace

// Servers tell of a stream that is deleted while the connection lasts. It is found out later, too, so the
// permission for that is not demanded.
void Engine::subscribe_for_all_time() {
    auto control = [this](const nats::Message& message) { controlled(message); };
    subscribe(names_.control(settings_.self), control, true);
    subscribe(names_.everyone(), control, true);
    for (const std::string& stream : {names_.queue_stream(), names_.record_stream()}) {
        auto deleted = [this, stream](const nats::Message&) {
            client_.reconnect(base::invalid(base::concat("the stream ", stream, " was deleted")));
        };
        subscribe(base::concat("$JS.EVENT.ADVISORY.STREAM.DELETED.", stream), deleted, false);
    }
}

void Engine::subscribe(std::string subject, nats::Client::OnMessage on_message, bool is_needed) {
    auto interrupted = [this, is_needed](const base::Error& error) {
        if (is_needed && error.code == nats::Errc::permission) complain(error);
    };
    auto subscription = client_.subscribe(std::move(subject), std::move(on_message), interrupted);
    if (subscription.has_error()) return complain(subscription.error());
    subscriptions_.push_back(std::move(*subscription));
}

void Engine::controlled(const nats::Message& message) {
    auto control = parse_control(message.payload);
    if (!control || is_over_) return;
    if (const auto* more = std::get_if<MoreQueues>(&*control)) {
        if (more->edge != settings_.self) bell_.ring();
    } else if (const auto* checking = std::get_if<Checking>(&*control)) {
        if (is_connected_) callbacks_.on_check(checking->task);
    } else if (std::holds_alternative<AskingAll>(*control)) {
        std::string answer = callbacks_.on_asked_all();
        if (!message.reply.empty()) (void)client_.publish({message.reply, answer});
    } else if (auto* searching = std::get_if<Searching>(&*control)) {
        if (!message.reply.empty()) sought(message.reply, std::move(*searching));
    } else if (const auto* joining = std::get_if<Joining>(&*control)) {
        if (is_connected_) callbacks_.on_joined(joining->task);
    } else if (auto& asking = std::get<Asking>(*control); !message.reply.empty()) {
        auto reply = [this, life = std::weak_ptr(life_), to = message.reply](bool has) {
            if (life.expired() || !client_.is_ready()) return;
            std::string answer = answer_text(has);
            (void)client_.publish({to, answer});
        };
        callbacks_.on_asked(
            {std::move(asking.task), asking.nonce, std::move(asking.delivery), std::move(reply)});
    }
}

// Who knows nothing says nothing.
void Engine::sought(const std::string& to, Searching searching) {
    auto reply = [this, life = std::weak_ptr(life_), to](edge::Trace trace) {
        if (trace == edge::Trace::none || life.expired() || !client_.is_ready()) return;
        std::string answer = trace_text(trace);
        (void)client_.publish({to, answer});
    };
    callbacks_.on_sought(
        {std::move(searching.task), std::move(searching.seeker), searching.for_submitters, std::move(reply)});
}

void Engine::join(const edge::submitter_side::Join& join) {
    if (!is_connected_) return;
    std::string text = control_text(Joining{join.task});
    (void)client_.publish({names_.everyone(), text});
}

void Engine::announce_queue() {
    std::string text = control_text(MoreQueues{settings_.self});
    (void)client_.publish({names_.everyone(), text});
}

void Engine::notify(const edge::submitter_side::Notify& notify) {
    if (!is_connected_) return;
    std::string subject = names_.control(notify.edge);
    std::string text = control_text(Checking{notify.task});
    (void)client_.publish({subject, text});
}

// The text goes where the task's record is published again, too: whoever waits for the task gets it, on
// whichever host.
void Engine::tell(const edge::TaskId& task, std::string_view text) {
    if (is_connected_) (void)client_.publish({names_.notice(task), text});
}

void Engine::watch(const edge::TaskId& task) {
    if (watches_.contains(task)) return;
    auto changed = [this, task](const nats::Message& message) { record_changed(task, message); };
    auto interrupted = [this](const base::Error& error) {
        if (error.code == nats::Errc::permission) complain(error);
    };
    auto subscription = client_.subscribe(names_.notice(task), changed, interrupted);
    if (subscription.has_value()) watches_.emplace(task, std::move(*subscription));
}

void Engine::record_changed(const edge::TaskId& task, const nats::Message& message) {
    if (!is_connected_) return;
    edge::Version version = version_of(message);
    if (version == 0) return callbacks_.on_told(message.payload);
    std::string text;
    auto record = read(task, message.payload, version, text);
    if (record) callbacks_.on_noticed(task, *record, std::move(text));
}

}  // namespace nats_engine
