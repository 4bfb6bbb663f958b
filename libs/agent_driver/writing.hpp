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
    int turn = 0;         // the number of the request that these words answer, as in an Activity
    bool begins = false;  // a new message
};

class Writing {
  public:
    // `make_filter` is called for each message; may be empty.
    explicit Writing(std::function<Surroundings::Filter()> make_filter)
        : make_filter_(std::move(make_filter)) {}

    // The end of what the message says so far, without secrets. What may be the beginning of a secret is held
    // back until it is known to be none.
    std::string add(const Words& words);

  private:
    static constexpr std::size_t most = 1024;  // bytes that are kept

    std::function<Surroundings::Filter()> make_filter_;
    Surroundings::Filter filter_;  // of the current message
    std::string kept_;             // its end
    bool is_cut_ = false;          // it has a beginning before that
};

}  // namespace agent_driver
