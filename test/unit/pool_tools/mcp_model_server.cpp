#include "base/text.hpp"
#include "mcp/arguments.hpp"
#include "mcp_model.hpp"
#include "pool_tools/offer.hpp"
#include "pool_tools/results.hpp"

#include <algorithm>

namespace mcp_model {

using base::concat;

std::size_t Pool::submit() {
    tasks_.push_back(State::queued);
    queue_.push_back(tasks_.size() - 1);
    return tasks_.size() - 1;
}

std::string Pool::assign(const void* server) {
    std::string agent = concat("agent-", ++agents_);
    leases_.emplace(agent, Lease{queue_.front(), server, false});
    tasks_[queue_.front()] = State::leased;
    queue_.pop_front();
    return agent;
}

void Pool::respond(const std::string& agent, const void* server) {
    Lease lease = taken(agent, server);
    if (lease.was_kicked) return;
    must(tasks_[lease.task] == State::leased, "a task is answered once");
    tasks_[lease.task] = State::answered;
}

void Pool::release(const std::string& agent, const void* server) {
    put_back(taken(agent, server));
}

void Pool::withdraw(const std::string& agent) {
    Lease& lease = leases_.at(agent);
    tasks_[lease.task] = State::withdrawn;
    lease.was_kicked = true;
}

void Pool::died(const void* server) {
    for (auto lease = leases_.begin(); lease != leases_.end();) {
        bool is_its = lease->second.server == server;
        if (is_its) put_back(lease->second);
        lease = is_its ? leases_.erase(lease) : std::next(lease);
    }
}

void Pool::check_nobody_has_one() const {
    must(leases_.empty(), "no lease is held by nobody");
    must(std::find(tasks_.begin(), tasks_.end(), State::leased) == tasks_.end(), "no task is lost");
    auto waiting = static_cast<std::size_t>(std::count(tasks_.begin(), tasks_.end(), State::queued));
    must(waiting == queue_.size(), "a task is queued once");
}

Pool::Lease Pool::taken(const std::string& agent, const void* server) {
    auto found = leases_.find(agent);
    must(found != leases_.end(), "an agent's work ends once: " + agent);
    must(found->second.server == server, "an agent belongs to one server: " + agent);
    Lease lease = found->second;
    leases_.erase(found);
    return lease;
}

void Pool::put_back(const Lease& lease) {
    if (lease.was_kicked) return;
    must(tasks_[lease.task] == State::leased, "a task is handed back by who has it");
    tasks_[lease.task] = State::queued;
    queue_.push_front(lease.task);
}

namespace {

const mcp::Offer& offer() {
    static const mcp::Offer offer = pool_tools::mcp_offer("default");
    return offer;
}

}  // namespace

Server::Server(Pool& pool, workflow_test::Random& random) : pool_(pool), random_(random), machine_(offer()) {
    (void)machine_.received(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
}

void Server::read() {
    if (to_server.empty()) return;
    std::string line = std::move(to_server.front());
    to_server.pop_front();
    perform(machine_.received(line));
}

void Server::carry_out() {
    if (started_.empty()) return;
    mcp::Start call = std::move(started_.front());
    started_.pop_front();
    perform(machine_.finished(call.id, use(call.id, std::get<mcp::CallTool>(call.what))));
}

mcp::CallId Server::wait_for(bool (*fits)(const Wait& wait)) {
    std::vector<mcp::CallId> found;
    for (const auto& [call, wait] : waits_)
        if (fits(wait)) found.push_back(call);
    return found.empty() ? 0 : random_.of(found);
}

// An announcement stands until the cancelled call has withdrawn it.
void Server::assign() {
    mcp::CallId call = wait_for([](const Wait& wait) { return wait.agent.empty(); });
    if (call != 0 && pool_.has_queued()) waits_.at(call).agent = pool_.assign(this);
}

void Server::time_out() {
    mcp::CallId call = wait_for([](const Wait& wait) { return !wait.is_over; });
    if (call != 0) waits_.at(call).is_over = true;
}

// Does what McpTasks::next() and Server::carry_out() do when the wait is over. A call that is cancelled at
// that moment ends in either way.
void Server::wake() {
    mcp::CallId call = wait_for([](const Wait& wait) { return wait.is_over || !wait.agent.empty(); });
    if (call == 0) return;
    Wait wait = std::move(waits_.at(call));
    waits_.erase(call);
    mcp::Outcome outcome = wait.agent.empty()
                               ? mcp::ToolResult{pool_tools::no_task_result(ledger_.tell_unnamed(call)), {}}
                               : given(call, wait.agent);
    if (!wait.is_cancelled || random_.one_in(2)) return perform(machine_.finished(call, std::move(outcome)));
    if (auto agent = ledger_.unheard(call)) hand_back(*agent);
}

// As when its kick is seen, which may be before the client is told of the task.
mcp::Outcome Server::given(mcp::CallId call, const std::string& agent) {
    ledger_.given(call, agent);
    const Pool::Lease& lease = pool_.leases().at(agent);
    mcp::Outcome result = task_of(call, agent);
    if (lease.was_kicked && ledger_.taken_away(agent, "withdrawn")) hand_back(agent);
    return result;
}

mcp::Outcome Server::task_of(mcp::CallId call, const std::string& agent) {
    pool_tools::GivenTask task;
    task.id = agent;
    task.content = std::to_string(pool_.leases().at(agent).task);
    return mcp::ToolResult{pool_tools::to_json(task, {}, ledger_.tell_unnamed(call)), {}};
}

void Server::withdraw() {
    std::vector<std::string> agents;
    for (const auto& [agent, lease] : pool_.leases())
        if (lease.server == this && !lease.was_kicked) agents.push_back(agent);
    if (agents.empty()) return;
    std::string agent = random_.of(agents);
    pool_.withdraw(agent);
    if (ledger_.taken_away(agent, "withdrawn")) hand_back(agent);
}

void Server::settle() {
    while (!to_server.empty())
        read();
    while (!started_.empty())
        carry_out();
    while (wait_for([](const Wait& wait) { return wait.is_over || !wait.agent.empty(); }) != 0)
        wake();
}

void Server::end_waits() {
    settle();
    for (auto& [call, wait] : waits_)
        wait.is_over = true;
    settle();
}

void Server::end(bool reads_rest) {
    while (reads_rest && !to_server.empty())
        read();
    for (auto& [call, wait] : waits_)
        wait.is_over = wait.is_cancelled = true;
    to_server.clear();
    if (!reads_rest) started_.clear();
    settle();
    perform(machine_.ended());
    for (const std::string& agent : ledger_.client_ended())
        hand_back(agent);
    check();
}

void Server::check() const {
    std::set<std::string> known;
    for (const auto& [call, wait] : waits_)
        if (!wait.agent.empty()) known.insert(wait.agent);
    for (const std::string& agent : ledger_.held())
        must(known.insert(agent).second, "a task is not given by two calls: " + agent);
    std::set<std::string> leased;
    for (const auto& [agent, lease] : pool_.leases())
        if (lease.server == this) leased.insert(agent);
    must(leased == known, "a server has the agents that it knows");
}

void Server::perform(mcp::Actions actions) {
    for (mcp::Action& action : actions) {
        if (auto* send = std::get_if<mcp::Send>(&action)) to_client.push_back(std::move(send->line));
        if (auto* start = std::get_if<mcp::Start>(&action)) {
            const auto& tool = std::get<mcp::CallTool>(start->what);
            bool waits = tool.name == "next_task" && mcp::Arguments(tool.arguments).text("id", "").empty();
            if (waits)
                waits_.emplace(start->id, Wait());
            else
                started_.push_back(std::move(*start));
        }
        if (auto* cancel_call = std::get_if<mcp::Cancel>(&action)) cancel(cancel_call->id);
        if (auto* unheard = std::get_if<mcp::Unheard>(&action))
            if (auto agent = ledger_.unheard(unheard->id)) hand_back(*agent);
    }
}

// A call that has not begun may still be carried out.
void Server::cancel(mcp::CallId call) {
    if (auto wait = waits_.find(call); wait != waits_.end())
        wait->second.is_over = wait->second.is_cancelled = true;
    else if (random_.one_in(2))
        std::erase_if(started_, [&](const mcp::Start& start) { return start.id == call; });
}

mcp::Outcome Server::use(mcp::CallId id, const mcp::CallTool& call) {
    mcp::Arguments arguments(call.arguments);
    std::string agent = arguments.required_text("id");
    if (call.name == "finish_task") return finish(agent);
    if (call.name == "next_task") {
        ledger_.used(agent);
        return holds(agent) ? task_of(id, agent) : ledger_.end_of(agent);
    }
    if (ledger_.given_back(agent)) hand_back(agent);
    return ledger_.end_of(agent);
}

mcp::Outcome Server::finish(const std::string& agent) {
    if (holds(agent)) {
        pool_.respond(agent, this);
        ledger_.finished(agent);
    }
    return ledger_.end_of(agent);
}

bool Server::holds(const std::string& agent) const {
    std::vector<std::string> all = ledger_.held();
    return std::find(all.begin(), all.end(), agent) != all.end();
}

}  // namespace mcp_model
