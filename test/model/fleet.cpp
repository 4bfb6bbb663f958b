#include "fleet.hpp"

#include "labels.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/ready.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>

namespace model {

using base::concat;

namespace {

constexpr std::string_view ready = ".ready.json";
constexpr std::string_view task = ".task.json";
constexpr std::string_view response = ".response.json";

void done(const base::Result<void>& result) {
    must(result.has_value(), "the test could not write: ", result.has_error() ? result.error().message : "");
}

}  // namespace

Fleet::Fleet(io::Directory agents, io::Directory scratch, std::string socket_path, Oracle& oracle,
             Story& story, sim::Draw& draw)
    : directory_(std::move(agents)),
      scratch_(std::move(scratch)),
      socket_path_(std::move(socket_path)),
      oracle_(oracle),
      story_(story),
      draw_(draw) {}

void Fleet::join() {
    join(draw_.one_in(2) ? base::Labels() : some_labels(draw_));
}

void Fleet::join_for_anything() {
    join(all_labels());
}

// Of an agent that is not one of ours.
std::string Fleet::ready_text(const Agent& agent) const {
    pool_protocol::Ready text;
    text.locked = agent.kind == Kind::locking;
    text.labels = agent.labels;
    bool is_bare = !text.locked && text.labels.empty();
    return is_bare ? "" : to_json(text);
}

void Fleet::join(base::Labels labels) {
    Agent agent;
    agent.id = concat("a", ++last_number_);
    agent.labels = std::move(labels);
    std::uint32_t kind = draw_.below(10);
    agent.kind = kind < 2 ? Kind::published : kind < 4 ? Kind::locking : Kind::ours;
    agent.ready_after = oracle_.quiet_points();
    std::string name = concat(agent.id, ready);
    if (agent.kind == Kind::ours)
        join_ours(agent);
    else
        done(scratch_.write_in_place(name, ready_text(agent)));
    if (agent.kind != Kind::published) {
        agent.lock = io::UniqueFd(::openat(scratch_.fd(), name.c_str(), O_RDONLY | O_CLOEXEC));
        must(agent.lock && ::flock(agent.lock.get(), LOCK_EX) == 0, "the test could not lock ", name);
    }
    done(directory_.take_from(scratch_, name));
    story_.operation(agent.id,
                     agent.kind == Kind::published ? " comes, without a lock"
                     : agent.kind == Kind::locking ? " comes"
                     : agent.has_session           ? " comes, of " + agent.process->session()
                                                   : " comes, one of ours",
                     agent.labels.empty() ? "" : " with " + agent.labels.description());
    agent.files.ready = true;
    agents_.push_back(std::move(agent));
}

void Fleet::act(bool is_served) {
    if (agents_.empty()) return join();
    if (is_served && draw_.one_in(8)) return connect_somebody();
    Agent& agent = agents_[draw_.below(agents_.size())];
    look_at_task(agent);  // whether it was kicked since
    switch (agent.state) {
        case State::waiting:
            return act_waiting(agent);
        case State::working:
            return agent.kind == Kind::ours ? act_ours(agent) : act_working(agent);
        case State::heartbeat:
            return act_on_heartbeat(agent);
        case State::responded:
            return act_responded(agent);
        case State::kicked:
            return act_kicked(agent);
        case State::dead:
        case State::told:
        case State::died:
        case State::leaving:
            return;
    }
}

void Fleet::act_waiting(Agent& agent) {
    std::uint32_t way = draw_.below(12);
    if (way == 0) {
        story_.operation(agent.id, " leaves");
        remove(agent, ready);
        agent.state = State::leaving;
    } else if (way == 1 && agent.kind != Kind::published) {
        die(agent);
    } else if (way == 2) {
        story_.operation(agent.id, " responds too early");
        write_response(agent, "too early");
    }
}

void Fleet::act_working(Agent& agent) {
    std::uint32_t way = draw_.below(16);
    if (way < 11) return respond(agent);
    if (way < 13) return hand_back(agent);
    if (way == 13) {
        story_.operation(agent.id, " takes its task file away");
        remove(agent, task);
        agent.files.task = false;
    } else if (way == 14) {
        story_.operation(agent.id, " dies at work");
        agent.lock.reset();
    } else {
        story_.operation(agent.id, " leaves its response empty for now");
        (void)directory_.remove(concat(agent.id, response));
        done(directory_.write_in_place(concat(agent.id, response), ""));
    }
}

void Fleet::respond(Agent& agent) {
    std::string text = write_response(agent, agent.task);
    story_.operation(agent.id, " responds: ", text);
    oracle_.responded(agent.task, agent.id, text);
    agent.state = State::responded;
    if (agent.kind == Kind::ours && draw_.one_in(2)) agent.lock.reset();
    if (agent.kind != Kind::ours && draw_.one_in(8)) remove(agent, ready);
}

void Fleet::hand_back(Agent& agent) {
    story_.operation(agent.id, " hands ", agent.task, " back");
    (void)directory_.remove(concat(agent.id, response));  // an empty one
    if (draw_.one_in(2))
        remove(agent, ready);
    else
        done(directory_.write(scratch_, concat(agent.id, ready),
                              R"({"locked":true,"handed_back":"no time"})"));
    oracle_.let_go(agent.task, agent.id, LetGo::handed_back, false);
    agent.task.clear();
    agent.state = State::leaving;
}

void Fleet::act_on_heartbeat(Agent& agent) {
    if (draw_.one_in(4)) return;  // lets it pass
    story_.operation(agent.id, " answers a heartbeat");
    write_response(agent, "{}");
    agent.state = State::responded;
}

void Fleet::act_responded(Agent& agent) {
    if (agent.kind == Kind::ours || !draw_.one_in(3)) return;
    std::string text = write_response(agent, agent.task);
    story_.operation(agent.id, " responds once more: ", text);
    if (!agent.task.empty()) oracle_.responded(agent.task, agent.id, text);
}

void Fleet::act_kicked(Agent& agent) {
    if (agent.kind != Kind::ours && draw_.one_in(4)) {
        story_.operation(agent.id, " responds although it was kicked");
        write_response(agent, "too late");
        agent.state = State::leaving;
    } else if (draw_.one_in(2)) {
        story_.operation(agent.id, " sees that it was kicked");
        remove(agent, ready);
        agent.state = State::leaving;
    }
}

// In place, as a shell does, or at once. The text says whose it is.
std::string Fleet::write_response(Agent& agent, std::string_view text) {
    std::string name = concat(agent.id, response);
    std::string whole = concat(text, " by ", agent.id, " ", ++agent.texts);
    if (agent.reports) write_report(agent);
    if (draw_.one_in(2)) {
        done(directory_.write(scratch_, name, whole));
    } else {
        io::UniqueFd file(
            ::openat(directory_.fd(), name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        must(static_cast<bool>(file), "the test could not write ", name);
        done(io::write_all(file.get(), whole));
    }
    return whole;
}

void Fleet::remove(const Agent& agent, std::string_view suffix) {
    done(directory_.remove(concat(agent.id, suffix)));
}

}  // namespace model
