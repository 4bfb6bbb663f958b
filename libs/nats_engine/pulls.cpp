#include "nats_engine/pulls.hpp"

#include "io/active_clock.hpp"
#include "nats/error.hpp"

#include <algorithm>

namespace nats_engine {

namespace {

nats::Time now() {
    return nats::Time(io::ActiveClock::now().time_since_epoch());
}

}  // namespace

Pulls::Pulls(const boost::asio::any_io_executor& executor, nats::Client& client, std::string stream,
             nats::Duration longest, Handlers handlers)
    : client_(client),
      stream_(std::move(stream)),
      longest_(longest),
      handlers_(std::move(handlers)),
      timer_(executor, false) {}

void Pulls::clear() {
    active_.clear();
    free_.clear();
    timer_.cancel();
    armed_.reset();
}

nats::PullRequest Pulls::request_for(const edge::agent_side::Pull& pull) const {
    constexpr nats::Nanoseconds longest_silence = std::chrono::seconds(5);
    if (!pull.waits) return {pull.count};
    return {pull.count, longest_, std::min(longest_silence, nats::Nanoseconds(longest_) / 2)};
}

std::unique_ptr<Pulls::Inbox> Pulls::take_inbox() {
    if (!free_.empty()) {
        std::unique_ptr<Inbox> inbox = std::move(free_.back());
        free_.pop_back();
        return inbox;
    }
    auto inbox = std::make_unique<Inbox>();
    inbox->subject = client_.new_inbox();
    Inbox& own = *inbox;  // it exists for as long as its subscription
    auto subscription = client_.subscribe(
        inbox->subject, [this, &own](nats::Message message) { received(own.pull, std::move(message)); },
        [this, &own](const base::Error& error) { interrupted(own.pull, error); });
    if (subscription.has_value()) inbox->subscription = std::move(*subscription);
    return inbox;
}

void Pulls::start(const edge::agent_side::Pull& pull, const std::string& consumer) {
    nats::PullRequest request = request_for(pull);
    nats::ApiCall call = nats::pull(stream_, consumer, request);
    auto inbox = take_inbox();
    inbox->pull = pull.pull;
    auto published = client_.publish({call.subject, call.body, {}, inbox->subject});
    Active active{std::move(inbox), pull.queue, nats::Pull(request, now())};
    if (published.has_error()) active.pull.interrupted(published.error());
    bool is_over = active.pull.is_over();
    nats::Time deadline = is_over ? now() : active.pull.next_deadline();
    active_.insert_or_assign(pull.pull, std::move(active));
    arm(deadline);
}

// The handler of a message may end this pull or others, and start some.
void Pulls::received(edge::PullId id, nats::Message message) {
    auto found = active_.find(id);
    if (found == active_.end() || found->second.pull.is_over()) return;
    if (found->second.pull.received(message, now())) {
        edge::Queue queue = found->second.queue;
        handlers_.on_message(id, queue, std::move(message));
    }
    end_if_over(id);
}

// The owner knows of a lost connection, and ends all pulls.
void Pulls::interrupted(edge::PullId id, const base::Error& error) {
    auto found = active_.find(id);
    if (found == active_.end() || error.code == nats::Errc::disconnected) return;
    found->second.pull.interrupted(error);
    end_if_over(id);
}

void Pulls::end_if_over(edge::PullId id) {
    auto found = active_.find(id);
    if (found == active_.end() || !found->second.pull.is_over()) return;
    Active ended = std::move(found->second);
    active_.erase(found);
    if (ended.pull.result().has_value()) {
        ended.inbox->pull = {};
        free_.push_back(std::move(ended.inbox));
    }
    handlers_.on_ended(id, ended.queue, ended.pull.result());
}

// The timer may be set for an earlier time than is needed, but never for a later one.
void Pulls::arm(nats::Time deadline) {
    if (armed_ && *armed_ <= deadline) return;
    armed_ = deadline;
    timer_.expires_at(io::ActiveClock::time_point(deadline.time_since_epoch()));
    timer_.async_wait([this](boost::system::error_code ec) {
        if (ec) return;
        armed_.reset();
        time_passed();
    });
}

void Pulls::time_passed() {
    std::vector<edge::PullId> ids;
    for (const auto& [id, active] : active_)
        ids.push_back(id);
    for (edge::PullId id : ids) {
        auto found = active_.find(id);
        if (found == active_.end()) continue;
        found->second.pull.time_passed(now());
        if (!found->second.pull.is_over()) arm(found->second.pull.next_deadline());
        end_if_over(id);
    }
}

}  // namespace nats_engine
