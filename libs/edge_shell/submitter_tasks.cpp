#include "edge_shell/submitter_tasks.hpp"

#include "base/text.hpp"
#include "edge_shell/outcomes.hpp"
#include "io/log.hpp"

#include <utility>

namespace edge_shell {

namespace submitter_side = edge::submitter_side;

namespace {

std::string submitter_key(const edge::TaskId& task) {
    return base::concat(submitter_prefix, task.text());
}

}  // namespace

SubmitterTasks::SubmitterTasks(Engine& engine, Journal& journal, submitter_side::Config config,
                               Callbacks callbacks)
    : engine_(engine), journal_(journal), callbacks_(std::move(callbacks)) {
    state_.config = std::move(config);
}

base::Result<void> SubmitterTasks::recover(edge::Time now) {
    for (const std::string& key : journal_.keys()) {
        if (!key.starts_with(submitter_prefix)) continue;
        auto text = journal_.get(key);
        if (text.has_error()) return text.error();
        auto note = parse_submitter_note(*text);
        if (note.has_error()) {
            io::log::warn("a note of a submission is damaged, and passed over: ", note.error().message);
            journal_.erase(key);
            continue;
        }
        submitter_side::apply(state_, note->task, now);
        if (note->task.is_closed) continue;
        engine_.watch(note->task.task);
        edge::TaskId task = note->task.task;
        notes_.insert_or_assign(std::move(task), std::move(*note));
    }
    return {};
}

std::vector<SubmitterTasks::Action> SubmitterTasks::apply(const Event& event, std::string text,
                                                          edge::Time now) {
    text_ = std::move(text);
    tell_left(event);
    return submitter_side::apply(state_, event, now);
}

// To be called before the answer is given, which the same event may bring.
void SubmitterTasks::tell_left(const Event& event) {
    const auto* noticed = std::get_if<submitter_side::Noticed>(&event);
    const auto* looked_up = std::get_if<edge::LookedUp>(&event);
    if (noticed == nullptr && looked_up == nullptr) return;
    const TaskId& task = noticed != nullptr ? noticed->task : looked_up->task;
    if (!notes_.contains(task)) return;
    for (std::string& frame : left_in(text_))
        if (add_left(told_[task], {frame})) callbacks_.on_left(std::move(frame));
}

bool SubmitterTasks::is_note(const Action& action) {
    return std::holds_alternative<submitter_side::Note>(action) ||
           std::holds_alternative<submitter_side::NoteClosed>(action) ||
           std::holds_alternative<submitter_side::Forget>(action);
}

void SubmitterTasks::carry_out(const Action& action) {
    std::visit([this](const auto& one) { on(one); }, action);
}

void SubmitterTasks::on(const submitter_side::Note& action) {
    engine_.watch(action.task);
    SubmitterNote note;
    note.task = {action.task, action.queue, action.store, action.was_lost};
    save(note);
    notes_.insert_or_assign(action.task, std::move(note));
}

void SubmitterTasks::on(const submitter_side::NoteClosed& action) {
    engine_.unwatch(action.task);
    told_.erase(action.task);
    auto note = notes_.find(action.task);
    if (note == notes_.end()) return;
    note->second.task.is_closed = true;
    save(note->second);
    notes_.erase(note);
}

void SubmitterTasks::on(const submitter_side::Forget& action) {
    engine_.unwatch(action.task);
    journal_.erase(submitter_key(action.task));
    told_.erase(action.task);
    notes_.erase(action.task);
}

void SubmitterTasks::on(const submitter_side::Publish& action) {
    auto work = callbacks_.work_of(action.task);
    if (!work) return;  // the withdrawal is on its way
    engine_.publish(action, to_body(*work), [this](submitter_side::Published published, std::string problem) {
        callbacks_.on_event(std::move(published), std::move(problem));
    });
}

void SubmitterTasks::on(const edge::Write& action) {
    engine_.write(action, {}, [this](edge::Written written) { callbacks_.on_event(std::move(written), {}); });
}

void SubmitterTasks::on(const edge::LookUp& action) {
    auto submission = state_.submissions.find(action.task);
    edge::Queue queue = submission == state_.submissions.end() ? edge::Queue() : submission->second.queue;
    engine_.look_up(action, queue, [this](edge::LookedUp found, std::string text) {
        callbacks_.on_event(std::move(found), std::move(text));
    });
}

void SubmitterTasks::on(const edge::Ask& action) {
    engine_.ask(action, [this](edge::OwnerReplied replied) { callbacks_.on_event(std::move(replied), {}); });
}

void SubmitterTasks::on(const edge::Search& action) {
    engine_.search(action, [this](edge::Searched found) { callbacks_.on_event(std::move(found), {}); });
}

void SubmitterTasks::on(const submitter_side::Answer& action) {
    if (action.was_lost)
        io::log::warn("the engine had lost what it knew of the task ", action.task,
                      ": if the host that had it could not be reached then, it was done twice");
    callbacks_.on_answer(action.task, to_answer(action.outcome, text_));
    callbacks_.on_event(submitter_side::Consumed{action.task}, {});
}

void SubmitterTasks::on(const submitter_side::Remove& action) {
    if (action.is_undelivered)
        io::log::warn("the engine does not deliver the task ", action.task,
                      ", which is in its queue: it is published again");
    engine_.remove(action,
                   [this](submitter_side::Removed removed) { callbacks_.on_event(std::move(removed), {}); });
}

void SubmitterTasks::on(const submitter_side::Purge& action) {
    engine_.purge(action,
                  [this](submitter_side::Removed removed) { callbacks_.on_event(std::move(removed), {}); });
}

void SubmitterTasks::save(const SubmitterNote& note) {
    journal_.put(submitter_key(note.task.task), to_json(note));
}

void SubmitterTasks::sought(Engine::Seeking seeking) {
    callbacks_.on_event(edge::Sought{seekings_.add(std::move(seeking.reply)), seeking.task, seeking.seeker,
                                     seeking.for_submitters},
                        {});
}

std::vector<edge::TaskId> SubmitterTasks::absent() const {
    std::vector<TaskId> found;
    for (const auto& [id, submission] : state_.submissions)
        if (!submission.is_awaited && is_open(id)) found.push_back(id);
    return found;
}

bool SubmitterTasks::is_open(const TaskId& task) const {
    auto found = state_.submissions.find(task);
    return found != state_.submissions.end() && found->second.phase <= submitter_side::Phase::declaring;
}

}  // namespace edge_shell
