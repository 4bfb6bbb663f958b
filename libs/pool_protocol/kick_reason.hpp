// The reason of a kick, as it is stated in the messages to the agent. Pure.
#pragma once

#include "base/pool_types.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace pool_protocol {

using base::KickReason;

// A reason that this build knows, or the text of another one, which is equal to none of those.
class StatedKickReason {
  public:
    StatedKickReason(KickReason known) : reason_(known) {}
    static StatedKickReason parse(std::string_view text);

    // "Timeout", "Stopped", "Withdrawn", or the text of an unknown reason. Valid as long as this object.
    std::string_view text() const;

    friend bool operator==(const StatedKickReason&, const StatedKickReason&) = default;

  private:
    explicit StatedKickReason(std::string unknown) : reason_(std::move(unknown)) {}

    std::variant<KickReason, std::string> reason_;
};

}  // namespace pool_protocol
