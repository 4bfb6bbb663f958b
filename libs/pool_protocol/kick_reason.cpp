#include "pool_protocol/kick_reason.hpp"

#include <array>
#include <utility>

namespace pool_protocol {

namespace {

constexpr std::array<std::pair<KickReason::Known, std::string_view>, 3> kick_reason_names{
    {{KickReason::timeout, "Timeout"},
     {KickReason::stopped, "Stopped"},
     {KickReason::withdrawn, "Withdrawn"}}};

}  // namespace

KickReason KickReason::parse(std::string_view text) {
    for (const auto& [known, name] : kick_reason_names)
        if (name == text) return known;
    return KickReason(std::string(text));
}

std::string_view KickReason::text() const {
    if (const auto* unknown = std::get_if<std::string>(&reason_)) return *unknown;
    return kick_reason_names.at(std::get<Known>(reason_)).second;
}

}  // namespace pool_protocol
