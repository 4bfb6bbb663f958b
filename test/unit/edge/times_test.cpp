#include "edge/engine.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;

TEST_CASE("with the usual lease the times are the usual ones, and no part is longer than a short lease") {
    edge::Times usual = edge::times_for(30s);
    edge::Times fixed;
    CHECK(usual.pull == fixed.pull);
    CHECK(usual.request == fixed.request);
    CHECK(usual.ask == fixed.ask);
    CHECK(usual.ask_patience == fixed.ask_patience);
    CHECK(usual.search == fixed.search);
    CHECK(usual.first_look == fixed.first_look);
    CHECK(usual.watchdog == fixed.watchdog);
    edge::Times brief = edge::times_for(3s);
    for (edge::Duration part :
         {brief.pull, brief.request, brief.ask, brief.ask_patience, brief.search, brief.first_look}) {
        CHECK(part > 0s);
        CHECK(part <= 3s);
    }
    CHECK(brief.ask < brief.ask_patience);
    CHECK(brief.ask < brief.search);
    CHECK(edge::times_for(1h).pull == fixed.pull);
    CHECK(edge::times_for(1h).watchdog == 4h);
}
