// Looking for a pool, sending, and giving up.
#include "connection_events.hpp"

using namespace connection_test;

TEST_CASE("the first submission looks for the pool, and those that follow wait for what it finds") {
    State state = automatic();
    auto actions = apply(state, Submitted{"a"}, start);
    REQUIRE(is_only<Look>(actions));
    CHECK(only<Look>(actions)[0].uses_socket);
    CHECK(apply(state, Submitted{"b"}, start).empty());
    auto found = apply(state, PoolFound{Route::shared_connection}, start);
    CHECK(ids<Send>(found) == Ids{"a", "b"});
    CHECK(found.size() == 2);
    CHECK(only<Send>(found)[0].route == Route::shared_connection);
    CHECK(state.route);
}

TEST_CASE("once the pool is found, a submission is sent at once over the same route") {
    auto route = GENERATE(Route::shared_connection, Route::own_connections, Route::files);
    State state = connected(route);
    auto actions = apply(state, Submitted{"a"}, start);
    REQUIRE(is_only<Send>(actions));
    CHECK(only<Send>(actions)[0].route == route);
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("submissions are sent in the order in which they came") {
    State state = automatic();
    Ids all;
    for (int number = 0; number < 20; ++number) {
        all.emplace_back("s" + std::to_string(number));
        apply(state, Submitted{all.back()}, start);
    }
    CHECK(ids<Send>(apply(state, PoolFound{Route::own_connections}, start)) == all);
}

TEST_CASE("an answer goes to its submission, and only once") {
    State state = connected(Route::shared_connection, {"a", "b"});
    auto actions = apply(state, answered("a"), start);
    REQUIRE(is_only<Deliver>(actions));
    CHECK(ids<Deliver>(actions) == Ids{"a"});
    CHECK(is_only<DiscardAnswer>(apply(state, answered("a"), start)));
    CHECK(is_only<DiscardAnswer>(apply(state, answered("unknown"), start)));
    CHECK(state.open.size() == 1);
}

TEST_CASE("an answer without an id goes to the largest request on the connection") {
    State state = connected(Route::shared_connection, {"small", "large", "medium"});
    apply(state, Sent{"small", 10}, start);
    apply(state, Sent{"large", 1000}, start);
    apply(state, Sent{"medium", 100}, start);
    CHECK(ids<Deliver>(apply(state, Answered{}, start)) == Ids{"large"});
    CHECK(ids<Deliver>(apply(state, Answered{}, start)) == Ids{"medium"});
    CHECK(ids<Deliver>(apply(state, Answered{}, start)) == Ids{"small"});
    CHECK(is_only<DiscardAnswer>(apply(state, Answered{}, start)));
}

TEST_CASE("an answer without an id is never for a submission that is not on the connection") {
    State state = connected(Route::shared_connection, {"large", "small"});
    apply(state, Sent{"large", 1000}, start);
    apply(state, Sent{"small", 10}, start);
    apply(state, stopped("large"), start);
    CHECK(ids<Deliver>(apply(state, Answered{}, start)) == Ids{"small"});
    State files = connected(Route::files, {"a"});
    CHECK(is_only<DiscardAnswer>(apply(files, Answered{}, start)));
}

TEST_CASE("the socket is not used for the transport by file") {
    State state = with(Transport::file);
    auto actions = apply(state, Submitted{"a"}, start);
    REQUIRE(is_only<Look>(actions));
    CHECK_FALSE(only<Look>(actions)[0].uses_socket);
    apply(state, PoolMissing{}, start);
    auto again = apply(state, TimePassed{}, start + look_delay);
    REQUIRE(is_only<Look>(again));
    CHECK_FALSE(only<Look>(again)[0].uses_socket);
}

TEST_CASE("files are used where the socket is denied, unless it was asked for") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    auto actions = apply(state, SocketDenied{}, start);
    REQUIRE(actions.size() == 2);
    CHECK(std::holds_alternative<ReportFallback>(actions[0]));
    CHECK(std::get<Send>(actions[1]).route == Route::files);
    CHECK(state.route == Route::files);

    State socket = with(Transport::socket);
    apply(socket, Submitted{"a"}, start);
    auto denied = apply(socket, SocketDenied{}, start);
    REQUIRE(is_only<Fail>(denied));
    CHECK(ids<Fail>(denied) == Ids{"a"});
    CHECK_FALSE(next_deadline(socket));
}

TEST_CASE("a pool that is missing does not lead to files") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    CHECK(only<Send>(apply(state, PoolMissing{}, start)).empty());
    CHECK(only<Look>(apply(state, TimePassed{}, start + look_delay))[0].uses_socket);
}

TEST_CASE("a missing pool is reported at once, and looked for again and again") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    auto actions = apply(state, PoolMissing{}, start);
    REQUIRE(is_only<ReportOutage>(actions));
    CHECK(only<ReportOutage>(actions)[0].outage == Outage::not_found);
    CHECK(next_deadline(state) == start + look_delay);
    CHECK(apply(state, TimePassed{}, start + look_delay - 1ns).empty());
    CHECK(is_only<Look>(apply(state, TimePassed{}, start + look_delay)));
    CHECK_FALSE(next_deadline(state));  // until the look has an outcome
    CHECK(apply(state, TimePassed{}, start + look_delay).empty());
    CHECK(apply(state, PoolMissing{}, start + look_delay).empty());
    CHECK(next_deadline(state) == start + 2 * look_delay);
}

TEST_CASE("the pool is looked for until pool_wait is over; then all that wait fail") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    apply(state, PoolMissing{}, start);
    apply(state, Submitted{"b"}, start + 9s);
    apply(state, TimePassed{}, start + 9s + 970ms);
    CHECK(apply(state, PoolMissing{}, start + 9s + 970ms).empty());
    CHECK(next_deadline(state) == start + 10s);
    CHECK(is_only<Look>(apply(state, TimePassed{}, start + 10s)));
    auto failed = apply(state, PoolMissing{}, start + 10s);
    CHECK(ids<Fail>(failed) == Ids{"a", "b"});
    CHECK(failed.size() == 2);
    CHECK(state.open.empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a pool that is found at the last look is used") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    apply(state, PoolMissing{}, start);
    apply(state, TimePassed{}, start + 1h);
    CHECK(ids<Send>(apply(state, PoolFound{Route::shared_connection}, start + 1h)) == Ids{"a"});
}

TEST_CASE("without pool_wait there is one look, and no report") {
    State state = automatic();
    state.settings.pool_wait = 0s;
    apply(state, Submitted{"a"}, start);
    CHECK(is_only<Fail>(apply(state, PoolMissing{}, start)));
}

TEST_CASE("an error that waiting does not mend fails at once, without a report") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    CHECK(is_only<Fail>(apply(state, PoolMissing{false}, start)));
}

TEST_CASE("after a failure the next submission looks anew, for as long, in the same outage") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    apply(state, PoolMissing{}, start);
    apply(state, TimePassed{}, start + 10s);
    apply(state, PoolMissing{}, start + 10s);
    CHECK(is_only<Look>(apply(state, Submitted{"b"}, start + 20s)));
    CHECK(apply(state, PoolMissing{}, start + 20s).empty());
    apply(state, TimePassed{}, start + 30s - 1ns);
    CHECK(apply(state, PoolMissing{}, start + 30s - 1ns).empty());
    apply(state, TimePassed{}, start + 30s);
    CHECK(is_only<Fail>(apply(state, PoolMissing{}, start + 30s)));
}

TEST_CASE("the next outage is reported again") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    apply(state, PoolMissing{}, start);
    apply(state, TimePassed{}, start + look_delay);
    apply(state, PoolFound{Route::shared_connection}, start + look_delay);
    CHECK(only<ReportOutage>(apply(state, ConnectionLost{}, start + 1s)).size() == 1);
}

TEST_CASE("nobody looks for a pool that nobody waits for") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    apply(state, Submitted{"b"}, start);
    apply(state, PoolMissing{}, start);
    apply(state, Withdrawn{"a"}, start);
    CHECK(next_deadline(state));
    CHECK(apply(state, Withdrawn{"b"}, start).empty());
    CHECK_FALSE(next_deadline(state));
    CHECK(is_only<Look>(apply(state, Submitted{"c"}, start + 5s)));
    apply(state, PoolMissing{}, start + 5s);
    apply(state, TimePassed{}, start + 14s);
    CHECK(apply(state, PoolMissing{}, start + 14s).empty());  // its time began with it
}

TEST_CASE("a look that ends when nobody waits any more is the last") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    apply(state, Withdrawn{"a"}, start);
    CHECK(apply(state, PoolMissing{}, start).empty());
    CHECK_FALSE(next_deadline(state));
    CHECK_FALSE(state.search);
}

TEST_CASE("a request file that can't be written fails its submission only") {
    State state = connected(Route::files, {"a", "b"});
    auto actions = apply(state, FileFailed{"a"}, start);
    REQUIRE(is_only<Fail>(actions));
    CHECK(ids<Fail>(actions) == Ids{"a"});
    CHECK(apply(state, FileFailed{"a"}, start).empty());
    CHECK(ids<Deliver>(apply(state, answered("b"), start)) == Ids{"b"});
}
