// What all edges of a pool say of themselves, for one that asks.
#include "nats_engine/control.hpp"
#include "nats_engine/engine.hpp"

#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <utility>

namespace nats_engine {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

namespace {

// How many edges there are, nobody knows: the last one has answered when nothing more comes.
constexpr std::chrono::milliseconds silence{100};
constexpr std::chrono::milliseconds longest_gathering{500};

}  // namespace

struct Engine::Gathering {
    explicit Gathering(const asio::any_io_executor& executor) : timer(executor) {}

    nats::Subscription inbox;
    asio::steady_timer timer;
    Clock::time_point end = Clock::now() + longest_gathering;
    std::vector<std::string> replies;
    std::function<void(std::vector<std::string> replies)> done;
};

void Engine::ask_all(std::function<void(std::vector<std::string> replies)> done) {
    auto gathering = std::make_shared<Gathering>(executor_);
    gathering->done = std::move(done);
    std::string inbox = client_.new_inbox();
    if (is_connected_) {
        auto subscription =
            client_.subscribe(inbox, [this, weak = std::weak_ptr(gathering)](nats::Message reply) {
                auto open = weak.lock();
                if (!open) return;
                open->replies.push_back(std::move(reply.payload));
                wait_for_replies(open);
            });
        if (subscription.has_value()) gathering->inbox = std::move(*subscription);
        std::string text = control_text(AskingAll{});
        (void)client_.publish({names_.everyone(), text, {}, inbox});
    } else {
        gathering->end = Clock::now();
    }
    wait_for_replies(gathering);
}

// Each reply prolongs the time, and takes the place of the timer's last handler.
void Engine::wait_for_replies(const std::shared_ptr<Gathering>& gathering) {
    gathering->timer.expires_at(std::min(gathering->end, Clock::now() + silence));
    gathering->timer.async_wait([gathering, life = std::weak_ptr(life_)](boost::system::error_code ec) {
        if (ec) return;
        gathering->inbox = {};
        auto done = std::exchange(gathering->done, {});
        if (done && !life.expired()) done(std::move(gathering->replies));
    });
}

}  // namespace nats_engine
