// Who waits for an answer, and who gets it.
#include "delivery_events.hpp"

using namespace delivery_test;

TEST_CASE("a request on a connection is queued once and answered there") {
    State state;
    auto actions = apply(state, asked("s", alice, failures), start);
    REQUIRE(is_only<Enqueue>(actions));
    CHECK(only<Enqueue>(actions)[0].wants_failures);
    auto answered = apply(state, Answered{"s"}, start);
    CHECK(receivers(answered) == std::vector{alice});
    CHECK(only<Remember>(answered).size() == 1);
    CHECK_FALSE(written_for(answered));
    CHECK(state.waiting.empty());
    CHECK(apply(state, Answered{"s"}, start).empty());
}

TEST_CASE("an answer to a request without an id is not remembered") {
    State state;
    apply(state, asked_anonymously("#1", alice), start);
    auto actions = apply(state, Answered{"#1"}, start);
    REQUIRE(is_only<Send>(actions));
    CHECK(only<Send>(actions)[0].reason == SendReason::unkept);
}

TEST_CASE("an answer that is not worth keeping is not remembered, and not kept for a slow peer") {
    State state;
    apply(state, asked("s", alice), start);
    auto actions = apply(state, Answered{"s", false}, start);
    REQUIRE(is_only<Send>(actions));
    CHECK(apply(state, Sent{"s", only<Send>(actions)[0].reason, {alice}}, start).empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("peers that ask for the same id share one execution, and each gets the answer") {
    State state;
    apply(state, asked("s", alice), start);
    CHECK(apply(state, asked("s", bob), start).empty());
    CHECK(receivers(apply(state, Answered{"s"}, start)) == std::vector{alice, bob});
}

TEST_CASE("an id asked for twice on one connection is answered there once") {
    State state;
    apply(state, asked("s", alice), start);
    auto again = apply(state, asked("s", alice), start);
    REQUIRE(is_only<CancelReply>(again));
    CHECK(only<CancelReply>(again)[0].peer == alice);
    CHECK(receivers(apply(state, Answered{"s"}, start)) == std::vector{alice});
}

TEST_CASE("the pool hears once that somebody who joins wants to be told of failures") {
    State state;
    apply(state, asked("s", alice), start);
    CHECK(is_only<WantFailures>(apply(state, asked("s", bob, failures), start)));
    CHECK(state.waiting.at("s").options.failures);
    CHECK(apply(state, AskedByFile{"s", failures}, start).empty());
}

TEST_CASE("whoever joins without options takes none away from the others") {
    State state;
    apply(state, asked("s", alice, AnswerDetails{true, true}), start);
    apply(state, asked("s", bob), start);
    CHECK(state.waiting.at("s").options.agent);
    CHECK(state.waiting.at("s").options.failures);
}

TEST_CASE("a request file is queued once, and its answer becomes a file") {
    State state;
    CHECK(is_only<Enqueue>(apply(state, AskedByFile{"s", {}}, start)));
    CHECK(apply(state, AskedByFile{"s", {}}, start).empty());
    auto actions = apply(state, Answered{"s"}, start);
    CHECK(only<Remember>(actions).size() == 1);
    CHECK(only<Send>(actions).empty());
    CHECK(written_for(actions) == WriteReason::requested);
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a request file is answered by a file even if the answer is not worth keeping") {
    State state;
    apply(state, AskedByFile{"s", {}}, start);
    auto actions = apply(state, Answered{"s", false}, start);
    REQUIRE(is_only<WriteResponse>(actions));
    CHECK(written_for(actions) == WriteReason::requested);
}

TEST_CASE("who asks by file and who asks on a connection are both answered, the connection first") {
    State state;
    apply(state, AskedByFile{"s", {}}, start);
    apply(state, asked("s", alice), start);
    auto actions = apply(state, Answered{"s"}, start);
    REQUIRE(actions.size() == 3);
    CHECK(std::holds_alternative<Send>(actions[1]));
    CHECK(std::holds_alternative<WriteResponse>(actions[2]));
    CHECK(std::get<Send>(actions[1]).reason == SendReason::unkept);  // the file is there anyway
}

TEST_CASE("a submitter that is gone may come back within a minute") {
    State state;
    apply(state, asked("s", alice), start);
    CHECK(apply(state, PeerGone{alice}, start).empty());
    CHECK(next_deadline(state) == start + state.reconnect_time);
    CHECK(pass_time(state, start + state.reconnect_time - 1ms).empty());
    CHECK(apply(state, asked("s", bob), start + state.reconnect_time - 1ms).empty());
    CHECK_FALSE(next_deadline(state));
    CHECK(receivers(apply(state, Answered{"s"}, start + 2 * state.reconnect_time)) == std::vector{bob});
}

TEST_CASE("a submitter that stays away for a minute has withdrawn") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, PeerGone{alice}, start);
    CHECK(is_only<Withdraw>(pass_time(state, start + state.reconnect_time)));
    CHECK(state.waiting.empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("the minute begins anew when a submitter goes away a second time") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, PeerGone{alice}, start);
    apply(state, asked("s", bob), start + 30s);
    apply(state, PeerGone{bob}, start + 40s);
    CHECK(next_deadline(state) == start + 40s + state.reconnect_time);
}

TEST_CASE("a submission without an id is withdrawn with its connection") {
    State state;
    apply(state, asked_anonymously("#1", alice), start);
    CHECK(is_only<Withdraw>(apply(state, PeerGone{alice}, start)));
}

TEST_CASE("a peer that goes leaves the submission to the others who wait for it") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, asked("s", bob), start);
    CHECK(apply(state, PeerGone{alice}, start).empty());
    CHECK_FALSE(next_deadline(state));
    CHECK(receivers(apply(state, Answered{"s"}, start)) == std::vector{bob});
}

TEST_CASE("a peer that goes leaves the submission to its request file") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, AskedByFile{"s", {}}, start);
    CHECK(apply(state, PeerGone{alice}, start).empty());
    CHECK_FALSE(next_deadline(state));
    CHECK(written_for(apply(state, Answered{"s"}, start)) == WriteReason::requested);
}

TEST_CASE("a request file that goes withdraws its submission") {
    State state;
    apply(state, AskedByFile{"s", {}}, start);
    CHECK(is_only<Withdraw>(apply(state, RequestRemoved{"s"}, start)));
    CHECK(apply(state, RequestRemoved{"s"}, start).empty());
}

TEST_CASE("a request file that goes leaves the submission to its connection, and to one that may come back") {
    State state;
    apply(state, AskedByFile{"s", {}}, start);
    apply(state, asked("s", alice), start);
    CHECK(apply(state, RequestRemoved{"s"}, start).empty());
    CHECK_FALSE(next_deadline(state));
    apply(state, PeerGone{alice}, start);
    CHECK(next_deadline(state) == start + state.reconnect_time);
}

TEST_CASE("an absent submitter's request file counts as its return") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, PeerGone{alice}, start);
    apply(state, AskedByFile{"s", {}}, start + 1s);
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a peer withdraws its submission, and is not answered") {
    State state;
    apply(state, asked("s", alice), start);
    auto actions = apply(state, WithdrawnByPeer{"s", alice}, start);
    REQUIRE(actions.size() == 2);
    CHECK(std::get<CancelReply>(actions[0]).peer == alice);
    CHECK(std::get<Withdraw>(actions[1]).submission == "s");
    CHECK(apply(state, PeerGone{alice}, start).empty());
}

TEST_CASE("a peer withdraws for itself only") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, asked("s", bob), start);
    CHECK(is_only<CancelReply>(apply(state, WithdrawnByPeer{"s", alice}, start)));
    CHECK(apply(state, WithdrawnByPeer{"s", alice}, start).empty());
    CHECK(state.waiting.at("s").has_own_id);  // the other may still come back
    CHECK(receivers(apply(state, Answered{"s"}, start)) == std::vector{bob});
}

TEST_CASE("a stranger withdraws nothing") {
    State state;
    apply(state, asked("s", alice), start);
    CHECK(apply(state, WithdrawnByPeer{"s", bob}, start).empty());
    CHECK(apply(state, WithdrawnByPeer{"other", alice}, start).empty());
    CHECK(receivers(apply(state, Answered{"s"}, start)) == std::vector{alice});
}

TEST_CASE("after a withdrawal on the connection, nobody comes back once the request file is gone") {
    State state;
    apply(state, AskedByFile{"s", {}}, start);
    apply(state, asked("s", alice), start);
    CHECK(is_only<CancelReply>(apply(state, WithdrawnByPeer{"s", alice}, start)));
    CHECK(is_only<Withdraw>(apply(state, RequestRemoved{"s"}, start)));
}

TEST_CASE("what the daemon gives up is answered to nobody") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, asked("s", bob), start);
    auto actions = apply(state, GivenUp{"s"}, start);
    CHECK(only<CancelReply>(actions).size() == 2);
    CHECK(only<Withdraw>(actions).size() == 1);
    CHECK(apply(state, GivenUp{"s"}, start).empty());
    CHECK(apply(state, PeerGone{alice}, start).empty());
}

TEST_CASE("a recovered submission waits a minute for its submitter") {
    State state;
    CHECK(apply(state, Recovered{"s"}, start).empty());
    CHECK(next_deadline(state) == start + state.reconnect_time);
    CHECK(is_only<Withdraw>(pass_time(state, start + state.reconnect_time)));
}

TEST_CASE("a recovered submission with a request file waits for nobody") {
    State state;
    apply(state, Recovered{"by file", false, true}, start);
    apply(state, Recovered{"by both", true, true}, start);
    CHECK_FALSE(next_deadline(state));
    CHECK(written_for(apply(state, Answered{"by file"}, start)) == WriteReason::requested);
    CHECK(written_for(apply(state, Answered{"by both"}, start)) == WriteReason::requested);
}

TEST_CASE("nobody waits for a recovered submission that is answered, or whose request file is gone") {
    State state;
    CHECK(apply(state, Recovered{"answered", true, true, true}, start).empty());
    CHECK(apply(state, Recovered{"gone", false, false}, start).empty());
    CHECK(state.waiting.empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a submission that waits already is not recovered") {
    State state;
    apply(state, asked("s", alice, failures), start);
    CHECK(apply(state, Recovered{"s"}, start).empty());
    CHECK_FALSE(next_deadline(state));
    CHECK(state.waiting.at("s").options.failures);
}

TEST_CASE("the next host is the peer whose submission has waited longest") {
    State state;
    CHECK_FALSE(next_host(state));
    apply(state, HostOffered{bob}, start);
    apply(state, HostOffered{alice}, start);
    apply(state, HostOffered{alice}, start);
    CHECK(state.hosts.size() == 2);
    CHECK(next_host(state) == bob);
    apply(state, asked("of nobody who hosts", Peer{3}), start);
    apply(state, asked("first", alice), start);
    apply(state, asked("second", bob), start);
    CHECK(next_host(state) == alice);
    apply(state, PeerGone{alice}, start);
    CHECK(next_host(state) == bob);
    apply(state, PeerGone{bob}, start);
    CHECK_FALSE(next_host(state));
}

TEST_CASE("a recovered submission has waited longer than any other") {
    State state;
    apply(state, HostOffered{alice}, start);
    apply(state, HostOffered{bob}, start);
    apply(state, asked("new", alice), start);
    apply(state, Recovered{"old"}, start);
    apply(state, asked("old", bob), start);
    CHECK(next_host(state) == bob);
}

TEST_CASE("anonymous are those that gave no id and wait on a connection") {
    State state;
    apply(state, asked_anonymously("#1", alice), start);
    apply(state, asked("own", alice), start);
    apply(state, AskedByFile{"file", {}}, start);
    CHECK(anonymous(state) == std::vector<SubmissionId>{"#1"});
}
