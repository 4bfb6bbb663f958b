// What is promised about submissions, and a bookkeeper who holds the daemon to it: he is told what submitters
// and agents do and see, and throws sim::Broken when a rule does not hold. He knows nothing of the daemon's
// inside.
//
// Each submission is answered once for each time that it was asked for, with the text of the agent that had
// it; it is with one agent at a time, and with none after its answer or its withdrawal; the agent has all of
// its labels; of those that an agent could take, the highest priority first, and of one priority, first come,
// first served; and none waits while such an agent
// does. An agent that ends when it is told has its task until it has ended, or its time to do so is over; one
// that died, until nothing of it is at work.
#pragma once

#include "base/labels.hpp"
#include "pool_protocol/answer.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace model {

using Clock = std::chrono::steady_clock;

enum class Way { by_file, with_id, without_id };

struct Submission {
    Way way = Way::by_file;
    bool is_valid = true;
    std::optional<std::chrono::milliseconds> timeout;
    bool wants_failures = false;
    base::Labels labels;
    Clock::time_point sent{};
    Clock::time_point sent_active{};  // without suspensions

    std::uint32_t routes = 0;    // times it was asked for, and is not answered yet
    std::uint64_t asked_in = 0;  // the daemon's life in which it was asked for last
    bool withdrawn = false;      // nobody wants it any more, which the daemon may not have seen yet

    std::string holder;  // the agent that has it
    std::string
        former_holder;  // of before a withdrawal that may have been heard: has it, or works for nobody
    std::vector<std::string> responses;  // of agents that had it: its answer is one of them
    std::vector<std::string> discarded;  // that may still be its answer, but needn't
    std::uint64_t responded_in = 0;      // the daemon's life
    bool is_response_lost = false;       // maybe, that of its holder
    std::optional<std::string> answer;
    std::uint64_t answered_in = 0;  // the daemon's life
    bool left_unread = false;       // somebody who asked left without its answer, which may be kept

    // Its place, in quiet points: asked for after so many, and seen to wait at one.
    std::uint64_t asked_after = 0;
    std::optional<std::uint64_t> queued_at;
    bool timed_out = false;            // with an agent; its answer may be kept
    bool handed_back = false;          // goes before the others
    bool was_submitted_again = false;  // after a withdrawal: it may wait for an agent that has not seen it

    Clock::time_point left_at{};     // by the last who asked
    std::uint64_t submitted_in = 0;  // the daemon's life
    std::uint64_t given_in = 0;      // the daemon's life
    bool holder_ends_when_told = false;
    bool holder_is_excused = false;    // it could not be told to end
    bool is_holder_withdrawn = false;  // it has it since before a withdrawal

    // Of agents at work on it.
    std::uint32_t deaths = 0;          // that the daemon may have noticed
    std::uint32_t noticed_deaths = 0;  // that it has, in this life
    bool is_end_unheard = false;       // the daemon may not know yet that its agent is through
    std::uint64_t let_go_in = 0;       // over a connection, in the daemon's life
    std::string let_go_by;             // the agent that did
    std::uint32_t failures = 0;
    bool ended_by_itself = false;   // an agent, as the time was over
    bool is_to_be_refused = false;  // in this life, for what its last agent said
    bool may_be_refused = false;    // the same, if the daemon has heard it, in whichever life
};

// How an agent lets go of its task other than by a response.
enum class LetGo { handed_back, failed, timed_out };

// So many deaths are enough.
inline constexpr std::uint32_t most_deaths = 3;
inline constexpr std::uint32_t most_failures = 3;

class Oracle {
  public:
    // ---- submitters ----
    void submitted(const std::string& key, Submission submission);
    void asked_again(const std::string& key, Way way);
    void withdrawn(const std::string& key);
    // Its submitter's connection is gone: it will ask again, unless it has no id to do so with.
    void left_alone(const std::string& key);
    void answered(const std::string& key, const pool_protocol::Answer& answer, Way received);

    // ---- agents ----
    // `ends_when_told`: the agent does, and then has its task until it has ended.
    void given(const std::string& key, const std::string& agent, const base::Labels& agents_labels,
               bool ends_when_told);
    void responded(const std::string& key, const std::string& agent, const std::string& text);
    void let_go(const std::string& key, const std::string& agent, LetGo how, bool by_connection);
    void released(const std::string& key, const std::string& agent);  // in any other way
    void is_overdue(const std::string& key,
                    const std::string& agent);  // told to end, and has not in its time
    void died(const std::string& key);          // what it had started may be at work still, until released()
    void end_was_noticed(const std::string& key, bool is_death);
    void release_was_noticed(const std::string& key, const std::string& agent);
    // Nobody could tell it to end.
    void excuse(const std::string& key, const std::string& agent);

    // ---- the daemon ----
    void begins_to_close() { closing_ = true; }
    void begins_to_hand_over() { handing_over_ = true; }
    // What could not be given to an agent, or to a disk, has lost its place among the others.
    void order_is_lost();
    // An answer that the disk has not taken is lost with the daemon.
    void answers_may_be_lost();
    void started();
    void ended(bool in_order);
    std::uint64_t life() const { return life_; }
    // Nothing is left for the daemon to do, and all that it sent was received. `idle`: the labels of the idle
    // agents.
    void quiet(const std::vector<base::Labels>& idle);
    std::uint64_t quiet_points() const { return quiet_points_; }

    const Submission* find(const std::string& key) const;
    // The daemon may not know yet that its agent is through.
    bool is_unheard(const Submission& submission) const;
    bool has_timeout(const std::string& key) const;
    // Those that somebody still wants an answer to, or that the daemon doesn't know to be over.
    const std::map<std::string, Submission>& open() const { return open_; }
    void forget_finished() { finished_.clear(); }

  private:
    Submission& at(const std::string& key);
    void forget_withdrawn_holders();
    void submitted_anew(Submission& submission);
    void check_answer(const std::string& key, const Submission& submission,
                      const pool_protocol::Answer& answer) const;
    bool may_time_out(const Submission& submission) const;
    void finish(const std::string& key);
    static void discard_responses(Submission& submission);
    static void withdraw_holder(Submission& submission);
    void reopen_if_unheard(const std::string& key);
    static void may_be_done_again(Submission& submission);
    static bool may_be_over(const Submission& submission);
    bool waits_for_agent(const Submission& submission) const;
    void check_order(const std::vector<base::Labels>& idle);
    bool was_overtaken(const std::string& key, const Submission& submission) const;

    std::map<std::string, Submission> open_;
    std::unordered_map<std::string, Submission> finished_;
    struct Given {
        std::uint64_t asked_after = 0;
        base::Labels agents_labels;
        std::int32_t priority = 0;
        bool was_handed_back = false;  // before
    };
    std::vector<Given> given_lately_;  // since the last quiet point
    std::uint64_t life_ = 0;
    std::uint64_t quiet_points_ = 0;
    bool serving_ = false;
    bool closing_ = false;
    bool handing_over_ = false;
};

}  // namespace model
