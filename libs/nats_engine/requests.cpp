#include "base/text.hpp"
#include "io/log.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"
#include "nats_engine/control.hpp"
#include "nats_engine/engine.hpp"
#include "nats_engine/record.hpp"

#include <boost/asio/post.hpp>

namespace nats_engine {

using edge::submitter_side::Published;
using edge::submitter_side::PublishResult;
using edge::submitter_side::Removed;
using nats::ApiErrc;
using nats::Errc;

namespace {

using Stored = base::Result<nats::Stored>;
using Message = base::Result<std::optional<nats::StoredMessage>>;

edge::WriteResult write_result(const Stored& stored) {
    if (stored.has_value()) return edge::WriteResult::written;
    bool is_refused = stored.error().code == ApiErrc::wrong_last_sequence;
    return is_refused ? edge::WriteResult::refused : edge::WriteResult::unknown;
}

// The code is that of any message that could not be stored.
bool is_there_already(const base::Error& error) {
    return error.code == ApiErrc::subject_full && error.message.find("per subject") != std::string::npos;
}

// The server stores nothing at the moment: there is no space, for example.
bool is_for_want_of_space(const base::Error& error) {
    bool is_of_api = error.code.category() == nats::make_error_code(ApiErrc::no_resources).category();
    return is_of_api && error.code != ApiErrc::wrong_last_sequence &&
           error.code != ApiErrc::message_too_large && error.code != ApiErrc::stream_not_found &&
           !is_there_already(error);
}

std::string too_large(std::size_t size, std::size_t limit) {
    return base::concat("the task has ", size, " bytes, and the NATS server takes at most ", limit,
                        " (its max_payload without 4096 bytes for what is added)");
}

}  // namespace

void Engine::later(std::function<void()> action) {
    auto run = [this, life = std::weak_ptr(life_), connection = connection_, action = std::move(action)] {
        if (!life.expired() && connection == connection_) action();
    };
    boost::asio::post(executor_, std::move(run));
}

void Engine::request(const nats::Outgoing& message, nats::Duration timeout, nats::Client::OnReply on_reply) {
    nats::Client::OnReply finish = [this, connection = connection_,
                                    on_reply = std::move(on_reply)](base::Result<nats::Message> reply) {
        if (connection != connection_ || is_over_) return;
        if (reply.has_error() && reply.error().code == Errc::disconnected) return;
        if (reply.has_error() && reply.error().code == Errc::permission) complain(reply.error());
        on_reply(std::move(reply));
    };
    auto taken = client_.request(message, timeout, finish);
    if (taken.has_error()) later([finish = std::move(finish), error = taken.error()] { finish(error); });
}

// A request that was not sent says nothing of the servers.
void Engine::measured(Lag::Measurement measurement, boost::system::error_code problem) {
    bool is_refusal = problem.category() == make_error_code(ApiErrc::stream_not_found).category();
    bool is_answered = !problem || is_refusal || problem == Errc::timed_out || problem == Errc::no_responders;
    if (is_answered)
        lag_.answered(measurement, Lag::Time::clock::now());
    else
        lag_.withdraw(measurement);
}

// Nobody answers for the stream, or there is no such one: what is made anew is another store.
bool Engine::is_store_gone(const base::Error& error) {
    if (error.code != Errc::no_responders && error.code != ApiErrc::stream_not_found) return false;
    client_.reconnect(base::with_context("a stream of the pool is gone, or has no leader", error));
    return true;
}

template<class T>
void Engine::call(const nats::Outgoing& message, Parse<T> parse, Handler<T> handler) {
    request(message, settings_.times.request,
            [this, parse, measurement = lag_.begin(Lag::Time::clock::now()),
             handler = std::move(handler)](base::Result<nats::Message> reply) {
                measured(measurement, reply.has_error() ? reply.error().code : boost::system::error_code());
                base::Result<T> result = reply.has_error() ? base::Result<T>(reply.error()) : parse(*reply);
                if (result.has_error() && is_store_gone(result.error())) return;
                handler(std::move(result));
            });
}

template void Engine::call<nats::ConsumerInfo>(const nats::Outgoing&, Parse<nats::ConsumerInfo>,
                                               Handler<nats::ConsumerInfo>);

void Engine::write(const edge::Write& write, std::string text, std::function<void(edge::Written)> done) {
    if (!is_connected_) return;
    std::string subject = names_.record(write.task);
    std::string payload = record_payload(write.entry, text);
    std::string headers =
        nats::Headers().add(nats::expected_subject_sequence, std::to_string(write.expected)).block();
    call<nats::Stored>(
        nats::Outgoing{subject, payload, headers}, nats::parse_stored,
        [this, task = write.task, request = write.request, done = std::move(done)](const Stored& stored) {
            note_storing(stored, told_of_records_, "records of tasks");
            done({task, request, write_result(stored), stored.has_value() ? stored->sequence : 0});
        });
}

// Empty if the payload cannot be read.
std::optional<edge::Record> Engine::read(const edge::TaskId& task, std::string_view payload,
                                         edge::Version version, std::string& text) {
    auto read = parse_record(payload);
    if (!read) {
        tell_once("record", base::invalid(base::concat("the record of the task ", task.text(),
                                                       " cannot be read: an edge of another version, or "
                                                       "another program, has written it")));
        return std::nullopt;
    }
    text = std::move(read->text);
    return edge::Record{version, std::move(read->entry)};
}

void Engine::look_up(const edge::LookUp& look_up, const edge::Queue& queue, OnLookedUp done) {
    if (!is_connected_) return;
    call<std::optional<nats::StoredMessage>>(
        nats::last_by_leader(names_.record_stream(), names_.record(look_up.task)),
        nats::parse_message_of_leader,
        [this, look_up, queue, done = std::move(done)](const Message& message) {
            std::string text;
            std::optional<edge::Record> record;
            if (message.has_value()) record.emplace();
            if (message.has_value() && message->has_value())
                record = read(look_up.task, (*message)->payload, (*message)->sequence, text);
            bool is_unreadable = message.has_value() && !record;
            if (!record) return done({look_up.task, look_up.request, std::nullopt, is_unreadable}, {});
            edge::LookedUp found{look_up.task, look_up.request, edge::Found{std::move(*record)}};
            if (look_up.with_queue) return see_queue(queue, std::move(found), std::move(text), done);
            if (look_up.delivery)
                return see_delivery(*look_up.delivery, std::move(found), std::move(text), done);
            done(std::move(found), std::move(text));
        });
}

void Engine::see_queue(const edge::Queue& queue, edge::LookedUp found, std::string text,
                       const OnLookedUp& done) {
    auto subject = names_.task(consumer_name(queue), found.task);
    call<std::optional<nats::StoredMessage>>(
        nats::last_by_leader(names_.queue_stream(), subject), nats::parse_message_of_leader,
        [this, queue, found = std::move(found), text = std::move(text),
         done](const Message& message) mutable {
            if (message.has_value())
                found.found->is_queued = message->has_value();
            else
                found.found.reset();
            // Its consumer was deleted, and no pull was waiting that would have noticed.
            const bool is_queued = found.found && found.found->is_queued;
            if (is_queued && !queues_.contains(queue)) create_queue(queue, [](bool) {});
            if (!is_queued) return done(std::move(found), std::move(text));
            look_at_queue(queue,
                          [found = std::move(found), text = std::move(text), done](bool has_nothing) mutable {
                              found.found->is_passed_over = has_nothing;
                              done(std::move(found), std::move(text));
                          });
        });
}

// A queue holds each task at most once: one that was published anew has another sequence number.
void Engine::see_delivery(const edge::Delivery& delivery, edge::LookedUp found, std::string text,
                          const OnLookedUp& done) {
    auto parts = nats::parse_delivery(delivery.text());
    found.found->is_current = false;
    if (!parts) return done(std::move(found), std::move(text));
    auto subject = names_.task(parts->consumer, found.task);
    call<std::optional<nats::StoredMessage>>(
        nats::last_by_leader(names_.queue_stream(), subject), nats::parse_message_of_leader,
        [sequence = parts->sequence, found = std::move(found), text = std::move(text),
         done](const Message& message) mutable {
            if (message.has_value())
                found.found->is_current = message->has_value() && (*message)->sequence == sequence;
            else
                found.found.reset();
            done(std::move(found), std::move(text));
        });
}

void Engine::ask(const edge::Ask& ask, std::function<void(edge::OwnerReplied)> done) {
    if (!is_connected_) return;
    std::string subject = names_.control(ask.owner.edge);
    std::string question = control_text(Asking{ask.task, ask.owner.nonce, ask.delivery});
    request(nats::Outgoing{subject, question}, settings_.times.ask,
            [task = ask.task, request = ask.request,
             done = std::move(done)](const base::Result<nats::Message>& reply) {
                auto has = reply.has_value() ? parse_answer(reply->payload) : std::nullopt;
                auto said = !has   ? edge::OwnerReply::silent
                            : *has ? edge::OwnerReply::has
                                   : edge::OwnerReply::has_not;
                done({task, request, said});
            });
}

void Engine::publish(const edge::submitter_side::Publish& publish, std::string body, OnPublished done) {
    if (!is_connected_) return;
    std::string problem;
    if (!is_task_id(publish.task.text()))
        problem =
            "the id of a task may have up to 200 letters, digits, '.', '_' and '-' only, the first of them a "
            "letter or digit";
    else if (body.size() > max_text_bytes_)
        problem = too_large(body.size(), max_text_bytes_);
    Published refused{publish.task, publish.request, PublishResult::refused};
    if (!problem.empty()) return later([=, done = std::move(done)] { done(refused, problem); });
    auto known = queues_.find(publish.queue);
    if (known != queues_.end()) return publish_to(known->second, publish, body, std::move(done));
    create_queue(publish.queue,
                 [this, publish, body = std::move(body), done = std::move(done)](bool is_there) {
                     if (is_there) return publish_to(consumer_name(publish.queue), publish, body, done);
                     done({publish.task, publish.request, PublishResult::unknown}, {});
                 });
}

void Engine::publish_to(const std::string& consumer, const edge::submitter_side::Publish& publish,
                        std::string_view body, OnPublished done) {
    std::string subject = names_.task(consumer, publish.task);
    nats::Headers headers;
    if (publish.is_repeated) headers.add(repeated_task, "1");
    std::string block = headers.block();
    call<nats::Stored>(
        nats::Outgoing{subject, body, block}, nats::parse_stored,
        [this, publish, done = std::move(done)](const Stored& stored) { published(publish, stored, done); });
}

void Engine::published(const edge::submitter_side::Publish& publish, const Stored& stored,
                       const OnPublished& done) {
    Published result{publish.task, publish.request, PublishResult::unknown};
    std::string problem;
    if (stored.has_value()) {
        result.result = PublishResult::queued;
    } else if (is_there_already(stored.error())) {
        result.result = PublishResult::held;
    } else if (stored.error().code == ApiErrc::message_too_large || stored.error().code == Errc::too_large) {
        result.result = PublishResult::refused;
        problem = stored.error().message;
    }
    note_storing(stored, told_of_tasks_, "tasks");
    done(result, std::move(problem));
}

// A write is tried again, and again refused, while there is no space: that is logged once in a while.
void Engine::note_storing(const Stored& stored, std::optional<TimePoint>& told, std::string_view what) {
    constexpr std::chrono::minutes between_warnings{1};
    if (stored.has_value() || !is_for_want_of_space(stored.error())) return;
    auto now = std::chrono::steady_clock::now();
    if (told && now - *told < between_warnings) return;
    told = now;
    io::log::warn("the engine stores no ", what, " at the moment: ", stored.error().message);
}

void Engine::remove(const edge::submitter_side::Remove& remove, std::function<void(Removed)> done) {
    if (!is_connected_) return;
    auto removed = [task = remove.task, request = remove.request, done = std::move(done)](bool is_done) {
        done({task, request, is_done});
    };
    std::string subject = names_.task(consumer_name(remove.queue), remove.task);
    call<std::optional<nats::StoredMessage>>(
        nats::last_by_leader(names_.queue_stream(), subject), nats::parse_message_of_leader,
        [this, removed = std::move(removed)](const Message& message) {
            if (message.has_error() || !*message) return removed(message.has_value());
            call<bool>(nats::delete_message(names_.queue_stream(), (*message)->sequence), nats::parse_deleted,
                       [removed](const base::Result<bool>& deleted) { removed(deleted.has_value()); });
        });
}

// A version that was replaced is gone: its number means nothing else.
void Engine::purge(const edge::submitter_side::Purge& purge, std::function<void(Removed)> done) {
    if (!is_connected_) return;
    call<bool>(nats::delete_message(names_.record_stream(), purge.version), nats::parse_deleted,
               [task = purge.task, request = purge.request,
                done = std::move(done)](const base::Result<bool>& deleted) {
                   done({task, request, deleted.has_value()});
               });
}

}  // namespace nats_engine
