#include "edge/search_state.hpp"

#include <catch2/catch.hpp>

using namespace edge;
using namespace std::chrono_literals;
using Next = SearchState::Next;

namespace {

constexpr Time start{1000s};
const Times times{};

}  // namespace

TEST_CASE("a search asks every two seconds, at last after ten, and is over two seconds later") {
    SearchState search(start, times, 2s);
    for (auto at : {2s, 4s, 6s, 8s, 10s}) {
        CHECK(search.due(times) == start + at);
        CHECK(search.next(start + at, times) == Next::ask);
    }
    CHECK(search.due(times) == start + 12s);
    CHECK(search.next(start + 12s, times) == Next::is_over);
}

TEST_CASE("the last question of a search is never left out, however late the timer is") {
    SearchState search(start, times, 2s);
    Time now = start;
    while (now < start + 10s) {
        now = search.due(times) + 700ms;
        CHECK(search.next(now, times) == Next::ask);
    }
    CHECK(search.next(search.due(times), times) == Next::is_over);
}

TEST_CASE("with the longest interval, it asks at the beginning and at the end") {
    SearchState search(start, times, times.search);
    CHECK(search.due(times) == start + 10s);
    CHECK(search.next(start + 11s, times) == Next::ask);
    CHECK(search.next(start + 13s, times) == Next::is_over);
}

TEST_CASE("a search that was suspended begins anew") {
    CHECK(SearchState(start, times, 2s).next(start + 4s, times) == Next::anew);
    CHECK(SearchState(start, times, times.search).next(start + 12s, times) == Next::anew);
}

TEST_CASE("of what a search finds, the weightiest counts") {
    SearchState search(start, times, 2s);
    CHECK(search.found() == Trace::none);
    search.found(Trace::over);
    search.found(Trace::ended);
    CHECK(search.found() == Trace::over);
    search.found(Trace::awaited);
    CHECK(search.found() == Trace::ended);
}
