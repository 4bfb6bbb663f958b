#include "pool_protocol/kick_reason.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace pool_protocol {

namespace {

constexpr std::array<std::pair<KickReason, std::string_view>, 3> kick_reason_names{
    {{KickReason::timeout, "Timeout"},
     {KickReason::stopped, "Stopped"},
     {KickReason::withdrawn, "Withdrawn"}}};

}  // namespace

StatedKickReason StatedKickReason::parse(std::string_view text) {
    for (const auto& [known, name] : kick_reason_names)
        if (name == text) return known;
    return StatedKickReason(std::string(text));
}

std::string_view StatedKickReason::text() const {
    if (const auto* unknown = std::get_if<std::string>(&reason_)) return *unknown;
    return kick_reason_names.at(static_cast<std::size_t>(std::get<KickReason>(reason_))).second;
}

}  // namespace pool_protocol
