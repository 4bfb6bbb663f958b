// What agents do with submissions: the other part of oracle.cpp.
#include "additions.hpp"
#include "oracle.hpp"
#include "story.hpp"

#include <utility>

namespace model {

// A daemon may end after it has sent an answer and before it has removed the agent's lease. Then the task is
// at work for the next daemon, which gives it to another agent.
void Oracle::reopen_if_unheard(const std::string& key) {
    auto found = finished_.find(key);
    if (found == finished_.end() || found->second.way != Way::with_id) return;
    Submission& submission = found->second;
    if (!submission.answer || submission.answered_in == life_ || !is_unheard(submission)) return;
    may_be_done_again(submission);
    open_.emplace(key, std::move(submission));
    finished_.erase(found);
}

void Oracle::given(const std::string& key, const std::string& agent, const base::Labels& agents_labels,
                   bool ends_when_told) {
    reopen_if_unheard(key);
    Submission& submission = at(key);
    must(agents_labels.contain(submission.labels), key, " needs ", submission.labels.description(),
         " and is given to ", agent, ", which has ", agents_labels.description());
    must(submission.holder.empty() || submission.holder_is_excused, key, " is with ", submission.holder,
         " and given to ", agent);
    must(open_.contains(key), key, " is given to ", agent, " although it is over");
    must(submission.is_valid, key, " is given to ", agent, " although it can't be read");
    must(!submission.answer && submission.responses.empty(), key, " is given to ", agent,
         " although somebody has done it");
    must(!submission.is_to_be_refused, key, " is given to ", agent,
         " although it is over for the one before");
    must(submission.noticed_deaths < most_deaths, key, " is given to ", agent,
         " although it has cost several");
    submission.holder = agent;
    submission.is_end_unheard = false;
    submission.let_go_in = 0;
    submission.given_in = life_;
    submission.holder_ends_when_told = ends_when_told;
    submission.holder_is_excused = submission.is_holder_withdrawn = false;
    submission.is_response_lost = false;
    submission.may_be_refused = false;
    submission.timed_out = false;
    submission.queued_at.reset();
    given_lately_.push_back(
        {submission.asked_after, agents_labels, priority_of(key), submission.handed_back});
}

void Oracle::responded(const std::string& key, const std::string& agent, const std::string& text) {
    Submission& submission = at(key);
    if (submission.former_holder == agent) return submission.discarded.push_back(text);
    must(submission.holder == agent, "the test lets ", agent, " answer ", key, ", which ", submission.holder,
         " has");
    // The daemon that has taken the first one may have ended before all of the agent's files were removed:
    // then the next one removes what it responds once more.
    if (submission.is_response_lost) return submission.discarded.push_back(text);
    submission.responses.push_back(text);
    submission.responded_in = life_;
}

// A daemon that has not seen this agent get its task in its own life need not know who wants what.
void Oracle::let_go(const std::string& key, const std::string& agent, LetGo how, bool by_connection) {
    Submission& submission = at(key);
    bool has_it = submission.holder == agent;
    released(key, agent);
    submission.handed_back = true;
    submission.timed_out = false;
    ++submission.deaths;  // should the daemon end before it hears of it
    if (has_it && by_connection) {
        submission.let_go_in = life_;
        submission.let_go_by = agent;
    }
    if (how == LetGo::failed) ++submission.failures;
    if (how == LetGo::timed_out) submission.ended_by_itself = true;
    bool is_known = submission.asked_in == life_ || submission.way == Way::by_file;
    bool is_answer = how == LetGo::timed_out || (how == LetGo::failed && submission.wants_failures);
    submission.may_be_refused = is_answer;
    if (is_answer && is_known && has_it && submission.given_in == life_ && serving_)
        submission.is_to_be_refused = true;
}

void Oracle::released(const std::string& key, const std::string& agent) {
    Submission& submission = at(key);
    submission.timed_out = submission.timeout.has_value();
    if (submission.holder == agent) submission.holder.clear();
    if (submission.former_holder == agent) submission.former_holder.clear();
}

void Oracle::is_overdue(const std::string& key, const std::string& agent) {
    if (at(key).holder == agent) at(key).is_end_unheard = true;
    released(key, agent);
}

void Oracle::died(const std::string& key) {
    Submission& submission = at(key);
    ++submission.deaths;
    submission.handed_back = true;
    submission.is_end_unheard = true;
}

void Oracle::end_was_noticed(const std::string& key, bool is_death) {
    reopen_if_unheard(key);
    Submission& submission = at(key);
    submission.is_end_unheard = false;
    submission.let_go_in = 0;
    if (is_death && submission.given_in == life_ && submission.submitted_in <= submission.given_in)
        ++submission.noticed_deaths;
}

void Oracle::release_was_noticed(const std::string& key, const std::string& agent) {
    Submission& submission = at(key);
    if (submission.let_go_by == agent) submission.let_go_in = 0;
}

void Oracle::excuse(const std::string& key, const std::string& agent) {
    Submission& submission = at(key);
    if (submission.holder == agent) submission.holder_is_excused = true;
}

}  // namespace model
