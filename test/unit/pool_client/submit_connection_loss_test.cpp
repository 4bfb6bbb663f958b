// Connections that are lost, pools that stop, and submissions that are withdrawn.
#include "connection_events.hpp"

using namespace connection_test;

TEST_CASE("after a lost connection all that was sent is sent again, under the same ids and in order") {
    State state = connected(Route::shared_connection, {"a", "b", "c"});
    apply(state, answered("b"), start);
    auto lost = apply(state, ConnectionLost{}, start);
    REQUIRE(lost.size() == 2);
    CHECK(std::get<ReportOutage>(lost[0]).outage == Outage::lost);  // before the pool is looked for
    CHECK(std::holds_alternative<Look>(lost[1]));
    CHECK_FALSE(state.route);
    CHECK(apply(state, Submitted{"d"}, start).empty());
    CHECK(ids<Send>(apply(state, PoolFound{Route::shared_connection}, start)) == Ids{"a", "c", "d"});
    CHECK(is_only<Deliver>(apply(state, answered("a"), start)));
}

TEST_CASE("a connection that is lost while nobody waits is neither reported nor looked for") {
    State state = connected(Route::shared_connection, {"a"});
    apply(state, answered("a"), start);
    CHECK(apply(state, ConnectionLost{}, start).empty());
    CHECK_FALSE(state.route);
    CHECK_FALSE(next_deadline(state));
    CHECK(is_only<Look>(apply(state, Submitted{"b"}, start)));
}

TEST_CASE("an outage is reported once, however it goes on") {
    State state = connected(Route::shared_connection, {"a", "b"});
    CHECK(only<ReportOutage>(apply(state, stopped("a"), start)).size() == 1);
    CHECK(only<ReportOutage>(apply(state, stopped("b"), start)).empty());
    CHECK(only<ReportOutage>(apply(state, ConnectionLost{}, start)).empty());
    CHECK(only<ReportOutage>(apply(state, PoolMissing{}, start)).empty());
    CHECK(only<ReportOutage>(apply(state, TimePassed{}, start + look_delay)).empty());
    CHECK(only<ReportOutage>(apply(state, PoolFound{Route::shared_connection}, start)).empty());
}

TEST_CASE("the next daemon may be spoken to in another way") {
    State state = connected(Route::own_connections, {"a"});
    apply(state, OwnConnectionLost{"a"}, start);
    auto found = apply(state, PoolFound{Route::shared_connection}, start);
    REQUIRE(is_only<Send>(found));
    CHECK(only<Send>(found)[0].route == Route::shared_connection);
}

TEST_CASE("`stopped` is the answer if the submission is not to outlive the pool") {
    auto route = GENERATE(Route::shared_connection, Route::own_connections, Route::files);
    State state = connected(route, {"a"}, false);
    CHECK(is_only<Deliver>(apply(state, stopped("a"), start)));
}

TEST_CASE("a submission that is to outlive the pool waits for the end of the connection after `stopped`") {
    State state = connected(Route::shared_connection, {"a", "b"});
    auto actions = apply(state, stopped("a"), start);
    REQUIRE(is_only<ReportOutage>(actions));
    CHECK(only<ReportOutage>(actions)[0].outage == Outage::lost);
    CHECK(state.route);  // still connected
    CHECK_FALSE(next_deadline(state));
    CHECK(ids<Deliver>(apply(state, answered("b"), start)) == Ids{"b"});  // from an agent that was busy
    CHECK(is_only<Look>(apply(state, ConnectionLost{}, start + 1h)));
    CHECK(ids<Send>(apply(state, PoolFound{Route::shared_connection}, start + 1h)) == Ids{"a"});
}

TEST_CASE("what is submitted to a pool that stops is tried, and waits for the next one") {
    State state = connected(Route::shared_connection, {"a"});
    apply(state, stopped("a"), start);
    CHECK(ids<Send>(apply(state, Submitted{"b"}, start)) == Ids{"b"});
    CHECK(apply(state, stopped("b"), start).empty());
    apply(state, ConnectionLost{}, start);
    CHECK(ids<Send>(apply(state, PoolFound{Route::shared_connection}, start)) == Ids{"a", "b"});
}

TEST_CASE("after `stopped` on a connection of its own a submission is sent again") {
    State state = connected(Route::own_connections, {"a"});
    auto actions = apply(state, stopped("a"), start);
    REQUIRE(actions.size() == 2);
    CHECK(std::get<ReportOutage>(actions[0]).outage == Outage::lost);
    CHECK(std::get<Send>(actions[1]).route == Route::own_connections);
    CHECK(ids<Send>(apply(state, stopped("a"), start)) == Ids{"a"});
}

TEST_CASE("after `stopped` by file a submission waits for the end of the daemon") {
    State state = connected(Route::files, {"a", "b", "c"});
    auto actions = apply(state, stopped("a"), start);
    REQUIRE(actions.size() == 2);
    CHECK(std::get<ReportOutage>(actions[0]).outage == Outage::lost);
    CHECK(std::holds_alternative<AwaitDaemonEnd>(actions[1]));
    CHECK(is_only<AwaitDaemonEnd>(apply(state, stopped("b"), start)));
    CHECK_FALSE(next_deadline(state));
    CHECK(is_only<Look>(apply(state, DaemonGone{}, start + 1h)));
    CHECK_FALSE(state.route);
    auto found = apply(state, PoolFound{Route::files}, start + 1h);
    CHECK(ids<Send>(found) == Ids{"a", "b"});  // the request file of the third one is still there
    CHECK(found.size() == 2);
}

TEST_CASE("what is submitted by file to a daemon that stops is tried once") {
    State state = connected(Route::files, {"a"});
    apply(state, stopped("a"), start);
    CHECK(ids<Send>(apply(state, Submitted{"b"}, start)) == Ids{"b"});
    CHECK(is_only<AwaitDaemonEnd>(apply(state, stopped("b"), start)));
    apply(state, DaemonGone{}, start);
    CHECK(ids<Send>(apply(state, PoolFound{Route::files}, start)) == Ids{"a", "b"});
}

TEST_CASE("the end of a daemon for which nobody waits any more is neither reported nor looked at") {
    State state = connected(Route::files, {"a"});
    apply(state, stopped("a"), start);
    CHECK(apply(state, Withdrawn{"a"}, start).empty());
    CHECK(apply(state, DaemonGone{}, start).empty());
    CHECK(is_only<Look>(apply(state, Submitted{"b"}, start)));
}

TEST_CASE("`stopped` from an earlier daemon by file does not wait for the present one") {
    State state = connected(Route::files, {"a", "b"});
    apply(state, stopped("a"), start);
    apply(state, DaemonGone{}, start);
    apply(state, PoolFound{Route::files}, start);
    auto late = apply(state, stopped("b"), start);
    REQUIRE(is_only<Send>(late));
    CHECK(ids<Send>(late) == Ids{"b"});
    CHECK(only<AwaitDaemonEnd>(apply(state, stopped("b"), start)).size() == 1);
}

TEST_CASE("a lost connection of one submission leaves those of the others alone") {
    State state = connected(Route::own_connections, {"a", "b"});
    auto lost = apply(state, OwnConnectionLost{"a"}, start);
    REQUIRE(lost.size() == 2);
    CHECK(std::holds_alternative<ReportOutage>(lost[0]));
    CHECK(std::holds_alternative<Look>(lost[1]));
    CHECK(is_only<Deliver>(apply(state, answered("b"), start)));
    CHECK(ids<Send>(apply(state, PoolFound{Route::own_connections}, start)) == Ids{"a"});
}

TEST_CASE("a connection of an earlier route that is lost later says nothing about the present one") {
    State state = connected(Route::own_connections, {"a", "b", "c"});
    apply(state, OwnConnectionLost{"a"}, start);
    CHECK(apply(state, OwnConnectionLost{"b"}, start).empty());  // joins the search
    CHECK(ids<Send>(apply(state, PoolFound{Route::own_connections}, start)) == Ids{"a", "b"});
    auto late = apply(state, OwnConnectionLost{"c"}, start);
    REQUIRE(is_only<Send>(late));
    CHECK(ids<Send>(late) == Ids{"c"});
    CHECK(state.route);
    CHECK(only<ReportOutage>(apply(state, OwnConnectionLost{"c"}, start)).size() == 1);  // it was sent anew
}

TEST_CASE("a submission on its own connection has nothing to do with a shared one that came later") {
    State state = connected(Route::own_connections, {"a", "b"});
    apply(state, OwnConnectionLost{"a"}, start);
    apply(state, PoolFound{Route::shared_connection}, start);
    CHECK(ids<Deliver>(apply(state, Answered{}, start)) == Ids{"a"});
    CHECK(apply(state, ConnectionLost{}, start).empty());  // nothing was on it any more
    CHECK(is_only<Deliver>(apply(state, answered("b"), start)));

    State withdrawing = connected(Route::own_connections, {"a", "b"});
    apply(withdrawing, OwnConnectionLost{"a"}, start);
    apply(withdrawing, PoolFound{Route::shared_connection}, start);
    CHECK(apply(withdrawing, Withdrawn{"b"}, start).empty());
    CHECK(apply(withdrawing, OwnConnectionLost{"a"}, start).empty());
}

TEST_CASE("submissions that fail with the search leave those on their own connections alone") {
    State state = connected(Route::own_connections, {"a", "b"});
    apply(state, OwnConnectionLost{"a"}, start);
    CHECK(ids<Fail>(apply(state, PoolMissing{false}, start)) == Ids{"a"});
    CHECK(is_only<Deliver>(apply(state, answered("b"), start)));
}

TEST_CASE("a submission that is withdrawn is withdrawn over the connection that it was sent over") {
    State state = connected(Route::shared_connection, {"a", "b"});
    auto actions = apply(state, Withdrawn{"a"}, start);
    REQUIRE(is_only<SendWithdrawal>(actions));
    CHECK(ids<SendWithdrawal>(actions) == Ids{"a"});
    CHECK(is_only<DiscardAnswer>(apply(state, answered("a"), start)));
    apply(state, ConnectionLost{}, start);
    CHECK(ids<Send>(apply(state, PoolFound{Route::shared_connection}, start)) == Ids{"b"});
}

TEST_CASE("no withdrawal is sent for what the daemon does not have") {
    State refused = connected(Route::shared_connection, {"a"});
    apply(refused, stopped("a"), start);
    CHECK(apply(refused, Withdrawn{"a"}, start).empty());
    State lost = connected(Route::shared_connection, {"a"});
    apply(lost, ConnectionLost{}, start);
    CHECK(apply(lost, Withdrawn{"a"}, start).empty());
    State answered_already = connected(Route::shared_connection, {"a"});
    apply(answered_already, answered("a"), start);
    CHECK(apply(answered_already, Withdrawn{"a"}, start).empty());
}

TEST_CASE("withdrawing by file or on an own connection takes no message") {
    auto route = GENERATE(Route::own_connections, Route::files);
    State state = connected(route, {"a"});
    CHECK(apply(state, Withdrawn{"a"}, start).empty());
    CHECK(state.open.empty());
    CHECK(apply(state, OwnConnectionLost{"a"}, start).empty());
}

TEST_CASE("what was not sent, or was answered `stopped`, is with no daemon and no agent") {
    State state = automatic();
    apply(state, Submitted{"a"}, start);
    CHECK(unassigned(state) == Ids{"a"});
    apply(state, PoolFound{Route::shared_connection}, start);
    CHECK(unassigned(state).empty());
    apply(state, stopped("a"), start);
    CHECK(unassigned(state) == Ids{"a"});
    apply(state, ConnectionLost{}, start);
    CHECK(unassigned(state) == Ids{"a"});
    apply(state, PoolFound{Route::shared_connection}, start);
    CHECK(unassigned(state).empty());
}

TEST_CASE("an agent may have what was sent over a connection that was lost, until a daemon has stopped") {
    State state = connected(Route::shared_connection, {"a"});
    apply(state, ConnectionLost{}, start);
    CHECK(unassigned(state).empty());
    apply(state, PoolFound{Route::shared_connection}, start);
    apply(state, stopped("a"), start);
    apply(state, ConnectionLost{}, start);
    CHECK(unassigned(state) == Ids{"a"});
}

TEST_CASE("a published daemon keeps no answer for a connection that was lost") {
    State state = connected(Route::own_connections, {"a"});
    apply(state, stopped("a"), start);
    CHECK(unassigned(state).empty());  // it was sent again
    apply(state, OwnConnectionLost{"a"}, start);
    CHECK(unassigned(state) == Ids{"a"});
}

TEST_CASE("by file, `stopped` waits for the end of the daemon") {
    State state = connected(Route::files, {"a", "b"});
    apply(state, stopped("a"), start);
    CHECK(unassigned(state) == Ids{"a"});
}
