// Why the daemon takes an agent's task from it, or dismisses the agent, as its messages tell the agent. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace pool_protocol {

class KickReason {
  public:
    enum Known {
        timeout,    // the task's time, or that for the response to a heartbeat, is over
        stopped,    // the pool stops
        withdrawn,  // nobody waits for the answer any more
    };
    KickReason(Known known) : reason_(known) {}
    // A reason that this build does not know is equal to none of the known ones, and keeps its text.
    static KickReason parse(std::string_view text);

    // "Timeout", "Stopped", "Withdrawn", or the text of an unknown reason. Valid as long as this object.
    std::string_view text() const;

    friend bool operator==(const KickReason&, const KickReason&) = default;

  private:
    explicit KickReason(std::string unknown) : reason_(std::move(unknown)) {}

    std::variant<Known, std::string> reason_;
};

}  // namespace pool_protocol
