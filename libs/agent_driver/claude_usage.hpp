// What Claude Code tells of the tokens and the cost of a task. For this room only.
#pragma once

#include "agent_driver/actions.hpp"
#include "json/json.hpp"

namespace agent_driver {

class ClaudeUsage {
  public:
    // `before`: what the conversation had used when it was gone on with.
    explicit ClaudeUsage(const Usage& before) : before_(before) {}

    // The first line of a message of the model, which is the request with this number.
    void count(json::View message, int number);
    // The end of a turn.
    void count_result(json::View result);
    void count_repair() { ++usage_.repairs; }
    // Nothing has come of the last repair.
    void take_back_repair() { usage_.repairs -= usage_.repairs > 0 ? 1 : 0; }

    const Usage& so_far() const { return usage_; }

  private:
    Usage before_;
    Usage usage_;
    std::uint64_t read_ = 0;  // tokens, by the single messages
};

}  // namespace agent_driver
