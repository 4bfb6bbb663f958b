// What a model writes, while it writes it, as a line for people. For this room only. Pure.
#pragma once

#include "agent_driver/surroundings.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace agent_driver {

// A part of what the model writes.
struct Words {
    std::string text;
    int turn = 0;         // as of an Activity: with the request whose answer they are
    bool begins = false;  // a new message
};

class Writing {
  public:
    // `filter` makes a filter for each message; may be empty.
    explicit Writing(std::function<Surroundings::Filter()> filter) : make_filter_(std::move(filter)) {}

    // The end of what the message says so far, without secrets: the beginning of one is held back until it is
    // none.
    std::string add(const Words& words);

  private:
    static constexpr std::size_t most = 1024;  // bytes that are kept

    std::function<Surroundings::Filter()> make_filter_;
    Surroundings::Filter filter_;  // of the current message
    std::string kept_;             // its end
    bool is_cut_ = false;          // it has a beginning before that
};

}  // namespace agent_driver
