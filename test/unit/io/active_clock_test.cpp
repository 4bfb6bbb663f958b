#include "io/active_clock.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using io::ActiveClock;
using io::PauseMeter;

namespace {

PauseMeter::SteadyTime at(std::chrono::milliseconds time) {
    return PauseMeter::SteadyTime(time);
}

ActiveClock::time_point active(std::chrono::milliseconds time) {
    return ActiveClock::time_point(time);
}

// One that has looked at 10 s and waits for its next wake-up, at 11 s.
PauseMeter ticking() {
    PauseMeter meter;
    CHECK(meter.look(at(10s)) == 0s);
    meter.expect(at(11s));
    return meter;
}

}  // namespace

TEST_CASE("a wake-up in time, or up to a second late, is no pause") {
    for (auto look : {10'500ms, 11'000ms, 12'000ms}) {
        PauseMeter meter = ticking();
        CHECK(meter.look(at(look)) == 0s);
        CHECK(meter.active(at(look)) == active(look));
    }
}

TEST_CASE("without a wake-up that is due, any time may go by between two looks") {
    PauseMeter meter = ticking();
    meter.forget(at(11s));
    CHECK(meter.look(at(100s)) == 0s);
    meter.expect(at(200s));
    CHECK(meter.look(at(199s)) == 0s);
}

TEST_CASE("a wake-up more than a second late is a pause since the look before, and counted once") {
    PauseMeter meter = ticking();
    CHECK(meter.look(at(15s)) == 5s);
    CHECK(meter.active(at(15s)) == active(10s));
    CHECK(meter.look(at(15'900ms)) == 0s);
    CHECK(meter.active(at(15'900ms)) == active(10'900ms));
}

TEST_CASE("a pause is at most a second longer than the lateness") {
    PauseMeter meter = ticking();
    meter.forget(at(11s));
    meter.expect(at(60s));
    CHECK(meter.look(at(64s)) == 5s);
}

TEST_CASE("of several wake-ups the earliest counts, also of two at the same time") {
    PauseMeter meter = ticking();
    meter.expect(at(11s));
    meter.expect(at(30s));
    meter.forget(at(11s));
    CHECK(meter.look(at(14s)) == 4s);
    meter.forget(at(11s));
    CHECK(meter.look(at(29s)) == 0s);
}

TEST_CASE("pauses add up, and the active time never goes back") {
    PauseMeter meter = ticking();
    auto before = meter.active(at(10s));
    CHECK(meter.look(at(20s)) == 10s);
    CHECK(meter.active(at(20s)) >= before);
    meter.forget(at(11s));
    meter.expect(at(21s));
    CHECK(meter.look(at(25s)) == 5s);
    CHECK(meter.active(at(25s)) == active(10s));
    CHECK(meter.steady(active(12s)) == at(27s));
}

TEST_CASE("the end of time stays there") {
    PauseMeter meter = ticking();
    meter.look(at(20s));
    CHECK(meter.steady(ActiveClock::time_point::max()) == PauseMeter::SteadyTime::max());
}
