// Submitters on the socket: the other half of submitters.cpp.
#include "pool_protocol/answer.hpp"
#include "pool_protocol/messages.hpp"
#include "submitters.hpp"

#include <algorithm>

namespace model {

using base::concat;
using pool_protocol::Answer;

namespace {

constexpr std::size_t most_clients = 5;

}  // namespace

void Submitters::act_by_socket() {
    Client& client = some_client();
    if (client.connection.has_rest()) return send_rest(client);
    std::uint32_t way = draw_.below(18);
    if (way > 15) return submit_withdrawn_again(client);
    if (way < 9) return send_something(client);
    if (way < 11) return withdraw(client);
    if (way == 11) return close(client);
    if (way == 12 && !client.connection.output_ended()) {
        story_.operation(client.name, " ends its output");
        return client.connection.end_output();
    }
    receive();
}

void Submitters::send_rest(Client& client) {
    story_.operation(client.name, " sends the rest of ", client.key_of_rest);
    client.connection.send_rest();
    client.has_spoken = true;
    auto unsent = unsent_.extract(client.key_of_rest);
    client.asked.push_back({unsent.key()});
    oracle_.submitted(unsent.key(), std::move(unsent.mapped()));
}

// Mostly one that can send.
Submitters::Client& Submitters::some_client() {
    if (!clients_.empty() && (clients_.size() == most_clients || !draw_.one_in(8))) {
        Client& client = *clients_[draw_.below(clients_.size())];
        if (!client.connection.output_ended() || draw_.one_in(4)) return client;
    }
    return new_client();
}

Submitters::Client& Submitters::open_client() {
    for (const auto& client : clients_)
        if (!client->connection.output_ended() && !client->connection.has_rest()) return *client;
    return new_client();
}

Submitters::Client& Submitters::new_client() {
    clients_.push_back(std::make_unique<Client>(concat("c", ++last_client_), socket_path_));
    return *clients_.back();
}

void Submitters::send_something(Client& client) {
    for (std::uint32_t requests = 1 + draw_.below(3); requests > 0; --requests) {
        if (client.connection.output_ended() || client.connection.has_rest()) return;
        if (draw_.one_in(4))
            ask_again(client);
        else
            send_new(client);
    }
}

void Submitters::send_new(Client& client) {
    std::string key = new_key();
    Submission submission;
    submission.way = draw_.one_in(3) ? Way::without_id : Way::with_id;
    bool with_id = submission.way == Way::with_id;
    contents_[key] = make_content(key, submission);
    std::string text = request(key, with_id);
    std::size_t size = draw_.one_in(8) ? 1 + draw_.below(text.size()) : std::string::npos;
    client.connection.send(text, size);
    story_.operation(client.name, " submits ", key, with_id ? "" : " without an id",
                     client.connection.has_rest() ? ", half of it" : "", needed(submission));
    if (client.connection.has_rest()) {
        client.key_of_rest = key;
        unsent_.emplace(key, std::move(submission));
        return;
    }
    client.has_spoken = true;
    client.asked.push_back({key});
    oracle_.submitted(key, std::move(submission));
}

// For one that it was parted from, that another waits for, or that was answered already.
void Submitters::ask_again(Client& client) {
    std::vector<std::string> keys = left_alone();
    if (keys.empty() || draw_.one_in(4)) {
        for (const auto& [key, submission] : oracle_.open())
            if (submission.way != Way::without_id && submission.routes > 0 && !submission.withdrawn)
                keys.push_back(key);
        std::size_t lately = std::min<std::size_t>(answered_lately_.size(), 10);
        keys.insert(keys.end(), answered_lately_.end() - static_cast<std::ptrdiff_t>(lately),
                    answered_lately_.end());
    }
    if (keys.empty()) return;
    const std::string& key = keys[draw_.below(keys.size())];
    // Once on a connection: its answer there is for all who ask there.
    bool waits_here =
        std::any_of(client.asked.begin(), client.asked.end(), [&](const Asked& a) { return a.key == key; });
    if (!waits_here) send_request(client, key);
}

void Submitters::send_request(Client& client, const std::string& key) {
    story_.operation(client.name, " asks for ", key, " again");
    client.connection.send(request(key, true));
    client.has_spoken = true;
    client.asked.push_back({key});
    oracle_.asked_again(key, Way::with_id);
}

// Only one that nobody else waits for.
void Submitters::withdraw(Client& client) {
    if (client.asked.empty() || client.connection.output_ended()) return;
    std::string key = client.asked[draw_.below(client.asked.size())].key;
    receive(client);
    const Submission* submission = oracle_.find(key);
    auto of_key = [&](const Asked& asked) { return asked.key == key && !asked.withdrawn; };
    auto here = std::count_if(client.asked.begin(), client.asked.end(), of_key);
    if (client.gone || here == 0 || submission->way != Way::with_id || submission->routes != here) return;
    story_.operation(client.name, " withdraws ", key);
    client.connection.send(pool_protocol::withdrawal(key));
    for (Asked& asked : client.asked)
        asked.withdrawn |= asked.key == key;
    std::erase(answered_lately_, key);
    withdrawn_lately_.push_back(key);
    oracle_.withdrawn(key);
}

// Once the daemon has heard of the withdrawal. An agent may be at work on it still.
void Submitters::submit_withdrawn_again(Client& client) {
    if (client.connection.output_ended()) return;
    std::erase_if(withdrawn_lately_, [&](const std::string& key) { return !oracle_.find(key)->withdrawn; });
    for (const std::string& key : withdrawn_lately_) {
        if (oracle_.open().contains(key)) continue;
        send_request(client, key);
        break;
    }
}

void Submitters::close(Client& client) {
    receive(client);
    story_.operation(client.name, " closes");
    leave(client);
    std::erase_if(clients_, [](const auto& each) { return each->gone; });
}

void Submitters::leave(Client& client) {
    client.gone = true;
    unsent_.erase(client.key_of_rest);
    for (const Asked& asked : client.asked)
        oracle_.left_alone(asked.key);
    client.asked.clear();
}

void Submitters::close_all() {
    for (const auto& client : clients_)
        leave(*client);
    clients_.clear();
}

// What the daemon has sent is there to be read, whether it lives or not.
void Submitters::receive_from_one_that_closes() {
    receive_by_file();
    for (const auto& client : clients_) {
        (void)client->connection.receive();
        while (auto frame = client->connection.next_frame())
            was_answered(*client, *frame);
    }
}

void Submitters::daemon_ended() {
    receive_from_one_that_closes();
    close_all();
}

bool Submitters::receive(Client& client) {
    bool is_open = client.connection.receive();
    bool any = false;
    for (; auto frame = client.connection.next_frame(); any = true)
        was_answered(client, *frame);
    if (is_open || client.gone) return any;
    bool is_over =
        client.connection.output_ended() &&
        std::all_of(client.asked.begin(), client.asked.end(), [](const Asked& a) { return a.withdrawn; });
    must(is_over, client.name, " was closed by the daemon before it had all its answers");
    leave(client);
    return true;
}

void Submitters::was_answered(Client& client, const std::string& frame) {
    auto answered = pool_protocol::parse_answer(frame);
    must(answered.has_value(), client.name, " receives what is no answer: ", frame);
    std::string key = answered->id ? *answered->id : key_without_id(client, answered->answer);
    auto asked =
        std::find_if(client.asked.begin(), client.asked.end(), [&](const Asked& a) { return a.key == key; });
    must(asked != client.asked.end(), client.name, " has not asked for this: ", frame);
    bool with_id = oracle_.find(key)->way != Way::without_id;
    must(with_id == answered->id.has_value(), client.name, " has the wrong kind of answer: ", frame);
    client.asked.erase(asked);
    story_.operation(client.name, " receives ", frame);
    if (with_id) answered_lately_.push_back(key);
    oracle_.answered(key, answered->answer, Way::with_id);
}

// What an agent did, it says itself. Of the others one that fits, and of those the latest that no agent was
// at: a pool that drains refuses what comes, while an earlier one may be with an agent whose end is not heard
// of yet.
std::string Submitters::key_without_id(const Client& client, const Answer& answer) const {
    using namespace pool_protocol;
    if (auto* processed = std::get_if<Processed>(&answer))
        return processed->response.substr(0, processed->response.find(' '));
    bool has_failed = std::holds_alternative<AgentFailed>(answer);
    bool is_of_failure = has_failed || std::holds_alternative<AgentsLost>(answer);
    std::string fitting;
    for (const Asked& asked : client.asked) {
        const Submission* submission = oracle_.find(asked.key);
        bool fits = submission->is_valid == !std::holds_alternative<Invalid>(answer);
        fits &= !is_of_failure || (submission->wants_failures && submission->deaths > 0);
        fits &= !has_failed || submission->is_to_be_refused;
        if (!fits || submission->way != Way::without_id) continue;
        bool is_with_nobody = submission->holder.empty() && submission->responses.empty() &&
                              !submission->is_to_be_refused && !oracle_.is_unheard(*submission);
        if (is_with_nobody || fitting.empty()) fitting = asked.key;
    }
    return fitting;
}

}  // namespace model
