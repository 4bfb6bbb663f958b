// What all edges of a pool say of themselves or know of a task, for one that asks.
#include "nats_engine/control.hpp"
#include "nats_engine/engine.hpp"

#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <utility>

namespace nats_engine {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

namespace {

// How many edges there are, nobody knows. A person is told of those that answer quickly; that something is
// missing is not concluded from what a busy host has not said yet.
constexpr std::chrono::milliseconds brief_silence{100};
constexpr std::chrono::milliseconds brief_gathering{500};
constexpr std::chrono::milliseconds full_gathering{5000};

}  // namespace

struct Engine::Gathering {
    nats::Subscription inbox;
    asio::steady_timer timer;
    Clock::time_point end;
    Clock::duration silence;  // after which nothing more is waited for
    std::function<void(std::string reply)> on_reply;
    std::function<void()> on_end;
};

void Engine::gather(const Control& question, std::chrono::nanoseconds longest,
                    std::chrono::nanoseconds silence, std::function<void(std::string reply)> on_reply,
                    std::function<void()> on_end) {
    std::uint64_t number = ++last_gathering_;
    auto gathering = std::make_shared<Gathering>(Gathering{
        {}, asio::steady_timer(executor_), Clock::now(), silence, std::move(on_reply), std::move(on_end)});
    gatherings_.emplace(number, gathering);
    if (is_connected_) {
        gathering->end += longest;
        std::string inbox = client_.new_inbox();
        auto subscription = client_.subscribe(inbox, [this, number](nats::Message reply) {
            auto found = gatherings_.find(number);
            if (found == gatherings_.end()) return;
            found->second->on_reply(std::move(reply.payload));
            wait_for_replies(number);
        });
        if (subscription.has_value()) gathering->inbox = std::move(*subscription);
        std::string text = control_text(question);
        (void)client_.publish({names_.everyone(), text, {}, inbox});
    }
    wait_for_replies(number);
}

// Each reply prolongs the time, and takes the place of the timer's last handler.
void Engine::wait_for_replies(std::uint64_t number) {
    Gathering& gathering = *gatherings_.at(number);
    gathering.timer.expires_at(std::min(gathering.end, Clock::now() + gathering.silence));
    gathering.timer.async_wait([this, number, life = std::weak_ptr(life_)](boost::system::error_code ec) {
        if (ec || life.expired()) return;
        auto ended = gatherings_.extract(number);
        if (!ended.empty()) ended.mapped()->on_end();
    });
}

void Engine::ask_all(Patience patience, std::function<void(std::vector<std::string> replies)> done) {
    auto replies = std::make_shared<std::vector<std::string>>();
    auto keep = [replies](std::string reply) { replies->push_back(std::move(reply)); };
    auto finish = [replies, done = std::move(done)] { done(std::move(*replies)); };
    if (patience == Patience::brief)
        gather(AskingAll{}, brief_gathering, brief_silence, keep, finish);
    else
        gather(AskingAll{}, full_gathering, full_gathering, keep, finish);
}

void Engine::search(const edge::Search& search, std::function<void(edge::Searched)> on_reply) {
    if (!is_connected_) return;
    auto pass_on = [this, search, connection = connection_,
                    on_reply = std::move(on_reply)](const std::string& reply) {
        auto trace = parse_trace(reply);
        if (trace && connection == connection_) on_reply({search.task, search.request, *trace});
    };
    gather(Searching{search.task, settings_.self, search.for_submitters}, settings_.times.search,
           settings_.times.search, pass_on, [] {});
}

}  // namespace nats_engine
