#include "listings/run_list.hpp"

#include "json/json.hpp"
#include "runs/next_commands.hpp"

#include <catch2/catch.hpp>

namespace {

using listings::ListedRun;
using runs::RunState;

const runs::Time start{std::chrono::milliseconds(1'795'390'000'000)};

ListedRun listed(std::string id, RunState state) {
    ListedRun made{{}, state};
    made.run.record.id = std::move(id);
    made.run.record.state_log = "/dev/null";  // is there
    made.run.record.started = start;
    made.run.record.tasks = {3, 2, 1};
    return made;
}

bool is_in(const std::string& part, const std::string& text) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a run is a line, whose id is short and whose texts are printable") {
    ListedRun run = listed("7d1c9a52-61f0-4f0e", RunState::finished);
    run.run.record.name = "a\x1b[2Jb";
    run.run.record.usd = 1.5;
    run.run.record.end = runs::RunEnd{start + std::chrono::seconds(90), 0, "completed"};
    auto lines = listings::run_table({run});
    REQUIRE(lines.size() == 2);
    INFO(lines[1]);
    for (const char* part : {"7d1c9a52 ", "a?[2Jb", "finished", "$1.50", "1 min 30 s"})
        CHECK(is_in(part, lines[1]));
    CHECK_FALSE(is_in("7d1c9a52-", lines[1]));
    CHECK_FALSE(is_in("human", lines[0]));
    run.run.record.price_list = "2026-08-21";
    CHECK(is_in("~$1.50", listings::run_table({run})[1]));
}

TEST_CASE("columns that no run needs are left out") {
    ListedRun plain = listed("a", RunState::lost);
    ListedRun asking = listed("b", RunState::running);
    asking.run.record.tasks.asked = 2;
    ListedRun resumed = asking;
    resumed.state = RunState::resumed;  // another run has its tasks
    CHECK_FALSE(is_in("human", listings::run_table({plain, resumed})[0]));
    CHECK(is_in("human", listings::run_table({plain, asking})[0]));
    CHECK_FALSE(is_in("size", listings::run_table({plain})[0]));
    plain.bytes = 2000;
    CHECK(is_in("2.0 kB", listings::run_table({plain, asking})[1]));
}

TEST_CASE("what can be done about a run whose end nobody has told") {
    ListedRun lost = listed("a", RunState::lost);
    ListedRun gone = listed("b", RunState::lost);
    gone.run.record.state_log = "/nowhere/state.ndjson";
    auto texts = listings::texts_about_unended({lost, listed("c", RunState::finished), gone});
    REQUIRE(texts.size() == 2);
    CHECK(is_in("no end was recorded; resume it with:\n  " + runs::command_to_resume("a"), texts[0]));
    CHECK(is_in("no state log any more", texts[1]));
    CHECK(is_in("barnum rm b", texts[1]));
}

TEST_CASE("a damaged run can be resumed or removed") {
    ListedRun damaged = listed("a", RunState::damaged);
    damaged.run.record.is_damaged = true;
    CHECK(is_in(runs::command_to_resume("a"), listings::texts_about_unended({damaged}).at(0)));
    damaged.run.record.tasks.left = 0;
    damaged.run.record.end = runs::RunEnd{start, 0, "completed"};
    CHECK(is_in("barnum rm a", listings::texts_about_unended({damaged}).at(0)));
}

TEST_CASE("the list as JSON is an array of objects") {
    CHECK(listings::runs_json({}) == "[]\n");
    auto text = listings::runs_json({listed("a", RunState::lost), listed("b", RunState::running)});
    auto list = json::checked(text);
    REQUIRE(list.has_value());
    CHECK(list->elements().size() == 2);
    CHECK(text.ends_with("]\n"));
}
