#include "edge_shell/notes.hpp"

#include "base/text.hpp"
#include "edge_shell/note_members.hpp"

#include <array>
#include <cstdint>

namespace edge_shell {

namespace {

using edge::Outcome;
using edge::agent_side::Stage;

constexpr std::array<Named<Stage>, 3> stages{
    {{Stage::unassigned, "unassigned"}, {Stage::assigned, "assigned"}, {Stage::answered, "answered"}}};

constexpr std::array<Named<Outcome>, 8> outcomes{{{Outcome::processed, "processed"},
                                                  {Outcome::timeout, "timeout"},
                                                  {Outcome::failed, "failed"},
                                                  {Outcome::lost, "lost"},
                                                  {Outcome::rejected, "rejected"},
                                                  {Outcome::stopped, "stopped"},
                                                  {Outcome::invalid, "invalid"},
                                                  {Outcome::agent_lost, "agent_lost"}}};

}  // namespace

// The answer is last, because it may be long: whoever looks for another member does not read it.
std::string to_json(const AgentNote& note) {
    const auto& task = note.task;
    const bool is_answered = task.stage == Stage::answered;
    return base::concat(
        "{", task_members(task.task, task.queue), ",\"timeout_ms\":", timeout_text(task.timeout),
        ",\"delivery\":", json::quote(task.delivery.text()), ",\"nonce\":[\"", task.nonce.start, "\",\"",
        task.nonce.number, "\"]", ",\"deaths\":", task.setbacks.deaths,
        ",\"failures\":", task.setbacks.failures, ",\"ending_agent\":", json::quote(note.ending_agent),
        note.left.empty() ? "" : base::concat(",\"left\":", json::quote(with_left("", note.left, SIZE_MAX))),
        ",\"stage\":", json::quote(name_of(stages, task.stage)),
        is_answered ? base::concat(",\"outcome\":", json::quote(name_of(outcomes, task.outcome)),
                                   ",\"answer\":", json::quote(note.answer))
                    : "",
        "}");
}

std::string to_json(const SubmitterNote& note) {
    const auto& task = note.task;
    return base::concat("{", task_members(task.task, task.queue),
                        ",\"store\":", task.store ? base::concat("\"", task.store->value, "\"") : "null",
                        ",\"was_lost\":", task.was_lost ? "true" : "false",
                        ",\"is_closed\":", task.is_closed ? "true" : "false", "}");
}

base::Result<AgentNote> parse_agent_note(std::string_view text) {
    auto object = json::parse(text, "the note");
    if (object.has_error()) return object.error();
    NoteMembers members(*object);
    AgentNote note;
    auto& task = note.task;
    members.read("task", task.task);
    members.read_queue(task.queue);
    members.read("timeout_ms", task.timeout);
    std::string delivery;
    members.read("delivery", delivery);
    task.delivery = std::move(delivery);
    members.read("nonce", task.nonce);
    members.read("deaths", task.setbacks.deaths);
    members.read("failures", task.setbacks.failures);
    members.read("ending_agent", note.ending_agent);
    if (auto left = object->find("left"); left && left->is(json::Kind::string))
        note.left = left_in(left->string());
    members.read("stage", task.stage, stages);
    if (task.stage == Stage::answered) {
        members.read("outcome", task.outcome, outcomes);
        members.read("answer", note.answer);
    }
    if (members.problem()) return *members.problem();
    return note;
}

base::Result<SubmitterNote> parse_submitter_note(std::string_view text) {
    auto object = json::parse(text, "the note");
    if (object.has_error()) return object.error();
    NoteMembers members(*object);
    SubmitterNote note;
    auto& task = note.task;
    members.read("task", task.task);
    members.read_queue(task.queue);
    members.read("store", task.store);
    members.read("was_lost", task.was_lost);
    members.read("is_closed", task.is_closed);
    if (members.problem()) return *members.problem();
    return note;
}

}  // namespace edge_shell
