#include "io/log_signals.hpp"

#include <catch2/catch.hpp>

using io::Hangup;
using io::hangup_of;

TEST_CASE("a SIGHUP is that of the terminal, or for the log file") {
    constexpr bool ignored = true, terminal = true, file = true;
    CHECK(hangup_of(!ignored, terminal, file) == Hangup::ends);
    CHECK(hangup_of(!ignored, terminal, !file) == Hangup::ends);
    CHECK(hangup_of(!ignored, !terminal, !file) == Hangup::ends);
    CHECK(hangup_of(!ignored, !terminal, file) == Hangup::reopens);
    CHECK(hangup_of(ignored, terminal, file) == Hangup::reopens);
    CHECK(hangup_of(ignored, terminal, !file) == Hangup::ignored);
    CHECK(hangup_of(ignored, !terminal, !file) == Hangup::ignored);
}
