#include "host.hpp"

namespace hosts {

namespace agent_side = edge::agent_side;
namespace submitter_side = edge::submitter_side;

Host::Host(World& world, std::size_t number, Weather weather)
    : world_(world),
      number_(number),
      name_("h" + std::to_string(number)),
      link_(world.agenda, world.random, weather),
      agents_(world.agenda, world.random, world.oracle),
      skew_(static_cast<int>(world.random.below(2 * most_skew + 1)) - most_skew),
      offset_(world.up_to(1000h)) {
    agents_.reports = {[this](const TaskId& task, Outcome outcome) { answered(task, outcome); },
                       [this](const Job& job) { work_failed(job); },
                       [this](const TaskId& task) { arrive(agent_side::Ended{task}); },
                       [this] {
                           idle_is_stale_ = true;
                           if (is_alive_ && !is_suspended_ && !is_carrying_out_) carry_out();
                       }};
}

Time Host::local_now() const {
    Duration now = world_.agenda.now().time_since_epoch();
    return Time(offset_ + now + now / 1000 * skew_);
}

// ---- the shell ----

void Host::arrive(const AgentEvent& event) {
    if (!is_alive_) return;
    if (!is_suspended_) return feed(event);
    inbox_.push_back([this, event] { feed(event); });
}

void Host::arrive(const SubmitterEvent& event) {
    if (!is_alive_) return;
    if (!is_suspended_) return feed(event);
    inbox_.push_back([this, event] { feed(event); });
}

void Host::feed(const AgentEvent& event) {
    if (!std::holds_alternative<agent_side::Idle>(event) && idle_is_stale_) {
        feed_idle();
        return arrive(event);  // the edge may be dead by now
    }
    log(event);
    for (auto& action : agent_side::apply(agent_side_, event, local_now()))
        todo_.emplace_back(std::move(action));
    if (!is_carrying_out_) carry_out();
}

void Host::feed(const SubmitterEvent& event) {
    log(event);
    if (const auto* published = std::get_if<submitter_side::Published>(&event))
        world_.oracle.published(published->task, number_);
    for (auto& action : submitter_side::apply(submitter_side_, event, local_now()))
        todo_.emplace_back(std::move(action));
    if (!is_carrying_out_) carry_out();
}

void Host::feed_idle() {
    if (std::exchange(idle_is_stale_, false)) feed(AgentEvent(agent_side::Idle{agents_.idle()}));
}

void Host::carry_out() {
    is_carrying_out_ = true;
    std::uint64_t life = life_;
    while (life == life_ && is_alive_ && !is_suspended_) {
        if (todo_.empty()) feed_idle();
        if (todo_.empty()) break;
        if (planned_ && actions_left_-- == 0) {
            std::exchange(planned_, {})();
            continue;
        }
        AnyAction action = std::move(todo_.front());
        todo_.pop_front();
        std::visit([this](const auto& of_side) { log(of_side), on(of_side); }, action);
    }
    if (life != life_) return;
    is_carrying_out_ = false;
    if (is_alive_ && !is_suspended_) set_timers();
}

void Host::set_timers() {
    std::optional<Time> next = agent_side::next_deadline(agent_side_);
    std::optional<Time> other = submitter_side::next_deadline(submitter_side_);
    if (other && (!next || *other < *next)) next = other;
    if (next == timer_) return;
    timer_ = next;
    if (!next) return;
    Duration span = std::max(global(*next - local_now()) + 1us, Duration(1us));
    world_.agenda.in(span, [this, at = *next, life = life_] {
        if (life != life_ || timer_ != at) return;
        timer_.reset();
        if (is_suspended_)
            inbox_.push_back([this] { wake(); });
        else
            wake();
    });
}

void Host::wake() {
    feed(AgentEvent(agent_side::TimePassed{}));
    if (is_alive_ && !is_suspended_) feed(SubmitterEvent(submitter_side::TimePassed{}));
}

// ---- the connection ----

void Host::connect() {
    if (!is_alive_ || is_connected_) return;
    bool may = !is_suspended_ && world_.agenda.now() >= world_.engine_up && !link_.is_cut();
    if (!may || (!world_.is_steady && world_.random.one_in(5)))
        return world_.agenda.in(1s + world_.up_to(2s), [this, life = life_] {
            if (life == life_) connect();
        });
    is_connected_ = true;
    ++connection_;
    edge::StoreId store{world_.engine.store()};
    arrive(AgentEvent(agent_side::Connected{store}));
    if (is_connected_) arrive(SubmitterEvent(submitter_side::Connected{store}));
}

void Host::disconnect() {
    if (!is_connected_) return;
    is_connected_ = false;
    Puller old{number_, connection_++};
    world_.agenda.in(world_.up_to(10s), [this, old] { world_.engine.drop(old); });
    arrive(AgentEvent(agent_side::Disconnected{}));
    arrive(SubmitterEvent(submitter_side::Disconnected{}));
    world_.agenda.in(100ms + world_.up_to(4s), [this, life = life_] {
        if (life == life_) connect();
    });
}

void Host::send(std::function<void(Puller)> at_engine) {
    if (!is_connected_) return;
    auto delay = link_.travel(Link::out);
    if (!delay) return;
    Puller puller{number_, connection_};
    world_.agenda.in(*delay, [this, puller, store = world_.engine.store(), at_engine = std::move(at_engine)] {
        bool is_up = world_.agenda.now() >= world_.engine_up && store == world_.engine.store();
        if (is_up) at_engine(puller);
    });
}

template<class Event>
void Host::send_back(Puller puller, const Event& event) {
    auto delay = link_.travel(Link::in);
    if (!delay) return;
    world_.agenda.in(*delay, [this, puller, event] {
        if (is_connected_ && connection_ == puller.connection) arrive(event);
    });
}

void Host::reply(Puller puller, const AgentEvent& event) {
    send_back(puller, event);
}

void Host::reply(Puller puller, const SubmitterEvent& event) {
    send_back(puller, event);
}

}  // namespace hosts
