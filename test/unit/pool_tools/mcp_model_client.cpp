#include "base/text.hpp"
#include "json/json.hpp"
#include "mcp_model.hpp"

#include <algorithm>

namespace mcp_model {

using base::concat;

namespace {

std::string text_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    return member ? member->string() : "";
}

}  // namespace

Client::Client(Server& server, workflow_test::Random& random) : server_(server), random_(random) {}

std::size_t Client::send(Request request, std::string_view tool, std::string_view arguments) {
    open_.emplace(++last_, std::move(request));
    server_.to_server.push_back(concat(R"({"jsonrpc":"2.0","id":)", last_,
                                       R"(,"method":"tools/call","params":{"name":")", tool,
                                       R"(","arguments":{)", arguments, "}}}"));
    return last_;
}

void Client::send_cancel(std::size_t request) {
    server_.to_server.push_back(concat(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)", request, "}}"));
}

std::string Client::some_task() {
    return std::next(tasks_.begin(), random_.below(tasks_.size()))->first;
}

void Client::drop(const std::string& agent) {
    tasks_.erase(agent);
    brought_by_.erase(agent);
    past_.push_back(agent);
}

void Client::take() {
    send({Kind::next, ""}, "next_task", R"("wait_seconds":45)");
}

void Client::cancel() {
    if (waiting().empty()) return;
    std::size_t id = random_.of(waiting());
    open_.erase(id);
    send_cancel(id);
}

void Client::give_up() {
    if (waiting().empty()) return;
    open_.erase(random_.of(waiting()));
    ++given_up_;
}

std::vector<std::size_t> Client::waiting() const {
    std::vector<std::size_t> ids;
    for (const auto& [id, request] : open_)
        if (request.kind == Kind::next && request.agent.empty()) ids.push_back(id);
    return ids;
}

void Client::told_of(const std::vector<json::View>& agents) {
    for (json::View agent : agents) {
        if (tasks_.contains(agent.string())) continue;
        brought_by_.erase(agent.string());
        send({Kind::next, agent.string()}, "next_task", concat("\"id\":", agent.text()));
    }
}

void Client::cancel_answered() {
    if (brought_by_.empty()) return;
    auto [agent, request] = *std::next(brought_by_.begin(), random_.below(brought_by_.size()));
    send_cancel(request);
    disowned_.insert(agent);
    if (tasks_.contains(agent)) drop(agent);
}

void Client::finish(bool cancels) {
    if (tasks_.empty()) return;
    std::string agent = some_task();
    std::size_t task = tasks_.at(agent);
    std::size_t id =
        send({Kind::finish, agent, task}, "finish_task", concat("\"id\":\"", agent, R"(","response":[])"));
    tasks_.erase(agent);
    if (!cancels) return;
    unsure_.emplace(agent, task);
    send_cancel(id);
}

void Client::finish_late(std::vector<std::string> others) {
    others.insert(others.end(), past_.begin(), past_.end());
    if (others.empty()) return;
    std::string agent = random_.of(others);
    send({Kind::late, agent}, "finish_task", concat("\"id\":\"", agent, R"(","response":["late"])"));
}

void Client::give_back() {
    if (tasks_.empty()) return;
    std::string agent = some_task();
    drop(agent);
    send({Kind::give_back, agent}, "give_back_task", concat("\"id\":\"", agent, R"(","reason":"r")"));
}

void Client::read() {
    if (server_.to_client.empty()) return;
    std::string line = std::move(server_.to_client.front());
    server_.to_client.pop_front();
    auto message = json::checked(line);
    must(message.has_value() && message->find("result").has_value(), "each call has a result: " + line);
    std::size_t id = std::stoul(std::string(message->find("id")->text()));
    auto found = open_.find(id);
    if (found == open_.end()) return;  // it has cancelled the request
    Request request = found->second;
    open_.erase(found);
    auto result = message->find("result")->find("structuredContent");
    if (result) return answered(id, request, *result);
    must(request.kind == Kind::late, "what a client has is known to its server: " + line);
}

void Client::answered(std::size_t id, const Request& request, json::View result) {
    std::string kind = text_in(result, "kind");
    std::string agent = text_in(result, "id");
    if (request.kind == Kind::next) {
        if (kind == "Task") tasks_.emplace(agent, std::stoul(std::string(result.find("content")->text())));
        if (kind == "Task" && request.agent.empty()) brought_by_.emplace(agent, id);
        if (auto others = result.find("your_tasks")) told_of(others->elements());
    } else if (request.kind == Kind::finish) {
        must(kind == "Finished" || kind == "TakenAway" || disowned_.contains(agent),
             "a task that a client has can be finished: " + kind);
        if (kind == "Finished") finished_.insert(request.task);
        unsure_.erase(agent);
        brought_by_.erase(agent);
    } else if (request.kind == Kind::give_back) {
        must(kind == "GivenBack" || kind == "TakenAway",
             "a task that a client has can be given back: " + kind);
    }
}

void Client::finish_calls() {
    server_.end_waits();
    while (!server_.to_client.empty())
        read();
}

// Afterwards there are no messages, and of what the server holds, the client knows.
void Client::settle() {
    while (!waiting().empty())
        cancel();
    server_.settle();
    must(server_.waits() <= given_up_, "a call that was cancelled waits no more");
    finish_calls();
    given_up_ = 0;
    take();  // is told of those that it does not know, and asks for them
    finish_calls();
    finish_calls();
    std::vector<std::string> held = server_.held();
    std::set<std::string> all(held.begin(), held.end());
    for (const auto& [agent, task] : unsure_)
        if (all.contains(agent))
            tasks_.emplace(agent, task);
        else
            brought_by_.erase(agent);
    unsure_.clear();
    open_.clear();
    std::erase_if(tasks_, [&](const auto& entry) { return !all.contains(entry.first); });
    must(tasks_.size() == all.size(), "the client knows all that its server holds");
}

void Client::check(const Pool& pool) const {
    for (std::size_t task : finished_)
        must(pool.was_answered(task), "what was finished is answered");
}

}  // namespace mcp_model
