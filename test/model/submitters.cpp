#include "submitters.hpp"

#include "additions.hpp"
#include "labels.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>

namespace model {

using base::concat;
using pool_protocol::Answer;

namespace {

constexpr std::string_view request_suffix = ".request.json";
constexpr std::string_view response_suffix = ".response.json";
constexpr std::size_t max_text = 1 << 20;

void done(const base::Result<void>& result) {
    must(result.has_value(), "the test could not write: ", result.has_error() ? result.error().message : "");
}

}  // namespace

std::string Submitters::needed(const Submission& submission) {
    return submission.labels.empty() ? "" : concat(", for ", submission.labels.description());
}

Submitters::Submitters(io::Directory submissions, io::Directory scratch, std::string socket_path,
                       Oracle& oracle, Story& story, sim::Draw& draw, bool with_timeouts)
    : directory_(std::move(submissions)),
      scratch_(std::move(scratch)),
      socket_path_(std::move(socket_path)),
      oracle_(oracle),
      story_(story),
      draw_(draw),
      with_timeouts_(with_timeouts) {}

// Some can't be read, some have little time, some look like a message of the daemon's.
std::string Submitters::make_content(const std::string& key, Submission& submission) {
    std::uint32_t kind = draw_.below(40);
    submission.is_valid = kind != 0;
    submission.wants_failures = draw_.one_in(2);
    if (submission.wants_failures) who_want_failures_.insert(key);
    if (draw_.one_in(3)) submission.labels = labels_[key] = some_labels(draw_);
    if (kind == 0) return concat("{\"n\":\"", key, "\"");
    if (kind == 1) return concat(R"({"kind":"Kicked","n":")", key, "\"}");
    if (!with_timeouts_ || kind > 4 || submission.way == Way::without_id)
        return concat("{\"n\":\"", key, "\"}");
    std::uint32_t milliseconds = 1 + draw_.below(draw_.one_in(2) ? 3 : 3000);
    submission.timeout = std::chrono::milliseconds(milliseconds);
    return concat("{\"n\":\"", key, "\",\"timeout_seconds\":", milliseconds, "e-3}");
}

std::string Submitters::request(const std::string& key, bool with_id) const {
    std::optional<std::string> id;
    if (with_id) id = key;
    pool_protocol::Request request(id, pool_protocol::Inline{contents_.at(key)});
    request.wants_failures = who_want_failures_.contains(key);
    if (auto labels = labels_.find(key); labels != labels_.end()) request.labels = labels->second;
    request.response_schema = schema_of(key);
    request.priority = priority_of(key);
    return to_json(request);
}

std::vector<std::string> Submitters::left_alone() const {
    std::vector<std::string> keys;
    for (const auto& [key, submission] : oracle_.open())
        if (submission.way == Way::with_id && submission.routes == 0 && !submission.withdrawn)
            keys.push_back(key);
    return keys;
}

void Submitters::act_by_file() {
    std::uint32_t way = draw_.below(10);
    if (way < 7) return submit_by_file();
    if (way == 7) return withdraw_by_file();
    if (way == 8) return come_back_by_file();
    receive_by_file();
}

void Submitters::write_request(const std::string& key) {
    std::string name = concat(key, request_suffix);
    if (draw_.one_in(3))
        done(directory_.write_in_place(name, request(key, false)));
    else
        done(directory_.write(scratch_, name, request(key, false)));
    by_file_.push_back(key);
}

void Submitters::submit_by_file() {
    std::string key = new_key();
    Submission submission;
    submission.way = Way::by_file;
    contents_[key] = make_content(key, submission);
    story_.operation("submits ", key, " by file", submission.wants_failures ? ", failures too" : "",
                     needed(submission));
    write_request(key);
    oracle_.submitted(key, std::move(submission));
}

// One that is asked for on the socket too has two submitters, and one that was is still theirs.
void Submitters::withdraw_by_file() {
    if (by_file_.empty()) return;
    std::string key = by_file_[draw_.below(by_file_.size())];
    if (oracle_.find(key)->way != Way::by_file || directory_.contains(concat(key, response_suffix))) return;
    story_.operation("withdraws ", key, ": removes its request");
    done(directory_.remove(concat(key, request_suffix)));
    std::erase(by_file_, key);
    oracle_.withdrawn(key);
}

void Submitters::come_back_by_file() {
    std::vector<std::string> keys = left_alone();
    if (keys.empty()) return;
    const std::string& key = keys[draw_.below(keys.size())];
    story_.operation("comes back for ", key, " by file");
    write_request(key);
    oracle_.asked_again(key, Way::by_file);
}

bool Submitters::receive_by_file() {
    std::vector<std::string> answered;
    for (const std::string& key : by_file_)
        if (directory_.contains(concat(key, response_suffix))) answered.push_back(key);
    for (const std::string& key : answered)
        take_response(key);
    return !answered.empty();
}

void Submitters::take_response(const std::string& key) {
    auto text = directory_.read(concat(key, response_suffix), max_text);
    must(text.has_value(), "the response to ", key, " can't be read");
    auto answered = pool_protocol::parse_answer(*text);
    must(answered.has_value(), "the response to ", key, " is no answer: ", *text);
    story_.operation("takes the response to ", key, ": ", *text);
    bool request_first = draw_.one_in(2);
    done(directory_.remove(concat(key, request_first ? request_suffix : response_suffix)));
    done(directory_.remove(concat(key, request_first ? response_suffix : request_suffix)));
    std::erase(by_file_, key);
    answered_lately_.push_back(key);
    oracle_.answered(key, answered->answer, Way::by_file);
}

bool Submitters::receive() {
    bool any = receive_by_file();
    for (const auto& client : clients_)
        any |= receive(*client);
    std::erase_if(clients_, [](const auto& client) { return client->gone; });
    return any;
}

void Submitters::quiet() {
    for (const auto& client : clients_) {
        std::erase_if(client->asked, [](const Asked& asked) { return asked.withdrawn; });
        must(!client->connection.output_ended() || !client->asked.empty(), client->name,
             " has ended its output and has all its answers, and is not closed");
    }
}

void Submitters::ask_for_all() {
    for (const std::string& key : left_alone())
        send_request(open_client(), key);
}

void Submitters::fetch_kept() {
    auto names = directory_.names();
    must(names.has_value(), "submissions/ can't be listed");
    for (const std::string& name : *names) {
        auto file = pool_protocol::parse_file_name(name);
        if (!file) continue;
        std::string id(file->id);
        if (!contents_.contains(id)) continue;
        const Submission* submission = oracle_.find(id);
        bool is_from_before = submission->answer && submission->answered_in < oracle_.life();
        bool may_be_kept = submission->way == Way::with_id && (is_from_before || submission->left_unread);
        must(may_be_kept, name, " is still there");
        send_request(open_client(), id);
    }
}

void Submitters::prepare_for(std::chrono::milliseconds time) {
    constexpr std::chrono::seconds reconnect_limit{50};
    for (const auto& client : clients_) {
        if (client->connection.has_rest()) send_rest(*client);
        if (!client->has_spoken) leave(*client);
    }
    std::erase_if(clients_, [](const auto& client) { return client->gone; });
    for (const std::string& key : left_alone())
        if (Clock::now() + time - oracle_.find(key)->left_at > reconnect_limit)
            send_request(open_client(), key);
}

}  // namespace model
