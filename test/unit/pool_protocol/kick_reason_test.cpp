#include "pool_protocol/kick_reason.hpp"

#include <catch2/catch.hpp>

using pool_protocol::KickReason;
using pool_protocol::StatedKickReason;

TEST_CASE("a known reason of a kick is parsed from its text") {
    for (auto [known, text] : {std::pair{KickReason::timeout, "Timeout"},
                               {KickReason::stopped, "Stopped"},
                               {KickReason::withdrawn, "Withdrawn"}}) {
        CHECK(StatedKickReason(known).text() == text);
        CHECK(StatedKickReason::parse(text) == known);
    }
}

TEST_CASE("an unknown reason of a kick keeps its text and is none of the known ones") {
    for (const char* text : {"Upgrade", "", "stopped", "Timeout "}) {
        StatedKickReason reason = StatedKickReason::parse(text);
        CHECK(reason.text() == text);
        CHECK(reason == StatedKickReason::parse(text));
        for (auto known : {KickReason::timeout, KickReason::stopped, KickReason::withdrawn})
            CHECK_FALSE(reason == known);
    }
}
