#include "removal/run_removal.hpp"

#include <catch2/catch.hpp>

namespace {

runs::FoundRun run() {
    runs::FoundRun found;
    found.path = "/s/7d1c";
    found.record.id = "7d1c";
    found.record.name = "night\x1b[2Jly";
    found.record.state_log = "/s/7d1c/state.ndjson";
    return found;
}

}  // namespace

TEST_CASE("a run that is removed is told by its id, its name and what it took") {
    runs::FoundRun found = run();
    CHECK(removal::removed_text(found, 12'345) == "7d1c (night?[2Jly), 12.3 kB");
    CHECK(removal::removed_json(found, 12'345) == R"({"id":"7d1c","name":"night\u001b[2Jly","bytes":12345})");
    found.record.name = "";
    CHECK(removal::removed_text(found, 0).starts_with("7d1c, 0"));
}

TEST_CASE("a state log in another place is left, which is told") {
    runs::FoundRun found = run();
    found.record.state_log = "/dev/null";
    CHECK(removal::removed_text(found, 1).ends_with("\n  its state log is left: /dev/null"));
    CHECK(removal::removed_json(found, 1).ends_with(R"("bytes":1,"state_log_left":"/dev/null"})"));
    found.record.state_log = "/nowhere/state.ndjson";
    CHECK(removal::removed_text(found, 1).find("left") == std::string::npos);
}

TEST_CASE("removed runs are a member of an object") {
    CHECK(removal::removed_member({}) == R"("removed":[])");
    CHECK(removal::removed_member({"1", "2"}) == "\"removed\":[1,\n 2]");
}

TEST_CASE("a pool that is left is told") {
    removal::RemovedRun removed{1};
    CHECK(removal::left_pool_text(run(), removed).empty());
    removed.left_pool = base::invalid("it is in use");
    CHECK(removal::left_pool_text(run(), removed) == "run 7d1c is removed, but not its pool: it is in use");
}
