// How much of what a program has said is kept at a time: all of it together has a limit. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

class Room {
  public:
    // The limit is that of a message of the pool: a longer answer could not be given in.
    static constexpr std::size_t most = std::size_t{64} << 20;  // bytes

    // Takes room for what is to be kept, if there is enough; otherwise it must not be kept, and the task has
    // failed. `what` names it: "the words of its model".
    bool take(std::string_view what, std::size_t bytes) {
        if (bytes > most - taken_) too_large_ = too_large_.value_or(std::string(what));
        if (too_large_) return false;
        taken_ += bytes;
        return true;
    }
    // So many bytes are not kept any more.
    void give_back(std::size_t bytes) { taken_ -= bytes; }

    // The first thing for which there was no room; nothing while there is room.
    const std::optional<std::string>& too_large() const { return too_large_; }

  private:
    std::size_t taken_ = 0;
    std::optional<std::string> too_large_;
};

}  // namespace agent_driver
