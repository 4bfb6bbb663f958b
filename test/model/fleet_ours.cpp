// What agents of ours do: another part of fleet.cpp.
#include "additions.hpp"
#include "fleet.hpp"
#include "pool_protocol/ready.hpp"
#include "world_clock.hpp"

#include <algorithm>

namespace model {

using base::concat;
using pool_protocol::Release;
using std::chrono::milliseconds;
using world_clock::active_now;

namespace {

constexpr std::string_view ready = ".ready.json";
constexpr std::size_t most_processes = 3;
constexpr std::uint32_t ending_time = 10'000;     // ms, that the daemon gives who is to end its work
constexpr std::uint32_t longest_end = 12'000;     // ms, of those who take their time
constexpr std::uint32_t work_after_death = 2000;  // ms
constexpr milliseconds time_of_a_look{200};       // may pass before the test sees something

void done(const base::Result<void>& result) {
    must(result.has_value(), "the test could not write: ", result.has_error() ? result.error().message : "");
}

Release::Reason reason_of(LetGo how) {
    if (how == LetGo::failed) return Release::Reason::failed;
    return how == LetGo::timed_out ? Release::Reason::timeout : Release::Reason::handed_back;
}

}  // namespace

// With a connection that isn't answered yet, an agent goes without.
void Fleet::join_ours(Agent& agent) {
    if (!draw_.one_in(3)) agent.process = some_process();
    agent.has_session = agent.process && agent.process->is_connected();
    pool_protocol::Ready text;
    text.name = "x";
    text.locked = text.keeps_lock = text.ends_when_told = true;
    if (agent.has_session) text.session = agent.process->session();
    text.labels = agent.labels;
    text.wants_schema = agent.wants_schema = draw_.one_in(2);
    text.reports = agent.reports = draw_.one_in(2);
    done(scratch_.write_in_place(concat(agent.id, ready), to_json(text)));
}

void Fleet::write_report(const Agent& agent) {
    pool_protocol::AgentReport report;
    report.kind = agent.id;
    done(directory_.write(scratch_, concat(agent.id, ".report.json"), to_json(report)));
}

// A daemon that has taken over the task from another may not know its schema; but it is never another task's.
void Fleet::check_schema(const Agent& agent) const {
    auto text = directory_.read(concat(agent.id, ".schema.json"), 1000);
    must(text.has_error() || (agent.wants_schema && *text == schema_of(agent.task)), agent.id,
         " has the wrong schema with ", agent.task, ": ", text.has_value() ? *text : "");
}

Fleet::Process Fleet::some_process() {
    std::erase_if(processes_, [](const Process& process) {
        return !process->is_alive() && !process->has_connection() && process.use_count() == 1;
    });
    std::vector<Process> alive;
    for (const Process& process : processes_)
        if (process->is_alive()) alive.push_back(process);
    if (alive.size() == most_processes || (!alive.empty() && !draw_.one_in(4)))
        return alive[draw_.below(alive.size())];
    processes_.push_back(std::make_shared<AgentProcess>(concat("p", ++last_process_), socket_path_));
    return processes_.back();
}

void Fleet::connect_somebody() {
    for (const Process& process : processes_) {
        if (!process->is_alive() || process->has_connection()) continue;
        story_.operation(process->session(), " connects");
        return process->connect();
    }
}

void Fleet::act_ours(Agent& agent) {
    std::uint32_t way = draw_.below(16);
    if (way < 9) return respond(agent);
    if (way < 11) return let_go(agent, LetGo::handed_back);
    if (way < 13) return let_go(agent, LetGo::failed);
    if (way == 13 && oracle_.has_timeout(agent.task)) return let_go(agent, LetGo::timed_out);
    if (way == 14) die(agent);
}

// By its connection, or else by its ready file.
void Fleet::let_go(Agent& agent, LetGo how) {
    auto reason = reason_of(how);
    if (agent.reports && draw_.one_in(4)) write_report(agent);
    bool by_connection = agent.has_session && agent.process->is_connected();
    story_.operation(agent.id, " lets go of ", agent.task, " (", pool_protocol::reason_name(reason),
                     by_connection ? ")" : ", by file)");
    if (by_connection) {
        agent.process->release(agent.id, reason);
        agent.end.let_go_in = oracle_.life();
    } else {
        pool_protocol::Ready text;
        text.release.emplace();
        text.release->reason = reason;
        text.release->message = "for a reason";
        done(directory_.write(scratch_, concat(agent.id, ready), to_json(text)));
    }
    oracle_.let_go(agent.task, agent.id, how, by_connection);
    agent.lock.reset();
    agent.end.freed = active_now();
    agent.state = State::leaving;
}

// With all agents of its process. What they have started ends a little later, and the process's guard holds
// the connection so long.
void Fleet::die(Agent& agent) {
    bool is_guarded = draw_.one_in(2);
    auto work_ends = Clock::now() + milliseconds(is_guarded ? draw_.below(work_after_death) : 0);
    if (!agent.process) {
        story_.operation(agent.id, " dies");
        return dies(agent, work_ends, false);
    }
    Process process = agent.process;
    hear_kicks(process);
    story_.operation(process->session(), " dies, with ", agent.id);
    bool is_connected = process->is_connected();
    for (Agent& each : agents_)
        if (each.process == process) dies(each, work_ends, is_connected && each.has_session);
    process->die();
    if (!is_guarded) process->close();
}

void Fleet::dies(Agent& agent, Clock::time_point work_ends, bool is_by_connection) {
    if (agent.reports && agent.state == State::working && draw_.one_in(4)) write_report(agent);
    look_at_task(agent);
    agent.lock.reset();
    if (agent.state == State::waiting || agent.state == State::heartbeat) agent.state = State::dead;
    if (agent.state != State::working && agent.state != State::told) return;
    story_.note(agent.id, " died at work on ", agent.task);
    agent.state = State::died;
    agent.end.freed = active_now();
    agent.end.work_ends = work_ends;
    agent.end.is_by_connection = is_by_connection;
    oracle_.died(agent.task);
    if (agent.kind != Kind::ours) oracle_.released(agent.task, agent.id);
}

// It takes a moment, or longer than it may.
void Fleet::told(Agent& agent, const pool_protocol::StatedKickReason& reason) {
    if (agent.state != State::working) return;
    story_.note(agent.id, " is told to end its work on ", agent.task, ": ", reason.text());
    agent.state = State::told;
    agent.end.told = active_now();
    agent.end.told_in = oracle_.life();
    if (!draw_.one_in(8))
        agent.end.ends = Clock::now() + milliseconds(draw_.below(draw_.one_in(4) ? longest_end : 500));
}

void Fleet::has_ended(Agent& agent) {
    story_.note(agent.id, " has ended its work on ", agent.task);
    oracle_.released(agent.task, agent.id);
    if (agent.has_session && agent.process->is_connected()) {
        agent.process->release(agent.id, Release::Reason::ended);
        agent.end.let_go_in = oracle_.life();
    } else {
        remove(agent, ready);
    }
    agent.lock.reset();
    agent.end.freed = active_now();
    agent.state = State::leaving;
}

void Fleet::time_has_passed() {
    for (Agent& agent : agents_)
        ends_as_due(agent);
    for (const Process& process : processes_) {
        if (process->is_alive() || !process->has_connection()) continue;
        bool is_at_work = std::any_of(agents_.begin(), agents_.end(), [&](const Agent& agent) {
            return agent.process == process && agent.end.work_ends && *agent.end.work_ends > Clock::now();
        });
        if (!is_at_work) process->close();
    }
}

void Fleet::ends_as_due(Agent& agent) {
    auto now = Clock::now();
    if (agent.state == State::died && (now >= *agent.end.work_ends || is_overdue(agent)))
        oracle_.released(agent.task, agent.id);
    if (agent.state != State::told) return;
    if (agent.end.ends && now >= *agent.end.ends) return has_ended(agent);
    if (is_overdue(agent)) oracle_.is_overdue(agent.task, agent.id);
}

void Fleet::hear_kicks() {
    for (const Process& process : processes_)
        hear_kicks(process);
}

void Fleet::hear_kicks(const Process& process) {
    for (const pool_protocol::AgentKick& kick : process->receive()) {
        if (!process->is_alive()) continue;
        for (Agent& agent : agents_)
            if (agent.id == kick.agent) told(agent, kick.reason);
    }
}

bool Fleet::is_overdue(const Agent& agent) {
    return agent.end.told && active_now() >= *agent.end.told + milliseconds(ending_time) - time_of_a_look;
}

// Its files are gone.
void Fleet::check_end(const Agent& agent) const {
    if (agent.kind != Kind::ours || agent.end.is_excused) return;
    must(agent.state != State::working, "the files of ", agent.id, ", which is at ", agent.task,
         " and was not told to end, were removed");
    if (agent.state == State::told)
        must(is_overdue(agent), "the files of ", agent.id, ", which was told to end its work on ", agent.task,
             " and has time to do so, were removed");
    if (agent.state == State::died)
        must(is_overdue(agent) || Clock::now() >= *agent.end.work_ends, "the files of ", agent.id,
             ", whose command is still at ", agent.task, ", were removed");
}

void Fleet::quiet_ours(Agent& agent) {
    // What it said was lost with an earlier daemon: it looks like one that has died.
    if (agent.state == State::leaving && agent.end.let_go_in > 0 && agent.end.let_go_in < oracle_.life()) {
        agent.state = State::died;
        agent.end.work_ends = Clock::now();
        agent.end.told = agent.end.freed;
    }
    if (agent.state == State::died) check_death_is_noticed(agent);
    if (agent.state != State::told || agent.end.told_in != oracle_.life()) return;
    constexpr milliseconds limit{16'000};  // with what a suspension adds
    must(active_now() - *agent.end.told < limit, agent.id, " has not ended its work, and is waited for");
}

void Fleet::check_death_is_noticed(const Agent& agent) const {
    constexpr milliseconds limit{5600};  // two looks at its lock, and then some
    if (agent.end.is_by_connection && agent.process->has_connection()) return;
    // One that was kicked, as it did not end in time, is no agent any more: its files are left for it to
    // read.
    bool is_known = agent.end.is_by_connection && agent.end.freed > life_began_ && !is_overdue(agent);
    auto since = std::max(agent.end.freed, life_began_);
    must(!is_known && active_now() - since < limit, "the death of ", agent.id, ", at work on ", agent.task,
         ", is not noticed");
}

}  // namespace model
