// What happens to a host as a whole.
#include "host.hpp"

#include <array>

namespace hosts {

namespace agent_side = edge::agent_side;
namespace submitter_side = edge::submitter_side;

void Host::start() {
    if (is_alive_ || is_buried_) return;
    happens("starts");
    is_alive_ = true;
    agent_side_ = {};
    submitter_side_ = {};
    agent_side_.config = {name_, (std::uint64_t{world_.random.below(1U << 30)} << 8) + 1};
    submitter_side_.config = {name_, agent_side_.config.start + 1};
    agents_.come_back();
    recover();
    world_.agenda.in(world_.up_to(2s), [this, life = life_] {
        if (life == life_) connect();
    });
    world_.agenda.in(world_.up_to(3s), [this, life = life_] {
        if (life == life_) submit_waiting();
    });
}

// From the notes, and from the pool's own recovery: which agents are still at work, and which responses wait.
void Host::recover() {
    for (auto& [task, note] : agent_notes_) {
        auto response = responses_.find(task);
        if (response != responses_.end()) {
            note.stage = agent_side::Stage::answered;
            note.outcome = response->second;
        }
        feed(AgentEvent(note));
    }
    responses_.clear();
    feed(AgentEvent(agent_side::Queues{world_.queues}));
    idle_is_stale_ = true;
    for (const auto& [task, note] : std::map(agent_notes_))
        if (note.stage == agent_side::Stage::assigned && !agents_.has(task))
            feed(AgentEvent(agent_side::Unassigned{task, note.setbacks}));
    for (const auto& [task, note] : submitter_notes_) {
        if (!note.is_closed) asked_.insert(task);
        feed(SubmitterEvent(note));
    }
}

// Submitters come back, or are taken to be gone.
void Host::submit_waiting() {
    for (auto& [task, client] : clients_)
        if (client.waits) read_submission(task);
    for (const auto& [task, note] : std::map(submitter_notes_))
        if (!note.is_closed && !clients_[task].waits) read_withdrawal(task);
}

void Host::kill(Death death) {
    constexpr std::array names{"edge is killed", "machine dies", "machine dies, with its disk"};
    happens(names[static_cast<std::size_t>(death)]);
    if (death != Death::edge) {
        agents_.die(death == Death::machine_with_disk);
        lose_clients(false);
    }
    if (death == Death::machine_with_disk) {
        for (const auto& [task, client] : clients_)
            world_.oracle.forgotten(task, number_);
        agent_notes_.clear();
        submitter_notes_.clear();
        responses_.clear();
    }
    if (!is_alive_) return;
    ++life_;
    is_alive_ = is_suspended_ = is_carrying_out_ = is_resuming_ = false;
    Puller old{number_, connection_++};
    if (is_connected_) world_.agenda.in(world_.up_to(10s), [this, old] { world_.engine.drop(old); });
    is_connected_ = false;
    todo_.clear();
    inbox_.clear();
    asked_.clear();
    claiming_.clear();
    questions_.clear();
    searches_.clear();
    timer_.reset();
    planned_ = {};
    world_.agenda.in(world_.up_to(world_.random.one_in(3) ? 100s : 5s), [this] { start(); });
}

// Of those that wait on a machine that dies, some come back.
void Host::lose_clients(bool all) {
    for (auto& [task, client] : clients_) {
        if (!client.waits || (!all && world_.random.one_in(2))) continue;
        client.waits = false;
        world_.oracle.withdrawn(task, number_);
    }
}

void Host::bury() {
    kill(Death::machine_with_disk);
    lose_clients(true);
    is_buried_ = true;
}

void Host::give_up() {
    for (auto& [task, client] : std::map(clients_)) {
        if (client.waits && world_.engine.is_claimed(task))
            world_.oracle.violated(task, "nobody notices that its owner is dead");
        withdraw(task);
    }
}

void Host::soon(std::size_t actions, std::function<void()> fault) {
    actions_left_ = actions;
    planned_ = std::move(fault);
}

void Host::suspend(Duration span) {
    if (!is_alive_ || is_suspended_) return;
    is_suspended_ = true;
    happens("is suspended");
    if (span > 10s) {
        Puller old{number_, connection_};
        world_.agenda.in(10s, [this, old] { world_.engine.drop(old); });
    }
    world_.agenda.in(span, [this, life = life_, was_long = span > 10s] {
        if (life == life_) go_on(was_long);
    });
}

// What has arrived in the meantime is read before it is noticed that the connection is gone.
void Host::go_on(bool connection_is_gone) {
    is_suspended_ = false;
    happens("goes on");
    is_resuming_ = true;
    carry_out();
    is_resuming_ = false;
    while (!inbox_.empty() && is_alive_ && !is_suspended_) {
        auto arrived = std::move(inbox_.front());
        inbox_.pop_front();
        arrived();
    }
    if (is_alive_ && connection_is_gone) disconnect();
}

void Host::cut(Link::Direction direction, Duration span, bool is_noticed) {
    link_.cut(direction, span);
    happens(direction == Link::in ? "hears nothing" : "is not heard");
    if (!is_noticed) return;
    Duration after = 4s + world_.up_to(5s);
    if (after < span)
        world_.agenda.in(after, [this, life = life_] {
            if (life == life_) disconnect();
        });
}

void Host::lose_connection() {
    disconnect();
}

// Drains, with agents that are told to end, and starts again.
void Host::stop() {
    if (!is_alive_ || is_suspended_) return;
    if (world_.random.one_in(3)) arrive(SubmitterEvent(submitter_side::Stopping{}));
    arrive(AgentEvent(agent_side::Draining{}));
    agents_.stop();
    world_.agenda.in(15s + world_.up_to(10s), [this, life = life_] {
        if (life == life_) kill(Death::edge);
    });
}

void Host::heal() {
    link_.heal();
    planned_ = {};
    if (!is_alive_) start();
}

bool Host::is_quiet() const {
    if (is_buried_) return true;
    bool is_up = is_alive_ && !is_suspended_;
    bool is_waited_for = std::ranges::any_of(clients_, [](const auto& entry) { return entry.second.waits; });
    return is_up && !is_waited_for && agent_side_.tasks.empty() && submitter_side_.submissions.empty() &&
           agent_notes_.empty() && submitter_notes_.empty();
}

std::string Host::pending() const {
    std::string text = name_.text();
    for (const auto& [task, state] : agent_side_.tasks)
        text += " does " + task.text() + "/" + std::to_string(static_cast<int>(state.phase));
    for (const auto& [task, state] : submitter_side_.submissions)
        text += " waits for " + task.text() + "/" + std::to_string(static_cast<int>(state.phase));
    return text;
}

}  // namespace hosts
