#include "pool_protocol/kick_reason.hpp"

#include <array>

namespace pool_protocol {

namespace {

constexpr std::array known_reasons{KickReason::timeout, KickReason::stopped, KickReason::withdrawn};

std::string_view name_of(KickReason reason) {
    switch (reason) {
        case KickReason::timeout:
            return "Timeout";
        case KickReason::stopped:
            return "Stopped";
        case KickReason::withdrawn:
            break;
    }
    return "Withdrawn";
}

}  // namespace

StatedKickReason StatedKickReason::parse(std::string_view text) {
    for (KickReason known : known_reasons)
        if (name_of(known) == text) return known;
    return StatedKickReason(std::string(text));
}

std::string_view StatedKickReason::text() const {
    if (const auto* unknown = std::get_if<std::string>(&reason_)) return *unknown;
    return name_of(std::get<KickReason>(reason_));
}

}  // namespace pool_protocol
