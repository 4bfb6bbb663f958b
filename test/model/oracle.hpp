// What is promised about submissions, and a bookkeeper who holds the daemon to it: he is told what submitters
// and agents do and see, and throws sim::Broken when a rule does not hold. He knows nothing of the daemon's
// inside.
//
// Each submission is answered once for each time that it was asked for, with the text of the agent that had
// it (R5, R6); it is with one agent at a time, and with none after its answer or its withdrawal (R9, R13,
// R17); first come, first served, and nothing waits while an agent does (R16).
#pragma once

#include "pool_protocol/messages.hpp"

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
    Clock::time_point sent{};

    std::uint32_t routes = 0;    // times it was asked for, and is not answered yet
    std::uint64_t asked_in = 0;  // the daemon's life in which it was asked for last
    bool withdrawn = false;      // nobody wants it any more, which the daemon may not have seen yet

    std::string holder;  // the agent that has it
    std::string
        former_holder;  // of before a withdrawal that may have been heard: has it, or works for nobody
    std::vector<std::string> responses;  // of agents that had it: its answer is one of them
    std::vector<std::string> discarded;  // that may still be its answer, but needn't
    std::uint64_t responded_in = 0;      // the daemon's life
    std::optional<std::string> answer;
    std::uint64_t answered_in = 0;  // the daemon's life
    bool left_unread = false;       // somebody who asked left without its answer, which may be kept (R5)

    // Its place, in quiet points: asked for after so many, and seen to wait at one.
    std::uint64_t asked_after = 0;
    std::optional<std::uint64_t> queued_at;
    bool timed_out = false;    // with an agent; its answer may be kept
    bool handed_back = false;  // goes before the others
};

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
    void given(const std::string& key, const std::string& agent);
    void responded(const std::string& key, const std::string& agent, const std::string& text);
    void handed_back(const std::string& key, const std::string& agent);
    void released(const std::string& key, const std::string& agent);  // in any other way

    // ---- the daemon ----
    void begins_to_close() { closing_ = true; }
    void started();
    void ended(bool in_order);
    std::uint64_t life() const { return life_; }
    // Nothing is left for the daemon to do, and all that it sent was received. `agents_wait`: some are idle.
    void quiet(bool agents_wait);
    std::uint64_t quiet_points() const { return quiet_points_; }

    const Submission* find(const std::string& key) const;
    bool has_timeout(const std::string& key) const;
    // Those that somebody still wants an answer to, or that the daemon doesn't know to be over.
    const std::map<std::string, Submission>& open() const { return open_; }
    void forget_finished() { finished_.clear(); }

  private:
    Submission& at(const std::string& key);
    void finish(const std::string& key);
    static void discard_responses(Submission& submission);
    static void may_be_done_again(Submission& submission);
    bool waits_for_agent(const Submission& submission) const;
    void check_order(bool agents_wait);

    std::map<std::string, Submission> open_;
    std::unordered_map<std::string, Submission> finished_;
    std::vector<std::uint64_t> given_lately_;  // asked_after of those, since the last quiet point
    std::uint64_t life_ = 0;
    std::uint64_t quiet_points_ = 0;
    bool closing_ = false;
};

}  // namespace model
