// The loop that feeds the machines. Of the events that are there, the notes are written together: what the
// machines want besides is gathered, and carried out afterwards, in order.
#include "edge_shell/clock.hpp"
#include "edge_shell/edge.hpp"
#include "io/log.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace edge_shell {

namespace agent_side = edge::agent_side;
namespace submitter_side = edge::submitter_side;

namespace {

constexpr std::chrono::milliseconds save_retry{200};

}  // namespace

void Edge::push(Event event) {
    events_.push_back(std::move(event));
    pump_soon();
}

// Pumps after all that has arrived together.
void Edge::pump_soon() {
    if (is_pumping_ || std::exchange(is_pump_due_, true)) return;
    boost::asio::post(executor_, [this, alive = std::weak_ptr(alive_)] {
        if (!alive.expired() && is_pump_due_) pump();
    });
}

// Callbacks may push further events, which are taken here.
void Edge::pump() {
    if (is_pumping_ || holds_ > 0) {
        is_pump_wanted_ = holds_ > 0;
        return;
    }
    is_pumping_ = true;
    is_pump_wanted_ = is_pump_due_ = false;
    do {
        if (actions_.empty()) gather();
    } while (carry_out_all() && (idle_is_stale_ || !events_.empty()));
    save();
    is_pumping_ = false;
    arm();
}

// Idle agents are asked for when the pool has got all that was assigned to it.
void Edge::gather() {
    if (std::exchange(idle_is_stale_, false))
        apply(agent_side::Event(agent_side::Idle{callbacks_.idle_agents()}));
    while (!events_.empty() && !idle_is_stale_) {
        Event event = std::move(events_.front());
        events_.pop_front();
        apply(event);
    }
}

void Edge::apply(const Event& event) {
    edge::Time now = edge_now();
    if (const auto* of_agents = std::get_if<agent_side::Event>(&event)) {
        for (auto& action : agents_->apply(*of_agents, now))
            take(std::move(action));
        return;
    }
    const auto& of_submitters = std::get<SubmitterEvent>(event);
    for (auto& action : submitters_->apply(of_submitters.event, of_submitters.text, now))
        take(std::move(action));
}

void Edge::take(agent_side::Action action) {
    if (AgentTasks::is_note(action)) return agents_->carry_out(action);
    agents_->prepare(action);
    actions_.emplace_back(std::move(action));
}

// An answer has the text of the event that has brought it, and waits for no note.
void Edge::take(submitter_side::Action action) {
    bool is_answer = std::holds_alternative<submitter_side::Answer>(action);
    if (is_answer || SubmitterTasks::is_note(action)) return submitters_->carry_out(action);
    actions_.emplace_back(std::move(action));
}

// False if the notes that must be on the disk before cannot be written: then everything waits.
bool Edge::carry_out_all() {
    if (!actions_.empty() && !save()) return false;
    while (!actions_.empty()) {
        Action action = std::move(actions_.front());
        actions_.pop_front();
        if (std::holds_alternative<agent_side::Action>(action))
            agents_->carry_out(std::get<agent_side::Action>(action));
        else
            submitters_->carry_out(std::get<submitter_side::Action>(action));
    }
    if (agent_side::is_drained(agents_->state())) drained_.cancel();
    if (agents_->state().is_draining && kept_answers() == 0) callbacks_.on_delivered();
    return true;
}

bool Edge::save() {
    auto saved = journal_.flush();
    if (saved.has_error() && !is_unsaved_)
        io::log::error("the engine's tasks wait until their notes can be written: ", saved.error().message);
    is_unsaved_ = saved.has_error();
    return !is_unsaved_;
}

// The timer may be set for an earlier time than is needed, but never for a later one.
void Edge::arm() {
    std::optional<edge::Time> next;
    auto add = [&](std::optional<edge::Time> time) {
        if (time && (!next || *time < *next)) next = time;
    };
    add(agents_->next_deadline());
    add(submitters_->next_deadline());
    add(absence_ends_);
    add(activity_.due());
    if (is_unsaved_) add(edge_now() + save_retry);
    if (next && (!armed_ || *next < *armed_)) wake_at(*next);
}

void Edge::wake_at(edge::Time at) {
    armed_ = at;
    timer_.expires_after(std::max(edge::Duration(0), at - edge_now()));
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
        if (ec || alive.expired()) return;
        armed_.reset();
        time_passed();
    });
}

void Edge::time_passed() {
    edge::Time now = edge_now();
    if (absence_ends_ && *absence_ends_ <= now) withdraw_absent();
    auto is_due = [&](std::optional<edge::Time> time) { return time && *time <= now; };
    if (is_due(activity_.due())) send_activity(now);
    if (is_due(agents_->next_deadline())) events_.emplace_back(agent_side::Event(agent_side::TimePassed{}));
    if (is_due(submitters_->next_deadline()))
        events_.emplace_back(SubmitterEvent{submitter_side::TimePassed{}, {}});
    pump();
}

void Edge::withdraw_absent() {
    absence_ends_.reset();
    for (const TaskId& task : submitters_->absent())
        events_.emplace_back(SubmitterEvent{submitter_side::Withdrawn{task}, {}});
}

}  // namespace edge_shell
