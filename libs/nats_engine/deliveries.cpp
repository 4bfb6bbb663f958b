#include "base/text.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"
#include "nats_engine/engine.hpp"

namespace nats_engine {

namespace asio = boost::asio;

void Engine::pull(const edge::agent_side::Pull& pull) {
    if (is_connected_) pulls_.start(pull, consumer_name(pull.queue));
}

void Engine::end_pull(edge::PullId pull) {
    failing_.erase(pull);
    pulls_.end(pull);
}

// A message that nobody could take leaves the queue at once.
void Engine::delivered(edge::PullId pull, const edge::Queue& queue, nats::Message message) {
    auto task = names_.task_of(message.subject);
    if (!task) {
        (void)jetstream_.terminate(message.reply);
        return tell_once("task", base::invalid(base::concat("the message ", message.subject,
                                                            " in the queue is no task: it is removed")));
    }
    auto delivery = nats::parse_delivery(message.reply);
    bool is_repeated = nats::header(message.headers, repeated_task) || (delivery && delivery->count > 1);
    callbacks_.on_delivered(
        {pull, std::move(*task), std::move(message.reply), queue, std::move(message.payload), is_repeated});
}

void Engine::pull_ended(edge::PullId pull, const edge::Queue& queue, const base::Result<void>& result) {
    if (result.has_value()) return callbacks_.on_pull_ended(pull);
    failing_.insert(pull);
    tasks_.spawn("a pull that has failed", mend(pull, queue, result.error()));
}

// A pull from a consumer that is gone is left without an answer. The end is reported only after a while: the
// next pull may fail at once.
asio::awaitable<void> Engine::mend(edge::PullId pull, edge::Queue queue, base::Error why) {
    auto connection = connection_;
    if (why.code == nats::Errc::permission) complain(why);
    auto wanted = consumer(names_, queue, settings_.times.lease);
    auto found = co_await jetstream_.consumer_info(names_.queue_stream(), wanted.name);
    if (connection != connection_) co_return;
    if (found.has_error() && found.error().code == nats::ApiErrc::consumer_not_found)
        found = co_await jetstream_.create_consumer(names_.queue_stream(), wanted);
    if (connection != connection_ || (found.has_error() && is_store_gone(found.error()))) co_return;
    co_await pause(std::chrono::seconds(1));
    if (connection == connection_ && failing_.erase(pull) > 0) callbacks_.on_pull_ended(pull);
}

void Engine::extend(const edge::agent_side::Extend& extend) {
    respond(extend.delivery, nats::in_progress);
}

void Engine::settle(const edge::Settle& settle) {
    respond(settle.delivery, settle.again ? nats::not_now({}) : std::string(nats::acknowledgement));
}

// Other edges pass deliveries on, and may be mistaken.
void Engine::respond(const edge::Delivery& delivery, std::string_view text) {
    auto parts = nats::parse_delivery(delivery.text());
    if (!is_connected_ || !parts || parts->stream != names_.queue_stream()) return;
    (void)client_.publish({delivery.text(), text});
}

}  // namespace nats_engine
