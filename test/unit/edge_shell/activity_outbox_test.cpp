#include "edge_shell/activity_outbox.hpp"

#include <catch2/catch.hpp>

using edge_shell::ActivityOutbox;
using namespace std::chrono_literals;

TEST_CASE("of each task the newest is sent, the first at once and further ones after an interval") {
    ActivityOutbox outbox;
    edge::Time now = edge::Time() + 5h;
    CHECK(!outbox.due());
    outbox.put("a", "1");
    CHECK(*outbox.due() <= now);
    CHECK(outbox.take(now) == ActivityOutbox::Texts{{"a", "1"}});
    CHECK(!outbox.due());
    outbox.put("a", "2");
    outbox.put("b", "1");
    outbox.put("a", "3");
    CHECK(outbox.due() == now + ActivityOutbox::interval);
    CHECK(outbox.take(now + 1s) == ActivityOutbox::Texts{{"a", "3"}, {"b", "1"}});
    outbox.put("b", "2");
    CHECK(outbox.due() == now + 2s);
}
