#include "statelog/expiry.hpp"

namespace statelog {

std::optional<Time> expiry(const config::Step& step, Time since) {
    auto wait = config::expires_after(step);
    return wait ? std::optional(since + *wait) : std::nullopt;
}

}  // namespace statelog
