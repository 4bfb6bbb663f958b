#include "pool_protocol/daemon_end.hpp"

#include <catch2/catch.hpp>

using pool_protocol::DaemonEnd;
using pool_protocol::parse_daemon_end;

TEST_CASE("what a daemon writes at its end is read") {
    for (const DaemonEnd& end : {DaemonEnd{true, 0}, DaemonEnd{false, 0}, DaemonEnd{false, 7}})
        CHECK(parse_daemon_end(to_json(end) + "\n") == end);
}

TEST_CASE("a lock file without the end of a daemon has none") {
    for (const char* text :
         {"", "4711\n", "{}", "[]", R"({"kind":"Status","drained":true})", R"({"kind":"Ended")"})
        CHECK(parse_daemon_end(text) == std::nullopt);
}
