#include "edge_shell/agent_tasks.hpp"

#include "base/text.hpp"
#include "io/log.hpp"

#include <utility>

namespace edge_shell {

namespace agent_side = edge::agent_side;
using agent_side::Stage;

namespace {

std::string agent_key(const edge::TaskId& task) {
    return base::concat(agent_prefix, task.text());
}

}  // namespace

AgentTasks::AgentTasks(Engine& engine, Journal& journal, agent_side::Config config, Callbacks callbacks)
    : engine_(engine), journal_(journal), callbacks_(std::move(callbacks)) {
    state_.config = std::move(config);
}

base::Result<void> AgentTasks::recover(edge::Time now) {
    for (const std::string& key : journal_.keys()) {
        if (!key.starts_with(agent_prefix)) continue;
        auto text = journal_.get(key);
        if (text.has_error()) return text.error();
        auto note = parse_agent_note(*text);
        if (note.has_error()) {
            io::log::warn("a note of a task is damaged, and passed over: ", note.error().message);
            journal_.erase(key);
            continue;
        }
        agent_side::apply(state_, note->task, now);
        edge::TaskId task = note->task.task;
        notes_.insert_or_assign(std::move(task), std::move(*note));
    }
    return {};
}

std::vector<AgentTasks::Action> AgentTasks::apply(const Event& event, edge::Time now) {
    auto actions = agent_side::apply(state_, event, now);
    if (const auto* delivered = std::get_if<agent_side::Delivered>(&event)) {
        keep_work(delivered->task, std::move(delivered_.front()));
        delivered_.pop_front();
    }
    return actions;
}

// The work is kept only now: an event before the delivery may have ended the task, and its work with it.
void AgentTasks::keep_work(const TaskId& task, Work work) {
    const bool is_taken = state_.tasks.contains(task);
    if (is_taken) works_.try_emplace(task, std::move(work));
}

bool AgentTasks::is_note(const Action& action) {
    return std::holds_alternative<agent_side::Note>(action) ||
           std::holds_alternative<agent_side::Forget>(action);
}

void AgentTasks::prepare(const Action& action) {
    const auto* assign = std::get_if<agent_side::Assign>(&action);
    if (assign == nullptr) return;
    AgentNote& note = notes_.at(assign->task);
    if (note.task.stage == Stage::assigned) return;
    note.task.stage = Stage::assigned;
    note.task.setbacks = assign->setbacks;
    save(note);
}

void AgentTasks::carry_out(const Action& action) {
    std::visit([this](const auto& one) { on(one); }, action);
}

void AgentTasks::on(const edge::Write& action) {
    std::string text;
    auto note = notes_.find(action.task);
    bool is_answer =
        action.entry.kind == edge::EntryKind::outcome && action.entry.outcome != edge::Outcome::agent_lost;
    if (is_answer && note != notes_.end()) text = note->second.answer;
    if (note != notes_.end()) text = with_left(std::move(text), note->second.left, engine_.max_text_bytes());
    engine_.write(action, std::move(text),
                  [this](edge::Written written) { callbacks_.on_event(std::move(written)); });
}

void AgentTasks::on(const edge::LookUp& action) {
    engine_.look_up(action, {}, [this](edge::LookedUp found, const std::string& text) {
        add_left_agents(found.task, left_in(text));
        callbacks_.on_event(std::move(found));
    });
}

void AgentTasks::on(const edge::Ask& action) {
    engine_.ask(action, [this](edge::OwnerReplied replied) { callbacks_.on_event(std::move(replied)); });
}

void AgentTasks::on(const edge::Search& action) {
    engine_.search(action, [this](edge::Searched found) { callbacks_.on_event(std::move(found)); });
}

void AgentTasks::on(const edge::Settle& action) {
    engine_.settle(action);
}

void AgentTasks::on(const agent_side::Note& action) {
    AgentNote note;
    note.task = {action.task,  action.queue,    action.timeout,   action.delivery,
                 action.nonce, action.setbacks, Stage::unassigned};
    save(note);
    notes_.insert_or_assign(action.task, std::move(note));
}

void AgentTasks::on(const agent_side::Forget& action) {
    journal_.erase(agent_key(action.task));
    notes_.erase(action.task);
    works_.erase(action.task);
}

void AgentTasks::on(const agent_side::Assign& action) {
    if (!notes_.contains(action.task)) return;  // a later event has ended it
    if (action.was_unknown)
        io::log::warn("the engine may have lost what it knew of the task ", action.task,
                      ": if another host has it, or had it, and cannot be reached, it is done twice");
    const Work* known = work(action.task);
    callbacks_.on_assign({action.task, action.queue, action.timeout, action.setbacks,
                          known != nullptr && known->wants_failures});
}

void AgentTasks::on(const agent_side::Recall& action) {
    callbacks_.on_recall(action.task, action.wants_end);
}

void AgentTasks::save(const AgentNote& note) {
    journal_.put(agent_key(note.task.task), to_json(note));
}

// Text that is no task of ours cannot be done by anybody. Its submitter's edge, if there is one, finds that
// the queue does not have it.
void AgentTasks::delivered(Engine::Delivered delivered) {
    auto work = parse_body(delivered.body);
    if (work.has_error()) {
        io::log::warn(
            "the engine has delivered a task that cannot be read, which is removed from its queue: ",
            delivered.task, ": ", work.error().message);
        return engine_.settle({delivered.task, delivered.delivery, false});
    }
    auto timeout = timeout_of(*work);
    delivered_.push_back(std::move(*work));
    callbacks_.on_event(agent_side::Delivered{delivered.pull, delivered.task, delivered.delivery,
                                              delivered.queue, timeout, delivered.is_repeated});
}

void AgentTasks::asked(Engine::Question question) {
    std::uint64_t number = questions_.add(std::move(question.reply));
    callbacks_.on_event(
        agent_side::Asked{number, question.task, question.nonce, std::move(question.delivery)});
}

void AgentTasks::sought(Engine::Seeking seeking) {
    callbacks_.on_event(edge::Sought{seekings_.add(std::move(seeking.reply)), seeking.task, seeking.seeker});
}

void AgentTasks::answered(const TaskId& task, pool_protocol::Answer answer) {
    auto note = notes_.find(task);
    if (note == notes_.end()) return;
    AnswerText text = to_outcome(std::move(answer), engine_.max_text_bytes());
    if (text.outcome != edge::Outcome::stopped) {
        note->second.task.stage = Stage::answered;
        note->second.task.outcome = text.outcome;
        note->second.answer = std::move(text.text);
        save(note->second);
    }
    callbacks_.on_event(agent_side::Answered{task, text.outcome});
}

void AgentTasks::note_left(const TaskId& task, const std::string& frame) {
    add_left_agents(task, {frame});
}

void AgentTasks::add_left_agents(const TaskId& task, const LeftAgents& more) {
    auto note = notes_.find(task);
    if (note != notes_.end() && add_left(note->second.left, more)) save(note->second);
}

void AgentTasks::note_ending(const TaskId& task, const std::string& agent) {
    auto note = notes_.find(task);
    if (note == notes_.end()) return;
    note->second.ending_agent = agent;
    save(note->second);
}

const AgentNote* AgentTasks::note(const TaskId& task) const {
    auto found = notes_.find(task);
    return found == notes_.end() ? nullptr : &found->second;
}

const Work* AgentTasks::work(const TaskId& task) const {
    auto found = works_.find(task);
    return found == works_.end() ? nullptr : &found->second;
}

}  // namespace edge_shell
