#include "oracle.hpp"

#include "story.hpp"

#include <algorithm>
#include <utility>

namespace model {

using pool_protocol::Answer;

namespace {

bool contains(const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

void Oracle::discard_responses(Submission& submission) {
    auto& from = submission.responses;
    submission.discarded.insert(submission.discarded.end(), from.begin(), from.end());
    from.clear();
}

// It was answered in an earlier life, and is asked for again.
void Oracle::may_be_done_again(Submission& submission) {
    if (submission.answer) discard_responses(submission);
    submission.answer.reset();
}

Submission& Oracle::at(const std::string& key) {
    auto found = open_.find(key);
    if (found != open_.end()) return found->second;
    auto finished = finished_.find(key);
    must(finished != finished_.end(), key, " is heard of, which nobody has submitted");
    return finished->second;
}

const Submission* Oracle::find(const std::string& key) const {
    auto found = open_.find(key);
    if (found != open_.end()) return &found->second;
    auto finished = finished_.find(key);
    return finished == finished_.end() ? nullptr : &finished->second;
}

// One that was forgotten may have had one.
bool Oracle::has_timeout(const std::string& key) const {
    const Submission* submission = find(key);
    return submission == nullptr || submission->timeout.has_value();
}

void Oracle::finish(const std::string& key) {
    auto found = open_.extract(key);
    if (!found.empty()) finished_.emplace(key, std::move(found.mapped()));
}

void Oracle::submitted(const std::string& key, Submission submission) {
    submission.sent = Clock::now();
    submission.routes = 1;
    submission.asked_in = life_;
    submission.asked_after = quiet_points_;
    must(open_.emplace(key, std::move(submission)).second, "the test submits ", key, " twice");
}

void Oracle::asked_again(const std::string& key, Way way) {
    if (auto found = finished_.extract(key); !found.empty()) open_.emplace(key, std::move(found.mapped()));
    Submission& submission = at(key);
    bool is_queued = submission.routes > 0 || submission.asked_in == life_;
    ++submission.routes;
    submission.withdrawn = false;
    if (submission.answered_in != life_) may_be_done_again(submission);
    if (way == Way::with_id) submission.way = way;  // it can do so again
    if (!is_queued) {
        submission.asked_after = quiet_points_;
        submission.queued_at.reset();
    }
    submission.asked_in = life_;
}

void Oracle::withdrawn(const std::string& key) {
    Submission& submission = at(key);
    submission.withdrawn = true;
    submission.left_unread |= !submission.responses.empty();  // its answer may be on its way
}

void Oracle::left_alone(const std::string& key) {
    Submission& submission = at(key);
    must(submission.routes > 0, "the test leaves ", key, " alone, which it has not asked for");
    --submission.routes;
    if (submission.way == Way::without_id) submission.withdrawn = true;
    submission.left_unread = true;
    if (submission.answer && submission.routes == 0) finish(key);
}

void Oracle::answered(const std::string& key, const Answer& answer, Way received) {
    Submission& submission = at(key);
    std::string text = to_json(answer);
    must(open_.contains(key), key, " is answered although it is over: ", text);
    must(submission.routes > 0, key, " is answered more often than it was asked for: ", text);
    if (answer.kind == Answer::Kind::processed) {
        bool is_known =
            contains(submission.responses, answer.text) || contains(submission.discarded, answer.text);
        must(is_known, key, " has an answer that no agent gave that had it: ", text);
    }
    if (answer.kind == Answer::Kind::timeout)
        must(submission.timeout && Clock::now() - submission.sent >= *submission.timeout, key,
             " timed out before its time");
    if (answer.kind == Answer::Kind::stopped)
        must(closing_, key, " is answered `stopped` by a daemon that runs");
    must((answer.kind == Answer::Kind::invalid) == !submission.is_valid, key, " is answered ", text);
    if (submission.answer && submission.answered_in == life_)
        must(*submission.answer == text, key, " has two answers: ", *submission.answer, " and ", text);
    submission.answer = std::move(text);
    // A response file may have been there before this life: then this daemon need not know of it.
    submission.answered_in = received == Way::by_file ? submission.responded_in : life_;
    if (--submission.routes == 0) finish(key);
}

void Oracle::given(const std::string& key, const std::string& agent) {
    Submission& submission = at(key);
    must(submission.holder.empty(), key, " is with ", submission.holder, " and given to ", agent);
    must(open_.contains(key), key, " is given to ", agent, " although it is over");
    must(submission.is_valid, key, " is given to ", agent, " although it can't be read");
    must(!submission.answer && submission.responses.empty(), key, " is given to ", agent,
         " although somebody has done it");
    submission.holder = agent;
    submission.timed_out = false;
    submission.queued_at.reset();
    if (!submission.handed_back) given_lately_.push_back(submission.asked_after);
}

void Oracle::responded(const std::string& key, const std::string& agent, const std::string& text) {
    Submission& submission = at(key);
    if (submission.former_holder == agent) return submission.discarded.push_back(text);
    must(submission.holder == agent, "the test lets ", agent, " answer ", key, ", which ", submission.holder,
         " has");
    submission.responses.push_back(text);
    submission.responded_in = life_;
}

void Oracle::handed_back(const std::string& key, const std::string& agent) {
    released(key, agent);
    at(key).handed_back = true;
    at(key).timed_out = false;
}

void Oracle::released(const std::string& key, const std::string& agent) {
    Submission& submission = at(key);
    submission.timed_out = submission.timeout.has_value();
    if (submission.holder == agent) submission.holder.clear();
    if (submission.former_holder == agent) submission.former_holder.clear();
}

void Oracle::started() {
    ++life_;
    closing_ = false;
}

// What waits is in the order of the files' times from now on, or of who asks again. A withdrawal over the
// socket may not have been heard: who cares asks again.
void Oracle::ended(bool in_order) {
    ++quiet_points_;
    given_lately_.clear();
    for (auto& [key, submission] : open_) {
        submission.queued_at.reset();
        submission.asked_after = quiet_points_;
        if (submission.answer) may_be_done_again(submission);
        bool unheard = submission.withdrawn && submission.way == Way::with_id;
        if (unheard) submission.withdrawn = false;
        if (in_order || unheard) discard_responses(submission);
        if (unheard && !submission.holder.empty())
            submission.former_holder = std::exchange(submission.holder, {});
    }
}

// Of one that has responses of which nobody knows whether they count, nobody knows either whether it waits.
bool Oracle::waits_for_agent(const Submission& submission) const {
    bool known = submission.routes > 0 || submission.asked_in == life_;
    return known && submission.is_valid && !submission.timed_out && !submission.withdrawn &&
           !submission.answer && submission.holder.empty() && submission.former_holder.empty() &&
           submission.responses.empty() && submission.discarded.empty();
}

void Oracle::quiet(bool agents_wait) {
    std::vector<std::string> over;
    for (const auto& [key, submission] : open_) {
        if (submission.withdrawn) {
            over.push_back(key);
        } else if (submission.routes > 0) {
            must(submission.responses.empty(), key, " was done, and its submitter has no answer");
            must(submission.is_valid, key, " can't be done, and its submitter has not been told");
            must(!closing_ || !submission.holder.empty(), key, " waits for a daemon that closes");
        }
    }
    for (const std::string& key : over) {
        at(key).routes = 0;
        finish(key);
    }
    check_order(agents_wait);
    ++quiet_points_;
}

void Oracle::check_order(bool agents_wait) {
    std::uint64_t last_given = 0;
    for (std::uint64_t asked_after : given_lately_)
        last_given = std::max(last_given, asked_after);
    given_lately_.clear();
    for (auto& [key, submission] : open_) {
        if (!waits_for_agent(submission)) {
            submission.queued_at.reset();
            continue;
        }
        must(!agents_wait || closing_, key, " waits, and so does an agent");
        must(!submission.queued_at || *submission.queued_at > last_given, key,
             " still waits, and one that came after it was given to an agent");
        if (!submission.queued_at) submission.queued_at = quiet_points_ + 1;
    }
}

}  // namespace model
