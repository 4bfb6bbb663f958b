// What becomes of answers that can't be handed over at once.
#include "delivery_events.hpp"

using namespace delivery_test;

namespace {

// Answered, and `slow` of those who waited have not taken it.
std::vector<Action> answer_slowly(State& state, const SubmissionId& id, std::vector<Peer> slow, Time now) {
    auto sent = only<Send>(apply(state, Answered{id}, now));
    REQUIRE(sent.size() == 1);
    return apply(state, Sent{id, sent.front().reason, std::move(slow)}, now);
}

}  // namespace

TEST_CASE("the answer of an absent submitter is kept for an hour") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, PeerGone{alice}, start);
    auto actions = apply(state, Answered{"s"}, start + 1s);
    CHECK(only<Send>(actions).empty());
    CHECK(written_for(actions) == WriteReason::undelivered);
    CHECK(next_deadline(state) == start + 1s + keep_time);
    CHECK(pass_time(state, start + keep_time).empty());
    CHECK(is_only<RemoveResponse>(pass_time(state, start + 1s + keep_time)));
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("an answer that is not worth keeping is not kept for an absent submitter") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, PeerGone{alice}, start);
    CHECK(apply(state, Answered{"s", false}, start).empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("an answer that peers take at once needs no file") {
    State state;
    apply(state, asked("s", alice), start);
    CHECK(answer_slowly(state, "s", {}, start).empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("an answer is a file for as long as a peer is slow to take it") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, asked("s", bob), start);
    CHECK(written_for(answer_slowly(state, "s", {bob}, start)) == WriteReason::slow_peer);
    CHECK(next_deadline(state) == start + retry_delay);
    auto check = only<CheckOutput>(pass_time(state, start + 1s));
    REQUIRE(check.size() == 1);
    CHECK(check[0].peers == std::vector{bob});
    CHECK(apply(state, OutputChecked{"s", false}, start + 1s).empty());
    CHECK(only<CheckOutput>(pass_time(state, start + 2s)).size() == 1);
    CHECK(is_only<RemoveResponse>(apply(state, OutputChecked{"s", true}, start + 2s)));
    CHECK_FALSE(next_deadline(state));
    CHECK(apply(state, OutputChecked{"s", true}, start + 3s).empty());
}

TEST_CASE("slow peers are looked at for the last time when the daemon ends") {
    State state;
    apply(state, asked("s", alice), start);
    apply(state, asked("t", bob), start);
    answer_slowly(state, "s", {alice}, start);
    answer_slowly(state, "t", {bob}, start);
    CHECK(only<CheckOutput>(apply(state, Ending{}, start)).size() == 2);
    CHECK(is_only<RemoveResponse>(apply(state, OutputChecked{"s", true}, start)));
}

TEST_CASE("an answer that a connection has not delivered is kept for an hour") {
    State state;
    apply(state, asked("s", alice), start);
    answer_slowly(state, "s", {alice}, start);
    auto actions = apply(state, Undelivered{"s", alice}, start + 5s);
    REQUIRE(is_only<WriteResponse>(actions));
    CHECK(written_for(actions) == WriteReason::undelivered);
    CHECK(next_deadline(state) == start + 5s + keep_time);  // nobody is slow any more
    apply(state, PeerGone{alice}, start + 5s);
    CHECK(apply(state, OutputChecked{"s", true}, start + 5s).empty());
}

TEST_CASE("an answer that is kept does not go when a slow peer has taken an earlier one to the same id") {
    State state;
    apply(state, asked("s", alice), start);
    answer_slowly(state, "s", {alice}, start);
    apply(state, asked("s", bob), start);
    apply(state, PeerGone{bob}, start);
    CHECK(written_for(apply(state, Answered{"s"}, start)) == WriteReason::undelivered);
    CHECK(apply(state, OutputChecked{"s", true}, start + 1s).empty());
    CHECK(next_deadline(state) == start + keep_time);
}

TEST_CASE("an answer that is withdrawn on its way is not kept") {
    State state;
    apply(state, asked("s", alice), start);
    answer_slowly(state, "s", {alice}, start);
    CHECK(apply(state, WithdrawnByPeer{"s", alice, true}, start).empty());
    CHECK(apply(state, Undelivered{"s", alice}, start).empty());
    CHECK(written_for(apply(state, Undelivered{"s", bob}, start)) == WriteReason::undelivered);
}

TEST_CASE("a withdrawal after the answer was taken means nothing") {
    State state;
    apply(state, asked("s", alice), start);
    answer_slowly(state, "s", {}, start);
    apply(state, WithdrawnByPeer{"s", alice, false}, start);
    CHECK(state.withdrawn_late.empty());
}

TEST_CASE("a late withdrawal is forgotten with its connection") {
    State state;
    apply(state, WithdrawnByPeer{"s", alice, true}, start);
    apply(state, PeerGone{alice}, start);
    CHECK(state.withdrawn_late.empty());
}

TEST_CASE("who asks again on a connection gets the same answer, and the kept file goes") {
    State state;
    auto actions = apply(state, AskedAgain{"s", bob}, start);
    REQUIRE(actions.size() == 2);
    CHECK(std::holds_alternative<Remember>(actions[0]));  // before the file goes
    CHECK(receivers(actions) == std::vector{bob});
    CHECK(is_only<RemoveResponse>(apply(state, Sent{"s", SendReason::repeated, {}}, start)));
}

TEST_CASE("the kept file stays until a slow peer that asked again has taken the answer") {
    State state;
    apply(state, AskedAgain{"s", bob}, start);
    auto actions = apply(state, Sent{"s", SendReason::repeated, {bob}}, start);
    REQUIRE(is_only<WriteResponse>(actions));
    CHECK(written_for(actions) == WriteReason::slow_peer);
    CHECK(is_only<CheckOutput>(pass_time(state, start + 1s)));
    CHECK(is_only<RemoveResponse>(apply(state, OutputChecked{"s", true}, start + 1s)));
}

TEST_CASE("who asks again by file gets a file that is kept for an hour") {
    State state;
    auto actions = apply(state, AskedAgainByFile{"s"}, start);
    CHECK(written_for(actions) == WriteReason::repeated);
    CHECK(next_deadline(state) == start + keep_time);
}

TEST_CASE("a response file that is found has what is left of its hour") {
    State state;
    apply(state, ResponseFound{"young", 0s}, start);
    apply(state, ResponseFound{"middle", 20min}, start);
    apply(state, ResponseFound{"old", 2h}, start);
    apply(state, ResponseFound{"from the future", -3h}, start);
    CHECK(next_deadline(state) == start);
    CHECK(only<RemoveResponse>(pass_time(state, start)).at(0).submission == "old");
    CHECK(next_deadline(state) == start + 40min);
    CHECK(pass_time(state, start + 40min).size() == 1);
    CHECK(pass_time(state, start + keep_time).size() == 2);
}

TEST_CASE("a response file that is found again keeps its hour") {
    State state;
    apply(state, ResponseFound{"s", 10min}, start);
    apply(state, ResponseFound{"s", 0s}, start + 1min);
    CHECK(next_deadline(state) == start + 50min);
}

TEST_CASE("a request and its answer are removed a day after the later of them was written") {
    State state;
    CHECK(apply(state, UnfetchedFound{"s", 1h}, start).empty());
    CHECK(apply(state, UnfetchedFound{"s", 0s}, start + 1min).empty());  // found again: the time stays
    CHECK(pass_time(state, start + fetch_time - 1h - 1s).empty());
    CHECK(is_only<CheckFetched>(pass_time(state, start + fetch_time - 1h)));
    CHECK_FALSE(next_deadline(state));
    CHECK(is_only<RemoveUnfetched>(apply(state, UnfetchedFound{"s", fetch_time}, start + fetch_time)));
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a request that was written anew meanwhile has a day from then on") {
    State state;
    apply(state, UnfetchedFound{"s", 0s}, start);
    CHECK(is_only<CheckFetched>(pass_time(state, start + fetch_time)));
    CHECK(apply(state, UnfetchedFound{"s", 1h}, start + fetch_time).empty());
    CHECK(next_deadline(state) == start + 2 * fetch_time - 1h);
}

TEST_CASE("the answer to a submitter that lives stays, however old it is") {
    State state;
    CHECK(apply(state, UnfetchedFound{"s", 100 * fetch_time, true}, start).empty());
    CHECK(next_deadline(state) == start + fetch_time);
    CHECK(is_only<CheckFetched>(pass_time(state, start + fetch_time)));
    CHECK(apply(state, UnfetchedFound{"s", 101 * fetch_time, true}, start + fetch_time).empty());
    CHECK(is_only<RemoveUnfetched>(
        apply(state, UnfetchedFound{"s", 102 * fetch_time}, start + 2 * fetch_time)));
}

TEST_CASE(
    "an answer whose request is removed is not looked after any more, nor one from the future removed "
    "early") {
    State state;
    apply(state, UnfetchedFound{"fetched", 0s}, start);
    CHECK(apply(state, RequestRemoved{"fetched"}, start + 1s).empty());
    CHECK_FALSE(next_deadline(state));
    apply(state, UnfetchedFound{"future", -3h}, start);
    CHECK(next_deadline(state) == start + fetch_time);
}

TEST_CASE("a write that has failed is tried again every second until it succeeds") {
    State state;
    apply(state, WriteFailed{"s", Unwritten::answer}, start);
    CHECK(pass_time(state, start + 999ms).empty());
    CHECK(is_only<RetryWrite>(pass_time(state, start + 1s)));
    apply(state, WriteFailed{"s", Unwritten::answer}, start + 1s);
    CHECK(is_only<RetryWrite>(pass_time(state, start + 2s)));
    CHECK(state.unwritten.empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a request whose refusal could not be written is read again") {
    State state;
    apply(state, WriteFailed{"s", Unwritten::refusal}, start);
    CHECK(state.unwritten.contains("s"));
    CHECK(is_only<ReadRequest>(pass_time(state, start + 1s)));
    CHECK_FALSE(state.unwritten.contains("s"));
}

TEST_CASE("an unwritten answer is forgotten with its request file, and with the file that was kept") {
    State state;
    apply(state, WriteFailed{"requested", Unwritten::answer}, start);
    apply(state, WriteFailed{"kept", Unwritten::answer}, start);
    apply(state, RequestRemoved{"requested"}, start);
    apply(state, ResponseReleased{"kept"}, start);
    CHECK(state.unwritten.empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a request that can't be read for now is read a second later, once however often it failed") {
    State state;
    apply(state, RequestUnreadable{"s"}, start);
    apply(state, RequestUnreadable{"s"}, start + 500ms);
    CHECK(is_only<ReadRequest>(pass_time(state, start + 1s)));
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("time that passes early changes nothing, and one that passes late deals with one thing at a time") {
    State state;
    CHECK(apply(state, TimePassed{}, start).empty());
    apply(state, RequestUnreadable{"a"}, start);
    apply(state, ResponseFound{"b", 30min}, start);
    CHECK(apply(state, TimePassed{}, start).empty());
    CHECK(is_only<ReadRequest>(apply(state, TimePassed{}, start + 2h)));
    CHECK(is_only<RemoveResponse>(apply(state, TimePassed{}, start + 2h)));
    CHECK(apply(state, TimePassed{}, start + 2h).empty());
}
