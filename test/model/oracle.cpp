#include "oracle.hpp"

#include "additions.hpp"
#include "story.hpp"
#include "world_clock.hpp"

#include <algorithm>
#include <utility>

namespace model {

using pool_protocol::Answer;

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
    submission.sent_active = world_clock::active_now();
    submission.routes = 1;
    submission.submitted_in = life_;
    submission.asked_in = life_;
    submission.asked_after = quiet_points_;
    must(open_.emplace(key, std::move(submission)).second, "the test submits ", key, " twice");
}

void Oracle::asked_again(const std::string& key, Way way) {
    if (auto found = finished_.extract(key); !found.empty()) open_.emplace(key, std::move(found.mapped()));
    Submission& submission = at(key);
    if (submission.withdrawn) submitted_anew(submission);
    bool is_queued = submission.routes > 0 || submission.asked_in == life_;
    ++submission.routes;
    if (submission.answered_in != life_) may_be_done_again(submission);
    if (way == Way::with_id) submission.way = way;  // it can do so again
    if (!is_queued) {
        submission.asked_after = quiet_points_;
        submission.queued_at.reset();
    }
    submission.asked_in = life_;
}

// After its withdrawal. An agent that ends when it is told is waited for; another is left alone.
void Oracle::submitted_anew(Submission& submission) {
    discard_responses(submission);
    submission.is_holder_withdrawn = !submission.holder.empty();
    if (!submission.holder_ends_when_told) withdraw_holder(submission);
    submission.answer.reset();
    submission.withdrawn = false;
    submission.was_submitted_again = true;
    submission.is_to_be_refused = submission.handed_back = submission.timed_out = false;
    submission.may_be_refused = false;
    submission.noticed_deaths = 0;
    submission.asked_in = 0;
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
    submission.left_at = Clock::now();
    if (submission.answer && submission.routes == 0) finish(key);
}

void Oracle::answered(const std::string& key, const Answer& answer, Way received) {
    Submission& submission = at(key);
    std::string text = to_json(answer);
    must(open_.contains(key), key, " is answered although it is over: ", text);
    must(submission.routes > 0, key, " is answered more often than it was asked for: ", text);
    check_answer(key, submission, answer);
    if (submission.answer && submission.answered_in == life_)
        must(*submission.answer == text, key, " has two answers: ", *submission.answer, " and ", text);
    submission.answer = std::move(text);
    submission.is_to_be_refused = submission.may_be_refused = false;
    submission.noticed_deaths = 0;
    // A response file may have been there before this life: then this daemon need not know of it.
    submission.answered_in = received == Way::by_file ? submission.responded_in : life_;
    submission.left_at = Clock::now();
    if (--submission.routes == 0) finish(key);
}

void Oracle::started() {
    ++life_;
    closing_ = handing_over_ = false;
    serving_ = true;
}

void Oracle::withdraw_holder(Submission& submission) {
    if (submission.holder.empty()) return;
    submission.former_holder = std::exchange(submission.holder, {});
    submission.is_holder_withdrawn = false;
}

// A withdrawal strikes the submission from its agent's lease, for good: whether it was submitted again before
// the daemon ended or is so after, the next one does not know what this agent is at, and waits for nobody.
void Oracle::forget_withdrawn_holders() {
    for (auto& [key, submission] : finished_)
        if (submission.withdrawn) withdraw_holder(submission);
    for (auto& [key, submission] : open_)
        if (submission.is_holder_withdrawn) withdraw_holder(submission);
}

void Oracle::order_is_lost() {
    ++quiet_points_;
    given_lately_.clear();
    for (auto& [key, submission] : open_) {
        submission.queued_at.reset();
        submission.asked_after = quiet_points_;
    }
}

void Oracle::answers_may_be_lost() {
    for (auto& [key, submission] : open_) {
        submission.is_response_lost |= !submission.responses.empty();
        discard_responses(submission);
    }
}

// What waits is in the order of the files' times from now on, or of who asks again. A withdrawal over the
// socket may not have been heard: who cares asks again.
void Oracle::ended(bool in_order) {
    serving_ = false;
    order_is_lost();
    forget_withdrawn_holders();
    for (auto& [key, submission] : open_) {
        submission.left_at = Clock::now();
        submission.noticed_deaths = 0;
        submission.is_to_be_refused = false;
        if (submission.answer) may_be_done_again(submission);
        bool unheard = submission.withdrawn && submission.way == Way::with_id;
        if (unheard) submission.withdrawn = false;
        if (in_order || unheard) discard_responses(submission);
        if (unheard) withdraw_holder(submission);
    }
}

bool Oracle::is_unheard(const Submission& submission) const {
    return submission.is_end_unheard || (submission.let_go_in > 0 && submission.let_go_in < life_);
}

// Its answer may be there, and kept for who asks again. `deaths` and `failures` count what the daemon may
// know.
bool Oracle::may_be_over(const Submission& submission) {
    bool is_refused = submission.may_be_refused || submission.deaths >= most_deaths ||
                      (submission.timeout && submission.failures >= most_failures);
    return is_refused && submission.routes == 0;
}

// Of one that has responses of which nobody knows whether they count, nobody knows either whether it waits.
bool Oracle::waits_for_agent(const Submission& submission) const {
    bool known = submission.routes > 0 || submission.asked_in == life_;
    return known && !may_be_over(submission) && !is_unheard(submission) && !submission.is_to_be_refused &&
           submission.is_valid && !submission.timed_out && !submission.was_submitted_again &&
           !submission.withdrawn && !submission.answer && submission.holder.empty() &&
           submission.former_holder.empty() && submission.responses.empty() && submission.discarded.empty();
}

void Oracle::quiet(const std::vector<base::Labels>& idle) {
    std::vector<std::string> over;
    for (const auto& [key, submission] : open_) {
        if (submission.withdrawn) {
            over.push_back(key);
        } else if (submission.routes > 0) {
            must(submission.responses.empty(), key, " was done, and its submitter has no answer");
            must(submission.is_valid, key, " can't be done, and its submitter has not been told");
            must(!submission.is_to_be_refused, key,
                 " is over for its agent, and its submitter has no answer");
            must(submission.noticed_deaths < most_deaths, key,
                 " has cost several agents, and its submitter has not been told");
            must(!closing_ || !submission.holder.empty() || is_unheard(submission), key,
                 " waits for a daemon that closes");
        }
    }
    for (const std::string& key : over) {
        at(key).routes = 0;
        finish(key);
    }
    check_order(idle);
    ++quiet_points_;
}

// By one that was given to an agent that could have taken this one, and came later or has a lower priority.
bool Oracle::was_overtaken(const std::string& key, const Submission& submission) const {
    if (!submission.queued_at) return false;
    std::int32_t priority = priority_of(key);
    return std::ranges::any_of(given_lately_, [&](const Given& given) {
        if (!given.agents_labels.contain(submission.labels)) return false;
        bool is_later = !given.was_handed_back && given.asked_after >= *submission.queued_at;
        return given.priority < priority || (given.priority == priority && is_later);
    });
}

void Oracle::check_order(const std::vector<base::Labels>& idle) {
    for (auto& [key, submission] : open_) {
        if (!waits_for_agent(submission)) {
            submission.queued_at.reset();
            continue;
        }
        bool agent_waits = std::ranges::any_of(
            idle, [&](const base::Labels& agents) { return agents.contain(submission.labels); });
        must(!agent_waits || closing_, key, " waits, and so does an agent that could take it");
        must(!was_overtaken(key, submission), key,
             " still waits, and one that came after it, or has a lower priority, was given to an agent that "
             "could have taken it");
        if (!submission.queued_at) submission.queued_at = quiet_points_ + 1;
    }
    given_lately_.clear();
}

}  // namespace model
