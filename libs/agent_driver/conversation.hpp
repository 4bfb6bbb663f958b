// One task with one agent's program: what to start and to send, and what the program's lines mean. Pure: it
// starts nothing, reads no clock and waits for nothing. What is special to a kind of program is in
// claude.cpp, codex.cpp, acp.cpp and gemini.cpp.
#pragma once

#include "agent_driver/actions.hpp"
#include "agent_driver/launch.hpp"
#include "agent_driver/prompt.hpp"
#include "agent_driver/settings.hpp"
#include "agent_driver/surroundings.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

class Driver;
class Writing;
struct Retrying;

// The time on any clock that does not jump; the clock should stop while the process is suspended.
using Time = std::chrono::milliseconds;

// A program whose requests to the model have kept failing for so long has failed, even if it would try again.
inline constexpr std::chrono::seconds longest_retries{60};

struct Exit {
    int code = 0;    // if `signal` is 0
    int signal = 0;  // the signal that ended the program
};

// After a Failure, a conversation is over and all further events give no actions. After an Answer it waits
// for repair(), and everything else gives no actions.
class Conversation {
  public:
    // `settings` have passed check(), and are not of the kind exec.
    Conversation(const Settings& settings, const Prompt& prompt, const Surroundings& surroundings = {});
    ~Conversation();
    Conversation(Conversation&&) noexcept;
    Conversation& operator=(Conversation&&) noexcept;

    // Called first, and once. If the program cannot be started, the task has failed as not_ready, and no
    // event follows.
    Launch launch(Time now);

    // Lines without their newline. A line of stdout that is not a message, and any line of stderr, is kept
    // for the message of a failure.
    Actions stdout_line(std::string_view line, Time now);
    Actions stderr_line(std::string_view line, Time now);

    // More of what the program was sent than it may ask for is not read.
    Actions not_read();
    // The program has ended, and all its output has been given to stdout_line() and stderr_line().
    Actions exited(Exit exit);

    // The answer was not valid; `errors` says why, to the model.
    Actions repair(std::string_view errors, Time now);

    // Why the program tries a request to the model again, if it does so now.
    const std::optional<Failure>& retried_failure() const { return retried_failure_; }

    // Asks the program to end the turn. It may do so at once, later, or never.
    Actions interrupt();

    // When the program has been silent for too long. Nothing while it need not say anything.
    std::optional<Time> deadline() const;
    // To be called at the deadline; before, it gives no actions.
    Actions deadline_passed(Time now);

  private:
    enum class State { working, answered, over };

    Actions log_line(std::string_view line, Time now);
    template<class Events>
    Actions translate(Events events, Time now);
    Actions note_retries(const Retrying& retrying, Time now);
    Actions fail(Failure failure);
    Failure failure_of(Exit exit) const;
    Failure in_words(Failure failure) const;
    std::string redacted(std::string text) const;
    template<class Event>
    void redact(Event& event) const;
    std::string with_output(std::string message) const;

    Settings settings_;
    std::function<std::string(std::string_view)> redact_;  // may be empty
    std::unique_ptr<Writing> writing_;
    std::unique_ptr<Driver> driver_;
    State state_ = State::working;
    Time heard_{};
    bool has_spoken_ = false;  // a message of the program has arrived
    bool interrupted_ = false;
    std::string output_;  // the end of what the program has printed for people
    // While the program tries a request again: since when, and after which failure.
    Time retries_since_{};
    std::optional<Failure> retried_failure_;
};

}  // namespace agent_driver
