// What the agents see: the other half of fleet.cpp.
#include "fleet.hpp"
#include "labels.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "world_clock.hpp"

#include <algorithm>
#include <unordered_map>

namespace model {

using base::concat;
using pool_protocol::FileKind;

namespace {

constexpr std::size_t max_text = 1 << 20;

// "n":"s12"
std::string submission_in(const std::string& content) {
    constexpr std::string_view mark = "\"n\":\"";
    std::size_t begin = content.find(mark);
    must(begin != std::string::npos, "a task's content isn't any submission's: ", content);
    begin += mark.size();
    return content.substr(begin, content.find('"', begin) - begin);
}

std::uint64_t number_of(std::string_view id) {
    std::uint64_t number = 0;
    std::from_chars(id.data() + 1, id.data() + id.size(), number);
    return number;
}

}  // namespace

void Fleet::list_files() {
    for (Agent& agent : agents_)
        agent.files = {};
    auto names = directory_.names();
    must(names.has_value(), "agents/ can't be listed");
    for (const std::string& name : *names) {
        auto file = pool_protocol::parse_file_name(name);
        if (!file || file->id[0] != 'a') continue;
        // The last scan removes what a daemon was killed before it could remove.
        if (file->kind == FileKind::schema || file->kind == FileKind::report) continue;
        auto found =
            std::lower_bound(agents_.begin(), agents_.end(), number_of(file->id),
                             [](const Agent& agent, std::uint64_t n) { return number_of(agent.id) < n; });
        must(found != agents_.end() && found->id == file->id, name,
             " is there, and its agent is gone for good");
        if (file->kind == FileKind::ready) found->files.ready = true;
        if (file->kind == FileKind::task) found->files.task = true;
        if (file->kind == FileKind::response) found->files.response = true;
    }
}

bool Fleet::look(Daemon daemon) {
    acted_ = false;
    list_files();
    for (Agent& agent : agents_)
        look_at(agent, daemon);
    hear_kicks();
    return acted_;
}

void Fleet::look_at(Agent& agent, Daemon daemon) {
    const Agent::Files& there = agent.files;
    bool is_idle = agent.state == State::waiting || agent.state == State::dead;
    bool is_told_by_file = agent.kind == Kind::ours && agent.state == State::working &&
                           !(agent.has_session && agent.process->is_connected());
    if ((is_idle || is_told_by_file) && there.task) look_at_task(agent);
    if (there.ready || there.task || there.response || agent.state == State::leaving) return;
    bool may_go = agent.state != State::waiting || daemon != Daemon::serves;
    must(may_go, "the ready file of ", agent.id, ", which waits, was removed");
    is_over(agent, daemon);
}

// Its files are gone.
void Fleet::is_over(Agent& agent, Daemon daemon) {
    if (daemon != Daemon::closes) check_end(agent);
    if (agent.state == State::died)
        oracle_.end_was_noticed(agent.task, !agent.end.told && !agent.end.is_excused);
    if (agent.state == State::working && agent.kind != Kind::ours && daemon != Daemon::closes)
        must(oracle_.has_timeout(agent.task), "the files of ", agent.id, ", which is at ", agent.task,
             ", were removed");
    if (!agent.task.empty()) oracle_.released(agent.task, agent.id);
    bool responds_again = agent.state == State::responded && agent.kind != Kind::ours && draw_.one_in(16);
    agent.state = State::leaving;
    if (!responds_again) return;
    story_.operation(agent.id, " responds once more, too late: ", write_response(agent, "too late"));
    agent.files.response = acted_ = true;
}

// A task, a heartbeat, or that it was kicked.
void Fleet::look_at_task(Agent& agent) {
    bool may_be_given = agent.state == State::waiting || agent.state == State::dead ||
                        agent.state == State::working || agent.state == State::heartbeat;
    if (!may_be_given) return;
    if (agent.state == State::working && disk_is_full_) {
        agent.end.is_excused = true;
        oracle_.excuse(agent.task, agent.id);
    }
    auto text = directory_.read(concat(agent.id, ".task.json"), max_text);
    if (text.has_error()) return;
    auto message = pool_protocol::parse_daemon_message(*text);
    if (!message) return was_given(agent, *text);
    bool is_kick = message->kind == pool_protocol::DaemonMessage::Kind::kicked;
    if (is_kick && agent.kind == Kind::ours && agent.state == State::working)
        return told(agent, message->reason);
    if (is_kick) {
        story_.note(agent.id, " was kicked: ", message->reason.text());
        if (!agent.task.empty()) oracle_.released(agent.task, agent.id);
        agent.state = State::kicked;
    } else if (!agent.had_heartbeat) {
        must(agent.state == State::waiting, agent.id, " gets a heartbeat while it does not wait");
        agent.had_heartbeat = true;
        agent.state = State::heartbeat;
    }
}

bool Fleet::was_kicked(const Agent& agent) const {
    auto text = directory_.read(concat(agent.id, ".task.json"), max_text);
    auto message = text.has_value() ? pool_protocol::parse_daemon_message(*text) : std::nullopt;
    return message && message->kind == pool_protocol::DaemonMessage::Kind::kicked;
}

void Fleet::was_given(Agent& agent, const std::string& text) {
    std::string submission = submission_in(text);
    if (agent.state == State::working)
        return must(agent.task == submission, agent.id, " has ", agent.task, " and gets ", submission);
    story_.note(agent.id, " is given ", submission);
    must(agent.state == State::waiting, agent.id, ", which does not wait any more, is given ", submission);
    oracle_.given(submission, agent.id, agent.labels, agent.kind == Kind::ours);
    given_lately_.push_back({agent.ready_after, oracle_.find(submission)->labels});
    agent.task = submission;
    check_schema(agent);
    agent.state = State::working;
}

std::vector<base::Labels> Fleet::waiting() const {
    std::vector<base::Labels> found;
    for (const Agent& agent : agents_)
        if (agent.state == State::waiting) found.push_back(agent.labels);
    return found;
}

bool Fleet::somebody_waits_for_anything() const {
    return std::ranges::count(waiting(), all_labels()) > 0;
}

// ready_after of the last agent that was given something that this one could have taken.
std::uint64_t Fleet::last_given(const Agent& agent) const {
    std::uint64_t last = 0;
    for (const Given& given : given_lately_)
        if (agent.labels.contain(given.needed)) last = std::max(last, given.ready_after);
    return last;
}

// Who left may have been given something until now.
void Fleet::forget_departed() {
    std::erase_if(agents_, [&](const Agent& agent) {
        bool has_files = agent.files.ready || agent.files.task || agent.files.response;
        if (agent.state != State::leaving || has_files) return false;
        if (agent.end.let_go_in == oracle_.life()) oracle_.release_was_noticed(agent.task, agent.id);
        return true;
    });
}

void Fleet::quiet() {
    forget_departed();
    for (Agent& agent : agents_) {
        look_at_task(agent);
        if (agent.kind == Kind::ours) quiet_ours(agent);
        must(agent.state != State::responded, "the response of ", agent.id, " has not been taken");
        // It handed its task back as its time was over.
        if (agent.state == State::leaving && was_kicked(agent)) agent.state = State::kicked;
        must(agent.state != State::leaving, "files of ", agent.id, ", which has left, are still there");
        if (agent.state != State::waiting) continue;
        must(!agent.files.response, "the early response of ", agent.id, " is still there");
        must(!agent.waiting_at || *agent.waiting_at > last_given(agent), agent.id,
             " still waits, and one that came after it was given something that it could have taken");
        if (!agent.waiting_at) agent.waiting_at = oracle_.quiet_points() + 1;
    }
    given_lately_.clear();
}

// And the next daemon finds who waits in the order of the files' times.
void Fleet::daemon_started() {
    life_began_ = world_clock::active_now();
}

void Fleet::daemon_ended() {
    hear_kicks();
    for (const Process& process : processes_)
        process->close();
    order_is_lost();
}

void Fleet::order_is_lost() {
    for (Agent& agent : agents_) {
        agent.waiting_at.reset();
        agent.ready_after = oracle_.quiet_points();
    }
    given_lately_.clear();
}

void Fleet::finish_work() {
    for (Agent& agent : agents_) {
        look_at_task(agent);
        if (agent.state == State::working) respond(agent);
        if (agent.state == State::told) has_ended(agent);
        if (agent.state == State::heartbeat) {
            write_response(agent, "{}");
            agent.state = State::responded;
        }
        if (agent.state != State::dead) continue;
        remove(agent, ".ready.json");
        agent.state = State::leaving;
    }
    read_kicks();
}

void Fleet::read_kicks() {
    for (Agent& agent : agents_) {
        look_at_task(agent);
        if (agent.state == State::told && agent.end.ends) has_ended(agent);
        if (agent.state != State::kicked) continue;
        remove(agent, ".ready.json");
        agent.state = State::leaving;
    }
}

void Fleet::go_home() {
    for (Agent& agent : agents_) {
        if (agent.state != State::waiting) continue;
        remove(agent, ".ready.json");
        agent.state = State::leaving;
    }
}

}  // namespace model
